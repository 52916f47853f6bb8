//! `millstone perft`: counting leaves of the game tree.

use std::io::{self, Write};

use millstone::perft::{self, Bulk, Count, CountTable, Hashed, Hooks, Plain};
use millstone::position::text::GRAMMAR;
use millstone::position::{Move, Position};
use millstone::rules::{RuleSet, Rules};

use serde::Serialize;

use super::{CommandResult, json};

/// Count the leaves of the game tree, ply by ply.
///
/// Each placement, slide and removal is a ply. Games that end earlier do not count; repetition and the
/// n-move rule are ignored.
#[derive(clap::Args)]
#[command(after_long_help = format!("Position text:\n\n{GRAMMAR}"))]
pub struct Arguments {
    /// Plies to count to
    #[arg(value_parser = clap::value_parser!(u32).range(1..=i64::from(perft::MAX_DEPTH)))]
    depth: u32,
    /// Position to start from, as position text or MFEN [default: the start position]
    #[arg(long, value_name = "TEXT")]
    fen: Option<String>,
    /// Show the count below each move of the last depth
    #[arg(long)]
    split: bool,
    /// Cache counts in a table of this size
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..))]
    hash: Option<u32>,
    /// Threads to share the work
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=512))]
    threads: u16,
    /// Play the last ply instead of counting its moves
    #[arg(long)]
    no_bulk: bool,
    #[command(flatten)]
    format: json::Format,
}

/// A row as programs read it.
#[derive(Serialize)]
struct Line {
    depth: u32,
    leaves: u64,
    seconds: f64,
    leaves_per_second: f64,
    /// The count below each move, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    split: Option<Vec<Part>>,
}

#[derive(Serialize)]
struct Part {
    #[serde(rename = "move")]
    mv: String,
    leaves: u64,
}

impl Line {
    fn new(row: &Count, split: Option<&[(Move, u64)]>) -> Self {
        let Count { depth, leaves, time } = *row;
        let part = |&(mv, leaves): &(Move, u64)| Part { mv: mv.to_string(), leaves };
        Self {
            depth,
            leaves,
            seconds: time.as_secs_f64(),
            leaves_per_second: row.rate(),
            split: split.map(|split| split.iter().map(part).collect()),
        }
    }
}

/// Counts and prints.
pub fn run(arguments: &Arguments, rules: &RuleSet) -> CommandResult {
    let position = match &arguments.fen {
        Some(text) => Position::from_text(text, *rules)?,
        None => Position::start(*rules),
    };
    match position.to_standard() {
        Some(position) => run_from(arguments, &position),
        None => run_from(arguments, &position),
    }
}

fn run_from<R: Rules>(arguments: &Arguments, position: &Position<R>) -> CommandResult {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(arguments.threads.into()).build()?;
    let table = arguments.hash.map(|mebibytes| CountTable::new(mebibytes as usize)).transpose()?;
    pool.install(|| match (&table, arguments.no_bulk) {
        (None, false) => count(arguments, position, &Bulk),
        (None, true) => count(arguments, position, &Plain),
        (Some(table), false) => count(arguments, position, &Hashed::new(table, Bulk)),
        (Some(table), true) => count(arguments, position, &Hashed::new(table, Plain)),
    })?;
    Ok(())
}

fn count<R, H>(arguments: &Arguments, position: &Position<R>, hooks: &H) -> io::Result<()>
where
    R: Rules,
    H: Hooks<R> + Clone + Send + Sync,
{
    let mut out = io::stdout().lock();
    let is_json = arguments.format.json;
    if !is_json {
        writeln!(out, "{}", Count::TITLE)?;
    }
    for depth in 1..=arguments.depth {
        let mut split = Vec::new();
        let row = Count::of(depth, || {
            split = perft::split(position, depth, hooks);
            split.iter().map(|(_, leaves)| leaves).sum()
        });
        let split = (arguments.split && depth == arguments.depth).then_some(&split[..]);
        if is_json {
            json::write(&mut out, &Line::new(&row, split))?;
        } else {
            writeln!(out, "{row}")?;
            let mut split = split.unwrap_or_default().iter();
            split.try_for_each(|(mv, leaves)| writeln!(out, "{mv}: {leaves}"))?;
        }
    }
    Ok(())
}
