//! File descriptors, of which a tablebase takes one a sector and a connection another.
//!
//! The system gives each file the lowest number that is free, so a number tells how many are left below
//! the limit.

use std::fs::File;
use std::io;

/// How many descriptors are kept for connections while a tablebase is opened.
const OF_CONNECTIONS: usize = 64;
/// How many are kept for all else while connections are taken.
#[cfg(unix)]
const OF_OTHERS: u64 = 8;

/// Whether few descriptors are left after that of a new connection.
#[cfg(unix)]
pub fn are_scarce(connection: &impl std::os::fd::AsRawFd) -> bool {
    use nix::sys::resource::{Resource::RLIMIT_NOFILE, getrlimit};
    let number = u64::from(connection.as_raw_fd().unsigned_abs());
    getrlimit(RLIMIT_NOFILE).is_ok_and(|(limit, _)| number + OF_OTHERS >= limit)
}

#[cfg(not(unix))]
pub fn are_scarce<T>(_connection: &T) -> bool {
    false
}

/// Whether an error says that there is no descriptor left.
#[cfg(unix)]
pub fn is_limit(error: &io::Error) -> bool {
    use nix::libc::{EMFILE, ENFILE};
    matches!(error.raw_os_error(), Some(EMFILE | ENFILE))
}

#[cfg(not(unix))]
pub fn is_limit(_error: &io::Error) -> bool {
    false
}

/// Descriptors that are kept until this is dropped: of as many as can be had at most half.
pub fn reserve() -> Vec<File> {
    let nothing = if cfg!(windows) { "NUL" } else { "/dev/null" };
    let open = |_| File::open(nothing).ok();
    let mut files: Vec<File> = (0..2 * OF_CONNECTIONS).map_while(open).collect();
    files.truncate(files.len() / 2);
    files
}
