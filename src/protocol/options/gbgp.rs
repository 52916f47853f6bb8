//! The options as the Generic Board Game Protocol lists them.

use super::rules::DRAW_OPTIONS;
use super::{Effect, Kind, OptionSpec};
use crate::rules::RuleSet;

/// What only front ends of that protocol ask for.
pub(super) const GBGP_OPTIONS: [OptionSpec; 1] = [OptionSpec {
    name: "TwelveMensMorris",
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

/// Options without a meaning there, where results have one line and one style.
const MEANINGLESS: [&str; 4] = ["MultiPV", "ResultStyle", "UCI_LimitStrength", "UCI_Elo"];

/// Whether an option is listed: those of the rules are not, except when a game is drawn, since
/// the protocol knows two games.
pub(super) fn is_listed(spec: &OptionSpec) -> bool {
    let is_draw_rule = DRAW_OPTIONS.iter().any(|draw| draw.name == spec.name);
    !MEANINGLESS.contains(&spec.name) && (spec.effect != Effect::NewRules || is_draw_rule)
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
