//! Reading and writing at an offset of a file, without a file position that threads would share, and temporary files.
//! A reader may wait for the disk, or request what is not in memory and go on.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

#[cfg(target_os = "linux")]
use nix::fcntl::{PosixFadviseAdvice::POSIX_FADV_WILLNEED, posix_fadvise};

use super::whole_file::random_digits;
use crate::system::clock::Moment;
use crate::system::regular_file::if_there;

/// The beginning of the name of a temporary file.
const SCRATCH: &str = ".scratch-";

/// Creates a temporary file in a folder. It disappears when it is closed or the program ends.
pub fn scratch(folder: &Path) -> io::Result<File> {
    let path = folder.join(format!("{SCRATCH}{}", random_digits()));
    let mut options = File::options();
    options.read(true).write(true).create_new(true);
    #[cfg(windows)]
    {
        use std::os::windows::fs::OpenOptionsExt;
        const DELETE_ON_CLOSE: u32 = 0x0400_0000;
        options.custom_flags(DELETE_ON_CLOSE);
    }
    let file = options.open(&path)?;
    // It stays open without its name, which a build that locks the folder may have removed.
    if cfg!(unix) {
        if_there(fs::remove_file(&path))?;
    }
    Ok(file)
}

/// Whether a path is by its name that of a temporary file that a program killed just then has left behind. On other
/// systems than Unix none is.
pub fn is_scratch(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().as_encoded_bytes();
    cfg!(unix) && name.starts_with(SCRATCH.as_bytes())
}

