//! Writing files whole or not at all.
//!
//! A file is written as a part under another name in the same folder, `NAME.part-XXXXXXXXXXXX`, synced, and renamed
//! over the old file. A program killed at any moment leaves the old file or the new one, and perhaps an unfinished
//! part. A part is removed at once after an error; after a kill, by the next [`write`](write()) of the same file or by
//! [`remove_left_behind`].

use std::ffi::OsStr;
use std::fs::{self, File};
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::iter;
use std::path::{Path, PathBuf};

use crate::system::locks;
use crate::system::regular_file;

/// Writes one of Millstone's own files, with the contents that `fill` writes. Other programs may write the same
/// file at the same time, on this machine or others: each writes it whole, and the last one wins.
///
/// # Errors
///
/// When the system refuses, as when the disk is full, or `fill` fails; the old file stays.
pub fn write(path: &Path, fill: impl FnOnce(&File) -> io::Result<()>) -> io::Result<()> {
    replace(path, fill)?;
    remove_parts_of(path);
    Ok(())
}

/// Writes a file as [`write`](write()) does, but keeps a file that exists by the time the new one is complete.
///
/// # Errors
///
/// When the system refuses, or `fill` fails.
pub fn write_new(path: &Path, fill: impl FnOnce(&File) -> io::Result<()>) -> io::Result<()> {
    let part = Part::create(path)?;
    fill(&part.file)?;
    part.file.sync_all()?;
    // Some file systems have no hard links, and a dangling symbolic link does not count as a file.
    if fs::hard_link(&part.path, path).is_err() && !path.exists() {
        fs::rename(&part.path, path)?;
    }
    note_sync(path);
    remove_parts_of(path);
    Ok(())
}

/// Removes the parts of a file that killed programs have left behind.
fn remove_parts_of(path: &Path) {
    remove_left_behind(folder(path), |part| whole_of(part) == path.file_name());
}

/// Removes what killed programs have left behind in a folder: the files chosen by path that nobody has locked.
pub fn remove_left_behind(folder: &Path, is_chosen: impl Fn(&Path) -> bool) {
    // In a folder that cannot be listed they stay.
    let entries = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    for path in entries.map(|entry| entry.path()).filter(|path| is_chosen(path)) {
        // Network file systems lock only files that are open for writing.
        if let Ok(file) = regular_file::open_with(File::options().write(true), &path)
            && locks::try_lock(&file).unwrap_or(false)
        {
            // It stays locked until it is removed, so that nobody takes it for a new one.
            let _ = fs::remove_file(path);
        }
    }
}

/// Returns the name of the file that a part belongs to, or `None` if the path is not that of a part.
pub fn whole_of(part: &Path) -> Option<&OsStr> {
    let is_part = part.extension()?.as_encoded_bytes().starts_with(PART.as_bytes());
    part.file_stem().filter(|_| is_part)
}

/// Writes a file named by the user, with the contents that `fill` writes.
///
/// A symbolic link stays, and the file that it names is replaced. A device or pipe, which
/// [is not replaced](is_replaced), is written to.
///
/// # Errors
///
/// As for [`write()`], and when the old file is read-only.
pub fn save(path: &Path, fill: impl FnOnce(&File) -> io::Result<()>) -> io::Result<()> {
    if !is_replaced(path) {
        return fill(&File::options().write(true).create(!path.exists()).open(path)?);
    }
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if path.exists() {
        File::options().write(true).open(&path)?;
    }
    replace(&path, fill)
}

/// Whether [`save`] creates a new file under this name. A device, a pipe or the target of a dangling symbolic link is
/// written to instead.
pub fn is_replaced(path: &Path) -> bool {
    let is_missing = |_| fs::symlink_metadata(path).is_err();
    fs::metadata(path).map_or_else(is_missing, |there| there.is_file())
}

/// Fills a part and gives it the permissions and the name of the file that it replaces.
fn replace(path: &Path, fill: impl FnOnce(&File) -> io::Result<()>) -> io::Result<()> {
    let part = Part::create(path)?;
    if let Ok(before) = fs::metadata(path) {
        part.file.set_permissions(before.permissions())?;
    }
    fill(&part.file)?;
    part.file.sync_all()?;
    fs::rename(&part.path, path)?;
    note_sync(path);
    Ok(())
}

