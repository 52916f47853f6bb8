//! What a model sums up for positions that follow one another: fast where the men of the opponent stay the same.
//!
//! Each pattern sees a part of the board, and two that overlap see a larger one. For the men of an opponent a table has
//! the sum of the rows of each set of men in such a part, found by the bits of the set.

use arrayvec::ArrayVec;
use bytemuck::Zeroable;
use bytemuck::allocation::zeroed_box;

use super::chunks::CHUNK;
use super::model::{ALWAYS, COUNTS, Model, Opponent, Row, Sum};
use crate::board::{Square, SquareSet};
use crate::tablebase::sector::Sector;

/// Sums up positions in the order of their indices.
pub struct Sums<'a> {
    sector: Sector,
    model: &'a Model,
    opponent: Opponent,
    /// How many positions had these men of the opponent.
    seen: usize,
    /// Where the rows for them are, or were for others.
    table: Option<Box<Table>>,
    is_table_current: bool,
}

/// How many positions are summed up one by one before a table is made, and the fewest with the same men of the
/// opponent that it is made for: it takes as long as some thousand of them.
const SEEN_BEFORE_TABLE: usize = 256;
const FEWEST_FOR_TABLE: usize = 1 << 12;

impl<'a> Sums<'a> {
    /// Those of a sector by its model.
    #[inline]
    pub fn new(sector: Sector, model: &'a Model) -> Self {
        let opponent = Opponent::new(sector, SquareSet::EMPTY);
        Self { sector, model, opponent, seen: 0, table: None, is_table_current: false }
    }

    /// Sums up as many positions as there is room for, at most a chunk of them, from an index on.
    #[inline]
    pub fn fill(&mut self, first: usize, mut sums: &mut [Sum]) {
        let len = self.sector.block_len();
        let (mut block, mut rank) = (first / len, first % len);
        while !sums.is_empty() {
            let here = sums.len().min(len - rank);
            let (now, later) = std::mem::take(&mut sums).split_at_mut(here);
            self.fill_in_block(block, rank, now);
            (sums, block, rank) = (later, block + 1, 0);
        }
    }

    /// The same, as long as the men of the opponent stay the same.
    fn fill_in_block(&mut self, block: usize, rank: usize, sums: &mut [Sum]) {
        let opponent = self.sector.opponent_of_block(block);
        if opponent != self.opponent.men {
            self.opponent = Opponent::new(self.sector, opponent);
            (self.seen, self.is_table_current) = (0, false);
        }
        let is_worth_it =
            self.seen >= SEEN_BEFORE_TABLE && self.sector.block_len() >= FEWEST_FOR_TABLE;
        if !self.is_table_current && is_worth_it {
            let table = self.table.get_or_insert_with(zeroed_box);
            table.enter(self.model, &self.opponent);
            self.is_table_current = true;
        }
        self.seen += sums.len();
        let own = self.sector.men_of_block(block, rank);
        let own: ArrayVec<SquareSet, CHUNK> = own.take(sums.len()).collect();
        if let Some(table) = self.table.as_ref().filter(|_| self.is_table_current) {
            let mut counts = [[0; COUNTS]; CHUNK];
            self.opponent.count(&own, &mut counts);
            for ((sum, own), counts) in sums.iter_mut().zip(own).zip(counts) {
                *sum = self.model.sum(&counts);
                table.add(own, sum);
            }
        } else {
            for (sum, own) in sums.iter_mut().zip(own) {
                *sum = self.model.sum(&self.opponent.features(own));
            }
        }
    }
}

/// The rings are the first parts; the others, the quarters of the board, have four points of each ring: a group of
/// patterns around a spoke and the one around the corner after it.
const RINGS: usize = 3;
const QUARTERS: usize = 4;
const PARTS: usize = RINGS + QUARTERS;

/// How many sets of points a part has at most.
const SETS: usize = 1 << 12;

/// The points of both groups of a quarter, as places of their sets.
const GROUPS: [usize; 2] = [0x777, 0xEEE];

