//! What engines speak: UCI in its mill forms, or GBGP.

mod gbgp;
mod uci;

use crate::any_game::AnyGame;
use crate::board::Side;
use crate::position::{Move, MoveTextError};
use crate::protocol::Go;
use crate::rules::RuleSet;

use super::spec::SpecError;

/// A way of speaking with engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// UCI with one move or removal at a time, whatever the form of the result line.
    Uci,
    /// The Generic Board Game Protocol, with a whole turn in one word.
    Gbgp,
}

/// The words by which users name a dialect.
const NAMES: [(&str, Dialect); 4] = [
    ("uci", Dialect::Uci),
    ("sanmill", Dialect::Uci),
    ("legacy", Dialect::Uci),
    ("gbgp", Dialect::Gbgp),
];

/// A game as it is told to an engine.
pub(super) struct Told<'a> {
    /// The position text that the game started from; none for the start position.
    pub(super) start: Option<&'a dyn AnyGame>,
    /// The moves with the sides that played them.
    pub(super) moves: &'a [(Side, Move)],
}

impl Dialect {
    pub(super) fn named(name: &str) -> Result<Self, SpecError> {
        let found = NAMES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        let expected = "uci, sanmill, legacy or gbgp";
        found.map(|&(_, dialect)| dialect).ok_or_else(|| SpecError::new("dialect", expected, name))
    }

    /// The word that begins a conversation, and the one that ends the answer to it.
    pub(super) const fn greeting(self) -> (&'static str, &'static str) {
        match self {
            Self::Uci => ("uci", "uciok"),
            Self::Gbgp => ("gbgp", "gbgpok"),
        }
    }

    /// The command before each game.
    pub(super) const fn new_game(self) -> &'static str {
        match self {
            Self::Uci => "ucinewgame",
            Self::Gbgp => "newgame",
        }
    }

    /// The options that make an engine play by some rules, given the names of those it has.
    ///
    /// # Errors
    ///
    /// What is wrong when the dialect has no words for the rules.
    pub(super) fn rules(
        self,
        rules: &RuleSet,
        known: &[String],
    ) -> Result<Vec<(String, String)>, String> {
        match self {
            Self::Uci => Ok(uci::rules(rules, known)),
            Self::Gbgp => gbgp::rules(rules, known),
        }
    }

    /// The command that sets the position.
    ///
    /// # Errors
    ///
    /// What is wrong when the dialect has no words for the position.
    pub(super) fn position(self, game: &Told<'_>) -> Result<String, String> {
        match self {
            Self::Uci => Ok(uci::position(game)),
            Self::Gbgp => gbgp::position(game),
        }
    }

    /// The command that asks for a move.
    pub(super) fn go(self, go: &Go) -> String {
        go.to_string()
    }

    /// The moves of an answer.
    pub(super) fn read_moves(self, word: &str) -> Result<Vec<Move>, MoveTextError> {
        match self {
            Self::Uci => Ok(vec![word.parse()?]),
            Self::Gbgp => gbgp::read_turn(word),
        }
    }
}

/// The word after `bestmove` in a result line of any form.
pub(super) fn best_move(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace();
    let mut rest = words.clone();
    match (words.next()?, words.next()) {
        ("bestmove", _) => {}
        ("info", Some(second)) if second != "string" => {}
        _ => return None,
    }
    rest.find(|&word| word == "bestmove")?;
    Some(rest.next().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_found_in_each_form_of_the_result_line() {
        for (line, answer) in [
            ("bestmove d6", Some("d6")),
            ("bestmove d6-f6xa1 ponder none", Some("d6-f6xa1")),
            ("info depth 3 score cp 5 nodes 40 bestmove xb4", Some("xb4")),
            ("info score -5 bestmove draw", Some("draw")),
            ("info score 0 aimovetype perfect bestmove d6-d5", Some("d6-d5")),
            ("bestmove", Some("")),
            ("info string bestmove d6", None),
            ("IDS: Algorithm bestMove = d5", None),
            ("", None),
        ] {
            assert_eq!(best_move(line), answer, "{line}");
        }
    }
}
