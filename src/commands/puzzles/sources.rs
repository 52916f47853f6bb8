//! Puzzles of games, or of a list of them.

use std::iter;

use millstone::analysis::Puzzle;
use millstone::game::Game;
use millstone::position::text::is_position_text;
use millstone::records::GameRecord;
use millstone::rules::{DrawRules, RuleSet};
use millstone::search::Engine;
use millstone::tablebase::Tablebase;

use crate::commands::complain;
use crate::commands::reading::Text;

/// Puzzles, each found when it is asked for.
pub type Puzzles<'a> = Box<dyn Iterator<Item = Puzzle> + 'a>;

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
