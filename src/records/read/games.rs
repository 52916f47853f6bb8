//! Reading games with tags, numbered moves, comments and variations.
//!
//! A reader takes tokens from the text and builds the games from them.

use std::collections::HashSet;

use super::{Cursor, Flaw, Item, MovesBuilder, Records, line_after};
use crate::position::{Position, PositionText};
use crate::quote::quote;
use crate::records::record::{
    FEN, GameRecord, GameResult, RESULT, Tag, VARIANT, add_comment, is_field, is_tag_name,
};
use crate::rules::RuleSet;

impl Records<'_> {
    /// The byte of the next game after an error: the first line with a tag after lines without, or a line
    /// that begins with the number 1, outside of comments.
    pub(super) fn game_after(&mut self, flaw: usize) -> usize {
        let mut at = self.text[..flaw].rfind('\n').map_or(0, |end| end + 1);
        let is_tag = |line: &str| line.starts_with('[');
        let mut was_tag = flaw > at && is_tag(self.text[at..].trim_start());
        if flaw > at {
            at = self.line_after(flaw, was_tag);
        }
        while at < self.text.len() {
            let words = self.text[at..line_after(&self.text, at)].trim();
            let is_first_turn = words.starts_with("1.") && !words.starts_with("1..");
            let is_now_tag = is_tag(words);
            if !was_tag && (is_now_tag || is_first_turn) {
                break;
            }
            was_tag = if words.is_empty() { was_tag } else { is_now_tag };
            at = self.line_after(at, is_now_tag);
        }
        at
    }

    /// The byte after the rest of a line and, unless it is a tag, the comments in braces that begin there.
    fn line_after(&mut self, mut at: usize, is_tag: bool) -> usize {
        while let Some(found) = self.text[at..].find(['{', ';', '\n']).filter(|_| !is_tag) {
            at += found;
            let is_brace = self.text[at..].starts_with('{') && at >= self.open_until;
            let Some(end) = is_brace.then(|| self.comment_end(at)).flatten() else { break };
            at = end;
        }
        line_after(&self.text, at)
    }

    /// The byte after the comment that a brace begins; `None` if it is left open, as where a tag after a blank
    /// line comes before the end.
    fn comment_end(&mut self, brace: usize) -> Option<usize> {
        self.last_brace.filter(|last| *last > brace)?;
        let (mut at, mut is_after_blank) = (brace, false);
        for line in self.text[brace..].split_inclusive('\n') {
            let tag = line.strip_prefix('[').and_then(|tag| tag.split_once('"'));
            if is_after_blank && tag.is_some_and(|(name, _)| is_tag_name(name.trim())) {
                break;
            }
            if let Some(end) = line.find('}') {
                return Some(at + end + 1);
            }
            (at, is_after_blank) = (at + line.len(), line.trim().is_empty());
        }
        self.open_until = at;
        None
    }
}

impl<'a> Cursor<'a> {
    /// Reads the next game with tags, comments between them and numbered moves, if there is one.
    pub(super) fn read_tagged(&mut self, usual: &RuleSet) -> Result<Item, Flaw> {
        let (mut tags, mut comment) = (ReadTags::default(), String::new());
        while let Some((at, token)) = self.next_token()? {
            match token {
                Token::Tag(tag, value_at) => tags.add(tag, value_at)?,
                Token::Comment(more) => add_comment(&mut comment, &more),
                _ => {
                    self.at = at;
                    break;
                }
            }
        }
        if self.rest().is_empty() && tags.tags.is_empty() {
            return Ok(Item::End(comment));
        }
        let (mut record, start) = tags.begin(usual)?;
        let mut moves = MovesBuilder::main(start, comment);
        let result = self.read_moves(&mut moves)?;
        if let Some((found, at)) = result.filter(|(found, _)| *found != GameResult::Unknown) {
            let agrees = [GameResult::Unknown, found].contains(&record.result);
            let message = format_args!("expected {}, as in the tag, found {found}", record.result);
            Flaw::ensure(agrees, at, message)?;
            record.result = found;
        }
        record.main_line = moves.played;
        Ok(Item::Game(record))
    }

    /// Reads the moves of a game up to its result and the comments on that line, or up to another game or the end of
    /// the text. Returns the result and its byte.
    fn read_moves(
        &mut self,
        moves: &mut MovesBuilder,
    ) -> Result<Option<(GameResult, usize)>, Flaw> {
        let (mut last_number, mut last_at, mut result) = (0, 0, None);
        while let Some((at, token)) = self.next_token()? {
            let is_on_next_line = || self.text[last_at..at].contains('\n');
            let is_next = match token {
                Token::Comment(_) => result.is_some() && is_on_next_line(),
                Token::Result(_) if result.is_some() && !is_on_next_line() => {
                    return Err(Flaw::new(at, "expected one result, found a second"));
                }
                _ if result.is_some() => true,
                Token::Tag(..) => true,
                Token::Number { number, dots } => {
                    let before = self.text[..at].trim_end_matches([' ', '\t']);
                    let goes_back = last_number > 1 || dots == 1 && before.ends_with('\n');
                    last_number = number;
                    number == 1 && !moves.played.moves.is_empty() && goes_back
                }
                Token::Close => {
                    return Err(Flaw::new(at, "expected a move, found ')' without '('"));
                }
                _ => false,
            };
            if is_next {
                self.at = at;
                break;
            }
            last_at = at;
            match token {
                Token::Result(found) => result = Some((found, at)),
                _ => self.add_token(at, token, moves, 0)?,
            }
        }
        Ok(result)
    }

