//! Options: what a user may set, by name.
//!
//! Each option is declared once, in the tables that [`OptionSpec::all`] goes through; `uci` prints
//! them, `setoption` reads them, and the defaults are those of [`Options::default`].

mod engine;
mod other_programs;
mod rules;

use std::borrow::Cow;
use std::fmt;

use super::command::Dialect;
use super::error::Error;
use crate::rules::{DrawRules, Rule, RuleSet, Values};
use crate::search::{Algorithm, Skill};
pub use engine::SHUFFLE_SEED;
use other_programs::GBGP_OPTIONS;
pub use other_programs::TWELVE_MENS_MORRIS;

/// The option that sets all rules at once.
pub const VARIANT: &str = rules::VARIANT.name;

/// The values of all options.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each option is one of its own")]
pub struct Options {
    /// The size of the transposition table in MiB.
    pub hash: usize,
    /// The threads of a search.
    pub threads: usize,
    /// How many of the best moves a search shows with their lines.
    pub lines: usize,
    /// Whether the front end means to use `go ponder`.
    pub ponder: bool,
    /// The time for a move when `go` has no limit, in milliseconds; 0 for no limit.
    pub move_time: u32,
    /// The strength, 0 to 30, which is full strength.
    pub skill_level: u32,
    /// Whether the rating says how strong to play, and not the level.
    pub limit_strength: bool,
    /// The rating to play at, in Elo of [`Skill::rating`].
    pub rating: u32,
    /// Whether to choose at random among equally good moves.
    pub shuffling: bool,
    /// Where the random choices start; drawn anew for each search if not given.
    pub shuffle_seed: Option<u64>,
    /// How the value of the root is found.
    pub algorithm: Algorithm,
    /// The time lost between the engine and its user on each move, in milliseconds.
    pub move_overhead: u32,
    /// Whether searches use the tablebase.
    pub use_tablebase: bool,
    /// The folder of the tablebase; the default folder if empty.
    pub tablebase_path: String,
    /// How much of the tablebase to read into memory beforehand, in MiB.
    pub tablebase_cache: usize,
    /// Whether to keep what searches find out for later games.
    pub learning: bool,
    /// The file where it is kept; in the usual place if empty.
    pub learning_file: String,
    /// The file to which all input and output is copied; none if empty.
    pub debug_log_file: String,
    /// How results are written.
    pub result_style: ResultStyle,
    /// The rules of the game.
    pub rules: RuleSet,
    /// When a game without progress is drawn.
    pub draw_rules: DrawRules,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            hash: 128,
            threads: 1,
            lines: 1,
            ponder: false,
            move_time: 1000,
            skill_level: Skill::FULL.level(),
            limit_strength: false,
            rating: Skill::FULL.rating(),
            shuffling: true,
            shuffle_seed: Some(0),
            algorithm: Algorithm::default(),
            move_overhead: 10,
            use_tablebase: true,
            tablebase_path: String::new(),
            tablebase_cache: 0,
            learning: false,
            learning_file: String::new(),
            debug_log_file: String::new(),
            result_style: ResultStyle::default(),
            rules: RuleSet::default(),
            draw_rules: DrawRules::default(),
        }
    }
}

/// How results are written, for the programs that read them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ResultStyle {
    /// `info` lines while searching, then `bestmove M [ponder P]`.
    #[default]
    Uci,
    /// One line `info depth D score cp S nodes K bestmove M`, White's view, 5 a man.
    Sanmill,
    /// One line `info score S bestmove M`, White's view, 5 a man.
    Legacy,
}

/// One option: its name, what values it takes and where they are kept.
pub struct OptionSpec {
    /// The name in the protocol.
    pub name: &'static str,
    /// What it is for.
    pub help: &'static str,
    /// Its values.
    pub kind: Kind,
    /// What has to be done when it changes.
    pub effect: Effect,
}

/// The values of an option.
pub enum Kind {
    /// Yes or no.
    Check {
        /// Reads the value.
        get: fn(&Options) -> bool,
        /// Changes the value.
        set: fn(&mut Options, bool),
    },
    /// A number.
    Spin {
        /// The least value.
        min: u32,
        /// The greatest value.
        max: u32,
        /// Reads the value.
        get: fn(&Options) -> u32,
        /// Changes the value.
        set: fn(&mut Options, u32),
    },
    /// One of several words.
    Combo {
        /// The words.
        choices: &'static [&'static str],
        /// Reads the place of the value among the words.
        get: fn(&Options) -> usize,
        /// Changes the value to the word at a place.
        set: fn(&mut Options, usize),
    },
    /// A text.
    Text {
        /// What it should be.
        expected: &'static str,
        /// Reads the value.
        get: fn(&Options) -> String,
        /// Changes the value, or refuses it.
        set: fn(&mut Options, &str) -> Option<()>,
    },
    /// That of a rule of the game.
    Rule(&'static Rule),
    /// No value: setting it does something.
    Button,
}

