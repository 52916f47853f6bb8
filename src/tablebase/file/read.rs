//! Reading a sector file.

use std::fs::File;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::error::{FileError, Flaw};
use super::header::{CHUNKS_PER_GROUP, GROUP_HEAD, Header, Layout, PAGE};
use super::huffman::{Lengths, SYMBOLS};
use super::pack::{CHUNK, CONTEXTS, Unpacker, WDL_PER_BYTE, unpack_wdl};
use super::pages::{OnDisk, Pages};
use crate::regular_file;
use crate::rules::Identity;
use crate::tablebase::sector::Sector;
use crate::tablebase::solved::{Solved, Statistics};
use crate::tablebase::value::{Value, Wdl};

/// An open sector file.
///
/// Every value it gives has been checked; once a page is found damaged, it gives no more values.
pub struct SectorFile {
    path: PathBuf,
    header: Header,
    layout: Layout,
    pages: Pages,
    unpacker: Option<Unpacker>,
}

impl SectorFile {
    /// Opens the file of a sector of a game.
    ///
    /// # Errors
    ///
    /// When it cannot be read, belongs to another sector or game, has another format version, or its
    /// header, checksums or codes are damaged.
    pub fn open(path: &Path, sector: Sector, identity: Identity) -> Result<Self, FileError> {
        let file = regular_file::open(path).map_err(|error| FileError::new(path, error))?;
        Self::read(path, file, sector, identity).map_err(|flaw| FileError::new(path, flaw))
    }

    fn read(path: &Path, file: File, sector: Sector, identity: Identity) -> Result<Self, Flaw> {
        let found = file.metadata()?.len();
        if found < PAGE as u64 {
            return Err(Flaw::Length { expected: PAGE as u64, found });
        }
        let mut pages = Pages::map(file)?;
        let header = Header::from_page(&pages.first()?)?;
        if header.identity != identity {
            return Err(Flaw::Rules { found: header.identity });
        }
        if header.sector != sector {
            return Err(Flaw::Sector { expected: sector });
        }
        let layout = header.layout();
        if found != layout.end as u64 {
            return Err(Flaw::Length { expected: layout.end as u64, found });
        }
        pages.check_with(layout.checksums..layout.end, header.checksum)?;
        let unpacker = match header.packed {
            Some(_) => Some(read_codes(&pages, layout.codes)?),
            None => None,
        };
        Ok(Self { path: path.to_owned(), header, layout, pages, unpacker })
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

    /// The numbers of positions of the sector that are won, drawn and lost.
    #[must_use]
    pub fn statistics(&self) -> &Statistics {
        &self.header.statistics
    }

    /// Whether no damage has been found, so that it gives values.
    #[must_use]
    pub fn is_usable(&self) -> bool {
        !self.pages.is_damaged()
    }

    /// Whether the file has distances.
    #[must_use]
    pub fn has_distances(&self) -> bool {
        self.unpacker.is_some()
    }

    /// The size of the file in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.layout.end
    }

    /// The size of its wins, draws and losses in bytes.
    #[must_use]
    pub fn wdl_bytes(&self) -> usize {
        self.layout.codes - Layout::WDL
    }

    /// The damage that was found while reading, reported once.
    pub fn take_damage(&self) -> Option<FileError> {
        self.pages.take_damage().map(|flaw| FileError::new(&self.path, flaw))
    }

    /// Whether the position with an index is won, drawn or lost; none if the file is damaged.
    #[inline]
    #[must_use]
    pub fn wdl(&self, index: usize) -> Option<Wdl> {
        self.wdl_if(index, OnDisk::Wait)
    }

    /// The same, with what to do about pages that are not in memory.
    #[inline]
    pub(in crate::tablebase) fn wdl_if(&self, index: usize, on_disk: OnDisk<'_>) -> Option<Wdl> {
        let byte = self.pages.get(Layout::WDL + index / WDL_PER_BYTE, 1, on_disk)?;
        Some(unpack_wdl(byte[0])[index % WDL_PER_BYTE])
    }

    /// The value of the position with an index; none if the file is damaged or has no distances.
    #[must_use]
    pub fn value(&self, index: usize) -> Option<Value> {
        self.value_if(index, OnDisk::Wait)
    }

    /// The same, with what to do about pages that are not in memory.
    pub(in crate::tablebase) fn value_if(
        &self,
        index: usize,
        on_disk: OnDisk<'_>,
    ) -> Option<Value> {
        match self.wdl_if(index, on_disk)? {
            Wdl::Draw => Some(Value::DRAW),
            Wdl::Win | Wdl::Loss => self.chunk(index / CHUNK, on_disk)?.nth(index % CHUNK),
        }
    }

    /// Reads wins, draws and losses up to a number of bytes into the memory of the system, and checks
    /// them.
    ///
    /// # Errors
    ///
    /// When they cannot be read.
    pub fn warm(&self, bytes: usize) -> Result<(), FileError> {
        let end = Layout::WDL + bytes.min(self.wdl_bytes());
        let is_read = self.pages.read_ahead(Layout::WDL..end);
        is_read.map_err(|error| FileError::new(&self.path, error))
    }

