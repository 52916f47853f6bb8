//! Numbered sets of points: the colex ranks of all sets of `k` points, and the orbits of symmetric sets.
//!
//! Colex order sorts sets of the same size by their bits, read as numbers; ranks go from 0 on without a gap. This is
//! the combinatorial number system: the rank of a set is the sum of `choose(point, k)` over its points, where `k` is 1
//! for the lowest. The sums of each half of the board are looked up.
//!
//! Sets that the 16 symmetries of the board map to each other form an orbit. Its first set in colex order is its
//! representative; the symmetries that leave the representative unchanged are its stabilizer.
//!
//! See: Donald Knuth, "The Art of Computer Programming", volume 4A, section 7.2.1.3.

use std::iter;
use std::sync::OnceLock;

use crate::board::{Square, SquareSet, Symmetry};

/// The most men that a side has.
pub const MOST_OF_A_SIDE: usize = 12;

const POINTS: usize = Square::COUNT;
const LOW_BITS: usize = 12;

/// Returns the number of sets of `k` points among `n`, with `n` up to 24 and `k` up to 12.
pub const fn choose(n: usize, k: usize) -> u32 {
    CHOOSE[n][k]
}

const CHOOSE: [[u32; MOST_OF_A_SIDE + 1]; POINTS + 1] = {
    let mut choose = [[0; MOST_OF_A_SIDE + 1]; POINTS + 1];
    let mut n = 0;
    while n <= POINTS {
        choose[n][0] = 1;
        let mut k = 1;
        while n > 0 && k <= MOST_OF_A_SIDE {
            choose[n][k] = choose[n - 1][k - 1] + choose[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    choose
};

/// What each set of points of the lower half adds to a rank; 16 bits are enough and take less cache.
static LOW: [u16; 1 << LOW_BITS] = {
    let mut ranks = [0; 1 << LOW_BITS];
    fill_ranks(&mut ranks, 0, 0);
    let mut low = [0; 1 << LOW_BITS];
    let mut set = 0;
    while set < low.len() {
        low[set] = ranks[set] as u16;
        set += 1;
    }
    low
};

/// What each set of points of the upper half adds to a rank, by the number of points in the lower half.
static HIGH: [[u32; 1 << (POINTS - LOW_BITS)]; MOST_OF_A_SIDE + 1] = {
    let mut ranks = [[0; 1 << (POINTS - LOW_BITS)]; MOST_OF_A_SIDE + 1];
    let mut below = 0;
    while below <= MOST_OF_A_SIDE {
        fill_ranks(&mut ranks[below], LOW_BITS, below);
        below += 1;
    }
    ranks
};

/// Fills in what each set of the points from `first` on adds to the rank of a set that has `below`
/// lower points; sets of more points than a side has men have no meaning.
const fn fill_ranks(ranks: &mut [u32], first: usize, below: usize) {
    let mut set = 1;
    while set < ranks.len() {
        let highest = set.ilog2() as usize;
        let k = below + set.count_ones() as usize;
        let term = if k <= MOST_OF_A_SIDE { choose(first + highest, k) } else { 0 };
        ranks[set] = ranks[set ^ (1 << highest)] + term;
        set += 1;
    }
}

/// Returns the rank of a set of at most twelve of 24 points, or slots, among the sets of its size.
pub fn rank(set: u32) -> usize {
    let (low, high) = (set as usize % (1 << LOW_BITS), set as usize >> LOW_BITS);
    let high = HIGH[low.count_ones() as usize][high % (1 << (POINTS - LOW_BITS))];
    usize::from(LOW[low]) + high as usize
}

/// Returns all sets of a size within the lowest `n` bits, in the order of their ranks.
pub fn sets(n: usize, k: usize) -> impl Iterator<Item = u32> {
    sets_from(n, k, 0)
}

/// Returns the sets of [`sets`] from a rank on.
pub fn sets_from(n: usize, k: usize, first: usize) -> impl Iterator<Item = u32> {
    let set = if first == 0 { (1 << k) - 1 } else { unrank(first as u32, k) };
    iter::successors(Some(set), |&set| Some(next_set(set))).take(choose(n, k) as usize - first)
}

/// Returns the set of the same size with the next rank, or the empty set after itself.
pub const fn next_set(set: u32) -> u32 {
    if set == 0 {
        return 0;
    }
    let carried = set + (set & set.wrapping_neg());
    carried | ((set ^ carried) >> 2) >> set.trailing_zeros()
}

/// Returns the set of `size` points with a rank.
pub fn unrank(mut rank: u32, size: usize) -> u32 {
    let mut set = 0;
    for k in (1..=size).rev() {
        let point = (0..POINTS).rev().find(|point| choose(*point, k) <= rank).unwrap_or(0);
        rank -= choose(point, k);
        set |= 1 << point;
    }
    set
}

/// Converts a set of free points to slots, the numbers of points among the free ones.
pub fn compress(set: SquareSet, free: SquareSet) -> u32 {
    let [set0, set1, set2, _] = set.bits().to_le_bytes();
    let [free0, free1, free2, _] = free.bits().to_le_bytes();
    let ring = |set: u8, free: u8| u32::from(GATHERED[free as usize][set as usize]);
    let upper = ring(set1, free1) | ring(set2, free2) << free1.count_ones();
    ring(set0, free0) | upper << free0.count_ones()
}

/// Converts slots to the set of free points.
pub fn expand(slots: u32, free: SquareSet) -> SquareSet {
    let [free0, free1, free2, _] = free.bits().to_le_bytes();
    let ring = |slots: u32, free: u8| SCATTERED[free as usize][slots as u8 as usize];
    let slots1 = slots >> free0.count_ones();
    let slots2 = slots1 >> free1.count_ones();
    let rings = [ring(slots, free0), ring(slots1, free1), ring(slots2, free2), 0];
    SquareSet::from_bits(u32::from_le_bytes(rings))
}

/// For each byte of free points and each byte of points: the free ones of these points, packed together.
static GATHERED: [[u8; 256]; 256] = moved(true);

/// For each byte of free points and each byte of slots: the points of these slots; excess slots are ignored.
static SCATTERED: [[u8; 256]; 256] = moved(false);

/// Computes [`GATHERED`] if `together`, else [`SCATTERED`].
#[expect(clippy::large_stack_arrays, reason = "only the compiler runs it")]
const fn moved(together: bool) -> [[u8; 256]; 256] {
    let mut moved = [[0; 256]; 256];
    let mut free = 1;
    while free < 256 {
        let mut set = 1;
        while set < 256 {
            let (is_free, first) = (free % 2 == 1, (set % 2) as u8);
            let upper = moved[free >> 1][if is_free || together { set >> 1 } else { set }];
            moved[free][set] = match (is_free, together) {
                (true, _) => upper << 1 | first,
                (false, true) => upper,
                (false, false) => upper << 1,
            };
            set += 1;
        }
        free += 1;
    }
    moved
}

/// The orbits of all sets of one size.
#[derive(Debug)]
pub struct Orbits {
    /// The first set of each orbit in colex order.
    representatives: Vec<SquareSet>,
    /// The stabilizer of each representative, one bit a symmetry.
    stabilizers: Vec<u16>,
    /// By rank: the orbit, whether it is rigid, and the first symmetry that maps the set to the
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
    /// Whether only the identity leaves the representative unchanged.
    pub is_rigid: bool,
}

const SYMMETRY_BITS: u32 = 4;
const IS_RIGID: u32 = 1 << SYMMETRY_BITS;
const NUMBER_SHIFT: u32 = SYMMETRY_BITS + 1;
const UNKNOWN: u32 = u32::MAX;

static ORBITS: [OnceLock<Orbits>; MOST_OF_A_SIDE + 1] =
    [const { OnceLock::new() }; MOST_OF_A_SIDE + 1];

impl Orbits {
    /// Returns the orbits of the sets of `men` points, at most 12, computed on first use.
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
        let is_fixed_by = |symmetry: Symmetry| symmetry.set(representative) == representative;
        let fixed = Symmetry::all().zip(0..).filter(|(symmetry, _)| is_fixed_by(*symmetry));
        let stabilizer = fixed.map(|(_, index)| 1 << index).sum();
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

    /// Returns the number of orbits.
    pub fn len(&self) -> usize {
        self.representatives.len()
    }

    /// Returns the orbit of a set of the right size.
    pub fn find(&self, set: SquareSet) -> Orbit {
        let entry = self.by_rank[rank(set.bits())];
        let symmetry = entry % (1 << SYMMETRY_BITS);
        Orbit {
            number: (entry >> NUMBER_SHIFT) as usize,
            to_representative: Symmetry::numbered(symmetry as usize),
            is_rigid: entry & IS_RIGID != 0,
        }
    }

    /// Returns the representative of an orbit.
    pub fn representative(&self, number: usize) -> SquareSet {
        self.representatives[number]
    }

    /// Whether no symmetry of the stabilizer of an orbit maps a set to one of lower rank.
    pub fn is_least(&self, number: usize, set: SquareSet) -> bool {
        let mut symmetries = self.stabilizer(number);
        symmetries.all(|symmetry| symmetry.set(set).bits() >= set.bits())
    }

    /// Returns the symmetries that leave the representative of an orbit unchanged.
    pub fn stabilizer(&self, number: usize) -> impl Iterator<Item = Symmetry> {
        let bits = self.stabilizers[number];
        Symmetry::all().zip(0..).filter(move |(_, index)| bits >> index & 1 == 1).map(|(s, _)| s)
    }
}

/// Returns the number of positions with these numbers of men, symmetric ones counted once: the mean, over the
/// symmetries, of the number of positions that a symmetry leaves unchanged (Burnside's lemma).
pub fn positions_up_to_symmetry(own: usize, opponent: usize) -> u64 {
    // The points of a cycle, no more than there are symmetries, are all free, all own or all the opponent's.
    let fixed = |symmetry: Symmetry| -> u64 {
        let mut counts = vec![vec![0; opponent + 1]; own + 1];
        counts[0][0] = 1;
        let mut rest = SquareSet::ALL;
        while let Some(first) = rest.first() {
            let next = |square: &Square| Some(symmetry.square(*square));
            let images = iter::successors(Some(first), next).take(Symmetry::COUNT);
            let cycle: SquareSet = images.collect();
            rest = rest - cycle;
            let len = cycle.len() as usize;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_numbered_without_a_gap() {
        for k in 1..=MOST_OF_A_SIDE {
            let ranks = sets(POINTS, k).map(rank);
            assert!(ranks.eq(0..choose(POINTS, k) as usize), "{k} points");
            let unranked = (0..choose(POINTS, k)).step_by(7).map(|rank| unrank(rank, k));
            assert!(unranked.eq(sets(POINTS, k).step_by(7)), "{k} points");
        }
    }

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
