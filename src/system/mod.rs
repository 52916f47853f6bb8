//! Services of the operating system: time, memory, files and locks.
//!
//! Everything that differs between systems is here, so that the engine also runs without these services, as in
//! a browser.

pub mod clock;
pub mod file_at;
pub mod folders;
pub mod locks;
pub mod memory;
pub mod regular_file;
pub mod whole_file;
