//! Reverse futility: a position so much better than the question asks for is not searched.
//!
//! Near the horizon a side that is far ahead of the window stays ahead, so the estimate answers. The
//! margin grows with the depth. Only null windows are cut, and never those that ask for a win or loss,
//! nor where the side has so few men that the next one it loses is the game: there an estimate far above
//! the window would hide, from one depth to the next, a loss that is two turns away.
//!
//! See: Ernst Heinz, "Extended Futility Pruning", 1998, seen from the other side.

use super::Features;
use crate::rules::Rules;
use crate::score::{Score, Window};
use crate::search::parameters::{FUTILITY_MARGIN, MOST_FUTILE_DEPTH};
use crate::search::worker::Worker;

impl<R: Rules, F: Features> Worker<'_, R, F> {
    /// The estimate, if it is far above the window.
    #[inline]
    pub(in crate::search) fn futile(&self, window: Window, depth: u32) -> Option<Score> {
        let is_asked = F::ON.reverse_futility && depth <= MOST_FUTILE_DEPTH && window.is_null();
        let is_wanting = || self.position.pending() > 0 || self.may_lose_by_one_removal();
        if !is_asked || !window.beta.is_estimate() || is_wanting() {
            return None;
        }
        let estimate = self.estimate();
        (estimate.less(FUTILITY_MARGIN * depth as i16) >= window.beta).then_some(estimate)
    }

    #[inline]
    fn may_lose_by_one_removal(&self) -> bool {
        let position = &self.position;
        position.count_men(position.to_move()) <= position.rules().least_men
    }
}
