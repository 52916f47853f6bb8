//! How a game ended, in words.

use std::fmt;

use millstone::board::Side;
use millstone::game::{Draw, Outcome};
use millstone::position::{Deadlock, Loss};
use millstone::records::GameResult;
use millstone::rules::DrawRules;

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// By the rules of the game.
    ByRules(Outcome),
    /// A side gave up.
    Resigned(Side),
    /// Both sides wanted a draw.
    Agreed,
    /// A side had no time left.
    OutOfTime(Side),
    /// By what a game record says, which does not tell why.
    Recorded(GameResult),
}

impl Verdict {
    /// The result as game records have it.
    pub fn result(self) -> GameResult {
        match self {
            Self::ByRules(outcome) => Some(outcome).into(),
            Self::Resigned(loser) | Self::OutOfTime(loser) => GameResult::won_by(!loser),
            Self::Agreed => GameResult::Draw,
            Self::Recorded(result) => result,
        }
    }

    /// The verdict with its reason.
    pub fn sentence(self, draws: DrawRules) -> String {
        match self {
            Self::ByRules(Outcome::Win { winner, loss }) => {
                let loser = !winner;
                let why = match loss {
                    Loss::TooFewMen => format!("{loser} has too few men left"),
                    Loss::Blocked => format!("{loser} cannot move"),
                    Loss::FullBoard => "the men fill the board".to_owned(),
                };
                format!("{winner} wins: {why}.")
            }
            Self::ByRules(Outcome::Draw(draw)) => format!("Draw: {}.", draw_reason(draw, draws)),
            Self::Resigned(loser) => format!("{} wins: {loser} resigns.", !loser),
            Self::Agreed => "Draw: both sides agree.".to_owned(),
            Self::OutOfTime(loser) => {
                format!("{} wins on time: the clock of {loser} has run out.", !loser)
            }
            Self::Recorded(result) => format!("{}.", Ended(result)),
        }
    }
}

fn draw_reason(draw: Draw, draws: DrawRules) -> String {
    let slides = |number| format!("{number} slides without a man placed or removed");
    match draw {
        Draw::NMove => slides(draws.n_move),
        Draw::EndgameNMove => slides(draws.endgame_n_move),
        Draw::ThreefoldRepetition => "the same position for the third time".to_owned(),
        Draw::Deadlock(Deadlock::Stalemate) => "the side to move cannot move".to_owned(),
        Draw::Deadlock(Deadlock::FullBoard) => "the men fill the board".to_owned(),
    }
}

/// A result in words.
struct Ended(GameResult);

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            GameResult::WhiteWins => "White has won",
            GameResult::BlackWins => "Black has won",
            GameResult::Draw => "The game is drawn",
            GameResult::Unknown => "The game is not over",
        })
    }
}
