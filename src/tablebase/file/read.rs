//! Reading the file of a sector.

use std::fs::File;
use std::path::{Path, PathBuf};

use super::codes::{Lengths, SYMBOLS};
use super::distances::{CHUNK, CONTEXTS, Unpacker};
use super::error::{FileError, Flaw};
use super::header::Header;
use super::pages::Pages;
use super::{CHUNKS_PER_GROUP, GROUP_HEAD, Layout, PAGE};
use crate::rules::Identity;
use crate::tablebase::sector::Sector;
use crate::tablebase::statistics::Statistics;
use crate::tablebase::value::Value;
use crate::tablebase::wdl::{self, Wdl};

/// The open file of a sector.
///
/// What it answers has been checked; once a page is found damaged, it answers nothing more.
pub struct SectorFile {
    pub(super) path: PathBuf,
    header: Header,
    pub(super) layout: Layout,
    pub(super) pages: Pages,
    unpacker: Option<Unpacker>,
}

impl SectorFile {
    /// Opens the file of a sector of a game.
    ///
    /// # Errors
    ///
    /// When it cannot be read, is damaged where every reader looks, or belongs to something else.
    pub fn open(path: &Path, sector: Sector, identity: Identity) -> Result<Self, FileError> {
        let file = File::open(path).map_err(|error| FileError::new(path, error))?;
        Self::read(path, &file, sector, identity).map_err(|flaw| FileError::new(path, flaw))
    }

    fn read(path: &Path, file: &File, sector: Sector, identity: Identity) -> Result<Self, Flaw> {
        let found = file.metadata()?.len();
        if found < PAGE as u64 {
            return Err(Flaw::Length { expected: PAGE as u64, found });
        }
        let mut pages = Pages::map(file)?;
        let page = pages.bytes()[..PAGE].try_into().map_err(|_| Flaw::Foreign)?;
        let header = Header::from_page(page)?;
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

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The sector.
    #[must_use]
    pub fn sector(&self) -> Sector {
        self.header.sector
    }

    /// What the sector holds.
    #[must_use]
    pub fn statistics(&self) -> &Statistics {
        &self.header.statistics
    }

    /// Whether no damage has been found, so that it answers.
    #[must_use]
    pub fn is_usable(&self) -> bool {
        !self.pages.is_damaged()
    }

    /// Whether distances are there.
    #[must_use]
    pub fn has_distances(&self) -> bool {
        self.unpacker.is_some()
    }

    /// The bytes of the file.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.layout.end
    }

    /// The bytes without the distances and what belongs to them.
    #[must_use]
    pub fn wdl_bytes(&self) -> usize {
        self.layout.codes - Layout::WDL
    }

    /// The damage that was found while reading, if it has not been asked for before.
    pub fn take_damage(&self) -> Option<FileError> {
        self.pages.take_damage().map(|flaw| FileError::new(&self.path, flaw))
    }

    /// Whether the position with a number is won, drawn or lost; none if the file is damaged.
    #[inline]
    #[must_use]
    pub fn wdl(&self, number: usize) -> Option<Wdl> {
        if self.pages.is_damaged() {
            return None;
        }
        let byte = self.pages.get(Layout::WDL + number / wdl::PER_BYTE, 1)?;
        Some(wdl::unpack(byte[0])[number % wdl::PER_BYTE])
    }

    /// The value of the position with a number; none if the file is damaged or has no distances.
    #[must_use]
    pub fn value(&self, number: usize) -> Option<Value> {
        match self.wdl(number)? {
            Wdl::Draw => Some(Value::DRAW),
            Wdl::Win | Wdl::Loss => self.chunk(number / CHUNK)?.nth(number % CHUNK),
        }
    }

    /// Reads the first pages of the file up to a number of bytes, so that they are in memory.
    pub fn warm(&self, bytes: usize) {
        let end = bytes.min(self.wdl_bytes());
        let starts = (Layout::WDL..Layout::WDL + end).step_by(PAGE);
        let _ = starts.map_while(|start| self.pages.get(start, 1)).count();
    }

    /// The values of a chunk, one after the other.
    pub(super) fn chunk(&self, index: usize) -> Option<impl Iterator<Item = Value>> {
        let unpacker = self.unpacker.as_ref()?;
        let wdl = self.wdl_of_chunk(index)?;
        let (group, in_group) = (index / CHUNKS_PER_GROUP, index % CHUNKS_PER_GROUP);
        let offset = self.pages.get(self.layout.offsets + group * size_of::<u32>(), 4)?;
        let head = self.layout.distances + u32::from_le_bytes(offset.try_into().ok()?) as usize;
        let ends = self.pages.get(head, GROUP_HEAD)?;
        let end = |chunk: usize| -> usize {
            u16::from_le_bytes([ends[2 * chunk], ends[2 * chunk + 1]]).into()
        };
        let start = in_group.checked_sub(1).map_or(0, end);
        let len = end(in_group).checked_sub(start)?;
        let packed = self.pages.get(head + GROUP_HEAD + start, len)?;
        Some(unpacker.values(wdl, packed))
    }

    pub(super) fn wdl_of_chunk(&self, index: usize) -> Option<impl Iterator<Item = Wdl>> {
        let first = index * CHUNK;
        let len = CHUNK.min(self.sector().len() - first);
        let start = Layout::WDL + first / wdl::PER_BYTE;
        let bytes = self.pages.get(start, len.div_ceil(wdl::PER_BYTE))?;
        Some(bytes.iter().flat_map(|&byte| wdl::unpack(byte)).take(len))
    }
}

fn read_codes(pages: &Pages, start: usize) -> Result<Unpacker, Flaw> {
    let damage = || pages.damage().unwrap_or(Flaw::Damage { offset: start as u64 });
    let bytes = pages.get(start, CONTEXTS * SYMBOLS).ok_or_else(damage)?;
    let lengths: Vec<Lengths> = bytes
        .chunks_exact(SYMBOLS)
        .map(|context| std::array::from_fn(|symbol| context[symbol].checked_sub(1)))
        .collect();
    Unpacker::new(&lengths).ok_or_else(damage)
}
