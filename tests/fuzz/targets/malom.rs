//! A folder of Malom's files, with a list of sector values and the file of one sector.
//!
//! An input is the list, up to a zero byte if there is one, then changes of five bytes to a file in which all
//! draw: where (a place and a number of three bytes), and the new byte. The places are the header, the
//! slots, and the end, to which a byte is added.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use millstone::tablebase::{Sector, Solvable, Tablebase, Value, Wdl};
use tempfile::TempDir;

/// Where slots begin, and their bytes.
const HEADER: usize = 64;
const SLOT: usize = 3;

/// How far apart the positions are that are looked up.
const STEP: usize = 997;

fn sector() -> Sector {
    Sector::new(3, 3).expect("a sector")
}

/// A file in which all positions draw, without the number of pairs at its end.
static GOOD: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let version_slot_first = [2, SLOT as u32, 12].map(u32::to_le_bytes).concat();
    let mut bytes = vec![0; HEADER + SLOT * sector().len()];
    bytes[..version_slot_first.len()].copy_from_slice(&version_slot_first);
    bytes
});

/// A folder, which the next call fills anew.
fn folder_of(list: &[u8], file: &[u8]) -> &'static Path {
    static FOLDER: LazyLock<TempDir> = LazyLock::new(|| TempDir::new().expect("a folder"));
    let folder = FOLDER.path();
    fs::write(folder.join("std.secval"), list).expect("a file can be written");
    fs::write(folder.join("std_3_3_0_0.sec2"), file).expect("a file can be written");
    folder
}

pub fn run(bytes: &[u8]) {
    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    let (list, changes) = bytes.split_at(end);
    let mut file = GOOD.clone();
    let mut added = vec![0; size_of::<u32>()];
    for change in changes.get(1..).unwrap_or_default().chunks_exact(5) {
        let number = u32::from_le_bytes([change[1], change[2], change[3], 0]) as usize;
        match change[0] % 4 {
            0 => file[number % HEADER] = change[4],
            1 => file[HEADER + number % (SLOT * sector().len())] = change[4],
            2 => added.push(change[4]),
            _ => {
                let at = number % added.len();
                added[at] = change[4];
            }
        }
    }
    file.append(&mut added);
    read_everything(folder_of(list, &file));
}

/// Reads a folder in all ways; once damage is found, nothing more is answered.
fn read_everything(folder: &Path) {
    let Ok(tablebase) = Tablebase::open(folder, Solvable::STANDARD, &mut drop) else { return };
    let look_up = |index| {
        let (own, opponent) = sector().position(index);
        let wdl = tablebase.wdl(sector(), own, opponent);
        let value = tablebase.value(sector(), own, opponent);
        let draw = tablebase.draw_value(sector(), own, opponent);
        assert!(draw.is_none() || wdl.is_none_or(|wdl| wdl == Wdl::Draw), "{draw:?} {wdl:?}");
        (wdl, value)
    };
    for index in (0..sector().len()).step_by(STEP) {
        if let (Some(wdl), Some(value)) = look_up(index) {
            assert_eq!(Wdl::from(value), wdl);
            assert!(value == Value::DRAW || wdl != Wdl::Draw);
        }
    }
    let is_good = tablebase.is_usable();
    let damage = tablebase.take_damage();
    assert!(is_good == damage.is_empty(), "damage is told");
    assert!(is_good || look_up(0) == (None, None), "damage that was found is forgotten");
}
