//! The position text: 17 fields with legacy ids and the extensions.

use super::board::POINTS;
use super::position::{MillMove, Phase, Position, Side};
use super::{DrawRules, Mailbox, Rules};
use std::collections::BTreeMap;

impl Mailbox {
    /// Reads the text of a position in play, strictly: what is understood, written again, must be what was read.
    /// Only men, hands and numbers are understood, nothing that a game remembers or owes.
    ///
    /// # Panics
    /// If the text is another one.
    pub(super) fn read(text: &str, rules: Rules, draws: DrawRules) -> Self {
        let fields: Vec<&str> = text.split(' ').collect();
        let position = position_from(&fields);
        let rounds = number(fields[16]).saturating_sub(1);
        let game = Self {
            rules,
            draws,
            half: number(fields[15]),
            plies: 2 * rounds + position.side as u32,
            position,
            reached: Vec::new(),
            outcome: None,
            is_ended_by_removal: false,
        };
        assert_eq!(game.text(), text, "not understood (left: as understood)");
        game
    }

    /// The canonical text of the position.
    pub fn text(&self) -> String {
        let position = &self.position;
        let [white, black] = Side::BOTH.map(|side| position.text_of_men(side));
        let [white_owes, black_owes] = position.owed;
        let [white_mill, black_mill] = position.mill_moves.map(text_of_mill_move);
        let [board, mills] = [position.text_of_board(), position.text_of_used()];
        let extensions = position.text_of_extensions();
        let (turn, half, full) = (self.text_of_turn(), self.half, self.full());
        format!(
            "{board} {turn} {white} {black} {white_owes} {black_owes} {white_mill} {black_mill} \
             {mills} {half} {full}{extensions}"
        )
    }

    /// Fields 2 to 4: who acts, in which phase, and what is to be done.
    fn text_of_turn(&self) -> String {
        let side = ["w", "b"][self.position.side as usize];
        let (phase, action) = match self.position.phase {
            Phase::Placing => ("p", "p"),
            Phase::Moving => ("m", "s"),
            Phase::Over => ("o", "?"),
        };
        let ends_by_removal = self.is_over() && self.is_ended_by_removal;
        let action = if self.position.debt() != 0 || ends_by_removal { "r" } else { action };
        format!("{side} {phase} {action}")
    }

    /// Field 17: the number of the round, in which removals do not count.
    fn full(&self) -> u32 {
        1 + self.plies.saturating_sub(self.position.side as u32) / 2
    }
}

impl Position {
    /// Field 1: a letter for each point, a slash between the rings.
    fn text_of_board(&self) -> String {
        let board: String = POINTS.map(|point| self.letter_of(point)).iter().collect();
        format!("{}/{}/{}", &board[..8], &board[8..16], &board[16..])
    }

    /// What field 1 shows for a point.
    fn letter_of(&self, point: &str) -> char {
        match self.men.get(point) {
            Some(Side::White) => 'O',
            Some(Side::Black) => '@',
            None if self.marks.contains(point) => 'X',
            None => '*',
        }
    }

    /// Fields 5 and 6, or 7 and 8: the men of one side on the board and in hand.
    fn text_of_men(&self, side: Side) -> String {
        format!("{} {}", self.on_board(side), self.in_hand[side as usize])
    }

    /// Field 15: for each used point of Black two to the power of its id, for White's that many
    /// times 2^32.
    fn text_of_used(&self) -> String {
        let sum =
            |side: Side| self.used[side as usize].iter().map(|point| 2u64.pow(id(point))).sum();
        let [white, black]: [u64; 2] = Side::BOTH.map(sum);
        (white * 2u64.pow(32) + black).to_string()
    }

    /// What follows the 17 fields, where there is something to tell.
    fn text_of_extensions(&self) -> String {
        let claims = &self.claims;
        let custodian = self.text_of_claim('c', &claims.custodian, 1);
        let intervention = self.text_of_claim('i', &claims.intervention, claims.intervention.len());
        let leap = self.text_of_claim('l', claims.leapt.as_slice(), 1);
        let preferred = self.preferred.map_or(String::new(), |point| format!(" p:{}", id(point)));
        let stalemate = match self.stalemate {
            0 => String::new(),
            flag => format!(" s:{flag}"),
        };
        [custodian, intervention, leap, preferred, stalemate].concat()
    }

    /// `label:w-N-list|b-N-list`: what the side to act may capture, and nothing for the other.
    fn text_of_claim(&self, label: char, targets: &[&str], count: usize) -> String {
        let ids: Vec<String> =
            in_order(targets).iter().map(|point| id(point).to_string()).collect();
        let claim = format!("{count}-{}", ids.join("."));
        match self.side {
            _ if targets.is_empty() => String::new(),
            Side::White => format!(" {label}:w-{claim}|b-0-"),
            Side::Black => format!(" {label}:w-0-|b-{claim}"),
        }
    }
}

/// Reads everything but the counters.
fn position_from(fields: &[&str]) -> Position {
    let in_hand = [5, 7].map(|index: usize| number(fields[index]) as usize);
    let mut position = Position { men: men_from(fields[0]), in_hand, ..Position::default() };
    position.turn_to(if fields[1] == "b" { Side::Black } else { Side::White });
    position
}

/// Reads the men from field 1.
fn men_from(board: &str) -> BTreeMap<&'static str, Side> {
    let white = points_with('O', board).map(|point| (point, Side::White));
    let black = points_with('@', board).map(|point| (point, Side::Black));
    white.chain(black).collect()
}

/// The points with this letter in field 1.
fn points_with(letter: char, board: &str) -> impl Iterator<Item = &'static str> {
    let letters = board.chars().filter(|letter| *letter != '/');
    let pairs = POINTS.into_iter().zip(letters);
    pairs.filter(move |(_, found)| *found == letter).map(|(point, _)| point)
}

/// Fields 11 and 12, or 13 and 14: where the man came from and went that closed a mill.
fn text_of_mill_move(last: Option<MillMove>) -> String {
    match last {
        Some(MillMove { from, to }) => format!("{} {}", from.map_or(0, id), id(to)),
        None => "0 0".into(),
    }
}

/// The legacy id of a point: 8 and on in the order of field 1.
fn id(point: &str) -> u32 {
    let index = POINTS.iter().position(|other| *other == point);
    8 + index.expect("a point of the board") as u32
}

/// These points in the order of field 1.
fn in_order(points: &[&str]) -> Vec<&'static str> {
    POINTS.into_iter().filter(|point| points.contains(point)).collect()
}

/// # Panics
/// If this is no number.
fn number(field: &str) -> u32 {
    field.parse().expect(field)
}
