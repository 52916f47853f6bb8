//! `millstone rules`: the named games and their rules.

use std::io::{self, Write};
use std::iter;

use millstone::rules::{PRESETS, Preset, Rule, RuleSet};
use serde::Serialize;

use super::arguments::GameParser;
use super::{CommandResult, json, terminal};

/// List the games, or say the rules of one.
///
/// The list says of which games millstone db build can make a tablebase.
#[derive(clap::Args)]
#[command(after_long_help = rules_help())]
pub struct Arguments {
    /// Game whose rules to say, as with --variant
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
    /// Whether it can be solved: its positions are men, hands and the side to move.
    tablebase: bool,
    /// What distinguishes the game from Nine Men's Morris.
    rules: String,
}

impl Row {
    fn of(Preset { name, rules }: &Preset) -> Self {
        let (identity, tablebase) = (rules.identity().to_string(), rules.check_solvable().is_ok());
        Self { game: name, identity, tablebase, rules: rules.summary() }
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
    let intro = "Rules by their keys, as KEY=VALUE in game records and match logs, and by their \
                 protocol options:\n";
    let rules = Rule::all().map(|rule| {
        let Rule { key, option, values, .. } = rule;
        format!("\n{key}={}\n    {option}: {}\n", values.words(), rule.help())
    });
    iter::once(intro.to_owned()).chain(rules).collect()
}

/// Prints the table or the rules.
pub fn run(arguments: &Arguments, variant: Option<&RuleSet>) -> CommandResult {
    let mut out = io::stdout().lock();
    match (arguments.game.as_ref().or(variant), arguments.format.json) {
        (Some(rules), true) => json::write(&mut out, &Page::of(rules))?,
        (Some(rules), false) => {
            let Page { game, identity, sentences } = Page::of(rules);
            writeln!(out, "{game} ({identity})\n\n{}", sentences.join("\n"))?;
        }
        (None, true) => {
            PRESETS.iter().try_for_each(|preset| json::write(&mut out, &Row::of(preset)))?;
        }
        (None, false) => {
            let rows = PRESETS.iter().map(Row::of);
            let rows = rows.map(|Row { game, identity, tablebase, rules }| {
                let tablebase = if tablebase { "yes" } else { "no" };
                [game.to_owned(), identity, tablebase.to_owned(), rules]
            });
            let titles = ["<game", "<identity", "<tablebase", "<rules"];
            writeln!(out, "{}", terminal::table(&titles, rows))?;
        }
    }
    Ok(())
}
