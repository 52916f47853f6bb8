//! Compact tablebases: the values of a whole one from fewer and smaller files.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use crate::tablebase::look::look;
use crate::tablebases::{self, fresh_folder};
use millstone::board::SquareSet;
use millstone::rules::{RuleSet, StalemateAction};
use millstone::tablebase::{
    Compact, Distances, Sector, Solvable, Tablebase, Unobserved, Wdl, sector_path,
};
use tempfile::TempDir;

/// Nine Men's Morris with four men each.
static GAME: LazyLock<Solvable> = LazyLock::new(|| {
    let rules = RuleSet { men: 4, ..RuleSet::NINE_MENS_MORRIS };
    Solvable::of(&rules).unwrap()
});

/// All of it, and what a compact folder has of it.
static FOLDERS: LazyLock<[PathBuf; 2]> = LazyLock::new(|| {
    let [whole, compact] = ["compact_whole", "compact"].map(fresh_folder);
    tablebases::build(*GAME, &whole, [8, 8], Distances::None);
    let job = Compact { game: *GAME, from: &whole, to: &compact };
    job.run(&Unobserved).unwrap();
    [whole, compact]
});

fn open(folder: &Path) -> Tablebase {
    tablebases::open_of(*GAME, folder)
}

/// A copy of a folder.
fn copy(folder: &Path) -> TempDir {
    let to = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), to.path().join(entry.file_name())).unwrap();
    }
    to
}

/// Some positions of a sector, about `wanted` of them.
fn some(sector: Sector, wanted: usize) -> impl Iterator<Item = (SquareSet, SquareSet)> {
    let step = (sector.len() / wanted).max(1);
    (0..sector.len()).step_by(step).map(move |index| sector.position(index))
}

#[test]
fn every_sector_has_the_same_values() {
    let [whole, compact] = FOLDERS.each_ref().map(|folder| open(folder));
    let mut by_value = [0; 3];
    for sector in GAME.sectors() {
        for (own, opponent) in some(sector, 4000) {
            let [expected, found] =
                [&whole, &compact].map(|tablebase| tablebase.wdl(sector, own, opponent).unwrap());
            assert_eq!(found, expected, "{sector} {own:?} {opponent:?}");
            by_value[found as usize] += usize::from(compact.file(sector).is_none());
        }
    }
    assert!(by_value.iter().all(|&count| count > 100), "left out, by value: {by_value:?}");
}

#[test]
fn there_are_fewer_files_and_a_list_of_them() {
    let [whole, compact] = FOLDERS.each_ref();
    let bytes = |folder: &Path, sector| fs::read(sector_path(folder, sector)).ok();
    let (mut all, mut kept, mut lines) = (0, 0, Vec::new());
    for sector in GAME.sectors() {
        all += bytes(whole, sector).unwrap().len();
        if let Some(bytes) = bytes(compact, sector) {
            kept += bytes.len();
            let checksum = crc32fast::hash(&bytes);
            lines.push(format!("{sector}.mill {} {checksum:08x}", bytes.len()));
        }
    }
    assert!(3 * kept < 2 * all, "{kept} bytes of {all}");
    let index = fs::read_to_string(compact.join("index.txt")).unwrap();
    assert_eq!(index.lines().collect::<Vec<_>>(), lines);
    let names = fs::read_dir(compact).unwrap().count();
    assert_eq!(names, lines.len() + 2, "the files, their list and the lock");
}

/// A whole folder is compared with a compact one, and that one with the whole one, in all sectors of the first.
#[test]
fn comparisons_know_what_is_left_out() {
    let [whole, compact] = FOLDERS.each_ref().map(|folder| folder.to_str().unwrap());
    let compare = |folder: &str, against: &str| {
        let arguments =
            ["verify", "--against", against, "--sample", "50", "--variant", "men=4", "--json"];
        look(Path::new(folder), &arguments).unwrap().lines().count()
    };
    let sectors = GAME.sectors().len();
    let files = fs::read_dir(compact).unwrap().count() - 2;
    assert_eq!([compare(whole, compact), compare(compact, whole)], [sectors, files]);
}

/// What is there already has to be of a compact tablebase, and the whole one has to be whole.
#[test]
fn a_compact_tablebase_needs_a_whole_one_and_a_folder_of_its_own() {
    let run = |from: &Path, to: &Path| {
        Compact { game: *GAME, from, to }.run(&Unobserved).unwrap_err().to_string()
    };
    let [whole, compact] = FOLDERS.each_ref();
    let error = run(whole, whole);
    assert!(
        error.ends_with(".mill: not of a compact tablebase; name another folder for it"),
        "{error}"
    );
    let to = compact.with_file_name("compact_of_nothing");
    let error = run(&to, &to);
    assert!(error.ends_with("lacks the sector 3-3; millstone db build makes it"), "{error}");
    assert!(!to.exists());
    let arguments = ["verify", "--variant", "men=4"];
    let error = look(compact, &arguments).unwrap_err();
    assert!(error.contains("--against"), "{error}");
}

