//! Measuring elapsed time, and waiting.
//!
//! WebAssembly without an operating system has no clock. Until `set_source` provides one, time stands still
//! there: depth and node limits end a search, time limits do not.

use std::thread;
use std::time::Duration;

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use std::time::Instant as Moment;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use without_system::{Moment, set_source};

/// The time between two checks of what a wait is for.
const INTERVAL: Duration = Duration::from_millis(5);

/// Waits until a condition holds. Returns whether it did in time.
pub fn wait_until(patience: Duration, mut is_so: impl FnMut() -> bool) -> bool {
    let begin = Moment::now();
    while !is_so() {
        let left = patience.saturating_sub(begin.elapsed());
        if left.is_zero() {
            return false;
        }
        thread::sleep(INTERVAL.min(left));
    }
    true
}

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod without_system {
    use std::sync::OnceLock;
    use std::time::Duration;

    static SOURCE: OnceLock<fn() -> Duration> = OnceLock::new();

    /// A point in time.
    #[derive(Clone, Copy, Debug)]
    pub struct Moment(Duration);

    impl Moment {
        /// Returns the current time.
        pub fn now() -> Self {
            Self(SOURCE.get().map_or(Duration::ZERO, |source| source()))
        }

        /// Returns the time elapsed since this moment.
        pub fn elapsed(&self) -> Duration {
            Self::now().0.saturating_sub(self.0)
        }
    }

    /// Sets the time source; only the first call has an effect.
    ///
    /// * `source`: returns the time since a fixed moment, such as a browser's `performance.now()`.
    pub fn set_source(source: fn() -> Duration) {
        let _ = SOURCE.set(source);
    }
}
