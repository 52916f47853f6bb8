//! The transposition table: results of searches by the keys of their positions, and how a node reads and writes
//! them.
//!
//! An entry is 64 bits in addition to its key. It holds a lower and an upper limit (bound) of the value, each with the
//! depth of the search that found it; a null-window search finds one limit and leaves the other unchanged.
//!
//! ```text
//! 63     48 47     32 31 30     26 25      19 18      12 11        0
//! |  upper |  lower  |l | gener-  | depth of | depth of |   move   |
//! |  limit |  limit  |  | ation   |  upper   |  lower   |          |
//! ```
//!
//! A lasting entry (`l`) is a position learned from earlier games. It does not age, and is replaced
//! only by a search of the same position at least as deep, or if its cluster holds nothing else.
//!
//! The memory, safe to share among threads, comes from [`clusters`](crate::clusters).
//!
//! # At a node
//!
//! All 16 images of a position under the symmetries of the board have the same value. While few men are on the
//! board, a search meets most of them, so they share an entry, under the image whose men have the lowest bits.
//! Later a search hardly ever meets two images, and finding the shared one would cost more than it saves.
//!
//! See: Richard Greenblatt, Donald Eastlake and Stephen Crocker, "The Greenblatt Chess Program",
//! 1967.

use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

use super::draw::precedes_n_move_rule;
use super::parameters::{Features, MOST_SYMMETRIC_MEN};
use super::worker::Worker;
use crate::board::{Side, Symmetry};
use crate::clusters::{Clusters, SizeError};
use crate::position::{Move, Phase, Position, spread};
use crate::rules::Rules;
use crate::score::{Bound, Score, Window};

/// What searches have found out about the value of a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// The best move, if one stood out.
    pub best: Option<Move>,
    /// The lower limit of the value.
    pub lower: Option<Limit>,
    /// The upper limit of the value.
    pub upper: Option<Limit>,
}

/// A limit of the value of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// The score, with mates counted from the position.
    pub score: Score,
    /// The depth of the search below the position, at most [`DEEPEST`](Self::DEEPEST).
    pub depth: u8,
}

impl Limit {
    /// The greatest depth that an entry can hold.
    pub const DEEPEST: u8 = (1 << DEPTH_BITS) - 1;
}

impl Entry {
    /// The result of one search, with mates counted from the position.
    pub fn new(best: Option<Move>, score: Score, depth: u8, bound: Bound) -> Self {
        let limit = Limit { score, depth: depth.min(Limit::DEEPEST) };
        Self {
            best,
            lower: (bound != Bound::Upper).then_some(limit),
            upper: (bound != Bound::Lower).then_some(limit),
        }
    }

    /// This entry, with missing parts filled in from an older one.
    fn completed(self, older: Self) -> Self {
        Self {
            best: self.best.or(older.best),
            lower: self.lower.or(older.lower),
            upper: self.upper.or(older.upper),
        }
    }
}

/// The table, shared by the threads of a search.
pub struct TranspositionTable<const WAYS: usize = 4> {
    pub(super) clusters: Clusters<WAYS>,
    generation: u8,
    /// The most extensions in any line that led to an entry.
    pub(super) most_extended: AtomicU32,
}

const MOVE_BITS: u32 = 12;
const DEPTH_BITS: u32 = 7;
const LOWER_DEPTH: u32 = MOVE_BITS;
const UPPER_DEPTH: u32 = LOWER_DEPTH + DEPTH_BITS;
const GENERATION: u32 = UPPER_DEPTH + DEPTH_BITS;
const GENERATIONS: u8 = 1 << 5;
const LASTING: u64 = 1 << 31;
const LOWER_SCORE: u32 = 32;
const UPPER_SCORE: u32 = 48;

/// Sentinels for absent bounds, outside the range of scores.
const NO_LOWER: Score = Score::from_bits(i16::MIN.cast_unsigned());
const NO_UPPER: Score = Score::INFINITE;

