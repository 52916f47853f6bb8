//! Files of Malom: every value of theirs is found, own files come first, and what cannot be used is named and
//! left alone.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use super::counts::TWELVE;
use crate::malom_files::{STD_WIN, Worth, Written, write_values};
use crate::random::{RngExt, seeded};
use crate::rules::vectors::read_rows;
use crate::size::usual_or_full;
use crate::tablebases::{self, assert_values_come, copy, forget, fresh_folder, open_damaged};
use millstone::board::{SquareSet, Symmetry};
use millstone::rules::{Preset, RuleSet};
use millstone::tablebase::{DrawValue, Sector, Solvable, Tablebase, Value, Wdl};

/// A value for each position, the same for symmetric ones, without any sense of play. Most win or lose, so that
/// distances tell positions apart.
fn made_up(own: SquareSet, opponent: SquareSet, win: i32) -> Worth {
    let images = Symmetry::all().map(|map| (map.set(own).bits(), map.set(opponent).bits()));
    let (own, opponent) = images.min().unwrap();
    let mixed = own.wrapping_mul(0x9e37_79b1) ^ opponent.wrapping_mul(0x85eb_ca6b);
    let mixed = (mixed ^ mixed >> 15).wrapping_mul(0x2c1b_3c6d) >> 8;
    let number = (mixed % 200) as i32;
    match mixed >> 8 & 7 {
        0 => Worth { value: number % 40 - 20, plies: number % 30 },
        _ if number % 2 == 1 => Worth { value: win, plies: number },
        _ => Worth { value: -win, plies: number },
    }
}

/// What the tablebase is to say of it.
fn value(worth: Worth, win: i32) -> Value {
    if worth.value.abs() == win { Value::ends_in(worth.plies as u8) } else { Value::DRAW }
}

/// Opens a tablebase, and returns the complaints with it.
fn open(folder: &Path, game: Solvable) -> (Tablebase, Vec<String>) {
    let (tablebase, errors) = open_damaged(game, folder);
    (tablebase, errors.iter().map(ToString::to_string).collect())
}

fn sector(men: [u32; 4]) -> Sector {
    let [own, opponent, own_hand, hand] = men.map(|number| number as usize);
    Sector::with_hands([own, opponent], [own_hand, hand]).unwrap()
}

/// Writes a sector with made-up values in a fresh folder and reads all of it.
fn read_whole(file: &Written<'_>, rules: &RuleSet, win: i32) -> [usize; 2] {
    let sector = sector(file.men);
    let folder = fresh_folder(&format!("malom_{}_{sector}_{}", file.prefix, file.bits));
    let counts = file.write(&folder, |own, opponent| made_up(own, opponent, win));
    let game = Solvable::of(rules).unwrap();
    let places: Vec<Sector> = game.moving().into_iter().filter(|&place| place != sector).collect();
    let mut values = vec![(file.men, file.sector_value)];
    values.extend(places.iter().enumerate().map(|(number, place)| {
        ([place.own() as u32, place.opponent() as u32, 0, 0], number as i32 - 24)
    }));
    write_values(&folder, file.prefix, win, &values);
    let (tablebase, errors) = open(&folder, game);
    assert_eq!(errors, [""; 0]);
    for number in 0..sector.len() {
        let (own, opponent) = sector.position(number);
        let worth = made_up(own, opponent, win);
        let expected = value(worth, win);
        // Whatever symmetric picture of it is asked for.
        let map = Symmetry::numbered(number);
        let (own, opponent) = (map.set(own), map.set(opponent));
        assert_eq!(tablebase.value(sector, own, opponent), Some(expected), "{sector} {number}");
        assert_eq!(tablebase.wdl(sector, own, opponent), Some(Wdl::from(expected)));
        let is_at_rest = !sector.is_placing() && worth.value == file.sector_value;
        let rest = match worth.value {
            _ if expected != Value::DRAW => None,
            0 => Some(None),
            value => Some(Some(places[(value + 24) as usize])),
        };
        let rest = rest.map(|rest| DrawValue { rest, turns: is_at_rest.then_some(0) });
        assert_eq!(tablebase.draw_value(sector, own, opponent), rest, "{sector} {number}");
    }
    assert!(tablebase.take_damage().is_empty());
    counts
}

#[test]
fn every_position_of_a_sector_is_found() {
    let rules = RuleSet::NINE_MENS_MORRIS;
    for (men, sector_value) in read_rows::<([u32; 4], i32)>("malom_sectors.jsonl") {
        let file = Written { prefix: "std", men, sector_value, bits: 12 };
        let [elsewhere, pairs] = read_whole(&file, &rules, STD_WIN);
        assert_eq!((elsewhere > 0, pairs), (men[1] > 0, 0), "{men:?}");
    }
}

#[test]
fn numbers_that_do_not_fit_into_slots_are_found() {
    let file = Written { prefix: "std", men: [2, 3, 7, 6], sector_value: 5, bits: 20 };
    let [elsewhere, pairs] = read_whole(&file, &RuleSet::NINE_MENS_MORRIS, STD_WIN);
    assert!(elsewhere > 0 && pairs > 20_000, "{elsewhere} {pairs}");
}

