//! Where databases are.

use std::path::{Path, PathBuf};

use super::file::VERSION;
use super::sector::Sector;
use crate::whole_file::with_suffix;

/// Where databases are if nobody says otherwise: in the user's folder for data.
#[must_use]
pub fn default_folder() -> Option<PathBuf> {
    dirs::data_local_dir().map(below)
}

/// Where databases are kept that can be made again at any time: in the user's cache, apart from those
/// of other versions.
#[must_use]
pub fn cache_folder() -> Option<PathBuf> {
    dirs::cache_dir().map(|cache| below(cache).join(format!("v{VERSION}")))
}

fn below(folder: impl AsRef<Path>) -> PathBuf {
    folder.as_ref().join("millstone").join("endgame")
}

/// The file of a sector in a folder.
#[must_use]
pub fn path(folder: &Path, sector: Sector) -> PathBuf {
    folder.join(format!("{sector}.mill"))
}

/// A name that no file has yet: a path with a suffix, and a number if need be.
pub(super) fn free_name(path: &Path, suffix: &str) -> PathBuf {
    let mut names = (2..).map(|number| with_suffix(path, &format!("{suffix}-{number}")));
    let first = with_suffix(path, suffix);
    if first.exists() { names.find(|name| !name.exists()).unwrap_or(first) } else { first }
}
