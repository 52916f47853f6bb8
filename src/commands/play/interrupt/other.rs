//! Ctrl-C where there are no other signals.

use std::error::Error;

use super::{leave, press};

/// Minds Ctrl-C from now on. Line editors that read the key themselves do so apart from this.
///
/// # Errors
///
/// When the system refuses.
pub fn catch() -> Result<(), Box<dyn Error>> {
    Ok(ctrlc::set_handler(|| {
        if press() {
            leave();
        }
    })?)
}
