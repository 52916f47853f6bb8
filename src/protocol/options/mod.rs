//! The options of the protocol.
//!
//! Each option is a row of `table.rs`: `uci` prints the table and `setoption` reads it.
//!
//! # Adding an option
//!
//! 1. `spec.rs`: a field of [`Options`] and its default in `impl Default for Options`.
//! 2. `table.rs`: a row with the name, the values, the help and the [`Effect`].
//! 3. The code that reads the field. Anything to be done as soon as the value changes is an [`Effect`],
//!    carried out by `take_effect` in `protocol/session.rs`.
//! 4. The table under "Options" in `protocol/mod.rs`, which a test compares with this one.
//! 5. The lines of `uci` in `tests/protocol/transcripts`.
//!
//! A new rule becomes an option without any of this: see "Adding a rule" in [`rules`](crate::rules).

mod spec;
mod table;

use super::command::{Command, Dialect, Error};
pub use spec::{Effect, Kind, OptionSpec, Options, ResultStyle};
use spec::{SET_OPTION, parse_check, same_name};
pub use table::{RESULT_STYLES, SHUFFLE_SEED, TWELVE_MENS_MORRIS, VARIANT};

impl Options {
    /// Sets an option, given the arguments of `setoption`. Returns the effect to carry out.
    ///
    /// # Errors
    ///
    /// If they are not `name N [value V]`, and as for [`set`](Self::set).
    pub fn assign(&mut self, text: &str) -> Result<Effect, Error> {
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        if word != "name" {
            let spec = Command::SetOption.spec();
            return Err(Error::argument(SET_OPTION, spec.arguments[0], word));
        }
        let padded = format!(" {rest} ");
        let (name, value) = match padded.split_once(" value ") {
            Some((name, value)) => (name, Some(value.trim())),
            None => (padded.as_str(), None),
        };
        let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
        if name.is_empty() {
            let place = format!("{SET_OPTION} name");
            return Err(Error::argument(place, "the name of an option", ""));
        }
        self.set(&name, value)
    }

    /// Sets an option by name. Returns the effect to carry out.
    ///
    /// Case and blanks in names do not matter. Options of other mill programs that have no meaning here
    /// are accepted and ignored.
    ///
    /// # Errors
    ///
    /// If there is no such option or the value is invalid; nothing is changed.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<Effect, Error> {
        let value = value.unwrap_or_default();
        match OptionSpec::all().find(|spec| same_name(spec.name, name)) {
            Some(spec) => spec.set(self, value).map(|()| spec.effect),
            None => accept_foreign(name, value).map(|()| Effect::None),
        }
    }
}

impl OptionSpec {
    /// The options that a dialect lists; both accept all of them.
    pub fn of(dialect: Dialect) -> impl Iterator<Item = &'static Self> {
        Self::all().filter(move |spec| spec.only.is_none_or(|only| only == dialect))
    }
}

/// The option of a feature that Millstone lacks.
const BANNED_LOCATIONS: &str = "HasBannedLocations";

/// Options of other mill programs without a meaning here. Instead of `UseLazySmp`, `Threads` decides on parallel
/// search.
const IGNORED: &str = "UseLazySmp, Contempt, Analysis Contempt, UCI_AnalyseMode, Slow Mover, nodestime, AiIsLazy, \
    PerfectDatabaseCacheSectors, PerfectDatabaseOrdering, DrawOnHumanExperience, ConsiderMobility, \
    FocusOnBlockingPaths, DeveloperMode, TrapAwareness, IDSEnabled, DepthExtension, MaxQuiescenceDepth, \
    StrictFailurePolicy, StrictRefereeProfile, PatchPath, TrapPath, PatchAvoidTraps, PatchMakeTraps, PatchTraceTag";

