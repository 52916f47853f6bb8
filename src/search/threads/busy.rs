//! Moves that some thread is looking at.
//!
//! A node defers the moves that are marked here until it has tried the others; by then their
//! results are in the transposition table more often than not. Its first move is never deferred: as
//! long as it may cut off, the others are not worth a thread.
//!
//! See: Jean-Christophe Weill, "The ABDADA Distributed Minimax Search Algorithm", 1996, and Tom
//! Kerrigan, "Simplified ABDADA", 2017, who marks moves instead of positions.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use crate::position::Move;

const SLOTS: usize = 1 << 14;

/// How many threads look at a move, for each hash of position and move. Moves that share a slot
/// cause no error, only another order.
pub(in crate::search) struct Busy(Box<[AtomicU32]>);

impl Busy {
    /// Room for marks.
    pub(super) fn new() -> Self {
        Self((0..SLOTS).map(|_| AtomicU32::new(0)).collect())
    }

    /// No room for any mark, for a thread that is alone.
    pub(super) fn nothing() -> Self {
        Self(Box::default())
    }

    /// Whether a thread looks at a move of the position with a key.
    pub(in crate::search) fn contains(&self, key: u64, mv: Move) -> bool {
        self.slot(key, mv).load(Relaxed) > 0
    }

    /// Marks a move.
    pub(in crate::search) fn enter(&self, key: u64, mv: Move) {
        self.slot(key, mv).fetch_add(1, Relaxed);
    }

    /// Takes a mark back.
    pub(in crate::search) fn leave(&self, key: u64, mv: Move) {
        self.slot(key, mv).fetch_sub(1, Relaxed);
    }

    fn slot(&self, key: u64, mv: Move) -> &AtomicU32 {
        let hash = (key ^ u64::from(mv.bits())).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        &self.0[(hash >> 32) as usize % SLOTS]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_busy_until_the_last_thread_leaves_it() {
        let (busy, mv, other) = (Busy::new(), "d6".parse().unwrap(), "d7".parse().unwrap());
        busy.enter(1, mv);
        busy.enter(1, mv);
        busy.leave(1, mv);
        assert!(busy.contains(1, mv) && !busy.contains(1, other) && !busy.contains(2, mv));
        busy.leave(1, mv);
        assert!(!busy.contains(1, mv));
    }
}
