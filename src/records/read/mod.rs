//! Reading games in any notation, and the errors of a text.

mod games;
mod sgf;

use std::borrow::Cow;
use std::fmt;

use super::notation::{ACTIONS_WORD, move_of_action, parse_numbered_turn};
use super::record::{
    AnnotatedMove, AnnotatedMoves, GameRecord, Size, add_comment, play, with_plain_line_ends,
};
use crate::Error;
use crate::position::{
    FEN_WORD, MOVES_WORD, Move, POSITION_WORD, Position, PositionText, START_WORD, Turn,
    is_position_text,
};
use crate::quote::quote;
use crate::rules::RuleSet;

impl GameRecord {
    /// Reads all games of a text in any notation that the [module](crate::records) describes. Without a
    /// `Variant` tag, the rules are Nine Men's Morris.
    ///
    /// # Errors
    ///
    /// The first error or illegal move.
    pub fn read_all(text: &str) -> Result<Vec<Self>, ReadError> {
        Self::read_all_by(text, &RuleSet::NINE_MENS_MORRIS)
    }

    /// Reads all games of a text; without a `Variant` tag, the rules are `usual`.
    ///
    /// # Errors
    ///
    /// The first error or illegal move.
    pub fn read_all_by(text: &str, usual: &RuleSet) -> Result<Vec<Self>, ReadError> {
        Self::read_each_by(text, usual).collect()
    }

    /// Iterates over the games of a text; without a `Variant` tag, the rules are `usual`.
    ///
    /// A game with an error or illegal move yields the error, and reading resumes at the next game.
    pub fn read_each_by<'a>(text: &'a str, usual: &RuleSet) -> Records<'a> {
        let text = with_plain_line_ends(text.strip_prefix('\u{feff}').unwrap_or(text));
        let mut lines = text.lines().map(str::trim_start);
        let first = lines.find(|line| !line.is_empty() && !is_comment(line)).unwrap_or_default();
        let form = if first.starts_with(char::is_alphabetic) || is_position_text(first) {
            Form::Lines
        } else if sgf::is_tree(&text) {
            Form::Trees
        } else {
            Form::Games
        };
        let (at, last_brace) = (text.len() - text.trim_start().len(), text.rfind('}'));
        let line = LineStart::FIRST.last_before(&text, at);
        Records { text, usual: *usual, form, last_brace, open_until: 0, at, line, before: None }
    }
}

/// An iterator over the games of a text.
#[derive(Clone, Debug)]
pub struct Records<'a> {
    text: Cow<'a, str>,
    usual: RuleSet,
    form: Form,
    /// The byte of the last `}`.
    last_brace: Option<usize>,
    /// After an error, braces before this byte are left open.
    open_until: usize,
    /// The byte of the next game, and its line.
    at: usize,
    line: LineStart,
    /// The previous game, held back because a comment at the end of the text belongs to it.
    before: Option<Result<GameRecord, ReadError>>,
}

/// The form of the games in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// A line for each game.
    Lines,
    /// Tags and numbered moves.
    Games,
    /// Trees of nodes, in SGF.
    Trees,
}

/// The next item of a text.
enum Item {
    Game(GameRecord),
    /// The end, possibly after a comment.
    End(String),
}

impl Records<'_> {
    /// The line where the next game begins, from 1.
    #[cfg(feature = "api")]
    pub(crate) const fn line(&self) -> usize {
        self.line.line
    }
}

