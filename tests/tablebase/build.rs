//! Building tablebases from the command line, undisturbed and otherwise.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;
use std::thread;
use std::time::{Duration, Instant};

#[cfg(unix)]
use crate::program::wait_until;
use crate::program::{Ended, home, program};
use crate::random::{RngExt, seeded};
use crate::size::usual_or_full;
use crate::tablebases::{self, fresh_folder, sectors};
use millstone::tablebase::{
    Build, Distances, Known, Scope, Sector, SectorFile, Solvable, SolveOptions, Unobserved,
    sector_path, solve,
};

pub const MOST_MEN: usize = 8;

/// A folder that was built without disturbance, and how long that took.
pub static UNDISTURBED: LazyLock<(PathBuf, Duration)> = LazyLock::new(|| {
    let folder = fresh_folder("tablebase_build");
    let start = Instant::now();
    end(&mut build(&folder, MOST_MEN, &[])).lines();
    (folder, start.elapsed())
});

pub fn build(folder: &Path, most_men: usize, more: &[&str]) -> Command {
    let mut command = program(&home());
    command.args(["db", "build", "--max-men", &most_men.to_string(), "--dir"]).arg(folder);
    command.args(more).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Waits for the end of a build, however long that takes.
pub fn end(build: &mut Command) -> Ended {
    Ended::of(build.spawn().unwrap())
}

/// All files but the lock, by name.
pub fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = fs::read_dir(folder).unwrap().map(|entry| {
        let entry = entry.unwrap();
        (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap())
    });
    files.filter(|(name, _)| name != "build.lock").collect()
}

/// Ends a build and expects what an undisturbed one leaves, and nothing else.
pub fn assert_completes(folder: &Path) {
    end(&mut build(folder, MOST_MEN, &[])).lines();
    let (found, expected) = (files(folder), files(&UNDISTURBED.0));
    assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
    for (name, bytes) in &expected {
        assert!(found[name] == *bytes, "{name} differs");
    }
}

/// Reads up to the line that tells of the first sector; the rest is thrown away meanwhile.
pub fn wait_for_work(build: &mut Child) {
    let mut lines = BufReader::new(build.stdout.take().unwrap()).lines();
    let is_begun = lines.any(|line| line.unwrap().starts_with("solving "));
    assert!(is_begun, "the build has something to do");
    thread::spawn(move || lines.count());
}

#[test]
fn killed_builds_go_on_to_the_same_files() {
    let folder = fresh_folder("tablebase_build_killed");
    let longest = UNDISTURBED.1 / 3;
    let mut rng = seeded(3);
    let mut kills = 0;
    while kills < usual_or_full(3, 6) {
        let mut build = build(&folder, MOST_MEN, &[]).spawn().unwrap();
        thread::sleep(longest.mul_f64(rng.random()));
        build.kill().unwrap();
        if build.wait().unwrap().success() {
            for name in files(&folder).keys() {
                fs::remove_file(folder.join(name)).unwrap();
            }
        } else {
            kills += 1;
            tablebases::open(&folder);
        }
    }
    assert_completes(&folder);
}

#[cfg(unix)]
#[test]
fn interrupted_builds_say_so_and_go_on_to_the_same_files() {
    let folder = fresh_folder("tablebase_build_interrupted");
    let longest = UNDISTURBED.1 / 20;
    let mut rng = seeded(4);
    for attempt in 0..usual_or_full(3, 5) {
        let mut build = build(&folder, MOST_MEN, &[]).spawn().unwrap();
        wait_for_work(&mut build);
        thread::sleep(longest.mul_f64(rng.random()));
        send("-INT", &build);
        let ended = Ended::of(build);
        // A later build may have been writing its last file.
        if attempt > 0 && ended.status == Some(0) {
            break;
        }
        let told = "stopped; the same command continues from here";
        assert_eq!(ended.complaint_with(130), told);
        let is_whole = |name: &String| Path::new(name).extension() == Some("mill".as_ref());
        assert!(files(&folder).keys().all(is_whole), "a file is left half written");
    }
    assert_completes(&folder);
}

#[test]
fn a_second_build_in_a_folder_is_refused() {
    let folder = fresh_folder("tablebase_build_twice");
    // So many men take too long for the first build to end meanwhile.
    let mut first = build(&folder, 10, &[]).spawn().unwrap();
    wait_for_work(&mut first);
    let second = || end(&mut build(&folder, 6, &[]));
    let expected = format!("{}: another build is running", folder.display());
    assert_eq!(second().complaint(), expected);
    first.kill().unwrap();
    first.wait().unwrap();
    second().lines();
}

/// Where a loop of links is in the place of the folder, "File exists" says nothing.
#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_made_is_refused_with_the_reason() {
    let folder = fresh_folder("tablebase_build_loop");
    let [first, second] = ["first", "second"].map(|name| folder.join(name));
    std::os::unix::fs::symlink(&first, &second).unwrap();
    std::os::unix::fs::symlink(&second, &first).unwrap();
    let refused = end(&mut build(&first, MOST_MEN, &[]));
    let reason = format!("{}: Too many levels of symbolic links (os error", first.display());
    assert!(refused.complaint().starts_with(&reason), "{}", refused.error);
}

