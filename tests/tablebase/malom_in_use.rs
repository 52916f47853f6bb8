//! Files of Malom in a folder that an engine or a command names, alone and beside own files.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use super::look::{self, WIN_IN_33, look};
use super::protocol::{Session, number_after};
use crate::malom_files::{STD_WIN, Worth, Written, write_values};
use crate::program::{millstone, run};
use crate::tablebases::{self, fresh_folder};
use millstone::board::SquareSet;
use millstone::position::Position;
use millstone::tablebase::{DrawValue, Sector, Tablebase, Value, Wdl, sector_path};

/// The sectors of up to seven men and their values.
const SECTORS: [(usize, usize, i32); 3] = [(3, 3, 0), (3, 4, 40), (4, 3, -40)];

/// What Malom says of these sectors.
static MALOM: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = fresh_folder("malom_solved");
    let tablebase = tablebases::open(&look::FOLDER);
    write_sectors(&folder, &SECTORS, |sector, own, opponent| {
        tablebase.value(sector, own, opponent).unwrap()
    });
    folder
});

/// Writes some sectors with some values; drawn games come to rest where they are.
fn write_sectors(
    folder: &Path,
    sectors: &[(usize, usize, i32)],
    value: impl Fn(Sector, SquareSet, SquareSet) -> Value,
) {
    let values: HashMap<Sector, i32> = sectors
        .iter()
        .map(|&(own, opponent, value)| (Sector::new(own, opponent).unwrap(), value))
        .collect();
    write_sectors_with(folder, sectors, value, |sector, _, _| values[&sector]);
}

/// The same; `rest` has the values of the sectors in which drawn games come to rest.
fn write_sectors_with(
    folder: &Path,
    sectors: &[(usize, usize, i32)],
    value: impl Fn(Sector, SquareSet, SquareSet) -> Value,
    rest: impl Fn(Sector, SquareSet, SquareSet) -> i32,
) {
    let mut values = Vec::new();
    for &(own, opponent, sector_value) in sectors {
        let men = [own as u32, opponent as u32, 0, 0];
        values.push((men, sector_value));
        let sector = Sector::new(own, opponent).unwrap();
        let file = Written { prefix: "std", men, sector_value, bits: 12 };
        file.write(folder, |own, opponent| {
            let value = value(sector, own, opponent);
            let plies = value.turns().unwrap_or(0).into();
            let value = match Wdl::from(value) {
                Wdl::Win => STD_WIN,
                Wdl::Draw => rest(sector, own, opponent),
                Wdl::Loss => -STD_WIN,
            };
            Worth { value, plies }
        });
    }
    write_values(folder, "std", STD_WIN, &values);
}

/// A folder with the files of Malom, and own files of some sectors.
fn mixed(name: &str, own: &[(usize, usize)]) -> PathBuf {
    let folder = fresh_folder(name);
    for entry in fs::read_dir(&*MALOM).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), folder.join(entry.file_name())).unwrap();
    }
    for &(own, opponent) in own {
        let sector = Sector::new(own, opponent).unwrap();
        fs::copy(sector_path(&look::FOLDER, sector), sector_path(&folder, sector)).unwrap();
    }
    folder
}

/// Checks that a tablebase has some of the values of another one.
fn assert_same(tablebase: &Tablebase, right: &Tablebase) {
    for (own, opponent, _) in SECTORS {
        let sector = Sector::new(own, opponent).unwrap();
        for number in (0..sector.len()).step_by(997) {
            let (own, opponent) = sector.position(number);
            let expected = right.value(sector, own, opponent);
            assert_eq!(tablebase.value(sector, own, opponent), expected, "{sector} {number}");
            assert_eq!(tablebase.wdl(sector, own, opponent), expected.map(Wdl::from));
        }
    }
}

#[test]
fn they_are_as_good_as_own_files() {
    let own = tablebases::open(&look::FOLDER);
    assert_same(&tablebases::open(&MALOM), &own);
    let mixed = tablebases::open(&mixed("malom_mixed", &[(3, 4)]));
    assert_same(&mixed, &own);
    let is_own = |own, opponent| {
        let path = mixed.source(Sector::new(own, opponent).unwrap(), true).unwrap();
        path.extension().unwrap() == "mill"
    };
    assert_eq!([is_own(3, 3), is_own(3, 4), is_own(4, 3)], [false, true, false]);
}

