//! Building by tasks: one process for each, in a folder that they share.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::build::{MOST_MEN, UNDISTURBED, assert_completes, end, files, wait_for_work};
use crate::common::say_skipped;
use crate::program::{Ended, home, millstone, program};
use crate::size::usual_or_full;
use crate::tablebases::{change, copy, fresh_folder};

/// The tasks of the sectors that the tests build, each after those that it needs.
const TASKS: [&str; 4] = ["3-3", "3-4", "3-5", "4-4"];

/// The exit status when a task lacks what it needs.
const LACKING: i32 = 3;

fn task(folder: &Path, sector: &str) -> Command {
    let mut command = program(&home());
    command.args(["db", "build", "--threads", "1", "--sector", sector, "--dir"]).arg(folder);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn plan(more: &[&str]) -> Ended {
    millstone(&[&["db", "plan", "--max-men", &MOST_MEN.to_string()], more].concat())
}

/// A folder with what an undisturbed build leaves, but without some sectors.
fn folder_without(name: &str, sectors: &[&str]) -> PathBuf {
    let folder = copy(&UNDISTURBED.0, name);
    for sector in sectors {
        fs::remove_file(folder.join(format!("{sector}.mill"))).unwrap();
    }
    folder
}

#[test]
fn tasks_in_the_order_of_the_plan_leave_the_same_files() {
    let folder = fresh_folder("tablebase_tasks_plan");
    let lines = plan(&["--json"]).json();
    let (total, tasks) = lines.split_last().unwrap();
    assert_eq!((&total["tasks"], &total["sectors"]), (&4.into(), &6.into()));
    let names: Vec<&str> = tasks.iter().map(|task| task["task"].as_str().unwrap()).collect();
    assert_eq!(names, TASKS);
    assert_eq!(tasks[3]["needs"], serde_json::json!(["3-4"]));
    for name in names {
        end(&mut task(&folder, name)).lines();
    }
    assert!(!folder.join("build.lock").exists(), "a task locks no folder");
    assert_completes(&folder);
}

/// Two tasks of a sector at once, of which one wants distances and one does not.
#[test]
fn distances_that_one_of_two_tasks_wants_are_there() {
    let wanted = files(&UNDISTURBED.0);
    let wanted = wanted.iter().find(|(name, _)| *name == "3-3.mill").expect("a file");
    for _ in 0..usual_or_full(2, 5) {
        let folder = fresh_folder("tablebase_tasks_distances");
        let mut without = task(&folder, "3-3");
        let without = without.arg("--no-distance").spawn().unwrap();
        let with = task(&folder, "3-3").spawn().unwrap();
        for child in [with, without] {
            Ended::of(child).lines();
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
    fs::write(&makefile, plan(&["--makefile"]).out).unwrap();
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
    assert_eq!(end(&mut make()).status, Some(0));
    assert!(end(&mut make()).lines().is_empty(), "nothing is left to do");
    assert_completes(&folder);
}

#[test]
fn a_task_is_done_again_after_its_machine_was_lost() {
    let folder = folder_without("tablebase_tasks_lost", &["3-5", "5-3"]);
    for _ in 0..usual_or_full(1, 3) {
        let mut lost = task(&folder, "3-5").spawn().unwrap();
        wait_for_work(&mut lost);
        lost.kill().unwrap();
        lost.wait().unwrap();
    }
    fs::write(folder.join("3-5.mill.part-abcdef"), "what it had written so far").unwrap();
    // The other sector of the task is the same task.
    end(&mut task(&folder, "5-3")).lines();
    let again = end(&mut task(&folder, "3-5"));
    assert_eq!(again.lines(), [format!("{}: nothing is missing", folder.display())]);
    assert_completes(&folder);
}

/// Damage that shows when the file is opened, and damage that shows when it is read.
#[test]
fn a_damaged_file_that_a_task_needs_is_missing() {
    for (name, place) in [("header", 100), ("values", 5000)] {
        let folder = folder_without(&format!("tablebase_tasks_damaged_{name}"), &["4-4"]);
        change(&folder.join("3-4.mill"), |bytes| bytes[place] ^= 1);
        let reason = "sector 4-4 needs sectors that are missing or lack distances: 3-4";
        assert_eq!(end(&mut task(&folder, "4-4")).complaint_with(LACKING), reason);
        fs::remove_file(folder.join("3-4.mill.damaged")).unwrap();
        for sector in ["3-4", "4-4"] {
            end(&mut task(&folder, sector)).lines();
        }
        assert_completes(&folder);
    }
}
