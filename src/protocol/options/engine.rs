//! The options of the engine, rules apart.
//!
//! Their values are fields of [`Options`](super::Options); the defaults are in
//! `impl Default for Options` in `spec.rs`.

use super::spec::{Effect, Kind, OptionSpec, ResultStyle};
use crate::protocol::command::Dialect;
use crate::search::{Algorithm, MAX_THREADS, Skill};

/// The option that random choices start from.
pub const SHUFFLE_SEED: &str = "SearchShuffleSeed";

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

const STYLE_NAMES: [&str; RESULT_STYLES.len()] = {
    let mut names = [""; RESULT_STYLES.len()];
    let mut index = 0;
    while index < names.len() {
        names[index] = RESULT_STYLES[index].0;
        index += 1;
    }
    names
};

/// All of them in the order in which they are listed.
pub(super) const ENGINE_OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        name: "Hash",
        help: "size of the transposition table in MiB",
        kind: Kind::Spin {
            min: 1,
            max: 33_554_432,
            get: |options| options.hash as u32,
            set: |options, value| options.hash = value as usize,
        },
        effect: Effect::ResizeTable,
        only: None,
    },
    OptionSpec {
        name: "Clear Hash",
        help: "empties the transposition table",
        kind: Kind::Button,
        effect: Effect::ClearTable,
        only: None,
    },
    OptionSpec {
        name: "Threads",
        help: "threads of a search; Algorithm 3 and 4 need one",
        kind: Kind::Spin {
            min: 1,
            max: MAX_THREADS as u32,
            get: |options| options.threads as u32,
            set: |options, value| options.threads = value as usize,
        },
        effect: Effect::None,
        only: None,
    },
    OptionSpec {
        name: "MultiPV",
        help: "how many of the best moves are shown, each with its score and line",
        kind: Kind::Spin {
            min: 1,
            max: 64,
            get: |options| options.multi_pv as u32,
            set: |options, value| options.multi_pv = value as usize,
        },
        effect: Effect::None,
        only: Some(Dialect::Uci),
    },
    OptionSpec {
        name: "Ponder",
        help: "whether the front end lets the engine think on the opponent's time",
        kind: Kind::Check {
            get: |options| options.ponder,
            set: |options, value| options.ponder = value,
        },
        effect: Effect::None,
        only: None,
    },
    OptionSpec {
        name: "MoveTime",
        help: "seconds for a move when go has no limit; 0 for no limit",
        kind: Kind::Spin {
            min: 0,
            max: 60,
            get: |options| options.move_time / 1000,
            set: |options, value| options.move_time = value * 1000,
        },
        effect: Effect::None,
        only: None,
    },
    OptionSpec {
        name: "MoveTimeMs",
        help: "the same in milliseconds",
        kind: Kind::Spin {
            min: 0,
            max: 60_000,
            get: |options| options.move_time,
            set: |options, value| options.move_time = value,
        },
        effect: Effect::None,
        only: None,
    },
    OptionSpec {
        name: "Move Overhead",
        help: "milliseconds lost on the way between engine and front end",
        kind: Kind::Spin {
            min: 0,
            max: 5000,
            get: |options| options.move_overhead,
            set: |options, value| options.move_overhead = value,
        },
        effect: Effect::None,
        only: None,
    },
    OptionSpec {
        name: "SkillLevel",
        help: "strength; below the highest level the search is limited, errs and has no tablebase",
        kind: Kind::Spin {
            min: 0,
            max: Skill::FULL.level(),
            get: |options| options.skill_level,
            set: |options, value| options.skill_level = value,
        },
        effect: Effect::NewSkill,
        only: None,
    },
    OptionSpec {
        name: "UCI_LimitStrength",
        help: "plays at the level with the rating of UCI_Elo, whatever SkillLevel is",
        kind: Kind::Check {
            get: |options| options.limit_strength,
            set: |options, value| options.limit_strength = value,
        },
        effect: Effect::NewSkill,
        only: Some(Dialect::Uci),
    },
    OptionSpec {
        name: "UCI_Elo",
        help: "rating for UCI_LimitStrength, measured against random moves, which have 0",
        kind: Kind::Spin {
            min: Skill::ratings().0,
            max: Skill::ratings().1,
            get: |options| options.rating,
            set: |options, value| options.rating = value,
        },
        effect: Effect::NewSkill,
        only: Some(Dialect::Uci),
    },
    OptionSpec {
        name: "Shuffling",
        help: "chooses at random among equally good moves",
        kind: Kind::Check {
            get: |options| options.shuffling,
            set: |options, value| options.shuffling = value,
        },
        effect: Effect::None,
        only: None,
    },
    OptionSpec {
        name: SHUFFLE_SEED,
        help: "number that random choices start from, or auto for another each time",
        kind: Kind::Text {
            expected: "a number, or auto",
            get: |options| options.shuffle_seed.map_or("auto".to_owned(), |seed| seed.to_string()),
            set: |options, value| {
                let is_auto = value.eq_ignore_ascii_case("auto");
                options.shuffle_seed = if is_auto { None } else { Some(value.parse().ok()?) };
                Some(())
            },
        },
        effect: Effect::RestartShuffle,
        only: None,
    },
    OptionSpec {
        name: "Algorithm",
        help: "0 alpha-beta, 1 principal variation search, 2 MTD(f), 3 Monte-Carlo, 4 random",
        kind: Kind::Spin {
            min: 0,
            max: ALGORITHMS.len() as u32 - 1,
            get: |options| index_of(&ALGORITHMS, &options.algorithm) as u32,
            set: |options, value| options.algorithm = ALGORITHMS[value as usize],
        },
        effect: Effect::None,
        only: None,
    },
    OptionSpec {
        name: "UsePerfectDatabase",
        help: "plays by the tablebase; small sectors are solved on first use",
        kind: Kind::Check {
            get: |options| options.use_tablebase,
            set: |options, value| options.use_tablebase = value,
        },
        effect: Effect::OpenTablebase,
        only: None,
    },
    OptionSpec {
        name: "PerfectDatabasePath",
        help: "folder of the tablebase, own or .sec2 files; empty for the one where db build puts it",
        kind: Kind::Text {
            expected: "a folder",
            get: |options| options.tablebase_path.clone(),
            set: |options, value| {
                value.clone_into(&mut options.tablebase_path);
                Some(())
            },
        },
        effect: Effect::OpenTablebase,
        only: None,
    },
    OptionSpec {
        name: "PerfectDatabaseCache",
        help: "MiB of the tablebase to read into memory beforehand",
        kind: Kind::Spin {
            min: 0,
            max: 65_536,
            get: |options| options.tablebase_cache as u32,
            set: |options, value| options.tablebase_cache = value as usize,
        },
        effect: Effect::OpenTablebase,
        only: None,
    },
    OptionSpec {
        name: "OwnBook",
        help: "gives nothing away in the opening, by a book: that of Nine Men's Morris is in the program",
        kind: Kind::Check {
            get: |options| options.own_book,
            set: |options, value| options.own_book = value,
        },
        effect: Effect::OpenTablebase,
        only: None,
    },
    OptionSpec {
        name: "Learning",
        help: "learns positions from searches, in a file that later games start with",
        kind: Kind::Check {
            get: |options| options.learning,
            set: |options, value| options.learning = value,
        },
        effect: Effect::OpenLearningFile,
        only: None,
    },
    OptionSpec {
        name: "LearningFile",
        help: "file of learned positions; empty for the default one (see millstone learn --help)",
        kind: Kind::Text {
            expected: "a path",
            get: |options| options.learning_file.clone(),
            set: |options, value| {
                value.clone_into(&mut options.learning_file);
                Some(())
            },
        },
        effect: Effect::OpenLearningFile,
        only: None,
    },
    OptionSpec {
        name: "ResultStyle",
        help: "how results are written",
        kind: Kind::Combo {
            choices: &STYLE_NAMES,
            get: |options| index_of(&RESULT_STYLES.map(|(_, style)| style), &options.result_style),
            set: |options, at| options.result_style = RESULT_STYLES[at].1,
        },
        effect: Effect::None,
        only: Some(Dialect::Uci),
    },
    OptionSpec {
        name: "Debug Log File",
        help: "file to which all input and output is copied",
        kind: Kind::Text {
            expected: "a path",
            get: |options| options.debug_log_file.clone(),
            set: |options, value| {
                value.clone_into(&mut options.debug_log_file);
                Some(())
            },
        },
        effect: Effect::OpenLog,
        only: None,
    },
];

/// The index of a value among the values of an option, which has them all.
pub(super) fn index_of<T: PartialEq>(values: &[T], value: &T) -> usize {
    values.iter().position(|candidate| candidate == value).unwrap_or_default()
}
