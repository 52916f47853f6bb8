//! Reading games in any notation.

mod games;
mod positions;
mod word;

use super::tokens::with_plain_line_ends;
use super::{ReadError, Record};
use crate::rules::RuleSet;

/// How deep variations may lie in variations.
pub(super) use games::MAX_DEPTH;

impl Record {
    /// Reads all games of a text, in any notation; those that name no rules are games of Nine Men's
    /// Morris.
    ///
    /// A text that begins with a letter holds a `position` command of the protocol, or a list of
    /// moves, in each line, and comments in lines that begin with a semicolon. Any other text holds
    /// games with tags and numbered moves, of which the next begins after a result, with a tag or
    /// with the number 1. Points may have names or the numbers of `PlayOK` in both.
    ///
    /// A variation that begins with a removal replaces the removal before it, any other the whole
    /// turn. Variations may lie 50 deep. What is said in several comments in a row becomes one with
    /// several lines.
    ///
    /// # Errors
    ///
    /// The first place where the text is no record, or where a move is illegal.
    pub fn read_all(text: &str) -> Result<Vec<Self>, ReadError> {
        Self::read_all_by(text, &RuleSet::NINE_MENS_MORRIS)
    }

    /// The same, where `usual` are the rules of games that name none.
    ///
    /// # Errors
    ///
    /// The first place where the text is no record, or where a move is illegal.
    pub fn read_all_by(text: &str, usual: &RuleSet) -> Result<Vec<Self>, ReadError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let text = &*with_plain_line_ends(text);
        let mut lines = text.lines().map(str::trim_start);
        let first = lines.find(|line| !line.is_empty() && !is_remark(line)).unwrap_or_default();
        if first.starts_with(char::is_alphabetic) {
            positions::read(text, usual)
        } else {
            games::read(text, usual)
        }
    }
}

/// The text that bytes are.
///
/// # Errors
///
/// The place of the first byte that is not UTF-8.
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

/// Whether a line only says something to the reader, or to a program that knows what it means.
fn is_remark(line: &str) -> bool {
    line.starts_with([';', '%'])
}
