//! Tablebases in the protocol: options, what is told of them, and the small ones made on first use.

use std::fs;
use std::path::{Path, PathBuf};
#[cfg(target_os = "linux")]
use std::process::Command;
use std::sync::LazyLock;
use std::thread;
use std::time::Duration;

use super::sectors;
use super::sectors::sectors;
use crate::client::{Client, best_of};
#[cfg(target_os = "linux")]
use crate::program::run;
use crate::tablebases;
use millstone::game::Game;
use millstone::position::Position;
use millstone::rules::{DrawRules, RuleSet};
use millstone::tablebase::{Sector, sector_path};
use tempfile::TempDir;

const MOST_MEN: usize = 7;
static FOLDER: LazyLock<PathBuf> =
    LazyLock::new(|| tablebases::solve("tablebase_protocol", MOST_MEN));

/// An engine with a home of its own.
pub struct Session {
    engine: Client,
    /// Removed with the session.
    home: TempDir,
}

impl Session {
    /// An engine that finds nothing at home and takes its tablebase from a folder.
    pub fn new(folder: &Path) -> Self {
        let home = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let mut engine = Client::start_in(home.path(), &[]);
        engine.send("setoption name Hash value 1");
        engine.send(&format!("setoption name PerfectDatabasePath value {}", folder.display()));
        Self { engine, home }
    }

    /// All lines of a search, `bestmove` included.
    pub fn go(&mut self, text: &str) -> Vec<String> {
        self.engine.send(&format!("position fen {text}"));
        self.engine.ask("go depth 4", "bestmove")
    }
}

pub fn number_after(word: &str, lines: &[String]) -> u64 {
    let mut infos = lines.iter().filter(|line| line.starts_with("info depth"));
    let last = infos.next_back().expect("a search that tells of itself");
    let number = last.split_whitespace().skip_while(|&other| other != word).nth(1);
    number.unwrap_or_else(|| panic!("no {word} in {last}")).parse().unwrap()
}

/// What is told beside the search and the known moves.
fn strings(lines: &[String]) -> Vec<&String> {
    let is_told =
        |line: &&String| line.starts_with("info string") && !line.ends_with(" moves hold");
    lines.iter().filter(is_told).collect()
}

/// The longest win or loss of a sector, and its plies.
fn longest(own: usize, opponent: usize) -> (String, u8) {
    let tablebase = tablebases::open(&FOLDER);
    let file = tablebase.file(Sector::new(own, opponent).unwrap()).unwrap();
    let statistics = file.statistics();
    let longest = statistics.longest_win.max(statistics.longest_loss).unwrap();
    (tablebases::position(file.sector(), longest.index as usize).to_string(), longest.turns)
}

/// A position with four men each in which a mill can be closed, so that smaller sectors follow.
fn four_each() -> String {
    let sector = Sector::new(4, 4).unwrap();
    let mut positions = (0..sector.len()).map(|number| tablebases::position(sector, number));
    let closes_mill =
        |position: &Position| position.moves().iter().any(|mv| position.after(*mv).pending() > 0);
    positions.find(closes_mill).unwrap().to_string()
}

