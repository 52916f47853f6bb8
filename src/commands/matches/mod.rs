//! `millstone match`: which of two engines is stronger, and by how much.

mod arguments;
mod openings;
mod play;
mod result;

use std::time::Duration;

use millstone::matches::{self, Contents, MatchSettings, Tally};
use millstone::rules::RuleSet;

use super::{CommandResult, complain};
pub use arguments::Arguments;
use arguments::Words;
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
        openings: openings::choose(playing, rules)?,
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
