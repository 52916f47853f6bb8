//! Measuring elapsed time.
//!
//! WebAssembly without an operating system has no clock. Until `set_source` provides one, time stands still
//! there: depth and node limits end a search, time limits do not.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use std::time::Instant as Moment;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use without_system::{Moment, set_source};

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