/// What the points of a ring add to the places of the quarters, in 16 bits each: the first quarter begins at the last
/// point, and each other one two points further.
static FOURS: [u64; 256] = {
    let mut fours = [0; 256];
    let mut ring = 0;
    while ring < 256 {
        let mut lane = 0;
        while lane < QUARTERS {
            let turned = (ring as u8).rotate_right(7 + 2 * lane as u32);
            fours[ring] |= ((turned & 0xF) as u64) << (16 * lane);
            lane += 1;
        }
        ring += 1;
    }
    fours
};

/// The places of the sets that some men are in each part.
#[inline]
fn places(men: SquareSet) -> [usize; PARTS] {
    let [a, b, c, _] = men.bits().to_le_bytes().map(usize::from);
    let fours = FOURS[a] | FOURS[b] << 4 | FOURS[c] << 8;
    let quarter = |lane: u32| (fours >> (16 * lane)) as usize % SETS;
    [a, b, c, quarter(0), quarter(1), quarter(2), quarter(3)]
}

/// The points of a part whose bits of a place are in a mask.
fn points(part: usize, counted: usize) -> SquareSet {
    let counts = |point: &Square| places(SquareSet::of(*point))[part] & counted > 0;
    Square::ALL.into_iter().filter(counts).collect()
}

/// All subsets of a set.
fn subsets(of: SquareSet) -> impl Iterator<Item = SquareSet> {
    let next = move |set: &SquareSet| {
        let next = set.bits().wrapping_sub(of.bits()) & of.bits();
        (next != 0).then(|| SquareSet::from_bits(next))
    };
    std::iter::successors(Some(SquareSet::EMPTY), next)
}

/// The rows for the men of an opponent, by the part and the men in it.
#[derive(Clone, Copy, Zeroable)]
struct Table([[Row; SETS]; PARTS]);

impl Table {
    /// Enters the rows for the men of an opponent; those of sets with a point of its men have no meaning.
    fn enter(&mut self, model: &Model, opponent: &Opponent) {
        let row = |own, pattern: usize| {
            let features = [opponent.patterns(own)[pattern], ALWAYS as u16];
            // What every position has is added once, with the first part.
            model.sum(&features[..if pattern == 0 { 2 } else { 1 }]).0
        };
        let mut groups = [0, 1].map(|_| vec![Row::default(); SETS]);
        for (part, rows) in self.0.iter_mut().enumerate() {
            let sets = |counted| {
                let sets = subsets(points(part, counted) - opponent.men);
                sets.map(|own| (own, places(own)[part]))
            };
            if part < RINGS {
                sets(SETS - 1).for_each(|(own, place)| rows[place] = row(own, part));
                continue;
            }
            for (group, rows) in groups.iter_mut().enumerate() {
                let pattern = part + group * QUARTERS;
                sets(GROUPS[group]).for_each(|(own, place)| rows[place] = row(own, pattern));
            }
            for (_, place) in sets(SETS - 1) {
                let mut sum = Sum(groups[0][place & GROUPS[0]]);
                sum.add(groups[1][place & GROUPS[1]]);
                rows[place] = sum.0;
            }
        }
    }

    /// Adds what the men of the side to move have in all parts.
    #[inline]
    fn add(&self, own: SquareSet, sum: &mut Sum) {
        let rows = self.0.iter().zip(places(own));
        rows.for_each(|(rows, place)| sum.add(rows[place]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tablebase::file::model::ROWS;

    /// Sums by tables and one by one are the same.
    #[test]
    fn a_table_sums_up_what_features_do() {
        let mut model = Model::blank();
        model.rows = (0..ROWS)
            .map(|row| std::array::from_fn(|lane| (row * (lane + 3) % 251) as i16))
            .collect();
        for (own, opponent) in [(5, 3), (5, 6), (9, 9)] {
            let sector = Sector::new(own, opponent).unwrap();
            let mut sums = Sums::new(sector, &model);
            let mut with_table = 0;
            for first in (sector.len() / 2..sector.len()).step_by(64).take(200) {
                let mut filled = [Sum::default(); 64];
                sums.fill(first, &mut filled);
                with_table += usize::from(sums.is_table_current);
                for (sum, (own, opponent)) in filled.into_iter().zip(sector.positions_from(first)) {
                    assert_eq!(sum, model.sum(&Opponent::new(sector, opponent).features(own)));
                }
            }
            assert!(with_table > 10, "{sector}: {with_table}");
        }
    }
}
