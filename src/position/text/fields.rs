//! The fields of a position text, read and checked against each other.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use super::{PositionText, TextError, memory};
use crate::board::{BySide, Side, Square, SquareSet};
use crate::position::zobrist::Keyed;
use crate::position::{Phase, Position};
use crate::rules::{BoardFullAction, Extras, MillAction, RuleSet, Rules, Stalemate};

/// The letters and counts of a text, each valid by itself.
pub(super) struct Fields {
    men: BySide<SquareSet>,
    to_move: Side,
    phase: char,
    action: char,
    in_hand: BySide<u8>,
    owed: BySide<i8>,
    marked: SquareSet,
    extras: Extras,
    half: u16,
    full: u32,
}

const BOARD: &str = "field 1 (board)";
const PHASE: &str = "field 3 (phase)";
const ACTION: &str = "field 4 (action)";
const ON_BOARD: [&str; 2] = ["field 5 (White on board)", "field 7 (Black on board)"];
const IN_HAND: [&str; 2] = ["field 6 (White in hand)", "field 8 (Black in hand)"];
const OWED: [&str; 2] = ["field 9 (White owes)", "field 10 (Black owes)"];
const FULL_RANGE: RangeInclusive<u32> = 1..=1_000_000_000;

impl Fields {
    /// Reads the fields, in the form that their number tells.
    pub(super) fn parse(text: &str, rules: &RuleSet) -> Result<Self, TextError> {
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
        let extras = Extras::NONE;
        Ok(Self { men, to_move, phase, action, in_hand, owed, marked, extras, half, full })
    }

    fn is_over(&self) -> bool {
        self.phase == 'o'
    }

    /// Checks men, marks, phase, action and owed removals against each other.
    pub(super) fn check(&self, rules: &RuleSet) -> Result<(), TextError> {
        for side in Side::ALL {
            let on_board = self.men[side].len();
            if on_board > u32::from(rules.men) {
                let expected = format!("at most {} men of {side}", rules.men);
                return Err(TextError::new(BOARD, expected, on_board));
            }
        }
        self.check_short(rules)?;
        if self.is_over() {
            return Ok(());
        }
        self.check_marks(rules)?;
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
        self.check_owed(rules)?;
        self.check_captures()
    }

