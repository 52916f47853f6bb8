//! Building databases from the command line, undisturbed and otherwise.

mod endgames;

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::LazyLock;
use std::thread;
use std::time::{Duration, Instant};

use endgames::{fresh_folder, sectors};
use millstone::knowledge::endgame::{Longest, Sector, path};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

const MOST_MEN: usize = 8;
const KILLS: usize = 20;

/// Positions won, drawn and lost, symmetric ones counted once, and the longest win and loss.
///
/// An independent program counted them; here is what `sectors.json` of its vectors says.
const COUNTS: [(usize, usize, [u64; 3], [Option<u8>; 2]); 6] = [
    (3, 3, [140_621, 269, 28_736], [Some(25), Some(26)]),
    (3, 4, [102_281, 658_117, 0], [Some(33), None]),
    (4, 3, [75_397, 681_906, 3_095], [Some(1), Some(32)]),
    (4, 4, [159, 3_225_409, 29], [Some(9), Some(8)]),
    (3, 5, [6_301, 2_564_412, 9_677], [Some(31), Some(2)]),
    (5, 3, [580_660, 1_999_730, 0], [Some(3), None]),
];

/// A folder that was built without disturbance, and how long that took.
static UNDISTURBED: LazyLock<(PathBuf, Duration)> = LazyLock::new(|| {
    let folder = fresh_folder("databases_build");
    let start = Instant::now();
    let output = build(&folder, MOST_MEN, &[]).output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    (folder, start.elapsed())
});

fn text(bytes: &[u8]) -> &str {
    str::from_utf8(bytes).expect("the program writes text")
}

fn build(folder: &Path, most_men: usize, more: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_millstone"));
    command.args(["db", "build", "--max-men", &most_men.to_string(), "--dir"]).arg(folder);
    command.args(more).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// All files but the lock, by name.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = fs::read_dir(folder).unwrap().map(|entry| {
        let entry = entry.unwrap();
        (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap())
    });
    files.filter(|(name, _)| name != "build.lock").collect()
}

/// Ends a build and expects what an undisturbed one leaves, and nothing else.
fn assert_completes(folder: &Path) {
    let output = build(folder, MOST_MEN, &[]).output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    let (found, expected) = (files(folder), files(&UNDISTURBED.0));
    assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
    for (name, bytes) in &expected {
        assert!(found[name] == *bytes, "{name} differs");
    }
}

/// Reads up to the line that tells of the first sector; the rest is thrown away meanwhile.
fn wait_for_work(build: &mut Child) {
    let mut lines = BufReader::new(build.stdout.take().unwrap()).lines();
    let is_begun = lines.any(|line| line.unwrap().starts_with("solving "));
    assert!(is_begun, "the build has something to do");
    thread::spawn(move || lines.count());
}

/// The one line on standard error of a build that failed.
fn refusal(output: &Output) -> &str {
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let line = text(&output.stderr).strip_suffix('\n').expect("a line");
    assert!(!line.contains('\n'), "{line}");
    line.strip_prefix("millstone: ").expect("the name of the program")
}

#[test]
fn headers_say_what_another_program_counted() {
    let tables = endgames::open(&UNDISTURBED.0);
    assert_eq!(tables.files().count(), COUNTS.len());
    for (own, opponent, counts, longest) in COUNTS {
        let sector = Sector::new(own, opponent).unwrap();
        let file = tables.file(sector).expect("the sector is there");
        let statistics = file.statistics();
        assert_eq!([statistics.wins, statistics.draws, statistics.losses], counts, "{sector}");
        let found = [statistics.longest_win, statistics.longest_loss];
        assert_eq!(found.map(|longest| longest.map(|longest| longest.plies)), longest, "{sector}");
        for Longest { plies, number } in found.into_iter().flatten() {
            let value = file.value(number as usize).expect("the file is good");
            assert_eq!(value.plies(), Some(plies), "{sector}");
        }
    }
}

