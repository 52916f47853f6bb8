//! The turns of a side together.

use super::fault::Fault;
use super::review::ReviewedTurn;
use crate::board::Side;

/// How well a side played a game.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    /// Its turns.
    pub turns: usize,
    /// Those that were inaccuracies, mistakes and blunders.
    pub faults: [usize; Fault::ALL.len()],
    /// The share of the point that a turn gave away on average, 0 to 1.
    pub average_loss: f32,
}

impl Tally {
    /// Counts the turns of a side.
    #[must_use]
    pub fn of(turns: &[ReviewedTurn], side: Side) -> Self {
        let own: Vec<&ReviewedTurn> = turns.iter().filter(|turn| turn.side == side).collect();
        let count = |fault| own.iter().filter(|turn| turn.fault() == Some(fault)).count();
        let loss = own.iter().fold(0.0, |loss, turn| loss + turn.loss());
        Self {
            turns: own.len(),
            faults: Fault::ALL.map(count),
            average_loss: loss / own.len().max(1) as f32,
        }
    }
}
