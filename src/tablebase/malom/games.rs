//! The games that Malom has solved, by the beginnings of the names of their files.

use std::collections::{BTreeSet, HashSet};
use std::ffi::OsString;

use crate::rules::{BoardFullAction, RuleSet};
use crate::tablebase::solvable::Solvable;

/// A solved game.
struct Solution {
    /// What the names of its files begin with.
    prefix: &'static str,
    rules: RuleSet,
    /// What the game is called here, with what sets it apart from the preset of that name.
    name: &'static str,
}

const SOLUTIONS: [Solution; 3] = [
    Solution { prefix: "std", rules: RuleSet::NINE_MENS_MORRIS, name: "Nine Men's Morris" },
    Solution {
        prefix: "mora",
        rules: RuleSet { board_full_action: BoardFullAction::Draw, ..RuleSet::TWELVE_MENS_MORRIS },
        name: "Twelve Men's Morris in which a full board is a draw",
    },
    Solution {
        prefix: "lask",
        rules: RuleSet {
            men: 10,
            may_move_in_placing: true,
            flying_counts_hand: true,
            ..RuleSet::NINE_MENS_MORRIS
        },
        name: "Lasker Morris in which men in hand count for flying",
    },
];

/// What the names of the files of a game begin with, if Malom has solved it.
pub fn prefix(game: &Solvable) -> Option<&'static str> {
    let is_game = |solution: &&Solution| solution.rules.canonical() == game.rules().canonical();
    SOLUTIONS.iter().find(is_game).map(|solution| solution.prefix)
}

/// The games whose sector files are among files with these names, or `None` if there are none.
pub fn named_by(names: &HashSet<OsString>) -> Option<String> {
    let prefix = |name: &OsString| {
        let (prefix, _) = name.to_str()?.strip_suffix(".sec2")?.split_once('_')?;
        SOLUTIONS.iter().position(|solution| solution.prefix == prefix)
    };
    let found: BTreeSet<usize> = names.iter().filter_map(prefix).collect();
    let found: Vec<&str> = found.into_iter().map(|number| SOLUTIONS[number].name).collect();
    (!found.is_empty()).then(|| found.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Preset;

    #[test]
    fn presets_that_differ_from_what_malom_solved_have_no_files() {
        let of = |rules: &RuleSet| prefix(&Solvable::of(rules).unwrap());
        let preset = |name| Preset::named(name).unwrap().rules;
        assert_eq!(of(&RuleSet::NINE_MENS_MORRIS), Some("std"));
        for name in ["Twelve Men's Morris", "Morabaraba", "Lasker Morris", "Cheng San Qi"] {
            assert_eq!(of(&preset(name)), None, "{name}");
        }
        let mora =
            RuleSet { board_full_action: BoardFullAction::Draw, ..preset("Twelve Men's Morris") };
        let lask = RuleSet { flying_counts_hand: true, ..preset("Lasker Morris") };
        assert_eq!([of(&mora), of(&lask)], [Some("mora"), Some("lask")]);
    }

    #[test]
    fn names_tell_the_games() {
        let named_by = |names: &[&str]| named_by(&names.iter().map(OsString::from).collect());
        assert_eq!(named_by(&["3-3.mill", "std.secval", "x_3_3_0_0.sec2"]), None);
        let both = named_by(&["mora_3_3_0_0.sec2", "std_3_4_0_0.sec2"]).unwrap();
        assert!(both.starts_with("Nine Men's Morris, Twelve"), "{both}");
    }
}
