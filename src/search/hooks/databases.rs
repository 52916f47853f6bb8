//! Positions with all men placed need no search where the databases know them.
//!
//! Whether a position is won says nothing of the distance, which is more work to read. So a win is scored as one of
//! unknown length, below every win that the search sees the end of.
//!
//! The distance is looked at where slides have been played, or the n-move rule is stricter than
//! usual, and the sector has wins so long that the rule could come first. Those that it may overtake
//! are worth less; the root finds out what becomes of them. Right after a placement or removal the
//! usual rule leaves 100 plies, which is nearly always enough to the next removal.

use super::Features;
use crate::rules::{DrawRules, Rules};
use crate::score::Score;
use crate::search::worker::Worker;
use crate::tablebase::{Tablebase, Wdl};

impl<R: Rules, F: Features> Worker<'_, R, F> {
    /// The value of the position, if the databases know it.
    #[inline]
    pub(in crate::search) fn known_by_databases(&mut self) -> Option<Score> {
        let tablebase = self.tablebase.filter(|_| F::ON.tablebase)?;
        let wdl = tablebase.wdl_of(&self.position)?;
        let score = match wdl {
            Wdl::Win => self.known_win(tablebase)?,
            Wdl::Draw => Score::DRAW,
            Wdl::Loss => -self.known_win(tablebase)?,
        };
        self.tablebase_hits += 1;
        Some(score)
    }

    /// What a win of the better side is worth; none where a search has to find the way because
    /// distances are not known.
    #[inline]
    fn known_win(&self, tablebase: &Tablebase) -> Option<Score> {
        let quiet_plies = self.position.quiet_plies();
        let plies_left = self.draw_rules.first_limit().saturating_sub(quiet_plies);
        if quiet_plies == 0 && plies_left >= DrawRules::default().first_limit() {
            return Some(Score::TABLEBASE_WIN);
        }
        let is_in_time = tablebase.ends_before(&self.position, plies_left)?;
        Some(if is_in_time { Score::TABLEBASE_WIN } else { Score::CURSED_WIN })
    }
}
