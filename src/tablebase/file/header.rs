//! The header of a sector file, where its parts lie, and the lengths of codes.

use std::ops::Range;

use super::chunks::{Chunks, whole_bytes};
use super::distances::{LOSSES, WINS};
use super::draws::{DrawLayout, Rests};
use super::error::Flaw;
use super::huffman::Lengths;
use super::pages::PAGE;
use super::{distances, model, wdl};
use crate::rules::Identity;
use crate::tablebase::sector::{Sector, Turn};
use crate::tablebase::solved::{Longest, Statistics};
use crate::tablebase::value::Value;

/// The version of the file format.
pub const VERSION: u64 = 4;

const MAGIC: u64 = u64::from_le_bytes(*b"MILLSTDB");

/// What the first page of a file states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The game.
    pub identity: Identity,
    /// The sector.
    pub sector: Sector,
    /// Its wins, draws and losses.
    pub statistics: Statistics,
    /// Whether its wins, draws and losses are lower bounds, which conversions may raise.
    pub is_quiet: bool,
    /// The bytes of the rows of the model.
    pub model: usize,
    /// The bytes of the packed wins, draws and losses.
    pub wdl: usize,
    /// The bytes of the packed distances of losses and of wins, if they are there.
    pub distances: [Option<usize>; 2],
    /// Where its draws come to rest, if that is there.
    pub draws: Option<Rests>,
}

/// Stands for a number that is absent.
pub const NONE: u64 = u64::MAX;

/// The bytes of a number of the header.
const WORD: usize = size_of::<u64>();

/// The bytes of what a header states, but for draws; the rest of its page is 0 but for its own checksum.
pub const STATED: usize = 20 * WORD;

/// Where the checksum of the header itself is.
pub const OWN_CHECKSUM: usize = PAGE - WORD;

impl Header {
    /// Where the parts of the file begin.
    pub fn layout(&self) -> Layout {
        Layout::of(self)
    }

    /// The page that states it.
    pub fn to_page(&self) -> [u8; PAGE] {
        let Statistics { wins, draws, losses, longest_win, longest_loss } = self.statistics;
        let longest = |longest: Option<Longest>| {
            longest.map_or([NONE; 2], |Longest { turns, index }| [turns.into(), index])
        };
        let ([win, win_index], [loss, loss_index]) = (longest(longest_win), longest(longest_loss));
        let distances = |column: usize| self.distances[column].map_or(NONE, |bytes| bytes as u64);
        let [own_hand, hand] = self.sector.hands();
        let words: [u64; STATED / WORD] = [
            MAGIC,
            VERSION,
            self.identity.number(),
            self.sector.own() as u64,
            self.sector.opponent() as u64,
            wins,
            draws,
            losses,
            win,
            win_index,
            loss,
            loss_index,
            distances(LOSSES),
            self.model as u64,
            own_hand as u64,
            hand as u64,
            self.sector.turn() as u64,
            self.wdl as u64,
            self.is_quiet.into(),
            distances(WINS),
        ];
        write_words(words.into_iter().chain(self.draws.iter().flat_map(Rests::words)))
    }

    /// Reads the first page of the file of a sector of a game.
    ///
    /// # Errors
    ///
    /// Those of [`from_page`](Self::from_page), and when it is that of another sector or game.
    pub fn of_sector(page: &[u8; PAGE], sector: Sector, game: Identity) -> Result<Self, Flaw> {
        let header = Self::from_page(page)?;
        if header.identity != game {
            return Err(Flaw::Rules { found: header.identity });
        }
        if header.sector != sector {
            return Err(Flaw::Sector { expected: sector });
        }
        Ok(header)
    }