/// Syncs the folder of a file, so that its name survives a power cut. A failure is only logged.
fn note_sync(path: &Path) {
    // Elsewhere folders cannot be synced.
    let sync = || if cfg!(unix) { File::open(folder(path))?.sync_all() } else { Ok(()) };
    if let Err(error) = sync() {
        log::warn!("{}: the folder is not synced: {error}", path.display());
    }
}

/// The beginning of the extension of a part.
const PART: &str = "part-";

/// A file under a temporary name, removed unless it was renamed. It is locked while it is written, so that nobody
/// takes it for one left behind.
struct Part {
    path: PathBuf,
    file: File,
}

impl Part {
    /// Creates a part of a file under a unique name.
    fn create(path: &Path) -> io::Result<Self> {
        let name = path.file_name().ok_or_else(|| io::Error::other("not the name of a file"))?;
        let whole = folder(path).join(name);
        let unique = || with_suffix(&whole, &format!(".{PART}{}", random_digits()));
        loop {
            let (path, file) = create_first(iter::repeat_with(unique))?;
            let part = Self { path, file };
            // Before it was locked, another program may have removed it as one left behind. Where the system has no
            // locks, no program does.
            if locks::try_lock(&part.file).unwrap_or(true) && part.is_there()? {
                return Ok(part);
            }
        }
    }

    /// Whether the file still has its name.
    #[cfg(unix)]
    fn is_there(&self) -> io::Result<bool> {
        use std::os::unix::fs::MetadataExt;
        let identity = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
        let found = regular_file::if_there(fs::symlink_metadata(&self.path))?.map(identity);
        Ok(found == Some(identity(self.file.metadata()?)))
    }

    /// Elsewhere an open file cannot be removed.
    #[cfg(not(unix))]
    fn is_there(&self) -> io::Result<bool> {
        Ok(true)
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        // This fails if it was renamed.
        let _ = fs::remove_file(&self.path);
    }
}

/// Creates a file under the first of these names that is free.
fn create_first(paths: impl IntoIterator<Item = PathBuf>) -> io::Result<(PathBuf, File)> {
    for path in paths {
        match File::create_new(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            created => return Ok((path, created?)),
        }
    }
    Err(io::Error::other("no name is free"))
}

/// Returns twelve random hexadecimal digits.
pub(super) fn random_digits() -> String {
    format!("{:012x}", RandomState::new().hash_one(()) >> 16)
}

/// Renames an unusable file to the first free name of `NAME.damaged`, `NAME.damaged-2`, …, and returns its new
/// path. No two programs choose the same name.
///
/// # Errors
///
/// When the system refuses, as when the file no longer exists, or a thousand names are taken.
pub fn set_aside(path: &Path) -> io::Result<PathBuf> {
    let numbered = (2..=MOST_ASIDE).map(|number| format!("{DAMAGED}-{number}"));
    let suffixes = iter::once(DAMAGED.to_owned()).chain(numbered);
    let (aside, _) = create_first(suffixes.map(|suffix| with_suffix(path, &suffix)))?;
    fs::rename(path, &aside).inspect_err(|_| {
        let _ = fs::remove_file(&aside);
    })?;
    Ok(aside)
}

/// The suffix of a file that is set aside.
const DAMAGED: &str = ".damaged";
/// The most files of one name that are set aside.
const MOST_ASIDE: u32 = 1000;

/// Returns the folder of a file.
pub fn folder(path: &Path) -> &Path {
    let named = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    named.unwrap_or(Path::new("."))
}

