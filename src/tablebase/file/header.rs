//! The header of a sector file, and the layout of the parts after it.

use std::array;
use std::ops::Range;

use super::chunks::{COLUMNS, Chunks, Coding, Column, LOSSES, RANKS, TURNS, WINS};
use super::pages::PAGE;
use super::{Flaw, model, wdl};
use crate::rules::Identity;
use crate::tablebase::sector::{Longest, Sector, Statistics};
use crate::tablebase::value::{DrawOrderKind, Value};

/// The version of the file format, also part of the name of the cache folder.
pub const VERSION: u64 = 4;

const MAGIC: u64 = u64::from_le_bytes(*b"MILLSTDB");

/// The contents of the first page of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The identity of the rules.
    pub identity: Identity,
    /// The sector.
    pub sector: Sector,
    /// The numbers of wins, draws and losses, and the longest distances.
    pub statistics: Statistics,
    /// Whether the file stores lower bounds, which conversions may raise.
    pub is_quiet: bool,
    /// The size of the rows of the model in bytes.
    pub model: usize,
    /// The size of the packed wins, draws and losses in bytes.
    pub wdl: usize,
    /// The size of the chunks of each column in bytes, or `None` if the column is absent.
    pub columns: [Option<usize>; COLUMNS],
    /// Where draws come to rest, or `None` if the file does not store it.
    pub draws: Option<Rests>,
}

/// The part of the header about draws.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rests {
    /// The order of the sectors.
    pub kind: DrawOrderKind,
    /// The sectors where draws come to rest, from the worst for the side to move to the best, with the number of draws
    /// for each, symmetric positions counted once. `None` stands for all sectors that favour neither side. The place of
    /// the sector itself is always present; in the placing phase that is `None`.
    pub places: Vec<(Option<Sector>, u64)>,
    /// The index of the place of the sector itself, or `None` in the placing phase, where no turns are stored.
    pub own: Option<usize>,
}

/// Stands for a number that is absent.
const NONE: u64 = u64::MAX;

/// The size of a number in the header.
const WORD: usize = size_of::<u64>();

/// The size in bytes of the part of the header before the draws. Without draws, the rest of the page is 0 except for
/// the checksum.
pub const STATED: usize = 20 * WORD;

/// The offset of the checksum of the header.
pub const OWN_CHECKSUM: usize = PAGE - WORD;

/// The maximum number of places where the draws of a sector come to rest.
const MOST_PLACES: u64 = 127;

impl Header {
    /// Returns the first page of the file.
    pub fn to_page(&self) -> [u8; PAGE] {
        let Statistics { wins, draws, losses, longest_win, longest_loss } = self.statistics;
        let or_none = |number: Option<usize>| number.map_or(NONE, |number| number as u64);
        let longest = |longest: Option<Longest>| {
            longest.map_or([NONE; 2], |Longest { turns, index }| [turns.into(), index])
        };
        let columns = self.columns.map(or_none);
        let mut words = vec![MAGIC, VERSION, self.identity.0];
        words.extend([self.sector.own(), self.sector.opponent()].map(|men| men as u64));
        words.extend([wins, draws, losses]);
        words.extend([longest_win, longest_loss].map(longest).as_flattened());
        words.extend([columns[LOSSES], self.model as u64]);
        words.extend(self.sector.hands().map(|men| men as u64));
        words.extend([self.sector.turn_number() as u64, self.wdl as u64]);
        words.extend([self.is_quiet.into(), columns[WINS]]);
        if let Some(Rests { kind, places, own }) = &self.draws {
            words.extend([places.len() as u64, *kind as u64]);
            words.extend([columns[RANKS], columns[TURNS], or_none(*own)]);
            for &(place, count) in places {
                let men = place.map_or(0, |place| place.own() << 8 | place.opponent());
                words.extend([men as u64, count]);
            }
        }
        let mut page = [0; PAGE];
        for (bytes, word) in page.chunks_mut(WORD).zip(words) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        let checksum = u64::from(crc32fast::hash(&page[..OWN_CHECKSUM]));
        page[OWN_CHECKSUM..].copy_from_slice(&checksum.to_le_bytes());
        page
    }

    /// Reads the beginning of the file of a sector of a game.
    ///
    /// # Errors
    ///
    /// As [`of_game`](Self::of_game); also when there is less than a page, or the file is of another sector.
    pub fn of_sector(begin: &[u8], sector: Sector, game: Identity) -> Result<Self, Flaw> {
        let short = Flaw::Length(begin.len() as u64, PAGE as u64);
        let header = Self::of_game(begin.first_chunk().ok_or(short)?, game)?;
        if header.sector != sector {
            return Err(Flaw::Wrong(format!("not the sector {sector}")));
        }
        Ok(header)
    }

