//! The `position` command, and positions and moves in the notation of each dialect.

use std::fmt;

use super::command::{Command, Dialect, Error};
use super::gbgp::{self, GbgpPosition, POS_WORD};
use super::options::Options;
use crate::game::Game;
use crate::position::{FEN_WORD, MOVES_WORD, Move, MoveLine, START_WORD, Turn};

/// The arguments of `position`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The dialect in which they are written.
    pub dialect: Dialect,
    /// The position text before the moves; `None` for the start position.
    pub start: Option<String>,
    /// The moves, one ply each or whole turns.
    pub moves: Vec<String>,
}

impl Setup {
    /// Parses the arguments of `position`.
    ///
    /// # Errors
    ///
    /// If they do not begin with a position. The moves are not checked.
    pub fn parse(text: &str, dialect: Dialect) -> Result<Self, Error> {
        let text_word = text_word(dialect);
        let position = Command::Position.word(dialect);
        let after = |word: &str| format!("{position} {word}");
        let words: Vec<&str> = text.split_whitespace().collect();
        let at = words.iter().position(|&word| word == MOVES_WORD).unwrap_or(words.len());
        let (start, moves) = words.split_at(at);
        let expected = format!("{START_WORD} or {text_word}");
        let start = match start {
            [START_WORD] => Ok(None),
            [START_WORD, junk, ..] => Err(Error::argument(after(START_WORD), MOVES_WORD, junk)),
            [word] if *word == text_word => {
                Err(Error::argument(after(word), "a position text", ""))
            }
            [word, text @ ..] if *word == text_word => Ok(Some(text.join(" "))),
            other => Err(Error::argument(position, expected, &other.join(" "))),
        }?;
        let moves = moves.iter().skip(1).map(|&mv| mv.to_owned()).collect();
        Ok(Self { dialect, start, moves })
    }

    /// The game, or an error in the text or the first bad move.
    pub(super) fn game(&self, options: &Options) -> Result<Game, Error> {
        let refused = |reason: &dyn fmt::Display| Command::Position.refused(self.dialect, reason);
        let text = match (&self.start, self.dialect) {
            (Some(text), Dialect::Gbgp) => {
                Some(text.parse::<GbgpPosition>()?.text(&options.rules)?)
            }
            (start, _) => start.clone(),
        };
        let game = Game::begin(text.as_deref(), options.rules, options.draw_rules);
        let mut game = game.map_err(|error| refused(&error))?;
        for (number, word) in (1..).zip(&self.moves) {
            let played = match self.dialect {
                Dialect::Uci => play(&mut game, word),
                Dialect::Gbgp => gbgp::play(&mut game, word),
            };
            played.map_err(|reason| refused(&format_args!("move {number}: {reason}")))?;
        }
        Ok(game)
    }
}

impl fmt::Display for Setup {
    /// Writes the arguments as they are parsed.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.start {
            None => f.write_str(START_WORD)?,
            Some(text) => write!(f, "{} {text}", text_word(self.dialect))?,
        }
        let moves = MoveLine(&self.moves);
        if self.moves.is_empty() { Ok(()) } else { write!(f, " {MOVES_WORD}{moves}") }
    }
}

/// The word before a position text.
const fn text_word(dialect: Dialect) -> &'static str {
    [FEN_WORD, POS_WORD][dialect as usize]
}

/// A new game.
pub(super) fn start_game(options: &Options) -> Game {
    Game::start(options.rules, options.draw_rules)
}

/// Plays a move, or returns what is wrong with it.
fn play(game: &mut Game, word: &str) -> Result<(), String> {
    let legal = || format!("; legal moves:{}", MoveLine(&game.moves()));
    let mv: Move = word.parse().map_err(|error| format!("{error}{}", legal()))?;
    game.play(mv).map_err(|error| error.to_string())
}

/// The position of a game as text.
pub(super) fn text(dialect: Dialect, game: &Game) -> String {
    match dialect {
        Dialect::Uci => game.text().to_string(),
        Dialect::Gbgp => GbgpPosition::of(game).to_string(),
    }
}

/// The legal moves: plies in the UCI dialect, whole turns in GBGP.
pub(super) fn legal_moves(dialect: Dialect, game: &Game) -> Vec<Turn> {
    match dialect {
        Dialect::Uci => game.moves().into_iter().map(Turn::from).collect(),
        Dialect::Gbgp => gbgp::legal_turns(game),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_written_as_they_are_read() {
        for (text, dialect) in [
            ("startpos", Dialect::Uci),
            ("startpos moves d6 xa1", Dialect::Uci),
            ("fen ********/********/******** w p p 0 9 0 9 moves d6", Dialect::Uci),
            ("pos w:w:b:1 moves d6-f6xa1 b4", Dialect::Gbgp),
        ] {
            assert_eq!(Setup::parse(text, dialect).unwrap().to_string(), text);
        }
    }

    #[test]
    fn help_names_the_words() {
        for dialect in Dialect::ALL {
            let usage = Command::Position.spec().arguments[dialect as usize];
            let expected = format!("{START_WORD}|{} TEXT [{MOVES_WORD} ...]", text_word(dialect));
            assert_eq!(usage, expected);
        }
    }

    #[test]
    fn mistakes_are_named() {
        for (text, message) in [
            ("", "position: expected startpos or fen, found nothing"),
            ("start", "position: expected startpos or fen, found 'start'"),
            ("pos w:w:b:1", "position: expected startpos or fen, found 'pos w:w:b:1'"),
            ("startpos a4", "position startpos: expected moves, found 'a4'"),
            ("fen moves a4", "position fen: expected a position text, found nothing"),
        ] {
            let error = Setup::parse(text, Dialect::Uci).unwrap_err().to_string();
            assert_eq!(error, message);
        }
    }
}
