//! The table of all rules: their names, values and descriptions.
//!
//! Names of games, identities, protocol options and descriptions are generated from this table. The
//! [module](super) explains how to add a rule.

use std::borrow::Cow;
use std::ops::RangeInclusive;

use super::captures::{CUSTODIAN, INTERVENTION, LEAP};
use super::rule_set::{BoardFullAction, MillAction, RuleSet, StalemateAction};
use crate::board::Diagonals;

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
    /// The chapter of a game's description that covers the rule.
    pub chapter: Chapter,
    /// The sentences of that chapter about the rule, or none.
    pub sentences: fn(&RuleSet) -> String,
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

/// The chapters of a game's description, in order.
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
    /// The purpose of the option, with the meaning of each choice.
    pub fn help(&self) -> Cow<'static, str> {
        let Values::Choice(choices) = self.values else { return self.about.into() };
        let choices = choices.iter().enumerate();
        let choices: Vec<_> =
            choices.map(|(number, choice)| format!("{number} {}", choice.help)).collect();
        format!("{}: {}", self.about, choices.join(", ")).into()
    }

    /// All rules, in the order in which the protocol lists their options.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        RULES.iter().chain(&CUSTODIAN).chain(&INTERVENTION).chain(&LEAP)
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
            Self::Switch(_) | Self::Choice(_) => {
                self.range().map(|value| self.word(value)).collect::<Vec<_>>().join(", ")
            }
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
    size_of::<RuleSet>() == RULES.len() + CUSTODIAN.len() + INTERVENTION.len() + LEAP.len(),
    "every one-byte rule of a rule set needs a declaration"
);

/// Whether the men can fill the board, so that the rules for this case matter.
fn may_fill_board(rules: &RuleSet) -> bool {
    rules.men == RuleSet::MEN_TO_FILL_BOARD
}

/// The defaults of a declaration.
pub(super) const RULE: Rule = Rule {
    key: "",
    number: 0,
    option: "",
    about: "",
    values: Values::Switch(["false", "true"]),
    get: |_| 0,
    set: |_, _| {},
    has_effect: |_| true,
    summary: |_| "",
    remembers: None,
    chapter: Chapter::Board,
    sentences: |_| String::new(),
};

