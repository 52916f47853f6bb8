//! A learning file that several programs write, and that some of them do not live to finish.

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use super::learned::{LONG_WIN, engine, folder, parts, random, read_lines, write};
use millstone::learning::LearningFile;

/// The longest that a program may take to save.
const PATIENCE: Duration = Duration::from_secs(60);

#[test]
fn two_that_save_a_thousand_positions_each_leave_two_thousand() {
    let folder = folder();
    let all = random(2000, 1);
    let file = LearningFile::new(folder.path().join("shared.txt"));
    thread::scope(|scope| {
        for half in parts(&all, 2) {
            let file = &file;
            scope.spawn(move || {
                for part in parts(&half, 10) {
                    file.add(&part, PATIENCE).expect("the other is soon done");
                }
            });
        }
    });
    assert_eq!(read_lines(file.path()).len(), 2000);
    assert_eq!(file.read().unwrap().positions, all);
}

/// An engine is killed while it saves, a little later each time.
#[cfg(unix)]
#[test]
fn kills_during_saves_leave_a_whole_file_each_time() {
    const KILLS: usize = 16;
    let folder = folder();
    let shared = folder.path().join("shared.txt");
    let unfinished = || {
        let entries = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path());
        entries.filter(|path| path.to_string_lossy().contains("shared.txt.part-"))
    };
    let before = random(3000, 2);
    write(&shared, &before);
    let whole = fs::read(&shared).unwrap();
    for kill in 0..=KILLS {
        unfinished().for_each(|part| fs::remove_file(part).unwrap());
        let goal = (whole.len() * kill / KILLS) as u64;
        let mut engine = engine(folder.path(), &shared);
        engine.send(&format!("position fen {LONG_WIN}"));
        engine.ask("go depth 16", "bestmove");
        engine.send("ucinewgame");
        let begin = Instant::now();
        let has_begun = |part| fs::metadata(part).is_ok_and(|part| part.len() >= goal);
        while !unfinished().any(has_begun) && fs::read(&shared).unwrap() == whole {
            assert!(begin.elapsed() < PATIENCE, "nothing is saved");
            thread::yield_now();
        }
        drop(engine);
        if fs::read(&shared).unwrap() != whole {
            let positions = LearningFile::new(&shared).read().unwrap().positions;
            assert_eq!(read_lines(&shared).len(), positions.len(), "kill {kill}");
            assert!(positions.len() > before.len(), "kill {kill}");
            fs::write(&shared, &whole).unwrap();
        }
    }
    fs::write(folder.path().join("shared.txt.part-abcdef"), &whole[..9]).unwrap();
    write(&shared, &random(9, 3));
    assert_eq!(unfinished().count(), 0, "what a killed program left is gone");
}
