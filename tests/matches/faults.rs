//! Matches against engines that do not do what they should: who loses, what is told, what is left.

use std::fs;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use super::contests::{MatchFolder, SELF, arguments};
use crate::program::wait_until;
use crate::rules::vectors::read_rows;
use serde::Deserialize;
use serde_json::json;

/// A script that greets as an engine and does something else when it is asked for a move. It leaves
/// a child of its own behind and writes the numbers of both to a file.
fn script(on_go: &str) -> String {
    format!(
        "sleep 600 </dev/null >/dev/null 2>&1 &\n\
         echo $$ $! >>pids\n\
         echo 'warming up' >&2\n\
         while read -r word rest; do\n\
         case $word in\n\
         uci) echo 'id name Broken'; echo uciok ;;\n\
         isready) echo readyok ;;\n\
         quit) exit ;;\n\
         go) {on_go} ;;\n\
         esac\n\
         done\n"
    )
}

/// The words for an engine that does something else than to move.
fn broken(place: &MatchFolder, on_go: &str) -> String {
    place.script("broken.sh", &script(on_go)) + "\nname=broken\nmovetime=50"
}

/// Whether a process runs; one that has ended and nobody has asked about does not.
fn is_running(id: &str) -> bool {
    let ps = Command::new("ps").args(["-o", "stat=", "-p", id]).output().expect("ps");
    let state = String::from_utf8_lossy(&ps.stdout).trim().to_owned();
    !state.is_empty() && !state.starts_with('Z')
}

/// What an engine does when it is asked for a move, what kind of fault it is, and what is told of it.
#[derive(Deserialize)]
struct Fault {
    on_go: String,
    kind: String,
    told: Vec<String>,
}

/// Plays two games against a script and looks at what is left of it.
fn play_against(fault: &Fault) {
    let place = MatchFolder::new();
    let engine = broken(&place, &fault.on_go) + "\nmargin=50";
    let others = ["--games", "2", "--patience", "2", "--json"];
    let finished = place.play(&arguments([SELF, &engine], &others));
    let result = finished.result();
    assert_eq!((&result["wins"], &result["games"]), (&json!(2), &json!(2)), "{finished:?}");
    assert_eq!(result["faults"], json!([{}, { &fault.kind: 2 }]), "{finished:?}");
    for words in &fault.told {
        let count = finished.error.matches(words).count();
        assert!(count >= 2, "{words}: {}", finished.error);
    }
    assert_nothing_runs(&place);
}

fn assert_nothing_runs(place: &MatchFolder) {
    let ids = place.lines("pids");
    assert!(!ids.is_empty());
    for id in ids.iter().flat_map(|line| line.split(' ')) {
        wait_until(|| !is_running(id), || format!("{id} of {ids:?} runs on"));
    }
}

/// A child that has the output still open, as one of them has, does not make the end of an engine a silence.
#[test]
fn who_makes_an_error_loses() {
    let cases = read_rows::<Fault>("faults.jsonl");
    // They wait for each other's patience side by side.
    thread::scope(|scope| {
        for fault in &cases {
            scope.spawn(move || play_against(fault));
        }
    });
}

#[test]
fn an_engine_that_never_answers_is_given_up_when_patience_ends() {
    let place = MatchFolder::new();
    let silent = place.script("silent.sh", "while read -r word; do :; done");
    let start = Instant::now();
    let finished = place.play(&arguments([SELF, &silent], &["--games", "1", "--patience", "2"]));
    assert!(finished.error.contains("no gbgpok and readyok at the start"), "{finished:?}");
    assert!(finished.status == Some(1), "{finished:?}");
    assert!(start.elapsed() < Duration::from_secs(25), "{:?}", start.elapsed());
}

/// Lines without an end in number or length, and some that would steer the terminal.
#[test]
fn what_is_told_of_an_engine_is_short_and_harmless() {
    let place = MatchFolder::new();
    let flood = "awk 'BEGIN { while (1) printf(\"\\033[31m%070000d\\n\", 7) }'";
    let engine = broken(&place, flood);
    let finished = place.play(&arguments([SELF, &engine], &["--games", "1", "--patience", "2"]));
    assert!(finished.error.contains("\\u{1b}[31m0"), "{}", finished.error);
    assert!(!finished.error.contains('\u{1b}') && finished.error.len() < 10_000);
    assert_nothing_runs(&place);
    let options = place.script("options.sh", "while read -r word; do yes 'option name A'; done");
    let finished = place.play(&arguments([&options, SELF], &[]));
    let is_told = finished.error.contains("sends more than 10000 lines before it is ready");
    assert!(is_told && finished.status == Some(1), "{finished:?}");
}

