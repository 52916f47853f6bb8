//! The position text: 17 fields with legacy ids, both ways.

use super::position::{POINTS, Position, Side};
use super::{DrawRules, Mailbox, Phase};
use std::collections::BTreeMap;

impl Mailbox {
    /// Reads a text, strictly: what is understood, written again, must be what was read.
    ///
    /// # Panics
    /// If the text is not the canonical text of a position of the standard game.
    pub(super) fn read(text: &str, draws: DrawRules) -> Self {
        let fields: Vec<&str> = text.split(' ').collect();
        assert_eq!(fields.len(), 17, "number of fields in {text:?}");
        let game = Self::from_fields(&fields, draws);
        assert_eq!(game.text(), text, "not canonical (left: as understood)");
        game
    }

    /// The canonical text of the position.
    pub fn text(&self) -> String {
        let [white, black] = Side::BOTH.map(|side| self.text_of_men(side));
        let [white_owes, black_owes] = Side::BOTH.map(|side| u8::from(self.owes_removal(side)));
        let (board, turn) = (self.text_of_board(), self.text_of_turn());
        let (half, full) = (self.half, self.full());
        format!("{board} {turn} {white} {black} {white_owes} {black_owes} 0 0 0 0 0 {half} {full}")
    }

    /// Reads the fields from which all others follow.
    fn from_fields(fields: &[&str], draws: DrawRules) -> Self {
        let number = |index: usize| -> u32 { fields[index].parse().expect(fields[index]) };
        let side = match fields[1] {
            "b" => Side::Black,
            _ => Side::White,
        };
        let phase = match fields[2] {
            "o" => Phase::Over,
            "m" => Phase::Moving,
            _ => Phase::Placing,
        };
        let is_removing = fields[3] == "r";
        let rounds = number(16).saturating_sub(1);
        let plies_of_this = side as u32 + u32::from(is_removing); // the removal follows its ply
        Self {
            draws,
            position: Position { men: men_from(fields[0]), side, is_removing },
            phase,
            in_hand: [number(5) as usize, number(7) as usize],
            half: number(15),
            plies: 2 * rounds + plies_of_this,
            reached: Vec::new(),
            outcome: None,
        }
    }

    /// Field 1: a letter for each point, a slash between the rings.
    fn text_of_board(&self) -> String {
        let board: String = POINTS.map(|point| self.letter_of(point)).iter().collect();
        format!("{}/{}/{}", &board[..8], &board[8..16], &board[16..])
    }

    /// What field 1 shows for a point.
    fn letter_of(&self, point: &str) -> char {
        match self.position.men.get(point) {
            Some(Side::White) => 'O',
            Some(Side::Black) => '@',
            None => '*',
        }
    }

    /// Fields 2 to 4: who acts, in which phase, and what is to be done.
    fn text_of_turn(&self) -> String {
        let side = ["w", "b"][self.position.side as usize];
        let (phase, action) = match self.phase {
            Phase::Placing => ("p", "p"),
            Phase::Moving => ("m", "s"),
            Phase::Over => ("o", "?"),
        };
        let is_removing = self.position.is_removing;
        let action = if is_removing { "r" } else { action };
        format!("{side} {phase} {action}")
    }

    /// Fields 5 and 6, or 7 and 8: the men of one side on the board and in hand.
    fn text_of_men(&self, side: Side) -> String {
        let on_board = self.position.points_of(side).len();
        format!("{on_board} {}", self.in_hand[side as usize])
    }

    /// Field 9 or 10: must this side remove a man now?
    fn owes_removal(&self, side: Side) -> bool {
        self.position.is_removing && self.position.side == side && self.phase != Phase::Over
    }

    /// Field 17: the number of the round, in which removals do not count.
    fn full(&self) -> u32 {
        1 + self.plies.saturating_sub(self.position.side as u32) / 2
    }
}

/// Reads the men from field 1.
fn men_from(board: &str) -> BTreeMap<&'static str, Side> {
    let letters = board.chars().filter(|letter| *letter != '/');
    let mut men = BTreeMap::new();
    for (point, letter) in POINTS.into_iter().zip(letters) {
        match letter {
            'O' => men.insert(point, Side::White),
            '@' => men.insert(point, Side::Black),
            _ => None,
        };
    }
    men
}