/// A damaged file is kept under another name and written again, the same byte for byte.
#[test]
fn damage_is_set_aside_and_mended() {
    let [whole, compact] = FOLDERS.each_ref();
    let to = copy(compact);
    let path = sector_path(to.path(), Sector::new(4, 4).unwrap());
    let good = fs::read(&path).unwrap();
    fs::write(&path, &good[..good.len() - 1]).unwrap();
    let job = Compact { game: *GAME, from: whole, to: to.path() };
    assert_eq!(job.run(&Unobserved).unwrap(), 1);
    assert_eq!(fs::read(&path).unwrap(), good);
    assert!(path.with_extension("mill.damaged").exists());
    assert_eq!(job.run(&Unobserved).unwrap(), 0);
}

/// Where a turn may pass every sector keeps its file, as no search of a few plies would end.
#[test]
fn nothing_is_left_out_where_a_turn_may_pass() {
    let rules =
        RuleSet { men: 3, stalemate_action: StalemateAction::Passes, ..RuleSet::NINE_MENS_MORRIS };
    let game = Solvable::of(&rules).unwrap();
    let [whole, compact] = ["compact_passes_whole", "compact_passes"].map(fresh_folder);
    tablebases::build(game, &whole, [6, 6], Distances::None);
    Compact { game, from: &whole, to: &compact }.run(&Unobserved).unwrap();
    let [whole, compact] = [whole, compact].map(|folder| tablebases::open_of(game, &folder));
    for sector in game.sectors() {
        assert!(compact.file(sector).is_some());
        for (own, opponent) in some(sector, 1000) {
            let values =
                [&whole, &compact].map(|tablebase| tablebase.wdl(sector, own, opponent).unwrap());
            assert_eq!(values[0], values[1], "{sector} {own:?} {opponent:?}");
        }
    }
}

/// A build that was made compact leaves nothing else, and is not done twice.
#[test]
fn a_build_may_be_compact() {
    let folder = fresh_folder("compact_build");
    let build = || look(&folder, &["build", "--compact", "--variant", "men=3"]).unwrap();
    let first = build();
    assert!(first.contains("2+1-2+1: "), "{first}");
    let game = RuleSet { men: 3, ..RuleSet::NINE_MENS_MORRIS };
    let game = Solvable::of(&game).unwrap();
    let tablebase = tablebases::open_of(game, &folder);
    assert!(tablebase.files().count() < game.sectors().len());
    let start = Sector::with_hands([0, 0], [3, 3]).unwrap();
    let empty = SquareSet::EMPTY;
    assert_eq!(tablebase.wdl(start, empty, empty), Some(Wdl::Win));
    let whole = folder.join("whole.part");
    assert!(!whole.exists());
    fs::create_dir(&whole).unwrap();
    fs::write(whole.join("notes"), "of somebody").unwrap();
    assert_eq!(build(), format!("{}: nothing is missing\n", folder.display()));
    assert!(whole.join("notes").exists());
}

#[test]
fn nothing_is_built_of_quiet_files() {
    let compact = open(&FOLDERS[1]);
    let sector = Sector::with_hands([2, 3], [1, 1]).unwrap();
    let file = compact.file(sector).unwrap();
    assert!(file.is_quiet());
    let error = file.load().unwrap_err().to_string();
    assert!(
        error.contains(": a file of a compact tablebase, of which nothing is built"),
        "{error}"
    );
    let folder = copy(&FOLDERS[1]);
    let error = look(folder.path(), &["build", "--variant", "men=4"]).unwrap_err();
    assert!(
        error.contains("of which nothing is built; a whole one needs another folder"),
        "{error}"
    );
}

/// A damaged file leaves positions unknown whose values need it, and no value is wrong.
#[test]
fn damage_is_named_and_gives_no_wrong_value() {
    let [whole, compact] = FOLDERS.each_ref();
    let folder = copy(compact);
    let sector = Sector::new(4, 4).unwrap();
    let path = sector_path(folder.path(), sector);
    let mut bytes = fs::read(&path).unwrap();
    for byte in bytes[4096..].iter_mut().step_by(1000) {
        *byte ^= 1;
    }
    fs::write(&path, bytes).unwrap();
    let (whole, damaged) = (open(whole), open(folder.path()));
    let before = Sector::with_hands([3, 4], [1, 0]).unwrap();
    let mut unknown = 0;
    for sector in [sector, before] {
        for (own, opponent) in some(sector, 2000) {
            let found: Option<Wdl> = damaged.wdl(sector, own, opponent);
            unknown += usize::from(found.is_none());
            assert!(found.is_none() || found == whole.wdl(sector, own, opponent));
        }
    }
    assert!(unknown > 2000);
    let damage: Vec<String> = damaged.take_damage().iter().map(ToString::to_string).collect();
    assert!(damage.len() == 1 && damage[0].contains("4-4.mill: damaged"), "{damage:?}");
}
