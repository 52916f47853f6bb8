//! A position as people give it to a subcommand.

use millstone::game::Game;
use millstone::position::{FEN_WORD, MOVES_WORD, Move, POSITION_WORD, START_WORD, Turn};
use millstone::records::GameRecord;
use millstone::rules::{DrawRules, RuleSet};

/// A position with the moves that led to it.
pub struct PositionInput {
    /// The position text that the moves begin at, if it is not the start position.
    start: Option<String>,
    moves: Vec<Move>,
    /// The game after the moves.
    pub game: Game,
}

impl PositionInput {
    /// Reads a position: `startpos` or position text, perhaps after `position` or `fen`, then `moves`
    /// and moves or whole turns.
    pub fn parse(line: &str, rules: &RuleSet) -> Result<Self, String> {
        let line = without_word(line, POSITION_WORD);
        let line = without_word(line, FEN_WORD);
        let (start, moves) = line.split_once(&format!(" {MOVES_WORD}")).unwrap_or((line, ""));
        let start = (start.trim_end() != START_WORD).then(|| start.trim_end().to_owned());
        let mut game = Game::begin(start.as_deref(), *rules, DrawRules::default())
            .map_err(|error| error.to_string())?;
        let turns: Result<Vec<Turn>, _> = moves.split_whitespace().map(str::parse).collect();
        let turns = turns.map_err(|error| error.to_string())?;
        let moves: Vec<Move> = turns.iter().flat_map(Turn::moves).copied().collect();
        for &mv in &moves {
            game.play(mv).map_err(|error| error.to_string())?;
        }
        Ok(Self { start, moves, game })
    }

    /// The game that led to the position.
    pub fn into_record(self) -> GameRecord {
        let rules = *self.game.rules();
        GameRecord::new(rules, self.start, &self.moves, self.game.outcome().into())
    }
}

/// A line without a word that it may begin with.
fn without_word<'a>(line: &'a str, word: &str) -> &'a str {
    let rest = line.strip_prefix(word).and_then(|rest| rest.strip_prefix(' '));
    rest.unwrap_or(line).trim_start()
}
