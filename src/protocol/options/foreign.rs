//! Names that front ends of other mill programs send.
//!
//! What Millstone does not have is refused, since a user who asks for it would wait for it in vain;
//! settings without a meaning here do nothing.

use super::{parse_check, same_name};
use crate::protocol::error::Error;

/// Options that need something which Millstone does not have, with the value that does not.
const FEATURES: [(&str, &str); 2] = [("HasBannedLocations", "false"), ("OwnBook", "false")];

/// Options without a meaning here, whatever their value; whether several threads search, which is
/// what `UseLazySmp` asks, `Threads` alone decides.
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

/// Accepts an option that changes nothing here.
pub(super) fn accept(name: &str, value: &str) -> Result<(), Error> {
    let fixed = FEATURES.iter().find(|(known, _)| same_name(known, name));
    if let Some((known, only)) = fixed {
        let is_same = value == *only || parse_check(value).is_some_and(|v| only == &v.to_string());
        let expected = format!("{only}, the only value so far");
        let error = || Error::argument(format!("setoption {known}"), expected, value);
        return if is_same { Ok(()) } else { Err(error()) };
    }
    if IGNORED.iter().any(|known| same_name(known, name)) {
        Ok(())
    } else {
        Err(Error::unknown_option(name))
    }
}
