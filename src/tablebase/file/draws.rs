//! The file of the draws of a sector, beside the sector's own: where each comes to rest.
//!
//! Which positions are drawn only the sector file says, so that both are read together.

use std::io::{self, Seek, Write};
use std::iter;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use arrayvec::ArrayVec;
use rayon::prelude::*;

use super::chunks::{CHUNK, Chunk};
use super::draw_header::{DrawHeader, DrawLayout};
use super::error::{FileError, Flaw};
use super::header::{file_number, unpack_lengths};
use super::pages::{self, Pages, file_len};
use super::read::SectorFile;
use super::rests::{self, TURN_CONTEXTS, TURNS, rank_contexts, rank_symbols, turn_symbols};
use super::write::{PageWriter, write_packed};
use crate::rules::Identity;
use crate::system::regular_file;
use crate::system::whole_file;
use crate::tablebase::disk::DiskAccess;
use crate::tablebase::draw_value::{DrawOrder, DrawOrderKind, DrawValue};
use crate::tablebase::orbits::Orbits;
use crate::tablebase::ranks::{expand, sets};
use crate::tablebase::sector::Sector;
use crate::tablebase::solved_draws::{DrawCode, SolvedDraws};
use crate::tablebase::value::Wdl;

/// An open file of draws.
///
/// Every value it gives has been checked; once a page is found damaged, it gives no more values.
pub struct DrawFile {
    path: PathBuf,
    header: DrawHeader,
    layout: DrawLayout,
    pages: Pages,
    /// The codes of ranks and turns, read when the first is wanted, or `None` if they are damaged.
    codes: OnceLock<Option<(rests::RestUnpacker, Option<rests::RestUnpacker>)>>,
}

impl DrawFile {
    /// Opens the file of the draws of a sector of a game.
    ///
    /// # Errors
    ///
    /// When it cannot be read, belongs to another sector or game, has another format version, or its
    /// header or checksums are damaged.
    pub fn open(path: &Path, sector: Sector, identity: Identity) -> Result<Self, FileError> {
        Self::read(path, sector, identity).map_err(|flaw| FileError::new(path, flaw))
    }

    fn read(path: &Path, sector: Sector, identity: Identity) -> Result<Self, Flaw> {
        let mut file = regular_file::open(path)?;
        let header = DrawHeader::from_page(&pages::read_first(&mut file)?)?;
        if header.identity != identity {
            return Err(Flaw::Rules { found: header.identity });
        }
        if header.sector != sector {
            return Err(Flaw::Sector { expected: sector });
        }
        let layout = header.layout();
        let pages = Pages::open(file, !file_number(identity, sector, false), layout.end)?;
        Ok(Self { path: path.to_owned(), header, layout, pages, codes: OnceLock::new() })
    }

    /// Its path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The sector.
    #[must_use]
    pub fn sector(&self) -> Sector {
        self.header.sector
    }

    /// The order of the sectors by which it was solved.
    #[must_use]
    pub fn order_kind(&self) -> DrawOrderKind {
        self.header.kind
    }