/// Lasker Morris in which men in hand count for flying.
fn lask() -> RuleSet {
    RuleSet { flying_counts_hand: true, ..Preset::named("lasker").unwrap().rules }
}

#[test]
fn other_games_have_files_of_their_own() {
    let file = |prefix, men| Written { prefix, men, sector_value: 17, bits: 14 };
    read_whole(&file("mora", [2, 2, 10, 10]), &TWELVE, 704);
    read_whole(&file("lask", [2, 2, 8, 1]), &lask(), 1715);
}

#[test]
fn files_for_other_rules_are_not_used_and_said_so() {
    let folder = fresh_folder("malom_other_rules");
    let men = [1, 1, 11, 11];
    let file = Written { prefix: "mora", men, sector_value: 0, bits: 14 };
    file.write(&folder, |own, opponent| made_up(own, opponent, 704));
    write_values(&folder, "mora", 704, &[(men, 0)]);
    let not_used = format!(
        "{}: its .sec2 files are ignored: they are for Twelve Men's Morris in which a full board is a draw",
        folder.display()
    );
    for rules in [RuleSet::NINE_MENS_MORRIS, RuleSet::TWELVE_MENS_MORRIS, lask()] {
        let (tablebase, errors) = open(&folder, Solvable::of(&rules).unwrap());
        assert_eq!(errors, [not_used.as_str()]);
        assert_eq!(tablebase.malom_files().count(), 0);
    }
    assert_eq!(open(&folder, Solvable::of(&TWELVE).unwrap()).1, [""; 0]);
}

/// The sectors 3-3 and 2+7-2+7.
const TWO: [Written<'static>; 2] = [
    Written { prefix: "std", men: [3, 3, 0, 0], sector_value: 0, bits: 12 },
    Written { prefix: "std", men: [2, 2, 7, 7], sector_value: 0, bits: 12 },
];

static TWO_FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = fresh_folder("malom_two");
    for file in &TWO {
        file.write(&folder, |own, opponent| made_up(own, opponent, STD_WIN));
    }
    write_values(&folder, "std", STD_WIN, &TWO.map(|file| (file.men, 0)));
    folder
});

