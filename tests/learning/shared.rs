//! A learning file that several programs write, and that some of them do not live to finish.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::learned::{parts, random, read_lines, write};
use millstone::learning::{LearnedPositions, LearningFile};
use tempfile::TempDir;

/// The longest that a program may take to save.
const PATIENCE: Duration = Duration::from_secs(60);

fn folder() -> TempDir {
    TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap()
}

/// A program that adds the positions of a file to another.
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

fn write_parts(
    folder: &Path,
    name: &str,
    positions: &LearnedPositions,
    count: usize,
) -> Vec<PathBuf> {
    let path = |index: usize| folder.join(format!("{name}{index}.txt"));
    let parts = parts(positions, count).into_iter().enumerate();
    parts.map(|(index, part)| (write(&path(index), &part), path(index)).1).collect()
}

#[test]
fn two_programs_that_save_a_thousand_positions_each_leave_two_thousand() {
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
    assert_eq!(LearningFile::new(&shared).read().unwrap().positions, all);
}

/// A program is killed while it saves, a little later each time.
#[cfg(unix)]
mod killed {
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::super::learned::{random, write};
    use super::{folder, read_lines, start_saving, wait_until, write_parts};
    use crate::client::Client;
    use millstone::learning::LearningFile;
    use tempfile::TempDir;

    const KILLS: usize = 100;
    /// Black wins in seven turns.
    const LONG_WIN: &str = "***OO@*O/****O*@@/@**@@@@@ b m s 4 0 9 0 0 0 0 0 0 0 0 3 34";

    /// An engine that saves at the end of a game.
    fn engine_that_saves(home: &Path, to: &Path) -> Client {
        let mut engine = Client::start_in(home, &[]);
        engine.send("setoption name UsePerfectDatabase value false");
        engine.send(&format!("setoption name LearningFile value {}", to.display()));
        engine.send("setoption name Learning value true");
        engine.send(&format!("position fen {LONG_WIN}"));
        engine.ask("go depth 12", "bestmove");
        engine.send("ucinewgame");
        engine
    }

    /// What programs have written so far.
    fn unfinished(folder: &TempDir) -> Vec<PathBuf> {
        let entries = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path());
        entries.filter(|path| path.to_string_lossy().contains("shared.txt.part-")).collect()
    }

    #[test]
    fn a_hundred_kills_during_saves_leave_a_whole_file_each_time() {
        let folder = folder();
        let shared = folder.path().join("shared.txt");
        let mut expected = random(3000, 2);
        write(&shared, &expected);
        let added = write_parts(folder.path(), "more", &random(1000, 3), 10);
        let whole = fs::read(&shared).unwrap();
        for kill in 0..KILLS {
            unfinished(&folder).iter().for_each(|part| fs::remove_file(part).unwrap());
            let goal = (whole.len() * (kill % 16) / 15) as u64;
            let is_written = || {
                let has_begun = |part| fs::metadata(part).is_ok_and(|part| part.len() >= goal);
                unfinished(&folder).iter().any(has_begun) || fs::read(&shared).unwrap() != whole
            };
            if kill % 4 == 0 {
                let engine = engine_that_saves(folder.path(), &shared);
                wait_until(is_written);
                drop(engine);
            } else {
                let mut program = start_saving(&added[kill % added.len()], &shared);
                wait_until(|| is_written() || program.try_wait().unwrap().is_some());
                program.kill().unwrap();
                program.wait().unwrap();
            }
            let left = fs::read(&shared).unwrap();
            if left != whole {
                let positions = LearningFile::new(&shared).read().unwrap().positions;
                assert_eq!(read_lines(&shared).len(), positions.len(), "kill {kill}");
                assert!(positions.len() > expected.len(), "kill {kill}");
                fs::write(&shared, &whole).unwrap();
            }
        }
        let left = folder.path().join("shared.txt.part-abcdef");
        fs::write(&left, &whole[..whole.len() / 2]).unwrap();
        expected.extend(LearningFile::new(&added[0]).read().unwrap().positions.iter());
        assert!(start_saving(&added[0], &shared).wait().unwrap().success());
        assert_eq!(LearningFile::new(&shared).read().unwrap().positions, expected);
        assert!(!left.exists(), "what a killed program left is gone");
    }
}
