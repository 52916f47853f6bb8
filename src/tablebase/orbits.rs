//! Sets of points up to symmetry: the orbits of the 16 symmetries of the board.
//!
//! Symmetric sets are in the same orbit. The first of them in colex order represents it; those
//! symmetries that leave the representative as it is are its stabilizer.

use std::sync::OnceLock;

use super::ranks::{MOST_OF_A_SIDE, choose, rank, sets};
use crate::board::{Square, SquareSet, Symmetry};

/// The orbits of all sets of one size.
#[derive(Debug)]
pub struct Orbits {
    /// The first set of each orbit in colex order.
    representatives: Vec<SquareSet>,
    /// The stabilizer of each representative, one bit a symmetry.
    stabilizers: Vec<u16>,
    /// For each rank the orbit, whether it is rigid, and the first symmetry that maps the set to the
    /// representative.
    by_rank: Vec<u32>,
}

/// The orbit of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Orbit {
    /// The number of the orbit.
    pub number: usize,
    /// The symmetry that maps the set to the representative.
    pub to_representative: Symmetry,
    /// Whether only the identity leaves the representative as it is.
    pub is_rigid: bool,
}

const SYMMETRY_BITS: u32 = 4;
const IS_RIGID: u32 = 1 << SYMMETRY_BITS;
const NUMBER_SHIFT: u32 = SYMMETRY_BITS + 1;
const UNKNOWN: u32 = u32::MAX;

static ORBITS: [OnceLock<Orbits>; MOST_OF_A_SIDE + 1] =
    [const { OnceLock::new() }; MOST_OF_A_SIDE + 1];

impl Orbits {
    /// The orbits of the sets of `men` points, at most 12, computed when they are first asked for.
    pub fn of(men: usize) -> &'static Self {
        ORBITS[men].get_or_init(|| Self::new(men))
    }

    fn new(men: usize) -> Self {
        let mut orbits = Self {
            representatives: Vec::new(),
            stabilizers: Vec::new(),
            by_rank: vec![UNKNOWN; choose(Square::COUNT, men) as usize],
        };
        for (set, index) in sets(Square::COUNT, men).zip(0..) {
            if orbits.by_rank[index] == UNKNOWN {
                orbits.add(SquareSet::from_bits(set));
            }
        }
        orbits
    }

    /// Adds the orbit of a representative.
    fn add(&mut self, representative: SquareSet) {
        let number = self.representatives.len() as u32;
        let stabilizer = Symmetry::all()
            .zip(0_u32..)
            .filter(|(symmetry, _)| symmetry.set(representative) == representative)
            .fold(0, |bits, (_, index)| bits | 1 << index);
        let is_rigid = if stabilizer == 1 { IS_RIGID } else { 0 };
        for (symmetry, index) in Symmetry::all().zip(0_u32..) {
            // The set that this symmetry maps to the representative.
            let set = symmetry.inverse().set(representative);
            let entry = &mut self.by_rank[rank(set.bits())];
            if *entry == UNKNOWN {
                *entry = number << NUMBER_SHIFT | is_rigid | index;
            }
        }
        self.representatives.push(representative);
        self.stabilizers.push(stabilizer);
    }

    /// How many points each set has.
    pub fn men(&self) -> usize {
        self.representatives.first().map_or(0, |first| first.len() as usize)
    }

    /// How many orbits there are.
    pub fn len(&self) -> usize {
        self.representatives.len()
    }

    /// The orbit of a set of the right size.
    #[inline]
    pub fn find(&self, set: SquareSet) -> Orbit {
        let entry = self.by_rank[rank(set.bits())];
        let symmetry = entry % (1 << SYMMETRY_BITS);
        Orbit {
            number: (entry >> NUMBER_SHIFT) as usize,
            to_representative: Symmetry::numbered(symmetry as usize),
            is_rigid: entry & IS_RIGID != 0,
        }
    }

    /// The representative of an orbit.
    #[inline]
    pub fn representative(&self, number: usize) -> SquareSet {
        self.representatives[number]
    }

    /// Whether no symmetry of the stabilizer of an orbit maps a set to one of lower rank.
    #[inline]
    pub fn is_least(&self, number: usize, set: SquareSet) -> bool {
        let mut symmetries = self.stabilizer(number);
        symmetries.all(|symmetry| symmetry.set(set).bits() >= set.bits())
    }

    /// The symmetries that leave the representative of an orbit as it is.
    pub fn stabilizer(&self, number: usize) -> impl Iterator<Item = Symmetry> {
        let bits = self.stabilizers[number];
        Symmetry::all().zip(0..).filter(move |(_, index)| bits >> index & 1 == 1).map(|(s, _)| s)
    }
}

/// How many positions with these numbers of men there are, symmetric ones counted once: the mean, over the
/// symmetries, of the positions that a symmetry leaves as they are (Burnside's lemma).
pub fn positions_up_to_symmetry(own: usize, opponent: usize) -> u64 {
    // The points that a symmetry maps to one another in turn are all free, all own or all the opponent's.
    let fixed = |symmetry| -> u64 {
        let mut counts = vec![vec![0; opponent + 1]; own + 1];
        counts[0][0] = 1;
        for len in cycles(symmetry) {
            for own in (0..=own).rev() {
                for opponent in (0..=opponent).rev() {
                    let with_own = own.checked_sub(len).map_or(0, |own| counts[own][opponent]);
                    let rest = opponent.checked_sub(len);
                    let with_opponent = rest.map_or(0, |rest| counts[own][rest]);
                    counts[own][opponent] += with_own + with_opponent;
                }
            }
        }
        counts[own][opponent]
    };
    Symmetry::all().map(fixed).sum::<u64>() / Symmetry::COUNT as u64
}

/// How many points each cycle of a symmetry has.
fn cycles(symmetry: Symmetry) -> Vec<usize> {
    let mut rest = SquareSet::ALL;
    let mut lengths = Vec::new();
    while let Some(mut square) = rest.first() {
        let before = rest.len();
        while rest.contains(square) {
            rest = rest.without(square);
            square = symmetry.square(square);
        }
        lengths.push((before - rest.len()) as usize);
    }
    lengths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_is_mapped_to_the_representative_of_its_orbit() {
        for men in 3..=MOST_OF_A_SIDE {
            let orbits = Orbits::of(men);
            let mut members = vec![0; orbits.len()];
            for set in sets(Square::COUNT, men).map(SquareSet::from_bits) {
                let Orbit { number, to_representative, is_rigid } = orbits.find(set);
                assert_eq!(to_representative.set(set), orbits.representative(number));
                assert_eq!(is_rigid, orbits.stabilizer(number).count() == 1);
                members[number] += 1;
            }
            for (number, members) in members.into_iter().enumerate() {
                assert_eq!(members * orbits.stabilizer(number).count(), Symmetry::COUNT);
            }
        }
    }
}