#[test]
fn draws_come_to_rest_in_a_sector() {
    let tablebase = tablebases::open(&MALOM);
    for (own, opponent, value) in SECTORS {
        let sector = Sector::new(own, opponent).unwrap();
        let rest = (value != 0).then_some(sector);
        let at_rest = DrawValue { rest, turns: Some(0) };
        let mut drawn = 0;
        for (own, opponent) in (0..sector.len()).step_by(97).map(|number| sector.position(number)) {
            let found = tablebase.draw_value(sector, own, opponent);
            let is_drawn = tablebase.wdl(sector, own, opponent) == Some(Wdl::Draw);
            assert_eq!(found, is_drawn.then_some(at_rest), "{sector}");
            drawn += usize::from(is_drawn);
        }
        assert!(drawn > 0, "{sector}");
    }
}

#[test]
fn own_files_come_first() {
    let folder = fresh_folder("malom_own_first");
    write_sectors(&folder, &SECTORS[..1], |_, _, _| Value::ends_in(76));
    let sector = Sector::new(3, 3).unwrap();
    let (own, opponent) = sector.position(0);
    let ask = |folder: &Path| {
        let tablebase = tablebases::open(folder);
        [
            tablebase.wdl(sector, own, opponent),
            tablebase.value(sector, own, opponent).map(Wdl::from),
        ]
    };
    let right = ask(&look::FOLDER);
    assert_ne!(right, [Some(Wdl::Loss); 2], "a position that tells the files apart");
    assert_eq!(ask(&folder), [Some(Wdl::Loss); 2]);
    // An own file without distances leaves the distances to the other.
    look(&folder, &["build", "--max-men", "6", "--no-distance"]).unwrap();
    assert_eq!(ask(&folder), [right[0], Some(Wdl::Loss)]);
    fs::copy(sector_path(&look::FOLDER, sector), sector_path(&folder, sector)).unwrap();
    assert_eq!(ask(&folder), right);
    // A damaged one leaves everything.
    let path = sector_path(&folder, sector);
    let mut bytes = fs::read(&path).unwrap();
    bytes[4500..].fill(0);
    fs::write(&path, bytes).unwrap();
    let mut errors = Vec::new();
    let game = *tablebases::open(&MALOM).game();
    let tablebase = Tablebase::open(&folder, game, &mut |error| errors.push(error)).unwrap();
    assert_eq!(tablebase.wdl(sector, own, opponent), Some(Wdl::Loss));
    assert_eq!(errors.len() + tablebase.take_damage().len(), 1);
}

#[test]
fn info_says_what_they_give() {
    let folder = mixed("malom_info", &[(3, 3)]);
    let info = look(&folder, &["info"]).unwrap();
    let rows: Vec<Vec<&str>> = info.lines().map(|line| line.split_whitespace().collect()).collect();
    let bytes: Vec<u64> = SECTORS
        .iter()
        .map(|(own, opponent, _)| format!("std_{own}_{opponent}_0_0.sec2"))
        .map(|name| fs::metadata(folder.join(name)).unwrap().len())
        .collect();
    let row = |number: usize| bytes[number].to_string();
    assert_eq!(rows[1][0], "3-3");
    assert_eq!(rows[6], ["3-3", "std_3_3_0_0.sec2", "nothing", "more", &row(0)]);
    let all = ["values", "and", "distances"];
    assert_eq!(rows[7], [&["3-4", "std_3_4_0_0.sec2"], &all[..], &[&row(1)]].concat());
    let total = bytes.iter().sum::<u64>();
    assert_eq!(info.lines().last().unwrap(), format!("3 of 498 files of Malom, {total} bytes"));
    let json = look(&folder, &["info", "--json"]).unwrap();
    let json: Vec<serde_json::Value> =
        json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let gives: Vec<_> = json[1..4].iter().map(|row| row["gives"].as_str().unwrap()).collect();
    assert_eq!(gives, ["nothing", "all", "all"]);
    assert_eq!(json[2]["file"], "std_3_4_0_0.sec2");
    // Without own files there is nothing else to list.
    let info = look(&MALOM, &["info"]).unwrap();
    assert_eq!(info.lines().count(), 5, "{info}");
}

