//! The files of Malom, by Gévay and Danner: another program's solutions of three games, read in place.
//!
//! # Folders
//!
//! A sector is a file `std_W_B_HW_HB.sec2`: `W` men of the side to move and `B` of the opponent on the board, `HW`
//! and `HB` in hand. `std` is Nine Men's Morris; `SOLUTIONS` names the others. Reading them takes the list of sector
//! values beside them, `std.secval`:
//!
//! ```text
//! virt_loss_val: -299
//! virt_win_val: 299
//! 49                         number of lines that follow
//! 3 4 0 0  40                W B HW HB, and the value of the sector
//! ```
//!
//! # Sector files
//!
//! Numbers are little-endian.
//!
//! ```text
//! header   64 bytes: format version (2), bytes of a slot (3), bits of the first field of a slot, each as u32;
//!          the rest is ignored
//! slots    three bytes each
//! count    the number of pairs, as u32
//! pairs    a slot as u32, and the second field that does not fit into it as i32
//! ```
//!
//! A slot is two signed fields, the first in its low bits. The least second field refers to a pair. `Slot` explains
//! what the fields mean.
//!
//! # Slot numbers
//!
//! Points are the bits of a set: `a4 a7 d7 g7 g4 g1 d1 a1 b4 b6 d6 f6 f4 f2 d2 b2 c4 c5 d5 e5 e4 e3 d3 c3`. The sets of
//! `W` points are ordered by their bits as numbers. The first set of each orbit under the 16 symmetries is its leader,
//! and leaders are numbered in this order. A symmetry that maps the men of the side to move to their leader also maps
//! the opponent's men. These are a set of the remaining points, which are renumbered in order; its rank is its place
//! among all such sets of `B` points, again ordered by their bits.
//!
//! ```text
//! slot = number of the leader * choose(24 - W, B) + rank
//! ```
//!
//! If a leader has symmetries of its own, several slots stand for one position. One of them has the value, the
//! others may only refer to it, so all are tried.
//!
//! Our [`Square`](crate::board::Square)s count rings from the inner one and begin at the top, Malom's from the outer
//! one and begin at the left: a quarter turn with an exchange of the rings, which is a symmetry, maps one to the
//! other. The bits of a set, read as Malom's, are a set of the same orbit, so leaders and their numbers
//! are those of our [`Orbits`], and no set is converted.
//!
//! # Reading
//!
//! Files have no checksums. The length must match the header, and a slot without a meaning marks the file as
//! damaged. Every probe reads its slot from the file; nothing is mapped, so a file may safely be truncated
//! while in use.

use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};

use super::file::{FileError, Flaw};
use super::folder::{Files, open_files, sector_files};
use super::sector::{Men, Sector, Solvable};
use super::sets::{Orbit, Orbits, compress, rank};
use super::value::{DrawOrder, DrawValue, Value};
use crate::rules::{BoardFullAction, RuleSet};
use crate::system::file_at::{DiskAccess, PendingReads, read_at};
use crate::system::regular_file;

/// Opens Malom's files of a game in a folder that contains files with these names. Unusable files are
/// reported and left out.
///
/// # Errors
///
/// When all files are those of other games, or the list of sector values is unusable.
pub fn open(
    folder: &Path,
    game: &Solvable,
    names: &HashSet<OsString>,
    report: &mut dyn FnMut(FileError),
) -> Result<Files<MalomFile>, FileError> {
    let with_prefix = |prefix| sector_files(folder, game, names, |it| file_name(prefix, it));
    let there = prefix(game).map(|prefix| (prefix, with_prefix(prefix)));
    let Some((prefix, paths)) = there.filter(|(_, paths)| !paths.is_empty()) else {
        let Some(found) = named_by(names) else { return Ok(Files::from_iter([])) };
        let words = format!("its .sec2 files are ignored: they are for {found}");
        return Err(FileError::unfit(folder, words));
    };
    let list = folder.join(format!("{prefix}.secval"));
    let values = SectorValues::read(&list).map_err(|flaw| FileError::new(&list, flaw))?;
    let values = Arc::new(values);
    let open = |path: &Path, sector| {
        // Play comes to rest only where both sides can move back and forth, so 0 is right for any other
        // sector that is not listed.
        let unlisted = (!game.is_cyclic(sector)).then_some(0);
        MalomFile::open(path, sector, &values, unlisted)
    };
    Ok(open_files(&paths, open, report))
}

