//! The functions that the page offers to its engine.

use std::io::{self, ErrorKind};
use std::ops::Range;
use std::time::Duration;

// SAFETY: `worker.js` defines these functions. They read through the pointers but keep none of them; `load`
// writes only to the buffer of `reserve`.
#[link(wasm_import_module = "page")]
unsafe extern "C" {
    safe fn now() -> f64;
    safe fn random() -> f64;
    #[link_name = "isGone"]
    safe fn is_gone_now() -> i32;
    #[link_name = "tell"]
    safe fn tell_bytes(name: *const u8, name_len: usize, data: *const u8, data_len: usize);
    #[link_name = "load"]
    safe fn load_bytes(name: *const u8, name_len: usize, first: usize, end: usize) -> i32;
    #[link_name = "hasSectors"]
    safe fn has_sectors_now() -> i32;
}

/// The time since an arbitrary moment.
pub fn time() -> Duration {
    Duration::from_secs_f64(now().max(0.0) / 1000.0)
}

/// A random number of 53 bits.
pub fn seed() -> u64 {
    (random() * 2_f64.powi(53)) as u64
}

/// Whether nobody waits for the answer any longer.
pub fn is_gone() -> bool {
    is_gone_now() == 1
}

/// Sends the page an event or the answer.
///
/// * `data`: JSON.
pub fn tell(name: &str, data: &str) {
    tell_bytes(name.as_ptr(), name.len(), data.as_ptr(), data.len());
}

/// Loads a file from the folder of the page; `None` if that fails.
pub fn load(name: &str) -> Option<Vec<u8>> {
    load_part(name, 0..0).ok()
}

/// Whether the page has a source of sector files.
pub fn has_sectors() -> bool {
    has_sectors_now() == 1
}

/// Loads a part of a sector file.
///
/// # Errors
///
/// If the file does not exist, or cannot be loaded now.
pub fn load_part(name: &str, bytes: Range<usize>) -> io::Result<Vec<u8>> {
    match load_bytes(name.as_ptr(), name.len(), bytes.start, bytes.end) {
        1 => Ok(super::received()),
        -1 => Err(ErrorKind::NotFound.into()),
        _ => Err(ErrorKind::NotConnected.into()),
    }
}
