//! Tablebases without files of their own: files that lie elsewhere, and sectors solved in memory.

use std::fs;
use std::io;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

use millstone::position::Position;
use millstone::search::{Limits, Silent};
use millstone::tablebase::{
    Remote, SMALL_MEN, Sector, SectorFile, Solvable, Tablebase, solve_small,
};

use crate::positions::game;
use crate::searches::engine_with;
use crate::tablebases::{self, solved};

/// A host that has the sectors up to seven men, unless it is away.
#[derive(Default)]
struct Host {
    is_away: AtomicBool,
    requests: AtomicUsize,
}

impl Remote for Host {
    fn fetch(&self, name: &str, bytes: Range<usize>) -> io::Result<Vec<u8>> {
        if self.is_away.load(Relaxed) {
            return Err(io::ErrorKind::TimedOut.into());
        }
        self.requests.fetch_add(1, Relaxed);
        let file = fs::read(solved(7).join(name))?;
        Ok(file[bytes.start..bytes.end.min(file.len())].to_vec())
    }
}

/// Some positions of each sector of a tablebase.
fn positions(tablebase: &Tablebase) -> impl Iterator<Item = Position> + use<'_> {
    tablebase.files().map(SectorFile::sector).flat_map(|sector| {
        (0..sector.len()).step_by(97).map(move |number| tablebases::position(sector, number))
    })
}

#[test]
fn files_that_lie_elsewhere_say_the_same() {
    let here = tablebases::open(solved(7));
    let host = Arc::<Host>::default();
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

/// A sector is opened by one request. A value takes two then: where its group of chunks begins, and the group.
#[test]
fn a_value_takes_few_requests() {
    let here = tablebases::open(solved(7));
    let mut most = 0;
    for position in positions(&here).step_by(7) {
        let host = Arc::<Host>::default();
        let there = Tablebase::default().with_remote(host.clone());
        let sector = here.game().sector_of(&position).unwrap();
        assert!(there.file(sector).is_some() && host.requests.load(Relaxed) == 1);
        assert!(there.probe_wdl(&position).is_some(), "{position}");
        most = most.max(host.requests.load(Relaxed) - 1);
    }
    assert_eq!(most, 2);
}

/// A search asks for what the moves of its position are worth before it begins, and for nothing more.
#[test]
fn a_search_brings_the_values_of_its_moves() {
    let host = Arc::<Host>::default();
    let mut engine = engine_with(&Arc::new(Tablebase::default().with_remote(host.clone())));
    let text = tablebases::position(Sector::new(4, 3).unwrap(), 12_345).to_string();
    let report = engine.search(&game(&text), &Limits::to_depth(4), &mut Silent);
    let requests = host.requests.load(Relaxed);
    assert!(report.known.is_some() && (1..200).contains(&requests), "{requests}");
}

#[test]
fn small_sectors_are_solved_in_memory() {
    let here = tablebases::open(solved(SMALL_MEN));
    let small = solve_small(Solvable::STANDARD).expect("nothing prevents it");
    assert_eq!(small.files().count(), here.files().count());
    for position in positions(&here) {
        assert_eq!(small.probe_value(&position), here.probe_value(&position), "{position}");
    }
    assert!(!small.files().any(|file| small.is_from_book(file.sector())));
}