/// Returns a path with a suffix appended.
pub fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::thread;

    use tempfile::TempDir;

    use super::*;

    fn names(folder: &TempDir) -> Vec<String> {
        let entries = fs::read_dir(folder.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort_unstable();
        names
    }

    fn save_text(path: &Path, text: &str) -> io::Result<()> {
        save(path, |mut file| file.write_all(text.as_bytes()))
    }

    #[test]
    fn nothing_is_left_of_what_fails() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, "before").unwrap();
        let fail = |mut file: &File| -> io::Result<()> {
            file.write_all(b"half")?;
            Err(io::Error::other("enough"))
        };
        assert!(write(&path, fail).is_err() && save(&path, fail).is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), "before");
        assert_eq!(names(&folder), ["file"]);
    }

    #[test]
    fn own_parts_go_and_those_of_others_stay() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("file");
        fs::write(folder.path().join("file.part-lost"), "of somebody").unwrap();
        save_text(&path, "new").unwrap();
        assert_eq!(names(&folder), ["file", "file.part-lost"]);
        write(&path, |mut file| file.write_all(b"newer")).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "newer");
        assert_eq!(names(&folder), ["file"]);
    }

    #[test]
    fn several_may_write_at_once() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("file");
        let text = || fs::read_to_string(&path).unwrap();
        let written = write(&path, |mut file| {
            file.write_all(b"last")?;
            write(&path, |mut file| file.write_all(b"first"))?;
            assert_eq!(text(), "first");
            Ok(())
        });
        written.unwrap();
        assert_eq!((text().as_str(), names(&folder)), ("last", vec!["file".to_owned()]));
    }

    /// A network file system refuses to lock a file that may only be read.
    #[test]
    fn what_is_locked_may_be_written() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("file.part");
        fs::write(&path, "half").unwrap();
        let mut part = regular_file::open_with(File::options().write(true), &path).unwrap();
        assert!(locks::try_lock(&part).unwrap());
        part.write_all(b"half").unwrap();
    }

    #[test]
    fn what_is_set_aside_takes_the_place_of_nothing() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("file");
        let asides = [".damaged", ".damaged-2", ".damaged-3"].map(|end| with_suffix(&path, end));
        for (text, aside) in ["first", "second", "third"].iter().zip(&asides) {
            fs::write(&path, text).unwrap();
            assert_eq!(set_aside(&path).unwrap(), *aside);
        }
        assert_eq!(set_aside(&path).unwrap_err().kind(), io::ErrorKind::NotFound);
        assert_eq!(
            asides.map(|aside| fs::read_to_string(aside).unwrap()),
            ["first", "second", "third"]
        );
        assert_eq!(names(&folder), ["file.damaged", "file.damaged-2", "file.damaged-3"]);
    }

    #[test]
    fn several_at_once_set_a_file_aside_once() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("file");
        for number in 1..=20 {
            fs::write(&path, number.to_string()).unwrap();
            let done = thread::scope(|scope| {
                let tasks = [0; 4].map(|_| scope.spawn(|| set_aside(&path).is_ok()));
                tasks.map(|task| task.join().unwrap())
            });
            assert_eq!(done.iter().filter(|done| **done).count(), 1);
            assert_eq!(names(&folder).len(), number);
        }
        let texts =
            names(&folder).into_iter().map(|name| fs::read_to_string(folder.path().join(name)));
        let mut numbers: Vec<u32> = texts.map(|text| text.unwrap().parse().unwrap()).collect();
        numbers.sort_unstable();
        assert!(numbers.into_iter().eq(1..=20));
    }

    #[cfg(unix)]
    mod unix {
        use std::os::unix::fs::{PermissionsExt, symlink};
        use std::process::Command;
        use std::sync::mpsc;
        use std::time::Duration;

        use super::*;

        #[test]
        fn links_and_permissions_stay() {
            let folder = TempDir::new().unwrap();
            let [file, link, empty] =
                ["file", "link", "empty"].map(|name| folder.path().join(name));
            fs::write(&file, "before").unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
            symlink("file", &link).unwrap();
            symlink("nothing", &empty).unwrap();
            save_text(&link, "after").unwrap();
            save_text(&empty, "something").unwrap();
            assert_eq!(fs::read_to_string(&file).unwrap(), "after");
            assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
            assert_eq!(fs::read_to_string(folder.path().join("nothing")).unwrap(), "something");
            assert!(link.is_symlink() && empty.is_symlink());
            assert_eq!(names(&folder), ["empty", "file", "link", "nothing"]);
        }

        #[test]
        fn a_file_in_a_folder_that_cannot_be_opened_is_saved() {
            let folder = TempDir::new().unwrap();
            fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o300)).unwrap();
            let path = folder.path().join("file");
            let saved = save_text(&path, "text");
            fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o700)).unwrap();
            saved.unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), "text");
        }

        #[test]
        fn pipes_are_written_into() {
            let folder = TempDir::new().unwrap();
            let pipe = folder.path().join("pipe");
            assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
            let (to_test, from_reader) = mpsc::channel();
            let read = pipe.clone();
            thread::spawn(move || to_test.send(fs::read_to_string(read).unwrap()));
            save_text(&pipe, "through").unwrap();
            let text = from_reader.recv_timeout(Duration::from_secs(60));
            assert_eq!(text.as_deref(), Ok("through"));
            assert!(!is_replaced(&pipe));
        }
    }
}