#[test]
fn a_probe_says_which_files_answered() {
    let own = look(&look::FOLDER, &["probe", WIN_IN_33]).unwrap();
    let (values, files) = own.trim_end().rsplit_once('\n').unwrap();
    assert_eq!(files, "from 3-4.mill, 4-3.mill, 3-3.mill");
    let values = values.replace(": draw", ": draw, comes to rest in 3-4 after 1 turn");
    for (folder, files) in [
        (MALOM.clone(), "from std_3_4_0_0.sec2, std_4_3_0_0.sec2, std_3_3_0_0.sec2"),
        (mixed("malom_probe", &[(4, 3)]), "from std_3_4_0_0.sec2, 4-3.mill, std_3_3_0_0.sec2"),
    ] {
        let probed = look(&folder, &["probe", WIN_IN_33]).unwrap();
        assert_eq!(probed, format!("{values}\n{files}\n"));
    }
    let line = look(&MALOM, &["line", WIN_IN_33]).unwrap();
    assert_eq!(line, look(&look::FOLDER, &["line", WIN_IN_33]).unwrap());
}

#[test]
fn an_engine_plays_by_them() {
    let mut session = Session::new(&MALOM);
    let lines = session.go(WIN_IN_33);
    assert_eq!(lines[0], "info string won, 1 of 51 moves hold");
    assert!(lines[1].contains(" score mate 17 "), "{lines:?}");
    assert!(number_after("tbhits", &lines) > 0, "{lines:?}");
}

/// The files that `db verify --against` names in its rows, and what it complains of.
fn compare(own: &Path, other: &Path, arguments: &[&str]) -> Result<Vec<String>, String> {
    let [own, other] = [own, other].map(|folder| folder.to_str().unwrap());
    let verify = ["db", "verify", "--against", other, "--dir", own];
    let ended = millstone(&[&verify[..], arguments].concat());
    if ended.status != Some(0) {
        return Err(ended.error);
    }
    let row = |line: &str| line.split_once(" (").unwrap().0.to_owned();
    Ok(ended.lines().into_iter().map(row).collect())
}

#[test]
fn own_files_are_compared_with_them() {
    let rows = |positions: [usize; 3]| {
        let row = |((own, opponent, _), positions): ((usize, usize, i32), usize)| {
            let of = Sector::new(own, opponent).unwrap().len();
            let file = format!("std_{own}_{opponent}_0_0.sec2");
            format!("{own}-{opponent}: {positions} of {of} positions verified against {file}")
        };
        SECTORS.into_iter().zip(positions).map(row).collect::<Vec<_>>()
    };
    let all = SECTORS.map(|(own, opponent, _)| Sector::new(own, opponent).unwrap().len());
    assert_eq!(compare(&look::FOLDER, &MALOM, &[]).unwrap(), rows(all));
    let sample = compare(&look::FOLDER, &MALOM, &["--sample", "5000"]).unwrap();
    assert_eq!(sample, rows([5000; 3]));
    // Another folder of own files will do too.
    let against_own = compare(&look::FOLDER, &look::FOLDER, &["--max-men", "6"]).unwrap();
    assert!(against_own[0].ends_with(" positions verified against 3-3.mill"), "{against_own:?}");
}

#[test]
fn a_difference_is_told_with_its_position() {
    let folder = fresh_folder("malom_difference");
    let tablebase = tablebases::open(&look::FOLDER);
    let wrong: Position =
        Position::from_text(WIN_IN_33, millstone::rules::RuleSet::default()).unwrap();
    let wrong = millstone::board::Symmetry::images(wrong.men(millstone::board::Side::White));
    write_sectors(&folder, &SECTORS[1..2], |sector, own, opponent| {
        match tablebase.value(sector, own, opponent).unwrap() {
            value if value == Value::ends_in(33) && wrong.contains(&own) => Value::ends_in(31),
            value => value,
        }
    });
    let complaint = compare(&look::FOLDER, &folder, &[]).unwrap_err();
    let lines: Vec<&str> = complaint.lines().collect();
    assert_eq!(lines.len(), 2, "{complaint}");
    assert!(lines[0].starts_with("millstone: 3-4: "), "{complaint}");
    let file = folder.join("std_3_4_0_0.sec2");
    let values = format!(" is a win in 33 by the file, but a win in 31 by {}", file.display());
    assert!(lines[0].ends_with(&values), "{complaint}");
    assert_eq!(lines[1], "millstone: 1 of 1 sectors not verified");
}