const SAMPLE: usize = 4000;

impl<const WAYS: usize> TranspositionTable<WAYS> {
    /// An empty table of a size in MiB, at least 1.
    ///
    /// # Errors
    ///
    /// When the memory cannot be allocated.
    pub fn new(mebibytes: usize) -> Result<Self, SizeError> {
        let clusters = Clusters::new(mebibytes)?;
        Ok(Self { clusters, generation: 0, most_extended: AtomicU32::default() })
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.clusters.clear();
        self.generation = 0;
        *self.most_extended.get_mut() = 0;
    }

    /// Starts a new generation: entries of earlier generations are still found, but are replaced first.
    pub fn start_generation(&mut self) {
        self.generation = (self.generation + 1) % GENERATIONS;
    }

    /// The entry of the position with this key, if there is one.
    ///
    /// Finding an entry moves it to the current generation.
    pub fn probe(&self, key: u64) -> Option<Entry> {
        let data = self.clusters.probe(key)?;
        if generation_of(data) != self.generation {
            let renewed = with_generation(data, self.generation);
            self.clusters.store(key, |_| Some(renewed), |_| 0);
        }
        Some(decode(data))
    }

    /// Stores what a search has found; a limit that it has not found keeps its old value.
    ///
    /// In a full cluster, `Clusters::store` replaces the shallowest of the oldest entries.
    pub fn store(&self, key: u64, entry: Entry) {
        let completed = |old: Option<u64>| match old {
            Some(old) if old & LASTING == 0 => Some(encode(entry.completed(decode(old)))),
            Some(old) if depth_of(old) > depth_of(encode(entry)) => None,
            _ => Some(encode(entry)),
        };
        self.store_data(key, completed);
    }

    /// Stores an entry that does not age.
    pub fn store_lasting(&self, key: u64, entry: Entry) {
        self.store_data(key, |_| Some(encode(entry) | LASTING));
    }

    fn store_data(&self, key: u64, data: impl Fn(Option<u64>) -> Option<u64>) {
        let value = |old: u64| {
            let age = (self.generation + GENERATIONS - generation_of(old)) % GENERATIONS;
            let age = if old & LASTING != 0 { -1 } else { i32::from(age) };
            // A generation outweighs every depth.
            i32::from(depth_of(old)) - 256 * age
        };
        let current = |old| data(old).map(|data| with_generation(data, self.generation));
        self.clusters.store(key, current, value);
    }

    /// The share of the table that the current generation fills, in thousandths, estimated from a sample.
    pub fn permille_used(&self) -> u32 {
        let count = SAMPLE.min(self.clusters.capacity());
        let current = |data: &u64| generation_of(*data) == self.generation;
        (self.clusters.sample(count).filter(current).count() * 1000 / count) as u32
    }
}

fn encode(entry: Entry) -> u64 {
    let part = |limit: Option<Limit>, none: Score| match limit {
        Some(Limit { score, depth }) => (u64::from(score.bits()), u64::from(depth)),
        None => (u64::from(none.bits()), 0),
    };
    let (lower, lower_depth) = part(entry.lower, NO_LOWER);
    let (upper, upper_depth) = part(entry.upper, NO_UPPER);
    u64::from(entry.best.map_or(0, Move::bits))
        | lower_depth << LOWER_DEPTH
        | upper_depth << UPPER_DEPTH
        | lower << LOWER_SCORE
        | upper << UPPER_SCORE
}

fn decode(data: u64) -> Entry {
    let limit = |score: u32, depth: u32, none: Score| {
        let score = Score::from_bits((data >> score) as u16);
        (score != none).then_some(Limit { score, depth: bits(data, depth, DEPTH_BITS) as u8 })
    };
    Entry {
        best: Move::from_bits(bits(data, 0, MOVE_BITS) as u16),
        lower: limit(LOWER_SCORE, LOWER_DEPTH, NO_LOWER),
        upper: limit(UPPER_SCORE, UPPER_DEPTH, NO_UPPER),
    }
}

