//! The files of Malom, by Gévay and Danner: another program's solution of three games, read where it lies.
//!
//! # Folders
//!
//! A sector is a file `std_W_B_HW_HB.sec2`: `W` men of the side to move, `B` of the opponent, and those in hand
//! of each. `std` is Nine Men's Morris; `SOLUTIONS` names the others. Beside them lies a list of sector values,
//! `std.secval`, without which no file means anything:
//!
//! ```text
//! virt_loss_val: -299
//! virt_win_val: 299
//! 49                         how many lines follow
//! 3 4 0 0  40                W B HW HB, and the value of the sector
//! ```
//!
//! # Sector files
//!
//! Numbers have their lowest byte first.
//!
//! ```text
//! header   64 bytes: format version (2), bytes of a slot (3), bits of the first field of a slot, each as u32;
//!          the rest is not read
//! slots    three bytes each
//! count    of the pairs, as u32
//! pairs    a slot as u32, and the second field that does not fit into it as i32
//! ```
//!
//! A slot is two signed numbers, the first in its low bits. The least second field stands for that of a
//! pair. What they say is explained at `Slot` in `file.rs`.
//!
//! # Which slot
//!
//! Points are the bits of a set: `a4 a7 d7 g7 g4 g1 d1 a1 b4 b6 d6 f6 f4 f2 d2 b2 c4 c5 d5 e5 e4 e3 d3 c3`. The sets of
//! `W` points come in the order of their bits as numbers. The first of each orbit under the 16 symmetries is
//! its leader, and leaders are numbered in this order. A symmetry that maps the men of the side to move to
//! their leader maps the opponent's men with them. Those are a set of the points that are left, which are
//! numbered in order without the others, and its rank is its place among all such sets of `B` points, again
//! in the order of their bits.
//!
//! ```text
//! slot = number of the leader * choose(24 - W, B) + rank
//! ```
//!
//! If a leader has symmetries of its own, several slots stand for one position. One of them has the value, the
//! others may refer elsewhere, so all are tried.
//!
//! Our [`Square`](crate::board::Square)s count rings from the inner one and begin at the top, Malom's from the outer
//! one and begin at the left: one is the other after a quarter turn with the rings exchanged, which is a
//! symmetry. The bits of a set, read as Malom's, are a set of the same orbit, so that leaders and their
//! numbers are those of our [`Orbits`](super::sets::Orbits), and no set is converted.
//!
//! # Reading
//!
//! Files have no checksums. The length must match the header, and a slot without a meaning marks the file as
//! damaged. Every probe reads its slot from the file; nothing is mapped, so a file may safely be truncated
//! while in use.
//!
//! ```text
//! values   the list of sector values
//! file     an open file, and what its slots say
//! ```

mod file;
mod values;

use std::collections::{BTreeSet, HashSet};
use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;

use super::file::{FileError, Flaw};
use super::folder::{Files, open_files, sector_files};
use super::sector::Solvable;
use crate::rules::{BoardFullAction, RuleSet};
pub use file::MalomFile;
use values::SectorValues;

/// Opens the files of a game in a folder that has files with these names. What cannot be used is
/// reported and left out.
pub fn open(
    folder: &Path,
    game: &Solvable,
    names: &HashSet<OsString>,
    report: &mut dyn FnMut(FileError),
) -> Files<MalomFile> {
    let with_prefix = |prefix| sector_files(folder, game, names, |it| file::name(prefix, it));
    let there = prefix(game).map(|prefix| (prefix, with_prefix(prefix)));
    let Some((prefix, paths)) = there.filter(|(_, paths)| !paths.is_empty()) else {
        if let Some(found) = named_by(names) {
            let words = format!("its .sec2 files are not used: they are of {found}");
            report(FileError::new(folder, Flaw::Unfit(words)));
        }
        return Files::from_iter([]);
    };
    let list = folder.join(format!("{prefix}.secval"));
    let values = match SectorValues::read(&list) {
        Ok(values) => Arc::new(values),
        Err(flaw) => {
            report(FileError::new(&list, flaw));
            return Files::from_iter([]);
        }
    };
    let open = |path: &Path, sector| {
        // Play never comes to rest where both sides cannot move to and fro, so that 0 fits what is not
        // listed.
        let unlisted = (!game.is_cyclic(sector)).then_some(0);
        MalomFile::open(path, sector, &values, unlisted)
    };
    open_files(&paths, open, report)
}

/// A solved game.
struct Solution {
    /// What the names of its files begin with.
    prefix: &'static str,
    rules: RuleSet,
    /// What the game is called here, with what sets it apart from the preset of that name.
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

/// What the names of the files of a game begin with, if Malom has solved it.
fn prefix(game: &Solvable) -> Option<&'static str> {
    let is_game = |solution: &&Solution| solution.rules.canonical() == game.rules().canonical();
    SOLUTIONS.iter().find(is_game).map(|solution| solution.prefix)
}

/// The games whose sector files are among files with these names, or `None` if there are none.
fn named_by(names: &HashSet<OsString>) -> Option<String> {
    let prefix = |name: &OsString| {
        let (prefix, _) = name.to_str()?.strip_suffix(".sec2")?.split_once('_')?;
        SOLUTIONS.iter().position(|solution| solution.prefix == prefix)
    };
    let found: BTreeSet<usize> = names.iter().filter_map(prefix).collect();
    let found: Vec<&str> = found.into_iter().map(|number| SOLUTIONS[number].name).collect();
    (!found.is_empty()).then(|| found.join(", "))
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
}
