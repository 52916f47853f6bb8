//! How games end: wins, and draws by the position or the history.

use std::fmt;

use crate::board::Side;
use crate::position::{Deadlock, Ending, Loss, Phase, Position};
use crate::rules::{DrawRules, Rules};

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

/// Why a game is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Draw {
    /// The n-move rule: too many slides without a placement or removal.
    NMove,
    /// The n-move rule with the smaller limit that holds while a side has three men.
    EndgameNMove,
    /// The same position has occurred for the third time.
    ThreefoldRepetition,
    /// The position is a draw in itself.
    Deadlock(Deadlock),
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
                Draw::Deadlock(Deadlock::Stalemate) => "draw:drawStalemateCondition",
                Draw::Deadlock(Deadlock::FullBoard) => "draw:drawFullBoard",
            }),
        }
    }
}

impl Outcome {
    /// The outcome that the position alone gives, without draws by history.
    #[inline]
    pub fn of<R: Rules>(position: &Position<R>) -> Option<Self> {
        position.ending().map(|ending| match ending {
            Ending::Loss(loss) => Self::Win { winner: !position.to_move(), loss },
            Ending::Draw(deadlock) => Self::Draw(Draw::Deadlock(deadlock)),
        })
    }
}

/// Whether the n-move rule or its endgame form draws the position.
///
/// Neither applies while a removal is pending, since that removal resets the count, unless it is
/// pending because the side to move is blocked: then the draw comes first.
#[inline]
pub fn draw_by_n_move<R: Rules>(position: &Position<R>, rules: DrawRules) -> Option<Draw> {
    let quiet_plies = position.quiet_plies();
    let is_owed = position.pending() > 0 && !position.owes_for_stalemate();
    if quiet_plies < rules.first_limit() || is_owed {
        None
    } else if quiet_plies >= rules.n_move {
        Some(Draw::NMove)
    } else {
        let has_three = |side| position.men(side).len() == 3;
        let is_endgame = position.phase() == Phase::Moving && Side::ALL.into_iter().any(has_three);
        is_endgame.then_some(Draw::EndgameNMove)
    }
}
