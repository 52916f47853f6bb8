//! The table of options.

use std::ops::RangeInclusive;
use std::sync::LazyLock;

use super::spec::{Effect, Kind, OptionSpec, Options, ResultStyle};
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
    spin("Hash", [1, 33_554_432], |o| o.hash, |o, size| o.hash = size)
        .help("size of the transposition table in MiB")
        .effect(Effect::ResizeTable),
    OptionSpec::new("Clear Hash", Kind::Button)
        .help("empties the transposition table")
        .effect(Effect::ClearTable),
    spin("Threads", [1, MAX_THREADS as u32], |o| o.threads, |o, count| o.threads = count)
        .help("threads of a search; Algorithm 3 and 4 need one"),
    spin("MultiPV", [1, 64], |o| o.multi_pv, |o, count| o.multi_pv = count)
        .help("how many of the best moves are shown, each with its score and line")
        .only(Dialect::Uci),
    check("Ponder", |o| o.ponder, |o, on| o.ponder = on)
        .help("whether the front end lets the engine think on the opponent's time"),
    spin("MoveTime", [0, 60], |o| o.move_time / 1000, |o, seconds| o.move_time = seconds * 1000)
        .help("seconds for a move when go has no limit; 0 for no limit"),
    spin("MoveTimeMs", [0, 60_000], |o| o.move_time, |o, ms| o.move_time = ms)
        .help("the same in milliseconds"),
    spin("Move Overhead", [0, 5000], |o| o.move_overhead, |o, ms| o.move_overhead = ms)
        .help("milliseconds lost in communication on each move"),
    spin("SkillLevel", [0, Skill::FULL.level()], |o| o.skill_level, |o, it| o.skill_level = it)
        .help("strength; below the highest level the search is limited, makes mistakes and has no tablebase")
        .effect(Effect::NewSkill),
    check("UCI_LimitStrength", |o| o.limit_strength, |o, on| o.limit_strength = on)
        .help("plays at the level with the rating of UCI_Elo, whatever SkillLevel is")
        .effect(Effect::NewSkill)
        .only(Dialect::Uci),
    spin("UCI_Elo", RATINGS, |o| o.rating, |o, rating| o.rating = rating)
        .help("rating for UCI_LimitStrength, measured against random moves, which have 0")
        .effect(Effect::NewSkill)
        .only(Dialect::Uci),
    check("Shuffling", |o| o.shuffling, |o, on| o.shuffling = on)
        .help("chooses at random among equally good moves"),
    OptionSpec::new(SHUFFLE_SEED, Kind::Seed(|o| o.shuffle_seed, |o, seed| o.shuffle_seed = seed))
        .help("seed of random choices, or auto for another each time")
        .effect(Effect::RestartShuffle),
    spin(
        "Algorithm",
        [0, ALGORITHMS.len() as u32 - 1],
        |o| index_of(&ALGORITHMS, &o.algorithm),
        |o, at| o.algorithm = ALGORITHMS[at as usize],
    )
    .help("0 alpha-beta, 1 principal variation search, 2 MTD(f), 3 Monte-Carlo, 4 random"),
    check("UsePerfectDatabase", |o| o.use_tablebase, |o, on| o.use_tablebase = on)
        .help("plays by the tablebase; small sectors are solved on first use")
        .effect(Effect::OpenTablebase),
    text("PerfectDatabasePath", |o| &o.tablebase_path, |o, path| o.tablebase_path = path)
        .help(
            "folder of the tablebase, own or .sec2 files; empty for the one where db build puts it",
        )
        .effect(Effect::OpenTablebase),
    spin("PerfectDatabaseCache", [0, 65_536], |o| o.tablebase_cache, |o, n| o.tablebase_cache = n)
        .help("MiB of the tablebase to read into memory beforehand")
        .effect(Effect::OpenTablebase),
    check("OwnBook", |o| o.own_book, |o, on| o.own_book = on)
        .help("keeps the value of the opening by a book; that of Nine Men's Morris is built in")
        .effect(Effect::OpenTablebase),
    check("Learning", |o| o.learning, |o, on| o.learning = on)
        .help("learns positions from searches, in a file that later games start with")
        .effect(Effect::OpenLearningFile),
    text("LearningFile", |o| &o.learning_file, |o, path| o.learning_file = path)
        .help("file of learned positions; empty for the default one (see millstone learn --help)")
        .effect(Effect::OpenLearningFile),
    combo(
        "ResultStyle",
        || RESULT_STYLES.map(|(name, _)| name).to_vec(),
        |o| index_of(&RESULT_STYLES.map(|(_, style)| style), &o.result_style),
        |o, at| o.result_style = RESULT_STYLES[at as usize].1,
    )
    .help("how results are written")
    .only(Dialect::Uci),
    text("Debug Log File", |o| &o.debug_log_file, |o, path| o.debug_log_file = path)
        .help("file to which all input and output is copied")
        .effect(Effect::OpenLog),
];

