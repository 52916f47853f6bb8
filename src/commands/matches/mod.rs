//! `millstone match`: which of two engines is stronger, and by how much.

mod arguments;
mod play;
mod result;

use std::error::Error;
use std::time::Duration;

use millstone::game::History;
use millstone::matches::{self, Contents, MatchSettings, Openings, Tally, opening};
use millstone::records::{GameRecord, ReadError};
use millstone::rules::RuleSet;

use super::{CommandResult, complain, reading};
pub use arguments::Arguments;
use arguments::{Playing, Words};
use play::Collection;

/// The most missing pairs that are listed.
const MAX_MISSING: usize = 10;

/// Plays a match or merges logs, and prints the result.
pub fn run(arguments: &Arguments, rules: &RuleSet) -> CommandResult {
    let Arguments { words: Words { engines, sprt }, playing, records, merge, json } = arguments;
    if let Some(paths) = merge {
        let contents = matches::merge(paths)?;
        if contents.is_cut {
            complain("ignoring an incomplete last game");
        }
        report_missing(&contents);
        if let Some(path) = records {
            Collection::begin(path, &contents.header, &contents.games)?;
        }
        return result::print(*json, &contents.header, &Tally::of(&contents.games), *sprt);
    }
    let engines = engines.as_deref().ok_or("give --engine twice, or --merge")?;
    let settings = MatchSettings {
        engines: engines.clone(),
        rules: *rules,
        seed: playing.seed,
        openings: choose_openings(playing, rules)?,
        max_plies: playing.max_plies as usize,
        shard: playing.shard,
        games: playing.games,
        patience: Duration::from_secs_f64(playing.patience),
    };
    play::run(arguments, &settings, *sprt)
}

/// Reports missing pairs, as when the log of a shard was forgotten.
fn report_missing(contents: &Contents) {
    let missing = contents.missing_pairs();
    if !missing.is_empty() {
        let numbers: Vec<_> = missing.iter().take(MAX_MISSING).map(u64::to_string).collect();
        let more = if missing.len() > MAX_MISSING { ", ..." } else { "" };
        let (count, numbers) = (missing.len(), numbers.join(", "));
        complain(format_args!("{count} pairs are missing: {numbers}{more}"));
    }
}

/// Random openings or those of a file.
fn choose_openings(playing: &Playing, rules: &RuleSet) -> Result<Openings, Box<dyn Error>> {
    let plies = playing.opening_plies;
    let Some(path) = &playing.openings else {
        let plies = plies.map_or(Openings::RANDOM_PLIES, usize::from);
        return Ok(Openings::Random { plies, seed: playing.seed });
    };
    let place = |error| format!("{}: {error}", path.display());
    let text = reading::text(path, "openings")?.text;
    let plies = plies.map_or(usize::MAX, usize::from);
    let openings = read_openings(&text, plies, rules).map_err(place)?;
    if openings.is_empty() {
        return Err(place("it has no openings".to_owned()).into());
    }
    Ok(Openings::Listed(openings))
}

/// The openings of a file, or the place of an error in it.
fn read_openings(text: &str, plies: usize, rules: &RuleSet) -> Result<Vec<History>, String> {
    let place = |error: ReadError| format!("{}:{}: {}", error.line, error.column, error.message);
    let records = GameRecord::read_each_by(text, rules).enumerate();
    let openings = records.map(|(index, record)| {
        let record = record.map_err(place)?;
        let opening = if record.rules.canonical() == rules.canonical() {
            let game = record.history().map_err(|error| error.to_string());
            game.and_then(|game| opening(&game, plies))
        } else {
            Err(format!("it is a game of {}, not {}", record.rules.name(), rules.name()))
        };
        opening.map_err(|error| format!("game {}: {error}", index + 1))
    });
    openings.collect()
}
