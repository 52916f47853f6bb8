//! Position text: a whole position in one line.
//!
#![doc = concat!("```text\n", include_str!("grammar.txt"), "```")]
//!
//! Spaces separate the fields, and each number is written in its shortest form. The men on the
//! board must match field 1, and neither side may have more men than the game provides. A text does
//! not name the rules of its game, so the reader has to know them.
//!
//! Both numberings of points and both lengths are read; 17 fields with numbers from 8 are written. A side
//! that has lost by having too few men is read as the side to move. The text of a finished game has phase
//! `o` and owes no removals; after a final removal it is written with `w o r`, otherwise with action `?`.
//!
//! MFEN 1.0 is accepted wherever position text is, and recognized by its prefix `MFEN/`. See [`Mfen`] for writing it.
//!
//! The text does not say which side began the current move number. In games where a side may move
//! twice in a row, move numbers may be off by one when a game continues from a text.
//!
//! # Moves and turns
//!
//! ```text
//! move   = place | slide | remove
//! place  = point                    d6
//! slide  = point "-" point          d6-d5, also for flying and leaping
//! remove = "x" point                xd5
//! turn   = move { remove }          d6-d5xa1, without blanks
//! point  = "a" to "g", "1" to "7"   a1 to g7, White's side below
//! ```
//!
//! Letters are read in upper and lower case. See [`Move`](super::Move) and [`Turn`](super::Turn).
//!
//! # Rules
//!
//! Game records and match logs name a game by a [`Preset`](crate::rules::Preset), which may be
//! abbreviated, or by the rules that differ from Nine Men's Morris:
//!
//! ```text
//! rules = name | rule { blank rule }      Lasker Morris, or men=10 may_move_in_placing=true
//! rule  = key "=" value
//! key   = field | capture "." switch
//! value = number | "true" | "false" | word
//! ```
//!
//! A field is a field of [`RuleSet`]; a capture is `custodian`, `intervention` or
//! `leap`, with the switches of [`CaptureRule`](crate::rules::CaptureRule); words are the names of actions such
//! as `RemoveFromHand`, and `With` or `Without` for `diagonals`. `millstone rules --help` lists all keys with
//! their values and protocol options; [`Rule::all`](crate::rules::Rule::all) is the table behind it.

mod fields;
mod mfen;

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use super::zobrist::Keyed;
use super::{Draw, Inconsistency, Outcome, Part, Phase, Position};
use crate::Error;
use crate::board::{BySide, Glyphs, Picture, Side, Square, SquareSet};
use crate::rules::{Extras, MillAction, RuleSet, Rules};

pub use mfen::{Mfen, is_mfen};

/// The first word of a line that gives a position as a start and moves, such as
/// `position startpos moves d6 f4`.
pub const POSITION_WORD: &str = "position";
/// The word for the start position in such a line.
pub const START_WORD: &str = "startpos";
/// The word before a position text in such a line.
pub const FEN_WORD: &str = "fen";
/// The word before the moves in such a line.
pub const MOVES_WORD: &str = "moves";

/// The grammar of position text, as shown by `--help`.
pub const GRAMMAR: &str = include_str!("grammar.txt");

/// Whether a line begins like position text: MFEN, or a first field with the three rings of a
/// board. A leading bracket or brace is the start of a tag or comment in a game record.
pub fn is_position_text(line: &str) -> bool {
    let board = line.split_whitespace().next().unwrap_or_default();
    let has_rings = board.matches('/').count() == 2
        && !board.starts_with(['[', '{'])
        && !board.contains(char::is_numeric);
    has_rings || is_mfen(line)
}

/// A position, and how its text says that the game has ended.
///
/// A text that says no more than that the game is over is read as a draw by repetition, unless the position ends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PositionText<R: Rules = RuleSet> {
    /// The position.
    pub position: Position<R>,
    /// How the game has ended, by the position itself or by the moves before it.
    pub outcome: Option<Outcome>,
}

impl<R: Rules> Position<R> {
    /// Reads a position of the game `rules`; see [`PositionText::parse`].
    ///
    /// # Errors
    ///
    /// The error names the first field that is wrong.
    pub fn from_text(text: &str, rules: R) -> Result<Self, Error> {
        PositionText::parse(text, rules).map(|text| text.position)
    }

    /// The board with coordinates: `O` White, `@` Black, `X` marked, `*` empty, as in the text.
    pub fn drawing(&self) -> Picture<()> {
        let mut picture = Picture::new(self.rules().diagonals, Glyphs::Ascii, (), false);
        for square in Square::ALL {
            picture.set(square, fields::BOARD.letter(self, square), ());
        }
        picture
    }

