//! Open sector files. Values are read one at a time or in ranges. A column stores symbols only for its own kind of
//! position, such as draws, so it is always read together with the wins, draws and losses.

use std::io::Read;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use arrayvec::ArrayVec;
use rayon::prelude::*;

use super::chunks::{CHUNK, COLUMNS, LOSSES, RANKS, Symbols, TURNS, WINS};
use super::header::{Header, Layout, OWN_CHECKSUM, STATED, VERSION, file_number};
use super::huffman::Decoder;
use super::model::{Model, WdlCode};
use super::pages::{PAGE, PageSource, Pages, Remote, RemoteFile, file_len};
use super::{FileError, Flaw};
use crate::rules::Identity;
use crate::system::file_at::DiskAccess;
use crate::system::memory::filled;
use crate::system::regular_file;
use crate::tablebase::sector::{Sector, Solved, Statistics};
use crate::tablebase::value::{
    DrawCode, DrawOrder, DrawOrderKind, DrawValue, Probe, Value, Wdl, Worth,
};

/// Used instead of a path for sectors built into the program.
pub(crate) const SHIPPED: &str = "(shipped)";

/// The number of pages fetched when a remote file is opened: enough for the header and most models.
const OPENED_WITH: usize = 4;

/// An open sector file.
///
/// Every page is verified before its values are returned. Once damage is found, the file returns no more values.
pub struct SectorFile {
    path: PathBuf,
    pub(super) header: Header,
    pub(super) layout: Layout,
    pub(super) pages: Pages,
    /// The model of wins, draws and losses, read on first use; `None` inside if it is damaged.
    model: OnceLock<Option<Model>>,
    /// The codes of the columns, likewise.
    codes: [OnceLock<Option<Vec<Decoder>>>; COLUMNS],
    /// All wins, draws and losses, if they are [in memory](Self::into_memory).
    decoded: Vec<Wdl>,
}

impl SectorFile {
    /// The version of the file format.
    pub const VERSION: u64 = VERSION;

    /// Opens the file of a sector of a game.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, belongs to another sector or game, has another format version or length, or its
    /// header is damaged. Other damage is found later, when a page is first read.
    pub fn open(path: &Path, sector: Sector, identity: Identity) -> Result<Self, FileError> {
        let opened = || {
            let file = regular_file::open(path)?;
            let mut begin = Vec::with_capacity(PAGE);
            (&file).take(PAGE as u64).read_to_end(&mut begin)?;
            let header = Header::of_sector(&begin, sector, identity)?;
            Self::of(path, header, |end| PageSource::open(file, end))
        };
        opened().map_err(|flaw: Flaw| FileError::new(path, flaw))
    }

    /// Opens the remote file of a sector of a game.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open), except for the length; also when the file cannot be fetched now.
    pub(crate) fn open_remote(
        remote: &Arc<dyn Remote>,
        name: &str,
        sector: Sector,
        identity: Identity,
    ) -> Result<Self, FileError> {
        let path = PathBuf::from(name);
        let opened = || {
            let bytes = remote.fetch(name, 0..OPENED_WITH * PAGE)?;
            let header = Header::of_sector(&bytes, sector, identity)?;
            Self::of(&path, header, |end| {
                let (remote, name) = (Arc::clone(remote), name.to_owned());
                Ok(PageSource::Remote(RemoteFile::new(remote, name, file_len(end), &bytes)))
            })
        };
        opened().map_err(|flaw: Flaw| FileError::new(&path, flaw))
    }

