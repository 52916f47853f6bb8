//! Tablebases without files of their own: files that lie elsewhere, and sectors solved in memory.

use std::fs;
use std::io;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

use millstone::game::Game;
use millstone::position::Position;
use millstone::rules::{DrawRules, RuleSet};
use millstone::search::{Engine, KnownRoot, Limits, Observer, Progress};
use millstone::tablebase::{
    Remote, SMALL_MEN, Sector, SectorFile, Solvable, Tablebase, solve_small,
};

use crate::tablebases;

/// A host that has the files of a folder, unless it is away.
struct Host {
    folder: PathBuf,
    is_away: AtomicBool,
    requests: AtomicUsize,
}

impl Remote for Host {
    fn fetch(&self, name: &str, bytes: Range<usize>) -> io::Result<Vec<u8>> {
        if self.is_away.load(Relaxed) {
            return Err(io::ErrorKind::TimedOut.into());
        }
        self.requests.fetch_add(1, Relaxed);
        let file = fs::read(self.folder.join(name))?;
        Ok(file[bytes.start..bytes.end.min(file.len())].to_vec())
    }
}

/// Some positions of each sector of a tablebase.
fn positions(tablebase: &Tablebase) -> impl Iterator<Item = Position> + use<'_> {
    let sectors = tablebase.files().map(SectorFile::sector);
    sectors
        .flat_map(|sector| (0..sector.len()).step_by(97).map(move |number| (sector, number)))
        .map(|(sector, number)| tablebases::position(sector, number))
}

#[test]
fn files_that_lie_elsewhere_say_the_same() {
    let folder = tablebases::solve("elsewhere", 7);
    let here = tablebases::open(&folder);
    let host = Host { folder, is_away: AtomicBool::new(false), requests: AtomicUsize::new(0) };
    let host = Arc::new(host);
    let there = Tablebase::default().with_remote(host.clone());
    let hasty = there.without_waiting();
    assert!(positions(&here).all(|position| hasty.probe_value(&position).is_none()));
    // What cannot be had is not damaged, and comes later.
    host.is_away.store(true, Relaxed);
    assert!(positions(&here).all(|position| there.probe_value(&position).is_none()));
    host.is_away.store(false, Relaxed);
    let mut count = 0;
    for position in positions(&here) {
        let value = here.probe_value(&position);
        assert_eq!(there.probe_value(&position), value, "{position}");
        assert_eq!(hasty.probe_value(&position), value, "{position}");
        count += usize::from(value.is_some());
    }
    assert!(there.is_usable() && count > 10_000, "{count}");
    // What has come is not asked for again, and neither is a file that is not there.
    let missing = Sector::new(6, 6).unwrap();
    assert!(there.file(missing).is_none());
    let requests = host.requests.load(Relaxed);
    assert!(positions(&here).all(|position| there.probe_value(&position).is_some()));
    assert!(there.file(missing).is_none());
    assert_eq!(host.requests.load(Relaxed), requests);
}

/// A search asks for what the moves of its position are worth before it begins, and for nothing more.
#[test]
fn a_search_brings_the_values_of_its_moves() {
    let folder = tablebases::solve("elsewhere", 7);
    let host = Host { folder, is_away: AtomicBool::new(false), requests: AtomicUsize::new(0) };
    let host = Arc::new(host);
    let mut engine = Engine::new(1).unwrap();
    engine.tablebase = Some(Arc::new(Tablebase::default().with_remote(host.clone())));
    let text = tablebases::position(Sector::new(4, 3).unwrap(), 12_345).to_string();
    let game = Game::from_text(&text, RuleSet::default(), DrawRules::default()).unwrap();
    let mut observer = IsKnown(false);
    engine.search(&game, &Limits::to_depth(4), &mut observer);
    let requests = host.requests.load(Relaxed);
    assert!(observer.0 && (1..200).contains(&requests), "{requests}");
}

/// Whether the tablebase knew a root.
struct IsKnown(bool);

impl Observer for IsKnown {
    fn known_root(&mut self, _known: &KnownRoot) {
        self.0 = true;
    }

    fn progress(&mut self, _progress: &Progress<'_>) {}

    fn should_stop(&mut self, _nodes: u64) -> bool {
        false
    }
}

#[test]
fn small_sectors_are_solved_in_memory() {
    let here = tablebases::open(&tablebases::solve("in_memory", SMALL_MEN));
    let small = solve_small(Solvable::STANDARD).expect("nothing prevents it");
    assert_eq!(small.files().count(), here.files().count());
    for position in positions(&here) {
        assert_eq!(small.probe_value(&position), here.probe_value(&position), "{position}");
    }
    assert!(!small.files().any(|file| small.is_from_book(file.sector())));
}
