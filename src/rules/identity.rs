//! A name for a rule set that files can be marked with.

use std::fmt;

use super::rule_set::{BoardFullAction, CaptureRule, RuleSet};
use crate::board::Diagonals;

/// A number that is the same for the same game, in every version of the program, and hardly ever
/// for two games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Identity(u64);

impl Identity {
    /// The number, to be kept in a file.
    #[must_use]
    pub const fn number(self) -> u64 {
        self.0
    }

    /// The identity with a number that was kept in a file.
    #[must_use]
    pub const fn from_number(number: u64) -> Self {
        Self(number)
    }
}

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// Where the hash of no difference begins, and what each byte is multiplied with.
///
/// See: Glenn Fowler, Landon Curt Noll and Kiem-Phong Vo, "The FNV Non-Cryptographic Hash
/// Algorithm", 1991.
const FNV_OFFSET: u64 = 0xCBF2_9CE4_8422_2325;
const FNV_PRIME: u64 = 0x0000_0100_0000_01B3;

impl RuleSet {
    /// The identity of the game: a hash of every answer that differs from Nine Men's Morris.
    ///
    /// Rules that a later version adds leave the identity of every game without them as it is.
    #[must_use]
    pub fn identity(&self) -> Identity {
        let answers = self.canonical().answers();
        let usual = Self::NINE_MENS_MORRIS.answers();
        let differences = (0_u8..).zip(answers).zip(usual);
        let differences = differences.filter(|((_, answer), usual)| answer != usual);
        let bytes = differences.flat_map(|((question, answer), _)| [question, answer]);
        let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(FNV_PRIME);
        Identity(bytes.fold(FNV_OFFSET, mix))
    }

    /// Whether the game is Nine Men's Morris.
    #[must_use]
    pub fn is_standard(&self) -> bool {
        self.canonical() == Self::NINE_MENS_MORRIS
    }

    /// The same game without answers that have no effect because of others.
    #[must_use]
    pub fn canonical(&self) -> Self {
        let usual = Self::NINE_MENS_MORRIS;
        let mut rules = *self;
        if !rules.may_fly {
            rules.flying_men = usual.flying_men;
        }
        if rules.men < Self::MEN_TO_FILL_BOARD {
            rules.board_full_action = BoardFullAction::WhiteLoses;
            rules.stops_placing_at_two_empty = false;
        }
        rules.custodian = rules.custodian.canonical(rules.diagonals);
        rules.intervention = rules.intervention.canonical(rules.diagonals);
        // Nobody leaps while placing.
        let leap = CaptureRule { in_placing: false, ..rules.leap }.canonical(rules.diagonals);
        rules.leap = CaptureRule { in_placing: CaptureRule::OFF.in_placing, ..leap };
        rules
    }

    /// Every answer as a number, in an order that never changes; new ones come last.
    fn answers(&self) -> impl Iterator<Item = u8> + use<> {
        let answers = [
            self.men,
            self.least_men,
            self.may_fly.into(),
            self.flying_men,
            self.diagonals as u8,
            self.mill_action as u8,
            self.may_move_in_placing.into(),
            self.defender_moves_first.into(),
            self.may_remove_multiple.into(),
            self.may_remove_from_mills.into(),
            self.restricts_repeated_mills.into(),
            self.uses_mills_once.into(),
            self.board_full_action as u8,
            self.stops_placing_at_two_empty.into(),
            self.stalemate_action as u8,
        ];
        let captures = [self.custodian, self.intervention, self.leap];
        answers.into_iter().chain(captures.into_iter().flat_map(CaptureRule::answers))
    }
}

impl CaptureRule {
    fn canonical(self, diagonals: Diagonals) -> Self {
        let has_diagonals = diagonals == Diagonals::With;
        let has_lines =
            self.on_square_edges || self.on_cross_lines || self.on_diagonals && has_diagonals;
        if !self.is_on || !has_lines || !self.in_placing && !self.in_moving {
            return Self::OFF;
        }
        Self {
            on_diagonals: self.on_diagonals || !has_diagonals,
            only_with_few_men: self.only_with_few_men && self.in_moving,
            ..self
        }
    }

    fn answers(self) -> [u8; 7] {
        let Self { is_on, on_square_edges, on_cross_lines, on_diagonals, .. } = self;
        let Self { in_placing, in_moving, only_with_few_men, .. } = self;
        [
            is_on,
            on_square_edges,
            on_cross_lines,
            on_diagonals,
            in_placing,
            in_moving,
            only_with_few_men,
        ]
        .map(u8::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::PRESETS;

    #[test]
    fn identities_never_change() {
        let identities = PRESETS.map(|preset| preset.rules.identity().to_string());
        assert_eq!(
            identities,
            [
                "cbf29ce484222325",
                "e541497f62f9aee2",
                "b70ebd1d9dea832d",
                "f672437f6caccc9e",
                "b704891d9de1d64c",
                "08511f07b5056e11",
                "08395407b4f1363f",
                "b92d3dd19d340b67",
                "572dfcbb9c394b1d",
                "fc559822dc31e088",
                "a1527bc70736aecc",
            ]
        );
    }

    #[test]
    fn answers_without_effect_do_not_make_another_game() {
        let usual = RuleSet::NINE_MENS_MORRIS;
        let leap = CaptureRule { is_on: true, ..CaptureRule::OFF };
        let same = [
            RuleSet { stops_placing_at_two_empty: true, ..usual },
            RuleSet { board_full_action: BoardFullAction::Draw, ..usual },
            RuleSet { leap: CaptureRule { in_moving: false, ..CaptureRule::OFF }, ..usual },
            RuleSet { leap: CaptureRule { in_moving: false, ..leap }, ..usual },
            RuleSet {
                custodian: CaptureRule { in_placing: false, in_moving: false, ..leap },
                ..usual
            },
        ];
        for rules in same {
            assert_eq!(rules.canonical(), usual);
            assert_eq!(rules.identity(), usual.identity());
        }
        assert_ne!(RuleSet { leap, ..usual }.identity(), usual.identity());
    }
}