/// The `count` bits from the bit `from` on.
const fn bits(data: u64, from: u32, count: u32) -> u64 {
    data >> from & ((1 << count) - 1)
}

/// The greater depth of the two limits.
fn depth_of(data: u64) -> u8 {
    bits(data, LOWER_DEPTH, DEPTH_BITS).max(bits(data, UPPER_DEPTH, DEPTH_BITS)) as u8
}

const fn generation_of(data: u64) -> u8 {
    (data >> GENERATION) as u8 % GENERATIONS
}

const fn with_generation(data: u64, generation: u8) -> u64 {
    data & !((GENERATIONS as u64 - 1) << GENERATION) | (generation as u64) << GENERATION
}

/// Where the table stores a position.
#[derive(Clone, Copy)]
pub(super) struct TableKey {
    key: u64,
    /// The symmetry to the image that represents all images, if they share an entry.
    to_representative: Option<Symmetry>,
}

impl<R: Rules, F: Features> Worker<'_, R, F> {
    /// Where the table stores a position.
    pub(super) fn table_key(&self, position: &Position<R>) -> TableKey {
        // Whether the images of the position share its entry.
        let is_shared = F::ON.symmetry
            && position.phase() == Phase::Placing
            && (position.men(Side::White) | position.men(Side::Black)).len() <= MOST_SYMMETRIC_MEN;
        let to_representative = is_shared.then(|| to_representative(position));
        let key =
            to_representative.map_or(position.key(), |symmetry| position.image(symmetry).key());
        TableKey { key: key ^ self.key_salt ^ self.count_salt(position), to_representative }
    }

    /// The salt for the count of slides of a position, so that an entry is valid for this count
    /// only; 0 far from the n-move rule.
    fn count_salt(&self, position: &Position<R>) -> u64 {
        let count = if self.is_count_in_key(position) { position.quiet_plies() } else { 0 };
        spread(u64::from(count))
    }

    fn is_count_in_key(&self, position: &Position<R>) -> bool {
        self.is_near_n_move_rule && position.quiet_plies() > self.draw_rules.first_limit() / 2
    }

    /// Prefetches the entry of a position. This misses an entry shared with images, whose key would
    /// have to be found first.
    pub(super) fn prefetch(&self, position: &Position<R>) {
        self.table.clusters.prefetch(position.key() ^ self.key_salt ^ self.count_salt(position));
    }

    /// The entry of a position. Mates are counted from that position, as they are stored.
    pub(super) fn probe(&self, at: TableKey) -> Option<Entry> {
        let entry = self.table.probe(at.key)?;
        let Some(symmetry) = at.to_representative else { return Some(entry) };
        let best = entry.best.map(|mv| mv.image(symmetry.inverse()));
        Some(Entry { best, ..entry })
    }

    /// Stores the result of the node, whose mates are counted from the root.
    ///
    /// If the value depends on a position before the node, or on a count of slides that is not in
    /// the key, only the move is stored: after other moves the value may differ.
    pub(super) fn store(
        &self,
        at: TableKey,
        best: Option<Move>,
        score: Score,
        depth: u32,
        bound: Bound,
    ) {
        let image = |mv: Move| at.to_representative.map_or(mv, |symmetry| mv.image(symmetry));
        let best = best.map(image);
        let holds = self.is_count_in_key(&self.position)
            || self.is_before_n_move_rule(&self.position, score, depth);
        let entry = if self.rests_on == usize::MAX && holds {
            Entry::new(best, score.to_node(self.turns), depth as u8, bound)
        } else {
            Entry { best, ..Entry::default() }
        };
        self.table.store(at.key, entry);
    }

    /// The score of the node's entry, if a limit from a deep enough search lies outside the window,
    /// or both limits are equal.
    pub(super) fn transposition_cut(
        &self,
        entry: Option<Entry>,
        window: Window,
        depth: u32,
    ) -> Option<Score> {
        let entry = entry.filter(|_| F::ON.table_cut)?;
        let served = |limit: Option<Limit>| {
            let limit = limit.filter(|limit| self.serves(*limit, depth, &self.position));
            limit.map(|limit| limit.score.from_node(self.turns))
        };
        let lower = served(entry.lower);
        if lower.is_some_and(|score| score >= window.beta) {
            return lower;
        }
        let upper = served(entry.upper);
        upper.filter(|&score| score <= window.alpha || lower == Some(score))
    }

    /// Whether a limit of the value of a position is valid for a search to a depth.
    ///
    /// Near the n-move rule, no limit is valid unless the key includes the count of slides: another
    /// number of slides may have led to the position when it was stored.
    pub(super) fn serves(&self, limit: Limit, depth: u32, position: &Position<R>) -> bool {
        let found = u32::from(limit.depth);
        (found == depth || F::ON.deeper_results && found > depth)
            && (self.is_count_in_key(position)
                || self.is_before_n_move_rule(position, limit.score, depth.max(found)))
    }

    /// Whether the result of a search of a position to a depth, such as its score, comes before the
    /// n-move rule, even in extended lines.
    pub(super) fn is_before_n_move_rule(
        &self,
        position: &Position<R>,
        score: Score,
        depth: u32,
    ) -> bool {
        let seen = depth + self.table.most_extended.load(Relaxed);
        precedes_n_move_rule(score, seen, position.quiet_plies(), self.draw_rules)
    }
}

