//! The rules of mill games.
//!
//! A [`RuleSet`] holds the value of every rule. The rest of the engine is generic over [`Rules`]:
//! [`Standard`] has constant values, so that Nine Men's Morris compiles to code without rule
//! checks; positions of other games refer to a [`RuleSet`] in memory and run the same code.
//!
//! # Adding a rule
//!
//! 1. `rule_set.rs`: a one-byte field of [`RuleSet`], and its value in
//!    [`RuleSet::NINE_MENS_MORRIS`]. A choice of actions is declared there too.
//! 2. `declarations.rs`: a [`Rule`] in the table, with a key, a number never used before, the protocol option, the
//!    values, and descriptions. `setoption`, `uci`, `help`, `millstone rules`, game records, [identities](Identity)
//!    and matches read this table; the program does not compile if a field lacks a declaration. `sentences.rs` has
//!    the description of a game in sentences.
//! 3. The code in [`position`](crate::position) that applies the rule, behind `self.rules().field`, so that
//!    Nine Men's Morris does not pay for it. State that positions have to remember needs a field of [`Extras`],
//!    a notation in [`position::text`](crate::position::text), and an entry in `remembers` of the declaration.
//! 4. The rule in the tests' slow second implementation, `tests/common/mailbox`.
//! 5. The name of the option in the table under "Options" in `protocol/mod.rs`, which a test compares
//!    with the declarations, and its line in `tests/protocol/transcripts`.
//! 6. The tablebase. If positions remember something for the rule, `remembers` excludes such games from
//!    solving. If not, the solver in `src/tablebase` has to know the rule: `jobs.rs` has the sectors that a
//!    turn leads to, `Turns` in `sector.rs` what determines the side to move, and `answers` in `compact.rs`
//!    the sectors that a compact tablebase leaves out. The kernels apply only where the rules are simple: see
//!    `are_simple` and `enter_mills` in `solve/mills.rs`, `next` and `next_of_all` in `solve/placing.rs`,
//!    `has_simple_exits` and `loaded` in `solve/mod.rs`, `loses_if_blocked` in `solve/initial.rs`, and
//!    `can_be_ordered` in `solve/draws.rs`. As a reminder, `solve/mod.rs` compiles only while a [`RuleSet`] has
//!    the size stated there.
//! 7. Translations of its sentences: `messages` in every `texts_*.js` of the page.
//!
//! Draws by history are not rules of the game: see [`DrawRules`].

mod captures;
mod declarations;
mod identity;
mod rule_set;
mod sentences;

use std::collections::HashSet;
use std::fmt::Debug;
use std::ops::Deref;
use std::sync::{LazyLock, Mutex};

use crate::board::{BySide, Move, Square, SquareSet, Symmetry};
use crate::system::locks::lock;

pub use declarations::{Choice, Rule, Values};
pub use identity::{Identity, PRESETS, Preset};
pub use rule_set::{BoardFullAction, CaptureRule, DrawRules, MillAction, RuleSet, StalemateAction};

/// A mill game.
pub trait Rules: Copy + Debug + Default + PartialEq + Send + Sync + 'static {
    /// Storage for a position's state beyond men, hands and turn: an array of one [`Extras`], or an
    /// empty one for a game without such state.
    type Memory: AsMut<[Extras]> + AsRef<[Extras]> + Copy + Debug + Default + Eq + Send + Sync;

    /// How a position refers to its rules, which are the same for all positions of a game.
    type Reference: Copy + Debug + Deref<Target = RuleSet> + Eq + From<Self> + Send + Sync;
}

/// Nine Men's Morris.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standard;

impl Deref for Standard {
    type Target = RuleSet;

    fn deref(&self) -> &RuleSet {
        &RuleSet::NINE_MENS_MORRIS
    }
}

impl Rules for Standard {
    type Memory = [Extras; 0];
    type Reference = Self;
}

impl Rules for RuleSet {
    type Memory = [Extras; 1];
    type Reference = &'static Self;
}

