//! How much time has passed.
//!
//! WebAssembly without an operating system has no clock: there time stands still until `set_source` provides
//! one, so that limits of depth and nodes end searches, and limits of time do not.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use std::time::Instant as Moment;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use without_system::{Moment, set_source};

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod without_system {
    use std::sync::OnceLock;
    use std::time::Duration;

    static SOURCE: OnceLock<fn() -> Duration> = OnceLock::new();

    /// A moment, from which the time that has passed is measured.
    #[derive(Clone, Copy, Debug)]
    pub struct Moment(Duration);

    impl Moment {
        /// This moment.
        pub fn now() -> Self {
            Self(SOURCE.get().map_or(Duration::ZERO, |source| source()))
        }

        /// The time since this moment.
        pub fn elapsed(&self) -> Duration {
            Self::now().0.saturating_sub(self.0)
        }
    }

    /// Sets where the time comes from; the first call counts.
    ///
    /// * `source`: the time since any fixed moment, such as `performance.now()` of a browser.
    pub fn set_source(source: fn() -> Duration) {
        let _ = SOURCE.set(source);
    }
}