#[test]
fn damage_is_told_by_a_comparison_too() {
    let folder = mixed("malom_compare_damaged", &[]);
    let path = folder.join("std_3_4_0_0.sec2");
    let mut bytes = fs::read(&path).unwrap();
    let middle = bytes.len() / 6 * 3 + 1;
    // Neither won nor lost in an odd number of plies less than nothing.
    bytes[middle..middle + 3].copy_from_slice(&[0x03, 0xf1, 0xff]);
    fs::write(&path, bytes).unwrap();
    let complaint = compare(&look::FOLDER, &folder, &[]).unwrap_err();
    let expected = format!("millstone: 3-4: {}: damaged at byte {middle}", path.display());
    assert_eq!(complaint.lines().next(), Some(expected.as_str()));
    let nothing = compare(&look::FOLDER, &fresh_folder("malom_nothing"), &[]).unwrap_err();
    assert!(nothing.contains("malom_nothing: no tablebase; "), "{nothing}");
}

/// Files of Malom, and own ones of the same sectors with their draws in the published order, of which a rank is
/// changed where `is_changed` says so.
fn with_draws(name: &str, is_changed: impl Fn(SquareSet, SquareSet) -> bool) -> [PathBuf; 2] {
    let own = tablebases::solve(&format!("{name}_own"), 7);
    look(&own, &["draws", "--order", "published", "--moving", "--max-men", "7"]).unwrap();
    let tablebase = tablebases::open(&own);
    let other = fresh_folder(name);
    let value = |sector, own, opponent| tablebase.value(sector, own, opponent).unwrap();
    write_sectors_with(&other, &SECTORS, value, |sector, own, opponent| {
        match tablebase.draw_value(sector, own, opponent).unwrap().rest {
            _ if is_changed(own, opponent) => -40,
            None => 0,
            Some(rest) if rest == Sector::new(3, 4).unwrap() => 40,
            Some(_) => -40,
        }
    });
    [own, other]
}

#[test]
fn where_draws_come_to_rest_is_compared_too() {
    let [own, other] = with_draws("malom_draws", |_, _| false);
    let rows = compare(&own, &other, &[]).unwrap();
    assert!(rows.iter().all(|row| row.ends_with(".sec2, draws too")), "{rows:?}");
    assert_eq!(rows.len(), SECTORS.len());
    // One drawn position of 3-4 that comes to rest in its own sector, and its images.
    let sector = Sector::new(3, 4).unwrap();
    let tablebase = tablebases::open(&own);
    let at_home = |&(own, opponent): &(SquareSet, SquareSet)| {
        let value = tablebase.draw_value(sector, own, opponent);
        value.is_some_and(|value| value.rest == Some(sector))
    };
    let wrong = (0..sector.len()).map(|number| sector.position(number)).find(at_home).unwrap();
    let images: Vec<_> =
        millstone::board::Symmetry::all().map(|map| (map.set(wrong.0), map.set(wrong.1))).collect();
    let [own, other] =
        with_draws("malom_draws_differ", |own, opponent| images.contains(&(own, opponent)));
    let complaint = compare(&own, &other, &[]).unwrap_err();
    let path = other.join("std_3_4_0_0.sec2");
    let differs = format!(
        " comes to rest in 3-4 by the file, but comes to rest in 4-3 by {}",
        path.display()
    );
    let lines: Vec<&str> = complaint.lines().collect();
    assert!(
        lines[0].starts_with("millstone: 3-4: ") && lines[0].ends_with(&differs),
        "{complaint}"
    );
    assert_eq!(lines[1..], ["millstone: 1 of 3 sectors not verified"]);
}

/// Where the system starts no thread, the folder is opened on the one that is there.
#[test]
fn they_are_opened_without_a_thread() {
    let ask = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_millstone"));
        // No system has room for such a stack.
        command.env("RUST_MIN_STACK", (1_u64 << 47).to_string());
        run(command.arg("db").args(arguments).arg("--dir").arg(&*MALOM), "")
    };
    assert_eq!(ask(&["probe", WIN_IN_33]).lines()[0], "win in 33");
    let complaint = ask(&["verify"]);
    assert!(complaint.complaint().starts_with("cannot start threads: "), "{}", complaint.error);
}
