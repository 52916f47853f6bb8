//! The header of a sector file, and where its parts begin.

use super::error::Flaw;
use super::huffman::SYMBOLS;
use super::pack::{CHUNK, CONTEXTS, WDL_PER_BYTE};
use crate::rules::Identity;
use crate::tablebase::sector::{Sector, Turn};
use crate::tablebase::solved::{Longest, Statistics};
use crate::tablebase::value::Value;

/// The version of the file format.
pub const VERSION: u64 = 1;

const MAGIC: u64 = u64::from_le_bytes(*b"MILLSTDB");

/// What the first page of a file states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// The game.
    pub identity: Identity,
    /// The sector.
    pub sector: Sector,
    /// Its wins, draws and losses.
    pub statistics: Statistics,
    /// The bytes of the packed distances, if they are there.
    pub packed: Option<usize>,
    /// The checksum of the checksums of all other pages.
    pub checksum: u32,
}

/// Stands for a number that is absent.
const NONE: u64 = u64::MAX;

const WORD: usize = size_of::<u64>();

/// Where the checksum of the header itself is.
const OWN_CHECKSUM: usize = PAGE - WORD;

impl Header {
    /// Where the parts of the file begin.
    pub fn layout(&self) -> Layout {
        Layout::of(self.sector, self.packed)
    }

    /// The page that states it.
    pub fn to_page(self) -> [u8; PAGE] {
        let Statistics { wins, draws, losses, longest_win, longest_loss } = self.statistics;
        let longest = |longest: Option<Longest>| {
            longest.map_or([NONE; 2], |Longest { turns, index }| [turns.into(), index])
        };
        let ([win, win_index], [loss, loss_index]) = (longest(longest_win), longest(longest_loss));
        let [own_hand, hand] = self.sector.hands();
        let words = [
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
            self.packed.map_or(NONE, |packed| packed as u64),
            self.checksum.into(),
            own_hand as u64,
            hand as u64,
            self.sector.turn() as u64,
        ];
        let mut page = [0; PAGE];
        for (bytes, word) in page.chunks_mut(WORD).zip(words) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        let checksum = u64::from(crc32fast::hash(&page[..OWN_CHECKSUM]));
        page[OWN_CHECKSUM..].copy_from_slice(&checksum.to_le_bytes());
        page
    }

    /// Reads a page.
    ///
    /// # Errors
    ///
    /// When it is not the first page of a sector file, has another format version or is damaged.
    pub fn from_page(page: &[u8; PAGE]) -> Result<Self, Flaw> {
        let mut words = page.chunks(WORD).map(|word| word.try_into().map_or(0, u64::from_le_bytes));
        let mut next = || words.next().unwrap_or_default();
        if next() != MAGIC {
            return Err(Flaw::Foreign);
        }
        let checksum = u64::from(crc32fast::hash(&page[..OWN_CHECKSUM]));
        if page[OWN_CHECKSUM..] != checksum.to_le_bytes() {
            return Err(Flaw::Damage { offset: 0 });
        }
        match next() {
            VERSION => {}
            found => return Err(Flaw::Version { expected: VERSION, found }),
        }
        let identity = Identity::from_number(next());
        let men = [next() as usize, next() as usize];
        let [wins, draws, losses] = [next(), next(), next()];
        let mut longest = || {
            let (turns, index) = (next(), next());
            let turns = u8::try_from(turns).ok().filter(|turns| *turns <= Value::MOST_TURNS);
            turns.map(|turns| Longest { turns, index })
        };
        let (longest_win, longest_loss) = (longest(), longest());
        let (packed, checksum) = (next(), next() as u32);
        let hands = [next() as usize, next() as usize];
        let turn = Turn::ALL.get(next() as usize).ok_or(Flaw::Foreign)?;
        let sector = Sector::with_hands(men, hands).ok_or(Flaw::Foreign)?.with_turn(*turn);
        let mut known = [longest_win, longest_loss].into_iter().flatten();
        let positions = sector.len() as u64;
        if [wins, draws, losses].iter().any(|&count| count > positions)
            || !known.all(|longest| longest.index < positions && packed != NONE)
        {
            return Err(Flaw::Damage { offset: 0 });
        }
        // No code has more than two bytes.
        if packed != NONE && packed > 2 * positions + PAGE as u64 {
            return Err(Flaw::Damage { offset: 0 });
        }
        Ok(Self {
            identity,
            sector,
            statistics: Statistics { wins, draws, losses, longest_win, longest_loss },
            packed: (packed != NONE).then_some(packed as usize),
            checksum,
        })
    }
}

/// The bytes that are read and checked together.
pub const PAGE: usize = 4096;

/// The number of chunks that share an offset.
pub const CHUNKS_PER_GROUP: usize = 16;

/// The bytes of a group before its chunks.
pub const GROUP_HEAD: usize = CHUNKS_PER_GROUP * size_of::<u16>();

/// Where the parts of a file begin, in bytes, computed from the header.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    pub codes: usize,
    pub distances: usize,
    pub offsets: usize,
    pub checksums: usize,
    pub end: usize,
}

impl Layout {
    pub const WDL: usize = PAGE;

    /// `packed` is the number of bytes of the distances, if there are any.
    fn of(sector: Sector, packed: Option<usize>) -> Self {
        let codes = Self::WDL + whole_pages(sector.len().div_ceil(WDL_PER_BYTE));
        let part = |bytes: usize| if packed.is_some() { whole_pages(bytes) } else { 0 };
        let distances = codes + part(CONTEXTS * SYMBOLS);
        let offsets = distances + part(packed.unwrap_or_default());
        let checksums = offsets + part(groups(sector) * size_of::<u32>());
        let end = checksums + (checksums / PAGE - 1) * size_of::<u32>();
        Self { codes, distances, offsets, checksums, end }
    }
}

fn groups(sector: Sector) -> usize {
    sector.len().div_ceil(CHUNK * CHUNKS_PER_GROUP)
}

fn whole_pages(bytes: usize) -> usize {
    bytes.next_multiple_of(PAGE)
}
