//! The values of all options, and what one option is: its name, what values it takes, where they are
//! kept and what has to be done when they change.

use std::borrow::Cow;
use std::fmt;

use crate::protocol::command::{Command, Dialect};
use crate::protocol::error::Error;
use crate::rules::{DrawRules, Rule, RuleSet, Values};
use crate::search::{Algorithm, Skill};

/// The values of all options.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each option is one of its own")]
pub struct Options {
    /// The size of the transposition table in MiB.
    pub hash: usize,
    /// The threads of a search.
    pub threads: usize,
    /// How many of the best moves a search shows with their lines.
    pub multi_pv: usize,
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
    /// Whether searches use the opening book.
    pub own_book: bool,
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
    /// Whether the scores of the Generic Board Game Protocol are those of the side to move, not White's.
    pub scores_for_side_to_move: bool,
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
            multi_pv: 1,
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
            own_book: true,
            tablebase_path: String::new(),
            tablebase_cache: 2048,
            learning: false,
            learning_file: String::new(),
            debug_log_file: String::new(),
            result_style: ResultStyle::default(),
            scores_for_side_to_move: false,
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
    /// The dialect that lists it, if not both do.
    pub only: Option<Dialect>,
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
    /// How strong to play.
    #[must_use]
    pub fn skill(&self) -> Skill {
        if self.limit_strength {
            Skill::of_rating(self.rating)
        } else {
            Skill::of_level(self.skill_level)
        }
    }

    /// Whether the same tablebase is wanted as by other options.
    pub(in crate::protocol) fn has_tablebase_of(&self, other: &Self) -> bool {
        let tablebase = |options: &Self| {
            let switches = (options.use_tablebase, options.own_book);
            (switches, options.tablebase_path.clone(), options.tablebase_cache)
        };
        tablebase(self) == tablebase(other)
    }

    /// Whether the options about learning are the same as others.
    pub(in crate::protocol) fn has_learning_of(&self, other: &Self) -> bool {
        let learning = |options: &Self| (options.learning, options.learning_file.clone());
        learning(self) == learning(other)
    }
}

impl OptionSpec {
    /// Changes the value, or says what is wrong with it.
    pub(super) fn set(&self, options: &mut Options, value: &str) -> Result<(), Error> {
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
                let value = parse_rule(rule, value);
                value.map(|value| (rule.set)(&mut options.rules, value))
            }
            Kind::Button => Some(()),
        };
        is_set.ok_or_else(|| {
            Error::argument(format!("{} {}", Command::SetOption, self.name), self.expected(), value)
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
            Kind::Rule(rule) => expected_of_rule(rule),
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

pub(super) fn parse_check(value: &str) -> Option<bool> {
    match value.to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" | "1" => Some(true),
        "false" | "no" | "off" | "0" => Some(false),
        _ => None,
    }
}

/// Whether two names differ by case and blanks alone.
pub(super) fn same_name(a: &str, b: &str) -> bool {
    let letters = |name: &str| -> Vec<u8> {
        let letters = name.bytes().filter(|byte| !byte.is_ascii_whitespace());
        letters.map(|byte| byte.to_ascii_lowercase()).collect()
    };
    letters(a) == letters(b)
}

/// The value of a rule that a text means.
fn parse_rule(rule: &Rule, text: &str) -> Option<u8> {
    match rule.values {
        Values::Switch(_) => parse_check(text).map(u8::from),
        Values::Number(_) | Values::Choice(_) => {
            text.parse().ok().filter(|value| rule.values.range().contains(value))
        }
    }
}

/// What values a rule takes, in words.
fn expected_of_rule(rule: &Rule) -> String {
    match rule.values {
        Values::Switch(_) => YES_OR_NO.to_owned(),
        Values::Number(_) | Values::Choice(_) => {
            let range = rule.values.range();
            number_from(*range.start(), *range.end())
        }
    }
}
