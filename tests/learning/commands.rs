//! The commands that look after the learning file, and ordinary tools that do.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use super::learned::{parts, random, read_lines, write};
use millstone::learning::{LearnedPosition, LearnedPositions, LearningFile};
use millstone::rules::PRESETS;
use serde_json::{Value, json};
use tempfile::TempDir;

fn folder() -> TempDir {
    TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap()
}

fn learn(arguments: &[&str]) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_millstone"));
    program.arg("learn").args(arguments).output().expect("the program starts")
}

/// What a command prints, one line or more.
fn told(arguments: &[&str]) -> String {
    let output = learn(arguments);
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {error}");
    String::from_utf8(output.stdout).unwrap()
}

/// The one line in which a command says what is wrong.
fn refusal(arguments: &[&str]) -> String {
    let output = learn(arguments);
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && error.lines().count() == 1, "{arguments:?}: {error}");
    error
}

fn positions_in(path: &Path) -> LearnedPositions {
    LearningFile::new(path).read().unwrap().positions
}

fn new_file(folder: &TempDir, name: &str, positions: &LearnedPositions) -> PathBuf {
    let path = folder.path().join(name);
    write(&path, positions);
    path
}

fn text(path: &Path) -> &str {
    path.to_str().expect("test folders have plain names")
}

/// One position, its own depth in each file, and others that only one of them has.
fn overlapping() -> (LearnedPositions, [LearnedPositions; 2]) {
    let all = random(300, 4);
    let [mut first, mut second]: [LearnedPositions; 2] = parts(&all, 2).try_into().unwrap();
    let shallower = |learned: &LearnedPosition| {
        let mut learned = learned.clone();
        learned.result.depth -= 1;
        learned
    };
    let of_first: Vec<LearnedPosition> = first.iter().take(50).collect();
    first.extend(second.iter().take(50).map(|learned| shallower(&learned)).collect::<Vec<_>>());
    second.extend(of_first.iter().map(shallower));
    (all, [first, second])
}

#[test]
fn merging_keeps_the_better_of_two_results_whatever_the_tool() {
    let folder = folder();
    let (all, [first, second]) = overlapping();
    let files = [new_file(&folder, "a", &first), new_file(&folder, "b", &second)];
    let [a, b] = files.each_ref().map(|path| text(path));
    let out = folder.path().join("out");
    assert_eq!(
        told(&["merge", a, b, "-o", text(&out)]),
        format!("{}: positions: 300\n", out.display())
    );
    assert_eq!(positions_in(&out), all);
    assert_eq!(read_lines(&out).len(), 300);

    let joined = [b, a].map(|path| fs::read_to_string(path).unwrap()).concat();
    let cat = folder.path().join("cat");
    fs::write(&cat, joined).unwrap();
    assert_eq!(positions_in(&cat), all);
    if cfg!(unix) {
        let sorted = Command::new("sort").env("LC_ALL", "C").args(["-u", a, b]).output().unwrap();
        fs::write(&cat, &sorted.stdout).unwrap();
        let read = LearningFile::new(&cat).read().unwrap();
        assert_eq!((read.positions, read.damage), (all, None));
        let check = Command::new("sort").env("LC_ALL", "C").arg("-c").arg(&out).status().unwrap();
        assert!(check.success(), "what is written is sorted");
    }
}

#[test]
fn a_damaged_file_is_mended_by_merging_it_into_a_new_one() {
    let folder = folder();
    let bad = new_file(&folder, "bad", &random(30, 5));
    let damaged = fs::read_to_string(&bad).unwrap() + "and so on\n";
    fs::write(&bad, &damaged).unwrap();
    let new = folder.path().join("new");
    let output = learn(&["merge", text(&bad), "-o", text(&new)]);
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && error.contains("found 'and so on'"), "{error}");
    assert_eq!(positions_in(&new), random(30, 5));
    for arguments in [
        &["merge", text(&new), "-o", text(&bad)][..],
        &["prune", "--keep", "3", "--file", text(&bad)],
        &["forget", "--all", "--file", text(&bad)],
    ] {
        assert!(refusal(arguments).contains("found 'and so on'"));
        assert_eq!(fs::read_to_string(&bad).unwrap(), damaged);
    }
}