/// A solved game.
struct Solution {
    /// The prefix of its file names.
    prefix: &'static str,
    rules: RuleSet,
    /// The name of the game, with its differences from the preset of that name.
    name: &'static str,
}

const SOLUTIONS: [Solution; 3] = [
    Solution { prefix: "std", rules: RuleSet::NINE_MENS_MORRIS, name: "Nine Men's Morris" },
    Solution {
        prefix: "mora",
        rules: RuleSet { board_full_action: BoardFullAction::Draw, ..RuleSet::TWELVE_MENS_MORRIS },
        name: "Twelve Men's Morris in which a full board is a draw",
    },
    Solution {
        prefix: "lask",
        rules: RuleSet {
            men: 10,
            may_move_in_placing: true,
            flying_counts_hand: true,
            ..RuleSet::NINE_MENS_MORRIS
        },
        name: "Lasker Morris in which men in hand count for flying",
    },
];

/// Returns the prefix of the file names of a game, if Malom has solved it.
fn prefix(game: &Solvable) -> Option<&'static str> {
    let is_game = |solution: &&Solution| solution.rules.canonical() == game.rules().canonical();
    SOLUTIONS.iter().find(is_game).map(|solution| solution.prefix)
}

/// Returns the games whose sector files are among these names, or `None` if there are none.
fn named_by(names: &HashSet<OsString>) -> Option<String> {
    let prefix =
        |name: &OsString| Some(name.to_str()?.strip_suffix(".sec2")?.split_once('_')?.0.to_owned());
    let prefixes: HashSet<String> = names.iter().filter_map(prefix).collect();
    let found = SOLUTIONS.iter().filter(|solution| prefixes.contains(solution.prefix));
    let found: Vec<&str> = found.map(|solution| solution.name).collect();
    (!found.is_empty()).then(|| found.join(", "))
}

/// More bytes than any list has.
const MOST_BYTES: u64 = 1 << 20;

/// The value of each sector of a game.
struct SectorValues {
    /// The value of a win; a loss has the opposite.
    win: i32,
    /// By sector, without a named side to move.
    values: HashMap<Sector, i32>,
}

impl SectorValues {
    /// Reads the list.
    ///
    /// # Errors
    ///
    /// When it cannot be read, or a line is invalid.
    fn read(path: &Path) -> Result<Self, Flaw> {
        let mut bytes = Vec::new();
        regular_file::open(path)?.take(MOST_BYTES).read_to_end(&mut bytes)?;
        Self::parse(&String::from_utf8_lossy(&bytes))
    }

    /// Returns the first sector of the moving phase with a value, or `None` for 0, which favours neither side.
    fn sector(&self, value: i32) -> Option<Sector> {
        let listed = self.values.iter().filter(|&(_, &other)| other == value && value != 0);
        listed.map(|(&sector, _)| sector).filter(|sector| !sector.is_placing()).min()
    }

    /// Reads the text of a list.
    fn parse(text: &str) -> Result<Self, Flaw> {
        let lines: Vec<&str> = text.lines().collect();
        let line = |number: usize, name: &str, count| {
            let line = lines.get(number - 1).and_then(|line| numbers(line, name, count));
            line.ok_or_else(|| wrong_line(number))
        };
        let (loss, win) = (line(1, "virt_loss_val:", 1)?[0], line(2, "virt_win_val:", 1)?[0]);
        if win != -loss {
            return Err(wrong_line(2));
        }
        let count = usize::try_from(line(3, "", 1)?[0]).map_err(|_| wrong_line(3))?;
        let mut values = HashMap::new();
        for number in 4..4 + count {
            let line = line(number, "", 5)?;
            if line[..4].iter().any(|&men| men < 0) {
                return Err(wrong_line(number));
            }
            let [own, opponent, own_hand, hand] = [0, 1, 2, 3].map(|men| line[men] as usize);
            let sector = Sector::with_hands([own, opponent], [own_hand, hand]);
            values.extend(sector.map(|sector| (sector, line[4])));
        }
        Ok(Self { win: win.abs(), values })
    }

