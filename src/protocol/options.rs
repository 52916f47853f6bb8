//! The options of the protocol.
//!
//! Each option is a row of a table: `uci` prints it and `setoption` reads it.
//!
//! # Adding an option
//!
//! 1. A field of [`Options`] and its default in `impl Default for Options`.
//! 2. A row of the table with the name, the values, the help and the [`Effect`].
//! 3. The code that reads the field. Anything to be done as soon as the value changes is an [`Effect`],
//!    carried out by `take_effect` in `protocol/session.rs`.
//! 4. The table under "Options" in `protocol/mod.rs`, which a test compares with this one.
//! 5. The replies to `uci` in `tests/protocol/transcripts`.
//!
//! A new rule becomes an option without any of this: see "Adding a rule" in [`rules`](crate::rules).

use std::borrow::Cow;
use std::fmt;
use std::sync::LazyLock;

use self::Kind::{Button, Check, Combo, Seed, Spin, Text};
use super::command::{Command, Dialect, Error};
use crate::rules::{DrawRules, PRESETS, Rule, RuleSet, Values};
use crate::search::{Algorithm, MAX_LINES, MAX_TABLE, MAX_THREADS, Skill};

/// The values of all options.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each option is one of its own")]
pub struct Options {
    /// The size of the transposition table in MiB.
    pub hash: u32,
    /// The number of search threads.
    pub threads: u32,
    /// The number of best moves to show with their lines.
    pub multi_pv: u32,
    /// The time for a move when `go` has no limit, in milliseconds; 0 for no limit.
    pub move_time: u32,
    /// The skill level; the highest is full strength.
    pub skill_level: u32,
    /// Whether `rating` sets the strength instead of `skill_level`.
    pub limit_strength: bool,
    /// The rating to play at, in Elo on the scale of [`Skill::rating`].
    pub rating: u32,
    /// Whether to choose at random among equally good moves.
    pub shuffling: bool,
    /// The seed of random choices; `None` draws a new one for each search.
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
    /// The learning file; the default file if empty.
    pub learning_file: String,
    /// The file that receives a copy of all input and output; no file if empty.
    pub debug_log_file: String,
    /// The style of result lines.
    pub result_style: ResultStyle,
    /// Whether GBGP scores are for the side to move instead of White.
    pub scores_for_side_to_move: bool,
    /// The rules of the game.
    pub rules: RuleSet,
    /// The rules that draw a game without progress.
    pub draw_rules: DrawRules,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            hash: 128,
            threads: 1,
            multi_pv: 1,
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
    /// One line `info depth D score cp S nodes K bestmove M`, scored for White at 5 per man.
    Sanmill,
    /// One line `info score S bestmove M`, scored for White at 5 per man.
    Legacy,
}

/// The specification of an option.
pub struct OptionSpec {
    /// The name in the protocol.
    pub name: &'static str,
    /// The purpose in one line, with the meaning of each choice.
    pub help: Cow<'static, str>,
    /// The values.
    pub kind: Kind,
    /// The effect of a change.
    pub effect: Effect,
    /// The only dialect that lists the option; `None` if both do.
    pub only: Option<Dialect>,
}

