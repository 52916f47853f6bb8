//! The value of a position, from those of the positions that its moves lead to.

use std::convert::Infallible;
use std::ops::ControlFlow;

use crate::position::Position;
use crate::tablebase::solved::Solved;
use crate::tablebase::value::Value;

/// The stored values of the positions that those of a sector lead to.
pub struct Successors<'a> {
    /// The sector after a quiet move.
    pub reply: &'a Solved,
    /// The sector after a removal; none if it leaves two men.
    pub after_removal: Option<&'a Solved>,
}

impl Successors<'_> {
    /// The value of a position for the side to move, which may owe a removal.
    #[inline]
    pub fn derive(&self, position: &Position) -> Value {
        // Every move is better than having none.
        let mut best = Value::LOST;
        let ControlFlow::Continue(()) = position.visit_moves::<Infallible>(|mv| {
            let after = position.after(mv);
            let plays_on = after.plays_on(position.to_move());
            let value =
                if plays_on { self.derive(&after) } else { self.stored(&after).before_move() };
            best = best.max(value);
            ControlFlow::Continue(())
        });
        best
    }

    /// The stored value of a position.
    #[inline]
    fn stored(&self, position: &Position) -> Value {
        let side = position.to_move();
        let (own, opponent) = (position.men(side), position.men(!side));
        let is_reply = own.len() as usize == self.reply.sector.own();
        let solved = if is_reply { Some(self.reply) } else { self.after_removal };
        // A side that is left with two men is in no sector: it has lost.
        solved.map_or(Value::LOST, |solved| {
            solved.values()[solved.sector.number(solved.sector.place(own, opponent))]
        })
    }
}
