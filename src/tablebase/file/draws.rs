//! The column of a sector file that says where its draws come to rest.
//!
//! Which positions are drawn the wins, draws and losses say, so that both are read together.

use std::io::{self, Write};
use std::iter;
use std::ops::Range;

use arrayvec::ArrayVec;
use rayon::prelude::*;

use super::chunks::{CHUNK, Chunk, Chunks, whole_bytes};
use super::error::{FileError, Flaw};
use super::header::{Header, NONE, code_bytes, is_packed, unpack_lengths};
use super::read::SectorFile;
use super::rests::{
    RestUnpacker, TURN_CONTEXTS, TURN_SYMBOLS, rank_contexts, rank_symbols, turn_symbols,
};
use super::write::{PageWriter, write_from, write_packed};
use crate::tablebase::disk::DiskAccess;
use crate::tablebase::draw_value::{DrawOrder, DrawOrderKind, DrawValue};
use crate::tablebase::orbits::Orbits;
use crate::tablebase::ranks::{expand, sets};
use crate::tablebase::sector::Sector;
use crate::tablebase::solved_draws::{DrawCode, SolvedDraws};
use crate::tablebase::value::Wdl;

/// The most places that the draws of a sector come to rest in.
const MOST_PLACES: usize = 127;

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
    own: Option<usize>,
    /// The bytes of the packed ranks.
    ranks: usize,
    /// The bytes of the packed turns, if they are there.
    turns: Option<usize>,
}

impl Rests {
    /// The words that state it.
    pub fn words(&self) -> Vec<u64> {
        let or_none = |number: Option<usize>| number.map_or(NONE, |number| number as u64);
        let (kind, ranks) = (self.kind as u64, self.ranks as u64);
        let count = self.places.len() as u64;
        let mut words = vec![count, kind, ranks, or_none(self.turns), or_none(self.own)];
        for (place, count) in &self.places {
            let men = place.map_or([0, 0], |place| [place.own(), place.opponent()]);
            words.extend([(men[0] << 8 | men[1]) as u64, *count]);
        }
        words
    }

    /// Reads the words of a header; `None` where they state no draws.
    ///
    /// # Errors
    ///
    /// When they are damaged.
    pub fn read(words: impl Iterator<Item = u64>, sector: Sector) -> Result<Option<Self>, Flaw> {
        let damage = || Flaw::Damage { offset: 0 };
        let mut words = words.chain(iter::repeat(0));
        let mut next = || words.next().unwrap_or_default();
        let [count, kind, ranks, turns, own] = [next(), next(), next(), next(), next()];
        if count == 0 {
            return Ok(None);
        }
        if count > MOST_PLACES as u64
            || !is_packed(ranks, sector)
            || turns != NONE && (!is_packed(turns, sector) || own >= count)
        {
            return Err(damage());
        }
        let mut place = || {
            let (men, count) = (next() as usize, next());
            let place = match men {
                0 => None,
                men => Some(Sector::new(men >> 8, men & 0xFF).ok_or_else(damage)?),
            };
            Ok((place, count))
        };
        let or_none = |number: u64| (number != NONE).then_some(number as usize);
        Ok(Some(Self {
            kind: *DrawOrderKind::ALL.get(kind as usize).ok_or_else(damage)?,
            places: (0..count).map(|_| place()).collect::<Result<_, Flaw>>()?,
            own: or_none(own),
            ranks: ranks as usize,
            turns: or_none(turns),
        }))
    }

    /// Where the parts of the column lie, which begins somewhere in a file.
    pub fn layout(&self, start: usize, sector: Sector) -> DrawLayout {
        let chunks = |start, contexts, symbols, bytes| {
            let codes = start..start + code_bytes(contexts, symbols);
            let chunks = Chunks::new(codes.end, bytes, sector.len(), whole_bytes);
            (codes, chunks)
        };
        let count = self.places.len();
        let ranks = chunks(start, rank_contexts(count), count, self.ranks);
        let turns = self.turns.map(|bytes| chunks(ranks.1.end, TURN_CONTEXTS, TURN_SYMBOLS, bytes));
        DrawLayout { ranks, turns }
    }
}

/// Where the parts of the column lie.
#[derive(Clone, Debug)]
pub struct DrawLayout {
    /// The codes of ranks, and ranks.
    ranks: (Range<usize>, Chunks),
    /// The codes of turns, and turns, if they are there.
    turns: Option<(Range<usize>, Chunks)>,
}

impl DrawLayout {
    /// The end of the column.
    pub fn end(&self) -> usize {
        self.turns.as_ref().unwrap_or(&self.ranks).1.end
    }