/// The values of an option, and functions that get and set them.
pub enum Kind {
    /// True or false.
    Check(fn(&Options) -> bool, fn(&mut Options, bool)),
    /// A number, with its minimum and maximum.
    Spin([u32; 2], fn(&Options) -> u32, fn(&mut Options, u32)),
    /// One of several words, by its index.
    Combo(fn() -> Vec<&'static str>, fn(&Options) -> u32, fn(&mut Options, u32)),
    /// Any text.
    Text(fn(&Options) -> &str, fn(&mut Options, String)),
    /// A seed; `None` for a new one each time.
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

    /// Sets an option, given the arguments of `setoption`. Returns the effect to carry out.
    ///
    /// # Errors
    ///
    /// If the text is not `name N [value V]`, or as for [`set`](Self::set).
    pub fn assign(&mut self, text: &str) -> Result<Effect, Error> {
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        if word != "name" {
            return Err(Error::argument(SET_OPTION, Command::SetOption.spec().arguments[0], word));
        }
        let padded = format!(" {rest} ");
        let (name, value) = padded.split_once(" value ").unwrap_or((&padded, ""));
        let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
        if name.is_empty() {
            return Err(Error::argument(format!("{SET_OPTION} name"), "the name of an option", ""));
        }
        self.set(&name, Some(value.trim()))
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
        let Some(spec) = OptionSpec::all().find(|spec| same_name(spec.name, name)) else {
            return accept_foreign(name, value);
        };
        let place = || format!("{SET_OPTION} {}", spec.name);
        let set = spec.set(self, value).map(|()| spec.effect);
        set.ok_or_else(|| Error::argument(place(), spec.expected(), value))
    }
}

impl OptionSpec {
    /// Sets the value; `None` if it is invalid.
    fn set(&self, options: &mut Options, value: &str) -> Option<()> {
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
                let value = match self.ends() {
                    None => parse_check(value)?.into(),
                    Some(ends) => parse_number(value, ends)?,
                };
                (rule.set)(&mut options.rules, value as u8);
            }
            Kind::Button => {}
        }
        Some(())
    }

    /// The current value, in the format of `setoption`.
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

    /// The valid values in words.
    fn expected(&self) -> String {
        match (&self.kind, self.ends()) {
            (_, Some([min, max])) if min == max => min.to_string(),
            (_, Some([min, max])) => format!("a number from {min} to {max}"),
            (Kind::Combo(choices, ..), _) => format!("one of {}", choices().join(", ")),
            (Kind::Seed(..), _) => format!("a number, or {AUTO}"),
            (Kind::Text(..) | Kind::Button, _) => String::new(),
            _ => "true or false".to_owned(),
        }
    }

    /// The minimum and maximum of a number; `None` for other values.
    fn ends(&self) -> Option<[u32; 2]> {
        match self.kind {
            Kind::Spin(ends, ..) => Some(ends),
            Kind::Rule(rule) if !matches!(rule.values, Values::Switch(_)) => {
                let range = rule.values.range();
                Some([*range.start(), *range.end()].map(u32::from))
            }
            _ => None,
        }
    }

    /// The options that a dialect lists; both dialects accept all options.
    pub fn of(dialect: Dialect) -> impl Iterator<Item = &'static Self> {
        Self::all().filter(move |spec| spec.only.is_none_or(|only| only == dialect))
    }

    /// All options, in the order of `uci` and `help`.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        ENGINE_OPTIONS.iter().chain(&*GAME_OPTIONS).chain(DRAW_AND_GBGP_OPTIONS)
    }
}

/// Formats the option as in the reply to `uci`.
impl fmt::Display for OptionSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let default = self.value(&Options::default());
        let values = match (&self.kind, self.ends()) {
            (_, Some([min, max])) => format!("spin default {default} min {min} max {max}"),
            (Kind::Combo(choices, ..), _) => {
                format!("combo default {default} var {}", choices().join(" var "))
            }
            (Kind::Text(..), _) if default.is_empty() => format!("string default {EMPTY}"),
            (Kind::Text(..) | Kind::Seed(..), _) => format!("string default {default}"),
            (Kind::Button, _) => "button".to_owned(),
            _ => format!("check default {default}"),
        };
        write!(f, "option name {} type {values}", self.name)
    }
}

/// The command that sets an option, which is the same in both dialects.
const SET_OPTION: &str = Command::SetOption.word(Dialect::Uci);
/// The words for an empty text and for no seed.
const EMPTY: &str = "<empty>";
const AUTO: &str = "auto";

/// Reads a number in a range.
pub(super) fn parse_number(text: &str, [min, max]: [u32; 2]) -> Option<u32> {
    text.parse().ok().filter(|number| (min..=max).contains(number))
}

fn parse_check(value: &str) -> Option<bool> {
    match value.to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" | "1" => Some(true),
        "false" | "no" | "off" | "0" => Some(false),
        _ => None,
    }
}

/// Whether two names are equal apart from case and blanks.
fn same_name(a: &str, b: &str) -> bool {
    let [a, b] = [a, b].map(|name| name.split_ascii_whitespace().collect::<String>());
    a.eq_ignore_ascii_case(&b)
}

/// The option of a feature that Millstone lacks.
const BANNED_LOCATIONS: &str = "HasBannedLocations";

/// Options of other mill programs that have no meaning here. `Threads` replaces `UseLazySmp`.
const IGNORED: &str = "UseLazySmp, Contempt, Analysis Contempt, UCI_AnalyseMode, Slow Mover, nodestime, AiIsLazy, \
    PerfectDatabaseCacheSectors, PerfectDatabaseOrdering, DrawOnHumanExperience, ConsiderMobility, \
    FocusOnBlockingPaths, DeveloperMode, TrapAwareness, IDSEnabled, DepthExtension, MaxQuiescenceDepth, \
    StrictFailurePolicy, StrictRefereeProfile, PatchPath, TrapPath, PatchAvoidTraps, PatchMakeTraps, PatchTraceTag";

