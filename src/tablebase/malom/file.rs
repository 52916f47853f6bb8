//! An open file of Malom.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};

use super::slot::{self, SLOT, Slot, fields, see_pairs};
use super::values::SectorValues;
use crate::board::Square;
use crate::system::file_at::read_at;
use crate::system::regular_file;
use crate::tablebase::disk::DiskAccess;
use crate::tablebase::draw_value::{DrawOrder, DrawValue};
use crate::tablebase::file::{FileError, Flaw};
use crate::tablebase::orbits::{Orbit, Orbits};
use crate::tablebase::ranks::{choose, compress, rank};
use crate::tablebase::sector::{Men, Sector};
use crate::tablebase::solvable::Solvable;
use crate::tablebase::source::{Answer, Source};
use crate::tablebase::value::Value;

/// The format version of files that end in `.sec2`.
const VERSION: u32 = 2;

/// The bytes of the header.
const HEADER: usize = 64;

/// The bytes of the number of pairs.
const COUNT: usize = 4;

/// The bytes of a pair.
const PAIR: usize = 8;

/// Slots and the second fields that do not fit into them.
type Pairs = Box<[(u32, i32)]>;

/// The name of the file of a sector.
pub fn name(prefix: &str, sector: Sector) -> String {
    let [own_hand, hand] = sector.hands();
    format!("{prefix}_{}_{}_{own_hand}_{hand}.sec2", sector.own(), sector.opponent())
}

/// An open file of Malom: a sector with distances and the values of draws.
///
/// Once a slot is found damaged, it gives no more values.
pub struct MalomFile {
    path: PathBuf,
    sector: Sector,
    file: File,
    /// The bits of the first field of a slot.
    first_bits: u32,
    /// The value of the sector.
    sector_value: i32,
    values: Arc<SectorValues>,
    /// The second fields that do not fit into slots, in the order of their slots.
    pairs: Pairs,
    /// The bytes of the file.
    bytes: u64,
    damaged_at: OnceLock<u64>,
    is_reported: AtomicBool,
}

impl MalomFile {
    /// Opens the file of a sector, which has the value `unlisted` if the list lacks it.
    ///
    /// # Errors
    ///
    /// When it cannot be read, its length does not follow from its header, it has another format, or its
    /// sector has no value.
    pub(super) fn open(
        path: &Path,
        sector: Sector,
        values: &Arc<SectorValues>,
        unlisted: Option<i32>,
    ) -> Result<Self, FileError> {
        let words = "the list of sector values lacks its sector";
        let is_unlisted = || Flaw::Wrong(words.to_owned());
        let open = || {
            let file = regular_file::open(path)?;
            let sector_value = values.of(sector).or(unlisted).ok_or_else(is_unlisted)?;
            let (first_bits, pairs, bytes) = read_parts(&file, sector)?;
            Ok(Self {
                path: path.to_owned(),
                sector,
                file,
                first_bits,
                sector_value,
                values: Arc::clone(values),
                pairs,
                bytes,
                damaged_at: OnceLock::new(),
                is_reported: AtomicBool::new(false),
            })
        };
        open().map_err(|flaw: Flaw| FileError::new(path, flaw))
    }

    /// Its path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The sector.
    #[must_use]
    pub const fn sector(&self) -> Sector {
        self.sector
    }

    /// The size of the file in bytes.
    #[must_use]
    pub const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The order of the sectors of its game by their values.
    pub(in crate::tablebase) fn draw_order(&self, game: &Solvable) -> DrawOrder {
        DrawOrder::by_values(game, |sector| self.values.of(sector))
    }

    /// The value of a position, that among those of sectors, and the slot that has them, or `None` as in
    /// [`value`](Source::value).
    fn find(&self, [own, opponent]: Men, access: DiskAccess<'_>) -> Option<(Value, i32, usize)> {
        let orbits = Orbits::of(self.sector.own());
        let Orbit { number, to_representative, .. } = orbits.find(own);
        let free = !orbits.representative(number);
        let opponent = to_representative.set(opponent);
        let mut last = 0;
        for symmetry in orbits.stabilizer(number) {
            let rank = rank(compress(symmetry.set(opponent), free));
            last = number * ranks(self.sector) + rank;
            if let Slot::Value { value, absolute } = self.slot(last, access)? {
                return Some((value, absolute, last));
            }
        }
        self.note_damage(slot_at(last));
        None
    }

