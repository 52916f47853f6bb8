//! The fields of a position text, and the position that they make.

use std::ops::RangeInclusive;

use super::memory;
use super::tokens::{TextError, letter, number, owed};
use crate::board::{BySide, Side, Square, SquareSet};
use crate::position::zobrist::Keyed;
use crate::position::{Phase, Position};
use crate::rules::{BoardFullAction, Extras, MillAction, RuleSet, Rules};

/// The letters and counts of a text, each valid by itself.
#[derive(Clone)]
pub(super) struct Fields {
    pub(super) men: BySide<SquareSet>,
    pub(super) to_move: Side,
    pub(super) phase: char,
    pub(super) action: char,
    pub(super) in_hand: BySide<u8>,
    pub(super) owed: BySide<i8>,
    pub(super) marked: SquareSet,
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

pub(super) const BOARD: &str = "field 1 (board)";
pub(super) const PHASE: &str = "field 3 (phase)";
pub(super) const ACTION: &str = "field 4 (action)";
const ON_BOARD: [&str; 2] = ["field 5 (White on board)", "field 7 (Black on board)"];
const IN_HAND: [&str; 2] = ["field 6 (White in hand)", "field 8 (Black in hand)"];
pub(super) const OWED: [&str; 2] = ["field 9 (White owes)", "field 10 (Black owes)"];
const FULL_RANGE: RangeInclusive<u32> = 1..=1_000_000_000;

impl Fields {
    /// Reads and checks the fields, in the form given by their number (17 or 11).
    pub(super) fn parse(text: &str, rules: &RuleSet) -> Result<Self, TextError> {
        let tokens: Vec<&str> = text.split_whitespace().collect();
        let fields = match tokens.len() {
            11 => Self::parse_short(&tokens, rules),
            17.. => Self::parse_full(&tokens, rules),
            count => {
                let expected = "17 fields, or the 11 of the old form";
                Err(TextError::new("number of fields", expected, count))
            }
        }?;
        fields.check(rules)?;
        Ok(fields)
    }

    fn parse_full(tokens: &[&str], rules: &RuleSet) -> Result<Self, TextError> {
        let (tokens, extensions) = tokens.split_at(17);
        let owed = BySide([owed(OWED[0], tokens[8])?, owed(OWED[1], tokens[9])?]);
        let names = ["field 16 (half)", "field 17 (full)"];
        let fields = Self::parse_common(tokens, owed, rules, names)?;
        let extras = memory::parse(&tokens[10..15], extensions, fields.to_move, rules)?;
        Ok(Self { extras, ..fields })
    }

    fn parse_short(tokens: &[&str], rules: &RuleSet) -> Result<Self, TextError> {
        let count = owed("field 9 (owed)", tokens[8])?;
        let owed = match tokens[1] {
            "b" => BySide([0, count]),
            _ => BySide([count, 0]),
        };
        Self::parse_common(tokens, owed, rules, ["field 10 (half)", "field 11 (full)"])
    }

    /// Reads what all texts have: the first eight fields and the last two of `tokens`.
    fn parse_common(
        tokens: &[&str],
        owed: BySide<i8>,
        rules: &RuleSet,
        [half_field, full_field]: [&'static str; 2],
    ) -> Result<Self, TextError> {
        let (men, marked) = parse_board(tokens[0], rules)?;
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
            let most = rules.men.saturating_sub(on_board);
            in_hand[side] = number(IN_HAND[side as usize], tokens[at + 1], 0..=most)?;
        }
        let half = number(half_field, tokens[tokens.len() - 2], 0..=u16::MAX)?;
        let full = number(full_field, tokens[tokens.len() - 1], FULL_RANGE)?;
        let (extras, count) = (Extras::NONE, MoveCount::Number(full));
        Ok(Self { men, to_move, phase, action, in_hand, owed, marked, extras, half, count })
    }

    pub(super) fn is_over(&self) -> bool {
        self.phase == 'o'
    }

    /// The side whose turn it is: one that has lost by its men, White when a full board ends the
    /// game, else the one that the text names.
    fn turn(&self, rules: &RuleSet) -> Side {
        let men = self.men[Side::White] | self.men[Side::Black];
        let is_full = men == SquareSet::ALL && self.action != 'r';
        let ends =
            matches!(rules.board_full_action, BoardFullAction::WhiteLoses | BoardFullAction::Draw);
        if is_full && ends {
            return Side::White;
        }
        let loser = Side::ALL.into_iter().find(|side| self.is_short(*side, rules));
        loser.unwrap_or(self.to_move)
    }

    /// Returns the position, if its parts agree, and whether the game is over; the stalemate rule is
    /// applied to a side that cannot move.
    pub(super) fn build<R: Rules>(
        self,
        rules: R::Reference,
    ) -> Result<(Position<R>, bool), TextError> {
        let to_move = self.turn(&rules);
        let mut keyed = Keyed::<R::Memory>::empty(self.in_hand);
        for side in Side::ALL {
            self.men[side].into_iter().for_each(|square| keyed.flip_man(side, square));
        }
        if to_move == Side::Black {
            keyed.pass_turn();
        }
        let is_over = self.is_over() || self.is_short(to_move, &rules);
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
        let is_placing = match self.phase {
            _ if !goes_on => self.in_hand[to_move] > 0,
            'm' => false,
            _ => true,
        };
        let phase = if is_placing { Phase::Placing } else { Phase::Moving };
        let pending = if goes_on { self.owed[to_move].unsigned_abs() } else { 0 };
        let has_moved = u32::from(pending > 0);
        let turns = match self.count {
            MoveCount::Number(number) => 2 * (number - 1) + to_move as u32 + has_moved,
            MoveCount::Turns(turns) => turns,
        };
        let mut position = Position { keyed, turns, quiet_plies: self.half, phase, rules };
        if pending > 0 {
            position.set_pending(pending);
        } else if goes_on {
            position.start_turn();
        }
        let checked = position.validate();
        checked.map_err(|error| TextError::new("all fields", "parts that agree", error))?;
        Ok((position, self.is_over() || position.ending().is_some()))
    }
}

/// The men of each side and the marked points.
fn parse_board(token: &str, rules: &RuleSet) -> Result<(BySide<SquareSet>, SquareSet), TextError> {
    let groups: Vec<Vec<char>> = token.split('/').map(|group| group.chars().collect()).collect();
    if groups.len() != 3 || groups.iter().any(|group| group.len() != 8) {
        let expected = "three groups of eight points joined by '/'";
        return Err(TextError::new(BOARD, expected, token));
    }
    let has_marks = rules.mill_action == MillAction::RemoveAndMark;
    let mut men = BySide::both(SquareSet::EMPTY);
    let mut marked = SquareSet::EMPTY;
    for (square, mark) in Square::ALL.into_iter().zip(groups.into_iter().flatten()) {
        match mark {
            'O' => men[Side::White] = men[Side::White].with(square),
            '@' => men[Side::Black] = men[Side::Black].with(square),
            'X' if has_marks => marked = marked.with(square),
            '*' => {}
            _ => {
                let marks = if has_marks { "O, @, X or *" } else { "O, @ or *" };
                return Err(TextError::new(BOARD, format!("{marks} on {square}"), mark));
            }
        }
    }
    Ok((men, marked))
}

fn check_count(field: &'static str, token: &str, on_board: u8) -> Result<(), TextError> {
    if token == on_board.to_string() {
        Ok(())
    } else {
        Err(TextError::new(field, format!("{on_board}, as on the board"), token))
    }
}
