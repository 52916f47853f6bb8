//! Mills: which a man closes, and what some games remember of them.

use super::Position;
use crate::board::{Side, Square, SquareSet, lines};
use crate::rules::{MillMove, Rules};

impl<R: Rules> Position<R> {
    /// How many mills a man of the side closes on a point, with the others of its men in `men`.
    ///
    /// Where mills are used once, a line whose points were all used is none.
    #[inline]
    #[must_use]
    pub fn count_closed(&self, to: Square, side: Side, men: SquareSet) -> u32 {
        let rules = self.rules();
        if !rules.uses_mills_once {
            return lines::count_closed(to, men, rules.diagonals);
        }
        let used = self.extras().used[side];
        self.closed_lines(to, men).filter(|line| !used.contains_all(*line)).count() as u32
    }

    /// The complete lines through a point that holds a man of the side, or is about to.
    fn closed_lines(&self, to: Square, men: SquareSet) -> impl Iterator<Item = SquareSet> {
        let lines = lines::lines(self.rules().diagonals).iter().copied();
        lines.filter(move |line| line.contains(to) && men.contains_all(line.without(to)))
    }

    /// Remembers the move that closed so many mills, where the game wants to know.
    #[inline]
    pub(super) fn record_mills(&mut self, mill: MillMove, closed: u32) {
        if self.rules().uses_mills_once && closed > 0 {
            self.record_used(mill.to);
        }
        if self.rules().restricts_repeated_mills {
            self.record_last_mill(mill, closed > 0);
        }
    }

    fn record_used(&mut self, to: Square) {
        let side = self.to_move();
        let closed = self.closed_lines(to, self.men(side));
        let points = closed.fold(SquareSet::EMPTY, |points, line| points | line);
        self.keyed.remember(|extras| extras.used[side] |= points);
    }

    /// A placement that closes no mill leaves the memory of another placement alone.
    fn record_last_mill(&mut self, mill: MillMove, closes: bool) {
        let side = self.to_move();
        self.keyed.remember(|extras| {
            let last = &mut extras.last_mills[side];
            let slid = |mill: MillMove| mill.from.is_some();
            if closes {
                *last = Some(mill);
            } else if slid(mill) || last.is_some_and(slid) {
                *last = None;
            }
        });
    }

    /// The point to which a man of the side to move may not go back at once, to close a mill again
    /// where it came from.
    pub(super) fn forbidden_return(&self, from: Square) -> SquareSet {
        let side = self.to_move();
        let men = self.men(side);
        match self.extras().last_mills[side] {
            Some(MillMove { from: Some(origin), to })
                if to == from
                    && self.count_closed(from, side, men) > 0
                    && self.count_closed(origin, side, men.without(from)) > 0 =>
            {
                SquareSet::of(origin)
            }
            _ => SquareSet::EMPTY,
        }
    }
}
