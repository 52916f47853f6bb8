//! The values of all options, and the specification of an option: its name, its values, where they are
//! stored and the effect of a change.

use std::borrow::Cow;
use std::fmt;

use crate::protocol::command::{Command, Dialect, Error};
use crate::rules::{DrawRules, Rule, RuleSet, Values};
use crate::search::{Algorithm, Skill};

/// The values of all options.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each option is one of its own")]
pub struct Options {
    /// The size of the transposition table in MiB.
    pub hash: u32,
    /// The threads of a search.
    pub threads: u32,
    /// The number of best moves that are shown with their lines.
    pub multi_pv: u32,
    /// Whether the front end may use `go ponder`.
    pub ponder: bool,
    /// The time for a move when `go` has no limit, in milliseconds; 0 for no limit.
    pub move_time: u32,
    /// The level, the highest of which is full strength.
    pub skill_level: u32,
    /// Whether the rating sets the strength instead of the level.
    pub limit_strength: bool,
    /// The rating to play at, in Elo of [`Skill::rating`].
    pub rating: u32,
    /// Whether to choose at random among equally good moves.
    pub shuffling: bool,
    /// The seed of random choices; drawn for each search if `None`.
    pub shuffle_seed: Option<u64>,
    /// The search algorithm.
    pub algorithm: Algorithm,
    /// The time lost in communication on each move, in milliseconds.
    pub move_overhead: u32,
    /// Whether searches use the tablebase.
    pub use_tablebase: bool,
    /// Whether searches use the opening book.
    pub own_book: bool,
    /// The folder of the tablebase; the default folder if empty.
    pub tablebase_path: String,
    /// How much of the tablebase to preload, in MiB.
    pub tablebase_cache: u32,
    /// Whether to learn from searches.
    pub learning: bool,
    /// The learning file; the default one if empty.
    pub learning_file: String,
    /// The file to which all input and output is copied; none if empty.
    pub debug_log_file: String,
    /// The style of result lines.
    pub result_style: ResultStyle,
    /// Whether GBGP scores are for the side to move instead of White.
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

/// The style of result lines.
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

/// The specification of an option.
pub struct OptionSpec {
    /// The name in the protocol.
    pub name: &'static str,
    /// Its purpose.
    pub help: &'static str,
    /// Its values.
    pub kind: Kind,
    /// The effect of a change.
    pub effect: Effect,
    /// The dialect that lists it, if not both do.
    pub only: Option<Dialect>,
}

/// The values of an option, and functions that get and set them.
pub enum Kind {
    /// Yes or no.
    Check(fn(&Options) -> bool, fn(&mut Options, bool)),
    /// A number, with its least and greatest value.
    Spin([u32; 2], fn(&Options) -> u32, fn(&mut Options, u32)),
    /// One of several words, by its index.
    Combo(fn() -> Vec<&'static str>, fn(&Options) -> u32, fn(&mut Options, u32)),
    /// Any text.
    Text(fn(&Options) -> &str, fn(&mut Options, String)),
    /// A seed, or none.
    Seed(fn(&Options) -> Option<u64>, fn(&mut Options, Option<u64>)),
    /// The value of a rule.
    Rule(&'static Rule),
    /// No value: setting it triggers an effect.
    Button,
}

/// The effect of changing an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// None until the next search.
    None,
    /// Restarts the sequence of random choices.
    RestartShuffle,
    /// Clears the transposition table, as the strength has changed.
    NewSkill,
    /// Resizes the transposition table.
    ResizeTable,
    /// Clears the transposition table.
    ClearTable,
    /// Reopens the tablebase and clears the transposition table.
    OpenTablebase,
    /// Reopens the learning file and clears the transposition table.
    OpenLearningFile,
    /// Opens or closes the debug log file.
    OpenLog,
    /// Sets the start position of the new rules and clears the transposition table.
    NewRules,
}

impl Options {
    /// The strength to play at.
    pub fn skill(&self) -> Skill {
        if self.limit_strength {
            Skill::of_rating(self.rating)
        } else {
            Skill::of_level(self.skill_level)
        }
    }
}

impl OptionSpec {
    /// Sets the value.
    pub(super) fn set(&self, options: &mut Options, value: &str) -> Result<(), Error> {
        self.try_set(options, value).ok_or_else(|| {
            Error::argument(format!("{SET_OPTION} {}", self.name), self.expected(), value)
        })
    }

