//! Iterative deepening: each iteration orders the moves of the next.
//!
//! Under MultiPV, each iteration looks for the best move, then for the best of the others, and so on:
//! every MultiPV line has the exact score that it would have alone.
//!
//! See: David Slate and Lawrence Atkin, "CHESS 4.5: The Northwestern University Chess Program",
//! 1977.

use std::cmp::Reverse;

use super::features::Features;
use super::known_root::Class;
use super::observer::{Report, Variation};
use super::root::RootMoves;
use super::threads::Counts;
use super::time::TimeManager;
use super::worker::{Found, Worker};
use crate::rules::Rules;
use crate::score::{Bound, Score};

impl<R: Rules, F: Features> Worker<'_, R, F> {
    /// Searches deeper and deeper until a limit is reached.
    ///
    /// An aborted iteration still counts: the best move of the previous one is searched first, so another
    /// comes to the front only if it is better.
    pub(super) fn deepen(&mut self, mut moves: RootMoves) -> Report {
        let limits = self.root.limits;
        self.own.tablebase_hits = self.root.known.map_or(0, |known| known.moves().len() as u64);
        let mut variations: Vec<Variation> = Vec::new();
        let mut history = vec![Vec::new(); limits.multi_pv.clamp(1, moves.order.len())];
        let mut reached = 0;
        let mut time = TimeManager::new(self.position.pending() > 0);
        for depth in 1..=limits.depth {
            self.may_end = depth > limits.least_depth;
            let Ok(found) = self.iterate(&mut moves, &history, depth) else { break };
            let told = self.root.with_known_lines(&found);
            for (index, line) in told.iter().enumerate() {
                let progress = self.progress(depth, index + 1, line.clone());
                self.observer.progress(&progress);
            }
            reached = depth;
            variations = found;
            for (past_scores, variation) in history.iter_mut().zip(&variations) {
                past_scores.push(variation.score);
            }
            time.finish_iteration(moves.best(), variations[0].score, limits.clock.elapsed());
            if self.is_enough(&told, moves.order.len(), depth, &time) {
                break;
            }
        }
        let Counts { nodes, tablebase_hits, .. } = self.counts();
        self.put_best_first(&mut variations, &moves);
        let lines = self.root.with_known_lines(&variations);
        Report { depth: reached, lines, nodes, tablebase_hits, known: None }
    }

    /// One iteration: the MultiPV lines, best first. `history` has the scores of earlier iterations by rank.
    fn iterate(
        &mut self,
        moves: &mut RootMoves,
        history: &[Vec<Score>],
        depth: u32,
    ) -> Found<Vec<Variation>> {
        let mut variations = Vec::with_capacity(history.len());
        for (rank, past_scores) in history.iter().enumerate() {
            moves.exclude_first(rank);
            let (score, bound) = self.value(moves, past_scores, depth)?;
            let pv = self.pv(moves.best_remaining(), score, depth);
            variations.push(Variation { score, bound, pv });
        }
        moves.exclude_first(0);
        variations.sort_by_key(|variation| Reverse(variation.score));
        moves.put_first(variations.iter().filter_map(|line| line.pv.first().copied()));
        Ok(variations)
    }

    /// Puts the MultiPV line of the best move before all others.
    ///
    /// A move that came to the front in an aborted iteration has no line yet. It gets the pv in the
    /// transposition table and the score that brought it there; a move that was not searched gets the static
    /// evaluation.
    fn put_best_first(&mut self, lines: &mut Vec<Variation>, moves: &RootMoves) {
        let best = moves.best();
        if let Some(at) = lines.iter().position(|line| line.pv.first().copied() == best) {
            lines[..=at].rotate_right(1);
            return;
        }
        // With one MultiPV line, the old line is replaced, not kept as another.
        if lines.len() == 1 {
            lines.clear();
        }
        let (score, bound) = moves.leader.unwrap_or((self.estimate(), Bound::Exact));
        lines.insert(0, Variation { score, bound, pv: self.stored_pv(best) });
    }

    /// Whether another iteration would be too late, or could not change the moves.
    fn is_enough(&self, lines: &[Variation], moves: usize, depth: u32, time: &TimeManager) -> bool {
        let limits = self.root.limits;
        // The mate that was asked for is found, or there is none.
        let is_no_mate = self.root.known.is_some_and(|known| known.class() < Class::Cursed);
        let score = lines[0].score;
        let turns = score.turns().filter(|_| score > Score::DRAW).map(Score::turns_of_winner);
        let is_found = |wanted| turns.is_some_and(|turns| u32::from(turns) <= wanted);
        if limits.mate.is_some_and(|wanted| is_no_mate || is_found(wanted)) {
            return true;
        }
        // On a clock, a forced move to play, or nothing but mates that a deeper search cannot shorten.
        let is_forced = moves == 1 && self.root.lines.is_empty() && !limits.scores_all;
        let is_mate_within_depth =
            |line: &Variation| line.score.turns().is_some_and(|turns| u32::from(turns) <= depth);
        if limits.clock.is_timed() && (is_forced || lines.iter().all(is_mate_within_depth)) {
            return true;
        }
        // The time for this move is used up.
        depth >= limits.least_depth && time.should_end(&limits.clock)
    }
}
