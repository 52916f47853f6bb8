//! The rules of mill games.
//!
//! A [`RuleSet`] holds the value of every rule. The rest of the engine is generic over [`Rules`]:
//! [`Standard`] has constant values, so that Nine Men's Morris compiles to code without checks of
//! rules; positions of any other game refer to a [`RuleSet`] in memory, and run the same code.
//!
//! # Adding a rule
//!
//! 1. `rule_set.rs`: a field of [`RuleSet`], one byte large, and its value in
//!    [`RuleSet::NINE_MENS_MORRIS`]. An action of several is declared in `actions.rs`.
//! 2. `declarations.rs`: a [`Rule`] in the table, with a key, a number that no rule has had, the
//!    protocol option, the values, and what it means in words. `setoption`, `uci`, `help`,
//!    `millstone rules`, game records, [identities](Identity) and matches read that table; the
//!    program does not compile while a field has no declaration.
//! 3. The code in [`position`](crate::position) that obeys it, behind `self.rules().field`, so that
//!    it costs Nine Men's Morris nothing. If positions have to remember something for it, that is a
//!    field of [`Extras`], has a text in [`position::text`](crate::position::text), and `remembers` of the
//!    declaration says it.
//! 4. The same in the slow second implementation of the tests, `tests/common/mailbox`.
//! 5. The name of the option in the table under "Options" in `protocol/mod.rs`, which a test compares
//!    with the declarations, and its line in `tests/protocol/transcripts`.
//! 6. The tablebase. Where positions remember something for it, `remembers` keeps such games from being solved.
//!    Else the solver is told what the rule means, all in `src/tablebase`: `jobs.rs` has the sectors that a turn
//!    leads to; `Turns` in `sector.rs` what tells the side to move; `compact.rs`, `answers`, which sectors a
//!    compact tablebase leaves out. The kernels are used where the rules are simple: `solve/mills.rs`,
//!    `are_simple` and `most_mills`; `solve/placing.rs`, `next` and `next_of_all`; `solve/mod.rs`,
//!    `has_simple_exits` and `loads_in_parts`; `solve/draws.rs`, `can_be_ordered`. `solve/mod.rs` does
//!    not compile while the size of a [`RuleSet`] that it names is another one.
//! 7. Its sentences in other languages: `messages` in every `texts_*.js` of the page.
//!
//! When a game is drawn by its history is no rule of the game: see [`DrawRules`].

mod actions;
mod captures;
mod declarations;
mod draw_rules;
mod identity;
mod memory;
mod presets;
mod rule;
mod rule_set;
mod text;

pub use actions::{BoardFullAction, MillAction, StalemateAction};
pub use draw_rules::DrawRules;
pub use identity::Identity;
pub use memory::Extras;
pub use presets::{PRESETS, Preset};
pub use rule::{Chapter, Choice, Rule, Values};
pub use rule_set::{CaptureRule, RuleSet};

use std::collections::HashSet;
use std::fmt::Debug;
use std::ops::Deref;
use std::sync::{LazyLock, Mutex};

use crate::system::locks::lock;

/// A mill game.
pub trait Rules: Copy + Debug + Default + PartialEq + Send + Sync + 'static {
    /// Where a position keeps its state beyond men, hands and turn: one place, or none if it has no such state.
    type Memory: AsMut<[Extras]> + AsRef<[Extras]> + Copy + Debug + Default + Eq + Send + Sync;

    /// How a position refers to its rules, which are the same for all positions of a game.
    type Reference: Copy + Debug + Deref<Target = RuleSet> + Eq + From<Self> + Send + Sync;
}

/// Nine Men's Morris.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standard;

impl Deref for Standard {
    type Target = RuleSet;

    #[inline]
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
    /// The one copy of a rule set that all positions of its games refer to.
    ///
    /// The copy of a rule set that is not a preset stays in memory until the program ends;
    /// every rule set has one at most.
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
