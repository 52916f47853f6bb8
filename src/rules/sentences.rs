//! The rules of a game in sentences, in the order in which players need them.

use super::rule_set::{CaptureRule, MillAction, RuleSet};
use crate::board::Diagonals;

impl RuleSet {
    /// All rules of the game, one sentence per line.
    pub fn sentences(&self) -> String {
        let rules = self.canonical();
        let full_board = rules.full_board().map_or_else(String::new, |action| {
            format!("If the board fills up without a mill by the last man, {}.", action.sentence)
        });
        let (men, most) = (rules.men, rules.flying_men);
        let those = if rules.flying_counts_hand { ", with those in hand," } else { "" };
        let flying = format!("A side with {most} men or fewer{those} may fly to any empty point.");
        let capture = |rule: CaptureRule, what| rule.sentence(what, rules.diagonals);
        let sentences = [
            match rules.diagonals {
                Diagonals::Without => "The board has 24 points and 16 lines.",
                Diagonals::With => "The board has 24 points and 20 lines, four of them diagonals.",
            },
            &format!("Each side starts with {men} men in hand; White moves first."),
            if rules.may_move_in_placing {
                "On its turn a side places a man on an empty point or slides one to an adjacent one."
            } else {
                "The sides take turns placing a man on an empty point until all are placed."
            },
            &full_board,
            when(
                rules.stops_placing_at_two_empty,
                "Placing ends early when only two points are empty.",
            ),
            "Three men of one side on a line form a mill.",
            rules.mill_action.choice().sentence,
            when(
                rules.mill_action != MillAction::RemoveFromBoard,
                "A mill closed by sliding removes one of the opponent's men.",
            ),
            if rules.may_remove_multiple {
                "Every mill that a move closes removes a man."
            } else {
                "A move that closes two mills removes only one man."
            },
            if rules.may_remove_from_mills {
                "Any of the opponent's men may be removed, even one in a mill."
            } else {
                "A man in a mill may be removed only if all men of its side are in mills."
            },
            when(
                rules.restricts_repeated_mills,
                "A man that closed a mill may not move straight back to close another.",
            ),
            when(
                rules.uses_mills_once,
                "A line whose three points have all been in mills no longer counts as a mill.",
            ),
            if rules.defender_moves_first {
                "Once all men are placed, Black moves first."
            } else if rules.alternates_after_placing() {
                "Once all men are placed, the sides keep taking turns."
            } else {
                "Once all men are placed, White moves first."
            },
            "A man slides along a line to an adjacent empty point.",
            if rules.may_fly { &flying } else { "Nobody flies." },
            &capture(
                rules.custodian,
                "A man between the man that just moved and another of its side",
            ),
            &capture(rules.intervention, "The two men on both sides of the man that just moved"),
            &capture(
                rules.leap,
                "Once a side has no man in hand, a man that one of its men jumps over to the end of a line",
            ),
            &format!("A side with fewer than {} men loses.", rules.least_men),
            rules.stalemate_action.choice().sentence,
        ];
        sentences.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n")
    }
}

/// A sentence about a rule that applies, or nothing.
fn when(applies: bool, sentence: &str) -> &str {
    if applies { sentence } else { "" }
}

impl CaptureRule {
    /// A sentence that describes the rule and begins with what may be captured; empty if the rule is off. One that is
    /// on has lines and a phase in which it applies, as the rules are canonical.
    fn sentence(self, what: &str, diagonals: Diagonals) -> String {
        if !self.is_on {
            return String::new();
        }
        let families = [
            (self.on_square_edges, "the sides of the rings"),
            (self.on_cross_lines, "the spokes"),
            (self.on_diagonals && diagonals == Diagonals::With, "the diagonals"),
        ];
        let along = families.into_iter().filter(|(is_on, _)| *is_on).map(|(_, name)| name);
        let along = along.collect::<Vec<_>>().join(", ");
        let when = match (self.in_placing, self.in_moving) {
            (true, true) => "at any time",
            (true, false) => "only while placing",
            (false, _) => "only while moving",
        };
        let few = if self.only_with_few_men { ", by three men or fewer" } else { "" };
        format!("{what} may be captured along {along}, {when}{few}.")
    }
}
