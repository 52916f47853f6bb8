//! The declarations of the three captures without a mill, with seven switches each.

use super::declarations::{Rule, Values, field};
use super::rule_set::{CaptureRule, RuleSet};
use crate::board::Diagonals;

/// Declares the switches of a capture: the last part of each number in identities, its field, the end of its option
/// name, its description, and when it matters if the capture is possible at all.
macro_rules! switches {
    ($rule:ident $option:literal $number:literal $places:literal
     $($more:literal $field:ident $name:literal $about:literal $matters:expr;)*) => {
        [$(Rule {
            number: $number + $more,
            option: concat!($option, $name),
            about: $about,
            has_effect: |rules| {
                let matters: fn(&RuleSet) -> bool = $matters;
                rules.$rule.is_possible(rules.diagonals, $places) && matters(rules)
            },
            ..field!($rule.$field)
        }),*]
    };
}

/// Declares the switches of a capture. Their numbers in identities begin with `number`; `places`
/// says whether a placement can capture this way.
macro_rules! captures {
    ($rule:ident, $option:literal, number: $number:literal, places: $places:literal,
     about: $about:literal) => {{
        let mut rules = switches! { $rule $option $number $places
            0 is_on "Enabled" $about |_| true;
            1 on_square_edges "OnSquareEdges" "along the sides of the rings" |_| true;
            2 on_cross_lines "OnCrossLines" "along the spokes" |_| true;
            3 on_diagonals "OnDiagonalLines" "along the diagonals"
                |rules| rules.diagonals == Diagonals::With;
            4 in_placing "InPlacingPhase" "in the placing phase" |_| $places;
            5 in_moving "InMovingPhase" "in the moving phase" |_| true;
            6 only_with_few_men "OnlyWhenOwnPiecesLeq3" "only with three men or fewer"
                |rules| rules.$rule.in_moving;
        };
        rules[0].summary = |_| concat!(stringify!($rule), " capture");
        rules
    }};
}

pub(super) const CAPTURES: [[Rule; 7]; 3] = [
    captures!(custodian, "CustodianCapture", number: 15, places: true,
        about: "a man between two opposing men may be captured"),
    captures!(intervention, "InterventionCapture", number: 22, places: true,
        about: "two men on both sides of an opposing man may be captured"),
    // A placement never leaps.
    captures!(leap, "LeapCapture", number: 29, places: false,
        about: "a man that is jumped over is captured"),
];

impl CaptureRule {
    /// Whether the capture can happen on a board; `places` says whether a placement can capture this way.
    fn is_possible(self, diagonals: Diagonals, places: bool) -> bool {
        let has_lines = self.on_square_edges
            || self.on_cross_lines
            || self.on_diagonals && diagonals == Diagonals::With;
        self.is_on && has_lines && (self.in_moving || self.in_placing && places)
    }
}
