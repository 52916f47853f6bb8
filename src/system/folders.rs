//! The user's folders for Millstone's files.
//!
//! Without the feature `program` there are none: the library writes only where its caller says.

use std::path::PathBuf;

/// Returns the folder for persistent data; `None` if the system names none.
pub fn data() -> Option<PathBuf> {
    #[cfg(feature = "program")]
    return dirs::data_local_dir().map(|folder| folder.join(crate::build_info::NAME));
    #[cfg(not(feature = "program"))]
    None
}

/// Returns the folder for data that can be regenerated; `None` if the system names none.
pub fn cache() -> Option<PathBuf> {
    #[cfg(feature = "program")]
    return dirs::cache_dir().map(|folder| folder.join(crate::build_info::NAME));
    #[cfg(not(feature = "program"))]
    None
}