    fn try_set(&self, options: &mut Options, value: &str) -> Option<()> {
        match self.kind {
            Kind::Check(_, set) => set(options, parse_check(value)?),
            Kind::Spin(ends, _, set) => set(options, parse_number(value, ends)?),
            Kind::Combo(choices, _, set) => {
                let is_it = |choice: &&str| choice.eq_ignore_ascii_case(value);
                set(options, choices().iter().position(is_it)? as u32);
            }
            Kind::Text(_, set) => set(options, if value == EMPTY { "" } else { value }.to_owned()),
            Kind::Seed(_, set) if value.eq_ignore_ascii_case(AUTO) => set(options, None),
            Kind::Seed(_, set) => set(options, Some(value.parse().ok()?)),
            Kind::Rule(rule) => {
                let value = match ends_of_rule(rule) {
                    None => parse_check(value)?.into(),
                    Some(ends) => parse_number(value, ends)?,
                };
                (rule.set)(&mut options.rules, value as u8);
            }
            Kind::Button => {}
        }
        Some(())
    }

    /// The current value, as `setoption` takes it.
    pub fn value(&self, options: &Options) -> String {
        match self.kind {
            Kind::Check(get, _) => get(options).to_string(),
            Kind::Spin(_, get, _) => get(options).to_string(),
            Kind::Combo(choices, get, _) => choices()[get(options) as usize].to_owned(),
            Kind::Text(get, _) => get(options).to_owned(),
            Kind::Seed(get, _) => get(options).map_or(AUTO.to_owned(), |seed| seed.to_string()),
            Kind::Rule(rule) => rule.values.setting((rule.get)(&options.rules)),
            Kind::Button => String::new(),
        }
    }

    /// The purpose of the option in one line.
    pub fn about(&self) -> Cow<'static, str> {
        match self.kind {
            Kind::Rule(rule) => rule.help(),
            _ => self.help.into(),
        }
    }

    /// The valid values in words.
    fn expected(&self) -> String {
        let number = |[min, max]: [u32; 2]| match max - min {
            0 => min.to_string(),
            _ => format!("a number from {min} to {max}"),
        };
        match self.kind {
            Kind::Check(..) => YES_OR_NO.to_owned(),
            Kind::Spin(ends, ..) => number(ends),
            Kind::Rule(rule) => ends_of_rule(rule).map_or(YES_OR_NO.to_owned(), number),
            Kind::Combo(choices, ..) => format!("one of {}", choices().join(", ")),
            Kind::Seed(..) => format!("a number, or {AUTO}"),
            Kind::Text(..) | Kind::Button => String::new(),
        }
    }
}

/// Displays the option as `uci` lists it.
impl fmt::Display for OptionSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let default = self.value(&Options::default());
        let spin = |[min, max]: [u32; 2]| format!("spin default {default} min {min} max {max}");
        let check = || format!("check default {default}");
        let values = match self.kind {
            Kind::Check(..) => check(),
            Kind::Spin(ends, ..) => spin(ends),
            Kind::Rule(rule) => ends_of_rule(rule).map_or_else(check, spin),
            Kind::Combo(choices, ..) => {
                format!("combo default {default} var {}", choices().join(" var "))
            }
            Kind::Text(..) if default.is_empty() => format!("string default {EMPTY}"),
            Kind::Text(..) | Kind::Seed(..) => format!("string default {default}"),
            Kind::Button => "button".to_owned(),
        };
        write!(f, "option name {} type {values}", self.name)
    }
}

/// The command that sets an option, which is the same in both dialects.
pub(super) const SET_OPTION: &str = Command::SetOption.word(Dialect::Uci);
/// The words for an empty text and for no seed.
const EMPTY: &str = "<empty>";
const AUTO: &str = "auto";
/// The values of a check.
const YES_OR_NO: &str = "true or false";

fn parse_number(text: &str, [min, max]: [u32; 2]) -> Option<u32> {
    text.parse().ok().filter(|number| (min..=max).contains(number))
}

pub(super) fn parse_check(value: &str) -> Option<bool> {
    match value.to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" | "1" => Some(true),
        "false" | "no" | "off" | "0" => Some(false),
        _ => None,
    }
}

/// The least and greatest value of a rule; `None` for a switch.
fn ends_of_rule(rule: &Rule) -> Option<[u32; 2]> {
    let range = rule.values.range();
    let is_switch = matches!(rule.values, Values::Switch(_));
    (!is_switch).then(|| [*range.start(), *range.end()].map(u32::from))
}

/// Whether two names are equal apart from case and blanks.
pub(super) fn same_name(a: &str, b: &str) -> bool {
    let letters =
        |name: &str| name.replace(|c: char| c.is_ascii_whitespace(), "").to_ascii_lowercase();
    letters(a) == letters(b)
}
