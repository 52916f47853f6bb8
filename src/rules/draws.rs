//! The draws that depend on the moves played before, which a user may set in any game.

use std::ops::RangeInclusive;

/// When a game without progress is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawRules {
    /// Slides without a placement or removal, by both sides together, that draw the game.
    pub n_move: u16,
    /// The same while a side has exactly three men on the board, if it is the smaller number.
    pub endgame_n_move: u16,
    /// Whether the third occurrence of a position draws the game.
    pub threefold_repetition: bool,
}

impl DrawRules {
    /// The values that [`n_move`](Self::n_move) may take.
    pub const N_MOVE_RANGE: RangeInclusive<u16> = 10..=200;
    /// The values that [`endgame_n_move`](Self::endgame_n_move) may take.
    pub const ENDGAME_N_MOVE_RANGE: RangeInclusive<u16> = 5..=200;

    /// No draw by history, as for counting moves or comparing searches.
    pub const OFF: Self =
        Self { n_move: u16::MAX, endgame_n_move: u16::MAX, threefold_repetition: false };

    /// The slides after which one of the two numbers may draw for the first time.
    #[inline]
    #[must_use]
    pub fn first_limit(self) -> u16 {
        self.n_move.min(self.endgame_n_move)
    }
}

impl Default for DrawRules {
    fn default() -> Self {
        Self { n_move: 100, endgame_n_move: 100, threefold_repetition: true }
    }
}