    /// Reads a page.
    ///
    /// # Errors
    ///
    /// When it is not the first page of a sector file, has another format version or is damaged.
    pub fn from_page(page: &[u8; PAGE]) -> Result<Self, Flaw> {
        let mut words = read_words(page)?;
        let mut next = || words.next().unwrap_or_default();
        let identity = Identity::from_number(next());
        let men = [next() as usize, next() as usize];
        let [wins, draws, losses] = [next(), next(), next()];
        let mut longest = || {
            let (turns, index) = (next(), next());
            let turns = u8::try_from(turns).ok().filter(|turns| *turns <= Value::MOST_TURNS);
            turns.map(|turns| Longest { turns, index })
        };
        let (longest_win, longest_loss) = (longest(), longest());
        let (losses_bytes, model) = (next(), next());
        let hands = [next() as usize, next() as usize];
        let turn = Turn::ALL.get(next() as usize).ok_or(Flaw::Foreign)?;
        let (wdl, is_quiet) = (next(), next());
        let distances = [losses_bytes, next()];
        let sector = Sector::with_hands(men, hands).ok_or(Flaw::Foreign)?.with_turn(*turn);
        let mut known = [longest_win, longest_loss].into_iter().flatten();
        let positions = sector.len() as u64;
        if [wins, draws, losses].iter().any(|&count| count > positions)
            || !known.all(|longest| longest.index < positions && distances[LOSSES] != NONE)
            || distances[LOSSES] == NONE && distances[WINS] != NONE
        {
            return Err(Flaw::Damage { offset: 0 });
        }
        let is_packed = |&bytes: &u64| bytes == NONE || is_packed(bytes, sector);
        if model > MOST_MODEL
            || wdl == NONE
            || ![wdl, distances[LOSSES], distances[WINS]].iter().all(is_packed)
        {
            return Err(Flaw::Damage { offset: 0 });
        }
        Ok(Self {
            identity,
            sector,
            statistics: Statistics { wins, draws, losses, longest_win, longest_loss },
            is_quiet: is_quiet != 0,
            model: model as usize,
            wdl: wdl as usize,
            distances: distances.map(|bytes| (bytes != NONE).then_some(bytes as usize)),
            draws: Rests::read(words, sector)?,
        })
    }
}

/// Whether the codes of a sector can take this many bytes: none has more than two.
pub fn is_packed(bytes: u64, sector: Sector) -> bool {
    bytes <= 2 * sector.len() as u64 + PAGE as u64
}

/// The most bytes of a model: no code of its numbers has more than two.
const MOST_MODEL: u64 = (2 * model::ROWS * model::CONTEXTS) as u64;

/// What the checksums of the pages of a file begin with, so that none passes for that of another file.
pub fn file_number(identity: Identity, sector: Sector, is_quiet: bool) -> u32 {
    let version = VERSION | u64::from(is_quiet) << u32::BITS;
    let words = [identity.number(), sector.place() as u64, version];
    crc32fast::hash(words.map(u64::to_le_bytes).as_flattened())
}

/// Where the parts of a file lie in its contents, computed from the header.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The weights of the model.
    pub weights: Range<usize>,
    /// The codes of its rows.
    pub row_codes: Range<usize>,
    /// Its rows.
    pub rows: Range<usize>,
    /// Wins, draws and losses.
    pub wdl: Chunks,
    /// The distances of losses and of wins, if they are there.
    pub distances: [Option<DistanceLayout>; 2],
    /// Where the distances of wins begin, if they are there.
    pub end_of_losses: usize,
    /// Where the draws begin, if they are there.
    pub end_of_values: usize,
    /// The draws, if they are there.
    pub draws: Option<DrawLayout>,
    /// The end of the contents.
    pub end: usize,
}

/// Where a column of distances lies.
#[derive(Clone, Debug)]
pub struct DistanceLayout {
    /// Their codes.
    pub codes: Range<usize>,
    /// The distances.
    pub chunks: Chunks,
}

