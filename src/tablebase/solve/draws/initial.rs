//! What is known about each drawn position before any quiet move is taken back.

use rayon::prelude::*;

use super::KnownDraws;
use crate::board::{SquareSet, Symmetry};
use crate::system::memory::zeros;
use crate::tablebase::draw_value::DrawCode;
use crate::tablebase::observer::check;
use crate::tablebase::ranks::rank;
use crate::tablebase::sector::Sector;
use crate::tablebase::solve::SolveError;
use crate::tablebase::solve::block::Block;
use crate::tablebase::solve::frontier::{BATCH, Frontier};
use crate::tablebase::solve::initial::{Levels, SAFE, SectorState, slots};
use crate::tablebase::solve::store::Store;
use crate::tablebase::value::Wdl;

impl SectorState<DrawCode> {
    /// Initialises a sector of the moving phase, given the preference for the best mill of each position.
    ///
    /// A drawn position has a counter of the moves that keep the draw and are not found to lead below the rank of
    /// the sector. Draws that are never decided have that rank.
    pub fn of_draws<const CROSSED: bool>(
        source: &KnownDraws<'_>,
        sector: Sector,
        mills: Vec<DrawCode>,
    ) -> Result<Self, SolveError> {
        let flies = source.known.game.flies(sector.own(), 0);
        let rank = source.order.rank(sector);
        let slots = slots(sector);
        let mut counters = source.count_quiet::<CROSSED>(sector, flies, &slots)?;
        let mut levels = Store::new(sector, mills, None)?;
        let file = source.known.file(sector)?;
        let blocks = counters.par_chunks_mut(sector.block_len()).zip(levels.blocks()).enumerate();
        let exits = blocks.map(|(number, (counters, codes))| {
            check(source.known.observer)?;
            let wdl = file.read_block::<Wdl>(number)?;
            let exits = codes.with(|codes| {
                let mut exits = Levels::default();
                for ((counter, code), wdl) in counters.iter_mut().zip(codes).zip(wdl) {
                    (*counter, *code) = match wdl {
                        Wdl::Draw => first(*counter, code.turned(rank), rank),
                        Wdl::Win => (0, DrawCode::WON),
                        Wdl::Loss => (0, DrawCode::LOST),
                    };
                    if let Some((value, _)) = code.draw().filter(|&(value, _)| value != rank) {
                        exits.insert(value as u8);
                    }
                }
                exits
            });
            Ok::<Levels, SolveError>(exits?)
        });
        let exits = exits.collect::<Result<_, _>>()?;
        Ok(Self { sector, flies, counters, levels, exits, slots })
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

impl KnownDraws<'_> {
    /// For each position of a sector the number of quiet moves to drawn positions.
    fn count_quiet<const CROSSED: bool>(
        &self,
        sector: Sector,
        flies: bool,
        slots: &[u32],
    ) -> Result<Vec<u8>, SolveError> {
        let drawn = self.drawn_of(sector.reply())?;
        let mut counters: Vec<u8> = zeros(sector.len());
        let blocks = counters.par_chunks_mut(sector.block_len()).enumerate();
        blocks.try_for_each(|(number, counters)| {
            check(self.known.observer)?;
            let block = Block::<CROSSED>::new(sector.opponent_of_block(number), flies);
            for reply in drawn.take(number) {
                let men = block.men(slots[reply]);
                let quiet = men - Block::<CROSSED>::in_mills(men);
                block.take_back(slots[reply], men, quiet, |before| counters[rank(before)] += 1);
            }
            Ok::<(), SolveError>(())
        })?;
        Ok(counters)
    }

    /// The drawn positions of a sector.
    fn drawn_of(&self, sector: Sector) -> Result<Frontier, SolveError> {
        let file = self.known.file(sector)?;
        let drawn = Frontier::empty(sector);
        (0..sector.blocks()).into_par_iter().try_for_each(|number| {
            check(self.known.observer)?;
            let images = Symmetry::images(sector.opponent_of_block(number));
            let men = sector.men_of_block(number).zip(file.read_block::<Wdl>(number)?);
            let men = men.filter(|(_, wdl)| *wdl == Wdl::Draw);
            let men: Vec<SquareSet> = men.map(|(men, _)| men).collect();
            men.chunks(BATCH).for_each(|men| drawn.insert(men.iter().copied(), &images));
            Ok::<(), SolveError>(())
        })?;
        Ok(drawn)
    }
}