    /// Reads the first page of a file of a game.
    ///
    /// # Errors
    ///
    /// When the page does not begin a sector file, has another format version, is damaged, or belongs to another game.
    pub fn of_game(page: &[u8; PAGE], game: Identity) -> Result<Self, Flaw> {
        let mut words = read_words(page)?;
        let mut next = || words.next().unwrap_or_default();
        let identity = Identity(next());
        let men = [next() as usize, next() as usize];
        let [wins, draws, losses] = [next(), next(), next()];
        let mut longest = || {
            let (turns, index) = (next(), next());
            let turns = u8::try_from(turns).ok().filter(|turns| *turns <= Value::MOST_TURNS);
            turns.map(|turns| Longest { turns, index })
        };
        let (longest_win, longest_loss) = (longest(), longest());
        let mut columns = [NONE; COLUMNS];
        columns[LOSSES] = next();
        let model = next();
        let hands = [next() as usize, next() as usize];
        let turn = Sector::TURNS.get(next() as usize).ok_or_else(foreign)?;
        let (wdl, is_quiet) = (next(), next());
        columns[WINS] = next();
        let sector = Sector::with_hands(men, hands).ok_or_else(foreign)?.with_turn(*turn);
        let rests = read_draws(&mut next, &mut columns)?;
        let mut known = [longest_win, longest_loss].into_iter().flatten();
        let positions = sector.len() as u64;
        let is_packed = |bytes: u64| bytes <= 2 * positions + PAGE as u64;
        if [wins, draws, losses].iter().any(|&count| count > positions)
            || !known.all(|longest| longest.index < positions && columns[LOSSES] != NONE)
            || columns[LOSSES] == NONE && columns[WINS] != NONE
            || model > MOST_MODEL
            || !is_packed(wdl)
            || !columns.iter().all(|&bytes| bytes == NONE || is_packed(bytes))
        {
            return Err(Flaw::Damage(0));
        }
        if identity != game {
            return Err(Flaw::Rules(identity));
        }
        Ok(Self {
            identity,
            sector,
            statistics: Statistics { wins, draws, losses, longest_win, longest_loss },
            is_quiet: is_quiet != 0,
            model: model as usize,
            wdl: wdl as usize,
            columns: columns.map(|bytes| (bytes != NONE).then_some(bytes as usize)),
            draws: rests,
        })
    }
}

/// Reads the part of the header about draws and the sizes of their columns. Returns `None` if there is none.
fn read_draws(
    next: &mut impl FnMut() -> u64,
    columns: &mut [u64; COLUMNS],
) -> Result<Option<Rests>, Flaw> {
    let damage = || Flaw::Damage(0);
    let count = next();
    if count == 0 {
        return Ok(None);
    }
    let kind = *DrawOrderKind::ALL.get(next() as usize).ok_or_else(damage)?;
    (columns[RANKS], columns[TURNS]) = (next(), next());
    let own = next();
    if count > MOST_PLACES || columns[RANKS] == NONE || columns[TURNS] != NONE && own >= count {
        return Err(damage());
    }
    let place = |_| {
        let (men, count) = (next() as usize, next());
        let place = (men != 0).then(|| Sector::new(men >> 8, men & 0xFF).ok_or_else(damage));
        Ok((place.transpose()?, count))
    };
    let places = (0..count).map(place).collect::<Result<_, Flaw>>()?;
    Ok(Some(Rests { kind, places, own: (own != NONE).then_some(own as usize) }))
}

/// The maximum size of the rows of a model in bytes: every symbol takes at most two.
const MOST_MODEL: u64 = (2 * model::ROWS * model::CONTEXTS) as u64;

/// The initial value of the page checksums of a file, so that a page of another file fails its check.
pub fn file_number(identity: Identity, sector: Sector, is_quiet: bool) -> u32 {
    let version = VERSION | u64::from(is_quiet) << u32::BITS;
    let words = [identity.0, sector.place() as u64, version];
    crc32fast::hash(words.map(u64::to_le_bytes).as_flattened())
}

/// The places of the parts within the contents of a file, computed from the header.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The model.
    pub model: Range<usize>,
    /// Wins, draws and losses.
    pub wdl: Chunks,
    /// The columns; `None` if absent.
    pub columns: [Option<Column>; COLUMNS],
}

impl Layout {
    /// Computes the layout of a file from its header.
    pub fn of(header: &Header) -> Self {
        let positions = header.sector.len();
        let model = 0..model::BYTES_BEFORE_ROWS + header.model;
        let wdl = Chunks::new(model.end, header.wdl, positions, wdl::bits);
        let places = Coding::places(header.draws.as_ref().map_or(0, |draws| draws.places.len()));
        let codings = [Coding::DISTANCES, Coding::DISTANCES, places, Coding::TURNS];
        let mut end = wdl.end;
        let columns = array::from_fn(|column| {
            let column = Column::new(codings[column], end, header.columns[column]?, positions);
            end = column.chunks.end;
            Some(column)
        });
        Self { model, wdl, columns }
    }

    /// Where a column begins, or would begin if it were present.
    pub fn start_of(&self, column: usize) -> usize {
        let before = self.columns[..column].iter().flatten().next_back();
        before.map_or(self.wdl.end, |before| before.chunks.end)
    }

    /// The end of the contents.
    pub fn end(&self) -> usize {
        self.start_of(COLUMNS)
    }
}

/// The flaw of a file that does not begin like a sector file.
fn foreign() -> Flaw {
    Flaw::Wrong("not a Millstone sector file".to_owned())
}

/// Checks the magic number, the checksum and the version of a first page, and returns the words after them.
///
/// # Errors
///
/// When one of them is wrong.
fn read_words(page: &[u8; PAGE]) -> Result<impl Iterator<Item = u64>, Flaw> {
    let mut words = page.chunks(WORD).map(|word| word.try_into().map_or(0, u64::from_le_bytes));
    if words.next() != Some(MAGIC) {
        return Err(foreign());
    }
    let checksum = u64::from(crc32fast::hash(&page[..OWN_CHECKSUM]));
    if page[OWN_CHECKSUM..] != checksum.to_le_bytes() {
        return Err(Flaw::Damage(0));
    }
    match words.next() {
        Some(found) if found < VERSION => Err(Flaw::Unfit(format!(
            "format version {found} of an older Millstone; build new files in another folder with \
             millstone db build --dir"
        ))),
        Some(found) if found > VERSION => Err(Flaw::Version(found, VERSION)),
        _ => Ok(words),
    }
}
