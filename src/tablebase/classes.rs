//! Sets of points up to the symmetries of the board.

use std::sync::LazyLock;

use super::ranks::{MOST_OF_A_SIDE, choose, rank, sets};
use crate::board::{Square, SquareSet, Symmetry};

/// The classes of all sets of a size that the symmetries carry into each other.
#[derive(Debug)]
pub struct Classes {
    /// The first set of each class in the order of ranks, which stands for it.
    leaders: Vec<SquareSet>,
    /// The symmetries that leave the leader of each class as it is, one bit each.
    stabilizers: Vec<u16>,
    /// For each rank the class, whether it is rigid, and the first symmetry that carries the set to
    /// the leader.
    table: Vec<u32>,
}

/// Where a set belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Class {
    /// The number of the class.
    pub number: usize,
    /// The symmetry that carries the set to the leader of the class.
    pub to_leader: Symmetry,
    /// Whether only the identity leaves the leader of the class as it is.
    pub is_rigid: bool,
}

const SYMMETRY_BITS: u32 = 4;
const IS_RIGID: u32 = 1 << SYMMETRY_BITS;
const CLASS_SHIFT: u32 = SYMMETRY_BITS + 1;
const UNKNOWN: u32 = u32::MAX;

static CLASSES: [LazyLock<Classes>; MOST_OF_A_SIDE + 1] = {
    macro_rules! of {
        ($($men:literal)*) => { [$(LazyLock::new(|| Classes::new($men))),*] };
    }
    of!(0 1 2 3 4 5 6 7 8 9)
};

impl Classes {
    /// The classes of the sets of so many points, at most 9.
    #[must_use]
    pub fn of(men: usize) -> &'static Self {
        &CLASSES[men]
    }

    /// Finds the classes of the sets of so many points now, so that nobody waits for them later.
    pub fn prepare(men: usize) {
        LazyLock::force(&CLASSES[men]);
    }

    fn new(men: usize) -> Self {
        let mut classes = Self {
            leaders: Vec::new(),
            stabilizers: Vec::new(),
            table: vec![UNKNOWN; choose(Square::COUNT, men) as usize],
        };
        for (set, index) in sets(Square::COUNT, men).zip(0..) {
            if classes.table[index] == UNKNOWN {
                classes.add(SquareSet::from_bits(set));
            }
        }
        classes
    }

    /// Adds the class of a leader with all its images.
    fn add(&mut self, leader: SquareSet) {
        let number = self.leaders.len() as u32;
        let stabilizer = Symmetry::all()
            .zip(0_u32..)
            .filter(|(symmetry, _)| symmetry.set(leader) == leader)
            .fold(0, |bits, (_, index)| bits | 1 << index);
        let is_rigid = if stabilizer == 1 { IS_RIGID } else { 0 };
        for (symmetry, index) in Symmetry::all().zip(0_u32..) {
            // The set that this symmetry carries to the leader.
            let set = symmetry.inverse().set(leader);
            let entry = &mut self.table[rank(set.bits()) as usize];
            if *entry == UNKNOWN {
                *entry = number << CLASS_SHIFT | is_rigid | index;
            }
        }
        self.leaders.push(leader);
        self.stabilizers.push(stabilizer);
    }

    /// How many classes there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.leaders.len()
    }

    /// The class of a set of the right size.
    #[inline]
    #[must_use]
    pub fn find(&self, set: SquareSet) -> Class {
        let entry = self.table[rank(set.bits()) as usize];
        let symmetry = entry % (1 << SYMMETRY_BITS);
        Class {
            number: (entry >> CLASS_SHIFT) as usize,
            to_leader: Symmetry::numbered(symmetry as usize),
            is_rigid: entry & IS_RIGID != 0,
        }
    }

    /// The set that stands for a class.
    #[inline]
    #[must_use]
    pub fn leader(&self, number: usize) -> SquareSet {
        self.leaders[number]
    }

    /// Whether a set is the least of those that the symmetries which leave the leader of a class as
    /// it is make of it.
    #[inline]
    pub fn is_least(&self, number: usize, set: SquareSet) -> bool {
        let mut symmetries = self.stabilizer(number);
        symmetries.all(|symmetry| symmetry.set(set).bits() >= set.bits())
    }

    /// The symmetries that leave the leader of a class as it is.
    pub fn stabilizer(&self, number: usize) -> impl Iterator<Item = Symmetry> {
        let bits = self.stabilizers[number];
        Symmetry::all().zip(0..).filter(move |(_, index)| bits >> index & 1 == 1).map(|(s, _)| s)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_is_carried_to_the_leader_of_its_class() {
        for men in 3..=MOST_OF_A_SIDE {
            let classes = Classes::of(men);
            let mut members = vec![0; classes.len()];
            for set in sets(Square::COUNT, men).map(SquareSet::from_bits) {
                let Class { number, to_leader, is_rigid } = classes.find(set);
                assert_eq!(to_leader.set(set), classes.leader(number));
                assert_eq!(is_rigid, classes.stabilizer(number).count() == 1);
                members[number] += 1;
            }
            for (number, members) in members.into_iter().enumerate() {
                assert_eq!(members * classes.stabilizer(number).count(), Symmetry::COUNT);
            }
        }
    }
}