impl Iterator for Records<'_> {
    type Item = Result<GameRecord, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            self.at = self.text.len() - self.text[self.at..].trim_start().len();
            self.line = self.line.last_before(&self.text, self.at);
            let (begin, last_brace, size) = (self.at, self.last_brace, Size::default());
            let mut input = Cursor { text: &self.text, at: begin, last_brace, size };
            let read = match self.form {
                Form::Lines => input.read_line(&self.usual),
                Form::Games => input.read_tagged(&self.usual),
                Form::Trees => input.read_tree(&self.usual),
            };
            self.at = input.at;
            let game = match read {
                Ok(Item::End(comment)) => {
                    if let Some(Ok(last)) = &mut self.before {
                        add_comment(last.main_line.end_comment(), &comment);
                    }
                    return self.before.take();
                }
                Ok(Item::Game(game)) => Ok(game),
                Err(flaw) => {
                    self.at = match self.form {
                        Form::Lines => line_after(&self.text, flaw.at),
                        Form::Games => self.game_after(flaw.at).max(line_after(&self.text, begin)),
                        Form::Trees => sgf::after_flaw(&self.text, begin),
                    };
                    Err(ReadError::at(&self.text, self.line, flaw))
                }
            };
            if let Some(before) = self.before.replace(game) {
                return Some(before);
            }
        }
    }
}

/// Decodes UTF-8.
///
/// # Errors
///
/// If a byte is invalid; the error names the place of the first one.
pub fn decode(bytes: Vec<u8>) -> Result<String, ReadError> {
    String::from_utf8(bytes).map_err(|error| {
        let (before, rest) = error.as_bytes().split_at(error.utf8_error().valid_up_to());
        let before = String::from_utf8_lossy(before);
        let before = with_plain_line_ends(&before);
        let found = match rest {
            [0xff, 0xfe, ..] | [0xfe, 0xff, ..] if before.is_empty() => "UTF-16".to_owned(),
            _ => format!("byte {:#04x}", rest[0]),
        };
        let message = format!("expected text in UTF-8, found {found}");
        ReadError::at(&before, LineStart::FIRST, Flaw::new(before.len(), message))
    })
}

/// Whether a line between games is a comment or an escape for other programs.
fn is_comment(line: &str) -> bool {
    line.starts_with([';', '%'])
}

/// The byte after the line that contains a byte.
fn line_after(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |end| at + end + 1)
}

/// The place in a text where a game is read.
struct Cursor<'a> {
    text: &'a str,
    /// The byte. It is set to that of a token to put the token back.
    at: usize,
    /// The byte of the last `}` of the text, so that a missing one is not sought repeatedly.
    last_brace: Option<usize>,
    /// The size of the game so far.
    size: Size,
}