    /// The size of the file in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        file_len(self.layout.end)
    }

    /// Where draws come to rest, the worst for the side to move first, and how many do so, symmetric positions
    /// counted once; none stands for all that favour neither side.
    #[must_use]
    pub fn rests(&self) -> &[(Option<Sector>, u64)] {
        &self.header.rests
    }

    /// Whether no damage has been found, so that it gives values.
    #[must_use]
    pub fn is_usable(&self) -> bool {
        !self.pages.is_damaged()
    }

    /// The damage that was found while reading, reported once.
    pub fn take_damage(&self) -> Option<FileError> {
        self.pages.take_damage().map(|flaw| FileError::new(&self.path, flaw))
    }

    /// Reads and checks the whole file.
    ///
    /// # Errors
    ///
    /// When a page is damaged.
    pub fn check(&self) -> Result<(), FileError> {
        if self.pages.are_good() { Ok(()) } else { Err(self.damage()) }
    }

    /// Where the position with an index comes to rest, given the file of its sector, or `None` if it is not drawn,
    /// or a file is damaged.
    pub(in crate::tablebase) fn value_if(
        &self,
        index: usize,
        sector: &SectorFile,
        access: DiskAccess<'_>,
    ) -> Option<DrawValue> {
        let wdl = sector.wdl_of_chunk(index / CHUNK, access)?;
        let in_chunk = index % CHUNK;
        if *wdl.get(in_chunk)? != Wdl::Draw {
            return None;
        }
        let before = wdl[..in_chunk].iter().filter(|wdl| **wdl == Wdl::Draw).count();
        let packed = self.packed(index / CHUNK, access)?;
        let (symbol, turns) = self.draws(&packed, access)?.nth(before)?;
        let (rest, _) = *self.header.rests.get(symbol)?;
        Some(DrawValue { rest, turns })
    }

    /// Reads the codes of all positions, given the file of the sector.
    ///
    /// # Errors
    ///
    /// When a file is damaged.
    pub(in crate::tablebase) fn load(
        &self,
        sector: &SectorFile,
        order: &DrawOrder,
    ) -> Result<SolvedDraws, FileError> {
        let ranks = self.ranks(sector, order);
        let mut codes = vec![DrawCode::LOST; self.sector().len()];
        let chunks = codes.par_chunks_mut(CHUNK).enumerate();
        let is_read = chunks.map(|(number, codes)| {
            codes.iter_mut().zip(ranks.of_chunk(number)?).for_each(|(to, code)| *to = code);
            Some(())
        });
        if is_read.all(|is_read| is_read.is_some()) {
            Ok(SolvedDraws::new(self.sector(), codes))
        } else {
            Err(ranks.damage())
        }
    }

    /// What reads the codes of positions in an order, given the file of the sector.
    pub(in crate::tablebase) fn ranks<'a>(
        &'a self,
        sector: &'a SectorFile,
        order: &DrawOrder,
    ) -> DrawRanks<'a> {
        let rest = |(rest, _): &(Option<Sector>, u64)| rest.map_or(0, |rest| order.rank(rest));
        DrawRanks { draws: self, sector, ranks: self.header.rests.iter().map(rest).collect() }
    }

    /// The packed ranks and turns of a chunk.
    fn packed(&self, chunk: usize, access: DiskAccess<'_>) -> Option<(Chunk, Option<Chunk>)> {
        let ranks = self.layout.ranks.get(chunk, &self.pages, access)?;
        let turns = match &self.layout.turns {
            Some((_, chunks)) => Some(chunks.get(chunk, &self.pages, access)?),
            None => None,
        };
        Some((ranks, turns))
    }

    /// Where the draws of a chunk come to rest, as places in [`rests`](Self::rests), and after how many turns.
    fn draws<'a>(
        &'a self,
        (of_ranks, of_turns): &'a (Chunk, Option<Chunk>),
        access: DiskAccess<'_>,
    ) -> Option<impl Iterator<Item = (usize, Option<u8>)> + use<'a>> {
        let (ranks, turns) = self.codes(access)?;
        let own = self.header.own;
        let turns = turns.as_ref().zip(of_turns.as_ref());
        let mut turns = turns.map(|(codes, chunk)| codes.turns(chunk.bytes()));
        Some(ranks.ranks(of_ranks.bytes()).map(move |symbol| {
            let turns = turns.as_mut().map(|turns| match own {
                Some(own) if own != symbol => turns.next(symbol > own),
                _ => 0,
            });
            (symbol, turns)
        }))
    }

    fn codes(
        &self,
        access: DiskAccess<'_>,
    ) -> Option<&(rests::RestUnpacker, Option<rests::RestUnpacker>)> {
        let part_of_turns = self.layout.turns.as_ref().map(|(part, _)| part);
        let mut parts = iter::once(&self.layout.rank_codes).chain(part_of_turns);
        let may_read = |part: &Range<usize>| self.pages.may_read(part.clone(), access);
        if self.codes.get().is_none() && !parts.all(may_read) {
            return None;
        }
        let read = || {
            let read = |part: &Range<usize>, symbols: usize| {
                let piece = self.pages.read(part.clone())?;
                let bytes = piece.get(part.start, part.len())?;
                let codes = rests::RestUnpacker::new(&unpack_lengths(bytes, symbols));
                if codes.is_none() {
                    self.pages.note_damage(part.start);
                }
                codes
            };
            let ranks = read(&self.layout.rank_codes, self.header.rests.len())?;
            let turns = match part_of_turns {
                Some(part) => Some(read(part, TURNS)?),
                None => None,
            };
            Some((ranks, turns))
        };
        self.codes.get_or_init(read).as_ref()
    }

    /// The damage that was found; that of the first page if all checksums fit.
    fn damage(&self) -> FileError {
        let damage = self.pages.damage().unwrap_or(Flaw::Damage { offset: 0 });
        FileError::new(&self.path, damage)
    }
}

/// Reads the codes of the positions of a sector.
pub struct DrawRanks<'a> {
    draws: &'a DrawFile,
    sector: &'a SectorFile,
    /// The ranks of the sectors that draws come to rest in.
    ranks: Vec<i8>,
}