    /// Opens the sectors built into the program: concatenated results of [`to_ship`](super::to_ship).
    ///
    /// # Errors
    ///
    /// When the bytes are not sectors of the game.
    pub(crate) fn shipped(
        mut bytes: &'static [u8],
        identity: Identity,
    ) -> Result<Vec<Self>, FileError> {
        let path = Path::new(SHIPPED);
        let mut opened = || {
            let mut files = Vec::new();
            while !bytes.is_empty() {
                let found = bytes.len() as u64;
                let mut take = |len| bytes.split_off(..len).ok_or(Flaw::Length(found, PAGE as u64));
                let mut first = [0; PAGE];
                first[..STATED].copy_from_slice(take(STATED)?);
                first[OWN_CHECKSUM..].copy_from_slice(take(PAGE - OWN_CHECKSUM)?);
                let header = Header::of_game(&first, identity)?;
                let source = |end| Ok(PageSource::Shipped(take(file_len(end) - PAGE)?));
                files.push(Self::of(path, header, source)?);
            }
            Ok(files)
        };
        opened().map_err(|flaw: Flaw| FileError::new(path, flaw))
    }

    /// Makes a file from its header. `source` returns the bytes, given the length of the contents.
    fn of(
        path: &Path,
        header: Header,
        source: impl FnOnce(usize) -> Result<PageSource, Flaw>,
    ) -> Result<Self, Flaw> {
        let (path, layout) = (path.to_owned(), Layout::of(&header));
        let number = file_number(header.identity, header.sector, header.is_quiet);
        let pages = Pages::new(source(layout.end())?, number, layout.end());
        let (model, codes, decoded) = (OnceLock::new(), Default::default(), Vec::new());
        Ok(Self { path, header, layout, pages, model, codes, decoded })
    }

    /// The path of the file, or the name of a remote one.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The sector.
    pub fn sector(&self) -> Sector {
        self.header.sector
    }

    /// The numbers of positions of the sector that are won, drawn and lost.
    pub fn statistics(&self) -> &Statistics {
        &self.header.statistics
    }

    /// Whether the file returns values, since no damage has been found so far.
    pub fn is_usable(&self) -> bool {
        !self.pages.is_damaged()
    }

    /// Whether the file stores lower bounds: the value of a position is its bound or that of its best conversion,
    /// whichever is greater.
    pub fn is_quiet(&self) -> bool {
        self.header.is_quiet
    }

    /// Whether the file has distances, at least of losses.
    pub fn has_distances(&self) -> bool {
        self.layout.columns[LOSSES].is_some()
    }

    /// Whether the file has distances of losses only, from which the distances of wins follow.
    pub fn leaves_out_wins(&self) -> bool {
        self.has_distances() && self.layout.columns[WINS].is_none()
    }

    /// The size of the file in bytes.
    pub fn bytes(&self) -> usize {
        file_len(self.layout.end())
    }

    /// The size in bytes that the file would have with only wins, draws and losses.
    pub fn bytes_without_distances(&self) -> usize {
        file_len(self.layout.wdl.end)
    }

    /// The size of the packed wins, draws and losses and their model in bytes.
    pub fn wdl_bytes(&self) -> usize {
        self.layout.wdl.end
    }

    /// Returns the damage found while reading, the first time it is called after that.
    pub fn take_damage(&self) -> Option<FileError> {
        self.pages.take_damage().map(|flaw| FileError::new(&self.path, flaw))
    }

    /// Returns win, draw or loss for an index, or `None` if the file is damaged. A [quiet](Self::is_quiet) file gives a
    /// lower bound.
    pub fn wdl(&self, index: usize) -> Option<Wdl> {
        self.wdl_if(index, None)
    }

    /// Like [`wdl`](Self::wdl); `access` decides whether to wait for pages that are not in memory, or return `None`.
    pub(crate) fn wdl_if(&self, index: usize, access: DiskAccess<'_>) -> Option<Wdl> {
        if let Some(&wdl) = self.decoded.get(index) {
            return Some(wdl);
        }
        let chunk = self.layout.wdl.get(index / CHUNK, &self.pages, access)?;
        Some(self.wdl_code(access)?.get(index, &chunk))
    }

