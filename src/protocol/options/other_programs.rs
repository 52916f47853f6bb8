//! Options of other mill programs.
//!
//! Those without a meaning here are accepted and ignored; those that ask for a missing feature are
//! rejected.

use super::spec::{SET_OPTION, parse_check, same_name};
use crate::protocol::command::Error;

/// The option of a feature that Millstone lacks.
const BANNED_LOCATIONS: &str = "HasBannedLocations";

/// Options without a meaning here. Instead of `UseLazySmp`, `Threads` decides on parallel search.
const IGNORED: [&str; 24] = [
    "UseLazySmp",
    "Contempt",
    "Analysis Contempt",
    "UCI_AnalyseMode",
    "Slow Mover",
    "nodestime",
    "AiIsLazy",
    "PerfectDatabaseCacheSectors",
    "PerfectDatabaseOrdering",
    "DrawOnHumanExperience",
    "ConsiderMobility",
    "FocusOnBlockingPaths",
    "DeveloperMode",
    "TrapAwareness",
    "IDSEnabled",
    "DepthExtension",
    "MaxQuiescenceDepth",
    "StrictFailurePolicy",
    "StrictRefereeProfile",
    "PatchPath",
    "TrapPath",
    "PatchAvoidTraps",
    "PatchMakeTraps",
    "PatchTraceTag",
];

/// Accepts an option that has no effect here.
pub(super) fn accept(name: &str, value: &str) -> Result<(), Error> {
    if same_name(name, BANNED_LOCATIONS) && parse_check(value) != Some(false) {
        let reason = format_args!("{SET_OPTION} {BANNED_LOCATIONS}: only false is supported");
        Err(Error::refused(reason))
    } else if same_name(name, BANNED_LOCATIONS) || IGNORED.iter().any(|it| same_name(it, name)) {
        Ok(())
    } else {
        Err(Error::argument(SET_OPTION, "an option (help lists them)", name))
    }
}
