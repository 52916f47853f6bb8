//! The first page of a file.

use super::error::Flaw;
use super::{Layout, PAGE};
use crate::rules::Identity;
use crate::tablebase::sector::Sector;
use crate::tablebase::statistics::{Longest, Statistics};
use crate::tablebase::value::Value;

/// The version of the form of the files.
pub const VERSION: u64 = 1;

const MAGIC: u64 = u64::from_le_bytes(*b"MILLSTDB");

/// What the first page says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// The game.
    pub identity: Identity,
    /// The sector.
    pub sector: Sector,
    /// What it holds.
    pub statistics: Statistics,
    /// The bytes of the packed distances, if they are there.
    pub packed: Option<usize>,
    /// The checksum of the checksums.
    pub checksum: u32,
}

/// How a number that may be missing is written.
const NONE: u64 = u64::MAX;

const WORD: usize = size_of::<u64>();

/// Where the checksum of the page itself stands.
const OWN_CHECKSUM: usize = PAGE - WORD;

impl Header {
    /// Where the parts of the file begin.
    pub fn layout(&self) -> Layout {
        Layout::of(self.sector, self.packed)
    }

    /// The page.
    pub fn to_page(self) -> [u8; PAGE] {
        let Statistics { wins, draws, losses, longest_win, longest_loss } = self.statistics;
        let longest = |longest: Option<Longest>| {
            longest.map_or([NONE; 2], |Longest { plies, number }| [plies.into(), number])
        };
        let ([win, win_number], [loss, loss_number]) =
            (longest(longest_win), longest(longest_loss));
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
            win_number,
            loss,
            loss_number,
            self.packed.map_or(NONE, |packed| packed as u64),
            self.checksum.into(),
        ];
        let mut page = [0; PAGE];
        for (bytes, word) in page.chunks_mut(WORD).zip(words) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        let checksum = u64::from(crc32fast::hash(&page[..OWN_CHECKSUM]));
        page[OWN_CHECKSUM..].copy_from_slice(&checksum.to_le_bytes());
        page
    }

    /// What a page says.
    ///
    /// # Errors
    ///
    /// When it is not the first page of a database, or damaged.
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
            other => return Err(Flaw::Version(other)),
        }
        let identity = Identity::from_number(next());
        let sector = Sector::new(next() as usize, next() as usize).ok_or(Flaw::Foreign)?;
        let [wins, draws, losses] = [next(), next(), next()];
        let mut longest = || {
            let (plies, number) = (next(), next());
            let plies = u8::try_from(plies).ok().filter(|plies| *plies <= Value::MOST_PLIES);
            plies.map(|plies| Longest { plies, number })
        };
        let (longest_win, longest_loss) = (longest(), longest());
        let mut known = [longest_win, longest_loss].into_iter().flatten();
        let positions = sector.len() as u64;
        if [wins, draws, losses].iter().any(|&count| count > positions)
            || !known.all(|longest| longest.number < positions)
        {
            return Err(Flaw::Damage { offset: 0 });
        }
        let packed = next();
        // No code has more than two bytes.
        if packed != NONE && packed > 2 * positions + PAGE as u64 {
            return Err(Flaw::Damage { offset: 0 });
        }
        Ok(Self {
            identity,
            sector,
            statistics: Statistics { wins, draws, losses, longest_win, longest_loss },
            packed: (packed != NONE).then_some(packed as usize),
            checksum: next() as u32,
        })
    }
}
