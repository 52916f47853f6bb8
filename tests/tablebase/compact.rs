//! Compact tablebases: the values of a whole one from fewer and smaller files.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use crate::program::plain;
use crate::tablebases::{self, change, copy, fresh_folder, look, small_game, solvable};
use millstone::board::SquareSet;
use millstone::rules::{RuleSet, StalemateAction};
use millstone::tablebase::{
    Compact, Distances, Sector, Solvable, Tablebase, Unobserved, Verifier, Wdl, sector_path,
};

/// Nine Men's Morris with four men each.
static GAME: LazyLock<Solvable> = LazyLock::new(|| small_game(4));

/// All of it, and what a compact folder has of it.
static FOLDERS: LazyLock<[PathBuf; 2]> = LazyLock::new(|| {
    let [whole, compact] = ["compact_whole", "compact"].map(fresh_folder);
    tablebases::build(*GAME, &whole, [8, 8], Distances::None);
    let job = Compact { game: *GAME, from: &whole, to: &compact };
    job.run(None, &Unobserved).unwrap();
    [whole, compact]
});

fn open(folder: &Path) -> Tablebase {
    tablebases::open_of(*GAME, folder)
}

/// Checks some positions of some sectors. Returns how often each value was found, and how often none was.
fn compare(sectors: &[Sector], wanted: usize, tablebases: [&Tablebase; 2]) -> [usize; 4] {
    let [whole, compact] = tablebases;
    let mut counts = [0; 4];
    for &sector in sectors {
        let step = (sector.len() / wanted).max(1);
        for (own, opponent) in (0..sector.len()).step_by(step).map(|index| sector.position(index)) {
            let found = compact.wdl(sector, own, opponent);
            let expected = whole.wdl(sector, own, opponent);
            assert!(found.is_none() || found == expected, "{sector} {own:?} {opponent:?}");
            counts[found.map_or(3, |found| found as usize)] += 1;
        }
    }
    counts
}

#[test]
fn every_sector_has_the_same_values() {
    let [whole, compact] = FOLDERS.each_ref().map(|folder| open(folder));
    let is_kept = |sector: &Sector| compact.file(*sector).is_some();
    let (kept, left_out): (Vec<Sector>, _) = GAME.sectors().into_iter().partition(is_kept);
    assert_eq!(compare(&kept, 4000, [&whole, &compact])[3], 0);
    let [values @ .., unknown] = compare(&left_out, 4000, [&whole, &compact]);
    assert!(unknown == 0 && values.iter().all(|&count| count > 100), "{values:?}, {unknown}");
    // Whole sectors are compared in memory.
    for sector in GAME.sectors().into_iter().filter(|sector| sector.len() < 40_000) {
        Verifier::new(&whole, &Unobserved).compare(&compact, sector, None).unwrap();
    }
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
    let [whole, compact] = FOLDERS.each_ref();
    let compare = |folder: &Path, against: &Path| {
        let verify = ["verify", "--against", plain(against), "--sample", "50"];
        let arguments = [&verify[..], &["--variant", "men=4", "--json"]].concat();
        look(folder, &arguments).unwrap().lines().count()
    };
    let sectors = GAME.sectors().len();
    let files = fs::read_dir(compact).unwrap().count() - 2;
    assert_eq!([compare(whole, compact), compare(compact, whole)], [sectors, files]);
}

/// What is there already has to be of a compact tablebase, and the whole one has to be whole.
#[test]
fn a_compact_tablebase_needs_a_whole_one_and_a_folder_of_its_own() {
    let run = |from: &Path, to: &Path| {
        Compact { game: *GAME, from, to }.run(None, &Unobserved).unwrap_err().to_string()
    };
    let [whole, compact] = FOLDERS.each_ref();
    let error = run(whole, whole);
    let reason = ".mill: not part of a compact tablebase; choose another folder";
    assert!(error.ends_with(reason), "{error}");
    let to = compact.with_file_name("compact_of_nothing");
    let error = run(&to, &to);
    assert!(error.ends_with("lacks the sector 3-3; millstone db build makes it"), "{error}");
    assert!(!to.exists());
    let error = look(compact, &["verify", "--variant", "men=4"]).unwrap_err();
    assert!(error.contains("--against"), "{error}");
}