/// A folder with two sectors.
fn two_sectors(name: &str) -> (PathBuf, [Written<'static>; 2]) {
    (copy(&TWO_FOLDER, name), TWO)
}

/// Asks for all positions of a sector; returns how many answers came, each of which must be right.
fn count_answers(tablebase: &Tablebase, men: [u32; 4]) -> usize {
    let sector = sector(men);
    let is_answered = |number: &usize| {
        let (own, opponent) = sector.position(*number);
        let found = tablebase.value(sector, own, opponent);
        let expected = value(made_up(own, opponent, STD_WIN), STD_WIN);
        assert!(found.is_none_or(|found| found == expected), "{sector} {number}");
        found.is_some()
    };
    (0..sector.len()).filter(is_answered).count()
}

/// Whether the file of 3-3 with these bytes is named in one line, which ends so, and left alone, while
/// the other is read.
fn assert_left_alone(name: &str, change: impl FnOnce(&Path), complaint: &str) {
    let (folder, [damaged, good]) = two_sectors(name);
    let path = damaged.path(&folder);
    change(&path);
    let (tablebase, mut errors) = open(&folder, Solvable::STANDARD);
    let answers = count_answers(&tablebase, damaged.men);
    assert!(answers < sector(damaged.men).len());
    errors.extend(tablebase.take_damage().iter().map(ToString::to_string));
    assert_eq!(errors, [format!("{}: {complaint}", path.display())]);
    assert!(tablebase.take_damage().is_empty(), "reported twice");
    assert_eq!(count_answers(&tablebase, damaged.men), 0);
    assert_eq!(count_answers(&tablebase, good.men), sector(good.men).len());
}

#[test]
fn damaged_files_are_named_and_left_alone() {
    type Change = fn(&mut Vec<u8>);
    let length = fs::metadata(TWO[0].path(&TWO_FOLDER)).unwrap().len();
    let changes: [(Change, String); 10] = [
        (Vec::clear, format!("0 bytes long instead of {length}")),
        (|bytes| bytes.truncate(63), format!("63 bytes long instead of {length}")),
        (|bytes| bytes.truncate(9000), format!("9000 bytes long instead of {length}")),
        (|bytes| bytes.push(0), format!("{} bytes long instead of {length}", length + 1)),
        (
            |bytes| *bytes.iter_mut().nth_back(3).unwrap() = 2,
            format!("{length} bytes long instead of {}", length + 16),
        ),
        (
            |bytes| bytes.iter_mut().rev().take(4).for_each(|byte| *byte = 0xff),
            format!("more pairs than slots: {}", u32::MAX),
        ),
        (|bytes| bytes[0] = 3, "format version 3, but this program reads version 2".to_owned()),
        (|bytes| bytes[4] = 4, "slots of 4 bytes, but this program reads slots of 3".to_owned()),
        (|bytes| bytes[8] = 24, "corrupt Malom file: field width 24".to_owned()),
        // A slot that sends to pairs, of which there are none.
        (|bytes| bytes[64..67].copy_from_slice(&[0, 0, 0x80]), "damaged at byte 64".to_owned()),
    ];
    for (number, (change, complaint)) in changes.into_iter().enumerate() {
        let damage = |path: &Path| tablebases::change(path, change);
        assert_left_alone(&format!("malom_damaged_{number}"), damage, &complaint);
    }
}

/// Whatever the bytes are, there is an answer or none, and a complaint where there is none.
#[test]
fn changed_bytes_do_no_harm() {
    let (folder, [_, file]) = two_sectors("malom_changed");
    let (path, sector) = (file.path(&folder), sector(file.men));
    let good = fs::read(&path).unwrap();
    let mut random = seeded(1);
    for _ in 0..usual_or_full(60, 200) {
        let mut bytes = good.clone();
        for _ in 0..random.random_range(1..50) {
            let end = [12, bytes.len()][random.random_range(0..2)];
            bytes[random.random_range(0..end)] = random.random();
        }
        fs::write(&path, bytes).unwrap();
        let (tablebase, mut errors) = open(&folder, Solvable::STANDARD);
        let positions = (0..sector.len()).map(|number| sector.position(number));
        let is_known = |(own, opponent)| tablebase.value(sector, own, opponent).is_some();
        let answers: Vec<bool> = positions.map(is_known).collect();
        errors.extend(tablebase.take_damage().iter().map(ToString::to_string));
        assert_eq!(answers.contains(&false), errors.len() == 1, "{errors:?}");
        assert!(answers.is_sorted_by(|before, after| before >= after), "it goes on answering");
    }
}

/// As a program does that copies another file over it in place.
#[test]
fn a_file_that_is_cut_short_while_it_is_open_is_named_and_left_alone() {
    let (folder, [damaged, good]) = two_sectors("malom_cut_short");
    let (tablebase, errors) = open(&folder, Solvable::STANDARD);
    assert_eq!(errors, [""; 0]);
    let path = damaged.path(&folder);
    File::options().write(true).open(&path).unwrap().set_len(9000).unwrap();
    let errors: Vec<String> = tablebase.take_damage().iter().map(ToString::to_string).collect();
    assert_eq!(errors, [format!("{}: damaged at byte 9000", path.display())]);
    assert_eq!(count_answers(&tablebase, damaged.men), 0);
    assert_eq!(count_answers(&tablebase, good.men), sector(good.men).len());
}

#[cfg(unix)]
#[test]
fn a_pipe_in_the_place_of_a_file_keeps_nobody_waiting() {
    let pipe = |path: &Path| {
        fs::remove_file(path).unwrap();
        crate::program::make_pipe(path);
    };
    assert_left_alone("malom_pipe", pipe, "not a regular file");
    let (folder, _) = two_sectors("malom_pipe_of_values");
    pipe(&folder.join("std.secval"));
    let complaint = format!("{}: not a regular file", folder.join("std.secval").display());
    assert_eq!(open(&folder, Solvable::STANDARD).1, [complaint]);
}

#[test]
fn without_sector_values_no_file_means_anything() {
    let (folder, [first, second]) = two_sectors("malom_values");
    let list = folder.join("std.secval");
    let named = |path: &Path, complaint| [format!("{}: {complaint}", path.display())];
    // Play does not come to rest in a sector of the placing phase.
    write_values(&folder, "std", STD_WIN, &[]);
    let (tablebase, errors) = open(&folder, Solvable::STANDARD);
    let unlisted = "the list of sector values lacks its sector";
    assert_eq!(errors, named(&first.path(&folder), unlisted));
    assert_eq!(count_answers(&tablebase, second.men), sector(second.men).len());
    fs::write(&list, "virt_loss_val: -299\nvirt_win_val: 299\n2\n").unwrap();
    let (tablebase, errors) = open(&folder, Solvable::STANDARD);
    assert_eq!(errors, named(&list, "line 4 is invalid"));
    assert_eq!(tablebase.malom_files().count(), 0);
    fs::remove_file(&list).unwrap();
    let (_, errors) = open(&folder, Solvable::STANDARD);
    assert!(errors[0].starts_with(&list.display().to_string()), "{errors:?}");
    assert_eq!(errors.len(), 1);
}

#[test]
fn values_that_come_from_the_disk_can_be_had_without_waiting() {
    let (folder, files) = two_sectors("malom_cold");
    for file in &files {
        forget(&file.path(&folder));
    }
    let (tablebase, errors) = open(&folder, Solvable::STANDARD);
    assert_eq!(errors, [""; 0]);
    let sectors = files.map(|file| sector(file.men));
    assert_values_come(&tablebase, &sectors, |_, own, opponent| {
        value(made_up(own, opponent, STD_WIN), STD_WIN)
    });
}