/// Fills a buffer with the current bytes of a file from the offset `start` on.
///
/// # Errors
///
/// When the system refuses, or the file is too short.
pub fn read_at(file: &File, mut start: u64, mut into: &mut [u8]) -> io::Result<()> {
    while !into.is_empty() {
        match read_some(file, into, start) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(read) => (start, into) = (start + read as u64, &mut into[read..]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Writes bytes to a file from the offset `start` on.
pub fn write_at(file: &File, mut start: u64, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match write_some(file, bytes, start) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(written) => (start, bytes) = (start + written as u64, &bytes[written..]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Reads as many of the bytes as the system returns at once; a browser has no files.
#[cfg_attr(not(any(unix, windows)), allow(unused_variables))]
fn read_some(file: &File, into: &mut [u8], start: u64) -> io::Result<usize> {
    #[cfg(unix)]
    return std::os::unix::fs::FileExt::read_at(file, into, start);
    #[cfg(windows)]
    return std::os::windows::fs::FileExt::seek_read(file, into, start);
    #[cfg(not(any(unix, windows)))]
    Err(io::ErrorKind::Unsupported.into())
}

/// Writes as many of the bytes as the system takes at once.
#[cfg_attr(not(any(unix, windows)), allow(unused_variables))]
fn write_some(file: &File, bytes: &[u8], start: u64) -> io::Result<usize> {
    #[cfg(unix)]
    return std::os::unix::fs::FileExt::write_at(file, bytes, start);
    #[cfg(windows)]
    return std::os::windows::fs::FileExt::seek_write(file, bytes, start);
    #[cfg(not(any(unix, windows)))]
    Err(io::ErrorKind::Unsupported.into())
}

/// How to read a part of a file that is not in memory: wait for it (`None`), or request it from the system, note the
/// request here, and return nothing.
pub type DiskAccess<'a> = Option<&'a PendingReads>;

/// The requests of a reader that does not wait.
pub struct PendingReads {
    is_any: AtomicBool,
    /// Pages last found in memory before this epoch are looked up again.
    since: AtomicU32,
}

/// The number of a time span during which a page found in memory is assumed to stay there: systems evict pages that
/// nobody reads for longer. Epochs are numbered from 1 on.
pub type Epoch = u32;

/// The length of an epoch in seconds.
const EPOCH: u64 = 10;

/// Returns the current epoch.
pub fn epoch() -> Epoch {
    static BEGIN: LazyLock<Moment> = LazyLock::new(Moment::now);
    (BEGIN.elapsed().as_secs() / EPOCH) as Epoch + 1
}

impl PendingReads {
    /// Creates an empty record for a reader that began in an epoch.
    pub fn new(since: Epoch) -> Self {
        Self { is_any: AtomicBool::new(false), since: AtomicU32::new(since) }
    }

    /// Assumes that every page found in memory before the current epoch has been evicted.
    pub fn look_again(&self) {
        self.since.store(epoch(), Relaxed);
    }

    /// Whether anything was requested since the last call.
    pub fn take(&self) -> bool {
        self.is_any.swap(false, Relaxed)
    }

    /// Whether to read again: a value has to come from the disk and `may_wait` permits it. Pauses first if so.
    ///
    /// * `pauses`: the number of pauses so far.
    pub fn read_again(&self, pauses: &mut u32, may_wait: impl FnOnce() -> bool) -> bool {
        let waits = self.take() && *pauses < MOST_PAUSES && may_wait();
        if waits {
            thread::sleep(PAUSE);
            *pauses += 1;
        }
        waits
    }

    /// The first epoch in which a page found in memory still counts as there.
    pub fn since(&self) -> Epoch {
        self.since.load(Relaxed)
    }

    /// Whether bytes are in memory, so that reading them does not block. If not, requests them from the system, again
    /// on every call.
    ///
    /// # Errors
    ///
    /// When the file turns out to be too short.
    pub fn may_read(&self, file: &File, start: u64, len: usize) -> io::Result<bool> {
        let last = (start + len as u64).saturating_sub(1);
        let page = SYSTEM_PAGE as u64;
        let is_one_page = start / page == last / page;
        let may_read = is_in_memory(file, last)? && (is_one_page || is_in_memory(file, start)?);
        if !may_read {
            #[cfg(target_os = "linux")]
            let _ = posix_fadvise(file, start as i64, len as i64, POSIX_FADV_WILLNEED);
            self.is_any.store(true, Relaxed);
        }
        Ok(may_read)
    }
}

/// The time between two checks whether a value has arrived from the disk.
const PAUSE: Duration = Duration::from_micros(200);

/// The number of checks: a page that has not arrived within a second counts as unreadable.
const MOST_PAUSES: u32 = 5000;

/// The smallest page of any system, in bytes.
pub const SYSTEM_PAGE: usize = 1 << 12;

/// Whether a byte can be read without waiting for the disk; true where the system cannot tell.
///
/// # Errors
///
/// When the system reports that the file has no such byte.
#[cfg_attr(not(target_os = "linux"), allow(unused_variables))]
pub fn is_in_memory(file: &File, at: u64) -> io::Result<bool> {
    #[cfg(target_os = "linux")]
    match read_without_waiting(file, at) {
        // Some kernels return 0 bytes even before the end of the file where they would have to wait.
        Ok(0) if file.metadata()?.len() > at => Ok(false),
        Ok(0) => Err(io::ErrorKind::UnexpectedEof.into()),
        Err(error) => Ok(error.kind() != io::ErrorKind::WouldBlock),
        Ok(_) => Ok(true),
    }
    #[cfg(not(target_os = "linux"))]
    Ok(true)
}

/// Reads a byte unless it has to come from the disk. Returns the number of bytes read.
#[cfg(target_os = "linux")]
#[allow(unsafe_code, reason = "no other call tells what is in memory")]
fn read_without_waiting(file: &File, at: u64) -> io::Result<usize> {
    use std::os::fd::AsRawFd;

    use nix::libc::{RWF_NOWAIT, iovec, preadv2};

    let mut byte = 0_u8;
    let into = iovec { iov_base: (&raw mut byte).cast(), iov_len: 1 };
    // SAFETY: the file is open, and the one buffer has room for the one byte.
    let read = unsafe { preadv2(file.as_raw_fd(), &raw const into, 1, at as i64, RWF_NOWAIT) };
    usize::try_from(read).map_err(|_| io::Error::last_os_error())
}
