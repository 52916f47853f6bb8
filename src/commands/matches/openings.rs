//! The openings that the command line asks for.

use std::error::Error;
use std::fs;
use std::path::Path;

use millstone::matches::{Opening, Openings};
use millstone::rules::RuleSet;

use super::Arguments;

/// The length of random openings without a wish.
const RANDOM_PLIES: u16 = 6;

/// Random openings, or those of a file.
pub fn choose(arguments: &Arguments, rules: &RuleSet) -> Result<Openings, Box<dyn Error>> {
    let plies = arguments.opening_plies;
    let Some(path) = &arguments.openings else {
        let plies = plies.unwrap_or(RANDOM_PLIES).into();
        return Ok(Openings::Random { plies, seed: arguments.seed });
    };
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let openings = read(&text, path, rules)?;
    let cut = |opening: Opening| match plies {
        Some(plies) => opening.cut(plies.into()),
        None => opening,
    };
    Ok(Openings::Listed(openings.into_iter().map(cut).collect()))
}

fn read(text: &str, path: &Path, rules: &RuleSet) -> Result<Vec<Opening>, String> {
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let openings: Result<Vec<_>, _> = lines
        .map(|(number, line)| {
            let at = |error| format!("{}: line {number}: {error}", path.display());
            Opening::parse(line, rules).map_err(at)
        })
        .collect();
    match openings? {
        openings if openings.is_empty() => {
            Err(format!("{}: expected an opening, found nothing", path.display()))
        }
        openings => Ok(openings),
    }
}
