//! What the page gives to its engine.

use std::io::{self, ErrorKind};
use std::ops::Range;
use std::time::Duration;

// SAFETY: `worker.js` has these functions. They read what the pointers point at and keep none of them; `load`
// writes nothing but what `reserve` has made room for.
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

/// The time since any moment.
pub fn time() -> Duration {
    Duration::from_secs_f64(now().max(0.0) / 1000.0)
}

/// A number that nobody foresees.
pub fn seed() -> u64 {
    (random() * 2_f64.powi(53)) as u64
}

/// Whether nobody waits for the answer any more.
pub fn is_gone() -> bool {
    is_gone_now() == 1
}

/// Tells the page an event, or the answer.
///
/// * `data`: JSON.
pub fn tell(name: &str, data: &str) {
    tell_bytes(name.as_ptr(), name.len(), data.as_ptr(), data.len());
}

/// A file that lies beside the page; none if it cannot be had.
pub fn load(name: &str) -> Option<Vec<u8>> {
    load_part(name, 0..0).ok()
}

/// Whether the page knows where sector files lie.
pub fn has_sectors() -> bool {
    has_sectors_now() == 1
}

/// A part of a sector file.
///
/// # Errors
///
/// When there is no such file, or it cannot be had now.
pub fn load_part(name: &str, bytes: Range<usize>) -> io::Result<Vec<u8>> {
    match load_bytes(name.as_ptr(), name.len(), bytes.start, bytes.end) {
        1 => Ok(super::received()),
        -1 => Err(ErrorKind::NotFound.into()),
        _ => Err(ErrorKind::NotConnected.into()),
    }
}
