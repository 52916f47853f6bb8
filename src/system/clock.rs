//! How much time has passed.
//!
//! WebAssembly without an operating system has no clock: there time stands still until `set_source` provides
//! one, so that limits of depth and nodes end searches, and limits of time do not.

use std::time::Duration;

/// A moment, from which the time that has passed is measured.
#[derive(Clone, Copy, Debug)]
pub struct Moment(source::Time);

impl Moment {
    /// This moment.
    #[must_use]
    pub fn now() -> Self {
        Self(source::now())
    }

    /// The time since this moment.
    #[inline]
    #[must_use]
    pub fn elapsed(self) -> Duration {
        source::elapsed(self.0)
    }
}

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
mod source {
    use std::time::{Duration, Instant};

    pub type Time = Instant;

    pub fn now() -> Time {
        Instant::now()
    }

    #[inline]
    pub fn elapsed(since: Time) -> Duration {
        since.elapsed()
    }
}

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod source {
    use std::sync::OnceLock;
    use std::time::Duration;

    pub type Time = Duration;

    pub static SOURCE: OnceLock<fn() -> Duration> = OnceLock::new();

    pub fn now() -> Time {
        SOURCE.get().map_or(Duration::ZERO, |source| source())
    }

    pub fn elapsed(since: Time) -> Duration {
        now().saturating_sub(since)
    }
}

/// Sets where the time comes from; the first call counts.
///
/// * `source`: the time since any fixed moment, such as `performance.now()` of a browser.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub fn set_source(source: fn() -> Duration) {
    let _ = source::SOURCE.set(source);
}
