//! Where databases are.

use std::path::{Path, PathBuf};

use super::sector::Sector;

/// Where databases are if nobody says otherwise: in the user's folder for data.
#[must_use]
pub fn default_folder() -> Option<PathBuf> {
    dirs::data_local_dir().map(below)
}

/// Where databases are kept that can be made again at any time: in the user's cache.
#[must_use]
pub fn cache_folder() -> Option<PathBuf> {
    dirs::cache_dir().map(below)
}

fn below(folder: impl AsRef<Path>) -> PathBuf {
    folder.as_ref().join("millstone").join("endgame")
}

/// The file of a sector in a folder.
#[must_use]
pub fn path(folder: &Path, sector: Sector) -> PathBuf {
    folder.join(format!("{sector}.mill"))
}

/// A path with something added to its end.
pub(super) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}