    /// Adds a token to the moves of the game (`depth` 0) or of a variation.
    fn add_token(
        &mut self,
        at: usize,
        token: Token<'a>,
        moves: &mut MovesBuilder,
        depth: usize,
    ) -> Result<(), Flaw> {
        match token {
            Token::Comment(comment) => add_comment(moves.played.end_comment(), &comment),
            Token::Number { .. } => {}
            Token::Turn(word) => moves.play_turn(word, at, &mut self.size)?,
            Token::Glyph(glyph) => moves.add_glyph(glyph, at)?,
            Token::Open => {
                self.size.add_variation(depth + 1).map_err(|error| Flaw::new(at, error))?;
                let no_move = || Flaw::new(at, "expected a move before its variation");
                let no_end = || Flaw::new(at, "expected a variation that ends with ')'");
                let mut variation = moves.variation().ok_or_else(no_move)?;
                loop {
                    match self.next_token()?.ok_or_else(no_end)? {
                        (_, Token::Close) => break,
                        (at, token) => self.add_token(at, token, &mut variation, depth + 1)?,
                    }
                }
                moves.add_variation(variation).ok_or_else(no_move)?;
            }
            Token::Tag(..) | Token::Close | Token::Result(_) => {
                return Err(Flaw::new(at, "expected a move or the ')' of a variation"));
            }
        }
        Ok(())
    }

    /// Takes the next token, and returns it with its byte; `None` at the end.
    fn next_token(&mut self) -> Result<Option<(usize, Token<'a>)>, Flaw> {
        self.skip_blanks();
        let at = self.at;
        let Some(first) = self.rest().chars().next() else { return Ok(None) };
        let token = match first {
            '[' => self.read_tag()?,
            '{' => self.read_comment()?,
            ';' => self.read_line_comment(),
            '(' => self.skip(1, Token::Open),
            ')' => self.skip(1, Token::Close),
            '$' => self.read_glyph()?,
            '!' | '?' => self.read_sign(),
            _ => self.read_word()?,
        };
        Ok(Some((at, token)))
    }

    fn skip<T>(&mut self, bytes: usize, token: T) -> T {
        self.at += bytes;
        token
    }

    /// Skips blanks, dots without a number, and lines that begin with `%`.
    fn skip_blanks(&mut self) {
        loop {
            self.take_while(|c| c.is_whitespace() || c == '.');
            let before = &self.text[..self.at];
            let begins_line = before.is_empty() || before.ends_with('\n');
            if !begins_line || !self.rest().starts_with('%') {
                return;
            }
            self.take_line();
        }
    }

    fn read_tag(&mut self) -> Result<Token<'a>, Flaw> {
        self.at += 1;
        self.peek();
        let name = self.take_while(|c| !c.is_whitespace() && !"\"[]".contains(c));
        if !is_tag_name(name) {
            return Err(self.unexpected("the name of a tag after '['"));
        }
        if self.peek() != Some('"') {
            return Err(self.unexpected("the value of the tag in double quotes"));
        }
        let value_at = self.at;
        self.at += 1;
        let value = self.read_tag_value(value_at)?;
        if self.peek() != Some(']') {
            return Err(self.unexpected("']' at the end of the tag"));
        }
        let tag = Tag { name: name.to_owned(), value };
        Ok(self.skip(1, Token::Tag(tag, value_at)))
    }

    /// Reads the rest of a value after its opening quote; `\"` is a quote and `\\` a backslash.
    fn read_tag_value(&mut self, value_at: usize) -> Result<String, Flaw> {
        let mut value = String::new();
        let mut chars = self.rest().char_indices();
        while let Some((at, c)) = chars.next() {
            let next = chars.as_str().chars().next();
            match c {
                '"' => return Ok(self.skip(at + 1, value)),
                '\n' => break,
                '\\' if matches!(next, Some('"' | '\\')) => {
                    value.extend(next);
                    chars.next();
                }
                c => value.push(c),
            }
        }
        Err(Flaw::new(value_at, "expected a value that ends with '\"' in its line"))
    }

    fn read_comment(&mut self) -> Result<Token<'a>, Flaw> {
        let has_end = self.last_brace.is_some_and(|last| self.at < last);
        let Some(end) = has_end.then(|| self.rest().find('}')).flatten() else {
            return Err(Flaw::new(self.at, "expected a comment that ends with '}'"));
        };
        let comment = self.rest()[1..end].trim().to_owned();
        Ok(self.skip(end + 1, Token::Comment(comment)))
    }

    /// Reads a comment to the end of the line, and the comment lines that follow.
    fn read_line_comment(&mut self) -> Token<'a> {
        let mut lines = Vec::new();
        while self.peek() == Some(';') {
            self.at += 1;
            let line = self.take_line();
            lines.push(line.strip_prefix(' ').unwrap_or(line));
        }
        Token::Comment(lines.join("\n").trim().to_owned())
    }

    fn read_glyph(&mut self) -> Result<Token<'a>, Flaw> {
        let digits = &self.rest()[1..];
        let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        match digits[..end].parse() {
            Ok(glyph) => Ok(self.skip(1 + end, Token::Glyph(glyph))),
            Err(_) => Err(self.unexpected("a glyph from $0 to $255")),
        }
    }

    fn read_sign(&mut self) -> Token<'a> {
        let signs = SIGNS.iter().find(|(sign, _)| self.rest().starts_with(sign));
        let &(sign, glyph) = signs.expect("one of them is the sign found");
        self.skip(sign.len(), Token::Glyph(glyph))
    }

    /// Reads a number, a result or a turn.
    fn read_word(&mut self) -> Result<Token<'a>, Flaw> {
        let rest = self.rest();
        let ends = |c: char| c.is_whitespace() || "[]{}();$!?\"".contains(c);
        let word = &rest[..rest.find(ends).unwrap_or(rest.len())];
        let digits = word.find(|c: char| !c.is_ascii_digit()).unwrap_or(word.len());
        let dots = word[digits..].bytes().take_while(|byte| *byte == b'.').count();
        if word.is_empty() {
            Err(self.unexpected("a move"))
        } else if digits > 0 && dots > 0 {
            let number = word[..digits].parse().unwrap_or(u32::MAX);
            Ok(self.skip(digits + dots, Token::Number { number, dots }))
        } else {
            let token = GameResult::from_word(word).map_or(Token::Turn(word), Token::Result);
            Ok(self.skip(word.len(), token))
        }
    }
}

