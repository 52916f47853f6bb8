//! The fields of a position text, read and checked against each other.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use super::{PositionText, TextError};
use crate::board::{BySide, Side, Square, SquareSet};
use crate::position::zobrist::Keyed;
use crate::position::{Phase, Position};
use crate::rules::Rules;

/// The letters and counts of a text, each valid by itself.
pub(super) struct Fields {
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

impl Fields {
    /// Reads the fields, in the form that their number tells.
    pub(super) fn parse<R: Rules>(text: &str, rules: R) -> Result<Self, TextError> {
        let tokens: Vec<&str> = text.split_whitespace().collect();
        match tokens.len() {
            11 => Self::parse_short(&tokens, rules),
            17.. => Self::parse_full(&tokens, rules),
            count => {
                let expected = "17 fields, or the 11 of the old form";
                Err(TextError::new("number of fields", expected, count))
            }
        }
    }

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
    pub(super) fn check<R: Rules>(&self, rules: R) -> Result<(), TextError> {
        for side in Side::ALL {
            let on_board = self.men[side].len();
            if on_board > u32::from(rules.men()) {
                let expected = format!("at most {} men of {side}", rules.men());
                return Err(TextError::new(BOARD, expected, on_board));
            }
        }
        self.check_short(rules)?;
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

    /// Checks that at most one side has too few men, and none while men are placed.
    fn check_short<R: Rules>(&self, rules: R) -> Result<(), TextError> {
        let short = Side::ALL.into_iter().filter(|side| self.is_short(*side, rules)).count();
        let least = rules.least_men();
        if short == 2 {
            let expected = format!("at least {least} men of a side");
            Err(TextError::new(BOARD, expected, "fewer of both"))
        } else if short == 1 && !matches!(self.phase, 'm' | 'o') {
            let expected = format!("o, as a side has fewer than {least} men");
            Err(TextError::new(PHASE, expected, self.phase))
        } else {
            Ok(())
        }
    }

    fn is_short<R: Rules>(&self, side: Side, rules: R) -> bool {
        (self.men[side].len() as u8) + self.in_hand[side] < rules.least_men()
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

    /// Makes the position; a side with too few men is made the side to move.
    pub(super) fn build<R: Rules>(self, rules: R) -> PositionText<R> {
        let loser = Side::ALL.into_iter().find(|side| self.is_short(*side, rules));
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
    let is_right = |number: &N| range.contains(number) && number.to_string() == token;
    token.parse().ok().filter(is_right).ok_or_else(expected)
}

fn owed(field: &'static str, token: &str) -> Result<i8, TextError> {
    number(field, token, i8::MIN..=i8::MAX)
}

fn check_count(field: &'static str, token: &str, on_board: u8) -> Result<(), TextError> {
    if token == on_board.to_string() {
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
