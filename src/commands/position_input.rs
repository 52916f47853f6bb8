//! A position as people give it to a subcommand.

use millstone::game::{Game, History};
use millstone::position::{FEN_WORD, MOVES_WORD, POSITION_WORD, START_WORD, Turn};
use millstone::rules::{DrawRules, RuleSet};

/// Reads a position with the moves that lead to it: `startpos` or position text, perhaps after
/// `position` or `fen`, then `moves` and moves or whole turns.
pub fn read(line: &str, rules: &RuleSet) -> Result<History, String> {
    let line = without_word(line, POSITION_WORD);
    let line = without_word(line, FEN_WORD);
    let (start, moves) = line.split_once(&format!(" {MOVES_WORD}")).unwrap_or((line, ""));
    let start = Some(start.trim_end()).filter(|start| *start != START_WORD);
    let start = Game::begin(start, *rules, DrawRules::default());
    let mut history = History::from(start.map_err(|error| error.to_string())?);
    let turns: Result<Vec<Turn>, _> = moves.split_whitespace().map(str::parse).collect();
    for &mv in turns.map_err(|error| error.to_string())?.iter().flat_map(Turn::moves) {
        history.play(mv).map_err(|error| error.to_string())?;
    }
    Ok(history)
}

/// A line without a word that it may begin with.
fn without_word<'a>(line: &'a str, word: &str) -> &'a str {
    let rest = line.strip_prefix(word).and_then(|rest| rest.strip_prefix(' '));
    rest.unwrap_or(line).trim_start()
}
