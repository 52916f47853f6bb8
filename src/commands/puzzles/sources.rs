//! Where puzzles come from: a tablebase, games, or a list of them.

use std::iter;

use millstone::analysis::Puzzle;
use millstone::game::Game;
use millstone::position::text::is_position_text;
use millstone::quote::quote;
use millstone::records::GameRecord;
use millstone::rules::{DrawRules, RuleSet};
use millstone::search::Engine;
use millstone::tablebase::{SectorFile, Tablebase};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

use crate::commands::complain;
use crate::commands::reading::Text;

/// How many positions are drawn for each puzzle before the search for it is given up.
pub const MOST_DRAWN: usize = 20_000;
/// The fewest men on the board of the sectors that are taken if none is named, unless the game has fewer.
const FEWEST_MEN: usize = 7;

/// Puzzles, each found when it is asked for.
pub type Puzzles<'a> = Box<dyn Iterator<Item = Puzzle> + 'a>;

/// Draws positions from a sector, or from all with men enough: each call gives a puzzle if it has drawn one,
/// graded by the engine.
pub fn draw<'a>(
    rules: &'a RuleSet,
    tablebase: &'a Tablebase,
    sector: Option<&str>,
    seed: u64,
    engine: &'a mut Engine,
) -> Result<impl FnMut() -> Option<Puzzle> + use<'a>, String> {
    let sectors = sectors(tablebase, sector)?;
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    Ok(move || Puzzle::draw(rules, &sectors, tablebase, engine, &mut random))
}

/// The puzzles of a list, or those in games; a game that cannot be read is reported and left out.
pub fn read<'a>(
    source: &'a Text,
    rules: &'a RuleSet,
    tablebase: &'a Tablebase,
    engine: &'a mut Engine,
) -> Result<Puzzles<'a>, String> {
    let Text { name, text } = source;
    let lines = || (1..).zip(text.lines()).filter(|(_, line)| is_puzzle(line));
    if lines().next().is_some() {
        let read = |(number, line)| {
            let puzzle = Puzzle::from_text(line, rules);
            puzzle.map_err(|error| format!("{name}:{number}: {error}"))
        };
        let puzzles: Vec<Puzzle> = lines().map(read).collect::<Result<_, String>>()?;
        return Ok(Box::new(puzzles.into_iter()));
    }
    let games = GameRecord::read_each_by(text, rules)
        .filter_map(move |record| record.inspect_err(|error| complain(source.at(error))).ok());
    let is_known = |record: &GameRecord| record.rules == *rules;
    let positions = games.filter(is_known).flat_map(|record| positions(&record));
    Ok(Box::new(positions.filter_map(|game| Puzzle::of(&game, tablebase, engine))))
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

/// Whether a line is one of a list of puzzles.
fn is_puzzle(line: &str) -> bool {
    line.matches(';').count() == 3 && line.split(';').next().is_some_and(is_position_text)
}

/// A game before each of its moves.
fn positions(record: &GameRecord) -> impl Iterator<Item = Game> + use<> {
    let game = Game::begin(record.start.as_deref(), record.rules, DrawRules::default()).ok();
    let mut moves = record.moves().collect::<Vec<_>>().into_iter();
    iter::successors(game, move |game| {
        let mut after = game.clone();
        after.play(moves.next()?).ok()?;
        Some(after)
    })
}
