//! What engines speak, seen from the other end: words for rules and positions, and what answers mean.

mod gbgp;
mod uci;

use super::spec_error::SpecError;
use crate::any_game::AnyGame;
use crate::board::Side;
use crate::position::{Move, MoveTextError, Turn};
use crate::protocol::{Command, Dialect};
use crate::rules::RuleSet;

/// The words by which users name a dialect; the result lines of UCI in its mill forms are told apart
/// when they are read.
const NAMES: [(&str, Dialect); 4] = [
    ("uci", Dialect::Uci),
    ("sanmill", Dialect::Uci),
    ("legacy", Dialect::Uci),
    ("gbgp", Dialect::Gbgp),
];

/// The dialect with a name.
pub(super) fn named(name: &str) -> Result<Dialect, SpecError> {
    let found = NAMES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
    let expected = "uci, sanmill, legacy or gbgp";
    found.map(|&(_, dialect)| dialect).ok_or_else(|| SpecError::new("dialect", expected, name))
}

/// All dialects.
pub(super) const ALL: [Dialect; 2] = [Dialect::Uci, Dialect::Gbgp];

/// The word that begins a conversation.
pub(super) const fn greeting(dialect: Dialect) -> Command {
    match dialect {
        Dialect::Uci => Command::Uci,
        Dialect::Gbgp => Command::Gbgp,
    }
}

/// The word that ends the answer to it.
pub(super) const fn end_of_greeting(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Uci => "uciok",
        Dialect::Gbgp => "gbgpok",
    }
}

/// The options that make an engine play by some rules, given the names of those it has.
///
/// # Errors
///
/// What is wrong when the dialect has no words for the rules.
pub(super) fn rule_options(
    dialect: Dialect,
    rules: &RuleSet,
    known: &[String],
) -> Result<Vec<(String, String)>, String> {
    match dialect {
        Dialect::Uci => Ok(uci::rule_options(rules, known)),
        Dialect::Gbgp => gbgp::rule_options(rules, known),
    }
}

/// A game as it is told to an engine.
pub(super) struct Told<'a> {
    /// Where the game began, if that was not the start position.
    pub(super) start: Option<&'a dyn AnyGame>,
    /// The moves with the sides that played them.
    pub(super) moves: &'a [(Side, Move)],
}

/// The command that sets the position.
///
/// # Errors
///
/// What is wrong when the dialect has no words for the position.
pub(super) fn position(dialect: Dialect, game: &Told<'_>) -> Result<Command, String> {
    match dialect {
        Dialect::Uci => Ok(uci::position(game)),
        Dialect::Gbgp => gbgp::position(game),
    }
}

/// The moves of an answer: one, or a whole turn.
///
/// # Errors
///
/// When the word is none of these.
pub(super) fn read_answer(dialect: Dialect, word: &str) -> Result<Vec<Move>, MoveTextError> {
    match dialect {
        Dialect::Uci => Ok(vec![word.parse()?]),
        Dialect::Gbgp => Ok(word.parse::<Turn>()?.moves().to_vec()),
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

    #[test]
    fn only_one_dialect_has_whole_turns() {
        assert_eq!(read_answer(Dialect::Gbgp, "d6-f6xa1").unwrap().len(), 2);
        assert!(read_answer(Dialect::Uci, "d6-f6xa1").is_err());
        assert_eq!(read_answer(Dialect::Uci, "xa1").unwrap().len(), 1);
    }
}
