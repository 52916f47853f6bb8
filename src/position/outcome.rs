//! How games end: wins, and draws by the position or the history.

use std::fmt;

use crate::board::Side;

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A side has won.
    Win {
        /// The winner.
        winner: Side,
        /// Why the other side lost.
        loss: Loss,
    },
    /// Nobody has won.
    Draw(Draw),
}

/// Why a side has lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Loss {
    /// Too few men are left, on the board and in hand.
    TooFewMen,
    /// None of the side's men can move.
    Blocked,
    /// The men fill the board.
    FullBoard,
}

/// Why a game is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Draw {
    /// The n-move rule: too many slides without a placement or removal.
    NMove,
    /// The n-move rule with the smaller limit that holds while a side has three men.
    EndgameNMove,
    /// The same position has occurred for the third time.
    ThreefoldRepetition,
    /// The side to move has no legal move.
    Stalemate,
    /// The men fill the board.
    FullBoard,
}

impl fmt::Display for Outcome {
    /// Writes the names that mill programs use, such as `win0:loseNoLegalMoves`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Win { winner, loss } => {
                let reason = match loss {
                    Loss::TooFewMen => "loseFewerThanThree",
                    Loss::Blocked => "loseNoLegalMoves",
                    Loss::FullBoard => "loseFullBoard",
                };
                write!(f, "win{}:{reason}", *winner as u8)
            }
            Self::Draw(draw) => f.write_str(match draw {
                Draw::NMove => "draw:drawFiftyMove",
                Draw::EndgameNMove => "draw:drawEndgameFiftyMove",
                Draw::ThreefoldRepetition => "draw:drawThreefoldRepetition",
                Draw::Stalemate => "draw:drawStalemateCondition",
                Draw::FullBoard => "draw:drawFullBoard",
            }),
        }
    }
}
