//! The table of options.

use std::ops::RangeInclusive;
use std::sync::LazyLock;

use super::spec::Kind::{self, Button, Check, Combo, Seed, Spin, Text};
use super::spec::{Effect, OptionSpec, ResultStyle, option};
use crate::protocol::command::Dialect;
use crate::rules::{DrawRules, PRESETS, Rule, RuleSet};
use crate::search::{Algorithm, MAX_THREADS, Skill};

/// The seed of random choices.
pub const SHUFFLE_SEED: &str = "SearchShuffleSeed";
/// The option that sets all rules at once.
pub const VARIANT: &str = "Variant";
/// The option that chooses between the two games of the Generic Board Game Protocol.
pub const TWELVE_MENS_MORRIS: &str = "TwelveMensMorris";

const ALGORITHMS: [Algorithm; 5] = [
    Algorithm::AlphaBeta,
    Algorithm::PrincipalVariation,
    Algorithm::MtdF,
    Algorithm::MonteCarlo,
    Algorithm::Random,
];

/// The result styles by name.
pub const RESULT_STYLES: [(&str, ResultStyle); 3] =
    [("uci", ResultStyle::Uci), ("sanmill", ResultStyle::Sanmill), ("legacy", ResultStyle::Legacy)];

static ENGINE_OPTIONS: [OptionSpec; 22] = [
    option("Hash", Spin([1, 33_554_432], |o| o.hash, |o, size| o.hash = size))
        .help("size of the transposition table in MiB")
        .effect(Effect::ResizeTable),
    option("Clear Hash", Button).help("empties the transposition table").effect(Effect::ClearTable),
    option("Threads", Spin([1, MAX_THREADS as u32], |o| o.threads, |o, n| o.threads = n))
        .help("threads of a search; Algorithm 3 and 4 need one"),
    option("MultiPV", Spin([1, 64], |o| o.multi_pv, |o, count| o.multi_pv = count))
        .help("how many of the best moves are shown, each with its score and line")
        .only(Dialect::Uci),
    option("Ponder", Check(|o| o.ponder, |o, on| o.ponder = on))
        .help("whether the front end lets the engine think on the opponent's time"),
    option("MoveTime", Spin([0, 60], |o| o.move_time / 1000, |o, s| o.move_time = 1000 * s))
        .help("seconds for a move when go has no limit; 0 for no limit"),
    option("MoveTimeMs", Spin([0, 60_000], |o| o.move_time, |o, ms| o.move_time = ms))
        .help("the same in milliseconds"),
    option("Move Overhead", Spin([0, 5000], |o| o.move_overhead, |o, ms| o.move_overhead = ms))
        .help("milliseconds lost in communication on each move"),
    option("SkillLevel", Spin(LEVELS, |o| o.skill_level, |o, level| o.skill_level = level))
        .help(
            "strength; below the highest level the search is limited, makes mistakes and has no \
             tablebase",
        )
        .effect(Effect::NewSkill),
    option("UCI_LimitStrength", Check(|o| o.limit_strength, |o, on| o.limit_strength = on))
        .help("plays at the level with the rating of UCI_Elo, whatever SkillLevel is")
        .effect(Effect::NewSkill)
        .only(Dialect::Uci),
    option("UCI_Elo", Spin(RATINGS, |o| o.rating, |o, rating| o.rating = rating))
        .help("rating for UCI_LimitStrength, measured against random moves, which have 0")
        .effect(Effect::NewSkill)
        .only(Dialect::Uci),
    option("Shuffling", Check(|o| o.shuffling, |o, on| o.shuffling = on))
        .help("chooses at random among equally good moves"),
    option(SHUFFLE_SEED, Seed(|o| o.shuffle_seed, |o, seed| o.shuffle_seed = seed))
        .help("seed of random choices, or auto for another each time")
        .effect(Effect::RestartShuffle),
    option(
        "Algorithm",
        Spin(
            [0, ALGORITHMS.len() as u32 - 1],
            |o| index_of(&ALGORITHMS, &o.algorithm),
            |o, at| o.algorithm = ALGORITHMS[at as usize],
        ),
    )
    .help("0 alpha-beta, 1 principal variation search, 2 MTD(f), 3 Monte-Carlo, 4 random"),
    option("UsePerfectDatabase", Check(|o| o.use_tablebase, |o, on| o.use_tablebase = on))
        .help("plays by the tablebase; small sectors are solved on first use")
        .effect(Effect::OpenTablebase),
    option("PerfectDatabasePath", Text(|o| &o.tablebase_path, |o, path| o.tablebase_path = path))
        .help(
            "folder of the tablebase, own or .sec2 files; empty for the one where db build puts it",
        )
        .effect(Effect::OpenTablebase),
    option(
        "PerfectDatabaseCache",
        Spin([0, 65_536], |o| o.tablebase_cache, |o, n| o.tablebase_cache = n),
    )
    .help("MiB of the tablebase to read into memory beforehand")
    .effect(Effect::OpenTablebase),
    option("OwnBook", Check(|o| o.own_book, |o, on| o.own_book = on))
        .help("keeps the value of the opening by a book; that of Nine Men's Morris is built in")
        .effect(Effect::OpenTablebase),
    option("Learning", Check(|o| o.learning, |o, on| o.learning = on))
        .help("learns positions from searches, in a file that later games start with")
        .effect(Effect::OpenLearningFile),
    option("LearningFile", Text(|o| &o.learning_file, |o, path| o.learning_file = path))
        .help("file of learned positions; empty for the default one (see millstone learn --help)")
        .effect(Effect::OpenLearningFile),
    option(
        "ResultStyle",
        Combo(
            || RESULT_STYLES.map(|(name, _)| name).to_vec(),
            |o| index_of(&RESULT_STYLES.map(|(_, style)| style), &o.result_style),
            |o, at| o.result_style = RESULT_STYLES[at as usize].1,
        ),
    )
    .help("how results are written")
    .only(Dialect::Uci),
    option("Debug Log File", Text(|o| &o.debug_log_file, |o, path| o.debug_log_file = path))
        .help("file to which all input and output is copied")
        .effect(Effect::OpenLog),
];

