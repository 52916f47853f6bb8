//! Tablebase probes in the tree.
//!
//! What probing the moving phase of Nine Men's Morris saves and costs: millions of nodes, and
//! seconds, to a depth over 50 random positions of games. In the moving phase the root is known:
//! searches do not probe but exclude moves that give value away, and wins need no search.
//!
//! | | depth 8 | 10 | 12 | 14 |
//! | --- | --- | --- | --- | --- |
//! | 25 of placing, without tablebase | 0.13, 0.05 s | 0.41, 0.13 s | 1.34, 0.45 s | 4.67, 1.60 s |
//! | with it, in memory | 0.12, 0.08 s | 0.35, 0.13 s | 1.05, 0.36 s | 3.32, 1.14 s |
//! | with it, on the disk | 0.12, 0.48 s | 0.38, 1.75 s | 1.13, 3.24 s | 3.03, 6.60 s |
//! | 25 of moving, without tablebase | 0.37, 0.07 s | 1.28, 0.26 s | 4.35, 0.91 s | 12.98, 2.95 s |
//! | with it, in memory | 0.26, 0.06 s | 1.05, 0.16 s | 3.66, 0.60 s | 12.95, 2.25 s |
//! | with it, on the disk | 0.26, 2.51 s | 1.04, 2.74 s | 3.58, 3.08 s | 13.13, 4.99 s |
//!
//! These searches to a fixed depth wait for the disk; a search on the clock goes on without pages
//! that are not in memory.

use super::parameters::Features;
use super::worker::Worker;
use crate::board::Side;
use crate::rules::{DrawRules, Rules};
use crate::score::Score;
use crate::tablebase::{Tablebase, Wdl};

impl<R: Rules, F: Features> Worker<'_, R, F> {
    /// The score of the position, if the tablebase has it.
    ///
    /// A win or loss ends the line. So does a draw, but scored by the estimate of the position, which
    /// lies between a loss and a win and leads the placing phase to draws with better chances.
    ///
    /// The distance of a win takes more work to read than the win itself, so wins are scored with
    /// unknown length, below every mate that the search finds.
    ///
    /// A search on the clock does not wait for values from disk; other searches do, so that they
    /// are reproducible with one thread.
    pub(super) fn probe_tablebase(&mut self) -> Option<Score> {
        let tablebase = self.root.tablebase.filter(|_| F::ON.tablebase)?;
        let mut pauses = 0;
        let mut score = self.tablebase_score(tablebase);
        while score.is_none() && tablebase.read_again(&mut pauses, || !self.is_in_a_hurry()) {
            score = self.tablebase_score(tablebase);
        }
        let score = score?;
        // Where the system does not tell what is in memory, a probe may take long.
        self.next_poll = self.own.nodes;
        self.own.tablebase_hits += 1;
        // Whether a win comes in time depends on the slides since the last placement or removal.
        let quiet_plies = usize::from(self.position.quiet_plies());
        if !score.is_estimate() && quiet_plies > 0 {
            self.rests_on = (self.path.len() - 1).saturating_sub(quiet_plies);
        }
        Some(score)
    }

    /// The score of the position, if the tablebase has it in memory.
    fn tablebase_score(&self, tablebase: &Tablebase) -> Option<Score> {
        let wdl = tablebase.probe_wdl(&self.position)?;
        if let Some(winner) = self.winner {
            return self.score_for_winner(tablebase, wdl, winner);
        }
        Some(match wdl {
            Wdl::Win => self.tablebase_win(tablebase)?,
            Wdl::Draw => self.estimate(),
            Wdl::Loss => -self.tablebase_win(tablebase)?,
        })
    }

    /// The score of a position below a root that is won in the placing phase. If the position keeps
    /// the win: a mate, if the tablebase has its distance and the n-move rule leaves the time, or a
    /// win of unknown length if it does not; `None`, so that the line goes on, if the tablebase has
    /// no distance. Whatever gives the win away gets the worst estimate.
    fn score_for_winner(&self, tablebase: &Tablebase, wdl: Wdl, winner: Side) -> Option<Score> {
        let is_winner = self.position.to_move() == winner;
        let kept = if is_winner { Wdl::Win } else { Wdl::Loss };
        let score = if wdl == kept {
            let turns = u16::from(tablebase.probe_value(&self.position)?.turns()?);
            let plies = turns.saturating_add(self.position.quiet_plies());
            let is_in_time = plies < self.draw_rules.first_limit();
            let mate = Score::mate_in(self.turns + turns);
            if is_in_time { mate } else { Score::TABLEBASE_WIN }
        } else {
            Score::estimate(i32::MIN)
        };
        Some(if is_winner { score } else { -score })
    }

    /// The score of a decided position for the winner, or `None` if it takes a distance that the
    /// tablebase does not have, so that a search has to find the win.
    ///
    /// Right after a placement or removal the default n-move rule leaves 100 plies, which are
    /// nearly always enough to reach the next removal. The distance is read only if slides have
    /// been played or the rule is stricter. A win that the rule may forestall has a lower score.
    fn tablebase_win(&self, tablebase: &Tablebase) -> Option<Score> {
        let quiet_plies = self.position.quiet_plies();
        let plies_left = self.draw_rules.first_limit().saturating_sub(quiet_plies);
        if quiet_plies == 0 && plies_left >= DrawRules::default().first_limit() {
            return Some(Score::TABLEBASE_WIN);
        }
        let is_in_time = tablebase.ends_before(&self.position, plies_left)?;
        Some(if is_in_time { Score::TABLEBASE_WIN } else { Score::CURSED_WIN })
    }
}
