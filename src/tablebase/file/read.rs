//! Reading a sector file.

use std::fs::File;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use arrayvec::ArrayVec;
use rayon::prelude::*;

use super::arithmetic::Bits;
use super::chunks::{CHUNK, Chunk};
use super::distances::{self, DistanceUnpacker, LOSSES, WINS};
use super::error::{FileError, Flaw};
use super::header::{Header, Layout, OWN_CHECKSUM, STATED, file_number, unpack_lengths};
use super::model::{self, Model};
use super::pages::{self, PAGE, Pages, file_len};
use super::remote::{Remote, RemoteFile};
use super::rests::RestUnpacker;
use super::wdl;
use super::wdl::WdlCode;
use crate::rules::Identity;
use crate::system::regular_file;
use crate::tablebase::disk::DiskAccess;
use crate::tablebase::sector::Sector;
use crate::tablebase::solved::{Solved, Statistics};
use crate::tablebase::value::{Value, Wdl};

/// What stands for the path of a sector that the program has in itself.
pub(in crate::tablebase) const SHIPPED: &str = "(shipped)";

/// How many pages of a file that lies elsewhere come when it is opened: its header, and most models whole.
const OPENED_WITH: usize = 4;

/// How many chunks are read at a time when all are.
const READ_AT_A_TIME: usize = 1 << 10;

/// An open sector file.
///
/// Every value it gives has been checked; once a page is found damaged, it gives no more values.
pub struct SectorFile {
    path: PathBuf,
    pub(super) header: Header,
    pub(super) layout: Layout,
    pub(super) pages: Pages,
    /// The model of its wins, draws and losses, read when the first is wanted, or `None` if it is damaged.
    model: OnceLock<Option<Model>>,
    /// The codes of its distances of losses and of wins, if it has any.
    distances: [OnceLock<Option<DistanceUnpacker>>; 2],
    /// The codes of where its draws come to rest, and after how many turns, if it says that.
    pub(super) draws: [OnceLock<Option<RestUnpacker>>; 2],
}

impl SectorFile {
    /// Opens the file of a sector of a game.
    ///
    /// # Errors
    ///
    /// When it cannot be read, belongs to another sector or game, has another format version, or its
    /// header or checksums are damaged.
    pub fn open(path: &Path, sector: Sector, identity: Identity) -> Result<Self, FileError> {
        let file = regular_file::open(path).map_err(|error| FileError::new(path, error))?;
        Self::read(path, file, sector, identity).map_err(|flaw| FileError::new(path, flaw))
    }

    /// Opens the file of a sector of a game that lies elsewhere.
    ///
    /// # Errors
    ///
    /// Those of [`open`](Self::open), also when it cannot be had now.
    pub(in crate::tablebase) fn open_remote(
        remote: &Arc<dyn Remote>,
        name: &str,
        sector: Sector,
        identity: Identity,
    ) -> Result<Self, FileError> {
        let path = PathBuf::from(name);
        let opened = || {
            let bytes = remote.fetch(name, 0..OPENED_WITH * PAGE)?;
            let found = bytes.len() as u64;
            let first = bytes.first_chunk();
            let first = first.ok_or(Flaw::Length { expected: PAGE as u64, found })?;
            let header = Header::of_sector(first, sector, identity)?;
            let (number, end) =
                (file_number(identity, sector, header.is_quiet), header.layout().end);
            let file = RemoteFile::new(Arc::clone(remote), name.to_owned(), file_len(end), &bytes);
            Ok(Self::of(&path, header, Pages::remote(file, number, end)))
        };
        opened().map_err(|flaw: Flaw| FileError::new(&path, flaw))
    }

    /// The sectors that the program has in itself, one after the other as [`to_ship`](super::to_ship)
    /// makes them.
    ///
    /// # Errors
    ///
    /// When the bytes are not those of sectors of the game.
    pub(in crate::tablebase) fn shipped(
        mut bytes: &'static [u8],
        identity: Identity,
    ) -> Result<Vec<Self>, FileError> {
        let path = Path::new(SHIPPED);
        let mut files = Vec::new();
        while !bytes.is_empty() {
            let file;
            (file, bytes) = Self::split_shipped(path, bytes, identity)
                .map_err(|flaw| FileError::new(path, flaw))?;
            files.push(file);
        }
        Ok(files)
    }

