//! The columns of a sector file that say where its draws come to rest.
//!
//! Which positions are drawn the wins, draws and losses say, so that both are read together.

use super::FileError;
use super::chunks::CHUNK;
use super::columns::{self, COLUMNS, Coding, RANKS, Symbols, TURNS};
use super::read::SectorFile;
use super::write::write_from;
use crate::system::file_at::DiskAccess;
use crate::tablebase::draw_value::{DrawCode, DrawOrder, DrawOrderKind, DrawValue};
use crate::tablebase::sector::Sector;
use crate::tablebase::value::{Solved, Wdl};

/// What the header of a file states of draws.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rests {
    /// The order of the sectors.
    pub kind: DrawOrderKind,
    /// Where draws come to rest, the worst for the side to move first, and how many do so, symmetric positions
    /// counted once; none stands for all that favour neither side. The sector itself is always among
    /// them.
    pub places: Vec<(Option<Sector>, u64)>,
    /// Which of them the sector itself is, if it has one that is kept with turns.
    pub own: Option<usize>,
}

impl SectorFile {
    /// Whether the file says where draws come to rest.
    pub fn has_draws(&self) -> bool {
        self.header.draws.is_some()
    }

    /// The order of the sectors by which its draws were solved, if they were.
    pub fn draw_order_kind(&self) -> Option<DrawOrderKind> {
        self.header.draws.as_ref().map(|draws| draws.kind)
    }

    /// Where draws come to rest, the worst for the side to move first, and how many do so, symmetric positions
    /// counted once; none stands for all that favour neither side. Empty where the file does not say it.
    pub fn rests(&self) -> &[(Option<Sector>, u64)] {
        self.header.draws.as_ref().map_or(&[], |draws| &draws.places)
    }

    /// The size of what the file says of draws in bytes.
    pub fn draw_bytes(&self) -> usize {
        self.layout.end() - self.layout.start_of(RANKS)
    }

    /// Where the position with an index comes to rest, or `None` if it is not drawn, the file is damaged or does not
    /// say it.
    pub(crate) fn draw_value_if(&self, index: usize, access: DiskAccess<'_>) -> Option<DrawValue> {
        let wdl = self.wdl_up_to(index, access)?;
        let (_, before) = wdl.split_last().filter(|(wdl, _)| **wdl == Wdl::Draw)?;
        let ranks = self.symbols(RANKS, index / CHUNK, access)?;
        let turns = match self.layout.columns[TURNS] {
            Some(_) => Some(self.symbols(TURNS, index / CHUNK, access)?),
            None => None,
        };
        let mut columns = [Some(ranks), turns];
        for _ in before.iter().filter(|wdl| **wdl == Wdl::Draw) {
            self.next_draw(&mut columns)?;
        }
        let (place, turns) = self.next_draw(&mut columns)?;
        let (rest, _) = *self.rests().get(place)?;
        Some(DrawValue { rest, turns })
    }

    /// The codes of the positions of a block in an order of the sectors.
    ///
    /// # Errors
    ///
    /// When the file is damaged or does not say it.
    pub(crate) fn draws_of_block(
        &self,
        block: usize,
        order: &DrawOrder,
    ) -> Result<Vec<DrawCode>, FileError> {
        let ranks: Vec<i8> =
            self.rests().iter().map(|(rest, _)| rest.map_or(0, |rest| order.rank(rest))).collect();
        let codes = self.decode(self.block_indices(block), [RANKS, TURNS], |wdl, columns| {
            Some(match wdl {
                Wdl::Loss => DrawCode::LOST,
                Wdl::Win => DrawCode::WON,
                Wdl::Draw => {
                    let (place, turns) = self.next_draw(columns)?;
                    DrawCode::drawn(*ranks.get(place)?, turns.unwrap_or_default())
                }
            })
        });
        codes?.into_iter().collect::<Option<_>>().ok_or_else(|| self.damage())
    }

    /// The number of the place where the next draw of a chunk comes to rest, and after how many turns.
    #[inline]
    fn next_draw(
        &self,
        [ranks, turns]: &mut [Option<Symbols<'_>>; 2],
    ) -> Option<(usize, Option<u8>)> {
        let place = usize::from(ranks.as_mut()?.next(0));
        let own = self.header.draws.as_ref()?.own;
        let turns = turns.as_mut().map(|turns| match own {
            Some(own) if own != place => turns.next(usize::from(place > own)),
            _ => 0,
        });
        Some((place, turns))
    }
}

/// Writes a file anew with where its draws come to rest, whole or not at all.
///
/// # Errors
///
/// When the file is damaged, or the system refuses, as when the disk is full; the old file stays.
pub fn add_draws(
    file: SectorFile,
    solved: &Solved<DrawCode>,
    order: &DrawOrder,
) -> Result<(), FileError> {
    let path = file.path().to_owned();
    write_from(&path, file, RANKS..COLUMNS, |header, out| {
        let (sector, codes) = (solved.sector, solved.values());
        let own = order.rank(sector);
        let counts = solved.count(|code| code.draw().map(|(rank, _)| rank as u8));
        let (mut number_of, mut places) = ([0; 1 << u8::BITS], Vec::new());
        for rank in i8::MIN..=i8::MAX {
            let count = counts[usize::from(rank as u8)];
            if count > 0 || rank == own {
                number_of[usize::from(rank as u8)] = places.len() as u8;
                places.push((order.sector(rank), count));
            }
        }
        let number_of = |rank: i8| number_of[usize::from(rank as u8)];
        let ranks = columns::write(out, codes, Coding::places(places.len()), |chunk| {
            chunk.iter().filter_map(|code| code.draw()).map(move |(rank, _)| (0, number_of(rank)))
        });
        header.columns[RANKS] = Some(ranks?);
        if !sector.is_placing() {
            let turns = columns::write(out, codes, Coding::TURNS, |chunk| {
                let draws = chunk.iter().filter_map(|code| code.draw());
                let away = draws.filter(move |(rank, _)| *rank != own);
                away.map(move |(rank, turns)| (usize::from(rank > own), turns))
            });
            header.columns[TURNS] = Some(turns?);
        }
        let own = (!sector.is_placing()).then(|| number_of(own).into());
        header.draws = Some(Rests { kind: order.kind(), places, own });
        Ok(())
    })
}