    /// The number of men that a side owes to remove, now or when it is next to move; negative for its own men.
    pub fn owed(&self, side: Side) -> i8 {
        let extras = self.extras();
        let pending = self.pending().cast_signed();
        match side == self.to_move() {
            true if extras.removes_own => -pending,
            true => pending,
            false => extras.opponent_owes,
        }
    }
}

impl<R: Rules> From<Position<R>> for PositionText<R> {
    fn from(position: Position<R>) -> Self {
        Self { position, outcome: position.ending() }
    }
}

impl<R: Rules> PositionText<R> {
    /// Reads MFEN, the 17 fields with either numbering of points, or the 11 fields of 2021.
    ///
    /// A side that has lost by having too few men becomes the side to move.
    ///
    /// # Errors
    ///
    /// The error names the first field that is malformed, out of range or contradicts another.
    pub fn parse(text: &str, rules: R) -> Result<Self, Error> {
        let rules = R::Reference::from(rules);
        if is_mfen(text) {
            return mfen::read(text, rules);
        }
        fields::parse(text, &rules)?.build(rules, fields::field)
    }
}

/// The values in a text, each valid by itself.
#[derive(Clone)]
struct Parts {
    men: BySide<SquareSet>,
    marked: SquareSet,
    to_move: Side,
    /// The draw to assume if the position does not end the game, in a text that says that it is over.
    draw: Option<Draw>,
    phase: Phase,
    /// Whether the action of the side to move is to remove.
    removes: bool,
    in_hand: BySide<u8>,
    /// The removals that each side owes; negative for its own men.
    owed: BySide<i8>,
    extras: Extras,
    half: u16,
    count: MoveCount,
}

/// How a text counts the moves of the game.
#[derive(Clone, Copy)]
enum MoveCount {
    /// The number of the next move of the side that moves, from 1.
    Number(u32),
    /// The turns that both sides have begun.
    Turns(u32),
}

impl Parts {
    /// Builds the position, if its parts agree; `field` names the field of a part in errors.
    fn build<R: Rules>(
        &self,
        rules: R::Reference,
        field: fn(Part) -> &'static str,
    ) -> Result<PositionText<R>, Error> {
        // A position that can hold any extra state shows what this game must not remember.
        let checked =
            self.check(&rules).and_then(|()| self.position::<RuleSet>((*rules).into()).validate());
        checked.map_err(|error| wrong(field(error.part), error.expected, error.found))?;
        let position = self.position::<R>(rules);
        let outcome = position.ending().or(self.draw.map(Outcome::Draw));
        Ok(PositionText { position, outcome })
    }