    /// The packed ranks and turns of a chunk.
    fn packed(
        &self,
        chunk: usize,
        file: &SectorFile,
        access: DiskAccess<'_>,
    ) -> Option<(Chunk, Option<Chunk>)> {
        let ranks = self.ranks.1.get(chunk, &file.pages, access)?;
        let turns = match &self.turns {
            Some((_, chunks)) => Some(chunks.get(chunk, &file.pages, access)?),
            None => None,
        };
        Some((ranks, turns))
    }
}

/// Which codes of a file read ranks, and which turns.
const RANKS: usize = 0;
const TURNS: usize = 1;

impl SectorFile {
    /// Whether the file says where draws come to rest.
    #[must_use]
    pub fn has_draws(&self) -> bool {
        self.header.draws.is_some()
    }

    /// The order of the sectors by which its draws were solved, if they were.
    #[must_use]
    pub fn draw_order_kind(&self) -> Option<DrawOrderKind> {
        self.header.draws.as_ref().map(|draws| draws.kind)
    }

    /// Where draws come to rest, the worst for the side to move first, and how many do so, symmetric positions
    /// counted once; none stands for all that favour neither side. Empty where the file does not say it.
    #[must_use]
    pub fn rests(&self) -> &[(Option<Sector>, u64)] {
        self.header.draws.as_ref().map_or(&[], |draws| &draws.places)
    }

    /// The size of what the file says of draws in bytes.
    #[must_use]
    pub fn draw_bytes(&self) -> usize {
        self.layout.end - self.layout.end_of_values
    }

    /// Where the position with an index comes to rest, or `None` if it is not drawn, the file is damaged or does not
    /// say it.
    pub(in crate::tablebase) fn draw_value_if(
        &self,
        index: usize,
        access: DiskAccess<'_>,
    ) -> Option<DrawValue> {
        let wdl = self.wdl_up_to(index, access)?;
        let (_, before) = wdl.split_last().filter(|(wdl, _)| **wdl == Wdl::Draw)?;
        let drawn_before = before.iter().filter(|wdl| **wdl == Wdl::Draw).count();
        let packed = self.layout.draws.as_ref()?.packed(index / CHUNK, self, access)?;
        let (symbol, turns) = self.draws(&packed, access)?.nth(drawn_before)?;
        let (rest, _) = *self.rests().get(symbol)?;
        Some(DrawValue { rest, turns })
    }

    /// Reads the codes of all positions in an order.
    ///
    /// # Errors
    ///
    /// When the file is damaged.
    pub(in crate::tablebase) fn load_draws(
        &self,
        order: &DrawOrder,
    ) -> Result<SolvedDraws, FileError> {
        let ranks = self.draw_ranks(order);
        let mut codes = vec![DrawCode::LOST; self.sector().len()];
        let chunks = codes.par_chunks_mut(CHUNK).enumerate();
        let is_read = chunks.map(|(number, codes)| {
            codes.iter_mut().zip(ranks.of_chunk(number)?).for_each(|(to, code)| *to = code);
            Some(())
        });
        if is_read.all(|is_read| is_read.is_some()) {
            Ok(SolvedDraws::new(self.sector(), codes))
        } else {
            Err(self.damage())
        }
    }

    /// What reads the codes of positions in an order.
    pub(in crate::tablebase) fn draw_ranks(&self, order: &DrawOrder) -> DrawRanks<'_> {
        let rank = |(rest, _): &(Option<Sector>, u64)| rest.map_or(0, |rest| order.rank(rest));
        DrawRanks { file: self, ranks: self.rests().iter().map(rank).collect() }
    }

    /// Where the draws of a chunk come to rest, as places in [`rests`](Self::rests), and after how many turns.
    fn draws<'a>(
        &'a self,
        (of_ranks, of_turns): &'a (Chunk, Option<Chunk>),
        access: DiskAccess<'_>,
    ) -> Option<impl Iterator<Item = (usize, Option<u8>)> + use<'a>> {
        let layout = self.layout.draws.as_ref()?;
        let ranks = self.rest_codes(RANKS, &layout.ranks.0, self.rests().len(), access)?;
        let turns = match &layout.turns {
            Some((part, _)) => Some(self.rest_codes(TURNS, part, TURN_SYMBOLS, access)?),
            None => None,
        };
        let own = self.header.draws.as_ref()?.own;
        let turns = turns.zip(of_turns.as_ref());
        let mut turns = turns.map(|(codes, chunk)| codes.turns(chunk.bytes()));
        Some(ranks.ranks(of_ranks.bytes()).map(move |symbol| {
            let turns = turns.as_mut().map(|turns| match own {
                Some(own) if own != symbol => turns.next(symbol > own),
                _ => 0,
            });
            (symbol, turns)
        }))
    }

    /// What reads ranks, or turns.
    fn rest_codes(
        &self,
        column: usize,
        part: &Range<usize>,
        symbols: usize,
        access: DiskAccess<'_>,
    ) -> Option<&RestUnpacker> {
        let new = |bytes: &[u8]| RestUnpacker::new(&unpack_lengths(bytes, symbols));
        self.codes(&self.draws[column], part, access, new)
    }
}

