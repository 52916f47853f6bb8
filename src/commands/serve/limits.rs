//! How many clients there may be, and how long they and their requests may take.

use std::time::Duration;

/// The most connections at once.
pub const MOST_CONNECTIONS: usize = 256;
/// The longest time for the head of a request, for its body, and for a client to read on.
pub const PATIENCE: Duration = Duration::from_secs(5);
/// The longest time that a request may ask for.
pub const LONGEST: Duration = Duration::from_secs(10 * 60);
