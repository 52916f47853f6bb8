//! The game in the terminal: who plays, what was played and taken back, and how it ended.

use std::fmt;

use clap::ValueEnum;
use millstone::board::Side;
use millstone::game::{History, Outcome};
use millstone::records::{GameRecord, GameResult};
use millstone::rules::DrawRules;
use millstone::search::Skill;

use super::clock::Clocks;

/// The sides that humans play; the engine plays the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum HumanSides {
    /// You play White and place first
    White,
    /// You play Black
    Black,
    /// Two people play each other
    Both,
    /// The engine plays itself, to watch
    None,
}

impl HumanSides {
    /// Whether a human plays a side.
    pub fn is_human(self, side: Side) -> bool {
        match self {
            Self::White => side == Side::White,
            Self::Black => side == Side::Black,
            Self::Both => true,
            Self::None => false,
        }
    }

    /// These players with the sides exchanged.
    pub fn swapped(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
            other => other,
        }
    }
}

impl fmt::Display for HumanSides {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::White => "you play White",
            Self::Black => "you play Black",
            Self::Both => "two people play",
            Self::None => "the engine plays itself",
        })
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameEnd {
    /// By its rules.
    ByRules(Outcome),
    /// A side resigned.
    Resigned(Side),
    /// The sides agreed to a draw.
    Agreed,
    /// A side lost on time.
    OutOfTime(Side),
    /// As a game record says, without a reason.
    Recorded(GameResult),
}

impl GameEnd {
    /// The result of the game record.
    pub fn result(self) -> GameResult {
        match self {
            Self::ByRules(outcome) => Some(outcome).into(),
            Self::Resigned(loser) | Self::OutOfTime(loser) => GameResult::won_by(!loser),
            Self::Agreed => GameResult::Draw,
            Self::Recorded(result) => result,
        }
    }

    /// The result with its reason, in a sentence.
    pub fn sentence(self, draws: DrawRules) -> String {
        match self {
            Self::ByRules(outcome) => outcome.sentence(draws),
            Self::Resigned(loser) => format!("{} wins: {loser} resigns.", !loser),
            Self::Agreed => "Draw by agreement.".to_owned(),
            Self::OutOfTime(loser) => format!("{} wins on time.", !loser),
            Self::Recorded(result) => match result {
                GameResult::WhiteWins => "White has won.",
                GameResult::BlackWins => "Black has won.",
                GameResult::Draw => "The game is drawn.",
                GameResult::Unknown => "The game is not over.",
            }
            .to_owned(),
        }
    }
}

/// A game with all that is needed to continue it.
pub struct PlayedGame {
    pub history: History,
    /// How the game ended other than by its rules.
    pub declared: Option<GameEnd>,
    pub humans: HumanSides,
    pub skill: Skill,
    pub clocks: Option<Clocks>,
    /// The record that it was read from, with its tags and annotations.
    pub origin: Option<GameRecord>,
}

impl PlayedGame {
    /// How the game ended, if it has.
    pub fn end(&self) -> Option<GameEnd> {
        self.declared.or_else(|| self.history.game().outcome().map(GameEnd::ByRules))
    }

    /// Takes back a declared end or, if there is none, the last turn of a human and those after it.
    /// Returns whether there was anything to take back.
    pub fn undo(&mut self) -> bool {
        let humans = self.humans;
        let is_undone = |side| humans == HumanSides::None || humans.is_human(side);
        self.declared.take().is_some() || self.history.undo(is_undone)
    }

    /// Plays again what was taken back last, unless the game is over. Returns whether there was
    /// anything.
    pub fn redo(&mut self) -> bool {
        self.end().is_none() && self.history.redo()
    }
}

#[cfg(test)]
mod tests {
    use millstone::rules::RuleSet;

    use super::*;

    #[test]
    fn a_declared_end_is_taken_back_alone_and_nothing_is_redone_before() {
        let rules = RuleSet::NINE_MENS_MORRIS;
        let moves = ["d6", "a1", "d5"].map(|mv| mv.parse().unwrap());
        let mut played = PlayedGame {
            history: History::replay(None, &rules, moves.into_iter()).unwrap(),
            declared: None,
            humans: HumanSides::Both,
            skill: Skill::FULL,
            clocks: None,
            origin: None,
        };
        assert!(played.undo());
        played.declared = Some(GameEnd::Resigned(Side::Black));
        assert!(!played.redo());
        assert!(played.undo());
        assert_eq!((played.end(), played.history.count_moves()), (None, 2));
        assert!(played.redo());
    }
}
