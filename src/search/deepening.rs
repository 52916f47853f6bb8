//! Iterative deepening: each search to a depth orders the moves of the next.
//!
//! Where several lines are asked for, each iteration looks for the best move, then for the best of
//! the others, and so on: every line has the exact score that it would have alone.
//!
//! See: David Slate and Lawrence Atkin, "CHESS 4.5: The Northwestern University Chess Program",
//! 1977.

use std::cmp::Reverse;

use super::engine::Algorithm;
use super::hooks::Features;
use super::limits::Limits;
use super::observer::{Progress, Report, Variation};
use super::pace::Pace;
use super::root::RootMoves;
use super::tt::Bound;
use super::worker::{Stopped, Worker};
use crate::position::Move;
use crate::rules::Rules;
use crate::score::{Score, ScoreKind};

impl<R: Rules, F: Features> Worker<'_, R, F> {
    /// Searches deeper and deeper until a limit is reached.
    ///
    /// An iteration that is broken off still counts for the move: the best move before it is tried
    /// first, so another one came to the front only by being better.
    pub(super) fn deepen(
        &mut self,
        algorithm: Algorithm,
        limits: &Limits,
        mut moves: RootMoves,
    ) -> Report {
        let mut lines = Vec::new();
        let mut values = vec![Vec::new(); limits.multi_pv.clamp(1, moves.len())];
        let mut reached = 0;
        let mut pace = Pace::new(self.position.pending() > 0);
        for depth in 1..=limits.depth {
            self.may_end = depth > limits.least_depth;
            let Ok(found) = self.best_lines(algorithm, &mut moves, &values, depth) else {
                break;
            };
            self.add_to_tally();
            for (index, Variation { score, pv: line }) in found.iter().enumerate() {
                let progress = self.progress(depth, index + 1, *score, line);
                self.observer().progress(&progress);
            }
            reached = depth;
            lines = found;
            values.iter_mut().zip(&lines).for_each(|(values, line)| values.push(line.score));
            pace.learn(moves.best(), lines[0].score, limits.clock.elapsed());
            if is_enough(limits, &lines, moves.len(), depth, &pace) {
                break;
            }
        }
        let tally = self.add_to_tally();
        let Variation { score, pv: line } = self.take_best(&mut lines, moves.best());
        Report {
            depth: reached,
            score,
            pv: line,
            others: lines,
            nodes: tally.nodes(),
            tablebase_hits: tally.tablebase_hits(),
        }
    }

    /// The best lines of an iteration, best first; of each rank, what it was worth before is given.
    fn best_lines(
        &mut self,
        algorithm: Algorithm,
        moves: &mut RootMoves,
        values: &[Vec<Score>],
        depth: u32,
    ) -> Result<Vec<Variation>, Stopped> {
        let mut lines = Vec::with_capacity(values.len());
        for (rank, values) in values.iter().enumerate() {
            moves.settle(rank);
            let score = self.iterate(algorithm, moves, values, depth)?;
            let line = self.line(moves.best_open(), score, depth);
            lines.push(Variation { score, pv: line });
        }
        moves.settle(0);
        lines.sort_by_key(|variation| Reverse(variation.score));
        moves.put_first(lines.iter().filter_map(|variation| variation.pv.first().copied()));
        Ok(lines)
    }

    /// Takes the line of the best move out of all; a move that came to the front since they were
    /// found has the line that the table remembers and, for want of another, the score of the best
    /// before it.
    fn take_best(&mut self, lines: &mut Vec<Variation>, best: Option<Move>) -> Variation {
        let starts = |variation: &Variation| variation.pv.first().copied() == best;
        if let Some(at) = lines.iter().position(starts) {
            return lines.remove(at);
        }
        let score = lines.first().map(|variation| variation.score).unwrap_or_default();
        if lines.len() == 1 {
            lines.clear();
        }
        Variation { score, pv: self.remembered_line(best) }
    }

    /// The state of the search with an exact score of a line.
    pub(super) fn progress<'l>(
        &self,
        depth: u32,
        rank: usize,
        score: Score,
        line: &'l [Move],
    ) -> Progress<'l> {
        let tally = &self.shared.tally;
        Progress {
            depth,
            selective_depth: tally.deepest_ply() as u32,
            rank,
            score,
            bound: Bound::Exact,
            pv: line,
            nodes: tally.nodes(),
            tablebase_hits: tally.tablebase_hits(),
            table_use: self.table.permille_used(),
            time: self.limits.clock.elapsed(),
        }
    }
}

/// Whether another iteration would be too late, or could not change the moves.
fn is_enough(limits: &Limits, lines: &[Variation], moves: usize, depth: u32, pace: &Pace) -> bool {
    let has_mate = match (limits.mate, lines[0].score.kind()) {
        (Some(wanted), ScoreKind::MateIn(turns)) => {
            u32::from(Score::turns_of_winner(turns)) <= wanted
        }
        _ => false,
    };
    let is_seen_through = |variation: &Variation| {
        variation.score.turns().is_some_and(|turns| u32::from(turns) <= depth)
    };
    let is_settled = moves == 1 || lines.iter().all(is_seen_through);
    let is_over = depth >= limits.least_depth && pace.is_over(&limits.clock);
    has_mate || limits.clock.is_timed() && is_settled || is_over
}
