//! `millstone rules`: the named games and their rules.

use std::io::{self, Write};
use std::time::Duration;
use std::{iter, thread};

use indicatif::{DecimalBytes, HumanDuration};
use millstone::rules::{PRESETS, Preset, Rule, RuleSet};
use millstone::tablebase::{JobGraph, Solvable};
use serde::Serialize;

use super::arguments::GameParser;
use super::{CommandResult, json, terminal};

/// List the games, or explain the rules of one.
///
/// The list says which games millstone db build can solve, how many positions they have (symmetric ones
/// counted once), and about how much disk and time that takes with all processors of this machine.
#[derive(clap::Args)]
#[command(after_long_help = rules_help())]
pub struct Arguments {
    /// Game to explain, as with --variant
    #[arg(value_name = "GAME", value_parser = GameParser, hide_possible_values = true)]
    game: Option<RuleSet>,
    #[command(flatten)]
    format: json::Format,
}

/// A row of the table.
#[derive(Serialize)]
struct Row {
    game: &'static str,
    identity: String,
    /// What its tablebase takes, if it can be solved: its positions are men, hands and the side to move.
    tablebase: Option<Size>,
    /// What distinguishes the game from Nine Men's Morris.
    rules: String,
}

/// What a tablebase takes.
#[derive(Serialize)]
struct Size {
    positions: u64,
    disk_bytes: u64,
    seconds: f64,
}

impl Row {
    fn of(Preset { name, rules }: &Preset, threads: usize) -> Self {
        let tablebase = Solvable::of(rules).ok().map(|game| {
            let graph = JobGraph::new(game, |_| true);
            let seconds = graph.time(threads).as_secs_f64();
            Size { positions: graph.positions(), disk_bytes: graph.disk(), seconds }
        });
        Self {
            game: name,
            identity: rules.identity().to_string(),
            tablebase,
            rules: rules.summary(),
        }
    }

    fn cells(self) -> [String; 6] {
        let Self { game, identity, tablebase, rules } = self;
        let [positions, disk, time] = match tablebase {
            Some(Size { positions, disk_bytes, seconds }) => [
                format!("{:.1} billion", positions as f64 / 1e9),
                DecimalBytes(disk_bytes).to_string(),
                HumanDuration(Duration::from_secs_f64(seconds)).to_string(),
            ],
            None => ["none".to_owned(), String::new(), String::new()],
        };
        [game.to_owned(), identity, positions, disk, time, rules]
    }
}

/// All rules of a game.
#[derive(Serialize)]
struct Page {
    game: String,
    identity: String,
    sentences: Vec<String>,
}

impl Page {
    fn of(rules: &RuleSet) -> Self {
        let sentences = rules.sentences().lines().map(str::to_owned).collect();
        Self { game: rules.name(), identity: rules.identity().to_string(), sentences }
    }
}

/// The key and the values of each rule.
fn rules_help() -> String {
    let intro =
        "Rules as game records and match logs name them, KEY=VALUE, and as protocol options:\n";
    let rules = Rule::all().map(|rule| {
        let Rule { key, option, values, .. } = rule;
        format!("\n{key}={}\n    {option}: {}\n", values.words(), rule.help())
    });
    iter::once(intro.to_owned()).chain(rules).collect()
}

/// Prints the table or the rules.
pub fn run(arguments: &Arguments, variant: Option<&RuleSet>) -> CommandResult {
    let mut out = io::stdout().lock();
    let threads = thread::available_parallelism()?.get();
    let mut rows = PRESETS.iter().map(|preset| Row::of(preset, threads));
    match (arguments.game.as_ref().or(variant), arguments.format.json) {
        (Some(rules), true) => json::write(&mut out, &Page::of(rules))?,
        (Some(rules), false) => {
            let Page { game, identity, sentences } = Page::of(rules);
            writeln!(out, "{game} ({identity})\n\n{}", sentences.join("\n"))?;
        }
        (None, true) => rows.try_for_each(|row| json::write(&mut out, &row))?,
        (None, false) => {
            let titles = ["<game", "<identity", "positions", "disk", "time", "<rules"];
            writeln!(out, "{}", terminal::table(&titles, rows.map(Row::cells)))?;
        }
    }
    Ok(())
}
