//! The table of all rules: how each is named, what values it has, and what it means in words.
//!
//! Names of games, identities, protocol options and descriptions are made by walking this table;
//! nothing else lists the rules. The [module](super) says how a rule is added.

use super::captures::{CUSTODIAN, INTERVENTION, LEAP};
use super::rule::{Chapter, Choice, Rule, Values, YES_OR_NO, always, said_if};
use super::rule_set::{BoardFullAction, MillAction, RuleSet, StalemateAction};
use crate::board::Diagonals;

impl Rule {
    /// All rules, in the order in which the protocol lists their options.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        RULES.iter().chain(&CUSTODIAN).chain(&INTERVENTION).chain(&LEAP)
    }
}

const _: () = assert!(
    size_of::<RuleSet>() == RULES.len() + CUSTODIAN.len() + INTERVENTION.len() + LEAP.len(),
    "each rule of a rule set, which is a byte, is declared"
);

/// Whether the men may fill the board, so that what happens then matters.
fn may_fill_board(rules: &RuleSet) -> bool {
    rules.men == RuleSet::MEN_TO_FILL_BOARD
}

/// What all rules have unless they say otherwise.
pub(super) const RULE: Rule = Rule {
    key: "",
    number: 0,
    option: "",
    about: "",
    values: YES_OR_NO,
    get: |_| 0,
    set: |_, _| {},
    has_effect: always,
    summary: |_| "",
    remembers: |_| "",
    chapter: Chapter::Board,
    sentences: |_| String::new(),
};

/// A rule that is a number, and the field that holds it.
macro_rules! number {
    ($field:ident) => {
        Rule {
            key: stringify!($field),
            get: |rules| rules.$field,
            set: |rules, value| rules.$field = value,
            ..RULE
        }
    };
}

/// A rule that is on or off.
macro_rules! switch {
    ($field:ident) => {
        Rule {
            key: stringify!($field),
            get: |rules| rules.$field.into(),
            set: |rules, value| rules.$field = value == 1,
            ..RULE
        }
    };
}

/// A rule that is one of several actions.
macro_rules! choice {
    ($field:ident, $action:ident) => {
        Rule {
            key: stringify!($field),
            get: |rules| rules.$field as u8,
            set: |rules, value| rules.$field = $action::ALL[usize::from(value)],
            ..RULE
        }
    };
}

