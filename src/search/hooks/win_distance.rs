//! Win-distance pruning: a line that can only end later than what is already sure needs no search.
//!
//! The soonest win from a node is the turn that comes next, the soonest loss is to have lost already.
//! A window outside of that is answered at once, so a search that has seen a win looks for sooner
//! ones only. Known in chess programs as mate-distance pruning.

use super::Features;
use crate::rules::Rules;
use crate::score::{Score, Window};
use crate::search::worker::Worker;

impl<R: Rules, F: Features> Worker<'_, R, F> {
    /// The bound that no line from here can pass, if the window lies beyond it.
    #[inline]
    pub(in crate::search) fn decided_sooner(&self, window: Window) -> Option<Score> {
        let soonest_win = Score::mate_in(self.turns + 1);
        let soonest_loss = Score::mated_in(self.turns);
        if !F::ON.mate_distance {
            None
        } else if soonest_win <= window.alpha {
            Some(soonest_win)
        } else if soonest_loss >= window.beta {
            Some(soonest_loss)
        } else {
            None
        }
    }
}
