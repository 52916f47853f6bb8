//! Draws by history: repetition and the n-move rule.
//!
//! A game is drawn when a position occurs for the third time. A side that repeats once can repeat again, so
//! the search scores the second occurrence below the root as a draw. A position before the root must have
//! occurred twice: the only way to win may lead back to a position that was left by mistake. Only slides
//! can be undone by later moves, so only the keys since the last placement or removal are compared.
//!
//! After other moves the same position need not be drawn. So each value carries the place in the
//! path of the earliest position that it depends on: a node that fails high takes it from the move
//! that does, any other node takes the earliest of all its moves. A value that depends on a
//! position before its node is not stored in the transposition table.
//!
//! See: Andrew Palay, "Searching with Probabilities", 1985, on values that depend on the path (the
//! graph-history interaction).

use super::parameters::{CONTEMPT, Features};
use super::worker::Worker;
use crate::game::draw_by_n_move;
use crate::position::Position;
use crate::rules::{DrawRules, Rules};
use crate::score::Score;

/// Whether a search to a depth stays within the n-move rule, given the number of slides since the last
/// placement or removal; for a mate score, whether the mate does.
///
/// The last turn may be a slide that blocks the opponent, which is too late at the limit.
pub(super) fn precedes_n_move_rule(
    score: Score,
    depth: u32,
    quiet_plies: u16,
    rules: DrawRules,
) -> bool {
    let plies = score.turns().map_or(depth, u32::from);
    u32::from(quiet_plies) + plies < u32::from(rules.first_limit())
}

impl<R: Rules, F: Features> Worker<'_, R, F> {
    /// If the node is drawn by history: the place in the path of the position that it repeats, or
    /// `usize::MAX` for the n-move rule. The key of the node is the last of the path.
    pub(super) fn draw_by_history(&self) -> Option<usize> {
        let position = &self.position;
        let quiet_plies = usize::from(position.quiet_plies());
        // If the sides alternate, both have to move away and back, and only every second position has
        // the same side to move. If turns may pass, one side can move away and back alone.
        let shortest_cycle = if position.rules().may_pass() { 2 } else { 4 };
        let is_possible = F::ON.draws
            && quiet_plies >= shortest_cycle
            && (position.pending() == 0 || position.owes_for_stalemate());
        if !is_possible {
            return None;
        }
        let may_repeat = self.draw_rules.threefold_repetition;
        let repeated = || self.repeated_after(quiet_plies, shortest_cycle);
        let place = |plies| self.path.len() - 1 - plies;
        // Near the n-move rule, the keys of the table include the count of slides.
        let by_n_move = || draw_by_n_move(position, self.draw_rules).map(|_| usize::MAX);
        may_repeat.then(repeated).flatten().map(place).or_else(by_n_move)
    }

    /// How many plies ago the position last occurred, if it did.
    fn repeated_after(&self, quiet_plies: usize, shortest_cycle: usize) -> Option<usize> {
        let (key, step) = (self.position.key(), shortest_cycle / 2);
        let past = self.path.iter().rev().take(quiet_plies + 1);
        let mut earlier = past.skip(shortest_cycle).step_by(step);
        let cycles = earlier.position(|&earlier| earlier == key)?;
        Some(shortest_cycle + cycles * step)
    }

    /// Ends a node, given the earliest position of the path on which the values of its moves depend, if any.
    ///
    /// Repetitions of the node itself or of a node below it do not depend on earlier moves.
    pub(super) fn finish_node(&mut self, rests_on: usize) {
        let place = self.path.len() - 1;
        let is_before_path = rests_on == 0 && usize::from(self.position.quiet_plies()) > place;
        let is_before = rests_on < place || is_before_path;
        self.rests_on = if is_before { rests_on } else { usize::MAX };
    }

    /// Whether the position after a move of the node would be drawn by history.
    pub(super) fn would_be_drawn(&self, after: &Position<R>) -> bool {
        let quiet_plies = usize::from(after.quiet_plies());
        quiet_plies > 0
            && (self.path.iter().rev().take(quiet_plies).any(|&key| key == after.key())
                || draw_by_n_move(after, self.draw_rules).is_some())
    }

    /// The score of a draw.
    ///
    /// A side that holds a draw by the tablebase cannot lose, and gains nothing by ending the game.
    pub(super) fn score_of_draw(&self) -> Score {
        match self.holder {
            Some(holder) if holder == self.position.to_move() => Score::estimate(-CONTEMPT),
            Some(_) => Score::estimate(CONTEMPT),
            None => Score::DRAW,
        }
    }
}