/// What has to be done when an option changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Nothing; the next search reads it.
    None,
    /// Draws random choices from the start of their sequence again.
    RestartShuffle,
    /// Empties the transposition table of what another level found out.
    NewSkill,
    /// Replaces the transposition table.
    ResizeTable,
    /// Empties the transposition table.
    ClearTable,
    /// Opens the tablebase anew, and empties the transposition table of scores that came from it.
    OpenTablebase,
    /// Opens the learning file anew, and empties the transposition table of its positions.
    OpenLearningFile,
    /// Opens or closes the debug log file.
    OpenLog,
    /// Sets the start position of the new rules and empties the table.
    NewRules,
}

impl Options {
    /// Sets an option by the words after `setoption`; what is left to be done is returned.
    ///
    /// # Errors
    ///
    /// When they are not `name N [value V]`, and as [`set`](Self::set).
    pub fn assign(&mut self, text: &str) -> Result<Effect, Error> {
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        if word != "name" {
            return Err(Error::argument("setoption", "name N [value V]", word));
        }
        let padded = format!(" {rest} ");
        let (name, value) = match padded.split_once(" value ") {
            Some((name, value)) => (name, Some(value.trim())),
            None => (padded.as_str(), None),
        };
        let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
        if name.is_empty() {
            return Err(Error::argument("setoption name", "the name of an option", ""));
        }
        self.set(&name, value)
    }

    /// Whether the same tablebase is wanted as by other options.
    pub(super) fn has_tablebase_of(&self, other: &Self) -> bool {
        let tablebase = |options: &Self| {
            (options.use_tablebase, options.tablebase_path.clone(), options.tablebase_cache)
        };
        tablebase(self) == tablebase(other)
    }

    /// Whether the options about learning are the same as others.
    pub(super) fn has_learning_of(&self, other: &Self) -> bool {
        let learning = |options: &Self| (options.learning, options.learning_file.clone());
        learning(self) == learning(other)
    }

    /// Sets an option by name; what is left to be done is returned.
    ///
    /// Names may be of either case, with or without blanks. Names that other mill programs know
    /// and that make no sense here are accepted and do nothing.
    ///
    /// # Errors
    ///
    /// When no option has the name, or the option cannot have the value; nothing is changed.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<Effect, Error> {
        let mut known = OptionSpec::all().chain(&GBGP_OPTIONS);
        let spec = known.find(|spec| same_name(spec.name, name));
        match spec {
            Some(spec) => {
                spec.set(self, value.unwrap_or_default())?;
                Ok(spec.effect)
            }
            None => other_programs::accept(name, value.unwrap_or_default()).map(|()| Effect::None),
        }
    }
}

impl Options {
    /// How strong to play.
    #[must_use]
    pub fn skill(&self) -> Skill {
        if self.limit_strength {
            Skill::of_rating(self.rating)
        } else {
            Skill::of_level(self.skill_level)
        }
    }
}

