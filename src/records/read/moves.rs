//! Building the moves of a game or variation while they are read.

use crate::Error;
use crate::position::{Move, Position, Turn};
use crate::records::error::Flaw;
use crate::records::notation::parse_numbered_turn;
use crate::records::record::{AnnotatedMove, AnnotatedMoves, Property, Size, add_comment, play};
use crate::rules::RuleSet;

/// The moves of a game or variation so far, and the position after them.
pub(in crate::records) struct MovesBuilder {
    moves: AnnotatedMoves,
    position: Position<RuleSet>,
    /// The last move, and the last that is not a removal; before the first move of a variation those that it may
    /// replace.
    last: Option<Origin>,
    last_of_turn: Option<Origin>,
    /// The index of the move that the variation replaces.
    replaced: usize,
}

/// A move by its index, and the position before it.
#[derive(Clone, Copy)]
struct Origin {
    index: usize,
    before: Position<RuleSet>,
}

impl MovesBuilder {
    /// The moves of a game.
    pub(in crate::records) const fn main(position: Position<RuleSet>, comment: String) -> Self {
        let moves = AnnotatedMoves { comment, moves: Vec::new(), properties: Vec::new() };
        Self { moves, position, last: None, last_of_turn: None, replaced: 0 }
    }

    /// A variation of these moves; `None` if there are no moves.
    ///
    /// If it begins with a removal, it replaces the last move, otherwise the whole last turn.
    pub(super) fn variation(&self) -> Option<Self> {
        let last = self.last.filter(|_| self.has_moves())?;
        let variation = Self::branch(last.index, last.before);
        Some(Self { last: self.last, last_of_turn: self.last_of_turn, ..variation })
    }

    /// A variation that replaces the move with an index, which was played in a position.
    pub(in crate::records) fn branch(replaced: usize, position: Position<RuleSet>) -> Self {
        Self { replaced, ..Self::main(position, String::new()) }
    }

    /// The number of moves, and the position after them.
    pub(in crate::records) const fn end(&self) -> (usize, Position<RuleSet>) {
        (self.moves.moves.len(), self.position)
    }

    /// Adds a variation that has been read, if the move that it replaces is there.
    pub(in crate::records) fn add_variation(&mut self, variation: Self) -> Option<()> {
        self.moves.moves.get_mut(variation.replaced)?.variations.push(variation.moves);
        Some(())
    }

    /// Adds the moves of a word at a byte, with names or numbers of points.
    pub(in crate::records) fn play_turn(
        &mut self,
        word: &str,
        at: usize,
        size: &mut Size,
    ) -> Result<(), Flaw> {
        let turn = parse_turn(word).map_err(|message| Flaw::new(at, message))?;
        size.add(turn.moves().len()).map_err(|error| Flaw::new(at, error))?;
        let played = turn.moves().iter().try_for_each(|mv| self.play(*mv));
        played.map_err(|error| Flaw::new(at, error))
    }

    /// Adds a move.
    fn play(&mut self, mv: Move) -> Result<(), Error> {
        if !self.has_moves()
            && let Some(last) = self.last
        {
            let other = self.last_of_turn.take().unwrap_or(last);
            let replaced = if mv.is_removal() { last } else { other };
            (self.position, self.replaced) = (replaced.before, replaced.index);
        }
        let origin = Origin { index: self.moves.moves.len(), before: self.position };
        play(&mut self.position, mv)?;
        self.moves.moves.push(AnnotatedMove::from(mv));
        self.last = Some(origin);
        if !mv.is_removal() {
            self.last_of_turn = Some(origin);
        }
        Ok(())
    }

    /// Adds a comment after the last move, in lines of its own.
    pub(in crate::records) fn add_comment(&mut self, comment: &str) {
        add_comment(self.moves.end_comment(), comment);
    }

    /// Adds a glyph at a byte to the last move.
    pub(in crate::records) fn add_glyph(&mut self, glyph: u8, at: usize) -> Result<(), Flaw> {
        let last = self.moves.moves.last_mut();
        last.ok_or_else(|| Flaw::new(at, "expected a move before a glyph"))?.glyphs.push(glyph);
        Ok(())
    }

    /// Adds a property to the last move, or to the line if it has none. `None` if there are too many.
    pub(in crate::records) fn add_property(&mut self, property: Property) -> Option<()> {
        property.add_to(self.moves.end_properties())
    }

    pub(super) const fn has_moves(&self) -> bool {
        !self.moves.moves.is_empty()
    }

    pub(in crate::records) fn finish(self) -> AnnotatedMoves {
        self.moves
    }
}

/// Null moves as written by various programs.
const NULL_MOVES: [&str; 5] = ["--", "0000", "Z0", "none", "null"];

/// Parses a turn with names or numbers of points.
fn parse_turn(word: &str) -> Result<Turn, String> {
    let is_numbered = word.trim_start_matches(['x', 'X']).starts_with(|c: char| c.is_ascii_digit());
    if NULL_MOVES.contains(&word) {
        Err(format!("'{word}' is a null move, which no mill game allows"))
    } else if is_numbered {
        parse_numbered_turn(word)
    } else {
        word.parse().map_err(|error: Error| error.to_string())
    }
}
