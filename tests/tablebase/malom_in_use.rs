//! Files of Malom in a folder that an engine or a command names, alone and beside own files.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use super::protocol::assert_plays_by_distance;
use crate::malom_files::{STD_WIN, Worth, Written, write_values};
use crate::positions::game;
use crate::program::{home, millstone, plain, program, run};
use crate::size::usual_or_full;
use crate::tablebases::{self, change, fresh_folder, look, open_damaged, solved};
use millstone::board::{Side, SquareSet, Symmetry};
use millstone::tablebase::{DrawValue, Sector, Solved, Tablebase, Value, Wdl, sector_path};

/// The longest win with three men against four.
const WIN_IN_33: &str = "**O@@***/O@O*****/@******* w m s 3 0 4 0 0 0 0 0 0 0 0 0 10";

/// The sectors of up to seven men.
static SECTORS: LazyLock<[Sector; 3]> = LazyLock::new(|| {
    [(3, 3), (3, 4), (4, 3)].map(|(own, opponent)| Sector::new(own, opponent).unwrap())
});

/// The value of a sector.
fn rank(sector: Sector) -> i32 {
    40 * (sector.opponent() as i32 - sector.own() as i32)
}

/// The name of the file of a sector.
fn file(sector: Sector) -> String {
    format!("std_{}_{}_0_0.sec2", sector.own(), sector.opponent())
}

/// What own files say of these sectors.
static SOLVED: LazyLock<[Solved; 3]> = LazyLock::new(|| {
    let tablebase = tablebases::open(solved(7));
    SECTORS.map(|sector| tablebase.load(tablebase.file(sector).unwrap()).unwrap())
});

fn value(sector: Sector, own: SquareSet, opponent: SquareSet) -> Value {
    let solved = SOLVED.iter().find(|solved| solved.sector == sector).unwrap();
    solved.values()[sector.index_of(own, opponent)]
}

/// What Malom says of these sectors.
static MALOM: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = fresh_folder("malom_solved");
    write_sectors(&folder, &*SECTORS, value, |sector, _, _| rank(sector));
    folder
});

