//! A name for every game: that of the preset, or the answers that differ from Nine Men's Morris.

use std::fmt;

use serde_json::{Map, Value};

use super::presets::Preset;
use super::rule_set::RuleSet;
use crate::quote::quote;

impl RuleSet {
    /// The name of the game, or the answers that make it, which [`from_name`](Self::from_name)
    /// reads again.
    ///
    /// ```
    /// use millstone::rules::RuleSet;
    ///
    /// let lasker = RuleSet { men: 10, may_move_in_placing: true, ..RuleSet::default() };
    /// assert_eq!(lasker.name(), "Lasker Morris");
    /// let own = RuleSet { uses_mills_once: true, ..lasker };
    /// assert_eq!(own.name(), "may_move_in_placing=true men=10 uses_mills_once=true");
    /// assert_eq!(RuleSet::from_name(&own.name()), Ok(own));
    /// ```
    #[must_use]
    pub fn name(&self) -> String {
        if let Some(preset) = Preset::of(self) {
            return preset.name.to_owned();
        }
        let usual = answers(&Self::NINE_MENS_MORRIS);
        let differences = answers(&self.canonical())
            .into_iter()
            .filter(|(question, answer)| usual.get(question) != Some(answer));
        let words = differences.map(|(question, answer)| match answer {
            Value::String(word) => format!("{question}={word}"),
            other => format!("{question}={other}"),
        });
        words.collect::<Vec<_>>().join(" ")
    }

    /// The game with a name, or with answers as [`name`](Self::name) writes them.
    ///
    /// # Errors
    ///
    /// When the text is neither the name of a preset nor a list of answers that can be played.
    pub fn from_name(text: &str) -> Result<Self, UnknownRules> {
        if let Some(preset) = Preset::named(text) {
            return Ok(preset.rules);
        }
        let unknown = || UnknownRules(quote(text));
        let mut answers = answers(&Self::NINE_MENS_MORRIS);
        for word in text.split_whitespace() {
            let (question, answer) = word.split_once('=').ok_or_else(unknown)?;
            let usual = answers.get_mut(question).ok_or_else(unknown)?;
            *usual = match usual {
                Value::String(_) => Value::String(answer.to_owned()),
                _ => answer.parse().map_err(|_| unknown())?,
            };
        }
        let rules: Self = serde_json::from_value(nest(answers)).map_err(|_| unknown())?;
        let is_playable = rules.check().is_ok() && !text.trim().is_empty();
        if is_playable { Ok(rules) } else { Err(unknown()) }
    }
}

/// A text that names no game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownRules(String);

impl fmt::Display for UnknownRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = super::PRESETS.map(|preset| preset.name).join(", ");
        write!(f, "expected one of {names}, or answers such as men=10, found '{}'", self.0)
    }
}

impl std::error::Error for UnknownRules {}

/// All answers by their questions, those of the captures as `leap.is_on`.
fn answers(rules: &RuleSet) -> Map<String, Value> {
    let Ok(Value::Object(answers)) = serde_json::to_value(rules) else {
        unreachable!("rules are questions with answers")
    };
    let flatten = |(question, answer)| match answer {
        Value::Object(switches) => {
            let name = |(switch, value)| (format!("{question}.{switch}"), value);
            switches.into_iter().map(name).collect()
        }
        answer => vec![(question, answer)],
    };
    answers.into_iter().flat_map(flatten).collect()
}

/// The reverse of what [`answers`] does to captures.
fn nest(answers: Map<String, Value>) -> Value {
    let mut nested = Map::new();
    for (question, answer) in answers {
        if let Some((capture, switch)) = question.split_once('.') {
            nested.entry(capture).or_insert_with(|| Map::new().into())[switch] = answer;
        } else {
            nested.insert(question, answer);
        }
    }
    nested.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{CaptureRule, MillAction, PRESETS, StalemateAction};

    #[test]
    fn names_are_read_as_they_are_written() {
        let usual = RuleSet::NINE_MENS_MORRIS;
        let own = [
            RuleSet { mill_action: MillAction::RemoveAndMark, ..usual },
            RuleSet { stalemate_action: StalemateAction::BothRemove, least_men: 4, ..usual },
            RuleSet { leap: CaptureRule { is_on: true, ..CaptureRule::OFF }, ..usual },
        ];
        for rules in PRESETS.map(|preset| preset.rules).iter().chain(&own) {
            assert_eq!(RuleSet::from_name(&rules.name()), Ok(*rules), "{}", rules.name());
        }
        assert_eq!(own[2].name(), "leap.is_on=true");
    }

    #[test]
    fn other_texts_are_refused_by_name() {
        for text in ["", " ", "chess", "men", "men=8", "men=ten", "leap=true", "mill_action=0"] {
            let error = RuleSet::from_name(text).unwrap_err().to_string();
            assert!(error.ends_with(&format!("found '{text}'")), "{error}");
        }
    }
}
