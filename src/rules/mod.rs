//! What may differ between mill games.
//!
//! A [`RuleSet`] holds every answer as a value. The rest of the engine is generic over [`Rules`],
//! which only hands out a rule set: [`Standard`] hands out a constant, so that Nine Men's Morris
//! compiles to straight code, and a [`RuleSet`] hands out itself, so that any other game is played
//! by the same code.

mod draws;
mod identity;
mod memory;
mod presets;
mod rule_set;
mod sentences;
mod text;

pub use draws::DrawRules;
pub use identity::Identity;
pub use memory::{Extras, Memory, MillMove, Nothing, Stalemate};
pub use presets::{PRESETS, Preset};
pub use rule_set::{
    BoardFullAction, CaptureRule, MillAction, RuleSet, StalemateAction, UnplayableRules,
};
pub use text::UnknownRules;

use std::fmt::Debug;

/// A mill game.
pub trait Rules: Copy + Debug + Default + PartialEq + Send + Sync + 'static {
    /// What a position of the game remembers beyond men, hands and turn.
    type Memory: Memory;

    /// The answers to every question about the game.
    fn get(&self) -> &RuleSet;
}

/// Nine Men's Morris.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standard;

impl Rules for Standard {
    type Memory = Nothing;

    #[inline]
    fn get(&self) -> &RuleSet {
        &RuleSet::NINE_MENS_MORRIS
    }
}

impl Rules for RuleSet {
    type Memory = Extras;

    #[inline]
    fn get(&self) -> &RuleSet {
        self
    }
}