    /// Reads and checks the whole file.
    ///
    /// # Errors
    ///
    /// When a page is damaged.
    pub fn check(&self) -> Result<(), FileError> {
        let is_good = self.pages.are_good(Layout::WDL..self.layout.checksums);
        if is_good { Ok(()) } else { Err(self.damage()) }
    }

    /// Reads all values. Without distances every win has distance 1 and every loss 0.
    ///
    /// # Errors
    ///
    /// When the file is damaged.
    pub fn load(&self) -> Result<Solved, FileError> {
        let mut values = vec![Value::DRAW; self.sector().len()];
        let chunks = values.par_chunks_mut(CHUNK).enumerate();
        let is_read = chunks.map(|(index, values)| self.load_chunk(index, values));
        if is_read.all(|is_read| is_read.is_some()) {
            Ok(Solved::from_values(self.sector(), values))
        } else {
            Err(self.damage())
        }
    }

    /// The wins, draws and losses of a block.
    ///
    /// # Errors
    ///
    /// When the file is damaged.
    pub(in crate::tablebase) fn wdl_of_block(&self, block: usize) -> Result<Vec<Wdl>, FileError> {
        let len = self.sector().block_len();
        let first = self.sector().index(block, 0);
        let bytes = first / WDL_PER_BYTE..(first + len).div_ceil(WDL_PER_BYTE);
        let packed = self.pages.get(Layout::WDL + bytes.start, bytes.len(), OnDisk::Wait);
        let packed = packed.ok_or_else(|| self.damage())?;
        let mut values = vec![Wdl::Draw; packed.len() * WDL_PER_BYTE];
        let (fives, _) = values.as_chunks_mut();
        fives.iter_mut().zip(packed).for_each(|(five, &byte)| *five = unpack_wdl(byte));
        values.drain(..first % WDL_PER_BYTE);
        values.truncate(len);
        Ok(values)
    }

    /// The damage that was found; that of the first page if all checksums fit.
    fn damage(&self) -> FileError {
        let damage = self.pages.damage().unwrap_or(Flaw::Damage { offset: 0 });
        FileError::new(&self.path, damage)
    }

    fn load_chunk(&self, index: usize, values: &mut [Value]) -> Option<()> {
        if self.has_distances() {
            values
                .iter_mut()
                .zip(self.chunk(index, OnDisk::Wait)?)
                .for_each(|(to, value)| *to = value);
        } else {
            let wdl = self.wdl_of_chunk(index, OnDisk::Wait)?;
            values.iter_mut().zip(wdl).for_each(|(to, wdl)| *to = Value::without_distance(wdl));
        }
        Some(())
    }

    /// The values of a chunk, one after the other.
    fn chunk<'a>(
        &'a self,
        index: usize,
        on_disk: OnDisk<'a>,
    ) -> Option<impl Iterator<Item = Value>> {
        let unpacker = self.unpacker.as_ref()?;
        let wdl = self.wdl_of_chunk(index, on_disk)?;
        let (group, in_group) = (index / CHUNKS_PER_GROUP, index % CHUNKS_PER_GROUP);
        let offset = self.pages.get(self.layout.offsets + group * size_of::<u32>(), 4, on_disk)?;
        let head = self.layout.distances + u32::from_le_bytes(offset.try_into().ok()?) as usize;
        let ends = self.pages.get(head, GROUP_HEAD, on_disk)?;
        let end = |chunk: usize| -> usize {
            u16::from_le_bytes([ends[2 * chunk], ends[2 * chunk + 1]]).into()
        };
        let start = in_group.checked_sub(1).map_or(0, end);
        let len = end(in_group).checked_sub(start)?;
        let packed = self.pages.get(head + GROUP_HEAD + start, len, on_disk)?;
        Some(unpacker.values(wdl, packed))
    }

    fn wdl_of_chunk<'a>(
        &'a self,
        index: usize,
        on_disk: OnDisk<'a>,
    ) -> Option<impl Iterator<Item = Wdl>> {
        let first = index * CHUNK;
        let len = CHUNK.min(self.sector().len() - first);
        let start = Layout::WDL + first / WDL_PER_BYTE;
        let bytes = self.pages.get(start, len.div_ceil(WDL_PER_BYTE), on_disk)?;
        Some(bytes.iter().flat_map(|&byte| unpack_wdl(byte)).take(len))
    }
}

fn read_codes(pages: &Pages, start: usize) -> Result<Unpacker, Flaw> {
    let damage = || pages.damage().unwrap_or(Flaw::Damage { offset: start as u64 });
    let bytes = pages.get(start, CONTEXTS * SYMBOLS, OnDisk::Wait).ok_or_else(damage)?;
    let lengths: Vec<Lengths> = bytes
        .chunks_exact(SYMBOLS)
        .map(|context| std::array::from_fn(|symbol| context[symbol].checked_sub(1)))
        .collect();
    Unpacker::new(&lengths).ok_or_else(damage)
}
