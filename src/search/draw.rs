//! Draws by the moves before: repetition and the n-move rule.
//!
//! A game is drawn when a position occurs for the third time. A side that repeats once can repeat
//! again, so the search takes the second occurrence below the root for the draw. A position before the root
//! has to have occurred twice: the only way to win may lead back to one that was left by mistake. Only slides
//! can be taken back by later moves, so only the keys since the last placement or removal are compared.
//!
//! After other moves the same position need not be drawn. So each value comes with the place in the
//! path of the earliest position that it rests on: a node that fails high has that of the move that
//! does, any other node the earliest of all its moves. A value that rests on a position before its
//! node is not stored in the transposition table.
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
/// The last turn may be a slide that blocks, which is too late at the limit.
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
    /// The place in the path of the position that a repetition draws with that of the node, whose key ends the path,
    /// or `usize::MAX` for the n-move rule, if either draws.
    pub(super) fn draw_by_history(&self) -> Option<usize> {
        let quiet_plies = usize::from(self.position.quiet_plies());
        let is_possible = quiet_plies >= self.shortest_cycle()
            && (self.position.pending() == 0 || self.position.owes_for_stalemate());
        if !is_possible {
            return None;
        }
        // The keys of the table tell the count of slides when the n-move rule is near.
        let by_n_move = || draw_by_n_move(&self.position, self.draw_rules).map(|_| usize::MAX);
        let place = |plies| (self.path.len() - 1).saturating_sub(plies);
        self.repeated_after(quiet_plies).map(place).or_else(by_n_move)
    }

    /// Ends a node with moves whose values rest on a position of the path, if on any.
    ///
    /// A repetition of the node itself or of one below it does not depend on earlier moves.
    pub(super) fn finish_node(&mut self, rests_on: usize) {
        let place = self.path.len() - 1;
        let is_before_path = rests_on == 0 && usize::from(self.position.quiet_plies()) > place;
        let is_before = rests_on < place || is_before_path;
        self.rests_on = if is_before { rests_on } else { usize::MAX };
    }

    /// Whether the moves before would draw a position that follows the node.
    pub(super) fn would_be_drawn(&self, after: &Position<R>) -> bool {
        let quiet_plies = usize::from(after.quiet_plies());
        quiet_plies > 0
            && (self.path.iter().rev().take(quiet_plies).any(|&key| key == after.key())
                || draw_by_n_move(after, self.draw_rules).is_some())
    }

    /// The score of a draw by the moves before.
    ///
    /// A side that holds a draw by the tablebase cannot lose, and wins nothing by ending the game.
    pub(super) fn score_of_draw(&self) -> Score {
        match self.holder {
            Some(holder) if holder == self.position.to_move() => Score::estimate(-CONTEMPT),
            Some(_) => Score::estimate(CONTEMPT),
            None => Score::DRAW,
        }
    }

    /// How many plies before the position has occurred.
    fn repeated_after(&self, quiet_plies: usize) -> Option<usize> {
        if !self.draw_rules.threefold_repetition {
            return None;
        }
        let key = self.position.key();
        let shortest = self.shortest_cycle();
        // The same side is to move again, or either where a turn may pass.
        let step = shortest / 2;
        let mut earlier = self.path.iter().rev().take(quiet_plies + 1).skip(shortest).step_by(step);
        earlier.position(|&earlier| earlier == key).map(|cycles| shortest + cycles * step)
    }

    /// The fewest slides that lead back to a position; half as many more may do so too.
    ///
    /// Where the sides take turns, both go and come back, and the same side is to move at every
    /// second position only. Where a turn may pass, a side can go and come back alone.
    fn shortest_cycle(&self) -> usize {
        if self.position.rules().may_pass() { 2 } else { 4 }
    }
}