const RULES: [Rule; 16] = [
    Rule {
        number: 0,
        option: "PiecesCount",
        about: "men of each side",
        values: Values::Number(RuleSet::FEWEST_MEN..=RuleSet::MEN_TO_FILL_BOARD),
        // Every summary begins with the number of men.
        summary: |_| "",
        chapter: Chapter::Placing,
        sentences: |rules| {
            format!("Each side starts with {} men in hand; White moves first.", rules.men)
        },
        ..number!(men)
    },
    Rule {
        number: 3,
        option: "flyPieceCount",
        about: "number of men with which a side flies",
        values: Values::Number(3..=4),
        has_effect: |rules| rules.may_fly,
        summary: |_| "flying with four men",
        chapter: Chapter::Moving,
        // That nobody flies, or with how many men, is said together.
        ..number!(flying_men)
    },
    Rule {
        number: 1,
        option: "PiecesAtLeastCount",
        about: "a side with fewer men has lost",
        values: Values::Number(3..=5),
        summary: |_| "a side needs more than three men",
        chapter: Chapter::End,
        sentences: |rules| format!("A side with fewer than {} men loses.", rules.least_men),
        ..number!(least_men)
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
        ..choice!(diagonals, Diagonals)
    },
    Rule {
        number: 5,
        option: "MillFormationActionInPlacingPhase",
        about: "what a mill closed by placing earns",
        values: Values::Choice(&MILL_ACTIONS),
        summary: |rules| MILL_ACTIONS[rules.mill_action as usize].summary,
        chapter: Chapter::Mills,
        sentences: |rules| {
            let action = MILL_ACTIONS[rules.mill_action as usize].sentence;
            format!("Three men of one side on a line form a mill.\n{action}")
        },
        remembers: |rules| match rules.mill_action {
            MillAction::RemoveAndMark => "the points where men were removed",
            _ => "",
        },
        ..choice!(mill_action, MillAction)
    },
    Rule {
        number: 6,
        option: "MayMoveInPlacingPhase",
        about: "a side with men in hand may slide",
        summary: |_| "slides while placing",
        chapter: Chapter::Placing,
        sentences: |rules| {
            if rules.may_move_in_placing {
                "On its turn a side places a man on an empty point or slides one to an adjacent one.".into()
            } else {
                "The sides take turns placing a man on an empty point until all are placed.".into()
            }
        },
        ..switch!(may_move_in_placing)
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
        ..switch!(defender_moves_first)
    },
    Rule {
        number: 8,
        option: "MayRemoveMultiple",
        about: "two mills at once remove two men",
        summary: |_| "one removal per mill",
        chapter: Chapter::Mills,
        sentences: |rules| {
            if rules.may_remove_multiple {
                "Every mill that a move closes removes a man.".into()
            } else {
                "A move that closes two mills removes only one man.".into()
            }
        },
        ..switch!(may_remove_multiple)
    },
    Rule {
        number: 9,
        option: "MayRemoveFromMillsAlways",
        about: "men in mills may be removed",
        summary: |_| "men in mills may be removed",
        chapter: Chapter::Mills,
        sentences: |rules| {
            if rules.may_remove_from_mills {
                "Any of the opponent's men may be removed, even one in a mill.".into()
            } else {
                "A man in a mill may be removed only if all men of its side are in mills.".into()
            }
        },
        ..switch!(may_remove_from_mills)
    },
    Rule {
        number: 10,
        option: "RestrictRepeatedMillsFormation",
        about: "a man may not move straight back to close a mill again",
        summary: |_| "no closing a mill by moving straight back",
        chapter: Chapter::Mills,
        sentences: |rules| {
            let sentence = "A man that closed a mill may not move straight back to close another.";
            said_if(rules.restricts_repeated_mills, sentence)
        },
        remembers: |rules| {
            if rules.restricts_repeated_mills { "the last move of each side" } else { "" }
        },
        ..switch!(restricts_repeated_mills)
    },
    Rule {
        number: 11,
        option: "OneTimeUseMill",
        about: "lines whose points have all been in mills no longer count",
        summary: |_| "mills count once",
        chapter: Chapter::Mills,
        sentences: |rules| {
            let sentence =
                "A line whose three points have all been in mills no longer counts as a mill.";
            said_if(rules.uses_mills_once, sentence)
        },
        remembers: |rules| if rules.uses_mills_once { "the points that were in mills" } else { "" },
        ..switch!(uses_mills_once)
    },
    Rule {
        number: 12,
        option: "BoardFullAction",
        about: "what a full board leads to",
        values: Values::Choice(&BOARD_FULL_ACTIONS),
        has_effect: may_fill_board,
        summary: |rules| full_board(rules).map_or("", |action| action.summary),
        chapter: Chapter::Placing,
        sentences: |rules| full_board(rules).map_or("", |action| action.sentence).into(),
        ..choice!(board_full_action, BoardFullAction)
    },
    Rule {
        number: 13,
        option: "StopPlacingWhenTwoEmptySquares",
        about: "placing ends when two points are empty",
        has_effect: may_fill_board,
        summary: |_| "placing ends at two empty points",
        chapter: Chapter::Placing,
        sentences: |rules| {
            let sentence = "Placing ends early when only two points are empty.";
            said_if(rules.stops_placing_at_two_empty, sentence)
        },
        ..switch!(stops_placing_at_two_empty)
    },
    Rule {
        number: 14,
        option: "StalemateAction",
        about: "a side that cannot move",
        values: Values::Choice(&STALEMATE_ACTIONS),
        summary: |rules| STALEMATE_ACTIONS[rules.stalemate_action as usize].summary,
        chapter: Chapter::End,
        sentences: |rules| STALEMATE_ACTIONS[rules.stalemate_action as usize].sentence.into(),
        ..choice!(stalemate_action, StalemateAction)
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
        ..switch!(may_fly)
    },
    Rule {
        number: 36,
        option: "FlyingCountsHand",
        about: "men in hand count towards the number for flying",
        // Without slides while placing nobody with men in hand could fly.
        has_effect: |rules| rules.may_fly && rules.may_move_in_placing,
        summary: |_| "men in hand count for flying",
        chapter: Chapter::Moving,
        // Said together with how many men fly.
        ..switch!(flying_counts_hand)
    },
];

