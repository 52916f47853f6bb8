//! Move ordering: the order in which the moves of a node are searched.
//!
//! The move of the transposition table comes first, before any other is generated; then moves that
//! close a mill, killers, moves that keep the opponent from closing one, and the rest by history.

use std::convert::Infallible;
use std::ops::ControlFlow;

use arrayvec::ArrayVec;

use super::parameters::{
    Features, KILLERS, MAX_HISTORY, MAX_PLY, ORDER_BLOCKS, ORDER_CLOSES, ORDER_KILLER, ORDER_OPENS,
    ORDER_PUT_OFF,
};
use super::threads::Busy;
use crate::board::{Side, SquareSet, lines};
use crate::position::{MAX_MOVES, Move, MoveKind, Position};
use crate::rules::Rules;

/// Hands out the moves of a node, best first.
pub(super) struct Picker<'a> {
    table_move: Option<Move>,
    stage: Stage,
    moves: ArrayVec<Move, MAX_MOVES>,
    /// The ordering score of each of `moves`.
    orders: ArrayVec<i32, MAX_MOVES>,
    /// How many of `moves`, from the first on, were handed out.
    next: usize,
    /// The moves that other threads search, which come last.
    busy: Option<&'a Busy>,
}

enum Stage {
    TableMove,
    Generation,
    Moves,
}

impl<'a> Picker<'a> {
    #[inline]
    pub(super) fn new<R: Rules, F: Features>(
        position: &Position<R>,
        table_move: Option<Move>,
        busy: Option<&'a Busy>,
    ) -> Self {
        let is_used = |mv: &Move| F::ON.table_move && position.is_legal(*mv);
        Self {
            table_move: table_move.filter(is_used),
            stage: Stage::TableMove,
            moves: ArrayVec::new(),
            orders: ArrayVec::new(),
            next: 0,
            busy,
        }
    }

    /// The next move.
    #[inline]
    pub(super) fn next<R: Rules, F: Features>(
        &mut self,
        position: &Position<R>,
        ordering: &Ordering,
        ply: usize,
    ) -> Option<Move> {
        if let Stage::TableMove = self.stage {
            self.stage = Stage::Generation;
            if self.table_move.is_some() {
                return self.table_move;
            }
        }
        if let Stage::Generation = self.stage {
            self.stage = Stage::Moves;
            self.generate::<R, F>(position, ordering, ply);
        }
        if let Some(busy) = self.busy {
            self.put_off_busy(busy, position.key());
        }
        self.pick()
    }

    /// How many moves were handed out, the table move included.
    #[inline]
    pub(super) fn count(&self) -> usize {
        self.next + usize::from(self.table_move.is_some())
    }

    /// The ordering score of the last move handed out. This must not be the first one, which may be
    /// the table move and not in `moves`.
    #[inline]
    pub(super) fn order(&self) -> i32 {
        let order = self.orders[self.next - 1];
        if is_put_off(order) { order + ORDER_PUT_OFF } else { order }
    }

    /// The moves handed out before the last one, without the table move.
    pub(super) fn tried(&self) -> impl Iterator<Item = Move> {
        let count = self.next.saturating_sub(1);
        self.moves[..count].iter().copied()
    }

    fn generate<R: Rules, F: Features>(
        &mut self,
        position: &Position<R>,
        ordering: &Ordering,
        ply: usize,
    ) {
        let rater = Rater::new::<R, F>(position, ordering, ply);
        let ControlFlow::Continue(()) = position.visit_moves::<Infallible>(|mv| {
            if Some(mv) != self.table_move {
                self.orders.push(rater.order::<R, F>(position, mv));
                self.moves.push(mv);
            }
            ControlFlow::Continue(())
        });
    }

    /// Selects the best of the remaining moves and hands it out.
    #[inline]
    fn pick(&mut self) -> Option<Move> {
        let best = self.next + best_of(&self.orders[self.next..]);
        let mv = *self.moves.get(best)?;
        self.moves.swap(self.next, best);
        self.orders.swap(self.next, best);
        self.next += 1;
        Some(mv)
    }

    /// Puts moves that another thread searches behind all others, each once, unless the first move is
    /// still to come.
    #[cold]
    fn put_off_busy(&mut self, busy: &Busy, key: u64) {
        if self.count() == 0 {
            return;
        }
        let (moves, orders) = (&self.moves[self.next..], &mut self.orders[self.next..]);
        while let best = best_of(orders)
            && let Some(mv) = moves.get(best)
            && !is_put_off(orders[best])
            && busy.contains(key, *mv)
        {
            orders[best] -= ORDER_PUT_OFF;
        }
    }
}

/// Whether an ordering score belongs to a move that was put off.
#[inline]
fn is_put_off(order: i32) -> bool {
    order < -ORDER_PUT_OFF / 2
}

/// The index of the greatest ordering score, the first of equal ones; 0 if there is none.
///
/// Which score is the greatest is unpredictable, so the loop has no branch that depends on it: it
/// finds the maximum of numbers that include the index.
#[inline]
fn best_of(orders: &[i32]) -> usize {
    const PLACES: i32 = 1 << 7;
    const _: () = assert!(MAX_MOVES < PLACES as usize && ORDER_PUT_OFF < i32::MAX / PLACES / 2);
    let ranked = orders.iter().zip(0..).map(|(order, place)| order * PLACES + (PLACES - 1 - place));
    let best = ranked.max();
    best.map_or(0, |best: i32| (PLACES - 1 - best.rem_euclid(PLACES)) as usize)
}

/// Rates the moves of one position.
struct Rater<'a> {
    side: Side,
    own: SquareSet,
    /// Points where placing a man closes a mill.
    closing: SquareSet,
    /// Points where a third man of the opponent would close a line.
    threatened: SquareSet,
    killers: [Option<Move>; KILLERS],
    ordering: &'a Ordering,
}