/// The options of the draw rules.
static DRAW_OPTIONS: [OptionSpec; 3] = [
    spin(
        "NMoveRule",
        ends(DrawRules::N_MOVE_RANGE),
        |o| o.draw_rules.n_move.into(),
        |o, n| o.draw_rules.n_move = n as u16,
    )
    .help("slides without a placement or removal that draw the game")
    .effect(Effect::NewRules),
    spin(
        "EndgameNMoveRule",
        ends(DrawRules::ENDGAME_N_MOVE_RANGE),
        |o| o.draw_rules.endgame_n_move.into(),
        |o, n| o.draw_rules.endgame_n_move = n as u16,
    )
    .help("the same while a side has three men, if it is less")
    .effect(Effect::NewRules),
    check(
        "ThreefoldRepetitionRule",
        |o| o.draw_rules.threefold_repetition,
        |o, on| o.draw_rules.threefold_repetition = on,
    )
    .help("the third occurrence of a position draws the game")
    .effect(Effect::NewRules),
];

/// The options that only GBGP lists.
static GBGP_OPTIONS: [OptionSpec; 2] = [
    check(
        TWELVE_MENS_MORRIS,
        |o| o.rules == RuleSet::TWELVE_MENS_MORRIS,
        |o, is_twelve| {
            o.rules =
                if is_twelve { RuleSet::TWELVE_MENS_MORRIS } else { RuleSet::NINE_MENS_MORRIS }
        },
    )
    .help("plays Twelve Men's Morris, else Nine Men's Morris")
    .effect(Effect::NewRules)
    .only(Dialect::Gbgp),
    check(
        "ScoresForSideToMove",
        |o| o.scores_for_side_to_move,
        |o, on| o.scores_for_side_to_move = on,
    )
    .help("writes scores from the view of the side to move, else from White's")
    .only(Dialect::Gbgp),
];

/// `Variant` and an option for each [rule](crate::rules), which GBGP does not list.
static GAME_OPTIONS: LazyLock<Vec<OptionSpec>> = LazyLock::new(|| {
    let variant = combo(
        VARIANT,
        || PRESETS.iter().map(|preset| preset.name).collect(),
        |o| index_of(&PRESETS.map(|preset| preset.rules), &o.rules),
        |o, at| o.rules = PRESETS[at as usize].rules,
    )
    .help("sets all rules to those of a game with a name");
    let rule =
        |rule: &'static Rule| OptionSpec::new(rule.option, Kind::Rule(rule)).help(rule.about);
    let options = [variant].into_iter().chain(Rule::all().map(rule));
    options.map(|option| option.effect(Effect::NewRules).only(Dialect::Uci)).collect()
});

impl OptionSpec {
    /// All options in the order in which they are listed.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        ENGINE_OPTIONS.iter().chain(&*GAME_OPTIONS).chain(&DRAW_OPTIONS).chain(&GBGP_OPTIONS)
    }
}

const RATINGS: [u32; 2] = [Skill::ratings().0, Skill::ratings().1];

const fn ends(range: RangeInclusive<u16>) -> [u32; 2] {
    [*range.start() as u32, *range.end() as u32]
}

const fn check(
    name: &'static str,
    get: fn(&Options) -> bool,
    set: fn(&mut Options, bool),
) -> OptionSpec {
    OptionSpec::new(name, Kind::Check(get, set))
}

const fn spin(
    name: &'static str,
    ends: [u32; 2],
    get: fn(&Options) -> u32,
    set: fn(&mut Options, u32),
) -> OptionSpec {
    OptionSpec::new(name, Kind::Spin(ends, get, set))
}

const fn combo(
    name: &'static str,
    choices: fn() -> Vec<&'static str>,
    get: fn(&Options) -> u32,
    set: fn(&mut Options, u32),
) -> OptionSpec {
    OptionSpec::new(name, Kind::Combo(choices, get, set))
}

const fn text(
    name: &'static str,
    get: fn(&Options) -> &str,
    set: fn(&mut Options, String),
) -> OptionSpec {
    OptionSpec::new(name, Kind::Text(get, set))
}

/// The index of a value among all values of an option.
fn index_of<T: PartialEq>(values: &[T], value: &T) -> u32 {
    values.iter().position(|candidate| candidate == value).unwrap_or_default() as u32
}
