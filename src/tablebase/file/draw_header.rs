//! The header of a file of draws, and where its parts lie.

use std::ops::Range;

use super::chunks::{Chunks, whole_bytes};
use super::error::Flaw;
use super::header::{code_bytes, read_words, write_words};
use super::pages::PAGE;
use super::rests::{TURN_CONTEXTS, TURNS, rank_contexts};
use crate::rules::Identity;
use crate::tablebase::draw_value::DrawOrderKind;
use crate::tablebase::sector::{Sector, Turn};

/// The version of the format of files of draws.
pub const DRAW_VERSION: u64 = 2;

const MAGIC: u64 = u64::from_le_bytes(*b"MILLDRAW");

/// The most sectors that the draws of a file come to rest in.
const MOST_RESTS: usize = 127;

/// What the first page of a file of draws states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawHeader {
    /// The game.
    pub identity: Identity,
    /// The sector.
    pub sector: Sector,
    /// The order of the sectors.
    pub kind: DrawOrderKind,
    /// Where draws come to rest, the worst for the side to move first, and how many do so, symmetric positions
    /// counted once; none stands for all that favour neither side. The sector itself is always among
    /// them.
    pub rests: Vec<(Option<Sector>, u64)>,
    /// Which of them the sector itself is, if it has one that is kept with turns.
    pub own: Option<usize>,
    /// The bytes of the packed ranks.
    pub ranks: usize,
    /// The bytes of the packed turns, if they are there.
    pub turns: Option<usize>,
}

/// Stands for a number that is absent.
const NONE: u64 = u64::MAX;

impl DrawHeader {
    /// The page that states it.
    pub fn to_page(&self) -> [u8; PAGE] {
        let [own_hand, hand] = self.sector.hands();
        let or_none = |number: Option<usize>| number.map_or(NONE, |number| number as u64);
        let mut words = vec![
            MAGIC,
            DRAW_VERSION,
            self.identity.number(),
            self.sector.own() as u64,
            self.sector.opponent() as u64,
            own_hand as u64,
            hand as u64,
            self.sector.turn() as u64,
            self.kind as u64,
            self.ranks as u64,
            or_none(self.turns),
            or_none(self.own),
            self.rests.len() as u64,
        ];
        for (rest, count) in &self.rests {
            let men = rest.map_or([0, 0], |rest| [rest.own(), rest.opponent()]);
            words.extend([(men[0] << 8 | men[1]) as u64, *count]);
        }
        write_words(words)
    }

    /// Reads a page.
    ///
    /// # Errors
    ///
    /// When it is not the first page of a file of draws, has another format version or is damaged.
    pub fn from_page(page: &[u8; PAGE]) -> Result<Self, Flaw> {
        let mut words = read_words(page, MAGIC, DRAW_VERSION)?;
        let mut next = || words.next().unwrap_or_default();
        let damage = || Flaw::Damage { offset: 0 };
        let identity = Identity::from_number(next());
        let men = [next() as usize, next() as usize];
        let hands = [next() as usize, next() as usize];
        let turn = Turn::ALL.get(next() as usize).ok_or(Flaw::Foreign)?;
        let sector = Sector::with_hands(men, hands).ok_or(Flaw::Foreign)?.with_turn(*turn);
        let kind = *DrawOrderKind::ALL.get(next() as usize).ok_or_else(damage)?;
        let (ranks, turns) = (next(), next());
        let (own, count) = (next(), next() as usize);
        if count == 0 || count > MOST_RESTS {
            return Err(damage());
        }
        let mut rest = || {
            let (men, count) = (next() as usize, next());
            let rest = if men == 0 {
                None
            } else {
                Some(Sector::new(men >> 8, men & 0xFF).ok_or_else(damage)?)
            };
            Ok((rest, count))
        };
        let rests = (0..count).map(|_| rest()).collect::<Result<Vec<_>, Flaw>>()?;
        // No code has more than two bytes.
        let is_packed = |bytes: u64| bytes <= 2 * sector.len() as u64 + PAGE as u64;
        if !is_packed(ranks) || turns != NONE && (!is_packed(turns) || own >= count as u64) {
            return Err(damage());
        }
        let or_none = |number: u64| (number != NONE).then_some(number as usize);
        Ok(Self {
            identity,
            sector,
            kind,
            rests,
            own: or_none(own),
            ranks: ranks as usize,
            turns: or_none(turns),
        })
    }

    /// Where the parts of the file lie.
    pub fn layout(&self) -> DrawLayout {
        let positions = self.sector.len();
        let count = self.rests.len();
        let rank_codes = 0..code_bytes(rank_contexts(count), count);
        let ranks = Chunks::new(rank_codes.end, self.ranks, positions, whole_bytes);
        let turns = self.turns.map(|bytes| {
            let codes = ranks.end..ranks.end + code_bytes(TURN_CONTEXTS, TURNS);
            let chunks = Chunks::new(codes.end, bytes, positions, whole_bytes);
            (codes, chunks)
        });
        let end = turns.as_ref().map_or(ranks.end, |(_, chunks)| chunks.end);
        DrawLayout { rank_codes, ranks, turns, end }
    }
}

/// Where the parts of a file of draws lie, computed from the header.
#[derive(Clone, Debug)]
pub struct DrawLayout {
    /// The codes of ranks.
    pub rank_codes: Range<usize>,
    /// Ranks.
    pub ranks: Chunks,
    /// The codes of turns, and turns, if they are there.
    pub turns: Option<(Range<usize>, Chunks)>,
    /// The end of the contents.
    pub end: usize,
}
