//! The tags that tell what other fields of a record hold.

use std::collections::HashSet;

use super::error::ReadError;
use super::tokens::Tokens;
use super::{GameResult, Record, Tag};
use crate::position::Position;
use crate::quote::quote;
use crate::rules::RuleSet;

pub(super) const RESULT: &str = "Result";
pub(super) const VARIANT: &str = "Variant";
pub(super) const PLY_COUNT: &str = "PlyCount";
pub(super) const SET_UP: &str = "SetUp";
pub(super) const FEN: &str = "FEN";

/// Whether another field of a record tells what the tag does.
pub(super) fn is_told_otherwise(name: &str) -> bool {
    [RESULT, VARIANT, PLY_COUNT, SET_UP, FEN].contains(&name)
}

/// Whether a word may be the name of a tag.
pub(super) fn is_tag_name(name: &str) -> bool {
    let may_stand = |c: char| !c.is_whitespace() && !c.is_control() && !"\"[]".contains(c);
    !name.is_empty() && name.chars().all(may_stand)
}

/// The tags of a game, each with the byte where its value begins.
#[derive(Default)]
pub(super) struct Heading {
    tags: Vec<(Tag, usize)>,
    names: HashSet<String>,
}

impl Heading {
    pub(super) const fn is_empty(&self) -> bool {
        self.tags.is_empty()
    }

    /// Adds a tag, whose name must be new.
    pub(super) fn add(&mut self, tag: Tag, at: usize, tokens: &Tokens) -> Result<(), ReadError> {
        if !self.names.insert(tag.name.clone()) {
            let message = format!("expected each tag once, found {} again", quote(&tag.name));
            return Err(tokens.error(at, message));
        }
        self.tags.push((tag, at));
        Ok(())
    }

    fn find(&self, name: &str) -> Option<(&str, usize)> {
        let found = self.tags.iter().find(|(tag, _)| tag.name == name);
        found.map(|(tag, at)| (tag.value.as_str(), *at))
    }

    /// The record that the tags begin, and the position it starts from.
    pub(super) fn begin(
        self,
        usual: &RuleSet,
        tokens: &Tokens,
    ) -> Result<(Record, Position<RuleSet>), ReadError> {
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
        let mut record = Record::new(rules, None, &[], result);
        let start = match self.find(FEN) {
            Some((text, at)) => {
                record.set_start(text).map_err(|error| tokens.error(at, error.to_string()))?
            }
            None => Position::start(rules),
        };
        let tags = self.tags.into_iter().map(|(tag, _)| tag);
        record.tags = tags.filter(|tag| !is_told_otherwise(&tag.name)).collect();
        Ok((record, start))
    }
}
