//! A game with other rules: up to three removals are owed at once.

use millstone::board::Diagonals;
use millstone::rules::Rules;

/// Morabaraba, as far as the rules go so far.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Morabaraba;

impl Rules for Morabaraba {
    fn men(self) -> u8 {
        12
    }

    fn diagonals(self) -> Diagonals {
        Diagonals::With
    }

    fn may_remove_multiple(self) -> bool {
        true
    }
}