impl OptionSpec {
    /// All options but those that only the Generic Board Game Protocol lists, in their order.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        let rules = [&rules::VARIANT].into_iter().chain(&*rules::RULE_OPTIONS);
        engine::ENGINE_OPTIONS.iter().chain(rules).chain(rules::DRAW_OPTIONS)
    }

    /// The options that a dialect lists, in their order; both know all of them.
    pub fn of(dialect: Dialect) -> impl Iterator<Item = &'static Self> {
        let is_gbgp = dialect == Dialect::Gbgp;
        let own = GBGP_OPTIONS.iter().filter(move |_| is_gbgp);
        Self::all().filter(move |spec| !is_gbgp || other_programs::is_in_gbgp(spec)).chain(own)
    }

    fn set(&self, options: &mut Options, value: &str) -> Result<(), Error> {
        let is_set = match self.kind {
            Kind::Check { set, .. } => parse_check(value).map(|value| set(options, value)),
            Kind::Spin { min, max, set, .. } => {
                let value = value.parse().ok().filter(|value| (min..=max).contains(value));
                value.map(|value| set(options, value))
            }
            Kind::Combo { choices, set, .. } => {
                let at = choices.iter().position(|choice| choice.eq_ignore_ascii_case(value));
                at.map(|at| set(options, at))
            }
            Kind::Text { set, .. } => set(options, if value == EMPTY { "" } else { value }),
            Kind::Rule(rule) => {
                let value = rules::parse(rule, value);
                value.map(|value| (rule.set)(&mut options.rules, value))
            }
            Kind::Button => Some(()),
        };
        is_set.ok_or_else(|| {
            Error::argument(format!("setoption {}", self.name), self.expected(), value)
        })
    }

    /// The value in some options, as `setoption` takes it.
    #[must_use]
    pub fn value(&self, options: &Options) -> String {
        match self.kind {
            Kind::Check { get, .. } => get(options).to_string(),
            Kind::Spin { get, .. } => get(options).to_string(),
            Kind::Combo { get, choices, .. } => choices[get(options)].to_owned(),
            Kind::Text { get, .. } => get(options),
            Kind::Rule(rule) => rule.values.setting((rule.get)(&options.rules)),
            Kind::Button => String::new(),
        }
    }

    /// What the option is for, in a line.
    #[must_use]
    pub fn help(&self) -> Cow<'static, str> {
        match self.kind {
            Kind::Rule(rule) => rule.help(),
            _ => self.help.into(),
        }
    }

    /// What values the option takes, in words.
    fn expected(&self) -> String {
        match self.kind {
            Kind::Check { .. } => YES_OR_NO.to_owned(),
            Kind::Spin { min, max, .. } if min == max => format!("{min}"),
            Kind::Spin { min, max, .. } => number_from(min, max),
            Kind::Rule(rule) => rules::expected(rule),
            Kind::Combo { choices, .. } => format!("one of {}", choices.join(", ")),
            Kind::Text { expected, .. } => expected.to_owned(),
            Kind::Button => "no value".to_owned(),
        }
    }
}

/// Displays the option as `uci` lists it.
impl fmt::Display for OptionSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let default = self.value(&Options::default());
        write!(f, "option name {} type ", self.name)?;
        match self.kind {
            Kind::Check { .. } => write!(f, "check default {default}"),
            Kind::Spin { min, max, .. } => write!(f, "spin default {default} min {min} max {max}"),
            Kind::Combo { choices, .. } => {
                write!(f, "combo default {default}")?;
                choices.iter().try_for_each(|choice| write!(f, " var {choice}"))
            }
            Kind::Text { .. } if default.is_empty() => write!(f, "string default {EMPTY}"),
            Kind::Text { .. } => write!(f, "string default {default}"),
            Kind::Rule(Rule { values: Values::Switch(_), .. }) => {
                write!(f, "check default {default}")
            }
            Kind::Rule(rule) => {
                let range = rule.values.range();
                let (min, max) = (range.start(), range.end());
                write!(f, "spin default {default} min {min} max {max}")
            }
            Kind::Button => f.write_str("button"),
        }
    }
}

/// How an empty text is written.
const EMPTY: &str = "<empty>";

/// What a check expects.
const YES_OR_NO: &str = "true or false";

/// What a number expects.
fn number_from(min: impl fmt::Display, max: impl fmt::Display) -> String {
    format!("a number from {min} to {max}")
}

fn parse_check(value: &str) -> Option<bool> {
    match value.to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" | "1" => Some(true),
        "false" | "no" | "off" | "0" => Some(false),
        _ => None,
    }
}

fn same_name(a: &str, b: &str) -> bool {
    let letters = |name: &str| -> Vec<u8> {
        let letters = name.bytes().filter(|byte| !byte.is_ascii_whitespace());
        letters.map(|byte| byte.to_ascii_lowercase()).collect()
    };
    letters(a) == letters(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_takes_what_it_lists_and_nothing_else() {
        for spec in OptionSpec::all() {
            let mut options = Options::default();
            let (good, bad): (Vec<String>, Vec<String>) = match spec.kind {
                Kind::Check { .. } => (vec!["TRUE".into(), "off".into()], vec!["maybe".into()]),
                Kind::Spin { min, max, .. } => {
                    let bad = [i64::from(min) - 1, i64::from(max) + 1].map(|n| n.to_string());
                    (vec![min.to_string(), max.to_string()], bad.into())
                }
                Kind::Combo { choices, .. } => {
                    (choices.iter().map(|s| s.to_uppercase()).collect(), vec!["other".into()])
                }
                Kind::Text { .. } => (vec!["7".into()], vec![]),
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
            assert!(!spec.help().is_empty());
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
        assert!(error.contains("expected false") && error.contains("'on'"), "{error}");
        let error = options.set("Colour", Some("red")).unwrap_err().to_string();
        assert!(error.contains("'Colour'"), "{error}");
    }
}
