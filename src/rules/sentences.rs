//! Rules in words, made from the answers.

use super::rule_set::{BoardFullAction, CaptureRule, MillAction, RuleSet, StalemateAction};
use crate::board::Diagonals;

impl RuleSet {
    /// What distinguishes the game from Nine Men's Morris, in a few words.
    #[must_use]
    pub fn summary(&self) -> String {
        let usual = Self::NINE_MENS_MORRIS;
        let rules = self.canonical();
        let mut words = vec![format!("{} men", rules.men)];
        let mut add = |differs: bool, word: &str| words.extend(differs.then(|| word.to_owned()));
        add(rules.diagonals != usual.diagonals, "diagonals");
        add(rules.mill_action != usual.mill_action, mill_word(rules.mill_action));
        add(rules.may_move_in_placing, "slides while placing");
        add(rules.defender_moves_first, "Black moves first");
        add(rules.may_remove_multiple, "a man for each mill");
        add(rules.may_remove_from_mills, "mills protect nobody");
        add(rules.restricts_repeated_mills, "no mill back and forth");
        add(rules.uses_mills_once, "mills count once");
        let meets_full_board = rules.mill_action != MillAction::CountAtTheEnd
            && rules.board_full_action != usual.board_full_action;
        add(meets_full_board, full_word(rules.board_full_action));
        add(rules.stops_placing_at_two_empty, "placing ends at two points");
        add(rules.stalemate_action != usual.stalemate_action, "blocked sides do not lose");
        add(!rules.may_fly, "no flying");
        add(rules.flying_men != usual.flying_men, "four men fly");
        add(rules.least_men != usual.least_men, "more than two men are needed");
        add(rules.custodian.is_on, "custodian capture");
        add(rules.intervention.is_on, "intervention capture");
        add(rules.leap.is_on, "leap capture");
        words.join(", ")
    }

    /// All rules of the game, one sentence a line.
    #[must_use]
    pub fn sentences(&self) -> String {
        let rules = self.canonical();
        let mut lines = rules.placing();
        lines.extend(rules.mills());
        lines.extend(rules.moving());
        let captures = [
            ("A man between the man that just moved and another of its side", rules.custodian),
            ("The two men on both sides of the man that just moved", rules.intervention),
            ("With no man in hand, a man that another leaps over to the end of a line", rules.leap),
        ];
        let captures = captures.iter().filter(|(_, rule)| rule.is_on);
        lines.extend(captures.map(|(what, rule)| rule.sentence(what)));
        lines.extend(rules.endings());
        lines.join("\n")
    }

    fn placing(&self) -> Vec<String> {
        let Self { men, .. } = self;
        let board = match self.diagonals {
            Diagonals::Without => "The board has 24 points and 16 lines.",
            Diagonals::With => "The board has 24 points and 20 lines, four of them diagonals.",
        };
        let mut lines = vec![
            board.to_owned(),
            format!("Each side has {men} men in hand; White begins."),
            if self.may_move_in_placing {
                "In turn a side places a man on an empty point or slides one to a neighbour."
            } else {
                "In turn the sides place a man on an empty point until all are placed."
            }
            .to_owned(),
        ];
        if self.stops_placing_at_two_empty {
            lines.push("Placing ends early when only two points are left.".to_owned());
        }
        if self.men == Self::MEN_TO_FILL_BOARD && self.mill_action != MillAction::CountAtTheEnd {
            lines.push(full_sentence(self.board_full_action).to_owned());
        }
        lines
    }

    fn mills(&self) -> Vec<String> {
        let several = if self.may_remove_multiple {
            "Mills closed at once earn a man each."
        } else {
            "Mills closed at once earn one man together."
        };
        let protection = if self.may_remove_from_mills {
            "Any man of the opponent may be removed, also one in a mill."
        } else {
            "Men in mills may not be removed unless all are in mills."
        };
        let mut lines = vec!["Three men of a side on a line are a mill.".to_owned()];
        if self.mill_action == MillAction::RemoveFromBoard {
            lines.push("A side that closes a mill removes a man of the opponent.".to_owned());
        } else {
            lines.push(format!("A mill closed by placing {}.", mill_phrase(self.mill_action)));
            lines.push("A mill closed by sliding removes a man of the opponent.".to_owned());
        }
        lines.extend([several, protection].map(str::to_owned));
        if self.uses_mills_once {
            lines.push("A line whose three points were in mills before is no mill.".to_owned());
        }
        if self.restricts_repeated_mills {
            let sentence = "A man that closed a mill may not go straight back to close another.";
            lines.push(sentence.to_owned());
        }
        lines
    }

