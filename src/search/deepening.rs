//! Iterative deepening: each search to a depth orders the moves of the next.
//!
//! See: David Slate and Lawrence Atkin, "CHESS 4.5: The Northwestern University Chess Program",
//! 1977.

use super::engine::Algorithm;
use super::hooks::Features;
use super::limits::Limits;
use super::observer::{Progress, Report};
use super::root::RootMoves;
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
        let mut report = Report::default();
        for depth in 1..=limits.depth {
            let Ok(score) = self.iterate(algorithm, &mut moves, report.score, depth) else {
                break;
            };
            report.depth = depth;
            report.score = score;
            report.line = self.line(moves.best());
            let progress = Progress {
                depth,
                selective_depth: self.deepest_ply as u32,
                score,
                line: &report.line,
                nodes: self.nodes,
                table_use: self.table.permille_used(),
                time: limits.clock.elapsed(),
            };
            self.observer().progress(&progress);
            if is_enough(limits, score, moves.len(), depth) {
                break;
            }
        }
        if report.best() != moves.best() {
            report.line = moves.best().into_iter().collect();
        }
        report.nodes = self.nodes;
        report
    }

    fn iterate(
        &mut self,
        algorithm: Algorithm,
        moves: &mut RootMoves,
        guess: Score,
        depth: u32,
    ) -> Result<Score, Stopped> {
        match algorithm {
            Algorithm::MtdF => self.mtdf(moves, guess, depth),
            Algorithm::AlphaBeta | Algorithm::PrincipalVariation => self.full_window(moves, depth),
        }
    }

    /// The best play for both sides, as the table remembers it, up to a repetition.
    fn line(&self, first: Option<Move>) -> Vec<Move> {
        let mut line = Vec::new();
        let mut game = self.game.clone();
        let mut seen = vec![game.position().key()];
        let mut next = first;
        while let Some(mv) = next.filter(|&mv| game.play(mv).is_ok()) {
            line.push(mv);
            let key = game.position().key();
            if seen.contains(&key) {
                break;
            }
            seen.push(key);
            next = self.table.find(key).and_then(|record| record.best);
        }
        line
    }
}

/// Whether another iteration would be too late, or could not change the move.
fn is_enough(limits: &Limits, score: Score, moves: usize, depth: u32) -> bool {
    let has_mate = match (limits.mate, score.kind()) {
        (Some(wanted), ScoreKind::WinIn(turns)) => {
            u32::from(Score::turns_of_winner(turns)) <= wanted
        }
        _ => false,
    };
    let is_seen_through = match score.kind() {
        ScoreKind::WinIn(turns) | ScoreKind::LossIn(turns) => u32::from(turns) <= depth,
        ScoreKind::Estimate(_) => false,
    };
    let is_settled = moves == 1 || is_seen_through;
    has_mate || limits.clock.is_past_soft() || limits.clock.is_shared() && is_settled
}
