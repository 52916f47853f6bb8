//! The folders of the user in which Millstone keeps files.
//!
//! A library without the feature `program` knows none and writes only where its user says.

use std::path::PathBuf;

/// The folder for data that last; `None` if the system names none.
pub fn data() -> Option<PathBuf> {
    #[cfg(feature = "program")]
    return dirs::data_local_dir().map(|folder| folder.join(crate::build_info::NAME));
    #[cfg(not(feature = "program"))]
    None
}

/// The folder for what can be made again; `None` if the system names none.
pub fn cache() -> Option<PathBuf> {
    #[cfg(feature = "program")]
    return dirs::cache_dir().map(|folder| folder.join(crate::build_info::NAME));
    #[cfg(not(feature = "program"))]
    None
}
