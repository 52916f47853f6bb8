//! Reading a file at random places, with or without waiting for the disk.

use std::fs::File;
use std::io;
#[cfg(target_os = "linux")]
use std::io::IoSliceMut;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

#[cfg(target_os = "linux")]
use rustix::fs::{Advice, fadvise};
#[cfg(target_os = "linux")]
use rustix::io::{Errno, ReadWriteFlags, preadv2};

use crate::system::clock::Moment;

/// What to do about a part of a file that is not in memory.
#[derive(Clone, Copy)]
pub enum OnDisk<'a> {
    /// Wait for it.
    Wait,
    /// Ask the system for it, note that here, and give nothing.
    Ask(&'a Awaited),
}

/// What a reader that does not wait has asked the system for.
pub struct Awaited {
    is_asked: AtomicBool,
    /// The number of the term since which what is read must have been found in memory.
    since: AtomicU32,
}

/// A stretch of time in which what was in memory stays there: systems forget what nobody has looked at for
/// longer. Later ones are greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Term(u32);

impl Term {
    /// The length of a term.
    const SECONDS: u64 = 10;
    /// Before all others.
    pub const NEVER: Self = Self(0);
    /// The first one.
    const FIRST: Self = Self(1);

    /// The term of now.
    pub fn now() -> Self {
        static BEGIN: LazyLock<Moment> = LazyLock::new(Moment::now);
        let since = BEGIN.elapsed().as_secs() / Self::SECONDS;
        Self(u32::try_from(since).unwrap_or(u32::MAX).max(Self::FIRST.0))
    }

    /// The term that [`number`](Self::number) gave.
    pub const fn numbered(number: u32) -> Self {
        Self(number)
    }

    /// The term as a number, 0 for [`NEVER`](Self::NEVER).
    pub const fn number(self) -> u32 {
        self.0
    }
}

impl Awaited {
    /// Nothing, of a reader that begins now.
    pub fn nothing() -> Self {
        Self::since(Term::now())
    }

    /// Nothing, of a reader that began in a term.
    pub fn since(since: Term) -> Self {
        Self { is_asked: AtomicBool::new(false), since: AtomicU32::new(since.number()) }
    }

    /// Takes what was found in memory before this term for forgotten.
    pub fn look_again(&self) {
        self.since.store(Term::now().number(), Relaxed);
    }

    /// Whether anything was asked for since this was last asked.
    pub fn take(&self) -> bool {
        self.is_asked.swap(false, Relaxed)
    }
}

impl OnDisk<'_> {
    /// The term since which a part must have been found in memory.
    #[inline]
    pub fn since(self) -> Term {
        match self {
            Self::Wait => Term::FIRST,
            Self::Ask(awaited) => Term::numbered(awaited.since.load(Relaxed)),
        }
    }

    /// Whether bytes may be read now: they are in memory, or are waited for. If not, the system is asked
    /// for them; if it does not bring them, they are asked for again.
    ///
    /// # Errors
    ///
    /// When the file was found to end before the bytes do.
    pub fn may_read(self, file: &File, start: u64, len: usize) -> io::Result<bool> {
        let Self::Ask(awaited) = self else { return Ok(true) };
        let last = (start + len as u64).saturating_sub(1);
        let is_one_page = start / SYSTEM_PAGE == last / SYSTEM_PAGE;
        let may_read = is_in_memory(file, last)? && (is_one_page || is_in_memory(file, start)?);
        if !may_read {
            ask_for(file, start, len);
            awaited.is_asked.store(true, Relaxed);
        }
        Ok(may_read)
    }
}

/// The fewest bytes that a system has in memory or has not.
const SYSTEM_PAGE: u64 = 1 << 12;

fn ask_for(file: &File, start: u64, len: usize) {
    #[cfg(target_os = "linux")]
    let _ = fadvise(file, start, std::num::NonZeroU64::new(len as u64), Advice::WillNeed);
    #[cfg(not(target_os = "linux"))]
    let _ = (file, start, len);
}

/// Whether a byte can be read without waiting for the disk, as far as the system tells.
///
/// # Errors
///
/// When the system tells that the file has no such byte.
pub fn is_in_memory(file: &File, at: u64) -> io::Result<bool> {
    #[cfg(target_os = "linux")]
    {
        let mut byte = [0];
        let into = &mut [IoSliceMut::new(&mut byte)];
        match preadv2(file, into, at, ReadWriteFlags::NOWAIT) {
            // Some kernels return nothing before the end of the file too, where they would have to wait.
            Ok(0) if file.metadata()?.len() > at => Ok(false),
            Ok(0) => Err(io::ErrorKind::UnexpectedEof.into()),
            result => Ok(result != Err(Errno::AGAIN)),
        }
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = (file, at);
        Ok(true)
    }
}
