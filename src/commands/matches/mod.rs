//! `millstone match`: which of two engines is stronger, and by how much.

mod arguments;
mod play;
mod result;

use std::time::Duration;

use millstone::game::History;
use millstone::matches::{self, MatchSettings, Openings, Tally, opening};
use millstone::records::{GameRecord, ReadError};
use millstone::rules::RuleSet;

use super::{CommandResult, at, complain, ensure, reading};
pub use arguments::Arguments;
use arguments::{Playing, Words};
use play::Collection;

/// What is said of a log that was cut.
const CUT: &str = "ignoring an incomplete last game";
/// The most missing pairs that are listed.
const MAX_MISSING: usize = 10;

/// Plays a match or merges logs, and prints the result.
pub fn run(arguments: &Arguments, rules: &RuleSet) -> CommandResult {
    let Arguments { words: Words { engines, sprt }, playing, records, merge, json } = arguments;
    if let Some(paths) = merge {
        let contents = matches::merge(paths, &mut |path| complain(at(path)(CUT)))?;
        let missing = contents.missing_pairs();
        if !missing.is_empty() {
            let numbers: Vec<_> = missing.iter().take(MAX_MISSING).map(u64::to_string).collect();
            let more = if missing.len() > MAX_MISSING { ", ..." } else { "" };
            let (count, numbers) = (missing.len(), numbers.join(", "));
            complain(format_args!("{count} pairs are missing: {numbers}{more}"));
        }
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
    play::run(arguments, &settings)
}

/// Random openings or those of a file.
fn choose_openings(playing: &Playing, rules: &RuleSet) -> CommandResult<Openings> {
    let plies = playing.opening_plies;
    let Some(path) = &playing.openings else {
        let plies = plies.map_or(Openings::RANDOM_PLIES, usize::from);
        return Ok(Openings::Random { plies, seed: playing.seed });
    };
    let text = reading::text(path, "openings")?;
    let plies = plies.map_or(usize::MAX, usize::from);
    let read = |(number, record): (usize, Result<GameRecord, ReadError>)| {
        let record = record.map_err(|ReadError { line, column, message }| {
            format!("{}: {line}:{column}: {message}", text.name)
        })?;
        let opening = if record.rules.canonical() == rules.canonical() {
            let game = record.history().map_err(|error| error.to_string());
            game.and_then(|game| opening(&game, plies))
        } else {
            Err(format!("it is a game of {}, not {}", record.rules.name(), rules.name()))
        };
        opening.map_err(|error| format!("{}: game {number}: {error}", text.name))
    };
    let records = (1..).zip(GameRecord::read_each_by(&text.text, rules));
    let openings: Vec<History> = records.map(read).collect::<Result<_, _>>()?;
    ensure(!openings.is_empty(), format!("{}: it has no openings", text.name))?;
    Ok(Openings::Listed(openings))
}