    /// What a slot says, or `None` as in [`value`](Source::value).
    fn slot(&self, slot: usize, access: DiskAccess<'_>) -> Option<Slot> {
        let at = slot_at(slot);
        if !self.is_usable() || !access.may_read(&self.file, at, SLOT).unwrap_or(true) {
            return None;
        }
        let read = || {
            let mut bytes = [0; SLOT];
            read_at(&self.file, at, &mut bytes).ok()?;
            let [first, mut second] = fields(self.first_bits, bytes);
            if second == see_pairs(self.first_bits) {
                let pair = self.pairs.binary_search_by_key(&(slot as u32), |pair| pair.0).ok()?;
                second = self.pairs[pair].1;
            }
            slot::read([first, second], self.sector_value, self.values.win)
        };
        let found = read();
        if found.is_none() {
            self.note_damage(at);
        }
        found
    }

    fn note_damage(&self, offset: u64) {
        let _ = self.damaged_at.set(offset);
    }

    /// The damage that was found while reading, reported once. Looks first whether the file was cut short.
    pub(in crate::tablebase) fn take_damage(&self) -> Option<FileError> {
        let length = self.file.metadata().map_or(0, |file| file.len());
        if length < self.bytes {
            let _ = self.damaged_at.set(length);
        }
        let &offset = self.damaged_at.get()?;
        let is_new = !self.is_reported.swap(true, Relaxed);
        is_new.then(|| FileError::new(&self.path, Flaw::Wrong(format!("damaged at byte {offset}"))))
    }
}

impl Source for MalomFile {
    fn sector(&self) -> Sector {
        self.sector
    }

    fn path(&self) -> &Path {
        self.path()
    }

    fn is_usable(&self) -> bool {
        self.damaged_at.get().is_none()
    }

    fn has(&self, _column: Answer) -> bool {
        true
    }

    fn value(&self, men: Men, access: DiskAccess<'_>) -> Option<Value> {
        self.find(men, access).map(|(value, ..)| value)
    }

    /// The number of turns is known only at rest.
    fn draw_value(&self, men: Men, access: DiskAccess<'_>) -> Option<DrawValue> {
        let (value, absolute, slot) = self.find(men, access)?;
        if value != Value::DRAW {
            return None;
        }
        let rest = self.values.sector(absolute);
        if rest.is_none() && absolute != 0 {
            self.note_damage(slot_at(slot));
            return None;
        }
        let is_at_rest = absolute == self.sector_value && !self.sector.is_placing();
        Some(DrawValue { rest, turns: is_at_rest.then_some(0) })
    }
}

/// How many slots a leader has.
const fn ranks(sector: Sector) -> usize {
    choose(Square::COUNT - sector.own(), sector.opponent()) as usize
}

/// How many slots a sector has.
fn slots(sector: Sector) -> usize {
    Orbits::of(sector.own()).len() * ranks(sector)
}

/// Where a slot begins, in bytes; after the last one are the pairs.
const fn slot_at(slot: usize) -> u64 {
    HEADER as u64 + SLOT as u64 * slot as u64
}

/// The bits of the first field of a slot of a sector file, its pairs in the order of their slots, and its length.
fn read_parts(file: &File, sector: Sector) -> Result<(u32, Pairs, u64), Flaw> {
    let found = file.metadata()?.len();
    let at = slot_at(slots(sector));
    let least = at + COUNT as u64;
    let is_right =
        |is_right, words: String| if is_right { Ok(()) } else { Err(Flaw::Wrong(words)) };
    if found < HEADER as u64 {
        return Err(Flaw::Length(found, least));
    }
    let [version, slot, first_bits] = read_words(file, 0)?;
    if version != VERSION {
        return Err(Flaw::Version(version.into(), VERSION.into()));
    }
    let words = format!("slots of {slot} bytes, but this program reads slots of {SLOT}");
    is_right(slot == SLOT as u32, words)?;
    let words = format!("corrupt Malom file: field width {first_bits}");
    is_right((1..slot::BITS).contains(&first_bits), words)?;
    if found < least {
        return Err(Flaw::Length(found, least));
    }
    let [count] = read_words(file, at)?;
    is_right(count as usize <= slots(sector), format!("more pairs than slots: {count}"))?;
    let expected = least + PAIR as u64 * u64::from(count);
    if found != expected {
        return Err(Flaw::Length(found, expected));
    }
    let mut bytes = vec![0; count as usize * PAIR];
    read_at(file, least, &mut bytes)?;
    let pair = |&[a, b, c, d, e, f, g, h]: &[u8; PAIR]| {
        (u32::from_le_bytes([a, b, c, d]), i32::from_le_bytes([e, f, g, h]))
    };
    let mut pairs: Pairs = bytes.as_chunks().0.iter().map(pair).collect();
    pairs.sort_unstable_by_key(|pair| pair.0);
    Ok((first_bits, pairs, found))
}

/// Some numbers that follow each other in a file.
fn read_words<const N: usize>(file: &File, at: u64) -> Result<[u32; N], Flaw> {
    let mut words = [[0; 4]; N];
    read_at(file, at, words.as_flattened_mut())?;
    Ok(words.map(u32::from_le_bytes))
}
