//! The identity of a game: its name, its differences from Nine Men's Morris, whether it can be played and solved,
//! and the number that identifies it in files.
//!
//! A game is named after its [`Preset`], or by all rules that differ from Nine Men's Morris;
//! [`position::text`](crate::position::text) has the grammar.

use super::declarations::Rule;
use super::rule_set::{BoardFullAction, MillAction, RuleSet, StalemateAction};
use crate::Error;
use crate::board::Diagonals;
use crate::quote::quote;

/// A number that identifies a game in files: the same in every version of the program, and almost certainly unique.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, derive_more::Display)]
#[display("{_0:016x}")]
pub struct Identity(pub u64);

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

    /// Checks that all numbers are in range, and that the sides begin with at least the men that they have to keep.
    ///
    /// # Errors
    ///
    /// The error names the first rule whose number is out of range.
    pub fn check(&self) -> Result<(), Error> {
        let found = |rule: &'static Rule| (rule.key, rule.values.range(), (rule.get)(self));
        let enough_men = ("men", self.least_men..=Self::MEN_TO_FILL_BOARD, self.men);
        let mut values = Rule::all().map(found).chain([enough_men]);
        let wrong = values.find(|(_, range, found)| !range.contains(found));
        wrong.map_or(Ok(()), |(key, range, found)| {
            let (least, most) = range.into_inner();
            Err(Error(format!("{key}: {found} is not between {least} and {most}")))
        })
    }

    /// Checks that men, hands and side to move determine a position, so that the game can be solved.
    ///
    /// # Errors
    ///
    /// The error names the first rule that makes positions remember more.
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

    /// The same game, with every rule that has no effect given the others set to its default.
    #[must_use]
    pub fn canonical(&self) -> Self {
        let mut rules = Self::NINE_MENS_MORRIS;
        self.differences().for_each(|(rule, value)| (rule.set)(&mut rules, value));
        rules
    }

    /// The rules that differ from Nine Men's Morris and have an effect, with their values.
    pub(super) fn differences(&self) -> impl Iterator<Item = (&'static Rule, u8)> {
        let value = |rule: &'static Rule| (rule, (rule.get)(self));
        let differs = |&(rule, value): &(&Rule, u8)| {
            value != (rule.get)(&Self::NINE_MENS_MORRIS) && (rule.has_effect)(self)
        };
        Rule::all().map(value).filter(differs)
    }

    /// The name of the game, or else the rules that define it, as [`from_name`](Self::from_name) reads them.
    ///
    /// ```
    /// use millstone::rules::RuleSet;
    ///
    /// let lasker = RuleSet { men: 10, may_move_in_placing: true, ..RuleSet::default() };
    /// assert_eq!(lasker.name(), "Lasker Morris");
    /// let own = RuleSet { uses_mills_once: true, ..lasker };
    /// assert_eq!(own.name(), "may_move_in_placing=true men=10 uses_mills_once=true");
    /// assert_eq!(RuleSet::from_name(&own.name()), Ok(own));
    /// ```
    pub fn name(&self) -> String {
        if let Some(preset) = Preset::of(self) {
            return preset.name.to_owned();
        }
        let word = |(rule, value): (&Rule, u8)| format!("{}={}", rule.key, rule.values.word(value));
        let mut words: Vec<String> = self.differences().map(word).collect();
        words.sort_unstable();
        words.join(" ")
    }

    /// Reads the name of a game, rules as [`name`](Self::name) writes them, or a name and the rules
    /// that differ from it.
    ///
    /// ```
    /// use millstone::rules::{BoardFullAction, RuleSet};
    ///
    /// let rules = RuleSet::from_name("Twelve Men's Morris board_full_action=Draw").unwrap();
    /// assert_eq!(rules.men, 12);
    /// assert_eq!(rules.board_full_action, BoardFullAction::Draw);
    /// ```
    ///
    /// # Errors
    ///
    /// If the name is unknown or ambiguous, or if a rule or its value is invalid.
    pub fn from_name(text: &str) -> Result<Self, Error> {
        let unknown = || {
            let names = PRESETS.map(|preset| preset.name).join(", ");
            let found = quote(text);
            Error(format!("expected one of {names}, or rules such as men=10, found '{found}'"))
        };
        let first_rule = text.split_whitespace().find(|word| word.contains('='));
        let start = first_rule.and_then(|word| text.find(word)).unwrap_or(text.len());
        let (name, words) = text.split_at(start);
        let mut rules = match Preset::named(name) {
            Some(preset) => preset.rules,
            None if name.trim().is_empty() && start < text.len() => Self::NINE_MENS_MORRIS,
            None => return Err(unknown()),
        };
        let mut set = Vec::new();
        for word in words.split_whitespace() {
            let (key, word) = word.split_once('=').ok_or_else(unknown)?;
            let no_rule = || Error(format!("no rule is named '{}'", quote(key)));
            let rule = Rule::all().find(|rule| rule.key == key).ok_or_else(no_rule)?;
            let is_meant = |&value: &u8| rule.values.word(value) == word;
            let wrong = || Error::argument(key, rule.values.words(), word);
            let value = rule.values.range().find(is_meant).ok_or_else(wrong)?;
            (rule.set)(&mut rules, value);
            if set.contains(&key) {
                return Err(Error(format!("the rule {key} is given twice")));
            }
            set.push(key);
        }
        rules.check()?;
        Ok(rules)
    }

    /// What distinguishes the game from Nine Men's Morris, in a few words.
    pub fn summary(&self) -> String {
        let rules = self.canonical();
        let words = rules.differences().map(|(rule, _)| (rule.summary)(&rules));
        let men = format!("{} men", rules.men);
        words.filter(|word| !word.is_empty()).fold(men, |all, word| format!("{all}, {word}"))
    }
}