    /// Returns the value of a sector, if it is listed.
    fn of(&self, sector: Sector) -> Option<i32> {
        self.values.get(&sector.with_turn(None)).copied()
    }
}

/// Returns the error for an invalid line, numbered from 1.
fn wrong_line(number: usize) -> Flaw {
    Flaw::Wrong(format!("line {number} is invalid"))
}

/// Reads `count` numbers of 16 bits after a name, if a line has nothing else.
fn numbers(line: &str, name: &str, count: usize) -> Option<Vec<i32>> {
    let words = line.trim().strip_prefix(name)?.split_ascii_whitespace();
    let numbers: Result<Vec<i32>, _> =
        words.map(|word| word.parse::<i16>().map(i32::from)).collect();
    numbers.ok().filter(|numbers| numbers.len() == count)
}

/// The format version of files that end in `.sec2`.
const VERSION: u32 = 2;

/// The bytes of the header.
const HEADER: usize = 64;

/// Slots and the second fields that do not fit into them.
type Pairs = Box<[(u32, i32)]>;

/// Returns the name of the file of a sector.
fn file_name(prefix: &str, sector: Sector) -> String {
    let [own_hand, hand] = sector.hands();
    format!("{prefix}_{}_{}_{own_hand}_{hand}.sec2", sector.own(), sector.opponent())
}

/// An open file of Malom: a sector with distances and the values of draws.
///
/// Once a slot is found damaged, the file returns no more values.
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
    /// When the file cannot be read, its length does not match its header, it has another format, or its
    /// sector has no value.
    fn open(
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

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the sector.
    pub const fn sector(&self) -> Sector {
        self.sector
    }

    /// Returns the size of the file in bytes.
    pub fn bytes(&self) -> u64 {
        length(self.sector, self.pairs.len())
    }

    /// Returns the order of the sectors of a game by their values.
    pub(super) fn draw_order(&self, game: &Solvable) -> DrawOrder {
        DrawOrder::by_values(game, |sector| self.values.of(sector))
    }

    /// Whether no damage has been found, so that the file returns values.
    pub(super) fn is_usable(&self) -> bool {
        self.damaged_at.get().is_none()
    }

    /// Returns the value of the position with these men, or `None` if the file is damaged, or if it has to be read from
    /// the disk and `access` does not wait.
    pub(super) fn value(&self, men: Men, access: DiskAccess<'_>) -> Option<Value> {
        self.find(men, access).map(|(value, ..)| value)
    }

    /// Returns where the position with these men comes to rest, or `None` if it is not drawn, or as
    /// [`value`](Self::value) does. The number of turns is known only at rest.
    pub(super) fn draw_value(&self, men: Men, access: DiskAccess<'_>) -> Option<DrawValue> {
        let (value, absolute, slot) = self.find(men, access)?;
        if value != Value::DRAW {
            return None;
        }
        let rest = self.values.sector(absolute);
        if rest.is_none() && absolute != 0 {
            return self.unknown(slot);
        }
        let is_at_rest = absolute == self.sector_value && !self.sector.is_placing();
        Some(DrawValue { rest, turns: is_at_rest.then_some(0) })
    }

    /// Returns the value of a position, its value on the scale of sectors, and the slot that has them, or `None` as
    /// [`value`](Self::value) does.
    fn find(&self, [own, opponent]: Men, access: DiskAccess<'_>) -> Option<(Value, i32, usize)> {
        let orbits = Orbits::of(self.sector.own());
        let Orbit { number, to_representative, .. } = orbits.find(own);
        let free = !orbits.representative(number);
        let opponent = to_representative.set(opponent);
        let mut last = 0;
        for symmetry in orbits.stabilizer(number) {
            let rank = rank(compress(symmetry.set(opponent), free));
            last = self.sector.reply().index(number, rank);
            if let Slot::Value(value, absolute) = self.slot(last, access)? {
                return Some((value, absolute, last));
            }
        }
        self.unknown(last)
    }

    /// Reads a slot, or returns `None` as [`value`](Self::value) does.
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
        read().or_else(|| self.unknown(slot))
    }

    /// Notes that a slot is damaged, and so its value unknown: returns `None`.
    fn unknown<T>(&self, slot: usize) -> Option<T> {
        let _ = self.damaged_at.set(slot_at(slot));
        None
    }

    /// Returns the damage found while reading, once. Checks first whether the file was truncated.
    pub(super) fn take_damage(&self) -> Option<FileError> {
        let length = self.file.metadata().map_or(0, |file| file.len());
        if length < self.bytes() {
            let _ = self.damaged_at.set(length);
        }
        self.damage().filter(|_| !self.is_reported.swap(true, Relaxed))
    }

    /// Returns the damage found so far.
    pub(super) fn damage(&self) -> Option<FileError> {
        let words = format!("damaged at byte {}", self.damaged_at.get()?);
        Some(FileError::new(&self.path, Flaw::Wrong(words)))
    }
}

