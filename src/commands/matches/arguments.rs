//! The command line of `millstone match`.

use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{ArgMatches, Command, FromArgMatches, value_parser};
use millstone::matches::{
    ENGINE_KEYS, EngineConfig, MOST_GAMES, Openings, Shard, Sprt, engine_defaults,
};
use millstone::protocol::Error;

/// Play a match between two engines and report which is stronger, and by how much.
#[derive(clap::Args)]
#[command(after_long_help = long_help())]
pub struct Arguments {
    #[command(flatten)]
    pub words: Words,
    #[command(flatten)]
    pub playing: Playing,
    /// Append each game to this file, in Sanmill's notation; games already there must be of the same match
    #[arg(long, value_name = "FILE")]
    pub records: Option<PathBuf>,
    /// Report the result of the games in these logs instead of playing
    #[arg(long, value_name = "LOG", num_args = 1..)]
    #[arg(conflicts_with_all = ["Playing", "engine", "each", "variant"])]
    pub merge: Option<Vec<PathBuf>>,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
}

/// The arguments of the games.
#[derive(clap::Args)]
#[group(id = "Playing", multiple = true)]
pub struct Playing {
    /// Games to play; with an even number, each opening is played with both colours
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = value_parser!(u64).range(1..=MOST_GAMES))]
    pub games: u64,
    /// Games to play in parallel
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u16).range(1..=512))]
    pub concurrency: u16,
    /// File of openings: game records, or one opening a line as moves, position text or MFEN [default:
    /// balanced random openings]
    #[arg(long, value_name = "FILE")]
    pub openings: Option<PathBuf>,
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(0..=100))]
    #[arg(help = format!("Plies of an opening [default: {} if random, all if from a file]", Openings::RANDOM_PLIES))]
    pub opening_plies: Option<u16>,
    /// Seed of random openings and of the engines' random choices
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Adjudicate a game as drawn after this many plies (placements, slides and removals)
    #[arg(long, value_name = "N", default_value_t = 600, value_parser = value_parser!(u32).range(1..))]
    pub max_plies: u32,
    /// How long to wait for an engine to start, for a move without a time limit, or for a late move
    #[arg(long, value_name = "SECONDS", default_value_t = 30.0, value_parser = parse_seconds)]
    pub patience: f64,
    /// Stop when an engine fails (crashes, hangs, sends garbage or an illegal move) in this many games in a row
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = value_parser!(u64).range(1..))]
    pub max_failures: u64,
    /// Log each game to this file as a line of JSON; an existing log is resumed
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
    /// Play only part I of N of the match; --merge merges the logs of all parts
    #[arg(long, value_name = "I/N", default_value_t = Shard::WHOLE)]
    pub shard: Shard,
}

fn parse_seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok().filter(|seconds| (0.0..=86_400.0).contains(seconds));
    seconds.ok_or_else(|| "expected seconds from 0 to 86400".to_owned())
}

/// The words of `--engine`, and notes on limits, openings, the test and the log.
fn long_help() -> String {
    let keys = ENGINE_KEYS
        .map(|(key, value, help)| format!("  {:<18} {help}\n", format!("{key}={value}")));
    let (keys, defaults) = (keys.concat(), engine_defaults());
    format!(
        "Engines, each a list of words:\n{keys}{defaults}\n\n{}",
        include_str!("help.txt").trim_end()
    )
}

/// The arguments that take several words, each as the words of all its occurrences.
#[derive(clap::Args)]
struct AllWords {
    /// An engine and its settings, given twice; see the words below
    #[arg(long, value_name = "KEY=VALUE", num_args = 1.., required_unless_present = "merge")]
    engine: Vec<String>,
    /// Settings for both engines; those of --engine override them
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    each: Vec<String>,
    /// Stop as soon as it is clear whether the first engine is stronger by elo0 or elo1: elo0=0 elo1=10
    /// alpha=0.05 beta=0.05
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    sprt: Vec<String>,
}

/// The same, read.
pub struct Words {
    /// The engines; `None` with `--merge`.
    pub engines: Option<Box<[EngineConfig; 2]>>,
    /// The test that may stop the match.
    pub sprt: Option<Sprt>,
}

/// Implemented by hand: derived arguments would mix the words of the two `--engine`.
impl clap::Args for Words {
    fn augment_args(command: Command) -> Command {
        AllWords::augment_args(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        AllWords::augment_args_for_update(command)
    }
}

impl FromArgMatches for Words {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let AllWords { engine, each, sprt } = AllWords::from_arg_matches(matches)?;
        let read = || -> Result<Self, Error> {
            let engines = matches.get_occurrences::<String>("engine").into_iter().flatten();
            let engines: Vec<_> = engines.map(|words| words.cloned().collect()).collect();
            let engines = (!engine.is_empty()).then(|| pair(&engines, &each)).transpose()?;
            let sprt = (!sprt.is_empty()).then(|| Sprt::parse(&sprt)).transpose()?;
            Ok(Self { engines, sprt })
        };
        read().map_err(|error| clap::Error::raw(ErrorKind::ValueValidation, error))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The two engines; numbers are added to equal names.
fn pair(engines: &[Vec<String>], each: &[String]) -> Result<Box<[EngineConfig; 2]>, Error> {
    let [first, second] = engines else {
        let times = engines.len();
        return Err(Error::refused(format_args!("expected --engine twice, found {times} times")));
    };
    let mut first = EngineConfig::parse(first, each)?;
    let mut second = EngineConfig::parse(second, each)?;
    if first.name == second.name {
        first.name += " 1";
        second.name += " 2";
    }
    Ok(Box::new([first, second]))
}