    fn split_shipped(
        path: &Path,
        bytes: &'static [u8],
        identity: Identity,
    ) -> Result<(Self, &'static [u8]), Flaw> {
        let short = || Flaw::Length { expected: PAGE as u64, found: bytes.len() as u64 };
        let (head, rest) =
            bytes.split_at_checked(STATED + PAGE - OWN_CHECKSUM).ok_or_else(short)?;
        let mut first = [0; PAGE];
        first[..STATED].copy_from_slice(&head[..STATED]);
        first[OWN_CHECKSUM..].copy_from_slice(&head[STATED..]);
        let header = Header::from_page(&first)?;
        if header.identity != identity {
            return Err(Flaw::Rules { found: header.identity });
        }
        let contents = header.layout().end;
        let (pages, rest) = rest.split_at_checked(file_len(contents) - PAGE).ok_or_else(short)?;
        let pages =
            Pages::shipped(pages, file_number(identity, header.sector, header.is_quiet), contents);
        Ok((Self::of(path, header, pages), rest))
    }

    fn read(path: &Path, mut file: File, sector: Sector, identity: Identity) -> Result<Self, Flaw> {
        let header = Header::of_sector(&pages::read_first(&mut file)?, sector, identity)?;
        let number = file_number(identity, sector, header.is_quiet);
        let pages = Pages::open(file, number, header.layout().end)?;
        Ok(Self::of(path, header, pages))
    }

    fn of(path: &Path, header: Header, pages: Pages) -> Self {
        let (path, layout) = (path.to_owned(), header.layout());
        let (model, distances, draws) = (OnceLock::new(), Default::default(), Default::default());
        Self { path, header, layout, pages, model, distances, draws }
    }

    /// Its path, or its name if it lies elsewhere.
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

    /// Whether it has lower bounds of values: the value of a position is its bound, or what a conversion reaches if
    /// that is more.
    #[inline]
    #[must_use]
    pub fn is_quiet(&self) -> bool {
        self.header.is_quiet
    }

    /// Whether the file has distances, at least of losses.
    #[must_use]
    pub fn has_distances(&self) -> bool {
        self.layout.distances[LOSSES].is_some()
    }

    /// Whether it has distances of losses only, from which those of wins follow.
    #[must_use]
    pub fn leaves_out_wins(&self) -> bool {
        self.has_distances() && self.layout.distances[WINS].is_none()
    }

