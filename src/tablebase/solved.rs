//! A solved sector in memory, and its statistics.

use std::array;
use std::cmp::Reverse;

use bytemuck::TransparentWrapper;
use rayon::prelude::*;

use super::orbits::Orbits;
use super::sector::Sector;
use super::value::Value;

/// A sector with the value of every position.
#[derive(Clone, Debug)]
pub struct Solved<V = Value> {
    /// The sector.
    pub sector: Sector,
    values: Vec<V>,
}

impl<V: Copy + Sync> Solved<V> {
    /// A sector with the values of all positions in the order of their indices.
    ///
    /// # Panics
    ///
    /// When there are not as many values as positions.
    pub fn from_values(sector: Sector, values: Vec<V>) -> Self {
        assert_eq!(values.len(), sector.len());
        Self { sector, values }
    }

    /// The values of all positions in the order of their indices.
    pub fn values(&self) -> &[V] {
        &self.values
    }

    /// The same, for whoever changes them.
    pub fn into_values(self) -> Vec<V> {
        self.values
    }

    /// The values of a block, by rank.
    #[inline]
    pub fn block(&self, block: usize) -> &[V] {
        let len = self.sector.block_len();
        &self.values[block * len..][..len]
    }

    /// How many positions have each number that `number` gives, symmetric ones counted once.
    pub(super) fn count(&self, number: impl Fn(V) -> Option<u8> + Sync) -> Counts {
        let orbits = Orbits::of(self.sector.opponent());
        let count = |block: usize| {
            let mut counts = [0; 1 << u8::BITS];
            let is_rigid = orbits.stabilizer(block).count() == 1;
            let mut men = self.sector.men_of_block(block, 0);
            for &value in self.block(block) {
                let is_first =
                    is_rigid || men.next().is_some_and(|own| orbits.is_least(block, own));
                if let Some(number) = number(value) {
                    counts[usize::from(number)] += u64::from(is_first);
                }
            }
            counts
        };
        let sum = |one: Counts, other: Counts| array::from_fn(|number| one[number] + other[number]);
        (0..self.sector.blocks()).into_par_iter().map(count).reduce(|| [0; 1 << u8::BITS], sum)
    }
}

/// How many positions have each number of a byte.
type Counts = [u64; 1 << u8::BITS];

/// How many positions of a sector are won, drawn and lost, and how long the longest last. Symmetric
/// positions are counted once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// The positions won, for the side to move.
    pub wins: u64,
    /// The positions drawn.
    pub draws: u64,
    /// The positions lost.
    pub losses: u64,
    /// The longest win.
    pub longest_win: Option<Longest>,
    /// The longest loss.
    pub longest_loss: Option<Longest>,
}

/// The longest distance in a sector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Longest {
    /// The distance in turns.
    pub turns: u8,
    /// The index of the first position that has it.
    pub index: u64,
}

impl Statistics {
    /// Counts a solved sector.
    pub fn of(solved: &Solved) -> Self {
        let by_value = solved.count(|value| Some(value.byte()));
        // Distances of wins are odd.
        let (decided, draws) = by_value.split_at(Value::DRAW.byte().into());
        let losses = decided.iter().step_by(2).sum();
        let wins = decided.iter().skip(1).step_by(2).sum();
        let longest = |is_kind: fn(Value) -> bool| {
            let mut values = (0..=Value::MOST_TURNS).rev().map(Value::ends_in);
            let has = |value: &Value| is_kind(*value) && by_value[usize::from(value.byte())] > 0;
            let value = values.find(has)?;
            let blocks = Value::peel_slice(&solved.values).par_chunks(solved.sector.block_len());
            let block = blocks.position_first(|block| block.contains(&value.byte()))?;
            let rank = solved.block(block).iter().position(|&other| other == value)?;
            let index = solved.sector.index(block, rank) as u64;
            Some(Longest { turns: value.turns()?, index })
        };
        let (longest_win, longest_loss) = (longest(Value::is_win), longest(Value::is_loss));
        Self { wins, draws: draws[0], losses, longest_win, longest_loss }
    }

    /// The positions of the sector.
    pub const fn positions(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The longest distance in turns, if distances are known and any position is decided.
    #[inline]
    pub fn longest(&self) -> Option<u8> {
        self.longest_win.max(self.longest_loss).map(|longest| longest.turns)
    }

    /// The sum of two statistics; of equal distances the one with the lower index is kept.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
            longest_win: longer(self.longest_win, other.longest_win),
            longest_loss: longer(self.longest_loss, other.longest_loss),
        }
    }

    /// The statistics without distances.
    #[must_use]
    pub const fn without_distances(self) -> Self {
        Self { longest_win: None, longest_loss: None, ..self }
    }
}

/// The one with more turns, of equal ones the first.
fn longer(a: Option<Longest>, b: Option<Longest>) -> Option<Longest> {
    let both = a.into_iter().chain(b);
    both.max_by_key(|longest| (longest.turns, Reverse(longest.index)))
}
