//! What the operating system gives: time, memory, files and locks.
//!
//! All that differs between systems is here, so that the engine also runs where there are none of
//! them, as in a browser.

pub mod clock;
pub mod file_at;
pub mod folders;
pub mod locks;
pub mod memory;
pub mod regular_file;
pub mod whole_file;