/// Accepts and ignores an option of other mill programs; rejects one that asks for a missing feature.
fn accept_foreign(name: &str, value: &str) -> Result<Effect, Error> {
    if same_name(name, BANNED_LOCATIONS) && parse_check(value) != Some(false) {
        let reason = format_args!("{SET_OPTION} {BANNED_LOCATIONS}: only false is supported");
        return Err(Error::refused(reason));
    }
    let mut accepted = IGNORED.split(", ").chain([BANNED_LOCATIONS]);
    let unknown = || Error::argument(SET_OPTION, "an option (help lists them)", name);
    accepted.any(|known| same_name(known, name)).then_some(Effect::None).ok_or_else(unknown)
}

/// The option for the seed of random choices.
pub const SHUFFLE_SEED: &str = "SearchShuffleSeed";
/// The option that sets all rules at once.
pub const VARIANT: &str = "Variant";
/// The option that chooses between the two games of the Generic Board Game Protocol.
pub const TWELVE_MENS_MORRIS: &str = "TwelveMensMorris";

/// The result styles by name.
pub const RESULT_STYLES: [(&str, ResultStyle); 3] =
    [("uci", ResultStyle::Uci), ("sanmill", ResultStyle::Sanmill), ("legacy", ResultStyle::Legacy)];

macro_rules! options {
    (@only) => { None };
    (@only $dialect:ident) => { Some(Dialect::$dialect) };
    ($($name:expr => $kind:expr, $effect:ident, $help:expr $(, only $dialect:ident)?;)*) => {
        [$(OptionSpec {
            name: $name,
            kind: $kind,
            effect: Effect::$effect,
            help: Cow::Borrowed($help),
            only: options!(@only $($dialect)?),
        },)*]
    };
}

static ENGINE_OPTIONS: &[OptionSpec] = &options! {
    "Hash" => Spin([1, MAX_TABLE], |o| o.hash, |o, size| o.hash = size), ResizeTable,
        "size of the transposition table in MiB";
    "Clear Hash" => Button, ClearTable, "empties the transposition table";
    "Threads" => Spin([1, MAX_THREADS as u32], |o| o.threads, |o, n| o.threads = n), None,
        "threads of a search; Algorithm 3 and 4 need one";
    "MultiPV" => Spin([1, MAX_LINES], |o| o.multi_pv, |o, count| o.multi_pv = count), None,
        "how many of the best moves are shown, each with its score and line", only Uci;
    "Ponder" => Check(|_| false, |_, _| ()), None,
        "whether the front end lets the engine think on the opponent's time";
    "MoveTime" => Spin([0, 60], |o| o.move_time / 1000, |o, s| o.move_time = 1000 * s), None,
        "seconds for a move when go has no limit; 0 for no limit";
    "MoveTimeMs" => Spin([0, 60_000], |o| o.move_time, |o, ms| o.move_time = ms), None,
        "milliseconds for a move when go has no limit; 0 for no limit";
    "Move Overhead" => Spin([0, 5000], |o| o.move_overhead, |o, ms| o.move_overhead = ms), None,
        "milliseconds lost in communication on each move";
    "SkillLevel" => Spin(LEVELS, |o| o.skill_level, |o, level| o.skill_level = level), NewSkill,
        "strength; below the highest level the search is limited, makes mistakes and has no \
         tablebase";
    "UCI_LimitStrength" => Check(|o| o.limit_strength, |o, on| o.limit_strength = on), NewSkill,
        "plays at the level with the rating of UCI_Elo, whatever SkillLevel is", only Uci;
    "UCI_Elo" => Spin(RATINGS, |o| o.rating, |o, rating| o.rating = rating), NewSkill,
        "rating for UCI_LimitStrength, in Elo above a player of random moves", only Uci;
    "Shuffling" => Check(|o| o.shuffling, |o, on| o.shuffling = on), None,
        "chooses at random among equally good moves";
    SHUFFLE_SEED => Seed(|o| o.shuffle_seed, |o, seed| o.shuffle_seed = seed), RestartShuffle,
        "seed of random choices, or auto for a new one each time";
    "Algorithm" => Spin(
        [0, Algorithm::Random as u32],
        |o| o.algorithm as u32,
        |o, at| o.algorithm = bytemuck::checked::cast(at as u8),
    ), None, "0 alpha-beta, 1 principal variation search, 2 MTD(f), 3 Monte-Carlo, 4 random";
    "UsePerfectDatabase" => Check(|o| o.use_tablebase, |o, on| o.use_tablebase = on),
        OpenTablebase, "plays by the tablebase; small sectors are solved on first use";
    "PerfectDatabasePath" => Text(|o| &o.tablebase_path, |o, path| o.tablebase_path = path),
        OpenTablebase,
        "folder with Millstone's tablebase or .sec2 files; empty for the default of db build";
    "PerfectDatabaseCache" => Spin([0, 65_536], |o| o.tablebase_cache, |o, n| o.tablebase_cache = n),
        OpenTablebase, "MiB of the tablebase to preload";
    "OwnBook" => Check(|o| o.own_book, |o, on| o.own_book = on), OpenTablebase,
        "uses an opening book; the one for Nine Men's Morris is built in";
    "Learning" => Check(|o| o.learning, |o, on| o.learning = on), OpenLearningFile,
        "learns positions from searches and keeps them in a file for later games";
    "LearningFile" => Text(|o| &o.learning_file, |o, path| o.learning_file = path), OpenLearningFile,
        "file of learned positions; empty for the default one (see millstone learn --help)";
    "ResultStyle" => Combo(
        || RESULT_STYLES.map(|(name, _)| name).to_vec(),
        |o| o.result_style as u32,
        |o, at| o.result_style = RESULT_STYLES[at as usize].1,
    ), None, "style of result lines", only Uci;
    "Debug Log File" => Text(|o| &o.debug_log_file, |o, path| o.debug_log_file = path), OpenLog,
        "file to which all input and output is copied";
};