/// Accepts an option of other mill programs that has no effect here; one that asks for a missing feature is
/// rejected.
fn accept_foreign(name: &str, value: &str) -> Result<(), Error> {
    if same_name(name, BANNED_LOCATIONS) && parse_check(value) != Some(false) {
        let reason = format_args!("{SET_OPTION} {BANNED_LOCATIONS}: only false is supported");
        return Err(Error::refused(reason));
    }
    let mut accepted = IGNORED.split(", ").chain([BANNED_LOCATIONS]);
    let unknown = || Error::argument(SET_OPTION, "an option (help lists them)", name);
    accepted.any(|known| same_name(known, name)).then_some(()).ok_or_else(unknown)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::RuleSet;
    use crate::search::Skill;

    #[test]
    fn what_is_ignored_is_no_option() {
        for ignored in IGNORED.split(", ") {
            assert!(OptionSpec::all().all(|spec| !same_name(spec.name, ignored)), "{ignored}");
        }
    }

    #[test]
    fn every_option_takes_what_it_lists_and_nothing_else() {
        for spec in OptionSpec::all() {
            let mut options = Options::default();
            let (good, bad): (Vec<String>, Vec<String>) = match spec.kind {
                Kind::Check(..) => (vec!["TRUE".into(), "off".into()], vec!["maybe".into()]),
                Kind::Spin([min, max], ..) => {
                    let bad = [i64::from(min) - 1, i64::from(max) + 1].map(|n| n.to_string());
                    (vec![min.to_string(), max.to_string()], bad.into())
                }
                Kind::Combo(choices, ..) => {
                    (choices().iter().map(|s| s.to_uppercase()).collect(), vec!["other".into()])
                }
                Kind::Text(..) => (vec!["7".into()], vec![]),
                Kind::Seed(..) => (vec!["7".into(), "Auto".into()], vec!["-1".into()]),
                Kind::Rule(rule) => {
                    let range = rule.values.range();
                    let ends = [range.start(), range.end()].map(ToString::to_string);
                    (ends.into(), vec![(range.end() + 1).to_string(), "-1".into()])
                }
                Kind::Button => (vec![String::new()], vec![]),
            };
            for value in good {
                assert_eq!(options.set(spec.name, Some(&value)), Ok(spec.effect), "{spec}");
            }
            let before = options.clone();
            for value in bad {
                let error = options.set(spec.name, Some(&value)).unwrap_err().to_string();
                assert!(error.contains(spec.name) && error.contains(&value), "{error}");
                assert_eq!(options, before);
            }
            assert!(!spec.about().is_empty());
        }
    }

    #[test]
    fn names_and_values_may_have_blanks() {
        let mut options = Options::default();
        let line = "name  Debug  Log File value /tmp/a  b.txt";
        assert_eq!(options.assign(line), Ok(Effect::OpenLog));
        assert_eq!(options.debug_log_file, "/tmp/a  b.txt");
    }

    #[test]
    fn names_may_have_other_case_and_blanks() {
        let mut options = Options::default();
        assert_eq!(options.set("skill LEVEL", Some("7")), Ok(Effect::NewSkill));
        assert_eq!(options.skill_level, 7);
        assert_eq!(options.set("moveoverhead", Some("30")), Ok(Effect::None));
        assert_eq!(options.move_overhead, 30);
    }

    #[test]
    fn a_rating_takes_the_place_of_the_level_where_strength_is_limited() {
        let mut options = Options { skill_level: 7, ..Options::default() };
        options.rating = Skill::of_level(12).rating();
        assert_eq!(options.skill(), Skill::of_level(7));
        options.limit_strength = true;
        assert_eq!(options.skill().rating(), options.rating);
    }

    #[test]
    fn foreign_names_do_nothing_and_unknown_ones_are_errors() {
        let mut options = Options::default();
        assert_eq!(options.set("DeveloperMode", Some("true")), Ok(Effect::None));
        assert_eq!(options.set("UseLazySmp", Some("true")), Ok(Effect::None));
        assert_eq!(options, Options::default());
        let error = options.set("HasBannedLocations", Some("on")).unwrap_err().to_string();
        assert!(error.contains("only false is supported"), "{error}");
        let error = options.set("Colour", Some("red")).unwrap_err().to_string();
        assert!(error.contains("'Colour'"), "{error}");
    }

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
