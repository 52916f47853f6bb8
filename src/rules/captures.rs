//! The declarations of the three ways to capture without a mill, with seven switches each.

use super::rule::{Chapter, Rule, YES_OR_NO, no_sentence, said_if};
use super::rule_set::CaptureRule;
use crate::board::Diagonals;

/// One switch: its field, the end of its option name, its purpose, whether it has an effect.
macro_rules! switch {
    ($rule:ident, $key:literal, $option:literal, $number:expr, $field:ident, $name:literal,
     $about:literal, $has_effect:expr, $summary:expr, $sentences:expr) => {
        Rule {
            key: concat!($key, ".", stringify!($field)),
            number: $number,
            option: concat!($option, $name),
            about: $about,
            values: YES_OR_NO,
            get: |rules| rules.$rule.$field.into(),
            set: |rules, value| rules.$rule.$field = value == 1,
            has_effect: $has_effect,
            summary: $summary,
            chapter: Chapter::Captures,
            sentences: $sentences,
        }
    };
}

/// The switches of a way to capture. Their numbers in identities begin with `number`; `places` says
/// whether a placement can capture this way; `what` begins the sentence.
macro_rules! captures {
    ($rule:ident, $key:literal, option: $option:literal, number: $number:literal,
     about: $about:literal, places: $places:literal, what: $what:literal) => {
        [
            switch!(
                $rule,
                $key,
                $option,
                $number,
                is_on,
                "Enabled",
                $about,
                |rules| rules.$rule.is_possible(rules.diagonals, $places),
                |_| concat!($key, " capture"),
                |rules| said_if(rules.$rule.is_on, &rules.$rule.sentence($what))
            ),
            switch!(
                $rule,
                $key,
                $option,
                $number + 1,
                on_square_edges,
                "OnSquareEdges",
                "along the sides of the rings",
                |rules| rules.$rule.is_possible(rules.diagonals, $places),
                |_| "",
                no_sentence
            ),
            switch!(
                $rule,
                $key,
                $option,
                $number + 2,
                on_cross_lines,
                "OnCrossLines",
                "along the spokes",
                |rules| rules.$rule.is_possible(rules.diagonals, $places),
                |_| "",
                no_sentence
            ),
            switch!(
                $rule,
                $key,
                $option,
                $number + 3,
                on_diagonals,
                "OnDiagonalLines",
                "along the diagonals",
                |rules| rules.$rule.is_possible(rules.diagonals, $places)
                    && rules.diagonals == Diagonals::With,
                |_| "",
                no_sentence
            ),
            switch!(
                $rule,
                $key,
                $option,
                $number + 4,
                in_placing,
                "InPlacingPhase",
                "in the placing phase",
                |rules| $places && rules.$rule.is_possible(rules.diagonals, $places),
                |_| "",
                no_sentence
            ),
            switch!(
                $rule,
                $key,
                $option,
                $number + 5,
                in_moving,
                "InMovingPhase",
                "in the moving phase",
                |rules| rules.$rule.is_possible(rules.diagonals, $places),
                |_| "",
                no_sentence
            ),
            switch!(
                $rule,
                $key,
                $option,
                $number + 6,
                only_with_few_men,
                "OnlyWhenOwnPiecesLeq3",
                "only with three men or fewer",
                |rules| rules.$rule.is_possible(rules.diagonals, $places) && rules.$rule.in_moving,
                |_| "",
                no_sentence
            ),
        ]
    };
}

pub(super) const CUSTODIAN: [Rule; 7] = captures!(
    custodian, "custodian",
    option: "CustodianCapture",
    number: 15,
    about: "a man between two opposing men may be captured",
    places: true,
    what: "A man between the man that just moved and another of its side"
);

pub(super) const INTERVENTION: [Rule; 7] = captures!(
    intervention, "intervention",
    option: "InterventionCapture",
    number: 22,
    about: "two men on both sides of an opposing man may be captured",
    places: true,
    what: "The two men on both sides of the man that just moved"
);

// Nobody leaps while placing.
pub(super) const LEAP: [Rule; 7] = captures!(
    leap, "leap",
    option: "LeapCapture",
    number: 29,
    about: "a man that is jumped over is captured",
    places: false,
    what: "Once a side has no man in hand, a man that one of its men jumps over to the end of a line"
);

impl CaptureRule {
    /// Whether the capture can happen on a board; only a way that is open to sides that place can
    /// happen in the placing phase.
    fn is_possible(self, diagonals: Diagonals, places: bool) -> bool {
        let has_lines = self.on_square_edges
            || self.on_cross_lines
            || self.on_diagonals && diagonals == Diagonals::With;
        self.is_on && has_lines && (self.in_moving || self.in_placing && places)
    }

    /// The rule in a sentence that begins with what may be captured.
    fn sentence(self, what: &str) -> String {
        let families = [
            (self.on_square_edges, "the sides of the rings"),
            (self.on_cross_lines, "the spokes"),
            (self.on_diagonals, "the diagonals"),
        ];
        let along: Vec<&str> =
            families.into_iter().filter(|(is_on, _)| *is_on).map(|(_, name)| name).collect();
        let when = match (self.in_placing, self.in_moving) {
            (true, true) => "at any time",
            (true, false) => "only while placing",
            (false, true) => "only while moving",
            (false, false) => "never",
        };
        let few = if self.only_with_few_men { ", by three men or fewer" } else { "" };
        let along = if along.is_empty() { "no line".to_owned() } else { along.join(", ") };
        format!("{what} may be captured along {along}, {when}{few}.")
    }
}
