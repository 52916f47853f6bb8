//! Names that front ends of other mill programs send.
//!
//! Rules that are not those of Nine Men's Morris are refused, since playing on by other rules than
//! the user means would be worse than an error; settings without a meaning here do nothing.

use super::{parse_check, same_name};
use crate::protocol::error::Error;

/// Options of the rules, with the value that they have in Nine Men's Morris.
const RULES: [(&str, &str); 19] = [
    ("PiecesCount", "9"),
    ("flyPieceCount", "3"),
    ("PiecesAtLeastCount", "3"),
    ("HasDiagonalLines", "false"),
    ("MillFormationActionInPlacingPhase", "0"),
    ("MayMoveInPlacingPhase", "false"),
    ("IsDefenderMoveFirst", "false"),
    ("MayRemoveMultiple", "false"),
    ("MayRemoveFromMillsAlways", "false"),
    ("RestrictRepeatedMillsFormation", "false"),
    ("OneTimeUseMill", "false"),
    ("BoardFullAction", "0"),
    ("StopPlacingWhenTwoEmptySquares", "false"),
    ("StalemateAction", "0"),
    ("MayFly", "true"),
    ("CustodianCaptureEnabled", "false"),
    ("InterventionCaptureEnabled", "false"),
    ("LeapCaptureEnabled", "false"),
    ("HasBannedLocations", "false"),
];

/// Options that need something which Millstone does not have yet, with the value that does not.
const FEATURES: [(&str, &str); 3] =
    [("UsePerfectDatabase", "false"), ("MultiPV", "1"), ("UseLazySmp", "false")];

/// Options without a meaning here, whatever their value.
const IGNORED: [&str; 26] = [
    "Contempt",
    "Analysis Contempt",
    "UCI_AnalyseMode",
    "UCI_LimitStrength",
    "UCI_Elo",
    "Slow Mover",
    "nodestime",
    "AiIsLazy",
    "PerfectDatabasePath",
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

const CAPTURES: [&str; 3] = ["CustodianCapture", "InterventionCapture", "LeapCapture"];
const CAPTURE_DETAILS: [&str; 6] = [
    "OnSquareEdges",
    "OnCrossLines",
    "OnDiagonalLines",
    "InPlacingPhase",
    "InMovingPhase",
    "OnlyWhenOwnPiecesLeq3",
];

/// Accepts an option that changes nothing here.
pub(super) fn accept(name: &str, value: &str) -> Result<(), Error> {
    let fixed = RULES.iter().chain(&FEATURES).find(|(known, _)| same_name(known, name));
    if let Some((known, only)) = fixed {
        let is_same = value == *only || parse_check(value).is_some_and(|v| only == &v.to_string());
        let expected = format!("{only}, the only value so far");
        let error = || Error::argument(format!("setoption {known}"), expected, value);
        return if is_same { Ok(()) } else { Err(error()) };
    }
    let is_detail = CAPTURES.iter().any(|capture| {
        CAPTURE_DETAILS.iter().any(|detail| same_name(&format!("{capture}{detail}"), name))
    });
    if is_detail || IGNORED.iter().any(|known| same_name(known, name)) {
        Ok(())
    } else {
        Err(Error::unknown_option(name))
    }
}