impl Layout {
    fn of(header: &Header) -> Self {
        let positions = header.sector.len();
        let weights = 0..model::WEIGHT_BYTES;
        let row_codes = weights.end..weights.end + code_bytes(model::CONTEXTS, model::SYMBOLS);
        let rows = row_codes.end..row_codes.end + header.model;
        let wdl = Chunks::new(rows.end, header.wdl, positions, wdl::bits);
        let column = |start, bytes: Option<usize>| {
            let codes = start..start + code_bytes(distances::CONTEXTS, distances::SYMBOLS);
            let chunks = Chunks::new(codes.end, bytes?, positions, whole_bytes);
            Some(DistanceLayout { codes, chunks })
        };
        let end = |column: &Option<DistanceLayout>, start| {
            column.as_ref().map_or(start, |it| it.chunks.end)
        };
        let losses = column(wdl.end, header.distances[LOSSES]);
        let end_of_losses = end(&losses, wdl.end);
        let wins = column(end_of_losses, header.distances[WINS]);
        let end_of_values = end(&wins, end_of_losses);
        let distances = [losses, wins];
        let draws = header.draws.as_ref().map(|rests| rests.layout(end_of_values, header.sector));
        let end = draws.as_ref().map_or(end_of_values, DrawLayout::end);
        Self { weights, row_codes, rows, wdl, distances, end_of_losses, end_of_values, draws, end }
    }
}

/// The bytes of the lengths of codes: two to a byte.
pub const fn code_bytes(contexts: usize, symbols: usize) -> usize {
    contexts * symbols.div_ceil(2)
}

/// The lengths of the codes of a context as they are written: one more than the bits, 0 where there is no
/// code, the first of two in the lower half of a byte.
pub fn pack_lengths(lengths: &[Option<u8>]) -> Vec<u8> {
    let number = |length: &Option<u8>| length.map_or(0, |length| length + 1);
    let pack =
        |two: &[Option<u8>]| two.iter().rev().fold(0, |byte, length| byte << 4 | number(length));
    lengths.chunks(2).map(pack).collect()
}

/// The lengths of the codes of all contexts from what was written.
pub fn unpack_lengths(bytes: &[u8], symbols: usize) -> Vec<Lengths> {
    let of_context = |bytes: &[u8]| {
        let numbers = bytes.iter().flat_map(|byte| [byte & 0xF, byte >> 4]);
        numbers.map(|number| number.checked_sub(1)).take(symbols).collect()
    };
    bytes.chunks_exact(symbols.div_ceil(2)).map(of_context).collect()
}
/// The first page of a file: words from the first on, and the checksum of the page at its end.
fn write_words(words: impl IntoIterator<Item = u64>) -> [u8; PAGE] {
    let mut page = [0; PAGE];
    for (bytes, word) in page.chunks_mut(WORD).zip(words) {
        bytes.copy_from_slice(&word.to_le_bytes());
    }
    let checksum = u64::from(crc32fast::hash(&page[..OWN_CHECKSUM]));
    page[OWN_CHECKSUM..].copy_from_slice(&checksum.to_le_bytes());
    page
}

/// The words of a first page after those that say what it is, which are checked.
///
/// # Errors
///
/// When the page does not begin with the word of the format, is damaged or has another version.
fn read_words(page: &[u8; PAGE]) -> Result<impl Iterator<Item = u64>, Flaw> {
    let mut words = page.chunks(WORD).map(|word| word.try_into().map_or(0, u64::from_le_bytes));
    if words.next() != Some(MAGIC) {
        return Err(Flaw::Foreign);
    }
    let checksum = u64::from(crc32fast::hash(&page[..OWN_CHECKSUM]));
    if page[OWN_CHECKSUM..] != checksum.to_le_bytes() {
        return Err(Flaw::Damage { offset: 0 });
    }
    match words.next() {
        Some(found) if found < VERSION => Err(Flaw::Old { found }),
        Some(found) if found > VERSION => Err(Flaw::Version { expected: VERSION, found }),
        _ => Ok(words),
    }
}
