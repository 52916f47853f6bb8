//! Where games begin: the same for both games of a pair, so that neither engine has the better side.

use std::fmt;

use crate::any_game::{self, AnyGame};
use crate::position::{Move, MoveLine};
use crate::records::GameRecord;
use crate::rules::{DrawRules, RuleSet};

/// What is played before the engines are asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Opening {
    /// The position text that the game starts from; none for the start position.
    pub start: Option<String>,
    /// The moves from there.
    pub moves: Vec<Move>,
}

/// The openings of a match, one a pair of games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Openings {
    /// Balanced random ones.
    Random {
        /// How many moves and removals they have, at least.
        plies: usize,
        /// What they depend on, together with the number of the pair.
        seed: u64,
    },
    /// Those of a list, one after the other and then from the first again; the start position when
    /// there is none.
    Listed(Vec<Opening>),
}

impl Opening {
    /// The position of a text, without moves.
    #[must_use]
    pub fn at(text: &str) -> Self {
        Self { start: Some(text.trim().to_owned()), moves: Vec::new() }
    }

    /// The first moves and removals of a game, at most so many and those that end the last turn.
    #[must_use]
    pub fn of_record(record: &GameRecord, plies: usize) -> Self {
        let is_in = |(index, mv): &(usize, Move)| *index < plies || mv.is_removal();
        let moves = record.moves().enumerate().take_while(is_in).map(|(_, mv)| mv);
        Self { start: record.start.clone(), moves: moves.collect() }
    }

    /// Whether the opening can be played and leaves something to be played.
    ///
    /// # Errors
    ///
    /// What is wrong.
    pub fn check(&self, rules: &RuleSet) -> Result<(), String> {
        let game = self.game(rules)?;
        if let Some(outcome) = game.outcome() {
            return Err(format!("expected a game that goes on, found {outcome}"));
        }
        match self.moves.last() {
            Some(mv) if game.is_within_turn(game.to_move()) => Err(format!(
                "expected an opening that ends with a turn, found a removal owed after {mv}"
            )),
            _ => Ok(()),
        }
    }

    /// The game after the opening.
    pub(super) fn game(&self, rules: &RuleSet) -> Result<Box<dyn AnyGame>, String> {
        let mut game = self.beginning(rules)?;
        for &mv in &self.moves {
            game.play(mv).map_err(|error| error.to_string())?;
        }
        Ok(game)
    }

    /// The game before the opening.
    pub(super) fn beginning(&self, rules: &RuleSet) -> Result<Box<dyn AnyGame>, String> {
        let draws = DrawRules::default();
        match &self.start {
            Some(text) => {
                any_game::from_text(text, rules, draws).map_err(|error| error.to_string())
            }
            None => Ok(any_game::start(rules, draws)),
        }
    }
}

impl fmt::Display for Openings {
    /// Writes what distinguishes these openings from others.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Random { plies, .. } => write!(f, "random, {plies} plies"),
            Self::Listed(openings) => {
                let mut hasher = crc32fast::Hasher::new();
                for Opening { start, moves } in openings {
                    let start = start.as_deref().unwrap_or_default();
                    hasher.update(format!("{start}{}\n", MoveLine(moves)).as_bytes());
                }
                write!(f, "{} listed, checksum {:08x}", openings.len(), hasher.finalize())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NINE: RuleSet = RuleSet::NINE_MENS_MORRIS;

    #[test]
    fn openings_are_games_that_go_on() {
        let record = &GameRecord::read_all("d6 f4 b4").unwrap()[0];
        let opening = Opening::of_record(record, 2);
        assert_eq!((opening.moves.len(), opening.check(&NINE)), (2, Ok(())));
        let text = opening.game(&NINE).unwrap().text();
        assert_eq!(Opening::at(&text).game(&NINE).unwrap().text(), text);
        for (text, message) in [
            ("********/******** w", "position text"),
            ("**O*@@**/**@@*@@*/*****@** w m s 1 0 7 0 0 0 0 0 0 0 0 9 23", "goes on"),
        ] {
            let error = Opening::at(text).check(&NINE).unwrap_err();
            assert!(error.contains(message), "{error}");
        }
        let half = &GameRecord::read_all("d6 a1 f6 a4 b6").unwrap()[0];
        let error = Opening::of_record(half, 5).check(&NINE).unwrap_err();
        assert!(error.contains("found a removal owed after b6"), "{error}");
    }
}
