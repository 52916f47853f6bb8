//! Locks between the threads of a program, and between programs that use the same file or folder.
//!
//! A file is locked while it is open; the system releases the lock when the program ends, however that happens. Lock
//! files are not removed, since that would race with a program that is opening one.

use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;
use std::sync::{LockResult, Mutex, MutexGuard};
use std::time::Duration;

use crate::system::clock::wait_until;
use crate::system::regular_file;

/// Locks a mutex, waiting while another thread holds it.
///
/// # Panics
///
/// When a thread has panicked while holding the lock.
pub fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    unpoisoned(mutex.lock())
}

/// Returns the guard from the result of a lock or of a wait on a condition variable.
///
/// # Panics
///
/// When a thread has panicked while holding the lock.
pub fn unpoisoned<T>(locked: LockResult<T>) -> T {
    locked.expect("no thread panics while it holds the lock")
}

/// Locks a lock file, created if missing, until it is closed. Returns `None` if another program or another part of this
/// one holds the lock for longer than `patience`.
///
/// # Errors
///
/// When the path is a symbolic link, which might lead to somebody else's file, or the system refuses.
pub fn lock_file(path: &Path, patience: Duration) -> io::Result<Option<File>> {
    if path.is_symlink() {
        return Err(io::Error::other("a symbolic link is in the place of a lock file"));
    }
    let mut options = File::options();
    let file = regular_file::open_with(options.write(true).create(true).truncate(false), path)?;
    let mut locked = Ok(false);
    wait_until(patience, || {
        locked = try_lock(&file);
        !matches!(locked, Ok(false))
    });
    Ok(locked?.then_some(file))
}

/// Locks an open file until it is closed. Returns false if somebody else holds the lock.
pub fn try_lock(file: &File) -> io::Result<bool> {
    match file.try_lock() {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;
    use crate::system::clock::Moment;

    #[test]
    fn a_lock_is_held_until_it_is_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        let lock = lock_file(&path, Duration::ZERO).unwrap().unwrap();
        assert!(lock_file(&path, Duration::ZERO).unwrap().is_none());
        let begin = Moment::now();
        let patience = Duration::from_millis(20);
        assert!(lock_file(&path, patience).unwrap().is_none());
        assert!(begin.elapsed() >= patience);
        let waits = thread::spawn(move || lock_file(&path, Duration::from_secs(60)));
        drop(lock);
        assert!(waits.join().unwrap().unwrap().is_some());
    }
}
