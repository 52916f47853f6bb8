//! One block at one level.

use memchr::memchr;

use super::block::Block;
use super::frontier::{BATCH, Frontier};
use super::place_ranks::PlaceRanks;
use super::start::SAFE;
use crate::board::{Diagonals, SquareSet, Symmetry, lines};

/// A block while positions that end in `level` plies are looked for.
pub struct Deciding<'a> {
    pub level: u8,
    pub block: &'a Block,
    /// The parts of [`Start::open`](super::start::Start::open) and
    /// [`Start::plies`](super::start::Start::plies) that belong to the block.
    pub open: &'a mut [u8],
    pub plies: &'a mut [u8],
    /// The sets of places by rank.
    pub places: &'a [u32],
    pub ranks: &'a PlaceRanks,
    /// Where the positions decided go.
    pub decided: &'a Frontier,
}

/// Positions decided that wait for being written down.
struct New<'a> {
    /// The images of the men that stand still.
    standing: &'a [SquareSet; Symmetry::COUNT],
    positions: [Found; BATCH],
    count: usize,
    written: u64,
}

#[derive(Clone, Copy, Default)]
struct Found {
    rank: u32,
    places: u32,
}

/// No position is reached from more others by one move: there are so many directed edges, and three
/// flying men come from at most 3 * 18 points.
const MOST_MOVES: usize = super::slides::SLIDES;

impl Deciding<'_> {
    /// Decides what the replies, given by rank, and perhaps the mills decide; how much that is.
    pub fn decide(&mut self, replies: impl Iterator<Item = usize>, has_mills: bool) -> u64 {
        if self.level % 2 == 1 {
            self.decide_all::<true>(replies, has_mills)
        } else {
            self.decide_all::<false>(replies, has_mills)
        }
    }

    #[inline]
    fn decide_all<const WINS: bool>(
        &mut self,
        replies: impl Iterator<Item = usize>,
        has_mills: bool,
    ) -> u64 {
        let standing = Symmetry::images(self.block.standing);
        let positions = [Found::default(); BATCH];
        let mut new = New { standing: &standing, positions, count: 0, written: 0 };
        for reply in replies {
            self.spread_from::<WINS>(self.places[reply], &mut new);
            self.write_if_full(&mut new);
        }
        let mut rank = 0;
        while has_mills && let Some(more) = memchr(self.level, &self.plies[rank..]) {
            rank += more;
            new.positions[new.count] = Found { rank: rank as u32, places: self.places[rank] };
            new.count += usize::from(reach::<WINS>(&mut self.open[rank]));
            self.write_if_full(&mut new);
            rank += 1;
        }
        self.write(&mut new);
        new.written
    }

    /// Takes back every quiet move that leads to the men on a set of places.
    ///
    /// A man in a mill has closed it with its last move, which was not quiet then.
    #[inline]
    fn spread_from<const WINS: bool>(&mut self, places: u32, new: &mut New) {
        let men = self.block.men(places);
        let quiet = men - lines::in_mills(men, Diagonals::Without);
        let mut count = new.count;
        self.block.take_back(places, men, quiet, |before| {
            let rank = self.ranks.rank(before) as u32;
            new.positions[count] = Found { rank, places: before };
            count += usize::from(reach::<WINS>(&mut self.open[rank as usize]));
        });
        new.count = count;
    }

    #[inline]
    fn write_if_full(&mut self, new: &mut New) {
        if new.count > BATCH - MOST_MOVES {
            self.write(new);
        }
    }

    #[inline(never)]
    fn write(&mut self, new: &mut New) {
        let positions = &new.positions[..new.count];
        for position in positions {
            self.plies[position.rank as usize] = self.level;
        }
        let men = positions.iter().map(|position| self.block.men(position.places));
        self.decided.insert(men, new.standing);
        new.written += new.count as u64;
        new.count = 0;
    }
}

/// Has one more move of a position end at this level; whether that decides it.
///
/// There is no branch because nothing could predict it.
#[inline]
fn reach<const WINS: bool>(open: &mut u8) -> bool {
    let waits = if WINS { *open != 0 } else { *open != 0 && *open != SAFE };
    let left = if WINS { 0 } else { *open - u8::from(waits) };
    *open = left;
    waits && left == 0
}
