//! The order in which the moves of a node are tried.
//!
//! First the move of the transposition table, before any other is generated; then moves that close
//! a mill, killers, moves that keep the opponent from closing one, and the rest by history.

use std::convert::Infallible;
use std::ops::ControlFlow;

use arrayvec::ArrayVec;

use super::hooks::Features;
use super::parameters::{
    KILLERS, ORDER_BLOCKS, ORDER_CLOSES, ORDER_KILLER, ORDER_OPENS, ORDER_PUT_OFF,
};
use super::worker::Worker;
use crate::board::{Side, SquareSet, lines};
use crate::position::{MAX_MOVES, Move, MoveKind, Position};
use crate::rules::Rules;

/// Hands out the moves of a node, best first.
pub(super) struct Picker {
    table_move: Option<Move>,
    stage: Stage,
    moves: ArrayVec<(i32, Move), MAX_MOVES>,
    /// How many of `moves` were handed out, the first ones.
    next: usize,
    /// Whether moves that another thread is looking at come last.
    defers: bool,
}

enum Stage {
    TableMove,
    Generation,
    Moves,
}

impl Picker {
    #[inline]
    pub(super) fn new<R: Rules, F: Features>(
        worker: &Worker<'_, R, F>,
        table_move: Option<Move>,
        depth: u32,
    ) -> Self {
        let is_used = |mv: &Move| F::ON.table_move && worker.position.is_legal(*mv);
        let table_move = table_move.filter(is_used);
        Self {
            table_move,
            stage: Stage::TableMove,
            moves: ArrayVec::new(),
            next: 0,
            defers: depth > worker.least_shared,
        }
    }

    /// The next move.
    #[inline]
    pub(super) fn next<R: Rules, F: Features>(
        &mut self,
        worker: &Worker<'_, R, F>,
    ) -> Option<Move> {
        if let Stage::TableMove = self.stage {
            self.stage = Stage::Generation;
            if self.table_move.is_some() {
                return self.table_move;
            }
        }
        if let Stage::Generation = self.stage {
            self.stage = Stage::Moves;
            self.generate(worker);
        }
        if self.defers {
            self.put_off_busy(worker);
        }
        self.pick()
    }

    /// How many moves were handed out, the table move included.
    #[inline]
    pub(super) fn count(&self) -> usize {
        self.next + usize::from(self.table_move.is_some())
    }

    /// The order of the last move handed out.
    #[inline]
    pub(super) fn order(&self) -> i32 {
        let rating = self.moves[self.next - 1].0;
        if is_put_off(rating) { rating + ORDER_PUT_OFF } else { rating }
    }

    /// The moves handed out before the last one, the table move left out.
    pub(super) fn tried(&self) -> impl Iterator<Item = Move> {
        let count = self.next.saturating_sub(1);
        self.moves[..count].iter().map(|(_, mv)| *mv)
    }

    fn generate<R: Rules, F: Features>(&mut self, worker: &Worker<'_, R, F>) {
        let rater = Rater::new(worker);
        let ControlFlow::Continue(()) = worker.position.visit_moves::<Infallible>(|mv| {
            if Some(mv) != self.table_move {
                self.moves.push((rater.rate(worker, mv), mv));
            }
            ControlFlow::Continue(())
        });
    }

    /// Brings the best of the remaining moves to the front of them and hands it out.
    #[inline]
    fn pick(&mut self) -> Option<Move> {
        let rest = &mut self.moves[self.next..];
        let best = best_of(rest);
        let (_, mv) = *rest.get(best)?;
        rest.swap(0, best);
        self.next += 1;
        Some(mv)
    }

    /// Puts moves that another thread is looking at behind all others, once, unless the first move
    /// is still to come.
    #[cold]
    fn put_off_busy<R: Rules, F: Features>(&mut self, worker: &Worker<'_, R, F>) {
        let is_first = self.next == 0 && self.table_move.is_none();
        let key = worker.position.key();
        let rest = &mut self.moves[self.next..];
        while let Some((rating, mv)) = rest.get_mut(best_of(rest)).filter(|_| !is_first) {
            if is_put_off(*rating) || !worker.shared.busy.contains(key, *mv) {
                break;
            }
            *rating -= ORDER_PUT_OFF;
        }
    }
}

/// Whether the rating is that of a move that another thread was looking at.
#[inline]
fn is_put_off(rating: i32) -> bool {
    rating < -ORDER_PUT_OFF / 2
}

/// The place of the best of some moves.
#[inline]
fn best_of(moves: &[(i32, Move)]) -> usize {
    let mut best = 0;
    for index in 1..moves.len() {
        if moves[index].0 > moves[best].0 {
            best = index;
        }
    }
    best
}

/// What the rating of the moves of one position has in common.
struct Rater {
    side: Side,
    own: SquareSet,
    /// Points where the opponent has two men and a third closes the line.
    threatened: SquareSet,
    killers: [Option<Move>; KILLERS],
}

impl Rater {
    fn new<R: Rules, F: Features>(worker: &Worker<'_, R, F>) -> Self {
        let position = &worker.position;
        let side = position.to_move();
        let diagonals = position.rules().diagonals;
        // A side that removes its own men opens no line by it and stops no threat.
        let [own, opponent] = if position.extras().removes_own {
            [SquareSet::EMPTY; 2]
        } else {
            [position.men(side), position.men(!side)]
        };
        Self {
            side,
            own,
            threatened: lines::closing(opponent, diagonals),
            killers: if F::ON.killers { worker.killers.at(worker.ply) } else { [None; KILLERS] },
        }
    }

    #[inline]
    fn rate<R: Rules, F: Features>(&self, worker: &Worker<'_, R, F>, mv: Move) -> i32 {
        let history = if F::ON.history { worker.history.get(self.side, mv) } else { 0 };
        let killer = self.killers.iter().position(|&killer| killer == Some(mv));
        let killer = killer.map_or(0, |rank| ORDER_KILLER - rank as i32);
        history + killer + self.rate_kind(&worker.position, mv)
    }

    #[inline]
    fn rate_kind<R: Rules>(&self, position: &Position<R>, mv: Move) -> i32 {
        let diagonals = position.rules().diagonals;
        let arrival = |men: SquareSet, to| {
            let closed = lines::count_closed(to, men, diagonals);
            let blocks = i32::from(self.threatened.contains(to));
            ORDER_CLOSES * i32::from(closed > 0) + ORDER_BLOCKS * blocks
        };
        match mv.kind() {
            MoveKind::Place(to) => arrival(self.own, to),
            MoveKind::Slide { from, to } => arrival(self.own.without(from), to),
            MoveKind::Remove(man) => {
                let opens = lines::count_closed(man, self.own, diagonals);
                let threatens = i32::from(self.threatened.contains(man));
                ORDER_OPENS * (opens as i32 + threatens)
            }
        }
    }
}

impl<R: Rules, F: Features> Worker<'_, R, F> {
    /// Learns from a cut-off: the move that caused it, and those tried in vain before.
    #[inline]
    pub(super) fn reward(&mut self, mv: Move, tried: impl Iterator<Item = Move>, depth: u32) {
        let side = self.position.to_move();
        if F::ON.killers {
            self.killers.insert(self.ply, mv);
        }
        if F::ON.history {
            self.history.reward(side, mv, depth);
            tried.for_each(|mv| self.history.punish(side, mv, depth));
        }
    }
}