    /// The size of the file in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        file_len(self.layout.end)
    }

    /// The size of its wins, draws and losses in bytes.
    #[must_use]
    pub fn wdl_bytes(&self) -> usize {
        self.layout.wdl.end
    }

    /// The damage that was found while reading, reported once.
    pub fn take_damage(&self) -> Option<FileError> {
        self.pages.take_damage().map(|flaw| FileError::new(&self.path, flaw))
    }

    /// Whether the position with an index is won, drawn or lost, or `None` if the file is damaged; a lower bound
    /// where the file [is quiet](Self::is_quiet).
    #[inline]
    #[must_use]
    pub fn wdl(&self, index: usize) -> Option<Wdl> {
        self.wdl_if(index, DiskAccess::Blocking)
    }

    /// The same, with what to do about pages that are not in memory.
    #[inline]
    pub(in crate::tablebase) fn wdl_if(&self, index: usize, access: DiskAccess<'_>) -> Option<Wdl> {
        let chunk = self.layout.wdl.get(index / CHUNK, &self.pages, access)?;
        let mut code = self.wdl_code(access)?;
        Some(code.get(index / CHUNK * CHUNK, index % CHUNK, of_wdl(&chunk)))
    }

    /// The value of the position with an index, or `None` if the file is damaged or does not have its distance.
    #[must_use]
    pub fn value(&self, index: usize) -> Option<Value> {
        self.value_if(index, DiskAccess::Blocking)
    }

    /// The same, with what to do about pages that are not in memory.
    pub(in crate::tablebase) fn value_if(
        &self,
        index: usize,
        access: DiskAccess<'_>,
    ) -> Option<Value> {
        let wdl = self.wdl_up_to(index, access)?;
        let (&last, before) = wdl.split_last()?;
        let column = match last {
            Wdl::Draw => return self.has_distances().then_some(Value::DRAW),
            Wdl::Loss => LOSSES,
            Wdl::Win => WINS,
        };
        let chunks = self.layout.distances[column].as_ref()?.chunks;
        let packed = chunks.get(index / CHUNK, &self.pages, access)?;
        let before = before.iter().filter(|&&wdl| wdl == last).count();
        let symbol = self.distance_codes(column, access)?.symbols(packed.bytes()).nth(before)?;
        Some(distances::value(column, symbol))
    }

    /// Reads wins, draws and losses up to a number of bytes into the memory of the system, and checks
    /// them.
    ///
    /// # Errors
    ///
    /// When they cannot be read.
    pub fn warm(&self, bytes: usize) -> Result<(), FileError> {
        let is_read = self.pages.read_ahead(0..bytes.min(self.wdl_bytes()));
        is_read.map_err(|error| FileError::new(&self.path, error))
    }

    /// Reads and checks the whole file.
    ///
    /// # Errors
    ///
    /// When a page is damaged.
    pub fn check(&self) -> Result<(), FileError> {
        if self.pages.are_good() { Ok(()) } else { Err(self.damage()) }
    }

    /// Reads all values. Where the file has no distances, every win has distance 1 or every loss 0.
    ///
    /// # Errors
    ///
    /// When the file is damaged or [quiet](Self::is_quiet).
    pub fn load(&self) -> Result<Solved, FileError> {
        self.require_values()?;
        let mut values = vec![Value::DRAW; self.sector().len()];
        let parts = values.par_chunks_mut(READ_AT_A_TIME * CHUNK).enumerate();
        let is_read = parts.map(|(part, values)| self.read_values(part * READ_AT_A_TIME, values));
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
    /// When the file is damaged or [quiet](Self::is_quiet).
    pub(in crate::tablebase) fn wdl_of_block(&self, block: usize) -> Result<Vec<Wdl>, FileError> {
        self.require_values()?;
        let len = self.sector().block_len();
        let first = self.sector().index(block, 0);
        let mut values = Vec::with_capacity(len + 2 * CHUNK);
        let numbers = first / CHUNK..(first + len).div_ceil(CHUNK);
        let read = self.layout.wdl.read(numbers.clone(), &self.pages);
        let read = read.ok_or_else(|| self.damage())?;
        let code = self.wdl_code(DiskAccess::Blocking);
        let mut code = code.ok_or_else(|| self.damage())?;
        for number in numbers {
            let packed = read.get(number).ok_or_else(|| self.damage())?;
            values.extend(unpack_wdl(&mut code, self.last_of(number), &packed));
        }
        values.drain(..first % CHUNK);
        values.truncate(len);
        Ok(values)
    }

    /// The values of a block; where the file has no distances, every win has distance 1 or every loss 0.
    ///
    /// # Errors
    ///
    /// When the file is damaged or [quiet](Self::is_quiet).
    pub(in crate::tablebase) fn block(&self, block: usize) -> Result<Vec<Value>, FileError> {
        self.require_values()?;
        let len = self.sector().block_len();
        let first = self.sector().index(block, 0);
        let chunk = first / CHUNK;
        let end = (first + len).next_multiple_of(CHUNK).min(self.sector().len());
        let mut values = vec![Value::DRAW; end - chunk * CHUNK];
        self.read_values(chunk, &mut values).ok_or_else(|| self.damage())?;
        values.drain(..first % CHUNK);
        values.truncate(len);
        Ok(values)
    }

    /// The same of one position.
    ///
    /// # Errors
    ///
    /// When the file is damaged or [quiet](Self::is_quiet).
    pub(in crate::tablebase) fn read_value(&self, index: usize) -> Result<Value, FileError> {
        self.require_values()?;
        let chunk = index / CHUNK;
        let len = CHUNK.min(self.sector().len() - chunk * CHUNK);
        let values = &mut [Value::DRAW; CHUNK][..len];
        self.read_values(chunk, values).ok_or_else(|| self.damage())?;
        Ok(values[index % CHUNK])
    }

    /// An error where the file says what quiet moves are worth instead of values.
    fn require_values(&self) -> Result<(), FileError> {
        if self.is_quiet() { Err(FileError::new(&self.path, Flaw::Quiet)) } else { Ok(()) }
    }

    /// Reads the values from the beginning of a chunk on.
    fn read_values(&self, first: usize, values: &mut [Value]) -> Option<()> {
        let numbers = first..first + values.len().div_ceil(CHUNK);
        let wdl = self.layout.wdl.read(numbers.clone(), &self.pages)?;
        let mut columns = [None, None];
        for (column, layout) in self.layout.distances.iter().enumerate() {
            if let Some(layout) = layout {
                let chunks = layout.chunks.read(numbers.clone(), &self.pages)?;
                columns[column] =
                    Some((self.distance_codes(column, DiskAccess::Blocking)?, chunks));
            }
        }
        let mut code = self.wdl_code(DiskAccess::Blocking)?;
        for (number, values) in numbers.zip(values.chunks_mut(CHUNK)) {
            let wdl = unpack_wdl(&mut code, self.last_of(number), &wdl.get(number)?);
            let mut packed = [None, None];
            for (packed, column) in packed.iter_mut().zip(&columns) {
                if let Some((codes, chunks)) = column {
                    *packed = Some((codes, chunks.get(number)?));
                }
            }
            let symbols = packed.each_ref().map(|packed| {
                let (codes, chunk) = packed.as_ref()?;
                Some(codes.symbols(chunk.bytes()))
            });
            let read = distances::values(wdl, symbols);
            values.iter_mut().zip(read).for_each(|(to, value)| *to = value);
        }
        Some(())
    }

    /// The damage that was found; that of the first page if all checksums fit.
    pub(super) fn damage(&self) -> FileError {
        let damage = self.pages.damage().unwrap_or(Flaw::Damage { offset: 0 });
        FileError::new(&self.path, damage)
    }

    /// The wins, draws and losses of a chunk up to an index in it, or `None` if the file is damaged or
    /// [quiet](Self::is_quiet).
    pub(super) fn wdl_up_to(
        &self,
        index: usize,
        access: DiskAccess<'_>,
    ) -> Option<ArrayVec<Wdl, CHUNK>> {
        if self.is_quiet() {
            return None;
        }
        let packed = self.layout.wdl.get(index / CHUNK, &self.pages, access)?;
        Some(unpack_wdl(&mut self.wdl_code(access)?, index, &packed))
    }

    #[inline]
    fn wdl_code(&self, access: DiskAccess<'_>) -> Option<WdlCode<'_>> {
        Some(WdlCode::new(self.sector(), self.model(access)?))
    }

    /// The last index of a chunk.
    pub(super) fn last_of(&self, chunk: usize) -> usize {
        ((chunk + 1) * CHUNK).min(self.sector().len()) - 1
    }

    #[inline]
    fn model(&self, access: DiskAccess<'_>) -> Option<&Model> {
        if let Some(model) = self.model.get() {
            return model.as_ref();
        }
        let Layout { weights, row_codes, rows, .. } = &self.layout;
        let new = |bytes: &[u8]| {
            let (weights, bytes) = bytes.split_at(weights.len());
            let (codes, rows) = bytes.split_at(row_codes.len());
            Model::unpack(weights, &unpack_lengths(codes, model::SYMBOLS), rows)
        };
        self.codes(&self.model, &(weights.start..rows.end), access, new)
    }

    fn distance_codes(&self, column: usize, access: DiskAccess<'_>) -> Option<&DistanceUnpacker> {
        let part = &self.layout.distances[column].as_ref()?.codes;
        let new = |bytes: &[u8]| DistanceUnpacker::new(&unpack_lengths(bytes, distances::SYMBOLS));
        self.codes(&self.distances[column], part, access, new)
    }

    /// What reads the codes whose lengths a part of the file states, if they are codes, or `None` for now if they
    /// have to come from the disk.
    #[cold]
    pub(super) fn codes<'a, T>(
        &self,
        place: &'a OnceLock<Option<T>>,
        part: &Range<usize>,
        access: DiskAccess<'_>,
        new: impl Fn(&[u8]) -> Option<T>,
    ) -> Option<&'a T> {
        if place.get().is_none() && !self.pages.may_read(part.clone(), access) {
            return None;
        }
        let read = || {
            let piece = self.pages.read(part.clone())?;
            let codes = new(piece.get(part.start, part.len())?);
            if codes.is_none() {
                self.pages.note_damage(part.start);
            }
            codes
        };
        place.get_or_init(read).as_ref()
    }
}

/// The wins, draws and losses of a chunk up to an index in it.
fn unpack_wdl(code: &mut WdlCode<'_>, index: usize, packed: &Chunk) -> ArrayVec<Wdl, CHUNK> {
    let in_chunk = index % CHUNK;
    code.all(index - in_chunk, in_chunk + 1, of_wdl(packed))
}

/// What the code of wins, draws and losses reads of a chunk.
#[inline]
fn of_wdl(chunk: &Chunk) -> (Bits, u8) {
    (Bits::of(chunk.bytes(), chunk.skipped, wdl::bits(chunk.length)), chunk.length)
}
