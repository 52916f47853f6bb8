//! Observing long work: its progress, and whether it should stop.

/// Follows the work of the solver and the verifier.
pub trait SolveObserver: Sync {
    /// Called when `positions` more positions are done.
    ///
    /// The solver counts each position twice: when it is initialised, and when it is decided or found
    /// to be drawn. The verifier counts it once.
    fn advance(&self, _positions: u64) {}

    /// Whether to stop; asked every few milliseconds.
    fn should_stop(&self) -> bool {
        false
    }
}

/// An observer that reports nothing and never stops the work.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unobserved;

impl SolveObserver for Unobserved {}

/// An observer of a part of the work whose progress does not count.
pub(super) struct Uncounted<'a>(pub &'a dyn SolveObserver);

impl SolveObserver for Uncounted<'_> {
    fn should_stop(&self) -> bool {
        self.0.should_stop()
    }
}

/// The observer stopped the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("stopped")]
pub struct Stopped;

/// Stops the work if the observer wants it.
pub(super) fn check(observer: &dyn SolveObserver) -> Result<(), Stopped> {
    if observer.should_stop() { Err(Stopped) } else { Ok(()) }
}
