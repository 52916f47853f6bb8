//! Games with tags, numbered moves, comments and variations, one after the other.

use std::collections::HashSet;

use super::moves::{MovesBuilder, add_comment};
use super::tokens::{Token, TokenKind, Tokens};
use crate::position::Position;
use crate::quote::quote;
use crate::records::error::ReadError;
use crate::records::record::{
    FEN, GameRecord, GameResult, MAX_DEPTH, RESULT, Tag, VARIANT, is_field,
};
use crate::rules::RuleSet;

/// Reads all games.
pub(super) fn read(text: &str, usual: &RuleSet) -> Result<Vec<GameRecord>, ReadError> {
    let mut reader = Reader { tokens: Tokens::new(text), usual, records: Vec::new() };
    while reader.read_game()? {}
    Ok(reader.records)
}

struct Reader<'a> {
    tokens: Tokens<'a>,
    usual: &'a RuleSet,
    records: Vec<GameRecord>,
}

/// What ends the moves of a game.
enum End {
    /// The result at a byte.
    Result(GameResult, usize),
    /// Another game, or the end of the text.
    Next,
}

impl<'a> Reader<'a> {
    /// Reads the next game. Returns whether there was one.
    fn read_game(&mut self) -> Result<bool, ReadError> {
        let (tags, comment) = self.read_tags()?;
        if self.tokens.peek()?.is_none() && tags.is_empty() {
            if let Some(last) = self.records.last_mut() {
                add_comment(last.main_line.end_comment(), &comment);
            }
            return Ok(false);
        }
        let (mut record, start) = tags.begin(self.usual, &self.tokens)?;
        let mut moves = MovesBuilder::main(start, comment);
        if let End::Result(found, at) = self.read_moves(&mut moves)? {
            self.read_last_comments(&mut moves, at)?;
            let is_other = ![record.result, found].contains(&GameResult::Unknown);
            if is_other && record.result != found {
                let message = format!("expected {}, as in the tag, found {found}", record.result);
                return Err(self.tokens.error(at, message));
            }
            if found != GameResult::Unknown {
                record.result = found;
            }
        }
        record.main_line = moves.finish();
        self.records.push(record);
        Ok(true)
    }

    /// Reads the tags of a game, and the comments among them.
    fn read_tags(&mut self) -> Result<(ReadTags, String), ReadError> {
        let mut tags = ReadTags::default();
        let mut comment = String::new();
        while let Some(Token { kind: TokenKind::Tag(..) | TokenKind::Comment(_), .. }) =
            self.tokens.peek()?
        {
            match self.tokens.next()? {
                Some(Token { kind: TokenKind::Tag(tag, value_at), .. }) => {
                    tags.add(tag, value_at, &self.tokens)?;
                }
                Some(Token { kind: TokenKind::Comment(more), .. }) => {
                    add_comment(&mut comment, &more);
                }
                _ => break,
            }
        }
        Ok((tags, comment))
    }

    /// Reads the comments in the line of a result.
    fn read_last_comments(
        &mut self,
        moves: &mut MovesBuilder,
        result_at: usize,
    ) -> Result<(), ReadError> {
        while let Some(Token { kind: TokenKind::Comment(_), at }) = self.tokens.peek()? {
            let at = *at;
            if !self.tokens.share_line(result_at, at) {
                break;
            }
            if let Some(Token { kind: TokenKind::Comment(comment), .. }) = self.tokens.next()? {
                moves.add_comment(&comment);
            }
        }
        Ok(())
    }

    /// Reads the moves of a game.
    fn read_moves(&mut self, moves: &mut MovesBuilder) -> Result<End, ReadError> {
        let mut last_number = 0;
        while let Some(Token { at, kind }) = self.tokens.peek()? {
            let at = *at;
            match *kind {
                TokenKind::Tag(..) => return Ok(End::Next),
                TokenKind::Number { number, dots } => {
                    let goes_back = last_number > 1 || dots == 1 && self.tokens.begins_line(at);
                    if number == 1 && moves.has_moves() && goes_back {
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
                Some(token) => self.add(token, moves, 0)?,
                None => break,
            }
        }
        Ok(End::Next)
    }

    /// Adds a token to the moves of a game or, if `depth` is not 0, of a variation.
    fn add(
        &mut self,
        token: Token<'a>,
        moves: &mut MovesBuilder,
        depth: usize,
    ) -> Result<(), ReadError> {
        let Token { at, kind } = token;
        match kind {
            TokenKind::Comment(comment) => moves.add_comment(&comment),
            TokenKind::Number { .. } => {}
            TokenKind::Turn(word) => {
                moves.play_turn(word).map_err(|message| self.tokens.error(at, message))?;
            }
            TokenKind::Glyph(glyph) => {
                let added = moves.add_glyph(glyph);
                added.ok_or_else(|| self.tokens.error(at, "expected a move before a glyph"))?;
            }
            TokenKind::Open => {
                let variation = self.read_variation(at, moves, depth + 1)?;
                moves.add_variation(variation);
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
        moves: &MovesBuilder,
        depth: usize,
    ) -> Result<MovesBuilder, ReadError> {
        if depth > MAX_DEPTH {
            return Err(self
                .tokens
                .error(at, format!("variations are nested deeper than {MAX_DEPTH}")));
        }
        let variation = moves.variation();
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

/// The tags of a game, each with the byte where its value begins.
#[derive(Default)]
struct ReadTags {
    tags: Vec<(Tag, usize)>,
    names: HashSet<String>,
}

impl ReadTags {
    const fn is_empty(&self) -> bool {
        self.tags.is_empty()
    }

    /// Adds a tag, whose name must be new.
    fn add(&mut self, tag: Tag, at: usize, tokens: &Tokens) -> Result<(), ReadError> {
        if !self.names.insert(tag.name.clone()) {
            let message = format!("tag {} is there twice", quote(&tag.name));
            return Err(tokens.error(at, message));
        }
        self.tags.push((tag, at));
        Ok(())
    }

    fn find(&self, name: &str) -> Option<(&str, usize)> {
        let found = self.tags.iter().find(|(tag, _)| tag.name == name);
        found.map(|(tag, at)| (tag.value.as_str(), *at))
    }

    /// A record with these tags and no moves, and the position it starts from.
    fn begin(
        self,
        usual: &RuleSet,
        tokens: &Tokens,
    ) -> Result<(GameRecord, Position<RuleSet>), ReadError> {
        let rules = match self.find(VARIANT) {
            Some((name, at)) => RuleSet::from_name(name)
                .map_err(|error| tokens.error(at, format!("tag {VARIANT}: {error}")))?,
            None => *usual,
        };
        let result = match self.find(RESULT) {
            Some((word, at)) => GameResult::from_word(word).ok_or_else(|| {
                let words = GameResult::ALL.map(GameResult::word).join(", ");
                let found = quote(word);
                tokens.error(at, format!("tag {RESULT}: expected one of {words}, found '{found}'"))
            })?,
            None => GameResult::Unknown,
        };
        let mut record = GameRecord::new(rules, None, &[], result);
        let start = match self.find(FEN) {
            Some((text, at)) => {
                record.set_start(text).map_err(|error| tokens.error(at, error.to_string()))?
            }
            None => Position::start(rules),
        };
        let tags = self.tags.into_iter().map(|(tag, _)| tag);
        record.tags = tags.filter(|tag| !is_field(&tag.name)).collect();
        Ok((record, start))
    }
}
