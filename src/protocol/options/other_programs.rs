//! The options of other programs: what front ends of the Generic Board Game Protocol are listed, and
//! names that other mill programs know.
//!
//! What Millstone does not have is refused, so that no user waits for it in vain; settings without a
//! meaning here do nothing.

use super::spec::{Effect, Kind, OptionSpec, parse_check, same_name};
use crate::protocol::command::{Command, Dialect};
use crate::protocol::error::Error;
use crate::rules::RuleSet;

/// The option that chooses between the two games of the Generic Board Game Protocol.
pub const TWELVE_MENS_MORRIS: &str = "TwelveMensMorris";

/// What only front ends of that protocol ask for.
pub(super) const GBGP_OPTIONS: [OptionSpec; 2] = [
    OptionSpec {
        name: TWELVE_MENS_MORRIS,
        help: "plays Twelve Men's Morris, else Nine Men's Morris",
        kind: Kind::Check {
            get: |options| options.rules == RuleSet::TWELVE_MENS_MORRIS,
            set: |options, is_twelve| {
                options.rules =
                    if is_twelve { RuleSet::TWELVE_MENS_MORRIS } else { RuleSet::NINE_MENS_MORRIS };
            },
        },
        effect: Effect::NewRules,
        only: Some(Dialect::Gbgp),
    },
    OptionSpec {
        name: "ScoresForSideToMove",
        help: "writes scores from the view of the side to move, else from White's",
        kind: Kind::Check {
            get: |options| options.scores_for_side_to_move,
            set: |options, value| options.scores_for_side_to_move = value,
        },
        effect: Effect::None,
        only: Some(Dialect::Gbgp),
    },
];

/// Options that need something which Millstone does not have, with the value that does not.
const FEATURES: [(&str, &str); 1] = [("HasBannedLocations", "false")];

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Options;

    #[test]
    fn one_option_switches_between_the_two_games() {
        let mut options = Options::default();
        for (value, rules) in
            [("true", RuleSet::TWELVE_MENS_MORRIS), ("false", RuleSet::NINE_MENS_MORRIS)]
        {
            assert_eq!(options.set("TwelveMensMorris", Some(value)), Ok(Effect::NewRules));
            assert_eq!(options.rules, rules);
        }
    }
}
