//! Files that are there whole or not at all.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// Makes a file of what `fill` writes.
///
/// The file is written under the name with `.part` added, synced and renamed.
///
/// # Errors
///
/// When the system refuses, as when the disk is full; what was written is removed.
pub fn write<T>(path: &Path, fill: impl FnOnce(File) -> io::Result<T>) -> io::Result<T> {
    let part = with_suffix(path, ".part");
    let renamed = File::create(&part).and_then(|file| {
        let filled = fill(file.try_clone()?)?;
        file.sync_all()?;
        fs::rename(&part, path)?;
        sync_folder(path)?;
        Ok(filled)
    });
    if renamed.is_err() {
        let _ = fs::remove_file(&part);
    }
    renamed
}

/// Makes sure that the name of a file stays after a power cut, where folders can be synced.
fn sync_folder(path: &Path) -> io::Result<()> {
    match path.parent() {
        Some(folder) if cfg!(unix) => {
            let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
            File::open(folder)?.sync_all()
        }
        _ => Ok(()),
    }
}

/// A path with something added to its end.
#[must_use]
pub fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}