    /// Checks that at most one side has too few men, and none while men are placed.
    fn check_short(&self, rules: &RuleSet) -> Result<(), TextError> {
        let short = Side::ALL.into_iter().filter(|side| self.is_short(*side, rules)).count();
        let least = rules.least_men;
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

    fn is_short(&self, side: Side, rules: &RuleSet) -> bool {
        (self.men[side].len() as u8) + self.in_hand[side] < rules.least_men
    }

    /// Checks that marks stand only while men are placed, each for a man that was removed.
    fn check_marks(&self, rules: &RuleSet) -> Result<(), TextError> {
        let count = |side: Side| u32::from(self.in_hand[side]) + self.men[side].len();
        let removed = 2 * u32::from(rules.men) - count(Side::White) - count(Side::Black);
        let is_placing = self.phase != 'm' || self.in_hand.0 != [0, 0];
        let most = if is_placing { removed } else { 0 };
        if self.marked.len() <= most {
            return Ok(());
        }
        let expected = format!("at most {most} marked points");
        Err(TextError::new(BOARD, expected, self.marked.len()))
    }

    fn check_owed(&self, rules: &RuleSet) -> Result<(), TextError> {
        for side in Side::ALL {
            let owed = self.owed[side];
            let (expected, is_right) = if self.action != 'r' {
                ("0 for a side that does not remove".to_owned(), owed == 0)
            } else if side != self.to_move {
                let (least, most) = self.debts(side, rules);
                let expected = match (least, most) {
                    (0, 0) => "0 for a side that does not remove".to_owned(),
                    _ => format!("{least} to {most} for the side that removes later"),
                };
                (expected, (least..=most).contains(&owed))
            } else {
                self.check_own_debt(owed, rules)
            };
            if !is_right {
                return Err(TextError::new(OWED[side as usize], expected, owed));
            }
        }
        Ok(())
    }

    /// What the side to move may owe, and whether it is that.
    fn check_own_debt(&self, owed: i8, rules: &RuleSet) -> (String, bool) {
        let side = self.to_move;
        let most = most_owed(rules).min(self.men[!side].len() as i8);
        let least = -most_own(rules).min(self.men[side].len() as i8);
        match (least, most) {
            (0, 0) => ("action p or s, as the opponent has no man to remove".to_owned(), false),
            (0, _) => (format!("1 to {most} with action r"), (1..=most).contains(&owed)),
            _ => {
                let is_right = owed != 0 && (least..=most).contains(&owed);
                (format!("{least} to {most}, but not 0, with action r"), is_right)
            }
        }
    }

    /// The least and the most that a side may owe while the other removes.
    fn debts(&self, side: Side, rules: &RuleSet) -> (i8, i8) {
        let both_remove = match rules.board_full_action {
            BoardFullAction::BothRemoveWhiteFirst => side == Side::Black,
            BoardFullAction::BothRemoveBlackFirst => side == Side::White,
            _ => false,
        };
        let most = match rules.mill_action {
            MillAction::CountAtTheEnd => most_owed(rules),
            _ if both_remove && rules.men == RuleSet::MEN_TO_FILL_BOARD => 1,
            _ => i8::from(self.extras.stalemate == Stalemate::BothRemove),
        };
        let least = most_own(rules).min(self.men[side].len() as i8);
        (-least, most.min(self.men[!side].len() as i8))
    }

    /// Checks that open captures are of men of the opponent, by a side that removes.
    fn check_captures(&self) -> Result<(), TextError> {
        let Extras { custodian, intervention, leapt, .. } = self.extras;
        let leapt = leapt.map_or(SquareSet::EMPTY, SquareSet::of);
        let targets = custodian | intervention | leapt;
        let is_stalemate = self.extras.stalemate != Stalemate::None;
        let opponent = self.men[!self.to_move];
        let expected = if self.action != 'r' && (is_stalemate || !targets.is_empty()) {
            "none of c, i, l and s without action r"
        } else if !opponent.contains_all(targets) {
            "men of the opponent to capture"
        } else if !leapt.is_empty() && (targets != leapt || self.owed[self.to_move] != 1) {
            "one removal and no other capture after a leap"
        } else {
            return Ok(());
        };
        let found = targets.into_iter().map(Square::name).collect::<Vec<_>>().join(" ");
        Err(TextError::new("extension", expected, found))
    }

    /// The side whose turn it is: one that has lost by its men, White when a full board ends the
    /// game, else the one that the text says.
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

    /// Makes the position; a side that cannot move meets the stalemate of the game.
    pub(super) fn build<R: Rules>(self, rules: R) -> PositionText<R> {
        let to_move = self.turn(rules.get());
        let mut keyed = Keyed::<R::Memory>::empty(self.in_hand);
        for side in Side::ALL {
            self.men[side].into_iter().for_each(|square| keyed.flip_man(side, square));
        }
        if to_move == Side::Black {
            keyed.pass_turn();
        }
        let goes_on = !self.is_over() && to_move == self.to_move;
        let mut extras = Extras { marked: self.marked, ..self.extras };
        if goes_on {
            keyed.set_pending(self.owed[to_move].unsigned_abs());
            extras.removes_own = self.owed[to_move] < 0;
            extras.opponent_owes = self.owed[!to_move];
        } else {
            extras = extras.without_debts();
        }
        if extras != Extras::NONE {
            keyed.remember(|memory| *memory = extras);
        }
        let is_placing = match self.phase {
            'm' => false,
            'o' => self.in_hand[to_move] > 0,
            _ => true,
        };
        let phase = if is_placing { Phase::Placing } else { Phase::Moving };
        let has_moved = u32::from(keyed.pending() > 0);
        let plies = 2 * (self.full - 1) + to_move as u32 + has_moved;
        let mut position = Position { keyed, plies, quiet_plies: self.half, phase, rules };
        if goes_on && position.pending() == 0 {
            position.start_turn();
        }
        PositionText { position, is_over: self.is_over() || position.ending().is_some() }
    }
}

/// The most men of the opponent that a side may owe at once.
fn most_owed(rules: &RuleSet) -> i8 {
    let mills = match rules.mill_action {
        MillAction::CountAtTheEnd => return rules.men.cast_signed(),
        _ if rules.may_remove_multiple => 3,
        _ => 1,
    };
    mills + i8::from(rules.custodian.is_on) + 2 * i8::from(rules.intervention.is_on)
}

/// The most of its own men that a side may owe at once.
fn most_own(rules: &RuleSet) -> i8 {
    match rules.mill_action {
        MillAction::OpponentRemovesOwn if rules.may_remove_multiple => 3,
        MillAction::CountAtTheEnd | MillAction::OpponentRemovesOwn => 1,
        _ => 0,
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