/// Returns the number of slots of a sector, which are as many as the indices of its reply.
fn slots(sector: Sector) -> usize {
    sector.reply().len()
}

/// Returns the offset of a slot in bytes; the pairs and their count follow the last one.
const fn slot_at(slot: usize) -> u64 {
    HEADER as u64 + SLOT as u64 * slot as u64
}

/// Returns the size in bytes of a sector file with a number of pairs.
fn length(sector: Sector, pairs: usize) -> u64 {
    // A pair and the count of them have 8 and 4 bytes.
    slot_at(slots(sector)) + 4 + 8 * pairs as u64
}

/// Reads the bits of the first field of a slot, and the pairs in the order of their slots.
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

/// Reads consecutive numbers of a file.
fn read_words<const N: usize>(file: &File, at: u64) -> Result<[u32; N], Flaw> {
    let mut words = [[0; 4]; N];
    read_at(file, at, words.as_flattened_mut())?;
    Ok(words.map(u32::from_le_bytes))
}

/// The bytes of a slot.
const SLOT: usize = 3;

/// The bits of a slot.
const SLOT_BITS: u32 = 8 * SLOT as u32;

/// Splits a slot into its two fields, the first in the low `first_bits` bits.
fn fields(first_bits: u32, [low, middle, high]: [u8; SLOT]) -> [i32; 2] {
    let slot = u32::from_le_bytes([low, middle, high, 0]);
    // Shifting to the left end of a word and back extends the sign.
    let signed = |number: u32, bits| (number << (u32::BITS - bits)) as i32 >> (u32::BITS - bits);
    [signed(slot, first_bits), signed(slot >> first_bits, SLOT_BITS - first_bits)]
}

/// Returns the second field that refers to a pair.
const fn see_pairs(first_bits: u32) -> i32 {
    -1 << (SLOT_BITS - first_bits - 1)
}

/// The contents of a slot.
///
/// The first field, unless it is 0, is the value of the position less that of its sector, for the side to move. The
/// value of the position is that of a win or of a loss, with the plies to it in the second field, or that of the
/// sector in which a drawn game comes to rest. If the first field is 0, the game comes to rest in the sector itself,
/// unless the second field is negative: then the value is in another slot of the same position.
///
/// A ply is what we call a turn: a removal belongs to the ply that closes the mill. A side that cannot move has lost
/// in 0 plies, so wins are odd and losses even, like ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Slot {
    /// The value of the position with its distance, and its value on the scale of sectors.
    Value(Value, i32),
    /// The value is in another slot of the same position.
    Elsewhere,
}