/// The options of the draw rules, then the options that only GBGP lists.
static DRAW_AND_GBGP_OPTIONS: &[OptionSpec] = &options! {
    "NMoveRule" => Spin(
        DrawRules::N_MOVE_RANGE,
        |o| o.draw_rules.n_move.into(),
        |o, n| o.draw_rules.n_move = n as u16,
    ), NewRules, "number of slides without a placement or removal that draws the game";
    "EndgameNMoveRule" => Spin(
        DrawRules::ENDGAME_N_MOVE_RANGE,
        |o| o.draw_rules.endgame_n_move.into(),
        |o, n| o.draw_rules.endgame_n_move = n as u16,
    ), NewRules, "replaces NMoveRule while a side has three men, if it is smaller";
    "ThreefoldRepetitionRule" => Check(
        |o| o.draw_rules.threefold_repetition,
        |o, on| o.draw_rules.threefold_repetition = on,
    ), NewRules, "the third occurrence of a position draws the game";
    TWELVE_MENS_MORRIS => Check(
        |o| o.rules == RuleSet::TWELVE_MENS_MORRIS,
        |o, on| o.rules = if on { RuleSet::TWELVE_MENS_MORRIS } else { RuleSet::NINE_MENS_MORRIS },
    ), NewRules, "plays Twelve instead of Nine Men's Morris", only Gbgp;
    "ScoresForSideToMove" => Check(
        |o| o.scores_for_side_to_move,
        |o, on| o.scores_for_side_to_move = on,
    ), None, "reports scores for the side to move instead of White", only Gbgp;
};

/// `Variant` and an option for each [rule](crate::rules), which GBGP does not list.
static GAME_OPTIONS: LazyLock<Vec<OptionSpec>> = LazyLock::new(|| {
    let variant = options! {
        VARIANT => Combo(
            || PRESETS.iter().map(|preset| preset.name).collect(),
            |o| PRESETS.iter().position(|it| it.rules == o.rules).unwrap_or_default() as u32,
            |o, at| o.rules = PRESETS[at as usize].rules,
        ), NewRules, "sets all rules to those of a named game", only Uci;
    };
    let rules = Rule::all().map(|rule| OptionSpec {
        name: rule.option,
        kind: Kind::Rule(rule),
        effect: Effect::NewRules,
        help: rule.help(),
        only: Some(Dialect::Uci),
    });
    variant.into_iter().chain(rules).collect()
});

const LEVELS: [u32; 2] = [0, Skill::FULL.level()];
const RATINGS: [u32; 2] = [Skill::ratings().0, Skill::ratings().1];

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
            assert!(!spec.help.is_empty());
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
