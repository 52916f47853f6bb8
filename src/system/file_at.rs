//! Reading and writing a file at a place, without moving a position that threads share, and files for that
//! which have no name. What reads at random places may wait for the disk, or ask for what is not in memory and go on.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use super::whole_file::random_digits;
use crate::system::clock::Moment;

/// Creates a file in a folder that is gone when it is closed, however the program ends.
pub fn scratch(folder: &Path) -> io::Result<File> {
    let path = folder.join(format!(".scratch-{}", random_digits()));
    let mut options = File::options();
    options.read(true).write(true).create_new(true);
    #[cfg(windows)]
    {
        use std::os::windows::fs::OpenOptionsExt;
        const DELETE_ON_CLOSE: u32 = 0x0400_0000;
        options.custom_flags(DELETE_ON_CLOSE);
    }
    let file = options.open(&path)?;
    // It stays open without its name.
    if cfg!(unix) {
        fs::remove_file(&path)?;
    }
    Ok(file)
}

/// Reads some bytes as they are in the file now.
///
/// # Errors
///
/// When the system refuses, or the file ends before.
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

/// Writes some bytes.
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

/// Reads as many of the bytes as the system gives at once; a browser has no files.
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

/// What to do about a part of a file that is not in memory: to wait for it, or to ask the system for it, note that here,
/// and give nothing.
pub type DiskAccess<'a> = Option<&'a PendingReads>;

/// What a reader that does not wait has asked the system for.
pub struct PendingReads {
    is_any: AtomicBool,
    /// The epoch since which what is read must have been found in memory.
    since: AtomicU32,
}

/// The number of a stretch of time during which a page found in memory is assumed to stay there: systems evict what
/// nobody reads for longer. Later epochs have greater numbers, from 1 on.
pub type Epoch = u32;

/// The length of an epoch in seconds.
const EPOCH: u64 = 10;

/// The epoch of now.
pub fn epoch() -> Epoch {
    static BEGIN: LazyLock<Moment> = LazyLock::new(Moment::now);
    (BEGIN.elapsed().as_secs() / EPOCH) as Epoch + 1
}

impl PendingReads {
    /// None yet, of a reader that began in an epoch.
    pub fn new(since: Epoch) -> Self {
        Self { is_any: AtomicBool::new(false), since: AtomicU32::new(since) }
    }

    /// Assumes that whatever was found in memory before this epoch has been evicted.
    pub fn look_again(&self) {
        self.since.store(epoch(), Relaxed);
    }

    /// Whether anything was asked for since this was last asked.
    pub fn take(&self) -> bool {
        self.is_any.swap(false, Relaxed)
    }

    /// The epoch since which a part must have been found in memory.
    #[inline]
    pub fn since(&self) -> Epoch {
        self.since.load(Relaxed)
    }

    /// Whether bytes are in memory, and so may be read now. If not, the system is asked for them; if it does not bring
    /// them, they are asked for again.
    ///
    /// # Errors
    ///
    /// When the file was found to end before the bytes do.
    pub fn may_read(&self, file: &File, start: u64, len: usize) -> io::Result<bool> {
        let last = (start + len as u64).saturating_sub(1);
        let page = SYSTEM_PAGE as u64;
        let is_one_page = start / page == last / page;
        let may_read = is_in_memory(file, last)? && (is_one_page || is_in_memory(file, start)?);
        if !may_read {
            ask_for(file, start, len);
            self.is_any.store(true, Relaxed);
        }
        Ok(may_read)
    }
}

/// The time between two looks at whether a value has come from the disk.
const PAUSE: Duration = Duration::from_micros(200);

/// How often to look: a page that has not arrived within a second counts as unreadable.
const MOST_PAUSES: u32 = 5000;

/// Waits for values that were not known because they have to come from the disk.
pub struct DiskWait<'a> {
    /// None of a reader that waits for each page.
    pub pending: Option<&'a PendingReads>,
    /// How many looks there were.
    pub pauses: u32,
}

impl DiskWait<'_> {
    /// Whether to read again, after a pause: a value has to come from the disk, and may be waited for.
    #[inline]
    pub fn read_again(&mut self, may_wait: impl FnOnce() -> bool) -> bool {
        let is_pending = self.pending.is_some_and(PendingReads::take);
        let waits = is_pending && self.pauses < MOST_PAUSES && may_wait();
        if waits {
            thread::sleep(PAUSE);
            self.pauses += 1;
        }
        waits
    }
}

/// The fewest bytes that a system has in memory or has not.
pub const SYSTEM_PAGE: usize = 1 << 12;

#[cfg_attr(not(target_os = "linux"), allow(unused_variables))]
fn ask_for(file: &File, start: u64, len: usize) {
    #[cfg(target_os = "linux")]
    {
        use nix::fcntl::{PosixFadviseAdvice::POSIX_FADV_WILLNEED, posix_fadvise};
        let _ = posix_fadvise(file, start as i64, len as i64, POSIX_FADV_WILLNEED);
    }
}

/// Whether a byte can be read without waiting for the disk, if the system can tell.
///
/// # Errors
///
/// When the system tells that the file has no such byte.
#[cfg_attr(not(target_os = "linux"), allow(unused_variables))]
pub fn is_in_memory(file: &File, at: u64) -> io::Result<bool> {
    #[cfg(target_os = "linux")]
    match read_without_waiting(file, at) {
        // Some kernels return nothing before the end of the file too, where they would have to wait.
        Ok(0) if file.metadata()?.len() > at => Ok(false),
        Ok(0) => Err(io::ErrorKind::UnexpectedEof.into()),
        Err(error) => Ok(error.kind() != io::ErrorKind::WouldBlock),
        Ok(_) => Ok(true),
    }
    #[cfg(not(target_os = "linux"))]
    Ok(true)
}

/// Reads a byte unless the disk has to be waited for; how many bytes were read.
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
