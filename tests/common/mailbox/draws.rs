//! Games that nobody wins: too many slides in a row, or always the same position.

use super::position::{Phase, Position, Side};
use super::{Mailbox, Outcome};

/// When a game that nobody wins is over.
#[derive(Clone, Copy, Debug)]
pub struct DrawRules {
    /// So many slides in a row, those of both sides counted together, are a draw.
    pub n_move: u32,
    /// The same while a side has exactly three men on the board, if it is fewer.
    pub endgame_n_move: u32,
    /// Is the third occurrence of a position a draw?
    pub threefold: bool,
}

impl Default for DrawRules {
    /// What the standard game does.
    fn default() -> Self {
        Self { n_move: 100, endgame_n_move: 100, threefold: true }
    }
}

impl Mailbox {
    /// After a placement or a removal no earlier position can come again.
    pub(super) fn forget_slides(&mut self) {
        self.half = 0;
        self.reached.clear();
    }

    /// Ends the game if a position was reached three times, or else if there were too many slides.
    pub(super) fn end_by_history(&mut self) {
        let draw = self.repetition_draw().or_else(|| self.n_move_draw());
        if let Some(outcome) = draw {
            self.end(outcome);
        }
    }

    /// Was this position reached three times? That from which the first slide set out is not
    /// counted.
    fn repetition_draw(&self) -> Option<Outcome> {
        let is_here = |reached: &&Position| **reached == self.position;
        let is_third = self.reached.iter().filter(is_here).count() >= 3;
        let is_draw = is_third && self.draws.threefold;
        is_draw.then_some(Outcome::Draw("drawThreefoldRepetition"))
    }

    /// Were there too many slides in a row? Not if a removal, still owed, ends the row.
    fn n_move_draw(&self) -> Option<Outcome> {
        if !self.position.nothing_is_owed() {
            None
        } else if self.half >= self.draws.n_move {
            Some(Outcome::Draw("drawFiftyMove"))
        } else if self.is_endgame() && self.half >= self.draws.endgame_n_move {
            Some(Outcome::Draw("drawEndgameFiftyMove"))
        } else {
            None
        }
    }

    /// Is a side down to exactly three men, with the side to act not placing?
    fn is_endgame(&self) -> bool {
        let has_three = |side| self.position.on_board(side) == 3;
        self.position.phase == Phase::Moving && Side::BOTH.into_iter().any(has_three)
    }
}
