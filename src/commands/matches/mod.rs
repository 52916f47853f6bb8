//! `millstone match`: which of two engines plays better, and by how much.

mod collection;
mod openings;
mod play;
mod summary;
mod table;
mod words;

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use millstone::matches::{self, Contest, Header, Shard, Sprt, Tally};
use millstone::rules::RuleSet;

use super::CommandResult;
use collection::Collection;
use summary::Summary;
use words::Words;

/// The arguments that decide how games are played.
const OF_PLAYING: [&str; 13] = [
    "engine",
    "each",
    "games",
    "concurrency",
    "openings",
    "opening_plies",
    "seed",
    "max_plies",
    "patience",
    "max_failures",
    "log",
    "shard",
    "variant",
];

/// The most numbers of missing pairs that are told.
const MOST_TOLD: usize = 10;

/// Play a match between two engines and tell which is better, and by how much.
///
/// Each --engine takes words: cmd=PROGRAM (with its arguments), args=, name=, dir=, dialect=uci,
/// sanmill, legacy or gbgp (found out if not given), margin=MS, option.NAME=VALUE and its limits
/// movetime=MS, nodes=N, depth=N, tc=[TURNS/]SECONDS[+SECONDS] (movetime=100 if none is given).
///
/// Each opening is played twice with the colours exchanged. An engine that crashes, hangs, plays an
/// illegal move, says what is no move or oversteps its time loses the game and is started anew. With
/// --log, a match that was broken off goes on when the same command is given again.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    words: Words,
    /// Games to play; an even number gives each opening to both engines with both colours
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Games to play at the same time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=512))]
    concurrency: u16,
    /// File of openings: game records, or moves or a position text a line [default: balanced random ones]
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Moves and removals of an opening [default: 6 for random ones, all for those of a file]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(0..=100))]
    opening_plies: Option<u16>,
    /// What random openings and the engines' random choices depend on
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Moves and removals after which a game is drawn
    #[arg(long, value_name = "N", default_value_t = 600, value_parser = clap::value_parser!(u32).range(1..))]
    max_plies: u32,
    /// How long to wait for an answer that has no limit in time, or after its limit
    #[arg(long, value_name = "SECONDS", default_value_t = 30.0, value_parser = parse_seconds)]
    patience: f64,
    /// Give up when an engine crashes, hangs or plays nonsense in so many games in a row
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    max_failures: u64,
    /// File to which each game is added as a line of JSON, and from which the match goes on
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// File to which each game is added in Sanmill's notation
    #[arg(long, value_name = "FILE")]
    records: Option<PathBuf>,
    /// Play only part I of N of the match; the logs of all parts are put together with --merge
    #[arg(long, value_name = "I/N", default_value_t = Shard::WHOLE)]
    shard: Shard,
    /// Play nothing and tell the result of the games in these logs
    #[arg(long, value_name = "LOG", num_args = 1.., conflicts_with_all = OF_PLAYING)]
    merge: Option<Vec<PathBuf>>,
    /// Tell the result as JSON
    #[arg(long)]
    json: bool,
}

/// Plays, or counts what was played, and prints.
pub fn run(arguments: &Arguments, rules: &RuleSet) -> CommandResult {
    let Words { engines, sprt } = &arguments.words;
    if let Some(paths) = &arguments.merge {
        let contents = matches::merge(paths)?;
        if contents.is_cut {
            eprintln!("millstone: a game that is only half there does not count");
        }
        tell_missing(&contents.missing_pairs());
        if let Some(path) = &arguments.records {
            Collection::begin(path, &contents.header, &contents.games)?;
        }
        return print(arguments, &contents.header, &Tally::of(&contents.games), *sprt);
    }
    let engines = engines.as_deref().ok_or("expected --engine twice, or --merge")?;
    let contest = Contest {
        engines: engines.clone(),
        rules: *rules,
        seed: arguments.seed,
        openings: openings::choose(arguments, rules)?,
        max_plies: arguments.max_plies as usize,
        shard: arguments.shard,
        games: arguments.games,
        patience: Duration::from_secs_f64(arguments.patience),
    };
    play::run(arguments, &contest, *sprt)
}

/// Prints the result on standard output.
fn print(
    arguments: &Arguments,
    header: &Header,
    tally: &Tally,
    sprt: Option<Sprt>,
) -> CommandResult {
    let mut out = io::stdout().lock();
    if arguments.json {
        serde_json::to_writer(&mut out, &Summary::new(header, tally, sprt))?;
        writeln!(out)?;
    } else {
        writeln!(out, "{}", table::result(header, tally, sprt))?;
    }
    Ok(())
}

/// Says which pairs logs do not have, as a shard that was forgotten.
fn tell_missing(pairs: &[u64]) {
    if !pairs.is_empty() {
        let numbers: Vec<_> = pairs.iter().take(MOST_TOLD).map(ToString::to_string).collect();
        let more = if pairs.len() > MOST_TOLD { ", ..." } else { "" };
        eprintln!("millstone: {} pairs are missing: {}{more}", pairs.len(), numbers.join(", "));
    }
}

fn parse_seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok().filter(|seconds| (0.0..=86_400.0).contains(seconds));
    seconds.ok_or_else(|| "expected seconds from 0 to 86400".to_owned())
}
