//! The openings of a match.

use std::error::Error;

use millstone::game::History;
use millstone::matches::{Openings, opening};
use millstone::records::{GameRecord, ReadError};
use millstone::rules::RuleSet;

use super::arguments::Playing;
use crate::commands::reading;

/// Random openings or those of a file.
pub fn choose(playing: &Playing, rules: &RuleSet) -> Result<Openings, Box<dyn Error>> {
    let plies = playing.opening_plies;
    let Some(path) = &playing.openings else {
        let plies = plies.map_or(Openings::RANDOM_PLIES, usize::from);
        return Ok(Openings::Random { plies, seed: playing.seed });
    };
    let place = |error| format!("{}: {error}", path.display());
    let text = reading::text(path, "openings")?.text;
    let plies = plies.map_or(usize::MAX, usize::from);
    let openings = read(&text, plies, rules).map_err(place)?;
    if openings.is_empty() {
        return Err(place("it has no openings".to_owned()).into());
    }
    Ok(Openings::Listed(openings))
}

/// The openings of a file, or the place of an error in it.
fn read(text: &str, plies: usize, rules: &RuleSet) -> Result<Vec<History>, String> {
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