/// Writes some sectors with some values; `rest` has the values of the sectors in which drawn games come to rest.
fn write_sectors(
    folder: &Path,
    sectors: &[Sector],
    value: impl Fn(Sector, SquareSet, SquareSet) -> Value,
    rest: impl Fn(Sector, SquareSet, SquareSet) -> i32,
) {
    let mut values = Vec::new();
    for &sector in sectors {
        let men = [sector.own() as u32, sector.opponent() as u32, 0, 0];
        values.push((men, rank(sector)));
        let file = Written { prefix: "std", men, sector_value: rank(sector), bits: 12 };
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
fn mixed(name: &str, own: &[Sector]) -> PathBuf {
    let folder = tablebases::copy(&MALOM, name);
    for &sector in own {
        fs::copy(sector_path(solved(7), sector), sector_path(&folder, sector)).unwrap();
    }
    folder
}

/// Checks that a tablebase has some of the values of another one.
fn assert_same(tablebase: &Tablebase, right: &Tablebase) {
    for &sector in &*SECTORS {
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
    let own = tablebases::open(solved(7));
    assert_same(&tablebases::open(&MALOM), &own);
    let mixed = tablebases::open(&mixed("malom_mixed", &SECTORS[1..2]));
    assert_same(&mixed, &own);
    let is_own = |sector| mixed.source(sector, true).unwrap().extension().unwrap() == "mill";
    assert_eq!(SECTORS.map(is_own), [false, true, false]);
}

#[test]
fn draws_come_to_rest_in_a_sector() {
    let tablebase = tablebases::open(&MALOM);
    for &sector in &*SECTORS {
        let rest = (rank(sector) != 0).then_some(sector);
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
    let sector = SECTORS[0];
    write_sectors(&folder, &[sector], |_, _, _| Value::ends_in(76), |_, _, _| 0);
    let (own, opponent) = sector.position(0);
    let ask = |folder: &Path| {
        let tablebase = tablebases::open(folder);
        let value = tablebase.value(sector, own, opponent).map(Wdl::from);
        [tablebase.wdl(sector, own, opponent), value]
    };
    let right = ask(solved(7));
    assert_ne!(right, [Some(Wdl::Loss); 2], "a position that tells the files apart");
    assert_eq!(ask(&folder), [Some(Wdl::Loss); 2]);
    // An own file without distances leaves the distances to the other.
    look(&folder, &["build", "--max-men", "6", "--no-distance"]).unwrap();
    assert_eq!(ask(&folder), [right[0], Some(Wdl::Loss)]);
    fs::copy(sector_path(solved(7), sector), sector_path(&folder, sector)).unwrap();
    assert_eq!(ask(&folder), right);
    // A damaged one leaves everything.
    change(&sector_path(&folder, sector), |bytes| bytes[4500..].fill(0));
    let (tablebase, errors) = open_damaged(*tablebases::open(&MALOM).game(), &folder);
    assert_eq!(tablebase.wdl(sector, own, opponent), Some(Wdl::Loss));
    assert_eq!(errors.len() + tablebase.take_damage().len(), 1);
}

#[test]
fn info_says_what_they_give() {
    let folder = mixed("malom_info", &SECTORS[..1]);
    let info = look(&folder, &["info"]).unwrap();
    let rows: Vec<Vec<&str>> = info.lines().map(|line| line.split_whitespace().collect()).collect();
    let bytes = SECTORS.map(|sector| fs::metadata(folder.join(file(sector))).unwrap().len());
    let row = |number: usize| bytes[number].to_string();
    assert_eq!(rows[1][0], "3-3");
    assert_eq!(rows[6], ["3-3", "std_3_3_0_0.sec2", "nothing", "more", &row(0)]);
    let all = ["values", "and", "distances"];
    assert_eq!(rows[7], [&["3-4", "std_3_4_0_0.sec2"], &all[..], &[&row(1)]].concat());
    let total = bytes.iter().sum::<u64>();
    assert_eq!(info.lines().last().unwrap(), format!("3 of 498 files of Malom, {total} bytes"));
    let json = millstone(&["db", "info", "--json", "--dir", plain(&folder)]).json();
    let gives: Vec<_> = json[1..4].iter().map(|row| row["gives"].as_str().unwrap()).collect();
    assert_eq!(gives, ["nothing", "all", "all"]);
    assert_eq!(json[2]["file"], "std_3_4_0_0.sec2");
    // Without own files there is nothing else to list.
    let info = look(&MALOM, &["info"]).unwrap();
    assert_eq!(info.lines().count(), 5, "{info}");
}

#[test]
fn a_probe_says_which_files_answered() {
    let own = look(solved(7), &["probe", WIN_IN_33]).unwrap();
    let (values, files) = own.trim_end().rsplit_once('\n').unwrap();
    assert_eq!(files, "from 3-4.mill, 4-3.mill, 3-3.mill");
    let values = values.replace(": draw", ": draw, comes to rest in 3-4 after 1 turn");
    for (folder, files) in [
        (MALOM.clone(), "from std_3_4_0_0.sec2, std_4_3_0_0.sec2, std_3_3_0_0.sec2"),
        (mixed("malom_probe", &SECTORS[2..]), "from std_3_4_0_0.sec2, 4-3.mill, std_3_3_0_0.sec2"),
    ] {
        let probed = look(&folder, &["probe", WIN_IN_33]).unwrap();
        assert_eq!(probed, format!("{values}\n{files}\n"));
    }
    let line = look(&MALOM, &["line", WIN_IN_33]).unwrap();
    assert_eq!(line, look(solved(7), &["line", WIN_IN_33]).unwrap());
}

#[test]
fn an_engine_plays_by_them() {
    assert_plays_by_distance(&MALOM);
}

/// The files that `db verify --against` names in its rows, and what it complains of.
fn compare(own: &Path, other: &Path, arguments: &[&str]) -> Result<Vec<String>, String> {
    let verify = ["db", "verify", "--against", plain(other), "--dir", plain(own)];
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
        let row = |(&sector, positions): (&Sector, usize)| {
            let (of, file) = (sector.len(), file(sector));
            format!("{sector}: {positions} of {of} positions verified against {file}")
        };
        SECTORS.iter().zip(positions).map(row).collect::<Vec<_>>()
    };
    assert_eq!(compare(solved(7), &MALOM, &[]).unwrap(), rows(SECTORS.map(Sector::len)));
    let sample = compare(solved(7), &MALOM, &["--sample", "5000"]).unwrap();
    assert_eq!(sample, rows([5000; 3]));
    // Another folder of own files will do too.
    let against_own = compare(solved(7), solved(7), &["--max-men", "6"]).unwrap();
    assert!(against_own[0].ends_with(" positions verified against 3-3.mill"), "{against_own:?}");
}

#[test]
fn a_difference_is_told_with_its_position() {
    let folder = fresh_folder("malom_difference");
    let wrong = Symmetry::images(game(WIN_IN_33).position().men(Side::White));
    let value = |sector, own, opponent| match value(sector, own, opponent) {
        value if value == Value::ends_in(33) && wrong.contains(&own) => Value::ends_in(31),
        value => value,
    };
    write_sectors(&folder, &SECTORS[1..2], value, |sector, _, _| rank(sector));
    let complaint = compare(solved(7), &folder, &[]).unwrap_err();
    assert_differs(&complaint, "is a win in 33 by the file, but a win in 31 by", &folder, 1);
}

/// Expects a complaint of the values of a position of 3-4, and that one of some sectors is not as it should be.
fn assert_differs(complaint: &str, values: &str, folder: &Path, sectors: usize) {
    let lines: Vec<&str> = complaint.lines().collect();
    let end = format!(" {values} {}", folder.join("std_3_4_0_0.sec2").display());
    let is_told = lines[0].starts_with("millstone: 3-4: ") && lines[0].ends_with(&end);
    assert!(is_told, "{complaint}");
    assert_eq!(lines[1..], [format!("millstone: 1 of {sectors} sectors not verified")]);
}

#[test]
fn damage_is_told_by_a_comparison_too() {
    let folder = mixed("malom_compare_damaged", &[]);
    let path = folder.join("std_3_4_0_0.sec2");
    let middle = fs::metadata(&path).unwrap().len() as usize / 6 * 3 + 1;
    // Neither won nor lost in an odd number of plies less than nothing.
    change(&path, |bytes| bytes[middle..middle + 3].copy_from_slice(&[0x03, 0xf1, 0xff]));
    let complaint = compare(solved(7), &folder, &[]).unwrap_err();
    let expected = format!("millstone: 3-4: {}: damaged at byte {middle}", path.display());
    assert_eq!(complaint.lines().next(), Some(expected.as_str()));
    let nothing = compare(solved(7), &fresh_folder("malom_nothing"), &[]).unwrap_err();
    assert!(nothing.contains("malom_nothing: no tablebase; "), "{nothing}");
}

/// Own files with their draws in the published order are compared with files of Malom that say the same, and with
/// some in which what comes to rest in 3-4 comes to rest elsewhere.
#[test]
fn where_draws_come_to_rest_is_compared_too() {
    let own = tablebases::copy(solved(7), "malom_draws_own");
    look(&own, &["draws", "--order", "published", "--moving", "--max-men", "7"]).unwrap();
    let tablebase = tablebases::open(&own);
    let compare = |name: &str, at_home: i32| {
        let other = fresh_folder(name);
        write_sectors(&other, &*SECTORS, value, |sector, own, opponent| {
            match tablebase.draw_value(sector, own, opponent).unwrap().rest {
                Some(rest) if [sector, rest] == [SECTORS[1]; 2] => at_home,
                rest => rest.map_or(0, rank),
            }
        });
        let positions = usual_or_full(&["--sample", "5000"][..], &[]);
        (compare(&own, &other, positions), other)
    };
    let rows = compare("malom_draws", rank(SECTORS[1])).0.unwrap();
    assert!(rows.iter().all(|row| row.ends_with(".sec2, draws too")), "{rows:?}");
    assert_eq!(rows.len(), SECTORS.len());
    let (complaint, other) = compare("malom_draws_differ", -40);
    let differs = "comes to rest in 3-4 by the file, but comes to rest in 4-3 by";
    assert_differs(&complaint.unwrap_err(), differs, &other, 3);
}

/// Where the system starts no thread, the folder is opened on the one that is there.
#[test]
fn they_are_opened_without_a_thread() {
    let ask = |arguments: &[&str]| {
        let mut command = program(&home());
        // No system has room for such a stack.
        command.env("RUST_MIN_STACK", (1_u64 << 47).to_string());
        run(command.arg("db").args(arguments).arg("--dir").arg(&*MALOM), "")
    };
    assert_eq!(ask(&["probe", WIN_IN_33]).lines()[0], "win in 33");
    let complaint = ask(&["verify"]);
    assert!(complaint.complaint().starts_with("cannot start threads: "), "{}", complaint.error);
}
