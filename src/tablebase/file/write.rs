//! Writing a sector file.

use std::fs::File;
use std::io::{self, BufWriter, Cursor, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::Path;

use arrayvec::ArrayVec;

use super::FileError;
use super::chunks::{
    self, BitSink, CHUNK, COLUMNS, Coding, LOSSES, RANKS, TURNS, WINS, write_column,
};
use super::header::{Header, OWN_CHECKSUM, Rests, STATED, file_number};
use super::model::WdlCode;
use super::pages::{CONTENTS, PAGE, checksum};
use super::read::{SHIPPED, SectorFile};
use super::train::train;
use super::wdl::Choice;
use crate::rules::Identity;
use crate::system::whole_file;
use crate::tablebase::sector::{Solved, Statistics};
use crate::tablebase::value::{DrawCode, DrawOrder, Value, Wdl};

const BUFFER: usize = 1 << 20;

/// What a file stores of a solved sector.
#[derive(Clone, Copy, Debug)]
pub enum Kept<'a> {
    /// Wins, draws and losses.
    Wdl,
    /// Wins, draws, losses and distances.
    Distances,
    /// Lower bounds of wins, draws and losses, exact where no conversion reaches the value. Holds the value of the best
    /// conversion of each position.
    Quiet(&'a [Wdl]),
}

/// Writes a solved sector to a file atomically, even if other programs write the same file.
///
/// # Errors
///
/// When the system cannot write, as when the disk is full. The partial file is removed.
pub fn write(
    path: &Path,
    solved: &Solved,
    identity: Identity,
    kept: Kept<'_>,
) -> Result<(), FileError> {
    whole_file::write(path, |file| write_to(file, solved, identity, kept))
        .map_err(|error| FileError::new(path, error))
}

/// Writes a solved sector without distances, unless the file exists by the time it is complete.
///
/// # Errors
///
/// As [`write()`].
pub fn write_new(path: &Path, solved: &Solved, identity: Identity) -> Result<(), FileError> {
    whole_file::write_new(path, |file| write_to(file, solved, identity, Kept::Wdl))
        .map_err(|error| FileError::new(path, error))
}

/// Returns the bytes of the file of a solved sector without the zeros in its header, to be built into the program.
///
/// # Errors
///
/// When the sector is too large.
pub fn to_ship(solved: &Solved, identity: Identity, kept: Kept<'_>) -> Result<Vec<u8>, FileError> {
    let mut bytes = Cursor::new(Vec::new());
    write_to(&mut bytes, solved, identity, kept)
        .map_err(|error| FileError::new(Path::new(SHIPPED), error))?;
    let mut bytes = bytes.into_inner();
    bytes.drain(STATED..OWN_CHECKSUM);
    Ok(bytes)
}

/// Writes the wins, draws and losses of a file to another file atomically.
///
/// # Errors
///
/// When the file is damaged, or the system cannot write, as when the disk is full. The partial file is removed.
pub fn write_wdl_of(path: &Path, file: SectorFile) -> Result<(), FileError> {
    write_from(Some(path), file, LOSSES..COLUMNS, |header, _| {
        header.statistics = header.statistics.without_distances();
        header.draws = None;
        Ok(())
    })
}

/// Rewrites a file with the distances of its sector, atomically. Keeps where draws come to rest.
///
/// # Errors
///
/// As [`write_wins`].
pub fn add_distances(file: SectorFile, solved: &Solved) -> Result<(), FileError> {
    write_from(None, file, LOSSES..RANKS, |header, out| {
        header.statistics = Statistics::of(solved);
        for column in [LOSSES, WINS] {
            header.columns[column] = Some(write_distances(out, solved.values(), column)?);
        }
        Ok(())
    })
}

/// Rewrites a file with the distances of wins in `solved`, or without them, atomically.
///
/// # Errors
///
/// When the file is damaged, or the system cannot write, as when the disk is full. The old file stays.
pub fn write_wins(file: SectorFile, solved: Option<&Solved>) -> Result<(), FileError> {
    write_from(None, file, WINS..RANKS, |header, out| {
        let wins = solved.map(|solved| write_distances(out, solved.values(), WINS));
        header.columns[WINS] = wins.transpose()?;
        Ok(())
    })
}

/// Rewrites a file with the sectors where its draws come to rest, atomically.
///
/// # Errors
///
/// As [`write_wins`].
pub fn add_draws(
    file: SectorFile,
    solved: &Solved<DrawCode>,
    order: &DrawOrder,
) -> Result<(), FileError> {
    write_from(None, file, RANKS..COLUMNS, |header, out| {
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
        let ranks = write_column(out, codes, Coding::places(places.len()), |chunk| {
            chunk.iter().filter_map(|code| code.draw()).map(move |(rank, _)| (0, number_of(rank)))
        });
        header.columns[RANKS] = Some(ranks?);
        if !sector.is_placing() {
            let turns = write_column(out, codes, Coding::TURNS, |chunk| {
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

const COPIED_AT_A_TIME: usize = 1 << 20;

/// Copies a file to `path`, or rewrites it, with the columns `without` replaced by the output of `add`, which also
/// updates the header.
fn write_from(
    path: Option<&Path>,
    file: SectorFile,
    without: Range<usize>,
    add: impl FnOnce(&mut Header, &mut PageWriter<&File>) -> io::Result<()>,
) -> Result<(), FileError> {
    let path = path.unwrap_or(file.path()).to_owned();
    let mut damage = None;
    let written = whole_file::write(&path, |out| {
        let Header { identity, sector, is_quiet, .. } = file.header;
        let mut out = PageWriter::new(out, file_number(identity, sector, is_quiet))?;
        let mut copy = |part: Range<usize>, out: &mut PageWriter<_>| -> io::Result<()> {
            for start in part.clone().step_by(COPIED_AT_A_TIME) {
                let piece = start..part.end.min(start + COPIED_AT_A_TIME);
                let Some(bytes) = file.pages.read(piece) else {
                    damage = Some(file.damage());
                    return Err(io::ErrorKind::InvalidData.into());
                };
                out.write_all(&bytes)?;
            }
            Ok(())
        };
        let mut header = file.header.clone();
        header.columns[without.clone()].fill(None);
        copy(0..file.layout.start_of(without.start), &mut out)?;
        add(&mut header, &mut out)?;
        copy(file.layout.start_of(without.end)..file.layout.end(), &mut out)?;
        // Some systems cannot replace a file while it is mapped.
        drop(file);
        out.finish(&header.to_page())
    });
    written.map_err(|error| damage.unwrap_or_else(|| FileError::new(&path, error)))
}

fn write_to(
    file: impl Write + Seek,
    solved: &Solved,
    identity: Identity,
    kept: Kept<'_>,
) -> io::Result<()> {
    let (sector, values) = (solved.sector, solved.values());
    let is_quiet = matches!(kept, Kept::Quiet(_));
    let mut out = PageWriter::new(file, file_number(identity, sector, is_quiet))?;
    let choice = |index: usize| {
        let value = values[index].into();
        let is_reached = |conversions: &[Wdl]| value != Wdl::Loss && conversions[index] == value;
        Choice { value, or_less: matches!(kept, Kept::Quiet(found) if is_reached(found)) }
    };
    let model = train(sector, sector.len() >= FEWEST_FOR_PATTERNS, choice);
    let (bytes, rows) = model.pack();
    out.write_all(&bytes)?;
    let packer = || {
        let mut code = WdlCode::new(sector, &model);
        move |number: usize, sink: &mut BitSink| {
            let indices = number * CHUNK..((number + 1) * CHUNK).min(sector.len());
            let first = indices.start;
            let choices: ArrayVec<Choice, CHUNK> = indices.map(choice).collect();
            code.pack(first, &choices, sink)
        }
    };
    let wdl = chunks::write(&mut out, sector.len(), packer)?;
    let (mut statistics, mut columns) = (Statistics::of(solved), [None; COLUMNS]);
    if let Kept::Distances = kept {
        for column in [LOSSES, WINS] {
            columns[column] = Some(write_distances(&mut out, values, column)?);
        }
    } else {
        statistics = statistics.without_distances();
    }
    let draws = None;
    let header =
        Header { identity, sector, statistics, is_quiet, model: rows, wdl, columns, draws };
    out.finish(&header.to_page())
}

/// The minimum number of positions of a sector whose model has patterns. In smaller sectors patterns take more room
/// than they save.
const FEWEST_FOR_PATTERNS: usize = 1 << 21;

/// Writes a column of distances. Returns the size of its chunks in bytes.
fn write_distances(out: &mut impl Write, values: &[Value], column: usize) -> io::Result<usize> {
    write_column(out, values, Coding::DISTANCES, |chunk| {
        let turns = chunk.iter().filter_map(|value| value.turns());
        turns.filter(move |turns| usize::from(*turns) % 2 == column).map(|turns| (0, turns / 2))
    })
}

/// Writes the contents of a file after its first page, adding a checksum to each page.
struct PageWriter<W: Write> {
    out: BufWriter<W>,
    /// The initial value of the checksums.
    file: u32,
    /// The contents of the current page.
    page: Vec<u8>,
    /// The number of complete pages.
    pages: usize,
}

impl<W: Write + Seek> PageWriter<W> {
    /// Starts a file, leaving room for the first page.
    fn new(file: W, number: u32) -> io::Result<Self> {
        let mut out = BufWriter::with_capacity(BUFFER, file);
        out.write_all(&[0; PAGE])?;
        Ok(Self { out, file: number, page: Vec::with_capacity(CONTENTS), pages: 0 })
    }

    /// Completes the last page, and writes the first page.
    fn finish(mut self, first: &[u8; PAGE]) -> io::Result<()> {
        if !self.page.is_empty() {
            self.end_page()?;
        }
        self.out.seek(SeekFrom::Start(0))?;
        self.out.write_all(first)?;
        self.out.flush()
    }

    fn end_page(&mut self) -> io::Result<()> {
        let checksum = checksum(self.file, self.pages, &self.page);
        self.out.write_all(&self.page)?;
        self.out.write_all(&checksum.to_le_bytes())?;
        self.page.clear();
        self.pages += 1;
        Ok(())
    }
}

impl<W: Write + Seek> Write for PageWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = &bytes[..bytes.len().min(CONTENTS - self.page.len())];
        self.page.extend(written);
        if self.page.len() == CONTENTS {
            self.end_page()?;
        }
        Ok(written.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
