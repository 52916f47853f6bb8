//! Reverse futility: a position so much better than the question asks for is not searched.
//!
//! Near the horizon a side that is far ahead of the window stays ahead, so the estimate answers. The
//! margin grows with the depth. Only null windows are cut, and never those that ask for a win or loss.
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
        let is_asked = F::ON.futility && depth <= MOST_FUTILE_DEPTH && window.is_null();
        if !is_asked || self.position.pending() > 0 || !window.beta.is_judgement() {
            return None;
        }
        let estimate = self.estimate();
        (estimate.less(FUTILITY_MARGIN * depth as i16) >= window.beta).then_some(estimate)
    }
}
