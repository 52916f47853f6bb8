//! Position text: one line that says all of a position, read in every dialect, written in one.
//!
//! ```text
//! *O******/*****@**/@****O** w p p 2 7 2 7 0 0 0 0 0 0 0 0 3
//! board: inner,  |  |  |  |  |   |   |   |       |       | | full: the number of the move
//! middle, outer  |  |  |  |  |   |   |   |       |       | half: slides since the last placement
//! ring from top  |  |  |  |  |   |   |   |       |         or removal
//! clockwise      |  |  |  |  |   |   |   |       points recorded as used in mills
//!             side  |  |  |  |   |   |   last mill-forming slides of White and Black
//!                phase |  |  |   |   removals that White and Black owe
//!                 action  |  |   Black's men on the board and in hand
//!                         White's men on the board and in hand
//! ```
//!
//! Texts of 17 fields name points 8 to 31 (none is 0), or 0 to 23 (none is -1) when the token
//! `ids:nodes` follows; texts of 11 fields are those that mill programs wrote in 2021.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use super::zobrist::Keyed;
use super::{Loss, Phase, Position};
use crate::board::{BySide, Side, Square, SquareSet};
use crate::rules::Rules;

/// A position and whether its text calls the game over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PositionText<R: Rules> {
    /// The position.
    pub position: Position<R>,
    /// Whether the game has ended, by the position itself or by the moves before it.
    pub is_over: bool,
}

/// A text that is no position: which field is wrong, what was expected and what was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    field: &'static str,
    expected: String,
    found: String,
}

impl TextError {
    fn new(field: &'static str, expected: impl Into<String>, found: impl fmt::Display) -> Self {
        Self { field, expected: expected.into(), found: found.to_string() }
    }
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { field, expected, found } = self;
        write!(f, "position text, {field}: expected {expected}, found '{found}'")
    }
}

impl std::error::Error for TextError {}

impl<R: Rules> Position<R> {
    /// Reads a position of the game `rules`; see [`PositionText::parse`].
    ///
    /// # Errors
    ///
    /// The first field that is wrong.
    pub fn from_text(text: &str, rules: R) -> Result<Self, TextError> {
        PositionText::parse(text, rules).map(|text| text.position)
    }
}

impl<R: Rules> fmt::Display for Position<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        PositionText { position: *self, is_over: self.loss().is_some() }.fmt(f)
    }
}

/// The letters and counts of a text, each valid by itself.
struct Fields {
    men: BySide<SquareSet>,
    to_move: Side,
    phase: char,
    action: char,
    in_hand: BySide<u8>,
    owed: BySide<i8>,
    half: u16,
    full: u32,
}

const BOARD: &str = "field 1 (board)";
const PHASE: &str = "field 3 (phase)";
const ACTION: &str = "field 4 (action)";
const ON_BOARD: [&str; 2] = ["field 5 (White on board)", "field 7 (Black on board)"];
const IN_HAND: [&str; 2] = ["field 6 (White in hand)", "field 8 (Black in hand)"];
const OWED: [&str; 2] = ["field 9 (White owes)", "field 10 (Black owes)"];
const MOVES: [&str; 4] = [
    "field 11 (White's mill from)",
    "field 12 (White's mill to)",
    "field 13 (Black's mill from)",
    "field 14 (Black's mill to)",
];
const FULL_RANGE: RangeInclusive<u32> = 1..=1_000_000_000;

impl<R: Rules> PositionText<R> {
    /// Reads a text of 17 fields in either dialect of point numbers, or of the 11 fields of 2021.
    ///
    /// A side left with too few men is made the side to move, which has lost.
    ///
    /// # Errors
    ///
    /// The first field that is malformed, out of range or contradicts another.
    pub fn parse(text: &str, rules: R) -> Result<Self, TextError> {
        let tokens: Vec<&str> = text.split_whitespace().collect();
        let fields = match tokens.len() {
            11 => Fields::parse_short(&tokens, rules)?,
            17.. => Fields::parse_full(&tokens, rules)?,
            count => {
                let expected = "17 fields, or the 11 of the old form";
                return Err(TextError::new("number of fields", expected, count));
            }
        };
        fields.check(rules)?;
        Ok(fields.build(rules))
    }
}

