//! What a model sums up for positions that follow one another: fast where the men of the opponent stay the same.
//!
//! Each pattern sees a part of the board. For the men of an opponent a table has the row of each set of men in such a
//! part, and how many moves there are along its edges, both found by the bits of the set.

use bytemuck::Zeroable;
use bytemuck::allocation::zeroed_box;

use super::model::{Model, Opponent, PATTERNS, Reach, Row, Sum};
use crate::board::{Diagonals, Square, SquareSet, lines};
use crate::tablebase::sector::Sector;

/// Sums up positions in the order of their indices.
pub struct Sums<'a> {
    sector: Sector,
    model: &'a Model,
    reach: Reach,
    opponent: Opponent,
    /// How many positions had these men of the opponent.
    seen: usize,
    table: Option<Box<Table>>,
}

/// How many positions are summed up one by one before a table is made, and the fewest with the same men of the
/// opponent that it is made for: it takes as long as some thousand of them.
const SEEN_BEFORE_TABLE: usize = 256;
const FEWEST_FOR_TABLE: usize = 1 << 12;

impl<'a> Sums<'a> {
    /// Those of a sector by its model.
    #[inline]
    pub fn new(sector: Sector, model: &'a Model) -> Self {
        let reach = Reach::of(sector);
        let opponent = reach.opponent(SquareSet::EMPTY);
        Self { sector, model, reach, opponent, seen: 0, table: None }
    }

    /// Sums up as many positions as there is room for, from an index on.
    #[inline]
    pub fn fill(&mut self, first: usize, sums: &mut [Sum]) {
        let is_worth_it =
            self.seen >= SEEN_BEFORE_TABLE && self.sector.block_len() >= FEWEST_FOR_TABLE;
        if self.table.is_none() && is_worth_it {
            self.table = Some(Table::new(self.model, &self.opponent));
        }
        self.seen += sums.len();
        for (sum, (own, opponent)) in sums.iter_mut().zip(self.sector.positions_from(first)) {
            if opponent != self.opponent.men {
                self.opponent = self.reach.opponent(opponent);
                self.seen = 0;
                self.table = None;
            }
            *sum = match &self.table {
                Some(table) => table.sum(own, self.model, &self.opponent),
                None => self.model.sum(&self.opponent.features(own)),
            };
        }
    }
}

/// How many sets of points a part has at most: a group of patterns has nine points, a ring eight.
const SETS: usize = 1 << 9;

/// The rings are the first parts.
const RINGS: usize = 3;

/// The parts in which edges are counted: the rings, then the groups around spokes, of which the spokes.
const WITH_EDGES: usize = 7;

/// What the points of a ring add to the places of the groups around spokes and corners, in 16 bits each.
static TRIPLES: [[u64; 2]; 256] = {
    let mut triples = [[0; 2]; 256];
    let mut ring = 0;
    while ring < 256 {
        triples[ring] = [triples_from(ring as u8, 7), triples_from(ring as u8, 0)];
        ring += 1;
    }
    triples
};

/// The four triples of a ring, the first of which begins at a point and each other one two points further.
const fn triples_from(ring: u8, first: u32) -> u64 {
    let mut triples = 0;
    let mut lane = 0;
    while lane < 4 {
        triples |= (ring.rotate_right(first + 2 * lane) as u64 & 0b111) << (16 * lane);
        lane += 1;
    }
    triples
}

/// The places of the sets that some men are in each part.
#[inline]
fn places(men: SquareSet) -> [usize; PATTERNS] {
    let [a, b, c, _] = men.bits().to_le_bytes().map(usize::from);
    let [spokes, corners] =
        [0, 1].map(|kind| TRIPLES[a][kind] | TRIPLES[b][kind] << 3 | TRIPLES[c][kind] << 6);
    let group = |groups: u64, lane: u32| (groups >> (16 * lane)) as usize % SETS;
    let [spoke, corner] = [spokes, corners].map(|groups| move |lane| group(groups, lane));
    [a, b, c, spoke(0), spoke(1), spoke(2), spoke(3), corner(0), corner(1), corner(2), corner(3)]
}

/// The points of each part.
fn parts() -> [SquareSet; PATTERNS] {
    std::array::from_fn(|part| {
        Square::ALL.into_iter().filter(|&point| places(SquareSet::of(point))[part] > 0).collect()
    })
}

/// All subsets of a set.
fn subsets(of: SquareSet) -> impl Iterator<Item = SquareSet> {
    let next = move |set: &SquareSet| {
        let next = set.bits().wrapping_sub(of.bits()) & of.bits();
        (next != 0).then(|| SquareSet::from_bits(next))
    };
    std::iter::successors(Some(SquareSet::EMPTY), next)
}

/// The rows for the men of an opponent.
#[derive(Clone, Copy, Zeroable)]
struct Table {
    /// By the part and the men in it.
    rows: [[Row; SETS]; PATTERNS],
    /// How many moves the side to move has along the edges of a part, and in the higher byte the opponent.
    moves: [[u16; SETS]; WITH_EDGES],
}

impl Table {
    fn new(model: &Model, opponent: &Opponent) -> Box<Self> {
        let mut table: Box<Self> = zeroed_box();
        let parts = parts();
        for (part, &points) in parts.iter().enumerate() {
            let edges = if part < RINGS { points } else { points & SquareSet::MIDDLES };
            for own in subsets(points - opponent.men) {
                let place = places(own)[part];
                table.rows[part][place] = model.rows[usize::from(opponent.patterns(own)[part])];
                if part < WITH_EDGES {
                    let free = edges - own - opponent.men;
                    let moves = |men: SquareSet| {
                        lines::count_edges(men & edges, free, Diagonals::Without) as u16
                    };
                    table.moves[part][place] = moves(own) | moves(opponent.men) << 8;
                }
            }
        }
        table
    }

    /// The sum of a position.
    #[inline]
    fn sum(&self, own: SquareSet, model: &Model, opponent: &Opponent) -> Sum {
        let places = places(own);
        let mut sum = Sum::default();
        let mut moves = 0;
        for (part, place) in places.into_iter().enumerate() {
            sum.add(self.rows[part][place]);
            if part < WITH_EDGES {
                moves += self.moves[part][place];
            }
        }
        let [own_moves, moves] = moves.to_le_bytes();
        let others = opponent.others(own, [own_moves, moves].map(usize::from));
        sum.add(model.sum(&others).0);
        sum
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
            let reach = Reach::of(sector);
            let mut sums = Sums::new(sector, &model);
            let mut with_table = 0;
            for first in (sector.len() / 2..sector.len()).step_by(64).take(200) {
                let mut filled = [Sum::default(); 64];
                sums.fill(first, &mut filled);
                with_table += usize::from(sums.table.is_some());
                for (sum, (own, opponent)) in filled.into_iter().zip(sector.positions_from(first)) {
                    assert_eq!(sum, model.sum(&reach.opponent(opponent).features(own)));
                }
            }
            assert!(with_table > 10, "{sector}: {with_table}");
        }
    }
}
