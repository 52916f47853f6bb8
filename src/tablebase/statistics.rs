//! How many positions of a sector are won, drawn and lost, and how long they last.

use rayon::prelude::*;

use super::classes::Classes;
use super::ranks::{expand, sets};
use super::sector::{Place, Sector};
use super::solved::Solved;
use super::value::Value;
use super::wdl::Wdl;

/// What a sector holds, symmetric positions counted once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// The positions won, for the side to move.
    pub wins: u64,
    /// The positions drawn.
    pub draws: u64,
    /// The positions lost.
    pub losses: u64,
    /// The win that takes longest.
    pub longest_win: Option<Longest>,
    /// The loss that takes longest.
    pub longest_loss: Option<Longest>,
}

/// A longest way to the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Longest {
    /// The plies to the end.
    pub plies: u8,
    /// The number of the first position that is so far from it.
    pub number: u64,
}

impl Statistics {
    /// Counts a solved sector.
    #[must_use]
    pub fn of(solved: &Solved) -> Self {
        let sector = solved.sector;
        let blocks = (0..sector.blocks()).into_par_iter();
        blocks.map(|block| Self::of_block(solved, block)).reduce(Self::default, Self::plus)
    }

    /// The positions of the sector.
    #[must_use]
    pub const fn positions(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The plies to the farthest end, if distances are known and there is one.
    #[inline]
    #[must_use]
    pub fn longest(&self) -> Option<u8> {
        self.longest_win.max(self.longest_loss).map(|longest| longest.plies)
    }

    /// The sums of both; of equal lengths the first is kept.
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

    /// The same without distances.
    #[must_use]
    pub const fn without_distances(self) -> Self {
        Self { longest_win: None, longest_loss: None, ..self }
    }

    fn of_block(solved: &Solved, block: usize) -> Self {
        let mut by_value = [0_u64; 1 << u8::BITS];
        let is_first = first_places(solved.sector, block);
        for (rank, value) in solved.block(block).iter().enumerate() {
            by_value[usize::from(value.byte())] +=
                u64::from(is_first.as_ref().is_none_or(|is_first| is_first[rank]));
        }
        let mut statistics = Self::default();
        for (value, &count) in (0..=u8::MAX).map(Value::from_byte).zip(&by_value) {
            match Wdl::from(value) {
                Wdl::Win => statistics.wins += count,
                Wdl::Draw => statistics.draws += count,
                Wdl::Loss => statistics.losses += count,
            }
        }
        let longest = |is_kind: fn(Value) -> bool| {
            let mut values = (0..=Value::MOST_PLIES).rev().map(Value::ends_in);
            let has = |value: &Value| is_kind(*value) && by_value[usize::from(value.byte())] > 0;
            let value = values.find(has)?;
            let rank = solved.block(block).iter().position(|&other| other == value)?;
            let number = solved.sector.number(Place { block, rank }) as u64;
            Some(Longest { plies: value.plies()?, number })
        };
        let (longest_win, longest_loss) = (longest(Value::is_win), longest(Value::is_loss));
        Self { longest_win, longest_loss, ..statistics }
    }
}

fn longer(a: Option<Longest>, b: Option<Longest>) -> Option<Longest> {
    match (a, b) {
        (Some(a), Some(b)) => Some(if (b.plies, a.number) > (a.plies, b.number) { b } else { a }),
        _ => a.or(b),
    }
}

/// For each place of a block whether it is the first of those of its position; none when all are.
fn first_places(sector: Sector, block: usize) -> Option<Vec<bool>> {
    let classes = Classes::of(sector.opponent());
    if classes.stabilizer(block).count() == 1 {
        return None;
    }
    let free = !classes.leader(block);
    let own = sets(free.len() as usize, sector.own()).map(|places| expand(places, free));
    Some(own.map(|own| classes.is_least(block, own)).collect())
}
