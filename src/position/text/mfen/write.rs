//! Writes MFEN.

use std::fmt;

use super::obligations::Obligations;
use super::{BOARD, LAST_MILLS, STATE, USED, VERSION, digits};
use crate::board::{BySide, Move, Side};
use crate::position::{Deadlock, Ending, Loss, Phase, Position, PositionText};
use crate::rules::Rules;

/// A position as it is written in MFEN 1.0.
#[derive(Clone, Copy, Debug)]
pub struct Mfen<R: Rules> {
    text: PositionText<R>,
    /// Whether a game that the position does not end was drawn by the n-move rule.
    is_without_progress: bool,
}

impl<R: Rules> PositionText<R> {
    /// The same in MFEN 1.0; a game that the position does not end was drawn by the n-move rule, or else
    /// by repetition.
    pub const fn mfen(self, is_without_progress: bool) -> Mfen<R> {
        Mfen { text: self, is_without_progress }
    }
}

impl<R: Rules> Position<R> {
    /// The position in MFEN 1.0.
    pub fn mfen(self) -> Mfen<R> {
        PositionText { position: self, is_over: self.ending().is_some() }.mfen(false)
    }
}

/// The word for an ending: the letter of the side that it makes win, or `d`, and the reason.
pub(super) fn word_of<R: Rules>(position: &Position<R>, ending: Ending) -> String {
    let winner = match ending {
        Ending::Loss(_) => (!position.to_move()).letter(),
        Ending::Draw(_) => 'd',
    };
    let reason = match ending {
        Ending::Loss(Loss::TooFewMen) => "fewer-than-minimum",
        Ending::Loss(Loss::Blocked) | Ending::Draw(Deadlock::Stalemate) => "no-legal-move",
        Ending::Loss(Loss::FullBoard) | Ending::Draw(Deadlock::FullBoard) => "board-full",
    };
    format!("{winner}:{reason}")
}

impl<R: Rules> fmt::Display for Mfen<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let position = &self.text.position;
        let is_over = self.text.is_over;
        write!(f, "{VERSION} {STATE} ")?;
        BOARD.write(f, position)?;
        let phase = match position.phase() {
            _ if is_over => 'o',
            Phase::Placing => 'p',
            Phase::Moving => 'm',
        };
        let action = if position.pending() > 0 && !is_over { 'r' } else { phase };
        let side = if is_over { '-' } else { position.to_move().letter() };
        let [white, black] = Side::ALL.map(|side| position.in_hand(side));
        write!(f, " {side} {phase} {action} {white},{black} ")?;
        if is_over {
            f.write_str("-")?;
        } else {
            write!(f, "{}", Obligations::of(position))?;
        }
        let outcome = match is_over.then(|| position.ending()) {
            None => "-".to_owned(),
            Some(None) if self.is_without_progress => "d:no-progress".to_owned(),
            Some(None) => "d:repetition".to_owned(),
            Some(Some(ending)) => word_of(position, ending),
        };
        // Only the parity of the turns tells who is to move in a draw, also where the side that placed the last man
        // slid first.
        let is_told = !outcome.starts_with("d:") || position.turns % 2 == position.to_move() as u32;
        let turns =
            if is_told { position.turns } else { position.turns.checked_sub(1).unwrap_or(1) };
        write!(f, " {} {turns} {outcome}", position.quiet_plies())?;
        let extras = position.extras();
        if extras.last_mills != BySide::both(None) {
            let word =
                |mill: Option<Move>| mill.map_or_else(|| "-".to_owned(), |mv| mv.to_string());
            let [white, black] = extras.last_mills.0.map(word);
            write!(f, " {LAST_MILLS}{white},{black}")?;
        }
        let [white, black] = extras.used.0;
        if !(white | black).is_empty() {
            write!(f, " {USED}{},{}", digits(white), digits(black))?;
        }
        Ok(())
    }
}
