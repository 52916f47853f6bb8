//! Principal variation search: prove with a null window that a later move is no better.
//!
//! Within a null window there is nothing to scout; under MTD(f) this never happens.
//!
//! See: Tony Marsland and Murray Campbell, "Parallel Search of Strongly Ordered Game Trees", 1982.

use super::Features;
use crate::position::Move;
use crate::rules::Rules;
use crate::score::{Score, Window};
use crate::search::worker::{Stopped, Worker};

impl<R: Rules, F: Features> Worker<'_, R, F> {
    /// The value of a move that is not the first of its node.
    #[inline]
    pub(in crate::search) fn later_move(
        &mut self,
        mv: Move,
        window: Window,
        depth: u32,
        reduction: u32,
    ) -> Result<Score, Stopped> {
        if reduction > 0 {
            let shallow = Window::null(window.alpha.next());
            let score = self.child(mv, shallow, depth - reduction)?;
            if score <= window.alpha {
                return Ok(score);
            }
        }
        if F::ON.null_windows && !window.is_null() {
            let score = self.child(mv, Window::null(window.alpha.next()), depth)?;
            if score <= window.alpha || score >= window.beta {
                return Ok(score);
            }
        }
        self.child(mv, window, depth)
    }
}
