//! A small network that predicts the value of a position. Each sector has its own, trained for it and stored with it.
//!
//! Each feature of a position, such as the contents of a ring, has a row of eight small numbers. The rows add up to six
//! hidden units and two outputs; the weighted hidden units are added to the outputs. All numbers are integers, so that
//! every machine computes the same bits. One feature is the values of the preceding positions in the sector, which
//! usually differ by one man.
//!
//! Consecutive positions are evaluated fast while the opponent's men stay the same. Each pattern covers a part of the
//! board, and two overlapping patterns a larger one. For given men of the opponent, a table holds the sum of the rows
//! for every set of own men in such a part, indexed by the bits of the set.
//!
//! See: Yu Nasu, "Efficiently Updatable Neural-Network-based Evaluation Functions for Computer Shogi", 2018.

use std::array;

use arrayvec::ArrayVec;
use bytemuck::Zeroable;
use bytemuck::allocation::zeroed_box;

use super::arithmetic::Probability;
use super::chunks::CHUNK;
use super::huffman::{BitReader, code_bytes, codes, decoders, encode};
use crate::board::{Diagonals, Square, SquareSet, lines};
use crate::evaluate::{CLASSES, Numbers, PATTERNS, Patterns};
use crate::tablebase::sector::Sector;
use crate::tablebase::sets::expand;
use crate::tablebase::value::Wdl;

/// The number of hidden units.
pub const HIDDEN: usize = 6;

/// The number of outputs: whether the position is won, and if not, whether it is lost.
pub const OUTPUTS: usize = 2;

/// The number of entries in a row.
pub const LANES: usize = HIDDEN + OUTPUTS;

/// The first row of each kind of feature; patterns start at row 0.
const CLOSING: usize = CLASSES;
const MOBILITY: usize = CLOSING + FEW * FEW;
const BEFORE: usize = MOBILITY + MOST_EDGES * MOST_EDGES;
/// The row that every position has, the bias.
pub const ALWAYS: usize = BEFORE + (1 << (2 * SEEN));
/// The number of rows.
pub const ROWS: usize = ALWAYS + 1;

/// The number of preceding positions whose values are a feature.
const SEEN: usize = 3;

/// The number of different counts of points that close a mill; higher counts become the last.
const FEW: usize = 4;

/// The number of different counts of moves; higher counts become the last.
const MOST_EDGES: usize = 16;

/// The number of features that are counts; they follow the patterns.
pub const COUNTS: usize = 2;

/// The number of features of a position without its predecessors: patterns, counts and the bias.
const FEATURES: usize = PATTERNS + COUNTS + 1;

/// What the opponent's men contribute to the features of every position that has them.
pub struct Opponent {
    /// The men of the opponent.
    pub men: SquareSet,
    own_slides: bool,
    closing: SquareSet,
    numbers: Numbers,
}

impl Opponent {
    /// Prepares the features of the positions of a sector with these men of the opponent. Men that slide can close a
    /// mill only from a neighbouring point.
    pub fn new(sector: Sector, men: SquareSet) -> Self {
        let [own_hand, hand] = sector.hands();
        let own_slides = own_hand == 0 && sector.own() > 3;
        let slides = hand == 0 && sector.opponent() > 3;
        let closing = if slides { lines::closing_by_slide } else { lines::closing };
        let closing = closing(men, Diagonals::Without);
        Self { men, own_slides, closing, numbers: Numbers::of(men) }
    }

    /// Returns the rows of the features of the position with these men of the side to move.
    pub fn features(&self, own: SquareSet) -> [u16; FEATURES] {
        let mut features = [ALWAYS as u16; FEATURES];
        features[..PATTERNS].copy_from_slice(&self.patterns(own));
        let mut counts = [[0; COUNTS]];
        self.count(&[own], &mut counts);
        features[PATTERNS..][..COUNTS].copy_from_slice(&counts[0]);
        features
    }