/// The symmetry to the image that represents all images.
fn to_representative<R: Rules>(position: &Position<R>) -> Symmetry {
    let [white, black] = Side::ALL.map(|side| position.men(side));
    let mut least = (u32::MAX, u32::MAX, Symmetry::IDENTITY);
    for symmetry in Symmetry::all() {
        let white = symmetry.set(white).bits();
        if white > least.0 {
            continue;
        }
        let black = symmetry.set(black).bits();
        if (white, black) < (least.0, least.1) {
            least = (white, black, symmetry);
        }
    }
    least.2
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::engine::Algorithm;
    use super::super::limits::Limits;
    use super::super::parameters::Full;
    use super::super::report::Silent;
    use super::super::worker::Root;
    use super::{TranspositionTable, *};
    use crate::game::Game;

    fn entry(depth: u8) -> Entry {
        Entry::new(None, Score::estimate(-5), depth, Bound::Upper)
    }

    proptest! {
        #[test]
        fn entries_are_found_as_they_were_stored(
            key: u64, score: i16, depth in 0..=Limit::DEEPEST, from in 0_usize..24, bound in 0_usize..3,
        ) {
            let from = crate::board::Square::ALL[from];
            let best = Some(Move::slide(from, crate::board::Square::D6));
            let score = Score::from_bits(score.cast_unsigned());
            prop_assume!(![NO_LOWER, NO_UPPER].contains(&score));
            let bound = [Bound::Lower, Bound::Upper, Bound::Exact][bound];
            let entry = Entry::new(best, score, depth, bound);
            let mut table = TranspositionTable::<4>::new(1).unwrap();
            (0..70).for_each(|_| table.start_generation());
            table.store(key, entry);
            prop_assert_eq!(table.probe(key), Some(entry));
        }
    }

    #[test]
    fn a_limit_does_not_erase_the_other() {
        let table = TranspositionTable::<4>::new(1).unwrap();
        let (mv, other) = ("d6".parse().ok(), "a1".parse().ok());
        let result =
            |best, score, depth, bound| Entry::new(best, Score::estimate(score), depth, bound);
        table.store(1, result(mv, 10, 5, Bound::Lower));
        table.store(1, result(None, 30, 4, Bound::Upper));
        let both = Entry {
            upper: result(None, 30, 4, Bound::Upper).upper,
            ..result(mv, 10, 5, Bound::Lower)
        };
        assert_eq!(table.probe(1), Some(both));
        table.store(1, result(other, 20, 4, Bound::Lower));
        let newer = Entry { best: other, lower: result(None, 20, 4, Bound::Lower).lower, ..both };
        assert_eq!(table.probe(1), Some(newer));
        table.store(1, Entry { best: mv, ..Entry::default() });
        assert_eq!(table.probe(1), Some(Entry { best: mv, ..newer }), "a move without a value");
        table.store(1, result(None, 40, 3, Bound::Exact));
        assert_eq!(table.probe(1), Some(result(mv, 40, 3, Bound::Exact)));
    }

    #[test]
    fn older_entries_are_replaced_before_shallower_ones() {
        let mut table = TranspositionTable::<4>::new(1).unwrap();
        (1..=4).for_each(|key| table.store(key, entry(90 + key as u8)));
        table.start_generation();
        assert_eq!(table.probe(1), Some(entry(91)), "renewed by being found");
        table.store(5, entry(1));
        table.store(6, entry(2));
        assert_eq!((table.probe(2), table.probe(3)), (None, None));
        assert_eq!(table.probe(4), Some(entry(94)));
        table.store(7, entry(3));
        let kept = [1, 4, 5, 6, 7].map(|key| table.probe(key).is_some());
        assert_eq!(kept, [true, true, false, true, true]);
    }

    #[test]
    fn lasting_entries_outlive_others_and_are_replaced_by_deeper_ones() {
        let mut table = TranspositionTable::<4>::new(1).unwrap();
        table.store_lasting(1, entry(9));
        for key in 2..100 {
            table.start_generation();
            table.store(key, entry(Limit::DEEPEST));
        }
        assert_eq!(table.probe(1), Some(entry(9)));
        table.store(1, entry(8));
        assert_eq!(table.probe(1), Some(entry(9)), "a shallower search changes nothing");
        table.store(1, entry(10));
        assert_eq!(table.probe(1), Some(entry(10)));
        (1..=5).for_each(|key| table.store_lasting(1000 + key, entry(100)));
        table.store(1, entry(1));
        assert_eq!(table.probe(1), Some(entry(1)), "a table of lasting entries can be used");
    }

    #[test]
    fn use_counts_the_current_generation_only() {
        let mut table = TranspositionTable::<4>::new(1).unwrap();
        assert_eq!(table.permille_used(), 0);
        for key in 0..1 << 17 {
            table.store(u64::from(key as u32).wrapping_mul(0x9E37_79B9_7F4A_7C15), entry(1));
        }
        assert!(table.permille_used() > 700);
        table.start_generation();
        assert_eq!(table.permille_used(), 0);
    }

    #[test]
    fn images_of_a_position_share_an_entry_with_the_image_of_its_move() {
        let mut game = Game::new();
        for mv in ["d6", "g7", "b4"] {
            game.play(mv.parse().unwrap()).unwrap();
        }
        let position = *game.position();
        let fixing = Symmetry::all().filter(|&symmetry| position.image(symmetry) == position);
        assert_eq!(fixing.count(), 1, "no image is the position itself");
        let table = TranspositionTable::new(1).unwrap();
        let limits = Limits::none();
        let (game, limits, algorithm) = (&game, &limits, Algorithm::default());
        let root = Root { game, tablebase: None, known: None, lines: &[], limits, algorithm };
        let mut observer = Silent;
        let worker = Worker::<_, Full>::new(root, &table, &mut observer);
        let best = game.moves()[5];
        let score = Score::estimate(7);
        worker.store(worker.table_key(&position), Some(best), score, 3, Bound::Exact);
        for symmetry in Symmetry::all() {
            let found = worker.probe(worker.table_key(&position.image(symmetry))).unwrap();
            assert_eq!(found, Entry::new(Some(best.image(symmetry)), score, 3, Bound::Exact));
        }
    }
}