/// Declares a rule by the field that holds it, and optionally its sentences when off and on.
macro_rules! field {
    ($($field:ident).+) => {
        Rule {
            key: stringify!($($field).+),
            get: |rules| bytemuck::must_cast(rules.$($field).+),
            set: |rules, value| rules.$($field).+ = bytemuck::checked::cast(value),
            ..RULE
        }
    };
    ($field:ident, $off:literal, $on:literal) => {
        Rule {
            sentences: |rules| (if rules.$field { $on } else { $off }).into(),
            ..field!($field)
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
        chapter: Chapter::Placing,
        sentences: |rules| {
            format!("Each side starts with {} men in hand; White moves first.", rules.men)
        },
        ..field!(men)
    },
    Rule {
        number: 3,
        option: "flyPieceCount",
        about: "number of men with which a side flies",
        values: Values::Number(3..=4),
        has_effect: |rules| rules.may_fly,
        summary: |_| "flying with four men",
        chapter: Chapter::Moving,
        // `may_fly` has the sentence.
        ..field!(flying_men)
    },
    Rule {
        number: 1,
        option: "PiecesAtLeastCount",
        about: "a side with fewer men has lost",
        values: Values::Number(3..=5),
        summary: |_| "a side needs more than three men",
        chapter: Chapter::End,
        sentences: |rules| format!("A side with fewer than {} men loses.", rules.least_men),
        ..field!(least_men)
    },
    Rule {
        number: 4,
        option: "HasDiagonalLines",
        about: "the corners are joined by diagonals",
        values: Values::Switch(["Without", "With"]),
        summary: |_| "diagonals",
        chapter: Chapter::Board,
        sentences: |rules| match rules.diagonals {
            Diagonals::Without => "The board has 24 points and 16 lines.".into(),
            Diagonals::With => {
                "The board has 24 points and 20 lines, four of them diagonals.".into()
            }
        },
        ..field!(diagonals)
    },
    Rule {
        number: 5,
        option: "MillFormationActionInPlacingPhase",
        about: "what a mill closed by placing earns",
        values: Values::Choice(MillAction::CHOICES),
        summary: |rules| rules.mill_action.choice().summary,
        chapter: Chapter::Mills,
        sentences: |rules| {
            let action = rules.mill_action.choice().sentence;
            let slide = match rules.mill_action {
                MillAction::RemoveFromBoard => "",
                _ => "\nA mill closed by sliding removes one of the opponent's men.",
            };
            format!("Three men of one side on a line form a mill.\n{action}{slide}")
        },
        remembers: Some((MillAction::RemoveAndMark as u8, "the points where men were removed")),
        ..field!(mill_action)
    },
    Rule {
        number: 6,
        option: "MayMoveInPlacingPhase",
        about: "a side with men in hand may slide",
        summary: |_| "slides while placing",
        chapter: Chapter::Placing,
        ..field!(
            may_move_in_placing,
            "The sides take turns placing a man on an empty point until all are placed.",
            "On its turn a side places a man on an empty point or slides one to an adjacent one."
        )
    },
    Rule {
        number: 7,
        option: "IsDefenderMoveFirst",
        about: "Black moves first when all are placed",
        summary: |_| "Black moves first",
        chapter: Chapter::Moving,
        sentences: |rules| {
            let first = if rules.defender_moves_first {
                "Once all men are placed, Black moves first."
            } else if rules.alternates_after_placing() {
                "Once all men are placed, the sides keep taking turns."
            } else {
                "Once all men are placed, White moves first."
            };
            format!("{first}\nA man slides along a line to an adjacent empty point.")
        },
        ..field!(defender_moves_first)
    },
    Rule {
        number: 8,
        option: "MayRemoveMultiple",
        about: "two mills at once remove two men",
        summary: |_| "one removal per mill",
        chapter: Chapter::Mills,
        ..field!(
            may_remove_multiple,
            "A move that closes two mills removes only one man.",
            "Every mill that a move closes removes a man."
        )
    },
    Rule {
        number: 9,
        option: "MayRemoveFromMillsAlways",
        about: "men in mills may be removed",
        summary: |_| "men in mills may be removed",
        chapter: Chapter::Mills,
        ..field!(
            may_remove_from_mills,
            "A man in a mill may be removed only if all men of its side are in mills.",
            "Any of the opponent's men may be removed, even one in a mill."
        )
    },
    Rule {
        number: 10,
        option: "RestrictRepeatedMillsFormation",
        about: "a man may not move straight back to close a mill again",
        summary: |_| "no closing a mill by moving straight back",
        chapter: Chapter::Mills,
        remembers: Some((1, "the last move of each side")),
        ..field!(
            restricts_repeated_mills,
            "",
            "A man that closed a mill may not move straight back to close another."
        )
    },
    Rule {
        number: 11,
        option: "OneTimeUseMill",
        about: "lines whose points have all been in mills no longer count",
        summary: |_| "mills count once",
        chapter: Chapter::Mills,
        remembers: Some((1, "the points that were in mills")),
        ..field!(
            uses_mills_once,
            "",
            "A line whose three points have all been in mills no longer counts as a mill."
        )
    },
    Rule {
        number: 12,
        option: "BoardFullAction",
        about: "what a full board leads to",
        values: Values::Choice(BoardFullAction::CHOICES),
        has_effect: may_fill_board,
        summary: |rules| full_board(rules).map_or("", |action| action.summary),
        chapter: Chapter::Placing,
        sentences: |rules| {
            let start = "If the board fills up without a mill by the last man";
            full_board(rules)
                .map_or_else(String::new, |action| format!("{start}, {}.", action.sentence))
        },
        ..field!(board_full_action)
    },
    Rule {
        number: 13,
        option: "StopPlacingWhenTwoEmptySquares",
        about: "placing ends when two points are empty",
        has_effect: may_fill_board,
        summary: |_| "placing ends at two empty points",
        chapter: Chapter::Placing,
        ..field!(
            stops_placing_at_two_empty,
            "",
            "Placing ends early when only two points are empty."
        )
    },
    Rule {
        number: 14,
        option: "StalemateAction",
        about: "a side that cannot move",
        values: Values::Choice(StalemateAction::CHOICES),
        summary: |rules| rules.stalemate_action.choice().summary,
        chapter: Chapter::End,
        sentences: |rules| rules.stalemate_action.choice().sentence.into(),
        ..field!(stalemate_action)
    },
    Rule {
        number: 2,
        option: "MayFly",
        about: "a side with few men may fly to any empty point",
        summary: |_| "no flying",
        chapter: Chapter::Moving,
        sentences: |rules| match rules.flying_men {
            men if rules.may_fly => {
                let those = if rules.flying_counts_hand { ", with those in hand," } else { "" };
                format!("A side with {men} men or fewer{those} may fly to any empty point.")
            }
            _ => "Nobody flies.".into(),
        },
        ..field!(may_fly)
    },
    Rule {
        number: 36,
        option: "FlyingCountsHand",
        about: "men in hand count towards the number for flying",
        // Without slides in the placing phase, nobody with men in hand could fly.
        has_effect: |rules| rules.may_fly && rules.may_move_in_placing,
        summary: |_| "men in hand count for flying",
        chapter: Chapter::Moving,
        // `may_fly` has the sentence.
        ..field!(flying_counts_hand)
    },
];

/// The action on a full board, in games where it has an effect.
fn full_board(rules: &RuleSet) -> Option<&'static Choice> {
    let counts_mills = rules.mill_action == MillAction::CountAtTheEnd;
    let has_effect = may_fill_board(rules) && !counts_mills;
    has_effect.then(|| rules.board_full_action.choice())
}