    /// Returns the patterns, the first of the [features](Self::features).
    pub fn patterns(&self, own: SquareSet) -> [u16; PATTERNS] {
        Patterns::joined(Numbers::of(own), self.numbers).numbered()
    }

    /// Computes the features after the patterns for several positions, which suits vector instructions: how many points
    /// close a mill, and how many moves each side has.
    pub fn count(&self, own: &[SquareSet], counts: &mut [[u16; COUNTS]]) {
        if self.own_slides {
            self.count_by(lines::closing_by_slide, own, counts);
        } else {
            self.count_by(lines::closing, own, counts);
        }
    }

    fn count_by(
        &self,
        closing: impl Fn(SquareSet, Diagonals) -> SquareSet,
        own: &[SquareSet],
        counts: &mut [[u16; COUNTS]],
    ) {
        for (&own, counts) in own.iter().zip(counts) {
            let free = !(own | self.men);
            let few = |closing: SquareSet| (closing & free).len().min(FEW as u32 - 1);
            let moves = |men: SquareSet| {
                lines::count_edges(men, free, Diagonals::Without).min(MOST_EDGES as u32 - 1)
            };
            let closing = few(closing(own, Diagonals::Without)) * FEW as u32 + few(self.closing);
            let moves = moves(own) * MOST_EDGES as u32 + moves(self.men);
            *counts = [CLOSING as u16 + closing as u16, MOBILITY as u16 + moves as u16];
        }
    }
}

/// The values of the preceding positions, two bits each, the last one lowest; 3 stands for none.
#[derive(Clone, Copy)]
pub struct Before(u8);

impl Before {
    /// No preceding positions.
    pub const NONE: Self = Self((1 << (2 * SEEN)) - 1);

    /// Appends a value.
    pub fn and(self, wdl: Wdl) -> Self {
        Self((self.0 << 2 | wdl as u8) % (1 << (2 * SEEN)))
    }

    /// The row of this feature.
    pub fn row(self) -> usize {
        BEFORE + usize::from(self.0)
    }
}

/// A row of small numbers. In a file, each takes a byte.
pub type Row = [i16; LANES];

/// A trained network.
pub struct Model {
    /// The rows, scaled by [`ONE`].
    pub rows: Box<[Row]>,
    /// For each output the weights of the hidden units, scaled by [`WEIGHT_ONE`], then zeros.
    pub weights: [Row; OUTPUTS],
}

/// The scale of rows: the number that represents 1.
pub const ONE: i32 = 32;

/// The scale of weights: the number that represents 1.
pub const WEIGHT_ONE: i32 = 256;

/// Adds a row to a sum of rows.
fn add(sum: &mut Row, row: Row) {
    sum.iter_mut().zip(row).for_each(|(sum, number)| *sum += number);
}

impl Model {
    /// Adds up the rows of features.
    pub fn sum(&self, features: &[u16]) -> Row {
        let mut sum = Row::default();
        for &feature in features {
            add(&mut sum, self.rows[usize::from(feature)]);
        }
        sum
    }

    /// Returns the probabilities of the outputs, given the sum of a position and the values of its predecessors.
    ///
    /// Never inlined: as a separate function it is compiled to vector instructions over all lanes, which decodes chunks
    /// faster than inlining it into loops.
    #[inline(never)]
    pub fn probabilities(&self, sum: &Row, before: Before) -> [Probability; OUTPUTS] {
        let row = &self.rows[before.row()];
        let units: Row = array::from_fn(|lane| sum[lane] + row[lane]);
        let hidden = units.map(|unit| unit.max(0));
        array::from_fn(|output| {
            let terms = hidden.iter().zip(&self.weights[output]);
            let sum: i32 = terms.map(|(&unit, &weight)| i32::from(unit) * i32::from(weight)).sum();
            probability((sum + i32::from(units[HIDDEN + output]) * WEIGHT_ONE) >> LOGIT_SHIFT)
        })
    }

