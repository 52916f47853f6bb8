//! The declarations of the three captures without a mill, with seven switches each.

use super::declarations::{Chapter, RULE, Rule, field};
use super::rule_set::{CaptureRule, RuleSet};
use crate::board::Diagonals;

/// Declares a switch of a capture: its number in identities, its field, the end of its option name,
/// its description, and when it matters if the capture is possible at all.
macro_rules! switch {
    ($rule:ident $option:literal $places:literal $number:expr; $field:ident $name:literal
     $about:literal $matters:expr) => {
        Rule {
            number: $number,
            option: concat!($option, $name),
            about: $about,
            has_effect: |rules| {
                let matters: fn(&RuleSet) -> bool = $matters;
                rules.$rule.is_possible(rules.diagonals, $places) && matters(rules)
            },
            chapter: Chapter::Captures,
            ..field!($rule.$field)
        }
    };
}

/// Declares the switches of a capture. Their numbers in identities begin with `number`; `places`
/// says whether a placement can capture this way; `what` begins the sentence.
macro_rules! captures {
    ($rule:ident, $option:literal, number: $number:literal, places: $places:literal,
     about: $about:literal, what: $what:literal) => {
        [
            Rule {
                summary: |_| concat!(stringify!($rule), " capture"),
                sentences: |rules| rules.$rule.sentence($what, rules.diagonals),
                ..switch! { $rule $option $places $number; is_on "Enabled" $about |_| true }
            },
            switch! { $rule $option $places $number + 1;
            on_square_edges "OnSquareEdges" "along the sides of the rings" |_| true },
            switch! { $rule $option $places $number + 2;
            on_cross_lines "OnCrossLines" "along the spokes" |_| true },
            switch! { $rule $option $places $number + 3;
            on_diagonals "OnDiagonalLines" "along the diagonals"
            |rules| rules.diagonals == Diagonals::With },
            switch! { $rule $option $places $number + 4;
            in_placing "InPlacingPhase" "in the placing phase" |_| $places },
            switch! { $rule $option $places $number + 5;
            in_moving "InMovingPhase" "in the moving phase" |_| true },
            switch! { $rule $option $places $number + 6;
            only_with_few_men "OnlyWhenOwnPiecesLeq3" "only with three men or fewer"
            |rules| rules.$rule.in_moving },
        ]
    };
}

pub(super) const CUSTODIAN: [Rule; 7] = captures! {
    custodian, "CustodianCapture", number: 15, places: true,
    about: "a man between two opposing men may be captured",
    what: "A man between the man that just moved and another of its side"
};
pub(super) const INTERVENTION: [Rule; 7] = captures! {
    intervention, "InterventionCapture", number: 22, places: true,
    about: "two men on both sides of an opposing man may be captured",
    what: "The two men on both sides of the man that just moved"
};
// A placement never leaps.
pub(super) const LEAP: [Rule; 7] = captures! {
    leap, "LeapCapture", number: 29, places: false,
    about: "a man that is jumped over is captured",
    what: "Once a side has no man in hand, a man that one of its men jumps over to the end of a line"
};

impl CaptureRule {
    /// Whether the capture can happen on a board; `places` says whether a placement can capture this way.
    fn is_possible(self, diagonals: Diagonals, places: bool) -> bool {
        let has_lines = self.on_square_edges
            || self.on_cross_lines
            || self.on_diagonals && diagonals == Diagonals::With;
        self.is_on && has_lines && (self.in_moving || self.in_placing && places)
    }

    /// A sentence that describes the rule and begins with what may be captured; empty if the rule is off.
    fn sentence(self, what: &str, diagonals: Diagonals) -> String {
        if !self.is_on {
            return String::new();
        }
        let families = [
            (self.on_square_edges, "the sides of the rings"),
            (self.on_cross_lines, "the spokes"),
            (self.on_diagonals && diagonals == Diagonals::With, "the diagonals"),
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
