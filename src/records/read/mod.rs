//! Reading games in any notation.

mod games;
mod moves;
mod tokens;

use std::mem;

use super::error::ReadError;
use super::record::{GameRecord, GameResult, with_plain_line_ends};
use crate::position::{FEN_WORD, MOVES_WORD, POSITION_WORD, Position, START_WORD};
use crate::quote::quote;
use crate::rules::RuleSet;
use moves::{MovesBuilder, add_comment};

impl GameRecord {
    /// Reads all games of a text in any notation; games without a `Variant` tag are games of Nine
    /// Men's Morris.
    ///
    /// The [module](crate::records) says what is read.
    ///
    /// # Errors
    ///
    /// The first place where the text cannot be read or a move is illegal.
    pub fn read_all(text: &str) -> Result<Vec<Self>, ReadError> {
        Self::read_all_by(text, &RuleSet::NINE_MENS_MORRIS)
    }

    /// Reads all games of a text; those without a `Variant` tag have the rules `usual`.
    ///
    /// # Errors
    ///
    /// The first place where the text cannot be read or a move is illegal.
    pub fn read_all_by(text: &str, usual: &RuleSet) -> Result<Vec<Self>, ReadError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let text = &*with_plain_line_ends(text);
        let mut lines = text.lines().map(str::trim_start);
        let first = lines.find(|line| !line.is_empty() && !is_comment(line)).unwrap_or_default();
        if first.starts_with(char::is_alphabetic) {
            read_positions(text, usual)
        } else {
            games::read(text, usual)
        }
    }
}

/// The text of bytes in UTF-8.
///
/// # Errors
///
/// Line and column of the first byte that is not UTF-8.
pub fn decode(bytes: Vec<u8>) -> Result<String, ReadError> {
    String::from_utf8(bytes).map_err(|error| {
        let (before, rest) = error.as_bytes().split_at(error.utf8_error().valid_up_to());
        let before = with_plain_line_ends(&String::from_utf8_lossy(before));
        let found = match rest {
            [0xff, 0xfe, ..] | [0xfe, 0xff, ..] if before.is_empty() => "UTF-16".to_owned(),
            _ => format!("byte {:#04x}", rest[0]),
        };
        let message = format!("expected text in UTF-8, found {found}");
        ReadError::at(&before, before.len(), message)
    })
}

/// Whether a line outside of a game is a comment or an escape for other programs.
fn is_comment(line: &str) -> bool {
    line.starts_with([';', '%'])
}

/// Reads games as `position` commands of the protocol or lists of moves, one a line; a comment in a
/// line of its own belongs to the next game.
fn read_positions(text: &str, usual: &RuleSet) -> Result<Vec<GameRecord>, ReadError> {
    let mut records: Vec<GameRecord> = Vec::new();
    let mut comment = String::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if let Some(more) = line.trim().strip_prefix(';') {
            add_comment(&mut comment, more.trim());
        } else if !line.trim().is_empty() && !is_comment(line.trim()) {
            let game = Words::of(line).read_game(usual, mem::take(&mut comment));
            records.push(game.map_err(|error| ReadError::at(text, at + error.at, error.message))?);
        }
        at += line.len();
    }
    if let Some(last) = records.last_mut() {
        add_comment(last.main_line.end_comment(), &comment);
    }
    Ok(records)
}

/// What is wrong, and at which byte of a line.
struct WordError {
    at: usize,
    message: String,
}

/// The words of a line, each with the byte where it begins.
struct Words<'a> {
    line: &'a str,
    found: Vec<(usize, &'a str)>,
    next: usize,
}

impl<'a> Words<'a> {
    fn of(line: &'a str) -> Self {
        let mut at = 0;
        let pieces = line.split_inclusive(char::is_whitespace).map(|piece| {
            at += piece.len();
            (at - piece.len(), piece.trim_end())
        });
        let found = pieces.filter(|(_, word)| !word.is_empty()).collect();
        Self { line, found, next: 0 }
    }

    fn read_game(mut self, usual: &RuleSet, comment: String) -> Result<GameRecord, WordError> {
        let mut record = GameRecord::new(*usual, None, &[], GameResult::Unknown);
        let is_command = self.take(POSITION_WORD);
        let is_from_start = self.take(START_WORD);
        let is_from_text = !is_from_start && self.take(FEN_WORD);
        let position =
            if is_from_text { self.read_start(&mut record)? } else { Position::start(*usual) };
        let names_start = is_from_start || is_from_text;
        if is_command && !names_start {
            return Err(self.unexpected(&format!("{START_WORD} or {FEN_WORD}")));
        }
        let has_moves = self.next < self.found.len();
        if names_start && has_moves && !self.take(MOVES_WORD) {
            return Err(self.unexpected(MOVES_WORD));
        }
        let mut moves = MovesBuilder::main(position, comment);
        for (at, word) in self.found.drain(self.next..) {
            moves.play_turn(word).map_err(|message| WordError { at, message })?;
        }
        record.main_line = moves.finish();
        Ok(record)
    }

    /// Reads a position text up to the word `moves`.
    fn read_start(&mut self, record: &mut GameRecord) -> Result<Position<RuleSet>, WordError> {
        let at = self.place();
        let rest = &self.found[self.next..];
        self.next += rest.iter().take_while(|(_, word)| *word != MOVES_WORD).count();
        let text = &self.line[at..self.place()];
        record.set_start(text).map_err(|error| WordError { at, message: error.to_string() })
    }

    /// Goes past the next word if it is this one.
    fn take(&mut self, word: &str) -> bool {
        let is_next = self.found.get(self.next).is_some_and(|(_, next)| *next == word);
        self.next += usize::from(is_next);
        is_next
    }

    /// The byte where the next word begins.
    fn place(&self) -> usize {
        let end = self.line.trim_end().len();
        self.found.get(self.next).map_or(end, |(at, _)| *at)
    }

    fn unexpected(&self, expected: &str) -> WordError {
        let found = self.found.get(self.next);
        let found = found
            .map_or("the end of the line".to_owned(), |(_, word)| format!("'{}'", quote(word)));
        WordError { at: self.place(), message: format!("expected {expected}, found {found}") }
    }
}