    /// Returns the stored form: the weights, the lengths of the codes and the coded rows; and the size of the rows in
    /// bytes.
    pub fn pack(&self) -> (Vec<u8>, usize) {
        // Pairs of a context and a symbol.
        let mut symbols = Vec::new();
        let mut skipped = 0;
        for (number, row) in self.rows.iter().enumerate() {
            // The last row is always written, so that a reader knows where the rows end.
            if *row == [0; LANES] && skipped < SYMBOLS - 1 && number < ROWS - 1 {
                skipped += 1;
            } else {
                symbols.push((0, skipped));
                symbols.extend((1..).zip(row.map(|number| usize::from(number as u8))));
                skipped = 0;
            }
        }
        let mut counts = vec![vec![0; SYMBOLS]; CONTEXTS];
        for &(context, symbol) in &symbols {
            counts[context][symbol] += 1;
        }
        let (lengths, codes) = codes(&counts);
        let rows = encode(&codes, symbols.into_iter());
        let weights = self.weights.as_flattened().iter().zip(OF_OUTPUTS.as_flattened());
        let weights = weights.flat_map(|(weight, of_output)| (weight + of_output).to_le_bytes());
        let len = rows.len();
        (weights.chain(lengths).chain(rows).collect(), len)
    }

    /// Reads the output of [`pack`](Self::pack), or returns `None` if it is invalid.
    pub fn unpack(bytes: &[u8]) -> Option<Self> {
        let (weights, bytes) = bytes.split_at_checked(WEIGHT_BYTES)?;
        let (lengths, packed) = bytes.split_at_checked(BYTES_BEFORE_ROWS - WEIGHT_BYTES)?;
        let decoders = decoders(lengths, SYMBOLS)?;
        let stored = weights.as_chunks().0.iter().copied().map(i16::from_le_bytes);
        let mut weights = OF_OUTPUTS;
        for (weight, stored) in weights.as_flattened_mut().iter_mut().zip(stored) {
            *weight = stored.wrapping_sub(*weight);
        }
        let mut rows = vec![Row::default(); ROWS];
        let mut bits = BitReader::new(packed);
        let mut next = 0;
        while next < ROWS {
            next += usize::from(bits.read(&decoders[0]));
            let row = rows.get_mut(next)?;
            for (number, decoder) in row.iter_mut().zip(&decoders[1..]) {
                *number = i16::from(bits.read(decoder) as i8);
            }
            next += 1;
        }
        Some(Self { rows: rows.into(), weights })
    }
}

/// The weights of the outputs themselves, which are stored with those of the hidden units.
const OF_OUTPUTS: [Row; OUTPUTS] = {
    let mut weights = [[0; LANES]; OUTPUTS];
    weights[IS_WON][HIDDEN + IS_WON] = WEIGHT_ONE as i16;
    weights[IS_LOST][HIDDEN + IS_LOST] = WEIGHT_ONE as i16;
    weights
};

/// The output for won positions, and the one for lost positions among those that are not won.
pub const IS_WON: usize = 0;
pub const IS_LOST: usize = 1;

/// The scale of logits, the logarithms of odds: the number that represents 1.
pub const LOGIT_ONE: i32 = 64;

/// The shift from weighted sums of units to logits.
const LOGIT_SHIFT: u32 = (WEIGHT_ONE * ONE / LOGIT_ONE).ilog2();

/// The maximum absolute value of a logit.
const MOST: i32 = 8 * LOGIT_ONE;

/// Converts a logit to a probability.
pub fn probability(logit: i32) -> Probability {
    PROBABILITIES[(logit.clamp(-MOST, MOST - 1) + MOST) as usize]
}

static PROBABILITIES: [Probability; 2 * MOST as usize] = {
    // The odds of the lowest logit, e^-8, and the factor between neighbours, e^(1/64).
    let (mut odds, step) = (0.000_335_462_627_902_511_85_f64, 1.015_747_708_586_685_7_f64);
    let mut probabilities = [0; 2 * MOST as usize];
    let mut place = 0;
    while place < probabilities.len() {
        probabilities[place] = (65536.0 * odds / (1.0 + odds) + 0.5) as Probability;
        odds *= step;
        place += 1;
    }
    probabilities
};

