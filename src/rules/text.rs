//! Games in words: a name for each, and its rules in sentences.
//!
//! The name of a game is that of its [`Preset`], or all rules that differ from Nine Men's Morris;
//! [`position::text`](crate::position::text) has the grammar.

use super::presets::{PRESETS, Preset};
use super::rule::Rule;
use super::rule_set::RuleSet;
use crate::Error;
use crate::quote::quote;

impl RuleSet {
    /// The name of the game, or the rules that make it, which [`from_name`](Self::from_name)
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
    pub fn name(&self) -> String {
        if let Some(preset) = Preset::of(self) {
            return preset.name.to_owned();
        }
        let word = |(rule, value): (&Rule, u8)| format!("{}={}", rule.key, rule.values.word(value));
        let mut words: Vec<String> = self.differences().map(word).collect();
        words.sort_unstable();
        words.join(" ")
    }

    /// The game with a name, with rules as [`name`](Self::name) writes them, or with a name and
    /// the rules that differ from it.
    ///
    /// ```
    /// use millstone::rules::{BoardFullAction, RuleSet};
    ///
    /// let rules = RuleSet::from_name("Twelve Men's Morris board_full_action=Draw").unwrap();
    /// assert_eq!(rules.men, 12);
    /// assert_eq!(rules.board_full_action, BoardFullAction::Draw);
    /// ```
    ///
    /// # Errors
    ///
    /// When the text is neither the name of a preset nor a list of rules with values of theirs.
    pub fn from_name(text: &str) -> Result<Self, Error> {
        let unknown = || {
            let names = PRESETS.map(|preset| preset.name).join(", ");
            let found = quote(text);
            Error(format!("expected one of {names}, or rules such as men=10, found '{found}'"))
        };
        let first_rule = text.split_whitespace().find(|word| word.contains('='));
        let start = first_rule.and_then(|word| text.find(word)).unwrap_or(text.len());
        let (name, words) = text.split_at(start);
        let mut rules = match Preset::named(name) {
            Some(preset) => preset.rules,
            None if name.trim().is_empty() && start < text.len() => Self::NINE_MENS_MORRIS,
            None => return Err(unknown()),
        };
        for word in words.split_whitespace() {
            let (key, word) = word.split_once('=').ok_or_else(unknown)?;
            let rule = Rule::all().find(|rule| rule.key == key).ok_or_else(unknown)?;
            let is_meant = |&value: &u8| rule.values.word(value) == word;
            let value = rule.values.range().find(is_meant).ok_or_else(unknown)?;
            (rule.set)(&mut rules, value);
        }
        rules.check().map_err(|_| unknown())?;
        Ok(rules)
    }

    /// What distinguishes the game from Nine Men's Morris, in a few words.
    pub fn summary(&self) -> String {
        let rules = self.canonical();
        let words = rules.differences().map(|(rule, _)| (rule.summary)(&rules));
        let men = format!("{} men", rules.men);
        words.filter(|word| !word.is_empty()).fold(men, |all, word| format!("{all}, {word}"))
    }

    /// All rules of the game, one sentence a line.
    pub fn sentences(&self) -> String {
        let rules = self.canonical();
        let mut by_chapter: Vec<&Rule> = Rule::all().collect();
        by_chapter.sort_by_key(|rule| rule.chapter);
        let sentences = by_chapter.iter().map(|rule| (rule.sentences)(&rules));
        sentences.filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n")
    }
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
    fn a_name_may_be_followed_by_the_rules_that_differ() {
        let own = RuleSet { stalemate_action: StalemateAction::Draw, ..PRESETS[3].rules };
        for text in ["lasker stalemate_action=Draw", "  Lasker  Morris   stalemate_action=Draw "] {
            assert_eq!(RuleSet::from_name(text), Ok(own), "{text}");
        }
    }

    #[test]
    fn other_texts_are_refused_by_name() {
        let words = ["", " ", "chess", "men", "men=2", "men=ten", "leap=true", "mill_action=0"];
        for text in words.into_iter().chain([
            "chess men=9",
            "men=9 lasker",
            "lasker men=9 own",
            "men=3 least_men=4",
        ]) {
            let error = RuleSet::from_name(text).unwrap_err().to_string();
            assert!(error.ends_with(&format!("found '{text}'")), "{error}");
        }
    }

    #[test]
    fn games_with_other_rules_are_said_in_other_words() {
        let mut said = PRESETS.map(|preset| preset.rules.sentences()).to_vec();
        let mut summaries = PRESETS.map(|preset| preset.rules.summary()).to_vec();
        for texts in [&mut said, &mut summaries] {
            texts.sort();
            texts.dedup();
            assert_eq!(texts.len(), PRESETS.len());
        }
    }

    #[test]
    fn each_sentence_ends_with_a_full_stop() {
        for preset in &PRESETS {
            let said = preset.rules.sentences();
            assert!(said.lines().all(|line| line.ends_with('.')), "{said}");
        }
    }
}
