//! A line of moves while it is read.

use super::error::UnplayableMove;
use super::replay::play;
use super::{Line, Ply};
use crate::position::{Move, Position};
use crate::rules::RuleSet;

/// The moves of a line so far, and the position after them.
pub(super) struct Branch {
    line: Line,
    position: Position<RuleSet>,
    /// The last move, and the last that is no removal.
    last: Option<Origin>,
    last_of_turn: Option<Origin>,
    /// The moves that the first one may replace, if the line is a variation.
    replaceable: Option<Replaceable>,
    /// The place of the move that the line replaces.
    replaced: usize,
}

/// A move of a line, by its place, and the position before it.
#[derive(Clone, Copy)]
struct Origin {
    ply: usize,
    before: Position<RuleSet>,
}

/// The move that a removal replaces, and the one that any other move replaces.
#[derive(Clone, Copy)]
struct Replaceable {
    by_removal: Origin,
    by_other: Origin,
}

impl Branch {
    /// The moves of a game.
    pub(super) const fn main(position: Position<RuleSet>, comment: String) -> Self {
        let line = Line { comment, plies: Vec::new() };
        Self { line, position, last: None, last_of_turn: None, replaceable: None, replaced: 0 }
    }

    /// A variation of the line, if it has a move that can be replaced.
    ///
    /// The first move of the variation tells which: a removal stands for the last move, anything
    /// else for the move that began the turn.
    pub(super) fn variation(&self) -> Option<Self> {
        let by_removal = self.last?;
        let by_other = self.last_of_turn.unwrap_or(by_removal);
        Some(Self {
            replaceable: Some(Replaceable { by_removal, by_other }),
            replaced: by_removal.ply,
            ..Self::main(by_removal.before, String::new())
        })
    }

    /// Adds a variation that has been read.
    pub(super) fn add_variation(&mut self, variation: Self) {
        self.line.plies[variation.replaced].variations.push(variation.line);
    }

    /// Adds a move.
    pub(super) fn play(&mut self, mv: Move) -> Result<(), UnplayableMove> {
        if let Some(Replaceable { by_removal, by_other }) = self.replaceable.take() {
            let origin = if mv.is_removal() { by_removal } else { by_other };
            self.position = origin.before;
            self.replaced = origin.ply;
        }
        let origin = Origin { ply: self.line.plies.len(), before: self.position };
        play(&mut self.position, mv)?;
        self.line.plies.push(Ply::from(mv));
        self.last = Some(origin);
        if !mv.is_removal() {
            self.last_of_turn = Some(origin);
        }
        Ok(())
    }

    /// Adds something that is said here, as lines of their own.
    pub(super) fn say(&mut self, comment: &str) {
        say(self.line.end_comment(), comment);
    }

    /// Adds a glyph to the last move, if there is one.
    pub(super) fn add_glyph(&mut self, glyph: u8) -> Option<()> {
        self.line.plies.last_mut()?.glyphs.push(glyph);
        Some(())
    }

    pub(super) const fn has_moves(&self) -> bool {
        self.last.is_some()
    }

    pub(super) fn into_line(self) -> Line {
        self.line
    }
}

impl Line {
    /// The comment at the end of the line.
    pub(super) fn end_comment(&mut self) -> &mut String {
        self.plies.last_mut().map_or(&mut self.comment, |ply| &mut ply.comment)
    }
}

/// Adds lines to a comment.
pub(super) fn say(comment: &mut String, more: &str) {
    if !comment.is_empty() && !more.is_empty() {
        comment.push('\n');
    }
    comment.push_str(more);
}
