//! Which games a tablebase can be made of: those whose positions are men, hands and the side to move.

use thiserror::Error;

use super::rule::Rule;
use super::rule_set::{MillAction, RuleSet};

/// The rules that make positions remember something, and what. Captures and debts are over with the turn.
const MEMORIES: [Memorised; 3] = [
    Memorised {
        key: "mill_action",
        what: "the points where men were removed",
        is_so: |rules| matches!(rules.mill_action, MillAction::RemoveAndMark),
    },
    Memorised {
        key: "restricts_repeated_mills",
        what: "the last move of each side",
        is_so: |rules| rules.restricts_repeated_mills,
    },
    Memorised {
        key: "uses_mills_once",
        what: "the points that were in mills",
        is_so: |rules| rules.uses_mills_once,
    },
];

struct Memorised {
    key: &'static str,
    what: &'static str,
    is_so: fn(&RuleSet) -> bool,
}

impl RuleSet {
    /// Checks that a position is its men, its hands and the side to move, so that the game can be solved.
    ///
    /// # Errors
    ///
    /// The first rule that makes positions remember more.
    pub fn check_solvable(&self) -> Result<(), Unsolvable> {
        let Some(memory) = MEMORIES.iter().find(|memory| (memory.is_so)(self)) else {
            return Ok(());
        };
        let rule = Rule::all().find(|rule| rule.key == memory.key).map(|rule| {
            let value = rule.values.word((rule.get)(self));
            format!("{}={value}", rule.key)
        });
        Err(Unsolvable { rule: rule.unwrap_or_default(), what: memory.what })
    }
}

/// A rule that makes positions remember more than men, hands and the side to move.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the game has no tablebase: with {rule} its positions have to remember {what}")]
pub struct Unsolvable {
    rule: String,
    what: &'static str,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::PRESETS;

    #[test]
    fn games_with_a_memory_are_refused_by_the_rule() {
        let refused = PRESETS.iter().filter_map(|preset| {
            let error = preset.rules.check_solvable().err()?;
            Some((preset.name, error.rule))
        });
        let refused: Vec<(&str, String)> = refused.collect();
        let expected =
            [("Russian Mill", "uses_mills_once=true"), ("Da San Qi", "mill_action=RemoveAndMark")];
        assert_eq!(refused, expected.map(|(name, rule)| (name, rule.to_owned())));
        let rules = RuleSet { restricts_repeated_mills: true, ..RuleSet::NINE_MENS_MORRIS };
        let error = rules.check_solvable().unwrap_err().to_string();
        assert!(error.contains("restricts_repeated_mills=true"), "{error}");
    }
}
