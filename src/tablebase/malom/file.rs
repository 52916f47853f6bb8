//! An open file of Malom.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};

use super::values::SectorValues;
use crate::board::Square;
use crate::system::file_at::read_at;
use crate::system::regular_file;
use crate::tablebase::disk::{DiskAccess, PendingReads};
use crate::tablebase::draw_value::{DrawOrder, DrawValue};
use crate::tablebase::file::{FileError, Flaw};
use crate::tablebase::sector::{Men, Sector, Solvable};
use crate::tablebase::sets::{Orbit, Orbits, choose, compress, rank};
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
            let (first_bits, pairs) = read_parts(&file, sector)?;
            Ok(Self {
                path: path.to_owned(),
                sector,
                file,
                first_bits,
                sector_value,
                values: Arc::clone(values),
                pairs,
                damaged_at: OnceLock::new(),
                is_reported: AtomicBool::new(false),
            })
        };
        open().map_err(|flaw: Flaw| FileError::new(path, flaw))
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The sector.
    pub const fn sector(&self) -> Sector {
        self.sector
    }

    /// The size of the file in bytes.
    pub fn bytes(&self) -> u64 {
        length(self.sector, self.pairs.len())
    }

    /// The order of the sectors of its game by their values.
    pub(in crate::tablebase) fn draw_order(&self, game: &Solvable) -> DrawOrder {
        DrawOrder::by_values(game, |sector| self.values.of(sector))
    }

    /// Whether no damage has been found, so that it gives values.
    pub(in crate::tablebase) fn is_usable(&self) -> bool {
        self.damaged_at.get().is_none()
    }

    /// The value of the position with these men, or `None` if the file is damaged, or has to be read from the disk and
    /// that is not waited for.
    pub(in crate::tablebase) fn value(&self, men: Men, access: DiskAccess<'_>) -> Option<Value> {
        self.find(men, access).map(|(value, ..)| value)
    }

    /// Where the position with these men comes to rest, or `None` if it is not drawn, or as in [`value`](Self::value).
    /// The number of turns is known only at rest.
    pub(in crate::tablebase) fn draw_value(
        &self,
        men: Men,
        access: DiskAccess<'_>,
    ) -> Option<DrawValue> {
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

    /// The value of a position, that among those of sectors, and the slot that has them, or `None` as in
    /// [`value`](Self::value).
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

    /// What a slot says, or `None` as in [`value`](Self::value).
    fn slot(&self, slot: usize, access: DiskAccess<'_>) -> Option<Slot> {
        let at = slot_at(slot);
        let is_there =
            |pending: &PendingReads| pending.may_read(&self.file, at, SLOT).unwrap_or(true);
        if !self.is_usable() || !access.is_none_or(is_there) {
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
            read_slot([first, second], self.sector_value, self.values.win)
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
        if length < self.bytes() {
            let _ = self.damaged_at.set(length);
        }
        let &offset = self.damaged_at.get()?;
        let is_new = !self.is_reported.swap(true, Relaxed);
        is_new.then(|| FileError::new(&self.path, Flaw::Wrong(format!("damaged at byte {offset}"))))
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

/// The bytes of a sector file with a number of pairs.
fn length(sector: Sector, pairs: usize) -> u64 {
    slot_at(slots(sector)) + COUNT as u64 + PAIR as u64 * pairs as u64
}

/// The bits of the first field of a slot of a sector file, and its pairs in the order of their slots.
fn read_parts(file: &File, sector: Sector) -> Result<(u32, Pairs), Flaw> {
    let (found, least) = (file.metadata()?.len(), length(sector, 0));
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
    is_right((1..SLOT_BITS).contains(&first_bits), words)?;
    if found < least {
        return Err(Flaw::Length(found, least));
    }
    let [count] = read_words(file, slot_at(slots(sector)))?;
    is_right(count as usize <= slots(sector), format!("more pairs than slots: {count}"))?;
    let expected = length(sector, count as usize);
    if found != expected {
        return Err(Flaw::Length(found, expected));
    }
    let mut pairs = vec![[[0; 4]; 2]; count as usize];
    read_at(file, least, pairs.as_flattened_mut().as_flattened_mut())?;
    let pair =
        |[slot, second]: [[u8; 4]; 2]| (u32::from_le_bytes(slot), i32::from_le_bytes(second));
    let mut pairs: Pairs = pairs.into_iter().map(pair).collect();
    pairs.sort_unstable_by_key(|pair| pair.0);
    Ok((first_bits, pairs))
}

/// Some numbers that follow each other in a file.
fn read_words<const N: usize>(file: &File, at: u64) -> Result<[u32; N], Flaw> {
    let mut words = [[0; 4]; N];
    read_at(file, at, words.as_flattened_mut())?;
    Ok(words.map(u32::from_le_bytes))
}

/// The bytes of a slot.
const SLOT: usize = 3;

/// The bits of a slot.
const SLOT_BITS: u32 = 8 * SLOT as u32;

/// The two numbers of a slot: that in the low bits, of which there are some, and that in the rest.
fn fields(first_bits: u32, [low, middle, high]: [u8; SLOT]) -> [i32; 2] {
    let slot = u32::from_le_bytes([low, middle, high, 0]);
    // Shifted to the left end of a word and back, each is as its sign says.
    let signed = |number: u32, bits| (number << (u32::BITS - bits)) as i32 >> (u32::BITS - bits);
    [signed(slot, first_bits), signed(slot >> first_bits, SLOT_BITS - first_bits)]
}

/// The second field that stands for that of a pair.
const fn see_pairs(first_bits: u32) -> i32 {
    -1 << (SLOT_BITS - first_bits - 1)
}

/// What a slot says.
///
/// The first field, where it is not 0, says by how much the value of the position is above that of its sector,
/// for the side to move. The sum is the value of a win, and the second field the plies to it; or the
/// value of a loss; or that of the sector in which a drawn game comes to rest. If the first field is 0
/// the game comes to rest in the sector itself, unless the second is below 0: then the value is in another
/// slot of the same position.
///
/// A ply is what we call a turn: a removal belongs to the ply that closes the mill. A side that cannot
/// move has lost in 0 plies, so that wins are odd and losses even, as ours are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Slot {
    /// The value of the position.
    Value {
        /// With its distance.
        value: Value,
        /// That of a win, a loss, or the sector in which a drawn game comes to rest.
        absolute: i32,
    },
    /// The value is in another slot of the same position.
    Elsewhere,
}

/// What the fields of a slot say in a sector with a value, `win` being the value of a win, or `None` if they say
/// nothing.
fn read_slot([first, second]: [i32; 2], sector_value: i32, win: i32) -> Option<Slot> {
    if first == 0 && second < 0 {
        return Some(Slot::Elsewhere);
    }
    let absolute = sector_value + first;
    if absolute.abs() < win {
        return Some(Slot::Value { value: Value::DRAW, absolute });
    }
    let is_win = absolute == win;
    let is_right = (is_win || absolute == -win) && second >= 0 && (second % 2 == 1) == is_win;
    // Plies that are too many are the most turns of their kind.
    let most = Value::MOST_TURNS - u8::from(!is_win);
    let turns = u8::try_from(second).map_or(most, |plies| plies.min(most));
    is_right.then(|| Slot::Value { value: Value::ends_in(turns), absolute })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_have_signs() {
        let of_slot = |bits, slot: u32| {
            let [low, middle, high, _] = slot.to_le_bytes();
            fields(bits, [low, middle, high])
        };
        assert_eq!(of_slot(12, 0x00_2001), [1, 2]);
        assert_eq!(of_slot(12, 0xff_ffff), [-1, -1]);
        assert_eq!(of_slot(12, 0x80_07ff), [2047, -2048]);
        assert_eq!(of_slot(14, 0x80_2000), [-8192, -512]);
        assert_eq!(of_slot(20, 0x78_0000), [-524_288, 7]);
        assert_eq!([12, 20].map(see_pairs), [-2048, -8]);
    }

    #[test]
    fn values_are_above_or_below_that_of_the_sector() {
        let read = |first, second| read_slot([first, second], 40, 299);
        let worth = |value, absolute| Some(Slot::Value { value, absolute });
        let ends_in = |turns, absolute| worth(Value::ends_in(turns), absolute);
        let drawn = |absolute| worth(Value::DRAW, absolute);
        assert_eq!([read(0, 0), read(-40, 3), read(20, 4)], [40, 0, 60].map(drawn));
        assert_eq!([read(259, 33), read(259, 255)], [33, 253].map(|turns| ends_in(turns, 299)));
        assert_eq!([read(-339, 0), read(-339, 2000)], [0, 252].map(|turns| ends_in(turns, -299)));
        assert_eq!(read(0, -3), Some(Slot::Elsewhere));
        for (first, second) in [(260, 1), (-340, 2), (259, 2), (-339, 1), (259, -1), (-339, -2)] {
            assert_eq!(read(first, second), None, "{first} {second}");
        }
    }
}
