//! The game of a session: players, moves, declared ends and clocks.

use clap::ValueEnum;
use millstone::board::Side;
use millstone::game::History;
use millstone::quote::printable;
use millstone::records::{GameRecord, GameResult};
use millstone::search::Skill;

use super::clocks::Clocks;

/// The sides that humans play; the engine plays the other sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, derive_more::Display)]
pub enum HumanSides {
    /// You play White and place first
    #[display("you play White")]
    White,
    /// You play Black
    #[display("you play Black")]
    Black,
    /// Two people play each other
    #[display("two people play")]
    Both,
    /// The engine plays itself, and you watch
    #[display("the engine plays itself")]
    None,
}

impl HumanSides {
    /// Whether a human plays a side.
    pub fn is_human(self, side: Side) -> bool {
        self == Self::Both || self == [Self::White, Self::Black][side as usize]
    }

    /// The same players with sides swapped.
    pub fn swapped(self) -> Self {
        [Self::Black, Self::White, Self::Both, Self::None][self as usize]
    }
}

/// An end that the players declare, such as resignation.
#[derive(Clone, Debug)]
pub struct Declared {
    pub result: GameResult,
    /// The reason, as in game records.
    pub reason: Option<String>,
}

/// The reasons for declared ends in game records.
pub const RESIGNATION: &str = "resignation";
pub const TIME_LOSS: &str = "time loss";
pub const AGREEMENT: &str = "agreement";

impl Declared {
    fn sentence(&self) -> String {
        let winner = Side::ALL.into_iter().find(|&side| GameResult::won_by(side) == self.result);
        let reason = self.reason.as_deref().map(|reason| reason.trim().trim_end_matches('.'));
        let word = reason.unwrap_or_default().to_lowercase();
        match (winner, &*word) {
            (Some(winner), RESIGNATION | "r" | "resign") => {
                format!("{winner} wins: {} resigns.", !winner)
            }
            (Some(winner), TIME_LOSS | "time forfeit" | "t" | "time") => {
                format!("{winner} wins on time.")
            }
            (Some(winner), "forfeit" | "f") => format!("{winner} wins: {} forfeits.", !winner),
            (None, AGREEMENT) => "Draw by agreement.".to_owned(),
            _ => {
                let drawn = || "The game is drawn".to_owned();
                let end = winner.map_or_else(drawn, |winner| format!("{winner} has won"));
                let tells = !["", "?", "normal"].contains(&&*word);
                let reason =
                    reason.filter(|_| tells).map(|reason| format!(": {}", printable(reason)));
                format!("{end}{}.", reason.unwrap_or_default())
            }
        }
    }
}

/// A game with everything needed to continue it.
pub struct PlayedGame {
    pub history: History,
    /// How the game ended, if not by its rules.
    pub declared: Option<Declared>,
    pub humans: HumanSides,
    pub skill: Skill,
    pub clocks: Option<Clocks>,
    /// The record that the game was read from, with tags and annotations.
    pub origin: Option<GameRecord>,
}

impl PlayedGame {
    /// A game that was not read from a record.
    pub fn new(history: History, humans: HumanSides, skill: Skill, clocks: Option<Clocks>) -> Self {
        Self { history, declared: None, humans, skill, clocks, origin: None }
    }

    /// Returns the result of a finished game, and a sentence with the result and its reason.
    pub fn end(&self) -> Option<(GameResult, String)> {
        let declared = self.declared.as_ref().map(|end| (end.result, end.sentence()));
        let game = self.history.game();
        declared.or_else(|| Some((game.outcome().into(), game.end_sentence()?)))
    }

    /// Takes back a declared end or else the last turn of a human and all later turns. Returns whether there
    /// was anything to take back.
    pub fn undo(&mut self) -> bool {
        let humans = self.humans;
        let is_undone = |side| humans == HumanSides::None || humans.is_human(side);
        self.declared.take().is_some() || self.history.undo(is_undone)
    }

    /// Plays again what `undo` took back last, unless the game is over. Returns whether there was anything to
    /// play.
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
        let history = History::replay(None, &rules, moves.into_iter()).unwrap();
        let mut played = PlayedGame::new(history, HumanSides::Both, Skill::FULL, None);
        assert!(played.undo());
        played.declared = Some(Declared { result: GameResult::Draw, reason: None });
        assert!(!played.redo());
        assert!(played.undo());
        assert_eq!((played.end(), played.history.count_moves()), (None, 2));
        assert!(played.redo());
    }
}
