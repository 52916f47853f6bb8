//! The table of all rules: their names, values and descriptions.
//!
//! Names of games, identities, protocol options and descriptions are generated from this table. The
//! [module](super) explains how to add a rule.

use std::borrow::Cow;
use std::ops::RangeInclusive;

use super::captures::CAPTURES;
use super::rule_set::{BoardFullAction, MillAction, RuleSet, StalemateAction};

/// The declaration of a rule, whose value in a [`RuleSet`] is a byte.
pub struct Rule {
    /// The name in the text of custom rules, as in `men=10`.
    pub key: &'static str,
    /// The number of the rule in [identities](super::Identity); never changed or reused.
    pub number: u8,
    /// The name of the protocol option.
    pub option: &'static str,
    /// The purpose of the option, without its choices.
    pub about: &'static str,
    /// The values that the rule may have.
    pub values: Values,
    /// Returns the value in a game.
    pub get: fn(&RuleSet) -> u8,
    /// Sets the value, one of [`values`](Self::values).
    pub set: fn(&mut RuleSet, u8),
    /// Whether the value has any effect, given the other rules of a game.
    pub has_effect: fn(&RuleSet) -> bool,
    /// A few words for a value that differs from Nine Men's Morris, or none.
    pub summary: fn(&RuleSet) -> &'static str,
    /// The value that makes positions remember more than men, hands and turn, and what they remember: such
    /// a game has no tablebase. Captures and owed removals do not count, as they end with the turn.
    pub remembers: Option<(u8, &'static str)>,
}

/// The values of a rule.
pub enum Values {
    /// No or yes, as 0 or 1, and the words for them in the text of custom rules.
    Switch([&'static str; 2]),
    /// A number in a range.
    Number(RangeInclusive<u8>),
    /// One of several actions, numbered from 0.
    Choice(&'static [Choice]),
}

/// An action that a rule may choose.
pub struct Choice {
    /// The name in the text of custom rules.
    pub name: &'static str,
    /// The meaning, in the help of the option.
    pub(super) help: &'static str,
    /// The meaning in a few words, for games that differ in this from Nine Men's Morris.
    pub(super) summary: &'static str,
    /// The meaning in sentences.
    pub(super) sentence: &'static str,
}

impl Rule {
    /// The purpose of the option, with the meaning of each choice.
    pub fn help(&self) -> Cow<'static, str> {
        let Values::Choice(choices) = self.values else { return self.about.into() };
        let number = |(number, choice): (usize, &Choice)| format!("{number} {}", choice.help);
        let choices: Vec<String> = choices.iter().enumerate().map(number).collect();
        format!("{}: {}", self.about, choices.join(", ")).into()
    }

    /// All rules, in the order in which the protocol lists their options.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        RULES.iter().chain(CAPTURES.as_flattened())
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

    /// All values, as written in the text of custom rules.
    pub fn words(&self) -> String {
        match self {
            Self::Number(range) => format!("{} to {}", range.start(), range.end()),
            _ => self.range().map(|value| self.word(value)).collect::<Vec<_>>().join(", "),
        }
    }

    /// A value, as written in the protocol.
    pub fn setting(&self, value: u8) -> String {
        match self {
            Self::Switch(_) => (value == 1).to_string(),
            Self::Number(_) | Self::Choice(_) => value.to_string(),
        }
    }

    /// A value, as written in the text of custom rules.
    pub fn word(&self, value: u8) -> Cow<'static, str> {
        match self {
            Self::Switch(words) => words[usize::from(value)].into(),
            Self::Number(_) => value.to_string().into(),
            Self::Choice(choices) => choices[usize::from(value)].name.into(),
        }
    }
}

const _: () = assert!(
    size_of::<RuleSet>() == RULES.len() + CAPTURES.as_flattened().len(),
    "every one-byte rule of a rule set needs a declaration"
);

/// Whether the men can fill the board, so that the rules for this case matter.
fn may_fill_board(rules: &RuleSet) -> bool {
    rules.men == RuleSet::MEN_TO_FILL_BOARD
}

/// A rule by the field that holds it: a switch that always has an effect, unless the declaration says otherwise.
macro_rules! field {
    ($($field:ident).+) => {
        Rule {
            key: stringify!($($field).+),
            number: 0,
            option: "",
            about: "",
            values: Values::Switch(["false", "true"]),
            get: |rules| bytemuck::must_cast(rules.$($field).+),
            set: |rules, value| rules.$($field).+ = bytemuck::checked::cast(value),
            has_effect: |_| true,
            summary: |_| "",
            remembers: None,
        }
    };
}

pub(super) use field;

const RULES: [Rule; 16] = [
    Rule {
        number: 0,
        option: "PiecesCount",
        about: "men of each side",
        values: Values::Number(RuleSet::FEWEST_MEN..=RuleSet::MEN_TO_FILL_BOARD),
        // No summary is needed: every one begins with the number of men.
        ..field!(men)
    },
    Rule {
        number: 3,
        option: "flyPieceCount",
        about: "number of men with which a side flies",
        values: Values::Number(3..=4),
        has_effect: |rules| rules.may_fly,
        summary: |_| "flying with four men",
        ..field!(flying_men)
    },
    Rule {
        number: 1,
        option: "PiecesAtLeastCount",
        about: "a side with fewer men has lost",
        values: Values::Number(3..=5),
        summary: |_| "a side needs more than three men",
        ..field!(least_men)
    },
    Rule {
        number: 4,
        option: "HasDiagonalLines",
        about: "the corners are joined by diagonals",
        values: Values::Switch(["Without", "With"]),
        summary: |_| "diagonals",
        ..field!(diagonals)
    },
    Rule {
        number: 5,
        option: "MillFormationActionInPlacingPhase",
        about: "what a mill closed by placing earns",
        values: Values::Choice(MillAction::CHOICES),
        summary: |rules| rules.mill_action.choice().summary,
        remembers: Some((MillAction::RemoveAndMark as u8, "the points where men were removed")),
        ..field!(mill_action)
    },
    Rule {
        number: 6,
        option: "MayMoveInPlacingPhase",
        about: "a side with men in hand may slide",
        summary: |_| "slides while placing",
        ..field!(may_move_in_placing)
    },
    Rule {
        number: 7,
        option: "IsDefenderMoveFirst",
        about: "Black moves first when all are placed",
        summary: |_| "Black moves first",
        ..field!(defender_moves_first)
    },
    Rule {
        number: 8,
        option: "MayRemoveMultiple",
        about: "two mills at once remove two men",
        summary: |_| "one removal per mill",
        ..field!(may_remove_multiple)
    },
    Rule {
        number: 9,
        option: "MayRemoveFromMillsAlways",
        about: "men in mills may be removed",
        summary: |_| "men in mills may be removed",
        ..field!(may_remove_from_mills)
    },
    Rule {
        number: 10,
        option: "RestrictRepeatedMillsFormation",
        about: "a man may not move straight back to close a mill again",
        summary: |_| "no closing a mill by moving straight back",
        remembers: Some((1, "the last move of each side")),
        ..field!(restricts_repeated_mills)
    },
    Rule {
        number: 11,
        option: "OneTimeUseMill",
        about: "lines whose points have all been in mills no longer count",
        summary: |_| "mills count once",
        remembers: Some((1, "the points that were in mills")),
        ..field!(uses_mills_once)
    },
    Rule {
        number: 12,
        option: "BoardFullAction",
        about: "what a full board leads to",
        values: Values::Choice(BoardFullAction::CHOICES),
        has_effect: may_fill_board,
        summary: |rules| rules.full_board().map_or("", |action| action.summary),
        ..field!(board_full_action)
    },
    Rule {
        number: 13,
        option: "StopPlacingWhenTwoEmptySquares",
        about: "placing ends when two points are empty",
        has_effect: may_fill_board,
        summary: |_| "placing ends at two empty points",
        ..field!(stops_placing_at_two_empty)
    },
    Rule {
        number: 14,
        option: "StalemateAction",
        about: "a side that cannot move",
        values: Values::Choice(StalemateAction::CHOICES),
        summary: |rules| rules.stalemate_action.choice().summary,
        ..field!(stalemate_action)
    },
    Rule {
        number: 2,
        option: "MayFly",
        about: "a side with few men may fly to any empty point",
        summary: |_| "no flying",
        ..field!(may_fly)
    },
    Rule {
        number: 36,
        option: "FlyingCountsHand",
        about: "men in hand count towards the number for flying",
        // Without slides in the placing phase, nobody with men in hand could fly.
        has_effect: |rules| rules.may_fly && rules.may_move_in_placing,
        summary: |_| "men in hand count for flying",
        ..field!(flying_counts_hand)
    },
];

impl RuleSet {
    /// The action on a full board, in games where it has an effect.
    pub(super) fn full_board(&self) -> Option<&'static Choice> {
        let counts_mills = self.mill_action == MillAction::CountAtTheEnd;
        let has_effect = may_fill_board(self) && !counts_mills;
        has_effect.then(|| self.board_full_action.choice())
    }
}