impl<'a> Rater<'a> {
    fn new<R: Rules, F: Features>(
        position: &Position<R>,
        ordering: &'a Ordering,
        ply: usize,
    ) -> Self {
        let side = position.to_move();
        let diagonals = position.rules().diagonals;
        // Removing one's own men opens no line and stops no threat.
        let [own, opponent] = if position.extras().removes_own {
            [SquareSet::EMPTY; 2]
        } else {
            [position.own_men(), position.opponent_men()]
        };
        Self {
            side,
            own,
            closing: lines::closing(own, diagonals),
            threatened: lines::closing(opponent, diagonals),
            killers: if F::ON.killers { ordering.killers[ply] } else { [None; KILLERS] },
            ordering,
        }
    }

    fn order<R: Rules, F: Features>(&self, position: &Position<R>, mv: Move) -> i32 {
        let history = if F::ON.history { self.ordering.weight(self.side, mv) } else { 0 };
        let killer = self.killers.iter().position(|&killer| killer == Some(mv));
        let killer = killer.map_or(0, |rank| ORDER_KILLER - rank as i32);
        let diagonals = position.rules().diagonals;
        let arrival = |to, closes: bool| {
            let blocks = i32::from(self.threatened.contains(to));
            ORDER_CLOSES * i32::from(closes) + ORDER_BLOCKS * blocks
        };
        let by_mills = match mv.kind() {
            MoveKind::Place(to) => arrival(to, self.closing.contains(to)),
            MoveKind::Slide { from, to } => {
                let others = self.own.without(from);
                arrival(to, lines::count_closed(to, others, diagonals) > 0)
            }
            MoveKind::Remove(man) => {
                let opens = lines::count_closed(man, self.own, diagonals);
                let threatens = i32::from(self.threatened.contains(man));
                ORDER_OPENS * (opens as i32 + threatens)
            }
        };
        history + killer + by_mills
    }
}

const MOVES: usize = 1 << 12;

/// What one thread learns from cut-offs about the order of moves.
#[derive(Clone, Debug)]
pub(super) struct Ordering {
    /// The last moves that caused a cut-off at each ply, most recent first: a move that refuted a
    /// sibling is likely to refute this position too.
    ///
    /// See: Selim Akl and Monroe Newborn, "The Principal Continuation and the Killer Heuristic", 1977.
    killers: [[Option<Move>; KILLERS]; MAX_PLY],
    /// The history heuristic: for each move of each side, a weight that rises with the cut-offs
    /// that the move caused anywhere in the tree, ever more slowly towards its limit.
    ///
    /// See: Jonathan Schaeffer, "The History Heuristic and Alpha-Beta Search Enhancements in Practice",
    /// 1989.
    history: Box<[[i16; MOVES]; 2]>,
}

impl Default for Ordering {
    fn default() -> Self {
        Self { killers: [[None; KILLERS]; MAX_PLY], history: Box::new([[0; MOVES]; 2]) }
    }
}

impl Ordering {
    /// Learns from a cut-off by a move, and from the moves `tried` before it.
    #[inline]
    pub(super) fn reward<F: Features>(
        &mut self,
        side: Side,
        ply: usize,
        mv: Move,
        tried: impl Iterator<Item = Move>,
        depth: u32,
    ) {
        if F::ON.killers {
            self.add_killer(ply, mv);
        }
        if F::ON.history {
            let bonus = bonus(depth);
            self.shift(side, mv, bonus);
            tried.for_each(|mv| self.shift(side, mv, -bonus));
        }
    }

    /// Adds a move that caused a cut-off.
    #[inline]
    fn add_killer(&mut self, ply: usize, mv: Move) {
        let killers = &mut self.killers[ply];
        if killers[0] != Some(mv) {
            killers.rotate_right(1);
            killers[0] = Some(mv);
        }
    }

    /// The weight of a move in the history, at most `MAX_HISTORY` either way.
    #[inline]
    fn weight(&self, side: Side, mv: Move) -> i32 {
        i32::from(self.history[side as usize][usize::from(mv.bits()) % MOVES])
    }

    /// Raises or lowers the weight of a move.
    #[inline]
    fn shift(&mut self, side: Side, mv: Move, by: i32) {
        let weight = &mut self.history[side as usize][usize::from(mv.bits()) % MOVES];
        let old = i32::from(*weight);
        *weight = (old + by - old * by.abs() / MAX_HISTORY) as i16;
    }
}

/// What a cut-off at a depth adds to the weight of the move that caused it, and takes from the moves tried before.
fn bonus(depth: u32) -> i32 {
    (16 * depth * depth).min(MAX_HISTORY as u32 / 8) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_killer_comes_first_and_none_twice() {
        let [a, b, c] = ["a1", "a4", "a7"].map(|text| text.parse::<Move>().unwrap());
        let mut ordering = Ordering::default();
        for mv in [a, b, b, c] {
            ordering.add_killer(3, mv);
        }
        assert_eq!(ordering.killers[3], [Some(c), Some(b)]);
        assert_eq!(ordering.killers[4], [None, None]);
    }

    #[test]
    fn weights_stay_within_their_limit() {
        let mv = "a1-a4".parse().unwrap();
        let mut ordering = Ordering::default();
        (0..10_000).for_each(|_| ordering.shift(Side::White, mv, bonus(100)));
        assert!((1..=MAX_HISTORY).contains(&ordering.weight(Side::White, mv)));
        (0..10_000).for_each(|_| ordering.shift(Side::White, mv, -bonus(100)));
        assert!((-MAX_HISTORY..0).contains(&ordering.weight(Side::White, mv)));
        assert_eq!(ordering.weight(Side::Black, mv), 0);
    }
}
