//! Options of other mill programs.
//!
//! Those without a meaning here are accepted and ignored; those that ask for a missing feature are
//! rejected.

use super::spec::{parse_check, same_name};
use crate::protocol::command::Command;
use crate::protocol::error::Error;

/// Options for features that Millstone lacks, with the only accepted value.
const FEATURES: [(&str, &str); 1] = [("HasBannedLocations", "false")];

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
    let fixed = FEATURES.iter().find(|(known, _)| same_name(known, name));
    if let Some((known, only)) = fixed {
        let is_same = value == *only || parse_check(value).is_some_and(|v| only == &v.to_string());
        let error = || {
            Error::refused(format_args!("{} {known}: only {only} is supported", Command::SetOption))
        };
        return if is_same { Ok(()) } else { Err(error()) };
    }
    if IGNORED.iter().any(|known| same_name(known, name)) {
        Ok(())
    } else {
        Err(Error::argument(Command::SetOption.to_string(), "an option (help lists them)", name))
    }
}
