//! A learning file that several programs write, and that some of them do not live to finish.

mod lessons;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use lessons::{parts, random, read_lines, write};
use millstone::knowledge::learning::{LearningFile, Lessons};
use tempfile::TempDir;

/// The longest that a program may take to save.
const PATIENCE: Duration = Duration::from_secs(60);

fn folder() -> TempDir {
    TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap()
}

/// A program that adds the lessons of a file to another.
fn start_saving(from: &Path, to: &Path) -> Child {
    Command::new(env!("CARGO_BIN_EXE_millstone"))
        .args(["learn", "merge"])
        .arg(from)
        .arg("--out")
        .arg(to)
        .stdout(Stdio::null())
        .spawn()
        .expect("the program starts")
}

/// Waits for what must come soon.
fn wait_until(mut is_so: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !is_so() {
        assert!(begin.elapsed() < PATIENCE, "nothing happens");
        thread::yield_now();
    }
}

fn write_parts(folder: &Path, name: &str, lessons: &Lessons, count: usize) -> Vec<PathBuf> {
    let path = |index: usize| folder.join(format!("{name}{index}.txt"));
    let parts = parts(lessons, count).into_iter().enumerate();
    parts.map(|(index, part)| (write(&path(index), &part), path(index)).1).collect()
}

#[test]
fn two_programs_that_save_a_thousand_lessons_each_leave_two_thousand() {
    let folder = folder();
    let all = random(2000, 1);
    let shared = folder.path().join("shared.txt");
    let halves = parts(&all, 2);
    let parts_of = |name, half| write_parts(folder.path(), name, half, 10);
    let [first, second] = [parts_of("a", &halves[0]), parts_of("b", &halves[1])];
    thread::scope(|scope| {
        for parts in [&first, &second] {
            let shared = &shared;
            scope.spawn(move || {
                for part in parts {
                    let mut program = start_saving(part, shared);
                    wait_until(|| program.try_wait().unwrap().is_some());
                    assert!(program.wait().unwrap().success());
                }
            });
        }
    });
    assert_eq!(read_lines(&shared).len(), 2000);
    assert_eq!(LearningFile::new(&shared).read().unwrap().lessons, all);
}

/// Each program is killed after it has begun to write, at another place of its work.
#[test]
fn a_hundred_kills_during_saves_leave_a_whole_file_each_time() {
    const KILLS: usize = 100;
    let folder = folder();
    let shared = folder.path().join("shared.txt");
    let unfinished = folder.path().join("shared.txt.part");
    let kept = random(3000, 2);
    write(&shared, &kept);
    let added = write_parts(folder.path(), "more", &random(1000, 3), 10);
    let whole = fs::metadata(&shared).unwrap().len();
    let mut expected = kept;
    let (mut kills, mut saves) = (0, 0);
    while kills < KILLS {
        let part = &added[(kills + saves) % added.len()];
        let goal = whole * ((kills + saves) as u64 % 16) / 15;
        let mut program = start_saving(part, &shared);
        let mut has_ended = false;
        wait_until(|| {
            has_ended = program.try_wait().unwrap().is_some();
            let written = fs::metadata(&unfinished).map(|file| file.len());
            has_ended || written.is_ok_and(|written| written >= goal)
        });
        program.kill().unwrap();
        let is_killed = !program.wait().unwrap().success();
        kills += usize::from(is_killed && !has_ended);

        let lines = read_lines(&shared);
        let found = LearningFile::new(&shared).read().unwrap();
        assert!(found.damage.is_none());
        assert_eq!(found.lessons.len(), lines.len());
        let mut with_part = expected.clone();
        with_part.extend(LearningFile::new(part).read().unwrap().lessons.iter());
        assert!(found.lessons == expected || found.lessons == with_part, "all or nothing");
        if found.lessons == with_part {
            saves += 1;
            // What is there already is not written again, so it has to be taken out.
            fs::remove_file(&shared).unwrap();
            write(&shared, &expected);
        }
        assert!(saves < 10 * KILLS, "the kills come too late");
    }
    println!("{kills} kills, {saves} saves that were finished before");
    expected.extend(LearningFile::new(&added[0]).read().unwrap().lessons.iter());
    assert!(start_saving(&added[0], &shared).wait().unwrap().success());
    assert_eq!(LearningFile::new(&shared).read().unwrap().lessons, expected);
}