    /// Decodes all wins, draws and losses, or lower bounds, so that [`wdl`](Self::wdl) finds them in memory.
    ///
    /// # Errors
    ///
    /// When the file is damaged, or that of `check`, which is called now and then.
    pub(crate) fn into_memory<E: From<FileError> + Send>(
        mut self,
        check: impl Fn() -> Result<(), E> + Sync,
    ) -> Result<Self, E> {
        self.decoded = self.decode_all(Wdl::Draw, [], |wdl, _| wdl, check)?;
        Ok(self)
    }

    /// Returns the value of the position with an index, or `None` if the file is damaged or lacks its distance.
    pub fn value(&self, index: usize) -> Option<Value> {
        self.value_if(index, None)
    }

    /// Like [`value`](Self::value), with `access` as for [`wdl_if`](Self::wdl_if).
    pub(crate) fn value_if(&self, index: usize, access: DiskAccess<'_>) -> Option<Value> {
        let wdl = self.wdl_up_to(index, access)?;
        let (&last, before) = wdl.split_last()?;
        let Some(column) = column_of(last) else {
            return self.has_distances().then_some(Value::DRAW);
        };
        let [symbols] = self.symbols([column], index / CHUNK, access)?;
        let mut symbols = symbols?;
        for _ in before.iter().filter(|&&wdl| wdl == last) {
            symbols.next(0);
        }
        Some(next_distance(column, &mut symbols))
    }

    /// Reads the first `bytes` bytes of the wins, draws and losses into the file cache of the system, and verifies
    /// them.
    ///
    /// # Errors
    ///
    /// When the file cannot be read.
    pub fn warm(&self, bytes: usize) -> Result<(), FileError> {
        let is_read = self.pages.read_ahead(0..bytes.min(self.wdl_bytes()));
        is_read.map_err(|error| FileError::new(&self.path, error))
    }

    /// Reads and verifies the whole file.
    ///
    /// # Errors
    ///
    /// When a page is damaged.
    pub fn check(&self) -> Result<(), FileError> {
        if self.pages.are_good() { Ok(()) } else { Err(self.damage()) }
    }

    /// Returns the damage found, or blames the first page if all checksums match.
    pub(crate) fn damage(&self) -> FileError {
        let damage = self.pages.damage().unwrap_or(Flaw::Damage(0));
        FileError::new(&self.path, damage)
    }

    /// Decodes the wins, draws and losses of a chunk up to and including an index, or returns `None` if the file is
    /// damaged or [quiet](Self::is_quiet).
    fn wdl_up_to(&self, index: usize, access: DiskAccess<'_>) -> Option<ArrayVec<Wdl, CHUNK>> {
        if self.is_quiet() {
            return None;
        }
        let chunk = self.layout.wdl.get(index / CHUNK, &self.pages, access)?;
        Some(self.wdl_code(access)?.up_to(index, &chunk))
    }

