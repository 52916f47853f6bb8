//! Reading games with tags, numbered moves, comments and variations.

use std::collections::HashSet;
use std::mem;

use super::Item;
use super::moves::MovesBuilder;
use super::tokens::{Token, TokenKind, Tokens};
use crate::position::Position;
use crate::quote::quote;
use crate::records::error::Flaw;
use crate::records::record::{
    FEN, GameRecord, GameResult, MAX_DEPTH, RESULT, Size, Tag, VARIANT, add_comment, is_field,
};
use crate::rules::RuleSet;

/// Reads the game at a byte, if there is one. Returns it and the byte of the next one.
///
/// * `last_brace`: the last `}` of the text.
pub(super) fn read(
    text: &str,
    at: usize,
    last_brace: Option<usize>,
    usual: &RuleSet,
) -> Result<(Item, usize), Flaw> {
    let tokens = Tokens::from(text, at, last_brace);
    let mut reader = Reader { tokens, size: Size::default() };
    let (tags, comment) = reader.read_tags()?;
    let found = if reader.tokens.is_at_end() && tags.is_empty() {
        Item::End(comment)
    } else {
        let (mut record, start) = tags.begin(usual)?;
        let mut moves = MovesBuilder::main(start, comment);
        reader.read_moves(&mut moves, &mut record.result)?;
        record.main_line = moves.finish();
        Item::Game(record)
    };
    Ok((found, reader.tokens.place()))
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
    size: Size,
}

impl<'a> Reader<'a> {
    /// Reads the tags of a game and the comments between them.
    fn read_tags(&mut self) -> Result<(ReadTags, String), Flaw> {
        let mut tags = ReadTags::default();
        let mut comment = String::new();
        while let Some(token) = self.tokens.next()? {
            match token.kind {
                TokenKind::Tag(tag, value_at) => tags.add(tag, value_at)?,
                TokenKind::Comment(more) => add_comment(&mut comment, &more),
                _ => {
                    self.tokens.put_back(token);
                    break;
                }
            }
        }
        Ok((tags, comment))
    }

    /// Reads the moves of a game up to another game, the end of the text, or its result, with the comments on the
    /// line of that.
    ///
    /// * `result`: that of the tag, which is replaced.
    fn read_moves(
        &mut self,
        moves: &mut MovesBuilder,
        result: &mut GameResult,
    ) -> Result<(), Flaw> {
        let mut last_number = 0;
        // The byte of the result, or of the last comment after it.
        let mut end = None;
        while let Some(token) = self.tokens.next()? {
            let at = token.at;
            let is_next = match (&token.kind, &mut end) {
                (TokenKind::Comment(_), Some(last)) => {
                    !self.tokens.share_line(mem::replace(last, at), at)
                }
                (TokenKind::Tag(..), _) | (_, Some(_)) => true,
                (&TokenKind::Number { number, dots }, None) => {
                    let goes_back = last_number > 1 || dots == 1 && self.tokens.begins_line(at);
                    last_number = number;
                    number == 1 && moves.has_moves() && goes_back
                }
                (&TokenKind::Result(found), None) => {
                    if ![*result, found].contains(&GameResult::Unknown) && *result != found {
                        let message = format!("expected {result}, as in the tag, found {found}");
                        return Err(Flaw::new(at, message));
                    }
                    if found != GameResult::Unknown {
                        *result = found;
                    }
                    end = Some(at);
                    continue;
                }
                (TokenKind::Close, None) => {
                    return Err(Flaw::new(at, "expected a move, found ')' without '('"));
                }
                _ => false,
            };
            if is_next {
                self.tokens.put_back(token);
                break;
            }
            self.add(token, moves, 0)?;
        }
        Ok(())
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
                self.size.add(1).map_err(|error| Flaw::new(at, error))?;
                if depth == MAX_DEPTH {
                    return Err(Flaw::too_deep(at));
                }
                let before = || Flaw::new(at, "expected a move before its variation");
                let mut variation = moves.variation().ok_or_else(before)?;
                loop {
                    let token = self.tokens.next()?;
                    let open = || Flaw::new(at, "expected a variation that ends with ')'");
                    match token.ok_or_else(open)? {
                        Token { kind: TokenKind::Close, .. } => break,
                        token => self.add(token, &mut variation, depth + 1)?,
                    }
                }
                moves.add_variation(variation).ok_or_else(before)?;
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