impl<'a> Cursor<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Takes characters as long as they belong to a word.
    fn take_while(&mut self, belongs: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c| !belongs(c)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    /// Takes the rest of the line without its end.
    fn take_line(&mut self) -> &'a str {
        self.take_while(|c| c != '\n')
    }

    /// Skips blanks and returns the next character without taking it.
    fn peek(&mut self) -> Option<char> {
        self.take_while(char::is_whitespace);
        self.rest().chars().next()
    }

    /// The next word after blanks; empty at the end.
    fn word(&mut self) -> &'a str {
        self.peek();
        self.rest().split(char::is_whitespace).next().unwrap_or_default()
    }

    /// Skips blanks and takes the next word if it is `word`.
    fn take(&mut self, word: &str) -> bool {
        let is_next = self.word() == word;
        self.at += if is_next { word.len() } else { 0 };
        is_next
    }

    fn unexpected(&self, expected: &str) -> Flaw {
        let line = self.rest().lines().next().unwrap_or_default();
        let found = match line.split_whitespace().next() {
            Some(word) => format!("'{}'", quote(word)),
            None => "the end of the line".to_owned(),
        };
        Flaw::new(self.at, format!("expected {expected}, found {found}"))
    }

    /// Reads the next line with a game: a `position` command or a list of moves, after lines with comments.
    fn read_line(&mut self, usual: &RuleSet) -> Result<Item, Flaw> {
        let mut comment = String::new();
        while self.peek().is_some() {
            let at = self.at;
            let line = self.take_line().trim_end();
            if let Some(more) = line.strip_prefix(';') {
                add_comment(&mut comment, more.trim());
            } else if !is_comment(line) {
                (self.text, self.at) = (&self.text[..at + line.len()], at);
                return self.read_game(usual, comment).map(Item::Game);
            }
        }
        Ok(Item::End(comment))
    }

    /// Reads the game of a line, with which the text ends.
    fn read_game(&mut self, usual: &RuleSet, comment: String) -> Result<GameRecord, Flaw> {
        let mut record = GameRecord { rules: *usual, ..GameRecord::default() };
        let has_actions = self.take(ACTIONS_WORD);
        let start = if has_actions {
            Position::start(*usual).into()
        } else {
            self.read_start(&mut record)?
        };
        let mut moves = MovesBuilder::main(start, comment);
        while self.peek().is_some() {
            let (mut word, at) = (self.word().to_owned(), self.at);
            self.at += word.len();
            if has_actions {
                let position = &moves.now.position;
                let mv = word.parse().ok().and_then(|action| move_of_action(position, action));
                let found = || format!("expected a legal action, found '{}'", quote(&word));
                word = mv.ok_or_else(|| Flaw::new(at, found()))?.to_string();
            }
            moves.play_turn(&word, at, &mut self.size)?;
        }
        record.main_line = moves.played;
        Ok(record)
    }

    /// Reads the start: `startpos`, a position text, or nothing.
    fn read_start(&mut self, record: &mut GameRecord) -> Result<PositionText, Flaw> {
        let is_command = self.take(POSITION_WORD);
        let start = if self.take(START_WORD) {
            Position::start(record.rules).into()
        } else if self.take(FEN_WORD) || is_position_text(self.rest()) {
            self.peek();
            let begin = self.at;
            while !["", MOVES_WORD].contains(&self.word()) {
                self.take_while(|c| !c.is_whitespace());
            }
            let text = &self.text[begin..self.at];
            record.set_start(text).map_err(|error| Flaw::new(begin, error))?
        } else if is_command {
            return Err(self.unexpected(&format!("{START_WORD} or {FEN_WORD}")));
        } else {
            return Ok(Position::start(record.rules).into());
        };
        if self.peek().is_some() && !self.take(MOVES_WORD) {
            return Err(self.unexpected(MOVES_WORD));
        }
        Ok(start)
    }
}

/// An error in a text: its place, what was expected and what was found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {message}")]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ReadError {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What was expected and what was found.
    #[cfg_attr(feature = "serde", serde(rename = "error"))]
    pub message: String,
}

impl ReadError {
    /// Converts a flaw, which must not be before `start`.
    fn at(text: &str, start: LineStart, flaw: Flaw) -> Self {
        let LineStart { byte, line } = start.last_before(text, flaw.at);
        let column = text[byte..flaw.at].chars().count() + 1;
        Self { line, column, message: flaw.message }
    }
}

/// An error at a byte of a text.
#[derive(Debug)]
struct Flaw {
    at: usize,
    message: String,
}

impl Flaw {
    fn new(at: usize, message: impl fmt::Display) -> Self {
        Self { at, message: message.to_string() }
    }

    /// Fails at a byte unless the text is right there.
    fn ensure(is_right: bool, at: usize, message: impl fmt::Display) -> Result<(), Self> {
        if is_right { Ok(()) } else { Err(Self::new(at, message)) }
    }
}

/// The first byte of a line and the line number, from 1.
#[derive(Clone, Copy, Debug)]
struct LineStart {
    byte: usize,
    line: usize,
}

impl LineStart {
    /// The first line.
    const FIRST: Self = Self { byte: 0, line: 1 };

    /// The start of the line that contains a byte, which must not be before this line.
    fn last_before(self, text: &str, byte: usize) -> Self {
        let between = &text[self.byte..byte];
        let lines = between.matches('\n').count();
        let start = between.rfind('\n').map_or(self.byte, |end| self.byte + end + 1);
        Self { byte: start, line: self.line + lines }
    }
}

