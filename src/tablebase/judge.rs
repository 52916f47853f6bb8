//! Choosing a move by the databases alone.

use std::cmp::Reverse;

use super::tables::Tablebase;
use super::value::Value;
use super::wdl::Wdl;
use crate::game::Game;
use crate::position::{Move, Position};
use crate::rules::Rules;

/// A move and what it is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JudgedMove {
    /// The move.
    pub mv: Move,
    /// Its value for the side that plays it.
    pub value: Value,
    /// How many replies keep the draw, if the best moves draw and it is one of them; else 0.
    pub drawing_replies: u32,
}

impl JudgedMove {
    /// What is less for better moves: a soon win, a late loss, a draw that is harder to hold.
    fn order(self) -> (Reverse<Value>, u32) {
        (Reverse(self.value), self.drawing_replies)
    }
}

impl Tablebase {
    /// The value of each of some legal moves, the best move first; equally good ones stay in order.
    ///
    /// None if a value is not known.
    #[must_use]
    pub fn judge<R: Rules>(
        &self,
        position: &Position<R>,
        moves: &[Move],
    ) -> Option<Vec<JudgedMove>> {
        let value = |mv| self.worth_of_move(position, mv);
        let judged =
            moves.iter().map(|&mv| Some(JudgedMove { mv, value: value(mv)?, drawing_replies: 0 }));
        let mut judged: Vec<JudgedMove> = judged.collect::<Option<_>>()?;
        if judged.iter().map(|judged| judged.value).max() == Some(Value::DRAW) {
            for drawing in judged.iter_mut().filter(|judged| judged.value == Value::DRAW) {
                drawing.drawing_replies = self.drawing_replies(position, drawing.mv)?;
            }
        }
        judged.sort_by_key(|judged| judged.order());
        Some(judged)
    }

    /// How many replies keep the draw; after the removal that leaves fewest, where one is owed.
    fn drawing_replies<R: Rules>(&self, position: &Position<R>, mv: Move) -> Option<u32> {
        let after = position.after(mv);
        let plays_on = after.plays_on(position.to_move());
        let mut fewest = u32::MAX;
        let mut drawing = 0;
        for &next in &after.moves() {
            if self.worth_of_move::<Wdl, R>(&after, next)? == Wdl::Draw {
                drawing += 1;
                if plays_on {
                    fewest = fewest.min(self.drawing_replies(&after, next)?);
                }
            }
        }
        Some(if plays_on { fewest } else { drawing })
    }

    /// Plays the best moves of both sides until the game is over or drawn by value, or `is_enough`
    /// says so: the moves, and the game after them. Draw rules end the line but do not steer it.
    ///
    /// None if a value on the way is not known.
    #[must_use]
    pub fn line<R: Rules>(
        &self,
        game: &Game<R>,
        is_enough: impl Fn() -> bool,
    ) -> Option<(Vec<Move>, Game<R>)> {
        let mut game = game.clone();
        let mut line = Vec::new();
        while game.outcome().is_none() && !is_enough() {
            let best = *self.judge(game.position(), &game.moves())?.first()?;
            if best.value == Value::DRAW {
                break;
            }
            game.play(best.mv).ok()?;
            line.push(best.mv);
        }
        Some((line, game))
    }
}
