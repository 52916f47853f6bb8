//! How much the tests do: as much as finds faults in little time, or all there is.

/// The first of two sizes, or the second where the environment has `MILLSTONE_FULL`.
pub fn usual_or_full<T>(usual: T, full: T) -> T {
    if std::env::var_os("MILLSTONE_FULL").is_some() { full } else { usual }
}