/// The tags of a game and the bytes of their values.
#[derive(Default)]
pub(super) struct ReadTags {
    tags: Vec<(Tag, usize)>,
    names: HashSet<String>,
}

impl ReadTags {
    /// Adds a tag with a new name.
    pub(super) fn add(&mut self, tag: Tag, at: usize) -> Result<(), Flaw> {
        if !self.names.insert(tag.name.clone()) {
            let message = format!("tag {} occurs twice", quote(&tag.name));
            return Err(Flaw::new(at, message));
        }
        self.tags.push((tag, at));
        Ok(())
    }

    fn find(&self, name: &str) -> Option<(&str, usize)> {
        let found = self.tags.iter().find(|(tag, _)| tag.name == name);
        found.map(|(tag, at)| (tag.value.as_str(), *at))
    }

    /// A record without moves, and its start.
    pub(super) fn begin(self, usual: &RuleSet) -> Result<(GameRecord, PositionText), Flaw> {
        let rules = match self.find(VARIANT) {
            Some((name, at)) => RuleSet::from_name(name)
                .map_err(|error| Flaw::new(at, format!("tag {VARIANT}: {error}")))?,
            None => *usual,
        };
        let result = match self.find(RESULT) {
            Some((word, at)) => GameResult::from_word(word).ok_or_else(|| {
                let words = GameResult::ALL.map(GameResult::word).join(", ");
                let found = quote(word);
                Flaw::new(at, format!("tag {RESULT}: expected one of {words}, found '{found}'"))
            })?,
            None => GameResult::Unknown,
        };
        let mut record = GameRecord { rules, result, ..GameRecord::default() };
        let start = match self.find(FEN) {
            Some((text, at)) => record.set_start(text).map_err(|error| Flaw::new(at, error))?,
            None => Position::start(rules).into(),
        };
        let tags = self.tags.into_iter().map(|(tag, _)| tag);
        record.tags = tags.filter(|tag| !is_field(&tag.name)).collect();
        Ok((record, start))
    }
}

/// A part of a game.
enum Token<'a> {
    /// A tag and the byte of its value.
    Tag(Tag, usize),
    /// A comment.
    Comment(String),
    /// `(`
    Open,
    /// `)`
    Close,
    /// `$1` or `!`
    Glyph(u8),
    /// `1.`, or `1...` with three dots.
    Number { number: u32, dots: usize },
    /// `1-0`
    Result(GameResult),
    /// Any other word, which should be a turn.
    Turn(&'a str),
}

/// The signs of the first glyphs, longest first.
const SIGNS: [(&str, u8); 6] = [("!!", 3), ("??", 4), ("!?", 5), ("?!", 6), ("!", 1), ("?", 2)];

#[cfg(test)]
mod tests {
    use super::*;

    /// Anything but linear time is seen as a test that hangs.
    #[test]
    fn open_comments_after_errors_are_read_in_linear_time() {
        let games = ["1. d6 d6 {\n", "1. d6 d6 {\n\n[A \"\"]\n\n"].map(|game| game.repeat(200_000));
        for text in games.map(|games| games + "\n[A \"\"]\n}") {
            let records = GameRecord::read_each_by(&text, &RuleSet::NINE_MENS_MORRIS);
            assert!(records.filter(Result::is_err).count() >= 200_000);
        }
    }
}