/// The options of the draw rules, then those that only GBGP lists.
static DRAW_AND_GBGP_OPTIONS: [OptionSpec; 5] = [
    option(
        "NMoveRule",
        Spin(
            ends(DrawRules::N_MOVE_RANGE),
            |o| o.draw_rules.n_move.into(),
            |o, n| o.draw_rules.n_move = n as u16,
        ),
    )
    .help("slides without a placement or removal that draw the game")
    .effect(Effect::NewRules),
    option(
        "EndgameNMoveRule",
        Spin(
            ends(DrawRules::ENDGAME_N_MOVE_RANGE),
            |o| o.draw_rules.endgame_n_move.into(),
            |o, n| o.draw_rules.endgame_n_move = n as u16,
        ),
    )
    .help("the same while a side has three men, if it is less")
    .effect(Effect::NewRules),
    option(
        "ThreefoldRepetitionRule",
        Check(
            |o| o.draw_rules.threefold_repetition,
            |o, on| o.draw_rules.threefold_repetition = on,
        ),
    )
    .help("the third occurrence of a position draws the game")
    .effect(Effect::NewRules),
    option(
        TWELVE_MENS_MORRIS,
        Check(
            |o| o.rules == RuleSet::TWELVE_MENS_MORRIS,
            |o, is_twelve| {
                o.rules =
                    if is_twelve { RuleSet::TWELVE_MENS_MORRIS } else { RuleSet::NINE_MENS_MORRIS }
            },
        ),
    )
    .help("plays Twelve Men's Morris, else Nine Men's Morris")
    .effect(Effect::NewRules)
    .only(Dialect::Gbgp),
    option(
        "ScoresForSideToMove",
        Check(|o| o.scores_for_side_to_move, |o, on| o.scores_for_side_to_move = on),
    )
    .help("writes scores from the view of the side to move, else from White's")
    .only(Dialect::Gbgp),
];

/// `Variant` and an option for each [rule](crate::rules), which GBGP does not list.
static GAME_OPTIONS: LazyLock<Vec<OptionSpec>> = LazyLock::new(|| {
    let variant = option(
        VARIANT,
        Combo(
            || PRESETS.iter().map(|preset| preset.name).collect(),
            |o| index_of(&PRESETS.map(|preset| preset.rules), &o.rules),
            |o, at| o.rules = PRESETS[at as usize].rules,
        ),
    )
    .help("sets all rules to those of a game with a name");
    let rule = |rule: &'static Rule| option(rule.option, Kind::Rule(rule)).help(rule.about);
    let options = [variant].into_iter().chain(Rule::all().map(rule));
    options.map(|option| option.effect(Effect::NewRules).only(Dialect::Uci)).collect()
});

impl OptionSpec {
    /// All options in the order in which they are listed.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        ENGINE_OPTIONS.iter().chain(&*GAME_OPTIONS).chain(&DRAW_AND_GBGP_OPTIONS)
    }
}

const LEVELS: [u32; 2] = [0, Skill::FULL.level()];
const RATINGS: [u32; 2] = [Skill::ratings().0, Skill::ratings().1];

const fn ends(range: RangeInclusive<u16>) -> [u32; 2] {
    [*range.start() as u32, *range.end() as u32]
}

/// The index of a value among all values of an option.
fn index_of<T: PartialEq>(values: &[T], value: &T) -> u32 {
    values.iter().position(|candidate| candidate == value).unwrap_or_default() as u32
}