impl Fields {
    fn parse_full<R: Rules>(tokens: &[&str], rules: R) -> Result<Self, TextError> {
        let (tokens, extensions) = tokens.split_at(17);
        let has_node_ids = check_extensions(extensions)?;
        for (field, token) in MOVES.into_iter().zip(&tokens[10..14]) {
            check_point_id(field, token, has_node_ids)?;
        }
        check_used_mills(tokens[14], has_node_ids)?;
        let owed = BySide([number(OWED[0], tokens[8], -128..=127)?, owed(OWED[1], tokens[9])?]);
        Self::parse_common(tokens, owed, rules, ["field 16 (half)", "field 17 (full)"])
    }

    fn parse_short<R: Rules>(tokens: &[&str], rules: R) -> Result<Self, TextError> {
        let count = owed("field 9 (owed)", tokens[8])?;
        let owed = match tokens[1] {
            "b" => BySide([0, count]),
            _ => BySide([count, 0]),
        };
        Self::parse_common(tokens, owed, rules, ["field 10 (half)", "field 11 (full)"])
    }

    /// Reads what all texts have: the first eight fields and the last two of `tokens`.
    fn parse_common<R: Rules>(
        tokens: &[&str],
        owed: BySide<i8>,
        rules: R,
        [half_field, full_field]: [&'static str; 2],
    ) -> Result<Self, TextError> {
        let men = parse_board(tokens[0])?;
        let to_move = match tokens[1] {
            "w" => Side::White,
            "b" => Side::Black,
            other => return Err(TextError::new("field 2 (side)", "w or b", other)),
        };
        let phase = letter(PHASE, "p m o r n", tokens[2])?;
        let action = letter(ACTION, "p s r ?", tokens[3])?;
        let mut in_hand = BySide::both(0);
        for side in Side::ALL {
            let at = 4 + 2 * side as usize;
            let on_board = men[side].len() as u8;
            check_count(ON_BOARD[side as usize], tokens[at], on_board)?;
            let most = rules.men().saturating_sub(on_board);
            in_hand[side] = number(IN_HAND[side as usize], tokens[at + 1], 0..=most)?;
        }
        let half = number(half_field, tokens[tokens.len() - 2], 0..=u16::MAX)?;
        let full = number(full_field, tokens[tokens.len() - 1], FULL_RANGE)?;
        Ok(Self { men, to_move, phase, action, in_hand, owed, half, full })
    }

    fn is_over(&self) -> bool {
        self.phase == 'o'
    }

    /// Checks men, phase, action and owed removals against each other.
    fn check<R: Rules>(&self, rules: R) -> Result<(), TextError> {
        for side in Side::ALL {
            let on_board = self.men[side].len();
            if on_board > u32::from(rules.men()) {
                let expected = format!("at most {} men of {side}", rules.men());
                return Err(TextError::new(BOARD, expected, on_board));
            }
        }
        if self.is_over() {
            return Ok(());
        }
        let in_hand = self.in_hand[self.to_move];
        let expected = match (self.phase, self.action) {
            ('m', _) if in_hand > 0 => Err((PHASE, "p while the side to move has men in hand")),
            ('m', 's') | (_, 'r') => Ok(()),
            ('m', _) => Err((ACTION, "s or r in phase m")),
            (_, 'p') if in_hand == 0 => Err((PHASE, "m when the side to move has no man in hand")),
            (_, 'p') => Ok(()),
            _ => Err((ACTION, "p or r in phase p")),
        };
        expected.map_err(|(field, expected)| {
            let found = if field == PHASE { self.phase } else { self.action };
            TextError::new(field, expected, found)
        })?;
        self.check_owed(rules)
    }

    fn check_owed<R: Rules>(&self, rules: R) -> Result<(), TextError> {
        for side in Side::ALL {
            let removes = side == self.to_move && self.action == 'r';
            let most = if rules.may_remove_multiple() { 3 } else { 1 };
            let most = most.min(self.men[!side].len() as i8);
            let owed = self.owed[side];
            let (expected, is_right) = if !removes {
                ("0 for a side that does not remove".to_owned(), owed == 0)
            } else if most == 0 {
                ("action p or s, as the opponent has no man to remove".to_owned(), false)
            } else {
                (format!("1 to {most} with action r"), (1..=most).contains(&owed))
            };
            if !is_right {
                return Err(TextError::new(OWED[side as usize], expected, owed));
            }
        }
        Ok(())
    }

    fn build<R: Rules>(self, rules: R) -> PositionText<R> {
        let is_short =
            |side: &Side| self.men[*side].len() as u8 + self.in_hand[*side] < rules.least_men();
        let sides = [self.to_move, !self.to_move];
        let loser = sides.into_iter().find(is_short);
        let to_move = loser.unwrap_or(self.to_move);
        let mut keyed = Keyed::empty(self.in_hand);
        for side in Side::ALL {
            self.men[side].into_iter().for_each(|square| keyed.flip_man(side, square));
        }
        if to_move == Side::Black {
            keyed.pass_turn();
        }
        let is_placing = match self.phase {
            'm' => false,
            'o' => self.in_hand[to_move] > 0,
            _ => true,
        };
        if loser.is_none() && !self.is_over() {
            keyed.set_pending(self.owed[to_move].unsigned_abs());
        }
        let phase = if is_placing { Phase::Placing } else { Phase::Moving };
        let has_moved = u32::from(keyed.pending() > 0);
        let plies = 2 * (self.full - 1) + to_move as u32 + has_moved;
        let position = Position { keyed, plies, quiet_plies: self.half, phase, rules };
        PositionText { position, is_over: self.is_over() || position.loss().is_some() }
    }
}

fn parse_board(token: &str) -> Result<BySide<SquareSet>, TextError> {
    let groups: Vec<Vec<char>> = token.split('/').map(|group| group.chars().collect()).collect();
    if groups.len() != 3 || groups.iter().any(|group| group.len() != 8) {
        let expected = "three groups of eight points joined by '/'";
        return Err(TextError::new(BOARD, expected, token));
    }
    let mut men = BySide::both(SquareSet::EMPTY);
    for (square, mark) in Square::ALL.into_iter().zip(groups.into_iter().flatten()) {
        match mark {
            'O' => men[Side::White] = men[Side::White].with(square),
            '@' => men[Side::Black] = men[Side::Black].with(square),
            '*' => {}
            _ => {
                return Err(TextError::new(BOARD, format!("O, @ or * on {square}"), mark));
            }
        }
    }
    Ok(men)
}

/// The token if it is one of the letters in `choices`, which stand apart.
fn letter(field: &'static str, choices: &str, token: &str) -> Result<char, TextError> {
    let mut letters = token.chars();
    match (letters.next(), letters.next()) {
        (Some(letter), None) if letter != ' ' && choices.contains(letter) => Ok(letter),
        _ => Err(TextError::new(field, format!("one of {choices}"), token)),
    }
}

fn number<N>(field: &'static str, token: &str, range: RangeInclusive<N>) -> Result<N, TextError>
where
    N: FromStr + PartialOrd + fmt::Display,
{
    let (low, high) = (range.start(), range.end());
    let expected = || TextError::new(field, format!("a number from {low} to {high}"), token);
    token.parse().ok().filter(|number| range.contains(number)).ok_or_else(expected)
}

fn owed(field: &'static str, token: &str) -> Result<i8, TextError> {
    number(field, token, i8::MIN..=i8::MAX)
}

fn check_count(field: &'static str, token: &str, on_board: u8) -> Result<(), TextError> {
    if token.parse() == Ok(on_board) {
        Ok(())
    } else {
        Err(TextError::new(field, format!("{on_board}, as on the board"), token))
    }
}

/// Checks the tokens after the fields; whether points have node numbers.
fn check_extensions(tokens: &[&str]) -> Result<bool, TextError> {
    const FIELD: &str = "extension";
    let mut has_node_ids = false;
    for token in tokens {
        match token.to_ascii_lowercase().split_once(':') {
            Some(("ids", "nodes")) => has_node_ids = true,
            Some(("c" | "i" | "l" | "p" | "s", _)) => {
                let expected = "no capture and no stalemate removal in this game";
                return Err(TextError::new(FIELD, expected, token));
            }
            Some(_) => {}
            None => return Err(TextError::new(FIELD, "label:value", token)),
        }
    }
    Ok(has_node_ids)
}

fn check_point_id(field: &'static str, token: &str, is_node: bool) -> Result<(), TextError> {
    let id = token.parse::<i32>();
    let (expected, is_right) = if is_node {
        ("a node number from 0 to 23, or -1", id.is_ok_and(|id| (-1..24).contains(&id)))
    } else {
        ("a point number from 8 to 31, or 0", id.is_ok_and(|id| id == 0 || (8..32).contains(&id)))
    };
    if is_right { Ok(()) } else { Err(TextError::new(field, expected, token)) }
}

fn check_used_mills(token: &str, is_node: bool) -> Result<(), TextError> {
    let mask = SquareSet::ALL.bits() << if is_node { 0 } else { 8 };
    let points = u64::from(mask) << 32 | u64::from(mask);
    let expected = format!("two sets of points, a number with bits of {points:#x} only");
    match token.parse::<u64>() {
        Ok(bits) if bits & !points == 0 => Ok(()),
        _ => Err(TextError::new("field 15 (used mills)", expected, token)),
    }
}

impl<R: Rules> fmt::Display for PositionText<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { position, is_over } = self;
        for square in Square::ALL {
            if square.index() == 8 || square.index() == 16 {
                f.write_str("/")?;
            }
            write!(f, "{}", position.mark(square))?;
        }
        let (side, phase, action) = letters(position, *is_over);
        write!(f, " {side} {phase} {action}")?;
        for side in Side::ALL {
            write!(f, " {} {}", position.men(side).len(), position.in_hand(side))?;
        }
        for side in Side::ALL {
            let owes = side == position.to_move() && !is_over;
            write!(f, " {}", if owes { position.pending() } else { 0 })?;
        }
        let (half, full) = (position.quiet_plies(), position.move_number());
        write!(f, " 0 0 0 0 0 {half} {full}")
    }
}

