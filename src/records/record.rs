//! Making records, and asking them.

use super::{GameResult, Line, Ply, Record, Tag};
use crate::position::Move;
use crate::rules::RuleSet;

impl Record {
    /// A record of moves alone.
    ///
    /// * `start`: the position text that the moves start from, if it is not the start position.
    #[must_use]
    pub fn new(rules: RuleSet, start: Option<String>, moves: &[Move], result: GameResult) -> Self {
        let plies = moves.iter().copied().map(Ply::from).collect();
        let line = Line { comment: String::new(), plies };
        Self { tags: Vec::new(), rules, start, line, result }
    }

    /// The value of a tag.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|tag| tag.name == name).map(|tag| tag.value.as_str())
    }

    /// Gives a tag a value; a new one comes last.
    pub fn set_tag(&mut self, name: &str, value: impl Into<String>) {
        let value = value.into();
        match self.tags.iter_mut().find(|tag| tag.name == name) {
            Some(tag) => tag.value = value,
            None => self.tags.push(Tag { name: name.to_owned(), value }),
        }
    }

    /// The moves of the game, without what is said about them.
    #[must_use]
    pub fn moves(&self) -> impl ExactSizeIterator<Item = Move> + '_ {
        self.line.plies.iter().map(|ply| ply.mv)
    }
}

impl From<Move> for Ply {
    /// The move with nothing said about it.
    fn from(mv: Move) -> Self {
        Self { mv, comment: String::new(), glyphs: Vec::new(), variations: Vec::new() }
    }
}

impl Ply {
    /// Whether anything is said about the move.
    #[must_use]
    pub fn is_annotated(&self) -> bool {
        !self.comment.is_empty() || !self.glyphs.is_empty() || !self.variations.is_empty()
    }
}