impl DrawRanks<'_> {
    /// The codes of a block, by rank of the own men.
    ///
    /// # Errors
    ///
    /// When a file is damaged.
    pub fn of_block(&self, block: usize) -> Result<Vec<DrawCode>, FileError> {
        let len = self.sector.sector().block_len();
        let first = self.sector.sector().index(block, 0);
        let mut codes = Vec::with_capacity(len + 2 * CHUNK);
        for chunk in first / CHUNK..(first + len).div_ceil(CHUNK) {
            codes.extend(self.of_chunk(chunk).ok_or_else(|| self.damage())?);
        }
        codes.drain(..first % CHUNK);
        codes.truncate(len);
        Ok(codes)
    }

    /// The codes of a chunk, or `None` if a file is damaged.
    fn of_chunk(&self, number: usize) -> Option<ArrayVec<DrawCode, CHUNK>> {
        let wdl = self.sector.wdl_of_chunk(number, DiskAccess::Blocking)?;
        let packed = self.draws.packed(number, DiskAccess::Blocking)?;
        let mut draws = self.draws.draws(&packed, DiskAccess::Blocking)?;
        let code = |wdl| {
            Some(match wdl {
                Wdl::Loss => DrawCode::LOST,
                Wdl::Win => DrawCode::WON,
                Wdl::Draw => {
                    let (symbol, turns) = draws.next()?;
                    DrawCode::drawn(*self.ranks.get(symbol)?, turns.unwrap_or_default())
                }
            })
        };
        wdl.into_iter().map(code).collect()
    }

    /// The damage that was found.
    fn damage(&self) -> FileError {
        self.sector.check().err().unwrap_or_else(|| self.draws.damage())
    }
}

/// Writes the draws of a sector to a file, whole or not at all.
///
/// # Errors
///
/// When the system refuses, as when the disk is full; what was written is removed.
pub fn write_draws(
    path: &Path,
    solved: &SolvedDraws,
    order: &DrawOrder,
    identity: Identity,
) -> io::Result<()> {
    whole_file::write(path, |file| write_to(file, solved, order, identity))
}

fn write_to(
    file: impl Write + Seek,
    solved: &SolvedDraws,
    order: &DrawOrder,
    identity: Identity,
) -> io::Result<()> {
    let sector = solved.sector;
    let own_rank = order.rank(sector);
    let counts = count(solved);
    let mut symbol_of = [0; RANKS];
    let mut rests = Vec::new();
    for (place, &count) in counts.iter().enumerate() {
        let rank = (place as i16 - MIDDLE) as i8;
        if count > 0 || rank == own_rank {
            symbol_of[place] = rests.len();
            rests.push((order.sector(rank), count));
        }
    }
    let symbol_of = |rank: i8| symbol_of[place_of(rank)];
    let mut out = PageWriter::new(file, !file_number(identity, sector, false))?;
    let codes = solved.codes();
    let sizes = (rank_contexts(rests.len()), rests.len());
    let symbols = |chunk| rank_symbols(chunk, symbol_of, sizes.1);
    let ranks = write_packed(&mut out, codes, sizes, symbols)?;
    let turns = if sector.is_placing() {
        None
    } else {
        let sizes = (TURN_CONTEXTS, TURNS);
        Some(write_packed(&mut out, codes, sizes, |chunk| turn_symbols(chunk, own_rank))?)
    };
    let own = (!sector.is_placing()).then(|| symbol_of(own_rank));
    let kind = order.kind();
    out.finish(&DrawHeader { identity, sector, kind, rests, own, ranks, turns }.to_page())
}

/// How many ranks there may be, and which is 0.
const RANKS: usize = 1 << u8::BITS;
const MIDDLE: i16 = 1 << 7;

fn place_of(rank: i8) -> usize {
    (i16::from(rank) + MIDDLE) as usize
}

/// How many draws come to rest at each rank, symmetric positions counted once.
fn count(solved: &SolvedDraws) -> [u64; RANKS] {
    let sector = solved.sector;
    let orbits = Orbits::of(sector.opponent());
    let counts = (0..orbits.len()).into_par_iter().map(|number| {
        let mut counts = [0; RANKS];
        let free = !orbits.representative(number);
        let is_rigid = orbits.stabilizer(number).count() == 1;
        let own = sets(free.len() as usize, sector.own());
        for (slots, code) in own.zip(solved.block(number)) {
            if let Some((rank, _)) = code.draw()
                && (is_rigid || orbits.is_least(number, expand(slots, free)))
            {
                counts[place_of(rank)] += 1;
            }
        }
        counts
    });
    counts.reduce(
        || [0; RANKS],
        |mut counts, others| {
            counts.iter_mut().zip(others).for_each(|(count, other)| *count += other);
            counts
        },
    )
}