/// The letters for side, phase and action; after a last removal no side is to move, written `w`.
fn letters<R: Rules>(position: &Position<R>, is_over: bool) -> (char, char, char) {
    let side = position.to_move().letter();
    match (is_over, position.loss(), position.phase()) {
        (true, Some(Loss::TooFewMen), _) => (Side::White.letter(), 'o', 'r'),
        (true, _, _) => (side, 'o', '?'),
        (false, _, phase) => {
            let (phase, action) = match phase {
                Phase::Placing => ('p', 'p'),
                Phase::Moving => ('m', 's'),
            };
            (side, phase, if position.pending() > 0 { 'r' } else { action })
        }
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
            ("2 m", "field 3 (phase): expected p while the side to move has men in hand"),
            ("3 r", "field 9 (White owes): expected action p or s"),
            ("4 1", "field 5 (White on board): expected 0, as on the board, found '1'"),
            ("5 10", "field 6 (White in hand): expected a number from 0 to 9, found '10'"),
            ("7 -1", "field 8 (Black in hand): expected a number from 0 to 9, found '-1'"),
            ("8 1", "field 9 (White owes): expected 0 for a side that does not remove, found '1'"),
            ("9 a", "field 10 (Black owes): expected a number from -128 to 127, found 'a'"),
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
        assert!(read(&format!("{START} c:w-1-24|b-0-")).unwrap_err().contains("no capture"));
        assert!(read(&format!("{START} what")).unwrap_err().contains("label:value"));
        assert_eq!(read(&format!("{START} new:thing")).as_deref(), Ok(START));
    }
}