/// Decodes the fields of a slot in a sector with a value, or returns `None` if they have no meaning. `win` is the value
/// of a win.
fn read_slot([first, second]: [i32; 2], sector_value: i32, win: i32) -> Option<Slot> {
    if first == 0 && second < 0 {
        return Some(Slot::Elsewhere);
    }
    let absolute = sector_value + first;
    if absolute.abs() < win {
        return Some(Slot::Value(Value::DRAW, absolute));
    }
    let is_win = absolute == win;
    let is_right = (is_win || absolute == -win) && second >= 0 && (second % 2 == 1) == is_win;
    // Too many plies become the most turns of the same parity.
    let most = Value::MOST_TURNS - u8::from(!is_win);
    let turns = u8::try_from(second).map_or(most, |plies| plies.min(most));
    is_right.then(|| Slot::Value(Value::ends_in(turns), absolute))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Preset;

    #[test]
    fn presets_that_differ_from_what_malom_solved_have_no_files() {
        let of = |rules: &RuleSet| prefix(&Solvable::of(rules).unwrap());
        let preset = |name| Preset::named(name).unwrap().rules;
        assert_eq!(of(&RuleSet::NINE_MENS_MORRIS), Some("std"));
        for name in ["Twelve Men's Morris", "Morabaraba", "Lasker Morris", "Cheng San Qi"] {
            assert_eq!(of(&preset(name)), None, "{name}");
        }
        let mora =
            RuleSet { board_full_action: BoardFullAction::Draw, ..preset("Twelve Men's Morris") };
        let lask = RuleSet { flying_counts_hand: true, ..preset("Lasker Morris") };
        assert_eq!([of(&mora), of(&lask)], [Some("mora"), Some("lask")]);
    }

    #[test]
    fn names_tell_the_games() {
        let named_by = |names: &[&str]| named_by(&names.iter().map(OsString::from).collect());
        assert_eq!(named_by(&["3-3.mill", "std.secval", "x_3_3_0_0.sec2"]), None);
        let both = named_by(&["mora_3_3_0_0.sec2", "std_3_4_0_0.sec2"]).unwrap();
        assert!(both.starts_with("Nine Men's Morris, Twelve"), "{both}");
    }

    const LIST: &str = "virt_loss_val: -299\nvirt_win_val: 299\n2\n3 4 0 0  40\n4 3 0 0  -40\n";

    #[test]
    fn values_are_those_of_the_side_to_move() {
        for text in [LIST.to_owned(), LIST.replace('\n', "\r\n"), LIST.trim_end().to_owned()] {
            let values = SectorValues::parse(&text).unwrap();
            let of = |own, opponent| values.of(Sector::new(own, opponent).unwrap());
            assert_eq!(
                (values.win, of(3, 4), of(4, 3), of(3, 3)),
                (299, Some(40), Some(-40), None)
            );
            assert_eq!(
                [-40, 0, 1].map(|value| values.sector(value)),
                [Sector::new(4, 3), None, None]
            );
        }
    }

    #[test]
    fn a_wrong_line_is_named() {
        let parse = |text: &str| SectorValues::parse(text).err().map(|flaw| flaw.to_string());
        for (wrong, number) in [
            (LIST.replace("299", "2999999"), 1),
            (LIST.replace("val: 299", "val: 298"), 2),
            (LIST.replace("\n2\n", "\ntwo\n"), 3),
            (LIST.replace("\n2\n", "\n-1\n"), 3),
            (LIST.replace("  40", ""), 4),
            (LIST.replace("4 3 0 0", "4 -3 0 0"), 5),
            (LIST.replace("\n2\n", "\n3\n"), 6),
            (LIST.replace("-40", "-40 1"), 5),
            (String::new(), 1),
        ] {
            let found = parse(&wrong);
            let expected = format!("line {number} is invalid");
            assert_eq!(found, Some(expected), "{wrong}");
        }
    }

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
        let worth = |value, absolute| Some(Slot::Value(value, absolute));
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
