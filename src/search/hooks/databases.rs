//! Positions with all men placed need no search where the databases know them.
//!
//! A value says nothing of the distance, which is more work to read. So a win is scored as one of
//! unknown length, below every win that the search sees the end of. Where slides have been played
//! the distance is looked at too: a win that the n-move rule could overtake is left to the search.

use super::Features;
use crate::knowledge::endgame::Wdl;
use crate::rules::Rules;
use crate::score::Score;
use crate::search::worker::Worker;

impl<R: Rules, F: Features> Worker<'_, R, F> {
    /// The value of the position, if the databases know it.
    #[inline]
    pub(in crate::search) fn known_by_databases(&mut self) -> Option<Score> {
        let tables = self.tables.filter(|_| F::ON.databases)?;
        let wdl = tables.wdl_of(&self.position)?;
        if wdl != Wdl::Draw && self.position.quiet_plies() > 0 && !self.ends_in_time() {
            return None;
        }
        self.database_hits += 1;
        Some(match wdl {
            Wdl::Win => Score::KNOWN_WIN,
            Wdl::Draw => Score::DRAW,
            Wdl::Loss => -Score::KNOWN_WIN,
        })
    }

    /// Whether a decided game ends before the n-move rule.
    fn ends_in_time(&self) -> bool {
        let limit = self.draw_rules.n_move.min(self.draw_rules.endgame_n_move);
        let plies = self.tables.and_then(|tables| tables.value_of(&self.position)?.plies());
        plies.is_some_and(|plies| self.position.quiet_plies() + u16::from(plies) < limit)
    }
}