#[test]
fn known_positions_are_played_by_their_distance() {
    let mut session = Session::new(&FOLDER);
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
    let mut session = Session::new(&FOLDER);
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
fn several_known_lines_are_told_best_first() {
    let mut session = Session::new(&FOLDER);
    let (text, _) = longest(3, 4);
    let alone = session.go(&text);
    session.engine.send("setoption name MultiPV value 3");
    let lines = session.go(&text);
    assert_eq!(lines.len(), 8, "{lines:?}");
    assert_eq!(best_of(&lines), best_of(&alone));
    assert!(lines[1].contains(" multipv 1 score mate 17 "), "{lines:?}");
    for (index, pair) in lines[1..4].iter().zip(&lines[4..7]).enumerate() {
        assert!(pair.0.contains(&format!(" multipv {} ", index + 1)), "{lines:?}");
        let mv = pair.0.split_once(" pv ").unwrap().1.split(' ').next().unwrap();
        let class = if index == 0 { "won in 33 turns" } else { "drawn" };
        assert_eq!(*pair.1, format!("info string multipv {} {mv} {class}", index + 1));
    }
}

#[test]
fn unknown_positions_are_searched_down_to_known_ones() {
    let lines = Session::new(&FOLDER).go(&four_each());
    assert!(number_after("tbhits", &lines) > 0, "{lines:?}");
    assert!(lines.len() > 2, "{lines:?}");
}

#[test]
fn tablebases_can_be_left_out_and_let_in_again() {
    let mut session = Session::new(&FOLDER);
    let (text, _) = longest(3, 4);
    for (value, is_used) in [("false", false), ("true", true), ("false", false)] {
        session.engine.send(&format!("setoption name UsePerfectDatabase value {value}"));
        session.engine.send("ucinewgame");
        let lines = session.go(&text);
        assert_eq!(number_after("tbhits", &lines) > 0, is_used, "{lines:?}");
        assert_eq!(lines.iter().any(|line| line.contains(" mate 17 ")), is_used, "{lines:?}");
    }
}

#[test]
fn only_full_strength_plays_by_tablebases() {
    let mut session = Session::new(&FOLDER);
    let (text, _) = longest(3, 4);
    for (level, is_used) in [(29, false), (30, true)] {
        session.engine.send(&format!("setoption name SkillLevel value {level}"));
        session.engine.send("ucinewgame");
        assert_eq!(number_after("tbhits", &session.go(&text)) > 0, is_used);
    }
}

#[test]
fn a_folder_without_tablebase_is_told_in_one_line() {
    let empty = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let file = empty.path().join("file");
    for folder in [empty.path(), &empty.path().join("missing"), &file] {
        let mut session = Session::new(folder);
        let lines = session.go(&four_each());
        let expected = format!(
            "info string error {}: no tablebase; millstone db build makes one",
            folder.display()
        );
        assert_eq!(strings(&lines), [&expected]);
        if folder != file {
            fs::write(&file, "not a folder").unwrap();
        }
    }
}

/// Damage that is found at once, and damage that is found when a search reads it.
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

#[test]
fn a_damaged_file_is_named_and_play_goes_on() {
    let sector = Sector::new(3, 4).unwrap();
    let (text, _) = longest(3, 4);
    for byte in [|_| 100, |_| 4096] {
        let folder = sectors::with_damage(&FOLDER, sector, byte);
        let mut session = Session::new(folder.path());
        // The damaged page is the first one of values, which has a position after a move of this one.
        let lines = session.go(&before_first_page());
        let errors = strings(&lines);
        let path = sector_path(folder.path(), sector);
        let expected = format!("info string error {}: ", path.display());
        assert!(errors.len() == 1 && errors[0].starts_with(&expected), "{lines:?}");
        let game = Game::from_text(&text, RuleSet::default(), DrawRules::default()).unwrap();
        let lines = session.go(&text);
        let best = best_of(&lines).parse().unwrap();
        assert!(game.moves().contains(&best), "{lines:?}");
        let (other, plies) = longest(3, 3);
        let lines = session.go(&other);
        assert!(lines[1].contains(&format!(" mate -{} ", plies / 2)), "{lines:?}");
    }
}

/// The warming thread finds the damage, and the next search tells of it.
#[test]
fn values_read_beforehand_are_checked() {
    let sector = Sector::new(4, 3).unwrap();
    let folder = sectors::with_damage(&FOLDER, sector, |_| 3 * 4096);
    let mut session = Session::new(folder.path());
    session.engine.send("setoption name PerfectDatabaseCache value 1");
    let (text, _) = longest(3, 3);
    let mut errors = Vec::new();
    for _ in 0..1000 {
        let lines = session.go(&text);
        errors.extend(strings(&lines).into_iter().cloned());
        thread::sleep(Duration::from_millis(if errors.is_empty() { 10 } else { 0 }));
    }
    let expected = sector_path(folder.path(), sector).display().to_string();
    assert!(errors.len() == 1 && errors[0].contains(&expected), "{errors:?}");
}

#[test]
fn small_tablebases_appear_with_the_first_search_and_are_used_later() {
    let mut session = Session::new(Path::new("<empty>"));
    let folder = session.home.path().join("cache").join("millstone").join("endgame").join("v4");
    let (text, _) = longest(3, 4);
    session.engine.send("isready");
    session.engine.read_to("readyok");
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
        let [found, expected] =
            [&folder, &*FOLDER].map(|folder| fs::read(sector_path(folder, sector)).unwrap());
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
    let (small, largest) =
        (tablebases::solve("least_sectors", 6), tablebases::solve("all_sectors", 9));
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
        for (threads, folder) in [(1, &small), (8, &largest)] {
            ask(megabytes, threads, folder);
        }
    }
}
