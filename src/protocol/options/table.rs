//! The table of options.

use std::sync::LazyLock;

use super::spec::Kind::{self, Button, Check, Combo, Seed, Spin, Text};
use super::spec::{Effect, OptionSpec, ResultStyle};
use crate::protocol::command::Dialect;
use crate::rules::{DrawRules, PRESETS, Rule, RuleSet};
use crate::search::{Algorithm, MAX_LINES, MAX_TABLE, MAX_THREADS, Skill};

/// The seed of random choices.
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
            help: $help,
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
    "Ponder" => Check(|o| o.ponder, |o, on| o.ponder = on), None,
        "whether the front end lets the engine think on the opponent's time";
    "MoveTime" => Spin([0, 60], |o| o.move_time / 1000, |o, s| o.move_time = 1000 * s), None,
        "seconds for a move when go has no limit; 0 for no limit";
    "MoveTimeMs" => Spin([0, 60_000], |o| o.move_time, |o, ms| o.move_time = ms), None,
        "the same in milliseconds";
    "Move Overhead" => Spin([0, 5000], |o| o.move_overhead, |o, ms| o.move_overhead = ms), None,
        "milliseconds lost in communication on each move";
    "SkillLevel" => Spin(LEVELS, |o| o.skill_level, |o, level| o.skill_level = level), NewSkill,
        "strength; below the highest level the search is limited, makes mistakes and has no \
         tablebase";
    "UCI_LimitStrength" => Check(|o| o.limit_strength, |o, on| o.limit_strength = on), NewSkill,
        "plays at the level with the rating of UCI_Elo, whatever SkillLevel is", only Uci;
    "UCI_Elo" => Spin(RATINGS, |o| o.rating, |o, rating| o.rating = rating), NewSkill,
        "rating for UCI_LimitStrength, measured against random moves, which have 0", only Uci;
    "Shuffling" => Check(|o| o.shuffling, |o, on| o.shuffling = on), None,
        "chooses at random among equally good moves";
    SHUFFLE_SEED => Seed(|o| o.shuffle_seed, |o, seed| o.shuffle_seed = seed), RestartShuffle,
        "seed of random choices, or auto for another each time";
    "Algorithm" => Spin(
        [0, Algorithm::Random as u32],
        |o| o.algorithm as u32,
        |o, at| o.algorithm = bytemuck::checked::cast(at as u8),
    ), None, "0 alpha-beta, 1 principal variation search, 2 MTD(f), 3 Monte-Carlo, 4 random";
    "UsePerfectDatabase" => Check(|o| o.use_tablebase, |o, on| o.use_tablebase = on),
        OpenTablebase, "plays by the tablebase; small sectors are solved on first use";
    "PerfectDatabasePath" => Text(|o| &o.tablebase_path, |o, path| o.tablebase_path = path),
        OpenTablebase,
        "folder of the tablebase, own or .sec2 files; empty for the one where db build puts it";
    "PerfectDatabaseCache" => Spin([0, 65_536], |o| o.tablebase_cache, |o, n| o.tablebase_cache = n),
        OpenTablebase, "MiB of the tablebase to read into memory beforehand";
    "OwnBook" => Check(|o| o.own_book, |o, on| o.own_book = on), OpenTablebase,
        "keeps the value of the opening by a book; that of Nine Men's Morris is built in";
    "Learning" => Check(|o| o.learning, |o, on| o.learning = on), OpenLearningFile,
        "learns positions from searches, in a file that later games start with";
    "LearningFile" => Text(|o| &o.learning_file, |o, path| o.learning_file = path), OpenLearningFile,
        "file of learned positions; empty for the default one (see millstone learn --help)";
    "ResultStyle" => Combo(
        || RESULT_STYLES.map(|(name, _)| name).to_vec(),
        |o| o.result_style as u32,
        |o, at| o.result_style = RESULT_STYLES[at as usize].1,
    ), None, "how results are written", only Uci;
    "Debug Log File" => Text(|o| &o.debug_log_file, |o, path| o.debug_log_file = path), OpenLog,
        "file to which all input and output is copied";
};

/// The options of the draw rules, then those that only GBGP lists.
static DRAW_AND_GBGP_OPTIONS: &[OptionSpec] = &options! {
    "NMoveRule" => Spin(
        DrawRules::N_MOVE_RANGE,
        |o| o.draw_rules.n_move.into(),
        |o, n| o.draw_rules.n_move = n as u16,
    ), NewRules, "slides without a placement or removal that draw the game";
    "EndgameNMoveRule" => Spin(
        DrawRules::ENDGAME_N_MOVE_RANGE,
        |o| o.draw_rules.endgame_n_move.into(),
        |o, n| o.draw_rules.endgame_n_move = n as u16,
    ), NewRules, "the same while a side has three men, if it is less";
    "ThreefoldRepetitionRule" => Check(
        |o| o.draw_rules.threefold_repetition,
        |o, on| o.draw_rules.threefold_repetition = on,
    ), NewRules, "the third occurrence of a position draws the game";
    TWELVE_MENS_MORRIS => Check(
        |o| o.rules == RuleSet::TWELVE_MENS_MORRIS,
        |o, on| o.rules = if on { RuleSet::TWELVE_MENS_MORRIS } else { RuleSet::NINE_MENS_MORRIS },
    ), NewRules, "plays Twelve Men's Morris, else Nine Men's Morris", only Gbgp;
    "ScoresForSideToMove" => Check(
        |o| o.scores_for_side_to_move,
        |o, on| o.scores_for_side_to_move = on,
    ), None, "writes scores from the view of the side to move, else from White's", only Gbgp;
};

/// `Variant` and an option for each [rule](crate::rules), which GBGP does not list.
static GAME_OPTIONS: LazyLock<Vec<OptionSpec>> = LazyLock::new(|| {
    let variant = options! {
        VARIANT => Combo(
            || PRESETS.iter().map(|preset| preset.name).collect(),
            |o| PRESETS.iter().position(|it| it.rules == o.rules).unwrap_or_default() as u32,
            |o, at| o.rules = PRESETS[at as usize].rules,
        ), NewRules, "sets all rules to those of a game with a name", only Uci;
    };
    let rules = Rule::all().flat_map(|rule: &'static Rule| {
        options! { rule.option => Kind::Rule(rule), NewRules, rule.about, only Uci; }
    });
    variant.into_iter().chain(rules).collect()
});

impl OptionSpec {
    /// All options in the order in which they are listed.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        ENGINE_OPTIONS.iter().chain(&*GAME_OPTIONS).chain(DRAW_AND_GBGP_OPTIONS)
    }
}

const LEVELS: [u32; 2] = [0, Skill::FULL.level()];
const RATINGS: [u32; 2] = [Skill::ratings().0, Skill::ratings().1];
