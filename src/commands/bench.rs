//! `millstone bench` and `millstone perft`: count the nodes of searches and the leaves of the game tree.

use std::io::{self, Write};

use millstone::bench;
use millstone::game::Game;
use millstone::perft::{self, Count, CountTable, Perft};
use millstone::position::text::GRAMMAR;
use millstone::position::{Move, Position};
use millstone::rules::{DrawRules, RuleSet, Rules};
use millstone::search::{MAX_DEPTH, MAX_THREADS, Silent};
use serde_json::json;

use super::{CommandResult, Format, start_threads};

/// Search a fixed set of positions and print speed and node count.
///
/// The node count is a signature of the engine's play: it is the same on every run and every machine,
/// and changes only when the engine plays differently.
#[derive(clap::Args)]
pub struct Arguments {
    /// Depth of each search
    #[arg(default_value_t = bench::DEPTH)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_DEPTH)))]
    depth: u32,
    #[command(flatten)]
    format: Format,
}

/// Searches and prints.
pub fn run(arguments: &Arguments, rules: &RuleSet) -> CommandResult {
    let summary = bench::run(rules, arguments.depth, &mut Silent)?;
    let json = json!({
        "positions": summary.positions,
        "depth": summary.depth,
        "seconds": summary.time.as_secs_f64(),
        "nodes_per_second": summary.rate(),
        "nodes": summary.nodes,
    });
    Ok(arguments.format.write(&json, summary)?)
}

/// Count the leaves of the game tree, ply by ply.
///
/// Each placement, slide and removal is a ply. Games that end before the last ply are not counted;
/// repetition and the n-move rule are ignored.
#[derive(clap::Args)]
#[command(after_long_help = format!("Position text:\n\n{GRAMMAR}"))]
pub struct PerftArguments {
    /// Plies to count to
    #[arg(value_parser = clap::value_parser!(u32).range(1..=i64::from(perft::MAX_DEPTH)))]
    depth: u32,
    /// Position to start from, as position text or MFEN [default: the start position]
    #[arg(long, value_name = "TEXT")]
    fen: Option<String>,
    /// At the last depth, show the count below each move
    #[arg(long)]
    split: bool,
    /// Cache counts in a table of this size
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..))]
    hash: Option<u32>,
    /// Threads to share the work
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=MAX_THREADS as i64))]
    threads: u16,
    /// Play the last ply instead of counting its moves
    #[arg(long)]
    no_bulk: bool,
    #[command(flatten)]
    format: Format,
}

/// Counts and prints.
pub fn run_perft(arguments: &PerftArguments, rules: &RuleSet) -> CommandResult {
    let game = Game::begin(arguments.fen.as_deref(), *rules, DrawRules::OFF)?;
    match game.position().to_standard() {
        Some(position) => perft_from(arguments, &position),
        None => perft_from(arguments, game.position()),
    }
}

fn perft_from<R: Rules>(arguments: &PerftArguments, position: &Position<R>) -> CommandResult {
    start_threads(arguments.threads)?;
    let table = arguments.hash.map(|mebibytes| CountTable::new(mebibytes as usize)).transpose()?;
    let perft = Perft { plays_last: arguments.no_bulk, table: table.as_ref(), ..Perft::default() };
    if !arguments.format.json {
        writeln!(io::stdout(), "{}", Count::TITLE)?;
    }
    for depth in 1..=arguments.depth {
        let mut parts = Vec::new();
        let row = Count::of(depth, || {
            parts = perft.split(position, depth);
            parts.iter().fold(0, |sum, (_, leaves)| sum.saturating_add(*leaves))
        });
        let leaves = Count::known(row.leaves);
        let (seconds, rate) = (row.time.as_secs_f64(), leaves.map(|_| row.rate()));
        let mut json = json!({"depth": depth, "leaves": leaves, "seconds": seconds, "leaves_per_second": rate});
        let mut text = row.to_string();
        if arguments.split && depth == arguments.depth {
            let part =
                |(mv, leaves): &(Move, u64)| json!({"move": mv, "leaves": Count::known(*leaves)});
            json["split"] = parts.iter().map(part).collect();
            let rows = parts.iter().map(|(mv, leaves)| format!("\n{mv}: {}", Count::word(*leaves)));
            text.extend(rows);
        }
        arguments.format.write(&json, text)?;
    }
    Ok(())
}
