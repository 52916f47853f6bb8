//! Reading and writing a file at a place, without moving a position that threads share, and files for that
//! which have no name.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use super::whole_file::random_digits;

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
