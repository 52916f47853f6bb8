//! Tablebases in the protocol: options, what is told of them, and the small ones made on first use.

use std::fs;
use std::path::Path;
#[cfg(target_os = "linux")]
use std::process::Command;
use std::thread;
use std::time::Duration;

use crate::client::{Client, best_of, number_after};
use crate::positions::{game, moving};
#[cfg(target_os = "linux")]
use crate::program::run;
use crate::tablebases::{self, sectors, solved, with_damage};
use millstone::position::Position;
use millstone::tablebase::{Sector, SectorFile, sector_path};
use tempfile::TempDir;

const MOST_MEN: usize = 7;

/// An engine with a home of its own.
struct Session {
    engine: Client,
    /// Removed with the session.
    home: TempDir,
}

impl Session {
    /// An engine that finds nothing at home and takes its tablebase from a folder.
    fn new(folder: &Path) -> Self {
        let home = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let folder = format!("PerfectDatabasePath={}", folder.display());
        let engine = Client::start_in(home.path(), &[]).with(&["Hash=1", &folder]);
        Self { engine, home }
    }

    /// All lines of a search, `bestmove` included.
    fn go(&mut self, text: &str) -> Vec<String> {
        self.engine.send(&format!("position fen {text}"));
        self.engine.ask("go depth 4", "bestmove")
    }
}

/// What is told beside the search and the known moves.
fn strings(lines: &[String]) -> Vec<&String> {
    let is_told =
        |line: &&String| line.starts_with("info string") && !line.ends_with(" moves hold");
    lines.iter().filter(is_told).collect()
}

/// The longest win or loss of a sector, and its plies.
fn longest(own: usize, opponent: usize) -> (String, u8) {
    let tablebase = tablebases::open(solved(MOST_MEN));
    let file = tablebase.file(Sector::new(own, opponent).unwrap()).unwrap();
    let statistics = file.statistics();
    let longest = statistics.longest_win.max(statistics.longest_loss).unwrap();
    (tablebases::position(file.sector(), longest.index as usize).to_string(), longest.turns)
}

/// A position with four men each in which a mill can be closed, so that smaller sectors follow.
fn four_each() -> String {
    moving("a1 d1 g4 d7", "b4 d5 f2 a7", 'w', 0).text().to_string()
}

/// Expects an engine with the tablebase of a folder to know the longest win, and the line to its end.
pub fn assert_plays_by_distance(folder: &Path) {
    let mut session = Session::new(folder);
    let (text, plies) = longest(3, 4);
    let lines = session.go(&text);
    assert_eq!(lines.len(), 3, "{lines:?}");
    assert_eq!(lines[0], "info string won, 1 of 51 moves hold");
    assert!(lines[1].contains(" score mate 17 "), "{lines:?}");
    assert!(number_after("tbhits", &lines) > 0, "{lines:?}");
    let line = lines[1].split_once(" pv ").unwrap().1.split(' ');
    assert_eq!(line.filter(|mv| !mv.starts_with('x')).count(), usize::from(plies));
}

#[test]
fn lost_positions_are_searched_and_told_by_their_distance() {
    let mut session = Session::new(solved(MOST_MEN));
    for (own, opponent, longest_mate) in [(3, 3, 13), (4, 3, 16)] {
        let (text, _) = longest(own, opponent);
        let lines = session.go(&text);
        assert!(lines[0].starts_with("info string lost, "), "{lines:?}");
        for line in lines.iter().filter(|line| line.starts_with("info depth")) {
            let mate = line.split_once(" score mate -").expect("a loss").1.split(' ').next();
            let turns: u32 = mate.unwrap().parse().unwrap();
            assert!((1..=longest_mate).contains(&turns), "{line}");
        }
        assert!(number_after("depth", &lines) == 4, "{lines:?}");
    }
}

#[test]
fn unknown_positions_are_searched_down_to_known_ones() {
    let lines = Session::new(solved(MOST_MEN)).go(&four_each());
    assert!(number_after("tbhits", &lines) > 0, "{lines:?}");
    assert!(lines.len() > 2, "{lines:?}");
}

/// A position with four men against three from which a slide leads to the first page of values of 3-4.
fn before_first_page() -> String {
    const VALUES_IN_PAGE: usize = 5 * 4096;
    let (sector, after) = (Sector::new(4, 3).unwrap(), Sector::new(3, 4).unwrap());
    let mut positions = (0..sector.len()).map(|number| tablebases::position(sector, number));
    let leads_there = |position: &Position| {
        let side = position.to_move();
        position.moves().iter().map(|&mv| position.after(mv)).any(|next| {
            let index = || after.index_of(next.men(!side), next.men(side));
            next.pending() == 0 && index() < VALUES_IN_PAGE
        })
    };
    positions.find(leads_there).unwrap().to_string()
}

