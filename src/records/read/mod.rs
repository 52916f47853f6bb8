//! Reading games in any notation.

mod games;
mod moves;
mod tokens;

use std::borrow::Cow;
use std::iter::Peekable;
use std::vec;

use super::error::{Flaw, LineStart, ReadError};
use super::notation::{ACTIONS_WORD, move_of_action};
use super::record::{GameRecord, Size, add_comment, with_plain_line_ends};
use crate::position::text::is_position_text;
use crate::position::{FEN_WORD, MOVES_WORD, POSITION_WORD, Position, START_WORD};
use crate::quote::quote;
use crate::records::sgf;
use crate::rules::RuleSet;
pub(super) use games::ReadTags;
pub(super) use moves::MovesBuilder;

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
        } else if sgf::read::is_tree(&text) {
            Form::Trees
        } else {
            Form::Games
        };
        let (line, last_brace) = (LineStart::FIRST, text.rfind('}'));
        Records { text, usual: *usual, form, last_brace, at: 0, line, before: None }
    }
}

/// An iterator over the games of a text.
#[derive(Clone, Debug)]
pub struct Records<'a> {
    text: Cow<'a, str>,
    usual: RuleSet,
    form: Form,
    /// The last `}`.
    last_brace: Option<usize>,
    /// The byte of the next game, and its line.
    at: usize,
    line: LineStart,
    /// The previous game, to which a comment at the end of the text belongs.
    before: Option<Result<GameRecord, ReadError>>,
}

/// How a text holds games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// Each in a line of its own.
    Lines,
    /// With tags and numbered moves.
    Games,
    /// As trees of nodes, in SGF.
    Trees,
}

/// The next item of a text.
pub(super) enum Item {
    Game(GameRecord),
    /// The end, possibly after a comment.
    End(String),
}

impl Iterator for Records<'_> {
    type Item = Result<GameRecord, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            self.line = self.line.last_before(&self.text, self.at);
            let read = match self.form {
                Form::Lines => read_line(&self.text, self.at, &self.usual),
                Form::Games => games::read(&self.text, self.at, self.last_brace, &self.usual),
                Form::Trees => sgf::read::read(&self.text, self.at, &self.usual),
            };
            let game = match read {
                Ok((Item::End(comment), next)) => {
                    self.at = next;
                    if let Some(Ok(last)) = &mut self.before {
                        add_comment(last.main_line.end_comment(), &comment);
                    }
                    return self.before.take();
                }
                Ok((Item::Game(game), next)) => {
                    self.at = next;
                    Ok(game)
                }
                Err(flaw) => {
                    let next_line = line_after(&self.text, self.at);
                    self.at = match self.form {
                        Form::Lines => line_after(&self.text, flaw.at).max(next_line),
                        Form::Games => games::after_flaw(&self.text, flaw.at).max(next_line),
                        Form::Trees => sgf::read::after_flaw(&self.text, self.at),
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
/// The place of the first invalid byte.
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

/// Reads the next line with a game: a `position` command or a list of moves, after lines with comments.
/// Returns it and the byte after it.
fn read_line(text: &str, mut at: usize, usual: &RuleSet) -> Result<(Item, usize), Flaw> {
    let mut comment = String::new();
    for line in text[at..].split_inclusive('\n') {
        let begin = at;
        at += line.len();
        if let Some(more) = line.trim().strip_prefix(';') {
            add_comment(&mut comment, more.trim());
        } else if !line.trim().is_empty() && !is_comment(line.trim()) {
            let game = Words::of(line).read_game(usual, comment);
            let game = game.map_err(|flaw| Flaw { at: begin + flaw.at, ..flaw })?;
            return Ok((Item::Game(game), at));
        }
    }
    Ok((Item::End(comment), at))
}

/// The byte after the line of a byte.
fn line_after(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |end| at + end + 1)
}

/// The words of a line with their bytes.
struct Words<'a> {
    line: &'a str,
    words: Peekable<vec::IntoIter<(usize, &'a str)>>,
}

impl<'a> Words<'a> {
    fn of(line: &'a str) -> Self {
        let place = |word: &'a str| (word.as_ptr().addr() - line.as_ptr().addr(), word);
        let words: Vec<_> = line.split_whitespace().map(place).collect();
        Self { line, words: words.into_iter().peekable() }
    }

    fn read_game(mut self, usual: &RuleSet, comment: String) -> Result<GameRecord, Flaw> {
        let mut record = GameRecord { rules: *usual, ..GameRecord::default() };
        let has_actions = self.take(ACTIONS_WORD);
        let start =
            if has_actions { Position::start(*usual) } else { self.read_start(&mut record)? };
        let (mut moves, mut size) = (MovesBuilder::main(start, comment), Size::default());
        for (at, word) in self.words {
            if has_actions {
                let (_, position) = moves.end();
                let mv = word.parse().ok().and_then(|action| move_of_action(&position, action));
                let found = || format!("expected a legal action, found '{}'", quote(word));
                let mv = mv.ok_or_else(|| Flaw::new(at, found()))?;
                moves.play_turn(&mv.to_string(), at, &mut size)?;
            } else {
                moves.play_turn(word, at, &mut size)?;
            }
        }
        record.main_line = moves.finish();
        Ok(record)
    }

    /// Reads where the moves begin: after `startpos`, a position text, or nothing.
    fn read_start(&mut self, record: &mut GameRecord) -> Result<Position<RuleSet>, Flaw> {
        let is_command = self.take(POSITION_WORD);
        let is_from_start = self.take(START_WORD);
        let place = self.place();
        let is_from_text =
            !is_from_start && (self.take(FEN_WORD) || is_position_text(&self.line[place..]));
        let mut start = Position::start(record.rules);
        if is_from_text {
            let at = self.place();
            while self.words.next_if(|(_, word)| *word != MOVES_WORD).is_some() {}
            let end = self.place();
            let text = &self.line[at..end];
            start = record.set_start(text).map_err(|error| Flaw::new(at, error))?;
        } else if is_command && !is_from_start {
            return Err(self.unexpected(&format!("{START_WORD} or {FEN_WORD}")));
        }
        if (is_from_start || is_from_text) && self.words.peek().is_some() && !self.take(MOVES_WORD)
        {
            return Err(self.unexpected(MOVES_WORD));
        }
        Ok(start)
    }

    /// Takes the next word if it is this one.
    fn take(&mut self, word: &str) -> bool {
        self.words.next_if(|(_, next)| *next == word).is_some()
    }

    /// The byte of the next word.
    fn place(&mut self) -> usize {
        self.words.peek().map_or(self.line.trim_end().len(), |(at, _)| *at)
    }

    fn unexpected(&mut self, expected: &str) -> Flaw {
        let found = self.words.peek().map(|(_, word)| *word);
        Flaw::unexpected(self.place(), expected, found, "line")
    }
}