    /// Checks what the position does not show: at most one side has too few men, and none in the
    /// placing phase; and removals are owed if and only if the side to move is to remove.
    fn check(&self, rules: &RuleSet) -> Result<(), Inconsistency> {
        let least = rules.least_men;
        let short = Side::ALL.into_iter().filter(|side| self.is_short(*side, rules)).count();
        if short == 2 {
            let expected = format!("at least {least} men of a side");
            return Err(Inconsistency::new(Part::Board, expected, "fewer of both"));
        }
        if self.draw.is_some() {
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

    /// The side to move: White when a full board ends the game, else a side that has too few men,
    /// else the side that the text names.
    fn turn(&self, rules: &RuleSet) -> Side {
        let is_full = self.men[Side::White] | self.men[Side::Black] == SquareSet::ALL;
        if is_full && !self.removes && rules.board_full_action.ends() {
            return Side::White;
        }
        let loser = Side::ALL.into_iter().find(|side| self.is_short(*side, rules));
        loser.unwrap_or(self.to_move)
    }

    /// Builds the position and applies the stalemate rule to a side that cannot move.
    fn position<R: Rules>(&self, rules: R::Reference) -> Position<R> {
        let to_move = self.turn(&rules);
        let mut keyed = Keyed::<R::Memory>::of(self.men, self.in_hand, to_move);
        let is_over = self.draw.is_some() || self.is_short(to_move, &rules);
        let goes_on = !is_over && to_move == self.to_move;
        let owed = if goes_on { self.owed } else { BySide::both(0) };
        let rest = if goes_on { self.extras } else { self.extras.without_debts() };
        let (removes_own, opponent_owes) = (owed[to_move] < 0, owed[!to_move]);
        let extras = Extras { marked: self.marked, removes_own, opponent_owes, ..rest };
        keyed.remember(|memory| *memory = extras);
        let hand = if self.in_hand[to_move] > 0 { Phase::Placing } else { Phase::Moving };
        let phase = if goes_on { self.phase } else { hand };
        let pending = owed[to_move].unsigned_abs();
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

/// The error for an invalid text: which field is wrong, what was expected and what was found.
fn wrong(field: &str, expected: impl fmt::Display, found: impl fmt::Display) -> Error {
    Error::found(format_args!("position text, {field}"), expected, &found.to_string())
}

/// A word of a text, and the name of its field.
#[derive(Clone, Copy)]
struct Token<'a> {
    field: &'static str,
    word: &'a str,
}

impl Token<'_> {
    fn error(self, expected: impl fmt::Display) -> Error {
        wrong(self.field, expected, self.word)
    }

    /// Fails unless the word is as expected.
    fn ensure(self, is_right: bool, expected: impl fmt::Display) -> Result<(), Error> {
        if is_right { Ok(()) } else { Err(self.error(expected)) }
    }

    /// Reads a letter, one of the space-separated `choices`.
    fn letter(self, choices: &str) -> Result<&str, Error> {
        let letter = choices.split(' ').find(|choice| *choice == self.word);
        letter.ok_or_else(|| self.error(format!("one of {choices}")))
    }

    /// Reads a number in a range, in its shortest form.
    fn number<N>(self, range: RangeInclusive<N>) -> Result<N, Error>
    where
        N: FromStr + PartialOrd + fmt::Display,
    {
        let is_right = |number: &N| range.contains(number) && number.to_string() == self.word;
        let (low, high) = (range.start(), range.end());
        let expected = || self.error(format!("a number from {low} to {high}"));
        self.word.parse().ok().filter(is_right).ok_or_else(expected)
    }
}

/// How a text format writes the board.
struct BoardForm {
    /// The points in their order, eight to a ring.
    points: [Square; Square::COUNT],
    /// The characters for White's and Black's men.
    men: [char; 2],
    /// The characters read as a mark; the last one is written.
    marks: &'static [char],
    empty: char,
}

impl BoardForm {
    /// Reads the men of each side and the marked points.
    fn read(
        &self,
        token: Token<'_>,
        rules: &RuleSet,
    ) -> Result<(BySide<SquareSet>, SquareSet), Error> {
        let has_rings = token.word.split('/').map(|ring| ring.chars().count()).eq([8; 3]);
        token.ensure(has_rings, "three groups of eight points joined by '/'")?;
        let has_marks = rules.mill_action == MillAction::RemoveAndMark;
        let marks = if has_marks { self.marks } else { &[] };
        let mut men = BySide::both(SquareSet::EMPTY);
        let mut marked = SquareSet::EMPTY;
        let letters = token.word.chars().filter(|letter| *letter != '/');
        for (square, mark) in self.points.into_iter().zip(letters) {
            if let Some(side) = self.men.iter().position(|man| *man == mark) {
                men.0[side] = men.0[side].with(square);
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
    fn write<R: Rules>(&self, f: &mut fmt::Formatter<'_>, position: &Position<R>) -> fmt::Result {
        for (at, square) in self.points.into_iter().enumerate() {
            let separator = if at > 0 && at % 8 == 0 { "/" } else { "" };
            write!(f, "{separator}{}", self.letter(position, square))?;
        }
        Ok(())
    }

    /// The character for a point.
    fn letter<R: Rules>(&self, position: &Position<R>, square: Square) -> char {
        let owner = Side::ALL.into_iter().find(|&side| position.men(side).contains(square));
        let mark = self.marks.last().filter(|_| position.extras().marked.contains(square));
        let free = mark.copied().unwrap_or(self.empty);
        owner.map_or(free, |side| self.men[side as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Standard;

    const START: &str = "********/********/******** w p p 0 9 0 9 0 0 0 0 0 0 0 0 1";

    fn read(text: &str) -> Result<String, String> {
        let text = PositionText::parse(text, Standard).map_err(|error| error.to_string())?;
        text.position.validate().expect("what is read is consistent");
        Ok(text.to_string())
    }

    #[test]
    fn each_dialect_becomes_the_one_that_is_written() {
        let nodes = "********/********/******** w p p 0 9 0 9 0 0 -1 -1 -1 -1 0 0 1 ids:nodes";
        assert_eq!(read(START).as_deref(), Ok(START));
        assert_eq!(read(nodes).as_deref(), Ok(START));
        let short = "********/O*@*****/******** w p p 1 8 1 8 0 0 2";
        let long = "********/O*@*****/******** w p p 1 8 1 8 0 0 0 0 0 0 0 0 2";
        assert_eq!(read(short).as_deref(), Ok(long));
        let owed = "********/********/OO**@@*O w p r 3 6 2 7 1 0 3";
        let long = "********/********/OO**@@*O w p r 3 6 2 7 1 0 0 0 0 0 0 0 3";
        assert_eq!(read(owed).as_deref(), Ok(long));
    }

    #[test]
    fn finished_games_read_back_as_they_were_written() {
        for text in [
            "O**OO***/O*O@OOOO/*@****** w o r 9 0 2 0 0 0 0 0 0 0 0 0 37",
            "*@*@@*@*/@@*****@/****@OO* w o r 2 0 8 0 0 0 0 0 0 0 0 0 68",
            "@**O****/*O**@***/O***@*@O b o ? 4 0 4 0 0 0 0 0 0 0 0 9 14",
        ] {
            assert_eq!(read(text).as_deref(), Ok(text));
        }
        let with_owed = "O**OO***/O*O@OOOO/*@****** w o r 9 0 2 0 1 0 0 0 0 0 0 0 37";
        let without = "O**OO***/O*O@OOOO/*@****** w o r 9 0 2 0 0 0 0 0 0 0 0 0 37";
        assert_eq!(read(with_owed).as_deref(), Ok(without));
    }

    #[test]
    fn no_move_number_is_written_that_is_not_read() {
        let text = "********/********/******** b p p 0 9 0 9 0 0 0 0 0 0 0 0 1000000000";
        let moves = ["d6", "f4"].map(|mv| mv.parse().unwrap());
        let position = Position::from_text(text, Standard).unwrap();
        let after = moves.into_iter().fold(position, |position, mv| position.after(mv));
        let written = PositionText::from(after);
        for text in [written.to_string(), Mfen(written).to_string()] {
            assert_eq!(read(&text), Ok(written.to_string()), "{text}");
        }
    }

    #[test]
    fn a_side_with_too_few_men_owes_nothing_and_is_in_the_phase_of_its_hand() {
        for text in [
            "*O******/**O***@*/*****@@* w m r 2 0 3 0 1 0 0 0 0 0 0 0 8",
            "*O******/**OO**@*/******** w m s 3 0 1 1 0 0 0 0 0 0 0 0 8",
        ] {
            let read = PositionText::parse(text, Standard).unwrap();
            assert!(read.outcome.is_some() && read.position.pending() == 0, "{text}");
            assert_eq!(PositionText::parse(&read.to_string(), Standard), Ok(read), "{text}");
        }
    }

    #[test]
    fn errors_name_the_field_what_was_expected_and_what_was_found() {
        let cases = [
            ("", "number of fields: expected 17 fields, or the 11 of the old form, found '0'"),
            ("0 @", "field 1 (board): expected three groups of eight points"),
            (
                "0 ********/****o***/********",
                "field 1 (board): expected O, @ or * on d2, found 'o'",
            ),
            ("0 ********/****X***/********", "expected O, @ or * on d2, found 'X'"),
            ("1 W", "field 2 (side): expected w or b, found 'W'"),
            ("2 z", "field 3 (phase): expected one of p m o r n, found 'z'"),
            ("3 place", "field 4 (action): expected one of p s r ?, found 'place'"),
            ("3 s", "field 4 (action): expected p or r in phase p, found 's'"),
            ("2 m", "field 4 (action): expected s or r in phase m, found 'p'"),
            ("3 r", "field 9 (White owes): expected 1 or more with action r, found '0'"),
            ("4 1", "field 5 (White on board): expected 0, as on the board, found '1'"),
            ("5 10", "field 6 (White in hand): expected a number from 0 to 9, found '10'"),
            ("7 -1", "field 8 (Black in hand): expected a number from 0 to 9, found '-1'"),
            ("8 1", "field 9 (White owes): expected 0 for a side that does not remove, found '1'"),
            ("9 a", "field 10 (Black owes): expected a number from -24 to 24, found 'a'"),
            ("10 7", "field 11 (White's mill from): expected a point number from 8 to 31, or 0"),
            ("13 32", "field 14 (Black's mill to)"),
            ("14 255", "field 15 (used mills)"),
            ("15 -1", "field 16 (half): expected a number from 0 to 65535, found '-1'"),
            ("16 0", "field 17 (full): expected a number from 1 to"),
        ];
        for (change, message) in cases {
            let mut tokens: Vec<&str> = START.split(' ').collect();
            match change.split_once(' ') {
                Some((at, token)) => tokens[at.parse::<usize>().unwrap()] = token,
                None => tokens.clear(),
            }
            let error = read(&tokens.join(" ")).unwrap_err();
            assert!(error.contains(message), "{change}: {error}");
        }
        assert!(read(&format!("{START} c:w-1-24|b-0-")).unwrap_err().contains("a game"));
        assert!(read(&format!("{START} what")).unwrap_err().contains("label:value"));
        assert_eq!(read(&format!("{START} new:thing")).as_deref(), Ok(START));
    }
}
