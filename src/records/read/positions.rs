//! Games as `position` commands of the protocol, or as lists of moves, one a line.

use std::mem;

use super::is_remark;
use super::word::play_turn;
use crate::position::Position;
use crate::quote::quote;
use crate::records::branch::{Branch, say};
use crate::records::{GameResult, ReadError, Record};
use crate::rules::RuleSet;

/// Reads the game of each line; a remark in a line of its own belongs to the next game.
pub(super) fn read(text: &str, usual: &RuleSet) -> Result<Vec<Record>, ReadError> {
    let mut records: Vec<Record> = Vec::new();
    let mut comment = String::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if let Some(remark) = line.trim().strip_prefix(';') {
            say(&mut comment, remark.trim());
        } else if !line.trim().is_empty() && !is_remark(line.trim()) {
            let game = Words::of(line).read_game(usual, mem::take(&mut comment));
            records.push(game.map_err(|fault| ReadError::at(text, at + fault.at, fault.message))?);
        }
        at += line.len();
    }
    if let Some(last) = records.last_mut() {
        say(last.line.end_comment(), &comment);
    }
    Ok(records)
}

/// What is wrong at which byte of a line.
struct Fault {
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

    fn read_game(mut self, usual: &RuleSet, comment: String) -> Result<Record, Fault> {
        let mut record = Record::new(*usual, None, &[], GameResult::Unknown);
        let is_command = self.take("position");
        let is_from_start = self.take("startpos");
        let is_from_text = !is_from_start && self.take("fen");
        let position =
            if is_from_text { self.read_start(&mut record)? } else { Position::start(*usual) };
        let names_start = is_from_start || is_from_text;
        if is_command && !names_start {
            return Err(self.unexpected("startpos or fen"));
        }
        let has_moves = self.next < self.found.len();
        if names_start && has_moves && !self.take("moves") {
            return Err(self.unexpected("moves"));
        }
        let mut branch = Branch::main(position, comment);
        for (at, word) in self.found.drain(self.next..) {
            play_turn(&mut branch, word).map_err(|message| Fault { at, message })?;
        }
        record.line = branch.into_line();
        Ok(record)
    }

    /// Reads a position text up to the word `moves`.
    fn read_start(&mut self, record: &mut Record) -> Result<Position<RuleSet>, Fault> {
        let at = self.place();
        let rest = &self.found[self.next..];
        self.next += rest.iter().take_while(|(_, word)| *word != "moves").count();
        let text = &self.line[at..self.place()];
        record.set_start(text).map_err(|error| Fault { at, message: error.to_string() })
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

    fn unexpected(&self, expected: &str) -> Fault {
        let found = self.found.get(self.next);
        let found = found
            .map_or("the end of the line".to_owned(), |(_, word)| format!("'{}'", quote(word)));
        Fault { at: self.place(), message: format!("expected {expected}, found {found}") }
    }
}
