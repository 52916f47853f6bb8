//! Iterative deepening: each search to a depth orders the moves of the next.
//!
//! See: David Slate and Lawrence Atkin, "CHESS 4.5: The Northwestern University Chess Program",
//! 1977.

use super::engine::Algorithm;
use super::hooks::Features;
use super::limits::Limits;
use super::observer::{Progress, Report};
use super::parameters::LEAST_TABLE_DEPTH;
use super::root::RootMoves;
use super::worker::Worker;
use crate::game::Game;
use crate::position::Move;
use crate::rules::Rules;
use crate::score::{Score, ScoreKind, Window};

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
        let mut values = Vec::new();
        for depth in 1..=limits.depth {
            let Ok(score) = self.iterate(algorithm, &mut moves, &values, depth) else {
                break;
            };
            values.push(score);
            report.depth = depth;
            report.score = score;
            report.line = self.line(moves.best(), depth);
            let progress = Progress {
                depth,
                selective_depth: self.deepest_ply as u32,
                score,
                line: &report.line,
                nodes: self.nodes,
                database_hits: self.database_hits,
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
        report.database_hits = self.database_hits;
        report
    }

    /// The best play for both sides, up to a repetition: as the table remembers it, and at the end,
    /// where the search does not use the table, by searching once more.
    fn line(&mut self, first: Option<Move>, depth: u32) -> Vec<Move> {
        let mut line = Vec::new();
        let mut game = self.game.clone();
        let mut seen = vec![game.position().key()];
        let mut depth_left = depth;
        let mut next = first;
        while let Some(mv) = next.filter(|&mv| game.play(mv).is_ok()) {
            line.push(mv);
            depth_left = depth_left.saturating_sub(u32::from(!mv.is_removal()));
            let key = game.position().key();
            if seen.contains(&key) {
                break;
            }
            seen.push(key);
            next = match self.find_record(game.position()) {
                Some(record) => record.best,
                None => self.move_near_horizon(&game, depth_left),
            };
        }
        line
    }

    /// The best move of a position so near to the horizon that the table does not know it.
    fn move_near_horizon(&mut self, game: &Game<R>, depth: u32) -> Option<Move> {
        let root = std::mem::replace(&mut self.position, *game.position());
        let mut moves = RootMoves::new(game.moves().to_vec(), false);
        let is_near = depth < LEAST_TABLE_DEPTH && !self.is_horizon(depth);
        let is_found = is_near && self.root(&mut moves, Window::FULL, depth).is_ok();
        self.position = root;
        moves.best().filter(|_| is_found)
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