const MILL_ACTIONS: [Choice; 6] = [
    Choice {
        name: "RemoveFromBoard",
        help: "a man on the board",
        summary: "mills take from the board",
        sentence: "A side that closes a mill removes one of the opponent's men.",
    },
    Choice {
        name: "RemoveFromHand",
        help: "a man in hand",
        summary: "mills take from the hand",
        sentence: "A mill closed by placing removes a man from the opponent's hand.\n\
                   A mill closed by sliding removes one of the opponent's men.",
    },
    Choice {
        name: "RemoveFromHandAndGoOn",
        help: "a man in hand, and another turn",
        summary: "mills take from the hand and place again",
        sentence: "A mill closed by placing removes a man from the opponent's hand, and the same \
                   side places again.\n\
                   A mill closed by sliding removes one of the opponent's men.",
    },
    Choice {
        name: "OpponentRemovesOwn",
        help: "the opponent removes one of its own",
        summary: "the opponent chooses what it loses",
        sentence: "A mill closed by placing makes the opponent remove one of its own men.\n\
                   A mill closed by sliding removes one of the opponent's men.",
    },
    Choice {
        name: "RemoveAndMark",
        help: "a man, and its point is marked",
        summary: "removed men leave marks",
        sentence: "A mill closed by placing removes one of the opponent's men and marks its point, \
                   which nobody may use until all men are placed.\n\
                   A mill closed by sliding removes one of the opponent's men.",
    },
    Choice {
        name: "CountAtTheEnd",
        help: "a count at the end",
        summary: "mills count when all are placed",
        sentence: "A mill closed by placing removes nothing at once. Once all men are placed, each \
                   side removes as many men as the side with fewer mills has mills, and the side \
                   with more mills removes one more. If only one side has mills, it removes two \
                   men and the other side one; if neither has any, each removes one of its own.\n\
                   A mill closed by sliding removes one of the opponent's men.",
    },
];

/// What a full board leads to, in games where it leads to anything of its own.
fn full_board(rules: &RuleSet) -> Option<&'static Choice> {
    let counts_mills = rules.mill_action == MillAction::CountAtTheEnd;
    let has_effect = may_fill_board(rules) && !counts_mills;
    has_effect.then(|| &BOARD_FULL_ACTIONS[rules.board_full_action as usize])
}

const BOARD_FULL_ACTIONS: [Choice; 5] = [
    Choice {
        name: "WhiteLoses",
        help: "White loses",
        summary: "a full board is lost for White",
        sentence: "If the board fills up without a mill by the last man, White loses.",
    },
    Choice {
        name: "BothRemoveWhiteFirst",
        help: "each removes, White first",
        summary: "each removes on a full board",
        sentence: "If the board fills up without a mill by the last man, each side removes a man, White \
                   first, and White moves.",
    },
    Choice {
        name: "BothRemoveBlackFirst",
        help: "each removes, Black first",
        summary: "each removes on a full board",
        sentence: "If the board fills up without a mill by the last man, each side removes a man, Black \
                   first, and Black moves.",
    },
    Choice {
        name: "FirstRemoves",
        help: "one removes",
        summary: "one removes on a full board",
        sentence: "If the board fills up without a mill by the last man, the side that would move removes \
                   a man and the other moves.",
    },
    Choice {
        name: "Draw",
        help: "a draw",
        summary: "a full board is drawn",
        sentence: "If the board fills up without a mill by the last man, it is a draw.",
    },
];

const STALEMATE_ACTIONS: [Choice; 6] = [
    Choice {
        name: "Loses",
        help: "loses",
        summary: "blocked sides lose",
        sentence: "A side that cannot move loses.",
    },
    Choice {
        name: "Passes",
        help: "passes",
        summary: BLOCKED,
        sentence: "A side that cannot move passes its turn; if both cannot, the game is drawn.",
    },
    Choice {
        name: "RemovesAndMoves",
        help: "removes and moves",
        summary: BLOCKED,
        sentence: "A side that cannot move removes an opposing man next to one of its own, then \
                   moves.",
    },
    Choice {
        name: "RemovesAndPasses",
        help: "removes and passes",
        summary: BLOCKED,
        sentence: "A side that cannot move removes an opposing man next to one of its own, then the \
                   opponent moves.",
    },
    Choice {
        name: "Draw",
        help: "draws",
        summary: BLOCKED,
        sentence: "If a side cannot move, the game is drawn.",
    },
    Choice {
        name: "BothRemove",
        help: "both remove a man",
        summary: BLOCKED,
        sentence: "A side that cannot move removes an opposing man next to one of its own; then \
                   the opponent does the same, and the side moves.",
    },
];

const BLOCKED: &str = "blocked sides do not lose";