/// A named game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preset {
    /// The name, such as `Lasker Morris`.
    pub name: &'static str,
    /// The rules of the game.
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

    /// The preset with a name or an unambiguous prefix of one. Only letters and digits count; case is ignored.
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
    use crate::rules::{BoardFullAction, CaptureRule, MillAction, PRESETS, StalemateAction};

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
        assert_eq!(error.to_string(), "men: 4 is not between 5 and 12");
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

    #[test]
    fn names_are_read_as_they_are_written() {
        let usual = RuleSet::NINE_MENS_MORRIS;
        let own = [
            RuleSet { mill_action: MillAction::RemoveAndMark, ..usual },
            RuleSet { stalemate_action: StalemateAction::BothRemove, least_men: 4, ..usual },
            RuleSet { leap: CaptureRule { is_on: true, ..CaptureRule::OFF }, ..usual },
        ];
        for rules in PRESETS.map(|preset| preset.rules).iter().chain(&own) {
            assert_eq!(RuleSet::from_name(&rules.name()), Ok(*rules), "{}", rules.name());
        }
        assert_eq!(own[2].name(), "leap.is_on=true");
    }

    #[test]
    fn a_name_may_be_followed_by_the_rules_that_differ() {
        let own = RuleSet { stalemate_action: StalemateAction::Draw, ..PRESETS[3].rules };
        for text in ["lasker stalemate_action=Draw", "  Lasker  Morris   stalemate_action=Draw "] {
            assert_eq!(RuleSet::from_name(text), Ok(own), "{text}");
        }
    }

    #[test]
    fn other_texts_are_refused_by_what_is_wrong() {
        for (text, wrong) in [
            ("", "found ''"),
            (" ", "found ' '"),
            ("chess", "found 'chess'"),
            ("men", "found 'men'"),
            ("men=2", "men: expected 3 to 12, found '2'"),
            ("men=ten", "men: expected 3 to 12, found 'ten'"),
            ("men=9 men=9", "the rule men is given twice"),
            ("jump=true", "no rule is named 'jump'"),
            ("lasker diagonals=true", "diagonals: expected Without, With, found 'true'"),
            ("mill_action=0", "found '0'"),
            ("chess men=9", "found 'chess men=9'"),
            ("men=9 lasker", "found 'men=9 lasker'"),
            ("lasker men=9 own", "found 'lasker men=9 own'"),
            ("men=3 least_men=4", "men: 3 is not between 4 and 12"),
        ] {
            let error = RuleSet::from_name(text).unwrap_err().to_string();
            assert!(error.ends_with(wrong), "{error}");
        }
    }

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
