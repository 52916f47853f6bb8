//! Reading and writing the transposition table at a node.
//!
//! All 16 images of a position under the symmetries of the board are worth the same. While few men
//! are on the board most of them occur in a search, so they share an entry: that of the image whose
//! men have the lowest bits. Later hardly two images occur, and finding that image would cost more
//! than it saves.
//!
//! See: Richard Greenblatt, Donald Eastlake and Stephen Crocker, "The Greenblatt Chess Program",
//! 1967.

use std::sync::atomic::Ordering::Relaxed;

use super::draw::precedes_n_move_rule;
use super::features::Features;
use super::parameters::MOST_SYMMETRIC_MEN;
use super::tt::{Entry, Limit};
use super::worker::Worker;
use crate::board::{Side, Symmetry};
use crate::position::{Move, Phase, Position};
use crate::rules::Rules;
use crate::score::{Bound, Score, Window};

/// Where the table stores a position.
#[derive(Clone, Copy)]
pub(super) struct TableKey {
    key: u64,
    /// The symmetry to the image that represents all, if they share an entry.
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

    /// What the count of slides adds to the key of a position, so that an entry is of that count: nothing where the
    /// n-move rule is far.
    fn count_salt(&self, position: &Position<R>) -> u64 {
        const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;
        let count = if self.is_count_in_key(position) { position.quiet_plies() } else { 0 };
        u64::from(count).wrapping_mul(SPREAD)
    }

    fn is_count_in_key(&self, position: &Position<R>) -> bool {
        self.is_near_n_move_rule && position.quiet_plies() > self.draw_rules.first_limit() / 2
    }

    /// Fetches the entry of a position from memory, unless it is shared with the images, whose key would have to
    /// be found first.
    pub(super) fn prefetch(&self, position: &Position<R>) {
        self.table.prefetch(position.key() ^ self.key_salt ^ self.count_salt(position));
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
    /// Of a value that rests on a position before the node, or on a count of slides that is not in the key, only the
    /// move is stored: after other moves it may be another.
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
            Entry::of_move(best)
        };
        self.table.store(at.key, entry);
    }

    /// A score of the entry of the node, if a limit from a search deep enough lies beyond the window,
    /// or both limits are the value.
    pub(super) fn transposition_cut(
        &self,
        entry: Entry,
        window: Window,
        depth: u32,
    ) -> Option<Score> {
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

    /// Whether a limit of the value of a position serves a search to a depth.
    ///
    /// Where the key does not tell the count of slides,
    /// no limit serves near the n-move rule: other slides may have led to the position when it was stored.
    pub(super) fn serves(&self, limit: Limit, depth: u32, position: &Position<R>) -> bool {
        let found = u32::from(limit.depth);
        (found == depth || F::ON.deeper_results && found > depth)
            && (self.is_count_in_key(position)
                || self.is_before_n_move_rule(position, limit.score, depth.max(found)))
    }

    /// Whether what a search to a depth finds of a position, such as its score, comes before the n-move rule, even in
    /// lines that are extended.
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

/// The symmetry to the image that represents all.
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
    use super::super::engine::Algorithm;
    use super::super::features::Full;
    use super::super::limits::Limits;
    use super::super::observer::Silent;
    use super::super::tt::TranspositionTable;
    use super::super::worker::{Context, Root};
    use super::*;
    use crate::game::Game;

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
        let root = Root { game: &game, tablebase: None, known: None, lines: &[], limits: &limits };
        let context = Context { root, table: &table, algorithm: Algorithm::default() };
        let mut observer = Silent;
        let worker = Worker::<_, Full>::new(context, &mut observer);
        let best = game.moves()[5];
        let score = Score::estimate(7);
        worker.store(worker.table_key(&position), Some(best), score, 3, Bound::Exact);
        for symmetry in Symmetry::all() {
            let found = worker.probe(worker.table_key(&position.image(symmetry))).unwrap();
            assert_eq!(found, Entry::new(Some(best.image(symmetry)), score, 3, Bound::Exact));
        }
    }
}
