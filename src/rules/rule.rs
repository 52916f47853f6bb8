//! The declaration of a rule: names, values, text.

use std::borrow::Cow;
use std::ops::RangeInclusive;

use super::rule_set::RuleSet;

/// The declaration of a rule. Its value in a [`RuleSet`] is a byte.
pub struct Rule {
    /// The name in the text of own rules, as in `men=10`.
    pub key: &'static str,
    /// The number of the rule in [identities](super::Identity); never changed or reused.
    pub number: u8,
    /// The name of the protocol option.
    pub option: &'static str,
    /// What the option is for, without its choices.
    pub about: &'static str,
    /// The values that the rule may have.
    pub values: Values,
    /// The value in a game.
    pub get: fn(&RuleSet) -> u8,
    /// Sets the value, one of [`values`](Self::values).
    pub set: fn(&mut RuleSet, u8),
    /// Whether the value has any effect given the other rules of a game.
    pub has_effect: fn(&RuleSet) -> bool,
    /// A value other than that of Nine Men's Morris in a few words, or nothing.
    pub summary: fn(&RuleSet) -> &'static str,
    /// The value with which a position has to remember something beside men, hands and turn, and what: such a game
    /// has no tablebase. Captures and debts, which are over with the turn, do not count.
    pub remembers: Option<(u8, &'static str)>,
    /// The chapter of a description that describes the rule.
    pub chapter: Chapter,
    /// The rule in sentences of that chapter, or nothing.
    pub sentences: fn(&RuleSet) -> String,
}

/// The values of a rule.
pub enum Values {
    /// No or yes, 0 or 1, and the words for them in the text of own rules.
    Switch([&'static str; 2]),
    /// A number in a range.
    Number(RangeInclusive<u8>),
    /// One of several actions, counted from 0.
    Choice(&'static [Choice]),
}

/// An action that a rule may choose.
pub struct Choice {
    /// The name in the text of own rules.
    pub name: &'static str,
    /// Its meaning, in the help of the option.
    pub(super) help: &'static str,
    /// Its meaning in a few words, for games that differ here from Nine Men's Morris.
    pub(super) summary: &'static str,
    /// Its meaning in sentences.
    pub(super) sentence: &'static str,
}

/// The chapters of a description in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Chapter {
    /// The board.
    Board,
    /// The first phase.
    Placing,
    /// What mills are and earn.
    Mills,
    /// The second phase.
    Moving,
    /// Captures without a mill.
    Captures,
    /// When a side has lost.
    End,
}

impl Rule {
    /// What the option is for, with the meaning of each choice.
    pub fn help(&self) -> Cow<'static, str> {
        let Values::Choice(choices) = self.values else { return self.about.into() };
        let choices = choices.iter().enumerate();
        let choices: Vec<_> =
            choices.map(|(number, choice)| format!("{number} {}", choice.help)).collect();
        format!("{}: {}", self.about, choices.join(", ")).into()
    }
}

impl Values {
    /// The least and the greatest value.
    pub fn range(&self) -> RangeInclusive<u8> {
        match self {
            Self::Switch(_) => 0..=1,
            Self::Number(range) => range.clone(),
            Self::Choice(choices) => 0..=choices.len() as u8 - 1,
        }
    }

    /// All values as the text of own rules has them.
    pub fn words(&self) -> String {
        match self {
            Self::Number(range) => format!("{} to {}", range.start(), range.end()),
            Self::Switch(_) | Self::Choice(_) => {
                self.range().map(|value| self.word(value)).collect::<Vec<_>>().join(", ")
            }
        }
    }

    /// A value as the protocol sets it.
    pub fn setting(&self, value: u8) -> String {
        match self {
            Self::Switch(_) => (value == 1).to_string(),
            Self::Number(_) | Self::Choice(_) => value.to_string(),
        }
    }

    /// A value as the text of own rules has it.
    pub fn word(&self, value: u8) -> Cow<'static, str> {
        match self {
            Self::Switch(words) => words[usize::from(value)].into(),
            Self::Number(_) => value.to_string().into(),
            Self::Choice(choices) => choices[usize::from(value)].name.into(),
        }
    }
}