/// The moves of a game or variation so far, and the position after them.
struct MovesBuilder {
    played: AnnotatedMoves,
    now: PositionText,
    /// The last move, and the last move that is not a removal; before the first move of a variation, the moves that
    /// it may replace.
    last: Option<Origin>,
    last_of_turn: Option<Origin>,
    /// The index of the move that the variation replaces.
    replaced: usize,
}

/// The index of a move and the position before it.
#[derive(Clone, Copy)]
struct Origin {
    index: usize,
    before: PositionText,
}

impl MovesBuilder {
    /// The moves of a game.
    const fn main(now: PositionText, comment: String) -> Self {
        let played = AnnotatedMoves { comment, moves: Vec::new(), properties: Vec::new() };
        Self { played, now, last: None, last_of_turn: None, replaced: 0 }
    }

    /// A variation of these moves; `None` if there are no moves.
    ///
    /// If it begins with a removal, it replaces the last move, otherwise the whole last turn.
    fn variation(&self) -> Option<Self> {
        let last = self.last.filter(|_| !self.played.moves.is_empty())?;
        Some(Self { last: self.last, last_of_turn: self.last_of_turn, ..Self::branch(last) })
    }

    /// A variation that replaces a move.
    fn branch(replaced: Origin) -> Self {
        Self { replaced: replaced.index, ..Self::main(replaced.before, String::new()) }
    }

    /// The origin of the next move.
    const fn end(&self) -> Origin {
        Origin { index: self.played.moves.len(), before: self.now }
    }

    /// Adds a finished variation. Returns `None` if the move that it replaces does not exist.
    fn add_variation(&mut self, variation: Self) -> Option<()> {
        self.played.moves.get_mut(variation.replaced)?.variations.push(variation.played);
        Some(())
    }

    /// Plays the turn in a word at a byte, with names or numbers of points.
    fn play_turn(&mut self, word: &str, at: usize, size: &mut Size) -> Result<(), Flaw> {
        let turn = parse_turn(word).map_err(|message| Flaw::new(at, message))?;
        size.add(turn.moves().len()).map_err(|error| Flaw::new(at, error))?;
        let played = turn.moves().iter().try_for_each(|mv| self.play(*mv));
        played.map_err(|error| Flaw::new(at, error))
    }

    /// Adds a move.
    fn play(&mut self, mv: Move) -> Result<(), Error> {
        if self.played.moves.is_empty()
            && let Some(last) = self.last
        {
            let other = self.last_of_turn.take().unwrap_or(last);
            let replaced = if mv.is_removal() { last } else { other };
            (self.now, self.replaced) = (replaced.before, replaced.index);
        }
        let origin = self.end();
        play(&mut self.now, mv)?;
        self.played.moves.push(AnnotatedMove::from(mv));
        self.last = Some(origin);
        if !mv.is_removal() {
            self.last_of_turn = Some(origin);
        }
        Ok(())
    }

    /// Adds a glyph at a byte to the last move.
    fn add_glyph(&mut self, glyph: u8, at: usize) -> Result<(), Flaw> {
        let last = self.played.moves.last_mut();
        last.ok_or_else(|| Flaw::new(at, "expected a move before a glyph"))?.glyphs.push(glyph);
        Ok(())
    }
}

/// Null moves as various programs write them.
const NULL_MOVES: [&str; 5] = ["--", "0000", "Z0", "none", "null"];

/// Parses a turn with names or numbers of points.
fn parse_turn(word: &str) -> Result<Turn, String> {
    let is_numbered = word.trim_start_matches(['x', 'X']).starts_with(|c: char| c.is_ascii_digit());
    if NULL_MOVES.contains(&word) {
        Err(format!("'{word}' is a null move, which no mill game allows"))
    } else if is_numbered {
        parse_numbered_turn(word)
    } else {
        word.parse().map_err(|error: Error| error.to_string())
    }
}
