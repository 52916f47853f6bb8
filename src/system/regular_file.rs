//! Opening files named by the user only if they are regular files: a pipe without a writer, a terminal or
//! another device would keep the program waiting.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::Path;

/// Opens a file for reading.
///
/// # Errors
///
/// When it is not a regular file, or the system refuses.
pub fn open(path: &Path) -> io::Result<File> {
    open_with(File::options().read(true), path)
}

/// Opens a file with options, which may create it.
///
/// # Errors
///
/// When the path names something other than a regular file, or the system refuses.
pub fn open_with(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    // Merely opening a device may have an effect.
    check(path)?;
    let file = without_waiting(options).open(path)?;
    // The name may have passed to another file meanwhile.
    if file.metadata()?.is_file() { Ok(file) } else { Err(not_regular()) }
}

/// Checks that a path names a regular file or nothing.
///
/// # Errors
///
/// When the path names anything else.
pub fn check(path: &Path) -> io::Result<()> {
    let is_other = fs::metadata(path).is_ok_and(|found| !found.is_file());
    if is_other { Err(not_regular()) } else { Ok(()) }
}

/// Turns the error of a missing file into `None`.
///
/// # Errors
///
/// Every other error.
pub fn if_there<T>(found: io::Result<T>) -> io::Result<Option<T>> {
    match found {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        found => found.map(Some),
    }
}

fn not_regular() -> io::Error {
    io::Error::other("not a regular file")
}

/// Makes opening a pipe return at once; only on Unix do pipes have names in folders.
fn without_waiting(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(options, nix::libc::O_NONBLOCK);
    options
}

#[cfg(test)]
#[cfg(all(unix, feature = "program"))]
mod tests {
    use super::*;
    use nix::sys::stat::Mode;
    use nix::unistd::mkfifo;

    #[test]
    fn only_regular_files_are_opened_and_nothing_is_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        let error = |result: io::Result<File>| result.unwrap_err().to_string();
        assert_eq!(open(&file).unwrap_err().kind(), io::ErrorKind::NotFound);
        open_with(File::options().append(true).create(true), &file).unwrap();
        fs::write(&file, "text").unwrap();
        assert_eq!(io::read_to_string(open(&file).unwrap()).unwrap(), "text");
        let pipe = folder.path().join("pipe");
        mkfifo(&pipe, Mode::S_IRWXU).unwrap();
        for path in [&pipe, folder.path(), Path::new("/dev/zero")] {
            assert_eq!(error(open(path)), "not a regular file", "{}", path.display());
            let appended = open_with(File::options().append(true).create(true), path);
            assert_eq!(error(appended), "not a regular file", "{}", path.display());
            assert!(check(path).is_err());
        }
        // A pipe that has just taken the name of a file.
        assert!(without_waiting(File::options().read(true)).open(&pipe).is_ok());
        assert!(without_waiting(File::options().write(true)).open(&pipe).is_err());
    }
}