#[test]
fn a_lock_that_cannot_be_made_is_named() {
    let folder = folder();
    let from = new_file(&folder, "from", &random(3, 9));
    let file = folder.path().join("file");
    let lock = folder.path().join("file.lock");
    fs::create_dir(&lock).unwrap();
    let error = refusal(&["merge", text(&from), "-o", text(&file)]);
    assert!(error.contains(&format!("learning file {}: ", lock.display())), "{error}");
}

#[test]
fn pruning_keeps_the_most_useful() {
    let folder = folder();
    let all = random(100, 6);
    let file = new_file(&folder, "file", &all);
    let printed = told(&["prune", "--keep", "10", "--file", text(&file)]);
    assert_eq!(printed, format!("{}: positions removed: 90, kept: 10\n", file.display()));
    let mut best = all.clone();
    best.prune(10);
    assert_eq!(positions_in(&file), best);
    assert!(best.iter().all(|learned| learned.result.score.is_mate()));
}

#[test]
fn what_is_forgotten_can_be_taken_back() {
    let folder = folder();
    let all = random(100, 7);
    let file = new_file(&folder, "file", &all);
    let of_standard =
        |learned: &LearnedPosition| learned.position.game == PRESETS[0].rules.identity();
    let position = all.iter().find(of_standard).unwrap().position.text;
    let forget = ["forget", "--file", text(&file), "--position", &position];
    assert!(told(&forget).contains(": positions forgotten: 1, left: 99; moved to "));
    assert!(positions_in(&file).iter().all(|learned| learned.position.text != position));
    assert!(refusal(&forget).contains("no such position"));
    assert!(
        told(&["forget", "--file", text(&file), "--all"])
            .contains("positions forgotten: 99, left: 0")
    );
    assert!(positions_in(&file).is_empty());
    let aside = folder.path().join("file.forgotten");
    told(&["merge", text(&aside), "-o", text(&file)]);
    assert_eq!(positions_in(&file), all);
}

/// What an engine keeps is limited, what is put aside is not.
#[test]
fn nothing_that_is_forgotten_is_lost() {
    let folder = folder();
    let mut all = LearnedPositions::default();
    for seed in [1, 2] {
        let some = random(LearnedPositions::MAX * 3 / 4, seed);
        let file = new_file(&folder, "file", &some);
        told(&["forget", "--all", "--file", text(&file)]);
        all.extend(some.iter());
    }
    assert!(all.len() > LearnedPositions::MAX);
    assert_eq!(positions_in(&folder.path().join("file.forgotten")), all);
}

#[test]
fn scripts_are_told_the_same() {
    let folder = folder();
    let file = new_file(&folder, "file", &random(100, 9));
    let json = |arguments: &[&str]| -> Value {
        serde_json::from_str(&told(&[arguments, &["--json"]].concat())).unwrap()
    };
    let out = folder.path().join("out");
    let merged = json(&["merge", text(&file), "-o", text(&out)]);
    assert_eq!(merged, json!({"file": out, "positions": 100}));
    let pruned = json(&["prune", "--keep", "10", "--file", text(&out)]);
    assert_eq!(pruned, json!({"file": out, "left_out": 90, "kept": 10}));
    let forgotten = json(&["forget", "--all", "--file", text(&out)]);
    let aside = folder.path().join("out.forgotten");
    assert_eq!(forgotten, json!({"file": out, "forgotten": 10, "left": 0, "aside": aside}));
}

#[test]
fn statistics_count_each_game() {
    let folder = folder();
    let all = random(500, 8);
    let file = new_file(&folder, "file", &all);
    let counts: Value =
        serde_json::from_str(&told(&["stats", "--json", "--file", text(&file)])).unwrap();
    assert_eq!(counts["positions"], 500);
    let games = counts["games"].as_array().unwrap();
    assert_eq!(games.len(), PRESETS.len());
    let sum = |key: &str| games.iter().map(|game| game[key].as_u64().unwrap()).sum::<u64>();
    assert_eq!(sum("positions"), 500);
    assert_eq!(sum("wins") + sum("losses") + sum("estimates"), 500);
    let decided = all.iter().filter(|learned| learned.result.score.is_mate()).count();
    assert_eq!(sum("wins") + sum("losses"), decided as u64);
    let table = told(&["stats", "--file", text(&file)]);
    assert!(PRESETS.iter().all(|preset| table.contains(preset.name)), "{table}");
    let missing = folder.path().join("missing");
    assert!(refusal(&["stats", "--file", text(&missing)]).ends_with(": no such file\n"));
}
