//! `millstone rules`: the named games and their rules.

use std::thread;

use indicatif::{DecimalBytes, HumanDuration};
use millstone::rules::{PRESETS, Preset, Rule, RuleSet};
use millstone::tablebase::{JobGraph, Solvable};
use serde_json::{Value, json};

use super::arguments::GameParser;
use super::{CommandResult, Format, ensure};

/// List the games, or explain the rules of one.
///
/// The list shows which games millstone db build can solve, how many positions they have (symmetric ones
/// counted once), and about how much disk and time it takes with all processors of this machine.
#[derive(clap::Args)]
#[command(after_long_help = rules_help())]
pub struct Arguments {
    /// Game to explain, as with --variant
    #[arg(value_name = "GAME", value_parser = GameParser, hide_possible_values = true)]
    game: Option<RuleSet>,
    #[command(flatten)]
    format: Format,
}

/// The keys and values of all rules.
fn rules_help() -> String {
    let intro =
        "Rules as game records and match logs name them, KEY=VALUE, and as protocol options:\n";
    let rules = Rule::all().map(|rule| {
        let Rule { key, option, values, .. } = rule;
        format!("\n{key}={}\n    {option}: {}\n", values.words(), rule.help())
    });
    intro.to_owned() + &rules.collect::<String>()
}

/// Prints the list of games or the rules of one.
pub fn run(arguments: &Arguments, variant: Option<&RuleSet>) -> CommandResult {
    let is_named_once = arguments.game.is_none() || variant.is_none();
    ensure(is_named_once, "expected GAME or --variant, found both")?;
    if let Some(rules) = arguments.game.as_ref().or(variant) {
        let (game, identity, sentences) = (rules.name(), rules.identity(), rules.sentences());
        let lines: Vec<&str> = sentences.lines().collect();
        let text = format_args!("{game} ({identity})\n\n{}", lines.join("\n"));
        let json = json!({"game": game, "identity": identity, "sentences": lines});
        return Ok(arguments.format.write(&json, text)?);
    }
    let threads = thread::available_parallelism()?.get();
    let titles = ["<game", "<identity", "positions", "disk", "time", "<rules"];
    let rows = PRESETS.iter().map(|preset| row(preset, threads));
    Ok(arguments.format.write_table(titles, rows)?)
}

/// A row of the list, as JSON and as cells: the cost of the game's tablebase, if it can be solved, and the
/// differences from Nine Men's Morris.
fn row(Preset { name, rules }: &Preset, threads: usize) -> (Value, [String; 6]) {
    let (identity, summary) = (rules.identity().to_string(), rules.summary());
    let mut tablebase = Value::Null;
    let [mut positions, mut disk, mut time] = ["none", "", ""].map(str::to_owned);
    if let Ok(game) = Solvable::of(rules) {
        let graph = JobGraph::new(game, |_| true);
        let takes = graph.time(threads);
        tablebase = json!({
            "positions": graph.positions(),
            "disk_bytes": graph.disk(),
            "seconds": takes.as_secs_f64(),
        });
        positions = format!("{:.1} billion", graph.positions() as f64 / 1e9);
        disk = DecimalBytes(graph.disk()).to_string();
        time = HumanDuration(takes).to_string();
    }
    let json =
        json!({"game": name, "identity": identity, "tablebase": tablebase, "rules": summary});
    (json, [name.to_string(), identity, positions, disk, time, summary])
}
