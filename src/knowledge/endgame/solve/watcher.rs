//! Who follows a solver at work.

/// Follows a solver at work, from several threads.
pub trait Watcher: Sync {
    /// More work is done, in positions; each position counts twice.
    fn advance(&self, positions: u64);

    /// Whether to break off; asked every few milliseconds.
    fn should_stop(&self) -> bool;
}

/// The solver was told to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

/// Hears nothing and never stops.
impl Watcher for () {
    fn advance(&self, _positions: u64) {}

    fn should_stop(&self) -> bool {
        false
    }
}