    fn moving(&self) -> Vec<String> {
        let first = if self.defender_moves_first {
            "Black moves first when all men are placed."
        } else if self.alternates_after_placing() {
            "The sides go on in turn when all men are placed."
        } else {
            "White moves first when all men are placed."
        };
        let fly = if self.may_fly {
            format!("A side with {} men or fewer may fly to any empty point.", self.flying_men)
        } else {
            "Nobody flies.".to_owned()
        };
        let slide = "A man slides along a line to an empty neighbour.".to_owned();
        vec![first.to_owned(), slide, fly]
    }

    fn endings(&self) -> [String; 2] {
        let blocked = match self.stalemate_action {
            StalemateAction::Loses => "loses",
            StalemateAction::Passes => "passes its turn; if both cannot, the game is drawn",
            StalemateAction::RemovesAndMoves => {
                "removes a man of the opponent beside its own, then moves"
            }
            StalemateAction::RemovesAndPasses => {
                "removes a man of the opponent beside its own, then the opponent moves"
            }
            StalemateAction::Draw => "draws the game",
            StalemateAction::BothRemove => {
                "removes a man of the opponent beside its own, then the opponent does the same, \
                 then it moves"
            }
        };
        [
            format!("A side that cannot move {blocked}."),
            format!("A side with fewer than {} men loses.", self.least_men),
        ]
    }
}

impl CaptureRule {
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

fn mill_word(action: MillAction) -> &'static str {
    match action {
        MillAction::RemoveFromBoard => "mills take from the board",
        MillAction::RemoveFromHand => "mills take from the hand",
        MillAction::RemoveFromHandAndGoOn => "mills take from the hand and place again",
        MillAction::OpponentRemovesOwn => "the opponent chooses what it loses",
        MillAction::RemoveAndMark => "removed men leave marks",
        MillAction::CountAtTheEnd => "mills count when all are placed",
    }
}

fn mill_phrase(action: MillAction) -> &'static str {
    match action {
        MillAction::RemoveFromBoard => "removes a man of the opponent",
        MillAction::RemoveFromHand => "takes a man out of the opponent's hand",
        MillAction::RemoveFromHandAndGoOn => {
            "takes a man out of the opponent's hand, and the same side places again"
        }
        MillAction::OpponentRemovesOwn => "makes the opponent remove one of its own men",
        MillAction::RemoveAndMark => {
            "removes a man of the opponent and marks its point, which nobody may use until all \
             are placed"
        }
        MillAction::CountAtTheEnd => {
            "earns nothing at once: when all are placed, each side removes as many men as both have \
             mills, the side with more mills one more; a side alone with mills removes two and the \
             other one, and without any mill each removes one of its own"
        }
    }
}

fn full_word(action: BoardFullAction) -> &'static str {
    match action {
        BoardFullAction::WhiteLoses => "a full board is lost for White",
        BoardFullAction::BothRemoveWhiteFirst | BoardFullAction::BothRemoveBlackFirst => {
            "each removes on a full board"
        }
        BoardFullAction::FirstRemoves => "one removes on a full board",
        BoardFullAction::Draw => "a full board is drawn",
    }
}

fn full_sentence(action: BoardFullAction) -> &'static str {
    match action {
        BoardFullAction::WhiteLoses => "If all points are taken without a last mill, White loses.",
        BoardFullAction::BothRemoveWhiteFirst => {
            "If all points are taken without a last mill, each side removes a man, White first, \
             and White moves."
        }
        BoardFullAction::BothRemoveBlackFirst => {
            "If all points are taken without a last mill, each side removes a man, Black first, \
             and Black moves."
        }
        BoardFullAction::FirstRemoves => {
            "If all points are taken without a last mill, the side that would move removes a man \
             and the other moves."
        }
        BoardFullAction::Draw => "If all points are taken without a last mill, it is a draw.",
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::PRESETS;

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
