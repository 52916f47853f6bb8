//! The games with a name.

use super::actions::{BoardFullAction, MillAction, StalemateAction};
use super::rule_set::RuleSet;
use crate::board::Diagonals;

/// A game with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preset {
    /// Its name, such as `Lasker Morris`.
    pub name: &'static str,
    /// Its rules.
    pub rules: RuleSet,
}

const NINE: RuleSet = RuleSet::NINE_MENS_MORRIS;
const TWELVE: RuleSet = RuleSet::TWELVE_MENS_MORRIS;

/// All named games, Nine Men's Morris first.
pub const PRESETS: [Preset; 11] = [
    Preset { name: "Nine Men's Morris", rules: NINE },
    Preset { name: "Twelve Men's Morris", rules: TWELVE },
    Preset { name: "Morabaraba", rules: RuleSet { may_remove_multiple: true, ..TWELVE } },
    Preset { name: "Lasker Morris", rules: RuleSet { men: 10, may_move_in_placing: true, ..NINE } },
    Preset { name: "Dooz", rules: RuleSet { mill_action: MillAction::RemoveFromHand, ..TWELVE } },
    Preset { name: "Russian Mill", rules: RuleSet { uses_mills_once: true, ..NINE } },
    Preset { name: "Cheng San Qi", rules: RuleSet { may_fly: false, ..NINE } },
    Preset {
        name: "Da San Qi",
        rules: RuleSet {
            mill_action: MillAction::RemoveAndMark,
            defender_moves_first: true,
            may_remove_from_mills: true,
            may_fly: false,
            ..TWELVE
        },
    },
    Preset {
        name: "Zhi Qi",
        rules: RuleSet {
            board_full_action: BoardFullAction::BothRemoveWhiteFirst,
            stalemate_action: StalemateAction::RemovesAndMoves,
            ..TWELVE
        },
    },
    Preset {
        name: "El Filja",
        rules: RuleSet {
            diagonals: Diagonals::Without,
            mill_action: MillAction::CountAtTheEnd,
            may_remove_from_mills: true,
            board_full_action: BoardFullAction::BothRemoveWhiteFirst,
            may_fly: false,
            ..TWELVE
        },
    },
    Preset {
        name: "Experimental",
        rules: RuleSet {
            defender_moves_first: true,
            may_remove_from_mills: true,
            board_full_action: BoardFullAction::BothRemoveBlackFirst,
            may_fly: false,
            ..TWELVE
        },
    },
];

impl Preset {
    /// The preset with these rules; `None` if they have no name.
    pub fn of(rules: &RuleSet) -> Option<&'static Self> {
        PRESETS.iter().find(|preset| preset.rules.canonical() == rules.canonical())
    }

    /// The preset with a name or an unambiguous beginning of one; only letters and digits count, in
    /// either case.
    ///
    /// ```
    /// use millstone::rules::Preset;
    ///
    /// assert_eq!(Preset::named("lasker-morris").unwrap().name, "Lasker Morris");
    /// assert_eq!(Preset::named("lasker").unwrap().name, "Lasker Morris");
    /// assert_eq!(Preset::named("chess"), None);
    /// ```
    pub fn named(text: &str) -> Option<&'static Self> {
        let letters = |text: &str| -> String {
            let letters = text.chars().filter(|letter| letter.is_alphanumeric());
            letters.flat_map(char::to_lowercase).collect()
        };
        let wanted = letters(text);
        let mut found = PRESETS.iter().filter(|preset| letters(preset.name).starts_with(&wanted));
        let first = found.next();
        first.filter(|_| !wanted.is_empty() && found.next().is_none())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_is_playable_and_found_by_its_name_and_rules() {
        for preset in &PRESETS {
            assert_eq!(preset.rules.check(), Ok(()));
            assert_eq!(Preset::named(preset.name), Some(preset));
            assert_eq!(Preset::of(&preset.rules), Some(preset));
        }
    }

    #[test]
    fn names_that_could_mean_several_games_mean_none() {
        assert_eq!(Preset::named(""), None);
        assert_eq!(Preset::named("e"), Preset::named("nothing"));
        assert!(Preset::named("12 men").is_none());
    }
}