    fn wdl_code(&self, access: DiskAccess<'_>) -> Option<WdlCode<'_>> {
        let model = match self.model.get() {
            Some(model) => model.as_ref(),
            None => self.read_once(&self.model, &self.layout.model, access, Model::unpack),
        };
        Some(WdlCode::new(self.sector(), model?))
    }

    /// Returns readers of the symbols in a chunk of some columns, `None` for absent columns, unless the file is damaged
    /// or may not be read yet.
    fn symbols<const N: usize>(
        &self,
        columns: [usize; N],
        chunk: usize,
        access: DiskAccess<'_>,
    ) -> Option<[Option<Symbols<'_>>; N]> {
        let mut symbols = [const { None }; N];
        for (symbols, number) in symbols.iter_mut().zip(columns) {
            if let Some(column) = &self.layout.columns[number] {
                let chunk = column.chunks.get(chunk, &self.pages, access)?;
                let unpack = |bytes: &[u8]| column.unpack(bytes);
                let codes = self.read_once(&self.codes[number], &column.codes, access, unpack)?;
                *symbols = Some(Symbols::new(column, codes, chunk.bytes));
            }
        }
        Some(symbols)
    }

    /// Parses a part of the file with `new` and keeps the result. Returns `None` if the part is damaged, or may not be
    /// read yet.
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
            let parsed = new(&self.pages.read(part.clone())?);
            if parsed.is_none() {
                self.pages.note_damage(part.start);
            }
            parsed
        };
        place.get_or_init(read).as_ref()
    }

    /// Reads all values. A win gets distance 1 and a loss 0 where the file lacks its distance.
    ///
    /// # Errors
    ///
    /// When the file is damaged or [quiet](Self::is_quiet).
    pub fn load(&self) -> Result<Solved, FileError> {
        self.load_unless(|| Ok(()))
    }

    /// Like [`load`](Self::load), but fails with the error of `check`, which is called now and then.
    pub(crate) fn load_unless<E: From<FileError> + Send>(
        &self,
        check: impl Fn() -> Result<(), E> + Sync,
    ) -> Result<Solved, E> {
        self.check_exact()?;
        let values = self.decode_all(Value::DRAW, DISTANCES, next_value, check)?;
        Ok(Solved::from_values(self.sector(), values))
    }

    /// Fails if the file stores only lower bounds.
    fn check_exact(&self) -> Result<(), FileError> {
        if self.is_quiet() { Err(FileError::new(self.path(), Flaw::Quiet)) } else { Ok(()) }
    }

    /// Reads the value of one position, as [`load`](Self::load) does.
    ///
    /// # Errors
    ///
    /// When the file is damaged or [quiet](Self::is_quiet).
    pub(crate) fn read_value(&self, index: usize) -> Result<Value, FileError> {
        self.check_exact()?;
        Ok(self.decode(index..index + 1, DISTANCES, next_value)?[0])
    }

    /// Reads the values of a block by rank, as [`load`](Self::load) does.
    ///
    /// # Errors
    ///
    /// When the file is damaged or [quiet](Self::is_quiet).
    pub(crate) fn read_block<V: Probe>(&self, block: usize) -> Result<Vec<V>, FileError> {
        self.check_exact()?;
        let indices = self.block_indices(block);
        if V::HAS_DISTANCE {
            self.decode(indices, DISTANCES, |wdl, columns| next_value(wdl, columns).into())
        } else {
            self.decode(indices, [], |wdl, _| Value::without_distance(wdl).into())
        }
    }

    fn block_indices(&self, block: usize) -> Range<usize> {
        self.sector().index(block, 0)..self.sector().index(block + 1, 0)
    }

    /// [Decodes](Self::decode) all positions in parts, with `check` before each. `blank` is any value.
    fn decode_all<T: Copy + Send, E: From<FileError> + Send, const N: usize>(
        &self,
        blank: T,
        columns: [usize; N],
        next: impl Fn(Wdl, &mut [Option<Symbols<'_>>; N]) -> T + Sync,
        check: impl Fn() -> Result<(), E> + Sync,
    ) -> Result<Vec<T>, E> {
        let mut values = filled(blank, self.sector().len());
        let parts = values.par_chunks_mut(READ_AT_A_TIME).enumerate();
        parts.try_for_each(|(part, values)| {
            check()?;
            let first = part * READ_AT_A_TIME;
            values.copy_from_slice(&self.decode(first..first + values.len(), columns, &next)?);
            Ok::<(), E>(())
        })?;
        Ok(values)
    }

    /// Decodes a range of positions. `next` makes a value from a win, draw or loss, or lower bound, and takes the
    /// symbols of the position from the readers of the columns, which are `None` for absent columns.
    ///
    /// # Errors
    ///
    /// When the file is damaged.
    fn decode<T, const N: usize>(
        &self,
        indices: Range<usize>,
        columns: [usize; N],
        next: impl Fn(Wdl, &mut [Option<Symbols<'_>>; N]) -> T,
    ) -> Result<Vec<T>, FileError> {
        let (skipped, len) = (indices.start % CHUNK, indices.len());
        let numbers = indices.start / CHUNK..indices.end.div_ceil(CHUNK);
        let decode = || {
            let mut code = self.wdl_code(None)?;
            let mut values = Vec::with_capacity(numbers.len() * CHUNK);
            for number in numbers {
                let last = ((number + 1) * CHUNK).min(self.sector().len()) - 1;
                let wdl = code.up_to(last, &self.layout.wdl.get(number, &self.pages, None)?);
                let mut symbols = self.symbols(columns, number, None)?;
                values.extend(wdl.into_iter().map(|wdl| next(wdl, &mut symbols)));
            }
            Some(values)
        };
        let mut values = decode().ok_or_else(|| self.damage())?;
        values.drain(..skipped);
        values.truncate(len);
        Ok(values)
    }

    /// Whether the file stores where draws come to rest.
    pub fn has_draws(&self) -> bool {
        self.header.draws.is_some()
    }

    /// The order of the sectors that its draws were solved with, or `None` if they were not solved.
    pub fn draw_order_kind(&self) -> Option<DrawOrderKind> {
        self.header.draws.as_ref().map(|draws| draws.kind)
    }

    /// The sectors where draws come to rest, from the worst for the side to move to the best, with the number of draws
    /// for each, symmetric positions counted once. `None` stands for all sectors that favour neither side. Empty if the
    /// file does not store it.
    pub fn rests(&self) -> &[(Option<Sector>, u64)] {
        self.header.draws.as_ref().map_or(&[], |draws| &draws.places)
    }

    /// The size in bytes of the columns about draws.
    pub fn draw_bytes(&self) -> usize {
        self.layout.end() - self.layout.start_of(RANKS)
    }

    /// Returns where a drawn position comes to rest, or `None` if the position is not drawn, or the file is damaged or
    /// does not store it.
    pub(crate) fn draw_value_if(&self, index: usize, access: DiskAccess<'_>) -> Option<DrawValue> {
        let wdl = self.wdl_up_to(index, access)?;
        let (_, before) = wdl.split_last().filter(|(wdl, _)| **wdl == Wdl::Draw)?;
        let mut columns = self.symbols([RANKS, TURNS], index / CHUNK, access)?;
        for _ in before.iter().filter(|wdl| **wdl == Wdl::Draw) {
            self.next_draw(&mut columns)?;
        }
        let (place, turns) = self.next_draw(&mut columns)?;
        let (rest, _) = *self.rests().get(place)?;
        Some(DrawValue { rest, turns })
    }

    /// Reads the codes of a block in an order of the sectors, by rank.
    ///
    /// # Errors
    ///
    /// When the file is damaged or does not store where draws come to rest.
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

    /// Reads where the next draw of a chunk comes to rest, as an index into [`rests`](Self::rests), and the turns until
    /// then.
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

/// Returns the column that stores the distance of a win or a loss.
fn column_of(wdl: Wdl) -> Option<usize> {
    match wdl {
        Wdl::Draw => None,
        Wdl::Loss => Some(LOSSES),
        Wdl::Win => Some(WINS),
    }
}

/// Reads the next distance of a column.
fn next_distance(column: usize, symbols: &mut Symbols<'_>) -> Value {
    Value::ends_in(2 * symbols.next(0) + column as u8)
}

/// The number of positions that one task decodes.
const READ_AT_A_TIME: usize = CHUNK << 10;

/// The columns of distances; the parity of a distance is the number of its column.
const DISTANCES: [usize; 2] = [LOSSES, WINS];

/// Reads the next value of a chunk, without a distance if its column is absent.
fn next_value(wdl: Wdl, columns: &mut [Option<Symbols<'_>>; 2]) -> Value {
    let Some(column) = column_of(wdl) else { return Value::DRAW };
    let symbols = columns[column].as_mut();
    symbols.map_or(Value::without_distance(wdl), |symbols| next_distance(column, symbols))
}
