//! The rules by which the history of a game draws it.
//!
//! # Adding one
//!
//! 1. A field here, with its range, its usual value, and a value for [`DrawRules::OFF`].
//! 2. `game/outcome.rs`: a kind of draw with its name, and `game/sentences.rs` its sentence; every
//!    `texts_*.js` of the page but the English one has both in its language. `game/mod.rs` finds the draw, says in
//!    `mfen` how MFEN names it, and in `from_text` which draw a text means that only says that the game is over.
//! 3. `protocol/options.rs`: the option.
//! 4. `search/draw.rs` and `search/tt.rs`: what the search sees of it. `search/tablebase.rs` and
//!    `tablebase/best_play.rs`: what becomes of wins that take longer. `search/engine.rs` and
//!    `learning/learner.rs`: which results hold under other draw rules.
//! 5. The same in `tests/common/mailbox/draws.rs`.
//!
//! A draw by the position alone is no field here. It is a [`Deadlock`](crate::position::Deadlock), found in
//! `position/stalemate.rs` and named in `position/text/mfen/write.rs`, with steps 2 and 5 for the rest.

/// When a game without progress is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawRules {
    /// Slides without a placement or removal, by both sides together, that draw the game.
    pub n_move: u16,
    /// The limit while a side has exactly three men on the board; it has an effect only if it is smaller.
    pub endgame_n_move: u16,
    /// Whether the third occurrence of a position draws the game.
    pub threefold_repetition: bool,
}

impl DrawRules {
    /// The least and the greatest value of [`n_move`](Self::n_move).
    pub const N_MOVE_RANGE: [u32; 2] = [10, 200];
    /// The least and the greatest value of [`endgame_n_move`](Self::endgame_n_move).
    pub const ENDGAME_N_MOVE_RANGE: [u32; 2] = [5, 200];

    /// No draw by history, as for counting moves or comparing searches.
    pub const OFF: Self =
        Self { n_move: u16::MAX, endgame_n_move: u16::MAX, threefold_repetition: false };

    /// The smaller of the two numbers; neither form of the n-move rule draws before.
    #[inline]
    pub fn first_limit(self) -> u16 {
        self.n_move.min(self.endgame_n_move)
    }
}

impl Default for DrawRules {
    fn default() -> Self {
        Self { n_move: 100, endgame_n_move: 100, threefold_repetition: true }
    }
}
