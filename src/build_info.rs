//! The build target, and processor features that the build does not use.

use std::env::consts::{ARCH, OS};

/// The name of the program, and of its folders among the user's.
pub const NAME: &str = env!("CARGO_PKG_NAME");

/// The version of the program.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The oldest version of Rust that compiles the program.
pub const OLDEST_RUST: &str = env!("CARGO_PKG_RUST_VERSION");

/// A set of instructions that only some processors have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Feature {
    /// The compiler's name for the feature.
    pub name: &'static str,
    /// The level of x86-64 that includes the feature, 2 to 4.
    pub level: u8,
    /// Whether the program was built to use the feature.
    pub is_used: bool,
    /// Whether this processor has the feature.
    pub is_here: bool,
}

#[cfg(target_arch = "x86_64")]
macro_rules! features {
    ($($level:literal: [$($name:tt)*])*) => {
        vec![$($(Feature {
            name: $name,
            level: $level,
            is_used: cfg!(target_feature = $name),
            is_here: std::is_x86_feature_detected!($name),
        },)*)*]
    };
}

/// Returns the features of all x86-64 levels; none on other processors.
///
/// See: System V ABI for the AMD64 architecture, chapter 3.1.1, micro-architecture levels.
pub fn features() -> Vec<Feature> {
    #[cfg(target_arch = "x86_64")]
    return features! {
        2: ["cmpxchg16b" "popcnt" "sse3" "sse4.1" "sse4.2" "ssse3"]
        3: ["avx" "avx2" "bmi1" "bmi2" "f16c" "fma" "lzcnt" "movbe"]
        4: ["avx512f" "avx512bw" "avx512cd" "avx512dq" "avx512vl"]
    };
    #[cfg(not(target_arch = "x86_64"))]
    Vec::new()
}

/// The highest x86-64 level, 1 to 4, with no missing feature.
fn level(features: &[Feature], has: impl Fn(&Feature) -> bool) -> u8 {
    let lacked = features.iter().filter(|feature| !has(feature)).map(|feature| feature.level);
    lacked.min().map_or(4, |lacked| lacked - 1)
}

/// Returns the build target in words: architecture, system, x86-64 level and features.
pub fn target() -> String {
    let features = features();
    let level = level(&features, |feature| feature.is_used);
    let level =
        if features.is_empty() { String::new() } else { format!(", level x86-64-v{level}") };
    let used = features.iter().filter(|feature| feature.is_used);
    let used: String = used.flat_map(|feature| [" ", feature.name]).collect();
    format!("{ARCH}-{OS}{level}{used}")
}

/// Returns the version and the details of the build, in several lines.
pub fn details() -> String {
    let purpose = if cfg!(debug_assertions) { "debugging, slow" } else { "speed" };
    let target = target();
    let details =
        format!("{VERSION}\nbuilt for {target}\nby Rust, {OLDEST_RUST} or later, for {purpose}");
    let features = features();
    let is_unused = |feature: &&Feature| feature.is_here && !feature.is_used;
    let unused: Vec<_> = features.iter().filter(is_unused).map(|feature| feature.name).collect();
    if unused.is_empty() {
        return details;
    }
    let here = level(&features, |feature| feature.is_here);
    let unused = unused.join(" ");
    format!(
        "{details}\na build for this processor, level x86-64-v{here}, is faster: it has {unused}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn feature(level: u8, is_used: bool) -> Feature {
        Feature { name: "", level, is_used, is_here: true }
    }

    #[test]
    fn a_level_needs_all_below_it() {
        let used = |feature: &Feature| feature.is_used;
        let features = [feature(2, true), feature(3, true), feature(4, false), feature(4, true)];
        assert_eq!(level(&features, used), 3);
        assert_eq!(level(&[feature(2, false), feature(3, true)], used), 1);
        assert_eq!(level(&features, |feature| feature.is_here), 4);
    }

    #[test]
    fn what_is_used_is_here() {
        assert!(features().iter().all(|feature| feature.is_here || !feature.is_used));
    }
}
