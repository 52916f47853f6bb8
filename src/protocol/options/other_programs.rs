//! The options of other programs: what front ends of the Generic Board Game Protocol are listed, and
//! names that other mill programs know.
//!
//! What Millstone does not have is refused, so that no user waits for it in vain; settings without a
//! meaning here do nothing.

use super::rules::DRAW_OPTIONS;
use super::spec::{Effect, Kind, OptionSpec, parse_check, same_name};
use crate::protocol::error::Error;
use crate::rules::RuleSet;

/// The option that chooses between the two games of the Generic Board Game Protocol.
pub const TWELVE_MENS_MORRIS: &str = "TwelveMensMorris";

/// What only front ends of that protocol ask for.
pub(super) const GBGP_OPTIONS: [OptionSpec; 1] = [OptionSpec {
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
}];

/// Options without a meaning there, where results have one line and one style, and no rating.
const MEANINGLESS: [&str; 4] = ["MultiPV", "ResultStyle", "UCI_LimitStrength", "UCI_Elo"];

/// Whether the protocol lists an option. It has two games, so of the rules it lists only those that
/// draw a game.
pub(super) fn is_in_gbgp(spec: &OptionSpec) -> bool {
    let is_draw_rule = DRAW_OPTIONS.iter().any(|draw| draw.name == spec.name);
    !MEANINGLESS.contains(&spec.name) && (spec.effect != Effect::NewRules || is_draw_rule)
}

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

    #[test]
    fn what_is_left_out_exists() {
        for name in MEANINGLESS {
            assert!(OptionSpec::all().any(|spec| spec.name == name), "{name}");
        }
    }
}
