//! What goes on outside while sectors are solved or verified.

/// Is told how far the work has come, and may break it off.
pub trait Watcher: Sync {
    /// More work is done, in positions.
    ///
    /// For the solver each position counts twice: when its start has been looked at and when it is
    /// decided or known to be drawn.
    fn advance(&self, _positions: u64) {}

    /// Whether to break off; asked every few milliseconds.
    fn should_stop(&self) -> bool {
        false
    }
}

/// Nobody follows the work.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

impl Watcher for Unwatched {}

/// The watcher broke the work off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

/// Breaks off if the watcher wants it.
pub fn check(watcher: &dyn Watcher) -> Result<(), Stopped> {
    if watcher.should_stop() { Err(Stopped) } else { Ok(()) }
}
