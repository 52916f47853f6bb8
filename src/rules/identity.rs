//! Which game a rule set is: whether it can be played and solved, how it differs from Nine Men's Morris,
//! and a number that files are marked with.

use std::fmt;

use super::rule::Rule;
use super::rule_set::RuleSet;
use crate::Error;

/// A number that stands for a game in files: the same in every version of the program, and almost
/// certainly different for different games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Identity(pub u64);

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// The offset basis and the prime of the 64-bit FNV-1a hash.
///
/// See: Glenn Fowler, Landon Curt Noll and Kiem-Phong Vo, "The FNV Non-Cryptographic Hash
/// Algorithm", 1991.
const FNV_OFFSET: u64 = 0xCBF2_9CE4_8422_2325;
const FNV_PRIME: u64 = 0x0000_0100_0000_01B3;

impl RuleSet {
    /// The identity of the game: a hash of every rule that differs from Nine Men's Morris.
    ///
    /// A rule that a later version adds does not change the identity of a game without it.
    pub fn identity(&self) -> Identity {
        let mut differences: Vec<_> =
            self.differences().map(|(rule, value)| [rule.number, value]).collect();
        differences.sort_unstable();
        let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(FNV_PRIME);
        Identity(differences.into_iter().flatten().fold(FNV_OFFSET, mix))
    }

    /// Checks that all numbers are in their ranges, and that no side begins with fewer men than it
    /// has to keep.
    ///
    /// # Errors
    ///
    /// The first rule whose number is out of range.
    pub fn check(&self) -> Result<(), Error> {
        let found = |rule: &'static Rule| (rule.key, rule.values.range(), (rule.get)(self));
        let enough_men = ("men", self.least_men..=Self::MEN_TO_FILL_BOARD, self.men);
        let mut values = Rule::all().map(found).chain([enough_men]);
        let wrong = values.find(|(_, range, found)| !range.contains(found));
        wrong.map_or(Ok(()), |(key, range, found)| {
            let (least, most) = range.into_inner();
            Err(Error(format!("{key}: {found} is not from {least} to {most}")))
        })
    }

    /// Checks that a position is its men, its hands and the side to move, so that the game can be solved.
    ///
    /// # Errors
    ///
    /// The first rule that makes positions remember more.
    pub fn check_solvable(&self) -> Result<(), Error> {
        let remembering = |rule: &'static Rule| {
            let (value, what) = rule.remembers.filter(|(value, _)| *value == (rule.get)(self))?;
            let rule = format!("{}={}", rule.key, rule.values.word(value));
            let about = format!("with {rule} its positions have to remember {what}");
            Some(Error(format!("the game has no tablebase: {about}")))
        };
        Rule::all().find_map(remembering).map_or(Ok(()), Err)
    }

    /// Whether the game is Nine Men's Morris.
    pub fn is_standard(&self) -> bool {
        self.differences().next().is_none()
    }

    /// The same game with every rule that has no effect, given the others, at its default.
    #[must_use]
    pub fn canonical(&self) -> Self {
        let mut rules = Self::NINE_MENS_MORRIS;
        self.differences().for_each(|(rule, value)| (rule.set)(&mut rules, value));
        rules
    }

    /// The rules that make another game than Nine Men's Morris, with their values.
    pub(super) fn differences(&self) -> impl Iterator<Item = (&'static Rule, u8)> {
        let value = |rule: &'static Rule| (rule, (rule.get)(self));
        let differs = |&(rule, value): &(&Rule, u8)| {
            value != (rule.get)(&Self::NINE_MENS_MORRIS) && (rule.has_effect)(self)
        };
        Rule::all().map(value).filter(differs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{BoardFullAction, CaptureRule, PRESETS};

    #[test]
    fn no_two_rules_have_the_same_number() {
        let mut numbers: Vec<u8> = Rule::all().map(|rule| rule.number).collect();
        numbers.sort_unstable();
        assert!(numbers.is_sorted_by(|a, b| a < b), "{numbers:?}");
    }

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
    fn a_side_begins_with_the_men_that_it_has_to_keep() {
        let four = RuleSet { men: 4, ..RuleSet::NINE_MENS_MORRIS };
        assert_eq!(four.check(), Ok(()));
        let error = RuleSet { least_men: 5, ..four }.check().unwrap_err();
        assert_eq!(error.to_string(), "men: 4 is not from 5 to 12");
    }

    #[test]
    fn values_without_effect_do_not_make_another_game() {
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

    #[test]
    fn games_with_a_memory_are_refused_by_the_rule() {
        let refused = PRESETS.iter().filter_map(|preset| {
            let error = preset.rules.check_solvable().err()?.to_string();
            let rule = error.split(' ').find(|word| word.contains('='))?;
            Some((preset.name, rule.to_owned()))
        });
        let refused: Vec<(&str, String)> = refused.collect();
        let expected =
            [("Russian Mill", "uses_mills_once=true"), ("Da San Qi", "mill_action=RemoveAndMark")];
        assert_eq!(refused, expected.map(|(name, rule)| (name, rule.to_owned())));
        let rules = RuleSet { restricts_repeated_mills: true, ..RuleSet::NINE_MENS_MORRIS };
        let error = rules.check_solvable().unwrap_err().to_string();
        assert!(error.contains("restricts_repeated_mills=true"), "{error}");
    }
}