#[test]
fn killed_builds_go_on_to_the_same_files() {
    let folder = fresh_folder("databases_build_killed");
    let longest = UNDISTURBED.1 / 3;
    let mut rng = SmallRng::seed_from_u64(3);
    let mut kills = 0;
    while kills < KILLS {
        let mut build = build(&folder, MOST_MEN, &[]).spawn().unwrap();
        thread::sleep(longest.mul_f64(rng.random()));
        build.kill().unwrap();
        if build.wait().unwrap().success() {
            files(&folder).keys().for_each(|name| fs::remove_file(folder.join(name)).unwrap());
        } else {
            kills += 1;
            endgames::open(&folder);
        }
    }
    assert_completes(&folder);
}

#[cfg(unix)]
#[test]
fn interrupted_builds_say_so_and_go_on_to_the_same_files() {
    let folder = fresh_folder("databases_build_interrupted");
    let longest = UNDISTURBED.1 / 20;
    let mut rng = SmallRng::seed_from_u64(4);
    for attempt in 0..5 {
        let mut build = build(&folder, MOST_MEN, &[]).spawn().unwrap();
        wait_for_work(&mut build);
        thread::sleep(longest.mul_f64(rng.random()));
        let id = build.id().to_string();
        assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
        let output = build.wait_with_output().unwrap();
        // A later build may have been writing its last file.
        if attempt > 0 && output.status.success() {
            break;
        }
        assert_eq!(refusal(&output), "stopped; the same command goes on from here");
        let is_part = |name: &String| name.ends_with(".part");
        assert!(!files(&folder).keys().any(is_part), "a file is left half written");
    }
    assert_completes(&folder);
}

#[test]
fn a_second_build_in_a_folder_is_refused() {
    let folder = fresh_folder("databases_build_twice");
    // So many men take too long for the first build to end meanwhile.
    let mut first = build(&folder, 10, &[]).spawn().unwrap();
    wait_for_work(&mut first);
    let output = build(&folder, 6, &[]).output().unwrap();
    let expected = format!("expected {} to be free, found another build there", folder.display());
    assert_eq!(refusal(&output), expected);
    first.kill().unwrap();
    first.wait().unwrap();
    assert!(build(&folder, 6, &[]).output().unwrap().status.success());
}

#[test]
fn a_build_that_needs_more_memory_than_allowed_is_refused() {
    let folder = fresh_folder("databases_build_memory");
    let output = build(&folder, 7, &["--memory", "0.0001"]).output().unwrap();
    let line = refusal(&output);
    assert!(line.contains("GB of memory for the sector 3-4, found 0.00 GB allowed"), "{line}");
    assert!(line.ends_with("; --max-men 6 leaves it out"), "{line}");
    assert!(files(&folder).is_empty());
    for wrong in ["0", "-1", "nan", "much"] {
        let output = build(&folder, 7, &["--memory", wrong]).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{wrong}");
    }
}

/// The values are the same as with distances, and a later build adds these.
#[test]
fn values_can_be_built_without_distances() {
    let folder = fresh_folder("databases_build_values");
    let output = build(&folder, MOST_MEN, &["--no-distance"]).output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    let (values, all) = (endgames::open(&folder), endgames::open(&UNDISTURBED.0));
    for sector in sectors(MOST_MEN) {
        let [values, all] = [&values, &all].map(|tables| tables.file(sector).unwrap());
        assert!(!values.has_distances() && all.has_distances());
        let bytes = [values, all].map(|file| fs::read(file.path()).unwrap());
        let [values_only, with_distances] =
            bytes.each_ref().map(|bytes| &bytes[4096..][..values.value_bytes()]);
        assert!(values_only == with_distances, "{sector}");
        assert_eq!(values.statistics(), &all.statistics().without_distances(), "{sector}");
    }
    drop(values);
    // A file with distances is as good for a build without.
    fs::copy(path(&UNDISTURBED.0, sectors(6)[0]), path(&folder, sectors(6)[0])).unwrap();
    assert!(build(&folder, 6, &["--no-distance"]).output().unwrap().status.success());
    assert_completes(&folder);
}

#[test]
fn a_build_goes_on_when_nobody_reads_of_it() {
    let folder = fresh_folder("databases_build_unread");
    let mut build = build(&folder, 7, &[]).spawn().unwrap();
    drop(build.stdout.take());
    let output = build.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(endgames::open(&folder).files().count(), sectors(7).len());
}
