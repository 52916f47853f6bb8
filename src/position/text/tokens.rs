//! Single words of a position text, and what is wrong with one.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use crate::Error;
use crate::board::{BySide, Side, Square, SquareSet};
use crate::position::Position;
use crate::rules::{MillAction, RuleSet, Rules};

/// The error of a text that is no position: which field is wrong, what was expected and what was found.
pub(super) fn wrong(field: &str, expected: impl fmt::Display, found: impl fmt::Display) -> Error {
    Error::found(format_args!("position text, {field}"), expected, &found.to_string())
}

/// A word of a text, and the name of its field.
#[derive(Clone, Copy)]
pub(super) struct Token<'a> {
    pub(super) field: &'static str,
    pub(super) word: &'a str,
}

impl Token<'_> {
    pub(super) fn error(self, expected: impl fmt::Display) -> Error {
        wrong(self.field, expected, self.word)
    }

    /// The letter, which is one of `choices`, separated by blanks.
    pub(super) fn letter(self, choices: &str) -> Result<char, Error> {
        let mut letters = self.word.chars();
        match (letters.next(), letters.next()) {
            (Some(letter), None) if letter != ' ' && choices.contains(letter) => Ok(letter),
            _ => Err(self.error(format!("one of {choices}"))),
        }
    }

    /// A number in a range, written as numbers are.
    pub(super) fn number<N>(self, range: RangeInclusive<N>) -> Result<N, Error>
    where
        N: FromStr + PartialOrd + fmt::Display,
    {
        let is_right = |number: &N| range.contains(number) && number.to_string() == self.word;
        let (low, high) = (range.start(), range.end());
        let expected = || self.error(format!("a number from {low} to {high}"));
        self.word.parse().ok().filter(is_right).ok_or_else(expected)
    }
}

/// How a form of text writes the points of the board.
pub(super) struct BoardForm {
    /// The points in their order, eight to a ring.
    pub(super) points: [Square; Square::COUNT],
    /// What stands for a man of White and of Black.
    pub(super) men: [char; 2],
    /// What stands for a mark; the last one is written.
    pub(super) marks: &'static [char],
    pub(super) empty: char,
}

impl BoardForm {
    /// Reads the men of each side and the marked points.
    pub(super) fn read(
        &self,
        token: Token<'_>,
        rules: &RuleSet,
    ) -> Result<(BySide<SquareSet>, SquareSet), Error> {
        let rings: Vec<Vec<char>> =
            token.word.split('/').map(|ring| ring.chars().collect()).collect();
        if rings.len() != 3 || rings.iter().any(|ring| ring.len() != 8) {
            return Err(token.error("three groups of eight points joined by '/'"));
        }
        let has_marks = rules.mill_action == MillAction::RemoveAndMark;
        let marks = if has_marks { self.marks } else { &[] };
        let mut men = BySide::both(SquareSet::EMPTY);
        let mut marked = SquareSet::EMPTY;
        for (square, mark) in self.points.into_iter().zip(rings.into_iter().flatten()) {
            if let Some(side) = Side::ALL.into_iter().find(|side| self.men[*side as usize] == mark)
            {
                men[side] = men[side].with(square);
            } else if marks.contains(&mark) {
                marked = marked.with(square);
            } else if mark != self.empty {
                let letters = self.men.iter().chain(marks).map(char::to_string);
                let letters = letters.collect::<Vec<_>>().join(", ");
                let expected = format!("{letters} or {} on {square}", self.empty);
                return Err(wrong(token.field, expected, mark));
            }
        }
        Ok((men, marked))
    }

    /// Writes the board of a position.
    pub(super) fn write<R: Rules>(
        &self,
        f: &mut fmt::Formatter<'_>,
        position: &Position<R>,
    ) -> fmt::Result {
        for (at, square) in self.points.into_iter().enumerate() {
            let separator = if at > 0 && at % 8 == 0 { "/" } else { "" };
            write!(f, "{separator}{}", self.letter(position, square))?;
        }
        Ok(())
    }

    /// What stands for a point.
    pub(super) fn letter<R: Rules>(&self, position: &Position<R>, square: Square) -> char {
        let owner = Side::ALL.into_iter().find(|&side| position.men(side).contains(square));
        let mark = self.marks.last().filter(|_| position.extras().marked.contains(square));
        let free = mark.copied().unwrap_or(self.empty);
        owner.map_or(free, |side| self.men[side as usize])
    }
}

/// The side with a letter.
pub(super) fn side(letter: &str) -> Option<Side> {
    Side::ALL.into_iter().find(|side| letter == side.letter().to_string())
}