/// Reads the codes of the positions of a sector.
pub struct DrawRanks<'a> {
    file: &'a SectorFile,
    /// The ranks of the sectors that draws come to rest in.
    ranks: Vec<i8>,
}

impl DrawRanks<'_> {
    /// The codes of a block, by rank of the own men.
    ///
    /// # Errors
    ///
    /// When the file is damaged.
    pub fn of_block(&self, block: usize) -> Result<Vec<DrawCode>, FileError> {
        let sector = self.file.sector();
        let (first, len) = (sector.index(block, 0), sector.block_len());
        let mut codes = Vec::with_capacity(len + 2 * CHUNK);
        for chunk in first / CHUNK..(first + len).div_ceil(CHUNK) {
            codes.extend(self.of_chunk(chunk).ok_or_else(|| self.file.damage())?);
        }
        codes.drain(..first % CHUNK);
        codes.truncate(len);
        Ok(codes)
    }

    /// The codes of a chunk, or `None` if the file is damaged.
    fn of_chunk(&self, number: usize) -> Option<ArrayVec<DrawCode, CHUNK>> {
        let wdl = self.file.wdl_up_to(self.file.last_of(number), DiskAccess::Blocking)?;
        let layout = self.file.layout.draws.as_ref()?;
        let packed = layout.packed(number, self.file, DiskAccess::Blocking)?;
        let mut draws = self.file.draws(&packed, DiskAccess::Blocking)?;
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
}

/// Writes a file anew with where its draws come to rest, whole or not at all.
///
/// # Errors
///
/// When the file is damaged, or the system refuses, as when the disk is full; the old file stays.
pub fn add_draws(
    file: SectorFile,
    solved: &SolvedDraws,
    order: &DrawOrder,
) -> Result<(), FileError> {
    let path = file.path().to_owned();
    write_from(
        &path,
        file,
        |layout| [0..layout.end_of_values, 0..0],
        |header, out| {
            let rests = write_rests(out, solved, order)?;
            Ok(Header { draws: Some(rests), ..header.clone() })
        },
    )
}

/// Writes the column, and tells what the header states of it.
fn write_rests(
    out: &mut PageWriter<impl Write>,
    solved: &SolvedDraws,
    order: &DrawOrder,
) -> io::Result<Rests> {
    let sector = solved.sector;
    let own_rank = order.rank(sector);
    let counts = count(solved);
    let mut symbol_of = [0; MOST_RANKS];
    let mut places = Vec::new();
    for (place, &count) in counts.iter().enumerate() {
        let rank = (place as i16 - MIDDLE) as i8;
        if count > 0 || rank == own_rank {
            symbol_of[place] = places.len();
            places.push((order.sector(rank), count));
        }
    }
    let symbol_of = |rank: i8| symbol_of[place_of(rank)];
    let codes = solved.codes();
    let sizes = (rank_contexts(places.len()), places.len());
    let symbols = |chunk| rank_symbols(chunk, symbol_of, sizes.1);
    let ranks = write_packed(out, codes, sizes, symbols)?;
    let turns = if sector.is_placing() {
        None
    } else {
        let sizes = (TURN_CONTEXTS, TURN_SYMBOLS);
        Some(write_packed(out, codes, sizes, |chunk| turn_symbols(chunk, own_rank))?)
    };
    let own = (!sector.is_placing()).then(|| symbol_of(own_rank));
    Ok(Rests { kind: order.kind(), places, own, ranks, turns })
}

/// How many ranks there may be, and which is 0.
const MOST_RANKS: usize = 1 << u8::BITS;
const MIDDLE: i16 = 1 << 7;

fn place_of(rank: i8) -> usize {
    (i16::from(rank) + MIDDLE) as usize
}

/// How many draws come to rest at each rank, symmetric positions counted once.
fn count(solved: &SolvedDraws) -> [u64; MOST_RANKS] {
    let sector = solved.sector;
    let orbits = Orbits::of(sector.opponent());
    let counts = (0..orbits.len()).into_par_iter().map(|number| {
        let mut counts = [0; MOST_RANKS];
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
        || [0; MOST_RANKS],
        |mut counts, others| {
            counts.iter_mut().zip(others).for_each(|(count, other)| *count += other);
            counts
        },
    )
}
