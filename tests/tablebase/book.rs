//! The opening book: its counts and values, and that an engine without any file plays by it.

use std::env;
use std::path::Path;

use super::counts::check_published;
use super::placing::FOLDER;
use super::values::check_values;
use crate::client::Client;
use crate::program::{millstone_at_home, plain};
use crate::size::usual_or_full;
use crate::tablebases;

use millstone::tablebase::{BOOK_PLIES, Sector, SectorFile, Solvable, book};
use tempfile::TempDir;

/// After how many placements the positions of a sector come.
fn ply(sector: Sector) -> usize {
    Solvable::STANDARD.men() - sector.men_in_hand()
}

#[test]
fn the_book_has_the_published_counts() {
    check_published(book(), BOOK_PLIES + 1);
}

#[test]
fn values_of_the_book_follow_from_those_of_the_moves_by_the_rules() {
    let sectors: Vec<Sector> =
        book().files().map(SectorFile::sector).filter(|&sector| ply(sector) < BOOK_PLIES).collect();
    let checked = check_values(book(), &sectors, usual_or_full(400, 20_000));
    assert!(checked > 5000, "{checked}");
}

/// The whole game takes too long to solve here: a folder that has it is compared if `MILLSTONE_TABLEBASE`
/// names one.
#[test]
fn the_book_is_what_the_files_say() {
    let Some(folder) = env::var_os("MILLSTONE_TABLEBASE") else { return };
    let tablebase = tablebases::open(Path::new(&folder));
    for file in book().files() {
        let whole = tablebase.file(file.sector()).expect("a folder with all sectors");
        for index in 0..file.sector().len() {
            assert_eq!(file.wdl(index), whole.wdl(index), "{}: {index}", file.sector());
        }
    }
}

/// An engine in an empty home, without anything else that is solved.
fn start(home: &TempDir, own_book: bool) -> Client {
    let own_book = format!("OwnBook={own_book}");
    Client::start_in(home.path(), &[]).with(&["Hash=1", "UsePerfectDatabase=false", &own_book])
}

#[test]
fn the_book_can_be_left_out() {
    for own_book in [true, false] {
        let home = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let mut engine = start(&home, own_book);
        engine.send("position startpos moves d6 f4 d2");
        let answer = engine.ask("go depth 2", "bestmove");
        let is_told = |line: &String| line.ends_with("drawn, 21 of 21 moves hold");
        assert_eq!(answer.iter().any(is_told), own_book, "{answer:?}");
    }
}

#[test]
fn other_games_have_a_book_in_the_cache_once_it_is_written() {
    let home = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let is_known = |own_book| {
        let mut engine = start(&home, own_book).with(&["PiecesCount=4"]);
        engine.send("position startpos moves d6 f4 d2");
        let answer = engine.ask("go depth 2", "bestmove");
        answer.iter().any(|line| line.ends_with(" moves hold"))
    };
    assert!(!is_known(true), "there is no book yet");
    let write = |arguments: &[&str]| {
        let book = ["db", "book", "--variant", "men=4", "--dir", plain(&FOLDER)];
        millstone_at_home(home.path(), &[&book, arguments].concat())
    };
    assert_eq!(write(&[]).status, Some(0));
    assert_eq!([true, false].map(is_known), [true, false]);
    let error = "the book of men=4 goes to the cache folder, not a file";
    assert_eq!(write(&["book.bin"]).complaint(), error);
}