/// The values are the same as with distances, and a later build adds these.
#[test]
fn values_can_be_built_without_distances() {
    let folder = fresh_folder("tablebase_build_values");
    end(&mut build(&folder, MOST_MEN, &["--no-distance"])).lines();
    let (values, all) = (tablebases::open(&folder), tablebases::open(&UNDISTURBED.0));
    for sector in sectors(MOST_MEN) {
        let [values, all] = [&values, &all].map(|tablebase| tablebase.file(sector).unwrap());
        assert!(!values.has_distances() && all.has_distances());
        let bytes = [values, all].map(|file| fs::read(file.path()).unwrap());
        let [values_only, with_distances] =
            bytes.each_ref().map(|bytes| &bytes[4096..][..values.wdl_bytes()]);
        assert!(values_only == with_distances, "{sector}");
        assert_eq!(values.statistics(), &all.statistics().without_distances(), "{sector}");
    }
    drop(values);
    // A file with distances is as good for a build without.
    let [good, own] = [&UNDISTURBED.0, &folder].map(|folder| sector_path(folder, sectors(6)[0]));
    fs::copy(good, own).unwrap();
    end(&mut build(&folder, 6, &["--no-distance"])).lines();
    assert_completes(&folder);
}

/// A task keeps the distances of wins; they are the same once they are left out.
#[test]
fn distances_of_wins_follow_from_those_of_losses() {
    let folder = fresh_folder("tablebase_build_needed");
    for sector in [Sector::new(3, 3), Sector::new(4, 3)] {
        let (game, scope) = (Solvable::STANDARD, Scope::Task(sector.unwrap()));
        let (folder, distances) = (folder.clone(), Distances::Moving);
        let build = Build { game, folder, scope, distances, most_memory: None };
        build.run(&Unobserved).unwrap();
    }
    let needed = tablebases::open(&folder);
    let done = tablebases::open(&UNDISTURBED.0);
    let sector = Sector::new(4, 3).unwrap();
    let [stored, left_out] = [&needed, &done].map(|tablebase| tablebase.file(sector).unwrap());
    assert!(!stored.leaves_out_wins() && left_out.leaves_out_wins());
    assert!(left_out.bytes() < stored.bytes());
    let solved = stored.load().unwrap();
    assert!(done.load(left_out).unwrap().values() == solved.values());
    for (index, &value) in solved.values().iter().enumerate().step_by(17) {
        let (own, opponent) = sector.position(index);
        assert_eq!(done.value(sector, own, opponent), Some(value), "{index}");
        assert_eq!(left_out.value(index), Some(value).filter(|value| !value.is_win()), "{index}");
    }
    // Without them nothing is solved from it.
    let (game, identity) = (Solvable::STANDARD, Solvable::STANDARD.rules().identity());
    let open = |sector| SectorFile::open(&sector_path(&UNDISTURBED.0, sector), sector, identity);
    let options = SolveOptions { has_distances: true, scratch: None };
    let later = Sector::new(5, 3).unwrap();
    let refused = solve(&game, later, &mut Known::new(game, &open), options, &Unobserved);
    let line = refused.unwrap_err().to_string();
    let reason = "lacks the distances that another sector needs; a build computes them again";
    assert!(line.ends_with(reason), "{line}");
}

#[test]
fn a_build_goes_on_when_nobody_reads_of_it() {
    let folder = fresh_folder("tablebase_build_unread");
    let mut build = build(&folder, 7, &[]).spawn().unwrap();
    drop(build.stdout.take());
    assert_ends(build, &folder);
}

/// Expects a build of the sectors of seven men to leave them.
fn assert_ends(build: Child, folder: &Path) {
    Ended::of(build).lines();
    assert_eq!(tablebases::open(folder).files().count(), sectors(7).len());
}

#[cfg(unix)]
fn send(signal: &str, build: &Child) {
    let id = build.id().to_string();
    assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
}

/// As with `nohup` at the end of a session.
#[cfg(target_os = "linux")]
#[test]
fn a_build_that_ignores_the_end_of_the_terminal_goes_on() {
    let folder = fresh_folder("tablebase_build_nohup");
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' HUP; exec \"$@\"", "sh"]);
    let build = build(&folder, MOST_MEN, &[]);
    command.arg(build.get_program()).args(build.get_args());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut build = command.spawn().unwrap();
    wait_for_work(&mut build);
    assert!(build.try_wait().unwrap().is_none(), "it is still at work");
    send("-HUP", &build);
    Ended::of(build).lines();
    assert_completes(&folder);
}

/// Whatever the first one does, as where nobody reads the output.
#[cfg(unix)]
#[test]
fn a_second_interrupt_ends_a_build_at_once() {
    use nix::fcntl::{FcntlArg, OFlag, fcntl};

    let folder = fresh_folder("tablebase_build_twice_interrupted");
    let (_reader, mut full) = std::io::pipe().unwrap();
    fcntl(&full, FcntlArg::F_SETFL(OFlag::O_NONBLOCK)).unwrap();
    while std::io::Write::write(&mut full, &[0]).is_ok() {}
    fcntl(&full, FcntlArg::F_SETFL(OFlag::empty())).unwrap();
    let mut build = build(&folder, MOST_MEN, &[]).stdout(full).spawn().unwrap();
    let interrupt = || {
        let has_ended = build.try_wait().unwrap().is_some();
        if !has_ended && folder.join("build.lock").exists() {
            send("-INT", &build);
            thread::sleep(Duration::from_millis(20));
        }
        has_ended
    };
    wait_until(interrupt, || "the build goes on".to_owned());
    assert_eq!(build.wait().unwrap().code(), Some(130));
}
