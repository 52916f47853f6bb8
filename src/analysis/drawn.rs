//! Puzzles drawn at random from a tablebase.

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

use super::puzzle::{Puzzle, Wanted};
use crate::quote::quote;
use crate::rules::RuleSet;
use crate::search::Engine;
use crate::tablebase::{SectorFile, Tablebase};

/// The size of the transposition table of an engine that grades puzzles, in MiB.
pub const TABLE_SIZE: usize = 4;
/// How many positions are drawn for each puzzle before the search for it is given up.
pub const MOST_DRAWN: usize = 20_000;
/// The fewest men on the board of the sectors that are taken if none is named, unless the game has fewer.
const FEWEST_MEN: usize = 7;

/// Draws positions from a sector, or from all with men enough: each call gives a puzzle if it has drawn one
/// that is wanted, graded by the engine.
pub fn draw<'a>(
    rules: &'a RuleSet,
    tablebase: &'a Tablebase,
    sector: Option<&str>,
    wanted: Wanted,
    seed: u64,
    engine: &'a mut Engine,
) -> Result<impl FnMut() -> Option<Puzzle> + use<'a>, String> {
    let sectors = sectors(tablebase, sector)?;
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    Ok(move || Puzzle::draw(rules, &sectors, tablebase, &wanted, engine, &mut random))
}

/// The sectors from which puzzles are drawn, by phase: the one that is wanted, else those with men enough of which
/// every move is known.
fn sectors<'a>(
    tablebase: &'a Tablebase,
    wanted: Option<&str>,
) -> Result<Vec<Vec<&'a SectorFile>>, String> {
    // The last two men are in hand when the game may have its first puzzles.
    let fewest = FEWEST_MEN.min(tablebase.game().men() - 2);
    let is_wanted = |file: &&SectorFile| {
        let sector = file.sector();
        let is_there = |after| tablebase.source(after, false).is_some();
        let has_next = || tablebase.game().leads_to(sector).into_iter().all(is_there);
        wanted.map_or_else(
            || sector.men() >= fewest && has_next(),
            |wanted| sector.to_string() == wanted,
        )
    };
    let files = tablebase.files().filter(is_wanted);
    let (placing, moving): (Vec<_>, Vec<_>) = files.partition(|file| file.sector().is_placing());
    let phases: Vec<_> =
        [placing, moving].into_iter().filter(|sectors| !sectors.is_empty()).collect();
    match (phases.is_empty(), wanted) {
        (false, _) => Ok(phases),
        (true, Some(wanted)) => Err(format!("the tablebase has no sector '{}'", quote(wanted))),
        (true, None) => Err("the tablebase has no sector with enough men".to_owned()),
    }
}
