//! How long clients may take, and searches.

use std::time::Duration;

/// The longest time for the head of a request, for its body, and for a client to read on.
pub const PATIENCE: Duration = Duration::from_secs(5);
/// The longest time that a request may ask for.
pub const LONGEST: Duration = Duration::from_secs(10 * 60);
