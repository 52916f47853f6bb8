//! Reading a sector file.

use std::io::Read;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use arrayvec::ArrayVec;
use rayon::prelude::*;

use super::arithmetic::Bits;
use super::chunks::{CHUNK, Chunk};
use super::columns::{COLUMNS, Codes, LOSSES, Symbols, WINS};
use super::error::{FileError, Flaw};
use super::header::{Header, Layout, OWN_CHECKSUM, STATED, file_number};
use super::model::Model;
use super::pages::{PAGE, PageSource, Pages, file_len, first_page};
use super::remote::{Remote, RemoteFile};
use super::wdl::{self, WdlCode};
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

/// How many positions are read at a time when all are.
const READ_AT_A_TIME: usize = CHUNK << 10;

/// The columns of distances, each by the remainder of its distances by 2.
const DISTANCES: [usize; 2] = [LOSSES, WINS];

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
    /// The codes of its columns in the same way.
    codes: [OnceLock<Option<Codes>>; COLUMNS],
}

impl SectorFile {
    /// Opens the file of a sector of a game.
    ///
    /// # Errors
    ///
    /// When it cannot be read, belongs to another sector or game, has another format version, or its
    /// header or checksums are damaged.
    pub fn open(path: &Path, sector: Sector, identity: Identity) -> Result<Self, FileError> {
        let opened = || {
            let file = regular_file::open(path)?;
            let mut begin = Vec::with_capacity(PAGE);
            (&file).take(PAGE as u64).read_to_end(&mut begin)?;
            let header = Header::of_sector(first_page(&begin)?, sector, identity)?;
            Self::of(path, header, |end| PageSource::open(file, end))
        };
        opened().map_err(|flaw: Flaw| FileError::new(path, flaw))
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
            let header = Header::of_sector(first_page(&bytes)?, sector, identity)?;
            Self::of(&path, header, |end| {
                let (remote, name) = (Arc::clone(remote), name.to_owned());
                Ok(PageSource::Remote(RemoteFile::new(remote, name, file_len(end), &bytes)))
            })
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
            let file = Self::take_shipped(path, &mut bytes, identity);
            files.push(file.map_err(|flaw| FileError::new(path, flaw))?);
        }
        Ok(files)
    }

    fn take_shipped(
        path: &Path,
        bytes: &mut &'static [u8],
        identity: Identity,
    ) -> Result<Self, Flaw> {
        let found = bytes.len() as u64;
        let mut take =
            |len| bytes.split_off(..len).ok_or(Flaw::Length { expected: PAGE as u64, found });
        let (stated, checksum) = (take(STATED)?, take(PAGE - OWN_CHECKSUM)?);
        let mut first = [0; PAGE];
        first[..STATED].copy_from_slice(stated);
        first[OWN_CHECKSUM..].copy_from_slice(checksum);
        Self::of(path, Header::of_game(&first, identity)?, |end| {
            Ok(PageSource::Shipped(take(file_len(end) - PAGE)?))
        })
    }

    /// The file with a header, given where its pages are by the length of the contents.
    fn of(
        path: &Path,
        header: Header,
        source: impl FnOnce(usize) -> Result<PageSource, Flaw>,
    ) -> Result<Self, Flaw> {
        let (path, layout) = (path.to_owned(), Layout::of(&header));
        let number = file_number(header.identity, header.sector, header.is_quiet);
        let pages = Pages::new(source(layout.end())?, number, layout.end());
        Ok(Self { path, header, layout, pages, model: OnceLock::new(), codes: Default::default() })
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
        self.layout.columns[LOSSES].is_some()
    }

    /// Whether it has distances of losses only, from which those of wins follow.
    #[must_use]
    pub fn leaves_out_wins(&self) -> bool {
        self.has_distances() && self.layout.columns[WINS].is_none()
    }

    /// The size of the file in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        file_len(self.layout.end())
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
        let Some(column) = column_of(last) else {
            return self.has_distances().then_some(Value::DRAW);
        };
        let (codes, chunk) = self.chunk_of(column, index / CHUNK, access)?;
        let mut symbols = Symbols::new(codes, chunk.bytes());
        for _ in before.iter().filter(|&&wdl| wdl == last) {
            symbols.next(0);
        }
        Some(next_distance(column, &mut symbols))
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
        let mut values = vec![Value::DRAW; self.sector().len()];
        let parts = values.par_chunks_mut(READ_AT_A_TIME).enumerate();
        parts.try_for_each(|(part, values)| {
            let first = part * READ_AT_A_TIME;
            let read = self.decode(first..first + values.len(), DISTANCES, next_value)?;
            values.copy_from_slice(&read);
            Ok::<(), FileError>(())
        })?;
        Ok(Solved::from_values(self.sector(), values))
    }

    /// The wins, draws and losses of a block.
    ///
    /// # Errors
    ///
    /// When the file is damaged or [quiet](Self::is_quiet).
    pub(in crate::tablebase) fn wdl_of_block(&self, block: usize) -> Result<Vec<Wdl>, FileError> {
        self.decode(self.block_indices(block), [], |wdl, _| wdl)
    }

    /// The values of a block; where the file has no distances, every win has distance 1 or every loss 0.
    ///
    /// # Errors
    ///
    /// When the file is damaged or [quiet](Self::is_quiet).
    pub(in crate::tablebase) fn block(&self, block: usize) -> Result<Vec<Value>, FileError> {
        self.decode(self.block_indices(block), DISTANCES, next_value)
    }

    /// The same of one position.
    ///
    /// # Errors
    ///
    /// When the file is damaged or [quiet](Self::is_quiet).
    pub(in crate::tablebase) fn read_value(&self, index: usize) -> Result<Value, FileError> {
        Ok(self.decode(index..index + 1, DISTANCES, next_value)?[0])
    }

    /// The indices of a block.
    pub(super) fn block_indices(&self, block: usize) -> Range<usize> {
        self.sector().index(block, 0)..self.sector().index(block + 1, 0)
    }

    /// Decodes some positions that follow one another: what `next` makes of each win, draw or loss, and of the symbols
    /// of some columns, of which it reads those of the position. A column that is absent has none.
    ///
    /// # Errors
    ///
    /// When the file is damaged or [quiet](Self::is_quiet).
    pub(super) fn decode<T, const N: usize>(
        &self,
        indices: Range<usize>,
        columns: [usize; N],
        next: impl Fn(Wdl, &mut [Option<Symbols<'_>>; N]) -> T,
    ) -> Result<Vec<T>, FileError> {
        if self.is_quiet() {
            return Err(FileError::new(&self.path, Flaw::Quiet));
        }
        let (skipped, len) = (indices.start % CHUNK, indices.len());
        let numbers = indices.start / CHUNK..indices.end.div_ceil(CHUNK);
        let decoded = self.decode_chunks(numbers, columns, next);
        let mut values = decoded.ok_or_else(|| self.damage())?;
        values.drain(..skipped);
        values.truncate(len);
        Ok(values)
    }

    fn decode_chunks<T, const N: usize>(
        &self,
        numbers: Range<usize>,
        columns: [usize; N],
        next: impl Fn(Wdl, &mut [Option<Symbols<'_>>; N]) -> T,
    ) -> Option<Vec<T>> {
        let wdl = self.layout.wdl.read(numbers.clone(), &self.pages)?;
        let mut read = [const { None }; N];
        for (read, number) in read.iter_mut().zip(columns) {
            if let Some(column) = &self.layout.columns[number] {
                let chunks = column.chunks.read(numbers.clone(), &self.pages)?;
                *read = Some((self.column_codes(number, DiskAccess::Blocking)?, chunks));
            }
        }
        let mut code = self.wdl_code(DiskAccess::Blocking)?;
        let mut values = Vec::with_capacity(numbers.len() * CHUNK);
        for number in numbers {
            let wdl = unpack_wdl(&mut code, self.last_of(number), &wdl(number)?);
            let mut packed = [const { None }; N];
            for (packed, read) in packed.iter_mut().zip(&read) {
                if let Some((codes, chunks)) = read {
                    *packed = Some((*codes, chunks(number)?));
                }
            }
            let mut symbols = symbols_of(&packed);
            values.extend(wdl.into_iter().map(|wdl| next(wdl, &mut symbols)));
        }
        Some(values)
    }

    /// The damage that was found; that of the first page if all checksums fit.
    pub(super) fn damage(&self) -> FileError {
        let damage = self.pages.damage().unwrap_or(Flaw::Damage(0));
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
        self.read_once(&self.model, &self.layout.model, access, Model::unpack)
    }

    /// A chunk of a column, if that is there, and its codes.
    pub(super) fn chunk_of(
        &self,
        column: usize,
        number: usize,
        access: DiskAccess<'_>,
    ) -> Option<(&Codes, Chunk)> {
        let chunks = self.layout.columns[column].as_ref()?.chunks;
        let chunk = chunks.get(number, &self.pages, access)?;
        Some((self.column_codes(column, access)?, chunk))
    }

    fn column_codes(&self, number: usize, access: DiskAccess<'_>) -> Option<&Codes> {
        let column = self.layout.columns[number].as_ref()?;
        self.read_once(&self.codes[number], &column.codes, access, |bytes| column.unpack(bytes))
    }

    /// What `new` makes of a part of the file, if that can be; or `None` for now if it has to come from the disk.
    #[cold]
    fn read_once<'a, T>(
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

/// What reads the symbols of a chunk of some columns.
pub(super) fn symbols_of<'a, const N: usize>(
    packed: &'a [Option<(&Codes, Chunk)>; N],
) -> [Option<Symbols<'a>>; N] {
    packed
        .each_ref()
        .map(|packed| packed.as_ref().map(|(codes, chunk)| Symbols::new(codes, chunk.bytes())))
}

/// The column with the distance of a win or a loss.
fn column_of(wdl: Wdl) -> Option<usize> {
    match wdl {
        Wdl::Draw => None,
        Wdl::Loss => Some(LOSSES),
        Wdl::Win => Some(WINS),
    }
}

/// The next value of a column of distances.
#[inline]
fn next_distance(column: usize, symbols: &mut Symbols<'_>) -> Value {
    Value::ends_in(2 * symbols.next(0) + column as u8)
}

/// The next value of a chunk; one without a distance where its column is absent.
#[inline]
fn next_value(wdl: Wdl, columns: &mut [Option<Symbols<'_>>; 2]) -> Value {
    let Some(column) = column_of(wdl) else { return Value::DRAW };
    let symbols = columns[column].as_mut();
    symbols.map_or(Value::without_distance(wdl), |symbols| next_distance(column, symbols))
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
