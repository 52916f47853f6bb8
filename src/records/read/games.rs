//! Games with tags, numbered moves, comments and variations, one after the other.

use super::word::play_turn;
use crate::records::branch::{Branch, say};
use crate::records::error::too_deep;
use crate::records::heading::Heading;
use crate::records::tokens::{Token, TokenKind, Tokens};
use crate::records::{GameResult, ReadError, Record};
use crate::rules::RuleSet;

/// How deep variations may lie in variations.
pub(in crate::records) const MAX_DEPTH: usize = 50;

/// Reads all games.
pub(super) fn read(text: &str, usual: &RuleSet) -> Result<Vec<Record>, ReadError> {
    let mut reader = Reader { tokens: Tokens::new(text), usual, records: Vec::new() };
    while reader.read_game()? {}
    Ok(reader.records)
}

struct Reader<'a> {
    tokens: Tokens<'a>,
    usual: &'a RuleSet,
    records: Vec<Record>,
}

/// What ends the moves of a game.
enum End {
    /// The result at a byte.
    Result(GameResult, usize),
    /// Another game, or the end of the text.
    Next,
}

impl<'a> Reader<'a> {
    /// Reads the next game; whether there was one.
    fn read_game(&mut self) -> Result<bool, ReadError> {
        let (heading, comment) = self.read_heading()?;
        if self.tokens.peek()?.is_none() && heading.is_empty() {
            if let Some(last) = self.records.last_mut() {
                say(last.line.end_comment(), &comment);
            }
            return Ok(false);
        }
        let (mut record, start) = heading.begin(self.usual, &self.tokens)?;
        let mut branch = Branch::main(start, comment);
        if let End::Result(found, at) = self.read_moves(&mut branch)? {
            self.read_remarks(&mut branch, at)?;
            let is_other = ![record.result, found].contains(&GameResult::Unknown);
            if is_other && record.result != found {
                let message = format!("expected {}, as in the tag, found {found}", record.result);
                return Err(self.tokens.error(at, message));
            }
            if found != GameResult::Unknown {
                record.result = found;
            }
        }
        record.line = branch.into_line();
        self.records.push(record);
        Ok(true)
    }

    /// Reads tags and what is said among them.
    fn read_heading(&mut self) -> Result<(Heading, String), ReadError> {
        let mut heading = Heading::default();
        let mut comment = String::new();
        while let Some(Token { kind: TokenKind::Tag(..) | TokenKind::Comment(_), .. }) =
            self.tokens.peek()?
        {
            match self.tokens.next()? {
                Some(Token { kind: TokenKind::Tag(tag, value_at), .. }) => {
                    heading.add(tag, value_at, &self.tokens)?;
                }
                Some(Token { kind: TokenKind::Comment(more), .. }) => say(&mut comment, &more),
                _ => break,
            }
        }
        Ok((heading, comment))
    }

    /// Reads what is said in the line of a result.
    fn read_remarks(&mut self, branch: &mut Branch, result_at: usize) -> Result<(), ReadError> {
        while let Some(Token { kind: TokenKind::Comment(_), at }) = self.tokens.peek()? {
            let at = *at;
            if !self.tokens.share_line(result_at, at) {
                break;
            }
            if let Some(Token { kind: TokenKind::Comment(comment), .. }) = self.tokens.next()? {
                branch.say(&comment);
            }
        }
        Ok(())
    }

    /// Reads the moves of a game.
    fn read_moves(&mut self, branch: &mut Branch) -> Result<End, ReadError> {
        let mut last_number = 0;
        while let Some(Token { at, kind }) = self.tokens.peek()? {
            let at = *at;
            match *kind {
                TokenKind::Tag(..) => return Ok(End::Next),
                TokenKind::Number { number, dots } => {
                    let goes_back = last_number > 1 || dots == 1 && self.tokens.begins_line(at);
                    if number == 1 && branch.has_moves() && goes_back {
                        return Ok(End::Next);
                    }
                    last_number = number;
                }
                _ => {}
            }
            match self.tokens.next()? {
                Some(Token { kind: TokenKind::Result(result), .. }) => {
                    return Ok(End::Result(result, at));
                }
                Some(Token { kind: TokenKind::Close, .. }) => {
                    return Err(self.tokens.error(at, "expected a move, found ')' without '('"));
                }
                Some(token) => self.add(token, branch, 0)?,
                None => break,
            }
        }
        Ok(End::Next)
    }

    /// Adds a word to a line that lies so deep in variations.
    fn add(
        &mut self,
        token: Token<'a>,
        branch: &mut Branch,
        depth: usize,
    ) -> Result<(), ReadError> {
        let Token { at, kind } = token;
        match kind {
            TokenKind::Comment(comment) => branch.say(&comment),
            TokenKind::Number { .. } => {}
            TokenKind::Turn(word) => {
                play_turn(branch, word).map_err(|message| self.tokens.error(at, message))?;
            }
            TokenKind::Glyph(glyph) => {
                let added = branch.add_glyph(glyph);
                added.ok_or_else(|| self.tokens.error(at, "expected a move before a glyph"))?;
            }
            TokenKind::Open => {
                let variation = self.read_variation(at, branch, depth + 1)?;
                branch.add_variation(variation);
            }
            TokenKind::Tag(..) | TokenKind::Close | TokenKind::Result(_) => {
                return Err(self.tokens.error(at, "expected a move or the ')' of a variation"));
            }
        }
        Ok(())
    }

    /// Reads a variation whose `(` has been read.
    fn read_variation(
        &mut self,
        at: usize,
        branch: &Branch,
        depth: usize,
    ) -> Result<Branch, ReadError> {
        if depth > MAX_DEPTH {
            return Err(self.tokens.error(at, too_deep(MAX_DEPTH)));
        }
        let variation = branch.variation();
        let mut variation = variation
            .ok_or_else(|| self.tokens.error(at, "expected a move before its variation"))?;
        loop {
            match self.tokens.next()? {
                Some(Token { kind: TokenKind::Close, .. }) => return Ok(variation),
                Some(token) => self.add(token, &mut variation, depth)?,
                None => {
                    return Err(self.tokens.error(at, "expected a variation that ends with ')'"));
                }
            }
        }
    }
}