/// A damaged file is kept under another name and written again, the same byte for byte.
#[test]
fn damage_is_set_aside_and_mended() {
    let [whole, compact] = FOLDERS.each_ref();
    let to = copy(compact, "compact_mended");
    let path = sector_path(&to, Sector::new(4, 4).unwrap());
    let good = fs::read(&path).unwrap();
    change(&path, |bytes| bytes.truncate(bytes.len() - 1));
    let job = Compact { game: *GAME, from: whole, to: &to };
    assert_eq!(job.run(None, &Unobserved).unwrap(), 1);
    assert_eq!(fs::read(&path).unwrap(), good);
    assert!(path.with_extension("mill.damaged").exists());
    assert_eq!(job.run(None, &Unobserved).unwrap(), 0);
}

/// Where a turn may pass every sector keeps its file, as no search of a few plies would end.
#[test]
fn nothing_is_left_out_where_a_turn_may_pass() {
    let rules =
        RuleSet { men: 3, stalemate_action: StalemateAction::Passes, ..RuleSet::NINE_MENS_MORRIS };
    let game = solvable(rules);
    let [whole, compact] = ["compact_passes_whole", "compact_passes"].map(fresh_folder);
    tablebases::build(game, &whole, [6, 6], Distances::None);
    Compact { game, from: &whole, to: &compact }.run(None, &Unobserved).unwrap();
    let [whole, compact] = [whole, compact].map(|folder| tablebases::open_of(game, &folder));
    assert!(game.sectors().iter().all(|&sector| compact.file(sector).is_some()));
    assert_eq!(compare(&game.sectors(), 1000, [&whole, &compact])[3], 0);
}

/// A build that was made compact leaves nothing else, and is not done twice.
#[test]
fn a_build_may_be_compact() {
    let folder = fresh_folder("compact_build");
    let build = || look(&folder, &["build", "--compact", "--variant", "men=3"]).unwrap();
    assert!(build().contains("2+1-2+1: "));
    let game = small_game(3);
    let tablebase = tablebases::open_of(game, &folder);
    assert!(tablebase.files().count() < game.sectors().len());
    let start = Sector::with_hands([0, 0], [3, 3]).unwrap();
    assert_eq!(tablebase.wdl(start, SquareSet::EMPTY, SquareSet::EMPTY), Some(Wdl::Win));
    let whole = folder.join("whole.part");
    fs::create_dir(&whole).unwrap();
    fs::write(whole.join("notes"), "of somebody").unwrap();
    assert_eq!(build(), format!("{}: nothing is missing\n", folder.display()));
    assert!(whole.join("notes").exists());
}

#[test]
fn nothing_is_built_of_quiet_files() {
    let compact = open(&FOLDERS[1]);
    let file = compact.file(Sector::with_hands([2, 3], [1, 1]).unwrap()).unwrap();
    assert!(file.is_quiet());
    let error = file.load().unwrap_err().to_string();
    assert!(error.contains("a file of a compact tablebase, from which nothing can be built"));
    let folder = copy(&FOLDERS[1], "compact_built");
    let reason = "from which nothing can be built; use another folder";
    let assert_refused = |arguments: &[&str]| {
        let error = look(&folder, &[arguments, &["--variant", "men=4"]].concat()).unwrap_err();
        assert!(error.contains(reason), "{error}");
    };
    for arguments in [&["build"][..], &["build", "--moving"], &["draws"]] {
        assert_refused(arguments);
    }
    fs::remove_file(folder.join("index.txt")).unwrap();
    assert_refused(&["build"]);
}

/// A damaged file leaves positions unknown whose values need it, and no value is wrong.
#[test]
fn damage_is_named_and_gives_no_wrong_value() {
    let [whole, compact] = FOLDERS.each_ref();
    let folder = copy(compact, "compact_damaged");
    let sector = Sector::new(4, 4).unwrap();
    change(&sector_path(&folder, sector), |bytes| {
        bytes[4096..].iter_mut().step_by(1000).for_each(|byte| *byte ^= 1);
    });
    let (whole, damaged) = (open(whole), open(&folder));
    let before = Sector::with_hands([3, 4], [1, 0]).unwrap();
    assert!(compare(&[sector, before], 2000, [&whole, &damaged])[3] > 2000);
    let damage: Vec<String> = damaged.take_damage().iter().map(ToString::to_string).collect();
    assert!(damage.len() == 1 && damage[0].contains("4-4.mill: damaged"), "{damage:?}");
}
