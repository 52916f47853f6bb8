//! What is known about each drawn position before any quiet move is taken back.

use arrayvec::ArrayVec;
use bytemuck::allocation::zeroed_vec;
use rayon::prelude::*;

use super::KnownDraws;
use crate::board::{Square, SquareSet, Symmetry};
use crate::tablebase::observer::{SolveObserver, check};
use crate::tablebase::orbits::Orbits;
use crate::tablebase::ranks::{SlotRanks, sets};
use crate::tablebase::sector::Sector;
use crate::tablebase::solve::SolveError;
use crate::tablebase::solve::block::Block;
use crate::tablebase::solve::frontier::{BATCH, Frontier};
use crate::tablebase::solve::initial::SAFE;
use crate::tablebase::solved_draws::DrawCode;
use crate::tablebase::value::Wdl;

/// A sector while its draws are solved.
pub struct DrawState {
    pub sector: Sector,
    /// Its rank, which is that of all draws that are never decided.
    pub rank: i8,
    /// Whether the side to move flies.
    pub flies: bool,
    /// For each drawn position the number of moves that keep the draw and have not been found to lead below
    /// the rank, or [`SAFE`]; 0 once it is decided.
    pub counters: Vec<u8>,
    /// For each decided position its code. Before, the code by its best exit, or none at rest.
    pub codes: Vec<DrawCode>,
    /// For each block the ranks other than that of the sector that exits lead to.
    pub exits: Vec<Ranks>,
}

/// A set of ranks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ranks(u128);

impl Ranks {
    /// Whether a rank is in it.
    #[inline]
    pub fn contains(self, rank: i8) -> bool {
        self.0 >> (i16::from(rank) + 64) & 1 == 1
    }

    #[inline]
    fn insert(&mut self, rank: i8) {
        self.0 |= 1 << (i16::from(rank) + 64);
    }
}

impl DrawState {
    /// Initialises a sector of the moving phase. `mills` has the preference for the best mill of each
    /// position.
    pub fn new<const CROSSED: bool>(
        source: &KnownDraws<'_>,
        sector: Sector,
        mills: Vec<u16>,
        observer: &dyn SolveObserver,
    ) -> Result<Self, SolveError> {
        let flies = source.game.flies(sector.own(), 0);
        let rank = source.order.rank(sector);
        let mut counters = count_quiet::<CROSSED>(source, sector, flies, observer)?;
        let mut codes = DrawCode::all_from_preferences(mills);
        let file = source.file(sector)?;
        let len = sector.block_len();
        let blocks = counters.par_chunks_mut(len).zip(codes.par_chunks_mut(len)).enumerate();
        let exits = blocks.map(|(number, (counters, codes))| {
            check(observer)?;
            let mut exits = Ranks::default();
            let wdl = file.wdl_of_block(number)?;
            for ((counter, code), wdl) in counters.iter_mut().zip(codes).zip(wdl) {
                (*counter, *code) = match wdl {
                    Wdl::Draw => {
                        first(*counter, DrawCode::preferred(code.as_preference(), rank), rank)
                    }
                    Wdl::Win => (0, DrawCode::WON),
                    Wdl::Loss => (0, DrawCode::LOST),
                };
                if let Some((value, _)) = code.draw().filter(|&(value, _)| value != rank) {
                    exits.insert(value);
                }
            }
            Ok::<Ranks, SolveError>(exits)
        });
        let exits = exits.collect::<Result<_, _>>()?;
        Ok(Self { sector, rank, flies, counters, codes, exits })
    }
}

/// The counter and the code of a drawn position, given how many quiet moves keep the draw, and its best exit.
#[inline]
fn first(quiet: u8, exit: DrawCode, rank: i8) -> (u8, DrawCode) {
    match exit.draw() {
        // All exits below the rank count as one move: the best of them decides.
        Some((value, _)) if value < rank => (quiet + 1, exit),
        Some((value, _)) if value > rank => (SAFE, exit),
        Some(_) => (SAFE, DrawCode::drawn(rank, 0)),
        None => (quiet, DrawCode::drawn(rank, 0)),
    }
}

/// For each position of a sector the number of quiet moves to drawn positions.
fn count_quiet<const CROSSED: bool>(
    source: &KnownDraws<'_>,
    sector: Sector,
    flies: bool,
    observer: &dyn SolveObserver,
) -> Result<Vec<u8>, SolveError> {
    let drawn = drawn_of::<CROSSED>(source, sector.reply(), observer)?;
    let orbits = Orbits::of(sector.opponent());
    let slots: Vec<u32> = sets(Square::COUNT - sector.opponent(), sector.own()).collect();
    let ranks = SlotRanks::of(sector.own());
    let mut counters: Vec<u8> = zeroed_vec(sector.len());
    let blocks = counters.par_chunks_mut(sector.block_len()).enumerate();
    blocks.try_for_each(|(number, counters)| {
        check(observer)?;
        let block = Block::<CROSSED>::new(orbits.representative(number), flies);
        for reply in drawn.take(number) {
            let men = block.men(slots[reply]);
            let quiet = men - Block::<CROSSED>::in_mills(men);
            block.take_back(slots[reply], men, quiet, |before| counters[ranks.rank(before)] += 1);
        }
        Ok::<(), SolveError>(())
    })?;
    Ok(counters)
}

/// The drawn positions of a sector.
fn drawn_of<const CROSSED: bool>(
    source: &KnownDraws<'_>,
    sector: Sector,
    observer: &dyn SolveObserver,
) -> Result<Frontier, SolveError> {
    let file = source.file(sector)?;
    let drawn = Frontier::empty(sector);
    let orbits = Orbits::of(sector.opponent());
    (0..orbits.len()).into_par_iter().try_for_each(|number| {
        check(observer)?;
        let block = Block::<CROSSED>::new(orbits.representative(number), false);
        let images = Symmetry::images(block.standing);
        let wdl = file.wdl_of_block(number)?;
        let sets = sets(block.free_slots(), sector.own()).zip(wdl);
        let men = sets.filter(|(_, wdl)| *wdl == Wdl::Draw).map(|(slots, _)| block.men(slots));
        let mut men = men.fuse();
        loop {
            let batch: ArrayVec<SquareSet, BATCH> = men.by_ref().take(BATCH).collect();
            let is_last = !batch.is_full();
            drawn.insert(batch.into_iter(), &images);
            if is_last {
                return Ok::<(), SolveError>(());
            }
        }
    })?;
    Ok(drawn)
}