/// Damage that is found at once, and damage that is found when a search reads it.
#[test]
fn a_damaged_file_is_named_and_play_goes_on() {
    let sector = Sector::new(3, 4).unwrap();
    let (text, _) = longest(3, 4);
    for byte in [100, 4096] {
        let folder = with_damage("damage_in_play", sector, byte);
        let mut session = Session::new(&folder);
        // The damaged page is the first one of values, which has a position after a move of this one.
        let lines = session.go(&before_first_page());
        let errors = strings(&lines);
        let path = sector_path(&folder, sector);
        let expected = format!("info string error {}: ", path.display());
        assert!(errors.len() == 1 && errors[0].starts_with(&expected), "{lines:?}");
        let lines = session.go(&text);
        let best = best_of(&lines).parse().unwrap();
        assert!(game(&text).moves().contains(&best), "{lines:?}");
        let (other, plies) = longest(3, 3);
        let lines = session.go(&other);
        assert!(lines[1].contains(&format!(" mate -{} ", plies / 2)), "{lines:?}");
    }
}

/// The warming thread finds the damage, and the next search tells of it.
#[test]
fn values_read_beforehand_are_checked() {
    let sector = Sector::new(4, 3).unwrap();
    let folder = with_damage("damage_read_beforehand", sector, 3 * 4096);
    let mut session = Session::new(&folder);
    session.engine.set(&["PerfectDatabaseCache=1"]);
    let (text, _) = longest(3, 3);
    let mut errors = Vec::new();
    for _ in 0..1000 {
        let lines = session.go(&text);
        errors.extend(strings(&lines).into_iter().cloned());
        thread::sleep(Duration::from_millis(if errors.is_empty() { 10 } else { 0 }));
    }
    let expected = sector_path(&folder, sector).display().to_string();
    assert!(errors.len() == 1 && errors[0].contains(&expected), "{errors:?}");
}

#[test]
fn small_tablebases_appear_with_the_first_search_and_are_used_later() {
    let mut session = Session::new(Path::new("<empty>"));
    let folder = session.home.path().join("cache/millstone/endgame");
    let folder = folder.join(format!("v{}", SectorFile::VERSION));
    let (text, _) = longest(3, 4);
    session.engine.ready();
    assert!(!folder.exists(), "nothing is solved before the first search");
    let lines = session.go(&text);
    assert_eq!(number_after("tbhits", &lines), 0);
    assert!(strings(&lines).is_empty(), "{lines:?}");
    let is_used = |_| {
        thread::sleep(Duration::from_millis(20));
        number_after("tbhits", &session.go(&text)) > 0
    };
    assert!((0..1500).any(is_used), "the small tablebase never comes");
    for sector in sectors(MOST_MEN) {
        let [found, expected] = [&folder, solved(MOST_MEN)]
            .map(|folder| fs::read(sector_path(folder, sector)).unwrap());
        assert!(found == expected, "{sector}");
    }
    let lines = session.go(&text);
    assert!(lines.iter().any(|line| line.contains(" mate 17 ")), "{lines:?}");
    assert!(!session.home.path().join("data").exists());
}

/// Whatever address space there is, a move comes, or one line says that the table does not fit.
#[cfg(target_os = "linux")]
#[test]
fn a_small_address_space_costs_the_tablebase_and_not_the_game() {
    let ask = |megabytes: u64, threads: usize, folder: &Path| {
        let home = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let limited = format!("ulimit -v {megabytes}000; exec \"$0\"");
        let mut command = Command::new("sh");
        command.args(["-c", &limited, env!("CARGO_BIN_EXE_millstone")]);
        command.env("XDG_CACHE_HOME", home.path()).env("XDG_DATA_HOME", home.path());
        let input = format!(
            "setoption name Hash value 16\nsetoption name Threads value {threads}\n\
             setoption name PerfectDatabasePath value {}\nposition startpos moves d6\n\
             go movetime 100\n",
            folder.display()
        );
        let ended = run(&mut command, &input);
        let is_refused = ended.status == Some(1)
            && ended.error.starts_with("millstone: cannot allocate a table of ")
            && ended.error.lines().count() == 1;
        let is_played = ended.status == Some(0) && ended.out.contains("\nbestmove ");
        assert!(is_refused || is_played, "{megabytes} MB: {:?} {}", ended.status, ended.error);
    };
    for megabytes in (140..180).step_by(4).chain([250, 310, 400, 700]) {
        for (threads, folder) in [(1, solved(6)), (8, solved(8))] {
            ask(megabytes, threads, folder);
        }
    }
}