/// The number of contexts in a stored model: one for the number of zero rows before the next row, and one for each
/// entry of a row.
pub const CONTEXTS: usize = 1 + LANES;

/// The number of different symbols in a stored model.
pub const SYMBOLS: usize = 1 << u8::BITS;

const WEIGHT_BYTES: usize = OUTPUTS * LANES * size_of::<i16>();

/// The size of the weights and the lengths of the codes in bytes.
pub const BYTES_BEFORE_ROWS: usize = WEIGHT_BYTES + code_bytes(CONTEXTS, SYMBOLS);

/// Evaluates the positions of a sector with its model, in the order of indices, to code their wins, draws and losses.
pub struct WdlCode<'a> {
    sector: Sector,
    pub model: &'a Model,
    opponent: Opponent,
    /// How many positions with these men of the opponent have been evaluated.
    seen: usize,
    /// The table for these men of the opponent, or for others if it is not current.
    table: Option<Box<Table>>,
    is_table_current: bool,
}

/// The number of positions with the same men of the opponent that are evaluated one by one before a table is made.
const SEEN_BEFORE_TABLE: usize = 256;
/// The minimum size of a block to make a table for, which takes as long as some thousand positions.
const FEWEST_FOR_TABLE: usize = 1 << 12;

impl<'a> WdlCode<'a> {
    /// Evaluates positions of a sector with its model. Consecutive chunks are faster.
    pub fn new(sector: Sector, model: &'a Model) -> Self {
        let opponent = Opponent::new(sector, SquareSet::EMPTY);
        Self { sector, model, opponent, seen: 0, table: None, is_table_current: false }
    }

    /// Computes the sums of consecutive positions from an index on, at most a chunk of them.
    pub fn fill(&mut self, mut first: usize, mut sums: &mut [Row]) {
        let len = self.sector.block_len();
        while !sums.is_empty() {
            let (block, rank) = (first / len, first % len);
            let count = sums.len().min(len - rank);
            let here = sums.split_off_mut(..count).unwrap_or_default();
            first += count;
            let opponent = self.sector.opponent_of_block(block);
            if opponent != self.opponent.men {
                self.opponent = Opponent::new(self.sector, opponent);
                (self.seen, self.is_table_current) = (0, false);
            }
            let is_worth_it = self.seen >= SEEN_BEFORE_TABLE && len >= FEWEST_FOR_TABLE;
            if !self.is_table_current && is_worth_it {
                let table = self.table.get_or_insert_with(zeroed_box);
                table.enter(self.model, &self.opponent);
                self.is_table_current = true;
            }
            self.seen += count;
            let own = self.sector.men_of_block(block, rank);
            let own: ArrayVec<SquareSet, CHUNK> = own.take(count).collect();
            if let Some(table) = self.table.as_ref().filter(|_| self.is_table_current) {
                let mut counts = [[0; COUNTS]; CHUNK];
                self.opponent.count(&own, &mut counts);
                for ((sum, own), counts) in here.iter_mut().zip(own).zip(counts) {
                    *sum = self.model.sum(&counts);
                    table.add(own, sum);
                }
            } else {
                for (sum, own) in here.iter_mut().zip(own) {
                    *sum = self.model.sum(&self.opponent.features(own));
                }
            }
        }
    }
}

/// The parts of the board: the rings, then the quarters. A quarter has four points of each ring: a group of patterns
/// around a spoke and the one around the next corner.
const RINGS: usize = 3;
const QUARTERS: usize = 4;
const PARTS: usize = RINGS + QUARTERS;

/// The maximum number of sets of points in a part.
const SETS: usize = 1 << 12;

/// The points of the two groups of a quarter, as masks of table indices.
const GROUPS: [usize; 2] = [0x777, 0xEEE];

/// What the points of a ring add to the table indices of the four quarters, 16 bits each. The first quarter begins at
/// the last point of the ring, and each following one two points later.
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

