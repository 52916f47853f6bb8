//! Building by tasks: one process for each, in a folder that they share.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use super::build::{
    MOST_MEN, UNDISTURBED, assert_completes, files, refusal_with, text, wait_for_work,
};
use crate::common::say_skipped;
use crate::tablebases::fresh_folder;

/// The tasks of the sectors that the tests build, each after those that it needs.
const TASKS: [&str; 4] = ["3-3", "3-4", "3-5", "4-4"];

/// The exit status when a task lacks what it needs.
const LACKING: i32 = 3;

fn millstone(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_millstone"));
    command.args(arguments);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn task(folder: &Path, sector: &str) -> Command {
    let mut command = millstone(&["db", "build", "--threads", "1", "--sector", sector, "--dir"]);
    command.arg(folder);
    command
}

fn assert_succeeds(mut command: Command) -> Output {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    output
}

fn plan(more: &[&str]) -> Output {
    let men = MOST_MEN.to_string();
    assert_succeeds(millstone(&[&["db", "plan", "--max-men", &men], more].concat()))
}

/// A folder with what an undisturbed build leaves, but without some sectors.
fn folder_without(name: &str, sectors: &[&str]) -> PathBuf {
    let folder = fresh_folder(name);
    for (file, bytes) in files(&UNDISTURBED.0) {
        if !sectors.iter().any(|sector| file == format!("{sector}.mill")) {
            fs::write(folder.join(file), bytes).unwrap();
        }
    }
    folder
}

#[test]
fn tasks_in_the_order_of_the_plan_leave_the_same_files() {
    let folder = fresh_folder("tablebase_tasks_plan");
    let plan = plan(&["--json"]);
    let lines: Vec<serde_json::Value> =
        text(&plan.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (total, tasks) = lines.split_last().unwrap();
    assert_eq!((&total["tasks"], &total["sectors"]), (&4.into(), &6.into()));
    let names: Vec<&str> = tasks.iter().map(|task| task["task"].as_str().unwrap()).collect();
    assert_eq!(names, TASKS);
    assert_eq!(tasks[3]["needs"], serde_json::json!(["3-4"]));
    for name in names {
        assert_succeeds(task(&folder, name));
    }
    assert!(!folder.join("build.lock").exists(), "a task locks no folder");
    assert_completes(&folder);
}

/// Two tasks of a sector at once, of which one wants distances and one does not.
#[test]
fn distances_that_one_of_two_tasks_wants_are_there() {
    let wanted = files(&UNDISTURBED.0);
    let wanted = wanted.iter().find(|(name, _)| *name == "3-3.mill").expect("a file");
    for _ in 0..5 {
        let folder = fresh_folder("tablebase_tasks_distances");
        let mut without = task(&folder, "3-3");
        let without = without.arg("--no-distance").spawn().unwrap();
        let with = task(&folder, "3-3").spawn().unwrap();
        for child in [with, without] {
            let output = child.wait_with_output().unwrap();
            assert!(output.status.success(), "{}", text(&output.stderr));
        }
        let bytes = fs::read(folder.join("3-3.mill")).unwrap();
        assert!(bytes == *wanted.1, "{} bytes, not {}", bytes.len(), wanted.1.len());
    }
}

/// By `make` with two tasks at a time, which is killed in the middle and begun again.
#[cfg(unix)]
#[test]
fn make_leaves_the_same_files() {
    if Command::new("make").arg("--version").output().is_err() {
        say_skipped("there is no make");
        return;
    }
    let folder = fresh_folder("tablebase_tasks_make");
    let makefile = fresh_folder("tablebase_tasks_makefile").join("makefile");
    fs::write(&makefile, plan(&["--makefile"]).stdout).unwrap();
    let make = || {
        let mut make = Command::new("make");
        make.args(["--jobs=2", "--silent", "OPTIONS=--threads 1", "--file"]).arg(&makefile);
        make.arg(format!("MILLSTONE={}", env!("CARGO_BIN_EXE_millstone")));
        make.arg(format!("DIR={}", folder.display()));
        make.stdout(Stdio::piped()).stderr(Stdio::piped());
        make
    };
    let mut killed = make().spawn().unwrap();
    while !folder.join("3-3.mill").exists() {
        assert!(killed.try_wait().unwrap().is_none(), "make fails");
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    killed.kill().unwrap();
    killed.wait().unwrap();
    assert_succeeds(make());
    assert!(text(&assert_succeeds(make()).stdout).is_empty(), "nothing is left to do");
    assert_completes(&folder);
}

#[test]
fn a_task_is_done_again_after_its_machine_was_lost() {
    let folder = folder_without("tablebase_tasks_lost", &["3-5", "5-3"]);
    for _ in 0..3 {
        let mut lost = task(&folder, "3-5").spawn().unwrap();
        wait_for_work(&mut lost);
        lost.kill().unwrap();
        lost.wait().unwrap();
    }
    fs::write(folder.join("3-5.mill.part-abcdef"), "what it had written so far").unwrap();
    // The other sector of the task is the same task.
    assert_succeeds(task(&folder, "5-3"));
    let again = assert_succeeds(task(&folder, "3-5"));
    assert_eq!(text(&again.stdout), format!("{}: nothing is missing\n", folder.display()));
    assert_completes(&folder);
}

#[test]
fn a_task_that_lacks_something_says_what_and_exits_with_a_status_of_its_own() {
    let folder = folder_without("tablebase_tasks_lacking", &["3-4", "4-4"]);
    let before = files(&folder);
    let output = task(&folder, "4-4").output().unwrap();
    let line = refusal_with(LACKING, &output);
    assert_eq!(line, "sector 4-4 needs sectors that are missing or lack distances: 3-4");
    assert!(output.stdout.is_empty() && files(&folder) == before);
    let output = task(&folder, "8+1-9+0").output().unwrap();
    let line = refusal_with(LACKING, &output);
    assert_eq!(line, "sector 8+1-9+0 needs sectors that are missing or lack distances: 8-9, 9-9");
    let output = task(&folder, "2-9").output().unwrap();
    assert_eq!(refusal_with(1, &output), "Nine Men's Morris has no sector 2-9");
    // Values without distances are not enough for values with them.
    let mut without_distances = task(&folder, "3-4");
    without_distances.arg("--no-distance");
    assert_succeeds(without_distances);
    let output = task(&folder, "4-4").output().unwrap();
    let line = refusal_with(LACKING, &output);
    assert_eq!(line, "sector 4-4 needs sectors that are missing or lack distances: 3-4");
}

/// Damage that shows when the file is opened, and damage that shows when it is read.
#[test]
fn a_damaged_file_that_a_task_needs_is_missing() {
    for (name, place) in [("header", 100), ("values", 5000)] {
        let folder = folder_without(&format!("tablebase_tasks_damaged_{name}"), &["4-4"]);
        let path = folder.join("3-4.mill");
        let mut bytes = fs::read(&path).unwrap();
        bytes[place] ^= 1;
        fs::write(&path, bytes).unwrap();
        let output = task(&folder, "4-4").output().unwrap();
        let line = refusal_with(LACKING, &output);
        assert_eq!(
            line, "sector 4-4 needs sectors that are missing or lack distances: 3-4",
            "{name}"
        );
        fs::remove_file(folder.join("3-4.mill.damaged")).unwrap();
        for sector in ["3-4", "4-4"] {
            assert_succeeds(task(&folder, sector));
        }
        assert_completes(&folder);
    }
}
