//! One block at one level: the positions that are decided there.

use super::block::Block;
use super::exits::Exits;
use super::frontier::{BATCH, Frontier};
use super::initial::SAFE;
use crate::board::{SquareSet, Symmetry};
use crate::tablebase::ranks::{compress, rank};

/// A block whose positions at one level are decided.
pub struct BlockLevel<'a, const CROSSED: bool, L> {
    pub level: L,
    pub block: &'a Block<CROSSED>,
    /// What is asked which moves can be taken back, where that is not only those that closed no mill.
    pub exits: Option<&'a Exits<'a>>,
    /// For each position of the block the number of moves that decide nothing yet, or [`SAFE`]; 0 once it
    /// is decided.
    pub counters: &'a mut [u8],
    /// The levels of decided positions, and of others that of the best exit.
    pub levels: &'a mut [L],
    /// The sets of slots by rank.
    pub slots: &'a [u32],
    /// Where the decided positions go.
    pub decided: &'a Frontier,
}

/// The first place where some levels are a given one: whole stretches are compared at once.
#[inline]
fn find<L: Copy + PartialEq>(level: L, levels: &[L]) -> Option<usize> {
    const STRETCH: usize = 32;
    let has_level = |stretch: &[L]| {
        stretch.iter().fold(0, |found, &other| found | u8::from(other == level)) != 0
    };
    let stretches = levels.chunks_exact(STRETCH).take_while(|stretch| !has_level(stretch)).count();
    let start = stretches * STRETCH;
    levels[start..].iter().position(|&other| other == level).map(|place| start + place)
}

/// Decided positions that have not been written yet.
struct New<'a> {
    /// The images of the opponent's men.
    standing: &'a [SquareSet; Symmetry::COUNT],
    positions: [Decided; BATCH],
    count: usize,
    written: u64,
}

#[derive(Clone, Copy, Default)]
struct Decided {
    rank: u32,
    slots: u32,
}

/// The most positions from which one move leads to the same position: one for each directed edge or, for
/// four men that fly where the opponent has none on the board, 4 * 20; and one that passes.
const MOST_MOVES: usize = 81;

impl<const CROSSED: bool, L: Copy + PartialEq> BlockLevel<'_, CROSSED, L> {
    /// Decides the positions from which a quiet move leads to one of `replies`, given by rank, and if
    /// `has_exits` those that an exit decides: as won (`WINS`) by their first move, or as lost by their last.
    /// Returns their number.
    #[inline]
    pub fn decide<const WINS: bool>(
        &mut self,
        replies: impl Iterator<Item = usize>,
        has_exits: bool,
    ) -> u64 {
        let standing = Symmetry::images(self.block.standing);
        let positions = [Decided::default(); BATCH];
        let mut new = New { standing: &standing, positions, count: 0, written: 0 };
        for reply in replies {
            self.take_back::<WINS>(self.slots[reply], &mut new);
            self.write_if_full(&mut new);
        }
        let mut rank = 0;
        while has_exits && let Some(more) = find(self.level, &self.levels[rank..]) {
            rank += more;
            new.positions[new.count] = Decided { rank: rank as u32, slots: self.slots[rank] };
            new.count += usize::from(reach::<WINS>(&mut self.counters[rank]));
            self.write_if_full(&mut new);
            rank += 1;
        }
        self.write(&mut new);
        new.written
    }

    /// Takes back every quiet move that leads to the men on a set of slots.
    ///
    /// A man in a mill did not get there by a quiet move: it closed the mill.
    #[inline]
    fn take_back<const WINS: bool>(&mut self, slots: u32, new: &mut New) {
        let men = self.block.men(slots);
        let quiet = men - Block::<CROSSED>::in_mills(men);
        let mut count = new.count;
        let mut visit = |before: u32| {
            let rank = rank(before);
            new.positions[count] = Decided { rank: rank as u32, slots: before };
            count += usize::from(reach::<WINS>(&mut self.counters[rank]));
        };
        match self.exits {
            None => self.block.take_back(slots, men, quiet, visit),
            Some(exits) => {
                let standing = self.block.standing;
                for before in exits.before(men, standing) {
                    visit(compress(before, !standing));
                }
            }
        }
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
            self.levels[position.rank as usize] = self.level;
        }
        let men = positions.iter().map(|position| self.block.men(position.slots));
        self.decided.insert(men, new.standing);
        new.written += new.count as u64;
        new.count = 0;
    }
}

/// Counts one more move of a position that is known at this level. Returns whether that decides it.
///
/// Free of branches, since no branch predictor could guess them.
#[inline]
fn reach<const WINS: bool>(counter: &mut u8) -> bool {
    let is_open = if WINS { *counter != 0 } else { *counter != 0 && *counter != SAFE };
    let left = if WINS { 0 } else { *counter - u8::from(is_open) };
    *counter = left;
    is_open && left == 0
}