/// The table indices of some men, one for each part.
fn places(men: SquareSet) -> [usize; PARTS] {
    let [a, b, c, _] = men.bits().to_le_bytes().map(usize::from);
    let fours = FOURS[a] | FOURS[b] << 4 | FOURS[c] << 8;
    let quarter = |lane: u32| (fours >> (16 * lane)) as usize % SETS;
    [a, b, c, quarter(0), quarter(1), quarter(2), quarter(3)]
}

/// The points of a part whose bits of the table index are in a mask.
fn points(part: usize, counted: usize) -> SquareSet {
    let counts = |point: &Square| places(SquareSet::of(*point))[part] & counted > 0;
    Square::ALL.into_iter().filter(counts).collect()
}

/// The sums of rows for given men of the opponent, by the part and the own men in it.
#[derive(Clone, Copy, Zeroable)]
struct Table([[Row; SETS]; PARTS]);

impl Table {
    /// Fills the table for the men of an opponent. Entries of sets that overlap these men are meaningless.
    fn enter(&mut self, model: &Model, opponent: &Opponent) {
        let row = |own, pattern: usize| {
            let features = [opponent.patterns(own)[pattern], ALWAYS as u16];
            // The bias is added once, with the first part.
            model.sum(&features[..if pattern == 0 { 2 } else { 1 }])
        };
        let mut groups = [0, 1].map(|_| vec![Row::default(); SETS]);
        for (part, rows) in self.0.iter_mut().enumerate() {
            // All subsets of the points without men of the opponent.
            let sets = |counted| {
                let free = points(part, counted) - opponent.men;
                let sets = (0..1 << free.len()).map(move |slots| expand(slots, free));
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
                rows[place] = groups[0][place & GROUPS[0]];
                add(&mut rows[place], groups[1][place & GROUPS[1]]);
            }
        }
    }

    /// Adds the sums for the men of the side to move in all parts.
    fn add(&self, own: SquareSet, sum: &mut Row) {
        let rows = self.0.iter().zip(places(own));
        rows.for_each(|(rows, place)| add(sum, rows[place]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Zeros at the end, long runs of zero rows and rows that need no bits survive packing.
    #[test]
    fn a_packed_model_is_read_back() {
        let full = |_| [5, -3, 127, -127, 0, 1, -1, 9];
        let few = |number| if number % 900 == 7 { [1; LANES] } else { [0; LANES] };
        let blank = |_| [0; LANES];
        let rows: [&dyn Fn(usize) -> Row; 3] = [&full, &few, &blank];
        for row in rows {
            let weights = [[0; LANES]; OUTPUTS];
            let mut model = Model { rows: (0..ROWS).map(row).collect(), weights };
            model.weights[1][2] = -700;
            let (bytes, _) = model.pack();
            let read = Model::unpack(&bytes).unwrap();
            assert_eq!((read.rows, read.weights), (model.rows, model.weights));
        }
    }

    /// Tables give the same sums as single features.
    #[test]
    fn a_table_sums_up_what_features_do() {
        let row = |row| array::from_fn(|lane| (row * (lane + 3) % 251) as i16);
        let weights = [[0; LANES]; OUTPUTS];
        let model = Model { rows: (0..ROWS).map(row).collect(), weights };
        for (own, opponent) in [(5, 3), (5, 6), (9, 9)] {
            let sector = Sector::new(own, opponent).unwrap();
            let mut sums = WdlCode::new(sector, &model);
            let mut with_table = 0;
            for first in (sector.len() / 2..sector.len()).step_by(64).take(200) {
                let mut filled = [Row::default(); 64];
                sums.fill(first, &mut filled);
                with_table += usize::from(sums.is_table_current);
                for (sum, [own, opponent]) in filled.into_iter().zip(sector.positions_from(first)) {
                    assert_eq!(sum, model.sum(&Opponent::new(sector, opponent).features(own)));
                }
            }
            assert!(with_table > 10, "{sector}: {with_table}");
        }
    }
}