#[test]
fn options_that_an_engine_does_not_take_are_told() {
    let engine = format!("{SELF}\nname=A\noption.SkilLevel=0\noption.Threads=many\noption.hash=1");
    let others = ["--games", "1", "--max-plies", "8"];
    let finished = MatchFolder::new().play(&arguments([&engine, SELF], &others));
    let told: Vec<&str> = finished.error.lines().filter(|line| line.contains("A: ")).collect();
    let unknown = "millstone: A: it has no option 'SkilLevel'";
    assert!(told.contains(&unknown), "{told:?}");
    assert!(told.iter().any(|line| line.contains("Threads") && line.contains("many")), "{told:?}");
    assert!(!finished.error.contains("hash"), "{}", finished.error);
}

/// In the dialect of whole turns there are no words for a removal that is owed.
#[test]
fn an_opening_that_cannot_be_told_to_an_engine_is_refused_before_the_first_game() {
    let place = MatchFolder::new();
    let gbgp = format!("{SELF}\nargs=gbgp\nname=G\ndialect=gbgp");
    let others = ["--games", "1", "--openings", "openings", "--log", "log", "--max-plies", "8"];
    let owed = "********/********/OO**@@*O w p r 3 6 2 7 1 0 0 0 0 0 0 0 3";
    for (text, message) in [
        (owed, "opening: cannot express '"),
        ("d6 a1 f6 a4 b6", "openings: game 1: it ends within a turn"),
    ] {
        fs::write(place.path("openings"), text).expect("a file");
        place.play(&arguments([&gbgp, SELF], &others)).assert_complains(message);
        assert!(place.lines("log").is_empty());
    }
    fs::write(place.path("openings"), owed).expect("a file");
    assert_eq!(place.result(&arguments([SELF, SELF], &others))["faults"], json!([{}, {}]));
}

#[test]
fn who_fails_again_and_again_is_not_asked_for_ever() {
    let place = MatchFolder::new();
    let engine = broken(&place, "exit");
    let others = ["--games", "1000000", "--max-failures", "3", "--log", "log"];
    let finished = place.play(&arguments([&engine, SELF], &others));
    finished.assert_complains("broken failed in 3 games in a row; the match is stopped");
    assert_eq!(place.lines("log").len(), 1 + 3);
    assert_nothing_runs(&place);
}

/// The engine that is asked for a move and does not answer is ended with the match.
#[test]
fn an_interrupt_ends_everything() {
    for signal in ["-INT", "-TERM"] {
        let place = MatchFolder::new();
        let on_go = "echo asked >>asked; sleep 600";
        let engine = place.script("slow.sh", &script(on_go));
        let mut running = place.start(&arguments([&engine, SELF], &["--games", "2"]));
        running.wait_until(|| !place.lines("asked").is_empty());
        let id = running.process.0.id().to_string();
        assert!(Command::new("kill").args([signal, &id]).status().expect("kill").success());
        let finished = running.finish();
        assert_eq!(finished.last_complaint_with(130), "interrupted after 0 games");
        assert_nothing_runs(&place);
    }
}

/// As Slurm does at the end of the time that a job has.
#[test]
fn a_signal_to_all_is_no_fault_of_an_engine() {
    let place = MatchFolder::new();
    let engine = place.script("slow.sh", &script("echo asked >>asked; exec sleep 600"));
    let others = ["--games", "2", "--log", "log"];
    let mut running = place.start(&arguments([&engine, SELF], &others));
    running.wait_until(|| !place.lines("asked").is_empty());
    let pids = place.lines("pids").pop().expect("the engine runs");
    let (engine, _) = pids.split_once(' ').expect("two numbers");
    let all = [engine, &running.process.0.id().to_string()];
    assert!(Command::new("kill").arg("-TERM").args(all).status().expect("kill").success());
    let told = "interrupted after 0 games; the same command resumes it";
    assert_eq!(running.finish().last_complaint_with(130), told);
    assert_eq!(place.lines("log").len(), 1);
    assert_nothing_runs(&place);
}

/// In the dialect of whole turns an answer has to take a man for a mill, and no other.
#[test]
fn turns_that_are_not_whole_are_illegal() {
    for (turn, fault) in [
        ("a7xd6", ""),
        ("a7", "broken: illegal move: mill closed but no man removed"),
        ("d7xd6", "broken: illegal move: move 'xd6': the turn is over before it"),
    ] {
        let place = MatchFolder::new();
        fs::write(place.path("openings"), "a1 d6 a4 f4\n").expect("a file");
        let script = format!(
            "while read -r word rest; do case $word in gbgp) echo gbgpok ;; isready) echo readyok ;; \
             go) echo 'bestmove {turn}' ;; quit) exit ;; esac; done\n"
        );
        let engine = format!("{}\nname=broken\ndialect=gbgp", place.script("turns.sh", &script));
        let others = ["--games", "1", "--openings", "openings", "--max-plies", "6"];
        let errors = place.play(&arguments([&engine, SELF], &others)).error;
        let is_game_told = errors.contains("game 1: ");
        assert!(errors.contains(fault) && is_game_told != fault.is_empty(), "{errors}");
    }
}
