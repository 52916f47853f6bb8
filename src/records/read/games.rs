//! Reading games with tags, numbered moves, comments and variations.

use std::collections::HashSet;

use super::Item;
use super::moves::MovesBuilder;
use super::tokens::{Token, TokenKind, Tokens};
use crate::position::Position;
use crate::quote::quote;
use crate::records::error::Flaw;
use crate::records::record::{
    FEN, GameRecord, GameResult, RESULT, Size, Tag, VARIANT, add_comment, is_field,
};
use crate::rules::RuleSet;

/// Reads the game at a byte. Returns it and the byte of the next one.
///
/// * `last_brace`: the last `}` of the text.
pub(super) fn read(
    text: &str,
    at: usize,
    last_brace: Option<usize>,
    usual: &RuleSet,
) -> Result<(Item, usize), Flaw> {
    let tokens = Tokens::from(text, at, last_brace);
    let mut reader = Reader { tokens, usual, size: Size::default() };
    let found = reader.read_game()?;
    Ok((found, reader.tokens.at))
}

/// The byte of the next game after an error: the first line with a tag after lines without, or a line
/// that begins with the number 1.
pub(super) fn after_flaw(text: &str, flaw: usize) -> usize {
    let mut at = text[..flaw].rfind('\n').map_or(0, |end| end + 1);
    let is_tag = |line: &str| line.starts_with('[');
    let mut was_tag = flaw > at && is_tag(text[at..].trim_start());
    if flaw > at {
        at = text[flaw..].find('\n').map_or(text.len(), |end| flaw + end + 1);
    }
    for line in text[at..].split_inclusive('\n') {
        let words = line.trim();
        let is_first_turn = words.starts_with("1.") && !words.starts_with("1..");
        if !was_tag && (is_tag(words) || is_first_turn) {
            break;
        }
        was_tag = if words.is_empty() { was_tag } else { is_tag(words) };
        at += line.len();
    }
    at
}

struct Reader<'a> {
    tokens: Tokens<'a>,
    usual: &'a RuleSet,
    size: Size,
}

impl<'a> Reader<'a> {
    /// Reads the next game, if there is one.
    fn read_game(&mut self) -> Result<Item, Flaw> {
        let (tags, comment) = self.read_tags()?;
        if self.tokens.is_at_end() && tags.is_empty() {
            return Ok(Item::End(comment));
        }
        let (mut record, start) = tags.begin(self.usual)?;
        let mut moves = MovesBuilder::main(start, comment);
        if let Some((found, at)) = self.read_moves(&mut moves)? {
            let is_other = ![record.result, found].contains(&GameResult::Unknown);
            if is_other && record.result != found {
                let message = format!("expected {}, as in the tag, found {found}", record.result);
                return Err(Flaw::new(at, message));
            }
            if found != GameResult::Unknown {
                record.result = found;
            }
        }
        record.main_line = moves.finish();
        Ok(Item::Game(record))
    }

    /// Reads the tags of a game and the comments between them.
    fn read_tags(&mut self) -> Result<(ReadTags, String), Flaw> {
        let mut tags = ReadTags::default();
        let mut comment = String::new();
        while let Some(token) = self.tokens.next()? {
            match token.kind {
                TokenKind::Tag(tag, value_at) => tags.add(tag, value_at)?,
                TokenKind::Comment(more) => add_comment(&mut comment, &more),
                _ => {
                    self.tokens.at = token.at;
                    break;
                }
            }
        }
        Ok((tags, comment))
    }

    /// Reads the moves of a game up to its result and the comments on that line, or to another game or the end of the
    /// text. Returns the result with its byte.
    fn read_moves(
        &mut self,
        moves: &mut MovesBuilder,
    ) -> Result<Option<(GameResult, usize)>, Flaw> {
        let (mut last_number, mut last_at, mut result) = (0, 0, None);
        while let Some(token) = self.tokens.next()? {
            let at = token.at;
            let is_next = match token.kind {
                TokenKind::Comment(_) => result.is_some() && !self.tokens.share_line(last_at, at),
                _ if result.is_some() => true,
                TokenKind::Tag(..) => true,
                TokenKind::Number { number, dots } => {
                    let goes_back = last_number > 1 || dots == 1 && self.tokens.begins_line(at);
                    last_number = number;
                    number == 1 && moves.has_moves() && goes_back
                }
                TokenKind::Close => {
                    return Err(Flaw::new(at, "expected a move, found ')' without '('"));
                }
                _ => false,
            };
            if is_next {
                self.tokens.at = at;
                break;
            }
            last_at = at;
            match token.kind {
                TokenKind::Result(found) => result = Some((found, at)),
                _ => self.add(token, moves, 0)?,
            }
        }
        Ok(result)
    }

    /// Adds a token to the moves of the game (`depth` 0) or of a variation.
    fn add(
        &mut self,
        token: Token<'a>,
        moves: &mut MovesBuilder,
        depth: usize,
    ) -> Result<(), Flaw> {
        let Token { at, kind } = token;
        match kind {
            TokenKind::Comment(comment) => moves.add_comment(&comment),
            TokenKind::Number { .. } => {}
            TokenKind::Turn(word) => moves.play_turn(word, at, &mut self.size)?,
            TokenKind::Glyph(glyph) => moves.add_glyph(glyph, at)?,
            TokenKind::Open => {
                self.size.add_variation(depth + 1).map_err(|error| Flaw::new(at, error))?;
                let no_move = || Flaw::new(at, "expected a move before its variation");
                let mut variation = moves.variation().ok_or_else(no_move)?;
                loop {
                    match self.tokens.next()? {
                        Some(Token { kind: TokenKind::Close, .. }) => break,
                        Some(token) => self.add(token, &mut variation, depth + 1)?,
                        None => {
                            return Err(Flaw::new(at, "expected a variation that ends with ')'"));
                        }
                    }
                }
                moves.add_variation(variation).ok_or_else(no_move)?;
            }
            TokenKind::Tag(..) | TokenKind::Close | TokenKind::Result(_) => {
                return Err(Flaw::new(at, "expected a move or the ')' of a variation"));
            }
        }
        Ok(())
    }
}

/// The tags of a game and the bytes of their values.
#[derive(Default)]
pub(in crate::records) struct ReadTags {
    tags: Vec<(Tag, usize)>,
    names: HashSet<String>,
}

impl ReadTags {
    const fn is_empty(&self) -> bool {
        self.tags.is_empty()
    }

    /// Adds a tag with a new name.
    pub(in crate::records) fn add(&mut self, tag: Tag, at: usize) -> Result<(), Flaw> {
        if !self.names.insert(tag.name.clone()) {
            let message = format!("tag {} is there twice", quote(&tag.name));
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
    pub(in crate::records) fn begin(
        self,
        usual: &RuleSet,
    ) -> Result<(GameRecord, Position<RuleSet>), Flaw> {
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
            None => Position::start(rules),
        };
        let tags = self.tags.into_iter().map(|(tag, _)| tag);
        record.tags = tags.filter(|tag| !is_field(&tag.name)).collect();
        Ok((record, start))
    }
}
