//! What the program tells of a learning file, and other tools that merge and prune it.

use std::fs;
use std::process::Command;

use super::learned::{folder, parts, random, write};
use crate::program::{Ended, millstone};
use millstone::learning::{LearnedPosition, LearnedPositions, LearningFile};
use millstone::rules::PRESETS;

fn stats(arguments: &[&str]) -> Ended {
    millstone(&[&["learn", "stats", "--file"], arguments].concat())
}

/// One position, its own depth in each file, and others that only one of them has.
#[cfg(unix)]
fn overlapping() -> (LearnedPositions, [LearnedPositions; 2]) {
    let all = random(300, 4);
    let [mut first, mut second]: [LearnedPositions; 2] = parts(&all, 2).try_into().unwrap();
    let shallower = |mut learned: LearnedPosition| {
        learned.result.depth -= 1;
        learned
    };
    let of_first: Vec<LearnedPosition> = first.iter().take(50).collect();
    first.extend(second.iter().take(50).map(shallower).collect::<Vec<_>>());
    second.extend(of_first.into_iter().map(shallower));
    (all, [first, second])
}

/// The two lines of the help do what they say, to an engine's file too.
#[cfg(unix)]
#[test]
fn other_tools_merge_and_prune() {
    let folder = folder();
    let (all, files) = overlapping();
    let names = ["one.txt", "other.txt"].map(|name| folder.path().join(name));
    names.iter().zip(&files).for_each(|(path, positions)| write(path, positions));
    let help = millstone(&["learn", "--help"]);
    let lines: Vec<&str> = help.lines().into_iter().filter(|line| line.contains(" > ")).collect();
    assert_eq!(lines.len(), 2, "{}", help.out);
    for line in lines {
        let status = Command::new("sh").args(["-c", line]).current_dir(&folder).status().unwrap();
        assert!(status.success(), "{line}");
    }
    let read = |name: &str| {
        let contents = LearningFile::new(folder.path().join(name)).read().unwrap();
        assert!(contents.damage.is_none());
        contents.positions
    };
    assert_eq!(read("merged.txt"), all);
    let is_decided = |learned: &LearnedPosition| learned.result.score.is_mate();
    assert_eq!(read("decided.txt"), all.iter().filter(is_decided).collect());
    let out = folder.path().join("out.txt");
    write(&out, &all);
    let check = Command::new("sort").env("LC_ALL", "C").arg("-c").arg(&out).status().unwrap();
    assert!(check.success(), "what is written is sorted");
}

#[test]
fn statistics_count_each_game_and_name_bad_lines() {
    let folder = folder();
    let all = random(500, 8);
    let file = folder.path().join("file");
    write(&file, &all);
    let name = file.to_str().expect("test folders have plain names");
    let counts = stats(&[name, "--json"]).result();
    assert_eq!(counts["positions"], 500);
    let games = counts["games"].as_array().unwrap();
    assert_eq!(games.len(), PRESETS.len());
    let sum = |key: &str| games.iter().map(|game| game[key].as_u64().unwrap()).sum::<u64>();
    assert_eq!(sum("positions"), 500);
    let decided = all.iter().filter(|learned| learned.result.score.is_mate()).count() as u64;
    assert_eq!((sum("wins") + sum("losses"), sum("estimates")), (decided, 500 - decided));
    let table = stats(&[name]).lines().join("\n");
    assert!(PRESETS.iter().all(|preset| table.contains(preset.name)), "{table}");

    fs::write(&file, fs::read_to_string(&file).unwrap() + "and so on\n").unwrap();
    let ended = stats(&[name]);
    let Ended { error, status, .. } = &ended;
    assert!(*status == Some(0) && error.contains("found 'and so on'"), "{error}");
    assert!(stats(&["/missing"]).complaint().ends_with(": no such file"));
}
