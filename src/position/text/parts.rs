//! What every form of position text says: its words, what is wrong with one, and the position that they make.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use crate::Error;
use crate::board::{BySide, Side, Square, SquareSet};
use crate::position::validate::{Inconsistency, Part};
use crate::position::zobrist::Keyed;
use crate::position::{Phase, Position, PositionText};
use crate::rules::{Extras, MillAction, RuleSet, Rules};

/// The words of a text, each valid by itself.
#[derive(Clone)]
pub(super) struct Parts {
    pub(super) men: BySide<SquareSet>,
    pub(super) marked: SquareSet,
    pub(super) to_move: Side,
    /// Whether the text calls the game over.
    pub(super) is_over: bool,
    pub(super) phase: Phase,
    /// Whether the action of the side to move is to remove.
    pub(super) removes: bool,
    pub(super) in_hand: BySide<u8>,
    pub(super) owed: BySide<i8>,
    pub(super) extras: Extras,
    pub(super) half: u16,
    pub(super) count: MoveCount,
}

/// How a text counts the moves of the game.
#[derive(Clone, Copy)]
pub(super) enum MoveCount {
    /// The number of the next move of the side that moves, from 1.
    Number(u32),
    /// The turns that both sides have begun.
    Turns(u32),
}

impl Parts {
    /// The position, if its parts agree, and whether the game is over; `field` names the field of a part.
    pub(super) fn build<R: Rules>(
        &self,
        rules: R::Reference,
        field: fn(Part) -> &'static str,
    ) -> Result<PositionText<R>, Error> {
        // What the game has no memory for is found by a position that can remember anything.
        let checked =
            self.check(&rules).and_then(|()| self.position::<RuleSet>((*rules).into()).validate());
        checked.map_err(|error| wrong(field(error.part), error.expected, error.found))?;
        let position = self.position::<R>(rules);
        Ok(PositionText { position, is_over: self.is_over || position.ending().is_some() })
    }

    /// Checks what the position does not show: that at most one side has too few men, and none while men are
    /// placed, and that a side owes removals if it is to remove.
    fn check(&self, rules: &RuleSet) -> Result<(), Inconsistency> {
        let least = rules.least_men;
        let short = Side::ALL.into_iter().filter(|side| self.is_short(*side, rules)).count();
        if short == 2 {
            let expected = format!("at least {least} men of a side");
            return Err(Inconsistency::new(Part::Board, expected, "fewer of both"));
        }
        if self.is_over {
            return Ok(());
        }
        if short == 1 && self.phase == Phase::Placing {
            let expected = format!("o, as a side has fewer than {least} men");
            return Err(Inconsistency::new(Part::Phase, expected, 'p'));
        }
        for side in Side::ALL {
            let expected = match self.owed[side] {
                0 if self.removes && side == self.to_move => "1 or more with action r",
                1.. | ..0 if !self.removes => "0 for a side that does not remove",
                _ => continue,
            };
            return Err(Inconsistency::new(Part::Owed(side), expected, self.owed[side]));
        }
        Ok(())
    }

    /// Whether a side has too few men, on the board and in hand.
    fn is_short(&self, side: Side, rules: &RuleSet) -> bool {
        (self.men[side].len() as u8) + self.in_hand[side] < rules.least_men
    }

    /// The side whose turn it is: one that has lost by its men, White when a full board ends the
    /// game, else the one that the text names.
    fn turn(&self, rules: &RuleSet) -> Side {
        let is_full = self.men[Side::White] | self.men[Side::Black] == SquareSet::ALL;
        if is_full && !self.removes && rules.board_full_action.ends() {
            return Side::White;
        }
        let loser = Side::ALL.into_iter().find(|side| self.is_short(*side, rules));
        loser.unwrap_or(self.to_move)
    }

    /// The position; the stalemate rule is applied to a side that cannot move.
    fn position<R: Rules>(&self, rules: R::Reference) -> Position<R> {
        let to_move = self.turn(&rules);
        let mut keyed = Keyed::<R::Memory>::of(self.men, self.in_hand, to_move);
        let is_over = self.is_over || self.is_short(to_move, &rules);
        let goes_on = !is_over && to_move == self.to_move;
        let mut extras = Extras { marked: self.marked, ..self.extras };
        if goes_on {
            extras.removes_own = self.owed[to_move] < 0;
            extras.opponent_owes = self.owed[!to_move];
        } else {
            extras = extras.without_debts();
        }
        if extras != Extras::NONE {
            keyed.remember(|memory| *memory = extras);
        }
        let hand = if self.in_hand[to_move] > 0 { Phase::Placing } else { Phase::Moving };
        let phase = if goes_on { self.phase } else { hand };
        let pending = if goes_on { self.owed[to_move].unsigned_abs() } else { 0 };
        let turns = match self.count {
            MoveCount::Number(number) => 2 * (number - 1) + to_move as u32 + u32::from(pending > 0),
            MoveCount::Turns(turns) => turns,
        };
        let mut position = Position { keyed, turns, quiet_plies: self.half, phase, rules };
        if pending > 0 {
            position.set_pending(pending);
        } else if goes_on && position.validate().is_ok() {
            position.start_turn();
        }
        position
    }
}

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
