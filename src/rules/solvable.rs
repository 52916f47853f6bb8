//! Which games a tablebase can be made of: those whose positions are men, hands and the side to move.

use thiserror::Error;

use super::rule::Rule;
use super::rule_set::RuleSet;

impl RuleSet {
    /// Checks that a position is its men, its hands and the side to move, so that the game can be solved.
    ///
    /// # Errors
    ///
    /// The first rule that makes positions remember more.
    pub fn check_solvable(&self) -> Result<(), Unsolvable> {
        let Some(rule) = Rule::all().find(|rule| !(rule.remembers)(self).is_empty()) else {
            return Ok(());
        };
        let value = rule.values.word((rule.get)(self));
        Err(Unsolvable { rule: format!("{}={value}", rule.key), what: (rule.remembers)(self) })
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
