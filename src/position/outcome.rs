//! How games end: wins, and draws by the position or the history.

use derive_more::Display;

use crate::board::Side;

/// How a game ended. As text it has the name that mill programs use, such as `win0:loseNoLegalMoves`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display)]
pub enum Outcome {
    /// A side has won.
    #[display("win{}:{loss}", *winner as u8)]
    Win {
        /// The winner.
        winner: Side,
        /// Why the other side lost.
        loss: Loss,
    },
    /// Nobody has won.
    #[display("draw:{_0}")]
    Draw(Draw),
}

/// Why a side has lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Display)]
pub enum Loss {
    /// Too few men are left, on the board and in hand.
    #[display("loseFewerThanThree")]
    TooFewMen,
    /// None of the side's men can move.
    #[display("loseNoLegalMoves")]
    Blocked,
    /// The men fill the board.
    #[display("loseFullBoard")]
    FullBoard,
}

/// Why a game is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display)]
pub enum Draw {
    /// The n-move rule: too many slides without a placement or removal.
    #[display("drawFiftyMove")]
    NMove,
    /// The n-move rule with the smaller limit that holds while a side has three men.
    #[display("drawEndgameFiftyMove")]
    EndgameNMove,
    /// The same position has occurred for the third time.
    #[display("drawThreefoldRepetition")]
    ThreefoldRepetition,
    /// The side to move has no legal move.
    #[display("drawStalemateCondition")]
    Stalemate,
    /// The men fill the board.
    #[display("drawFullBoard")]
    FullBoard,
}