impl From<RuleSet> for &'static RuleSet {
    /// Returns the single copy of a rule set to which all positions of the game refer.
    ///
    /// Rule sets other than presets are leaked: one copy of each stays in memory until the program ends.
    fn from(rules: RuleSet) -> Self {
        static OTHERS: LazyLock<Mutex<HashSet<&'static RuleSet>>> = LazyLock::new(Mutex::default);
        let mut presets = PRESETS.iter().map(|preset| &preset.rules);
        if let Some(known) = presets.find(|preset| **preset == rules) {
            return known;
        }
        let mut others = lock(&OTHERS);
        others.get(&rules).copied().unwrap_or_else(|| {
            let rules: &RuleSet = Box::leak(Box::new(rules));
            others.insert(rules);
            rules
        })
    }
}

/// The state of a position beyond men, hands and turn. Nine Men's Morris has none; in other games a field stays
/// empty unless a rule uses it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extras {
    /// Points that neither side may use until all men are placed.
    pub marked: SquareSet,
    /// The points of each side that were part of its mills.
    pub used: BySide<SquareSet>,
    /// The last move of each side, if it closed a mill.
    pub last_mills: BySide<Option<Move>>,
    /// Whether the side to move removes its own men.
    pub removes_own: bool,
    /// The number of men that the opponent has to remove at the start of its next turn; negative for its own men.
    pub opponent_owes: i8,
    /// The stalemate action for which removals are owed, if what follows them depends on it.
    pub stalemate: Option<StalemateAction>,
    /// The men open to custodian capture by the last move, of which one may be removed.
    pub custodian: SquareSet,
    /// The men that the last move may capture together by intervention.
    pub intervention: SquareSet,
    /// The man that the last move leapt over, which has to be removed.
    pub leapt: SquareSet,
    /// The man that a client wants captured by intervention, if there is a choice.
    pub preferred: SquareSet,
}

impl Extras {
    /// No extra state.
    pub const NONE: Self = Self {
        marked: SquareSet::EMPTY,
        used: BySide([SquareSet::EMPTY; 2]),
        last_mills: BySide([None; 2]),
        removes_own: false,
        opponent_owes: 0,
        stalemate: None,
        custodian: SquareSet::EMPTY,
        intervention: SquareSet::EMPTY,
        leapt: SquareSet::EMPTY,
        preferred: SquareSet::EMPTY,
    };

    /// The number of men that the captures of the last move remove.
    pub fn count_captures(&self) -> u32 {
        u32::from(!self.custodian.is_empty()) + self.intervention.len()
    }

    /// These extras without captures.
    #[must_use]
    pub fn without_captures(self) -> Self {
        let none = SquareSet::EMPTY;
        Self { custodian: none, intervention: none, leapt: none, ..self }
    }

    /// These extras without captures and without owed removals.
    #[must_use]
    pub fn without_debts(self) -> Self {
        let rest = self.without_captures();
        Self { removes_own: false, opponent_owes: 0, stalemate: None, ..rest }
    }

    /// The image under a symmetry of the board.
    #[must_use]
    pub fn image(self, symmetry: Symmetry) -> Self {
        Self {
            marked: symmetry.set(self.marked),
            used: BySide(self.used.0.map(|set| symmetry.set(set))),
            last_mills: BySide(self.last_mills.0.map(|mill| mill.map(|mv| mv.image(symmetry)))),
            custodian: symmetry.set(self.custodian),
            intervention: symmetry.set(self.intervention),
            leapt: symmetry.set(self.leapt),
            preferred: symmetry.set(self.preferred),
            ..self
        }
    }

    /// The state as machine words: distinct for each state, zero if there is none.
    pub fn words(&self) -> [u64; 4] {
        let point = |square: Option<Square>| square.map_or(0, |square| square as u64 + 1);
        let mill = |mill: Option<Move>| {
            point(mill.and_then(Move::origin)) << 5 | point(mill.map(Move::target))
        };
        let [white, black] = self.used.0.map(|set| u64::from(set.bits()));
        let [white_mill, black_mill] = self.last_mills.0.map(mill);
        [
            white << 24 | black,
            u64::from(self.marked.bits()) << 24 | white_mill << 10 | black_mill,
            u64::from(self.custodian.bits()) << 24 | u64::from(self.intervention.bits()),
            point(self.leapt.first()) << 24
                | point(self.preferred.first()) << 16
                | u64::from(self.opponent_owes.cast_unsigned()) << 8
                | u64::from(self.removes_own) << 7
                | u64::from(self.stalemate.map_or(0, StalemateAction::code)),
        ]
    }
}
