//! What `millstone db info`, `db probe` and `db line` say.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use crate::program::millstone;
use crate::tablebases;
use crate::tablebases::fresh_folder;
use millstone::game::Game;
use millstone::position::Position;
use millstone::rules::{DrawRules, RuleSet};
use millstone::tablebase::{Sector, Wdl};

/// White wins in one turn: g4-g1 closes a mill and leaves two men.
const WIN_IN_ONE: &str = "@*******/***@**@*/**O*OO** w m s 3 0 3 0 0 0 0 0 0 0 0 0 30";
/// The longest win with three men against four.
pub const WIN_IN_33: &str = "**O@@***/O@O*****/@******* w m s 3 0 4 0 0 0 0 0 0 0 0 0 10";
/// White has closed a mill and is to remove a man.
const REMOVAL: &str = "@*******/***@**@*/**OOO*** w m r 3 0 3 0 1 0 0 0 0 0 0 0 30";
const TWO_LEFT: &str = "@*******/***@**@*/**O*O*** w m s 2 0 3 0 0 0 0 0 0 0 0 0 30";
const FOUR_EACH: &str = "@**O****/*O**@***/O***@*@O w m s 4 0 4 0 0 0 0 0 0 0 0 0 10";
const PLACING: &str = "********/********/******** w p p 0 9 0 9 0 0 0 0 0 0 0 0 1";

/// The sectors of up to seven men.
pub static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| tablebases::solve("tablebase_look", 7));

/// What a subcommand writes to standard output, or its one line of error without the name of the
/// program, and nothing else.
pub fn look(folder: &Path, arguments: &[&str]) -> Result<String, String> {
    let folder = ["--dir", folder.to_str().unwrap()];
    let ended = millstone(&[&["db"], arguments, &folder].concat());
    if ended.status == Some(0) {
        assert_eq!(ended.error, "");
        return Ok(ended.out);
    }
    assert_eq!(ended.out, "", "what fails says so before anything else");
    Err(ended.complaint().to_owned())
}

fn lines(arguments: &[&str]) -> Vec<String> {
    look(&FOLDER, arguments).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn info_lists_the_sectors() {
    let rows = lines(&["info"]);
    let columns = |row: &str| row.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(columns(&rows[1])[..6], ["3-3", "169626", "140621", "269", "28736", "25"]);
    assert_eq!(columns(&rows[2])[..6], ["3-4", "760398", "102281", "658117", "0", "33"]);
    assert!(rows[2].ends_with(WIN_IN_33), "{rows:?}");
    assert_eq!(columns(&rows[3])[..6], ["4-3", "760398", "75397", "681906", "3095", "1"]);
    assert_eq!(
        rows[4..6],
        ["3 of 498 sectors, 1690422 positions", "18.83 % won, 79.29 % drawn, 1.88 % lost"]
    );
    let files = rows[1..4].iter().map(|row| columns(row)[6].parse::<u64>().unwrap());
    let bytes = files.sum::<u64>().to_string();
    assert!(rows[6].starts_with(&format!("{bytes} bytes, ")), "{rows:?}");
    assert_eq!(rows.len(), 7);
}

#[test]
fn probe_tells_every_move_with_the_best_first() {
    let rows = lines(&["probe", WIN_IN_ONE]);
    assert_eq!(rows[..3], ["win in 1", "g4-g1: win in 1", "g4-d3: win in 3"]);
    // Three men may fly to eighteen empty points.
    assert_eq!(rows.len(), 1 + 3 * 18 + 1);
    assert_eq!(rows.last().unwrap(), "from 3-3.mill");
    let removals = lines(&["probe", REMOVAL]);
    assert_eq!(removals, ["win in 1", "xd5: win in 1", "xf2: win in 1", "xb4: win in 1"]);
    assert_eq!(lines(&["probe", TWO_LEFT]), ["loss in 0"]);
}

#[test]
fn line_plays_to_the_end() {
    let rows = lines(&["line", WIN_IN_ONE]);
    let end = "********/***@**@*/***OOO** w o r 3 0 2 0 0 0 0 0 0 0 0 0 30";
    assert_eq!(rows, ["win in 1 g4-g1 xd5", end]);
    let rows = lines(&["line", WIN_IN_33]);
    let moves = rows[0].strip_prefix("win in 33 ").expect("the value first");
    assert_eq!(moves.split(' ').filter(|mv| !mv.starts_with('x')).count(), 33);
    assert!(rows[1].contains(" o "), "{rows:?}");
    assert_eq!(lines(&["line", TWO_LEFT]), ["loss in 0", &TWO_LEFT.replace(" m s ", " o r ")]);
}

#[test]
fn what_is_not_known_is_said_in_one_line() {
    for subcommand in ["probe", "line"] {
        let refusal = |text| look(&FOLDER, &[subcommand, text]).unwrap_err();
        assert_eq!(
            refusal(PLACING),
            "the sector 0+9-0+9, one that follows, or its distances are missing"
        );
        assert_eq!(
            refusal(FOUR_EACH),
            "the sector 4-4, one that follows, or its distances are missing"
        );
        assert!(refusal("nonsense").starts_with("position text, number of fields: expected "));
        let wrong_count = WIN_IN_ONE.replace(" 3 0 3 ", " 4 0 3 ");
        assert!(refusal(&wrong_count).starts_with("position text, "));
    }
}

#[test]
fn folders_without_tablebases_are_refused() {
    let folder = fresh_folder("tablebase_look_empty");
    let missing = folder.join("missing");
    let file = folder.join("file");
    for folder in [&folder, &missing, &file] {
        let expected = format!("{}: no tablebase; millstone db build makes one", folder.display());
        for arguments in [&["info"][..], &["probe", WIN_IN_ONE], &["line", WIN_IN_ONE]] {
            assert_eq!(look(folder, arguments), Err(expected.clone()));
        }
        fs::write(&file, "no folder").unwrap();
    }
}

#[test]
fn a_probe_tells_what_is_known_without_distances() {
    let folder = fresh_folder("tablebase_look_values");
    let build = look(&folder, &["build", "--max-men", "7", "--no-distance"]).unwrap();
    assert!(!build.contains("longest"), "{build}");
    let drawn = drawn();
    for (text, wdl) in [(WIN_IN_ONE, "win"), (WIN_IN_33, "win"), (&drawn, "draw")] {
        let probed = look(&folder, &["probe", text]).unwrap();
        let mut lines = probed.lines();
        assert_eq!(lines.next().unwrap(), format!("{wdl}, not all distances are known"), "{text}");
        let mut moves: Vec<&str> = lines.collect();
        assert!(moves.pop().unwrap().starts_with("from 3-"), "{probed}");
        let replies = if wdl == "draw" { " drawing replies" } else { "" };
        assert!(moves[0].contains(&format!(": {wdl}")) && moves[0].ends_with(replies), "{probed}");
        let game = Position::from_text(text, RuleSet::default()).unwrap();
        assert_eq!(moves.len(), game.count_moves() as usize);
        assert!(
            look(&folder, &["line", text]).unwrap_err().contains("no distances are known"),
            "{text}"
        );
    }
    let info = look(&folder, &["info"]).unwrap();
    assert!(info.lines().skip(1).take(3).all(|row| row.split_whitespace().nth(5) == Some("-")));
}

/// A drawn position with three men against four in which some move loses: where every move draws,
/// no distance is asked for.
fn drawn() -> String {
    let tablebase = tablebases::open(&FOLDER);
    let sector = Sector::new(3, 4).unwrap();
    let mut positions = (0..sector.len()).map(|number| tablebases::position(sector, number));
    let is_drawn = |position: &Position| {
        let judged = tablebase.rank_moves(position, &position.moves()).unwrap();
        let [first, .., last] = judged[..] else { return false };
        (first.wdl, last.wdl) == (Wdl::Draw, Wdl::Loss)
    };
    positions.find(is_drawn).unwrap().to_string()
}

#[test]
fn positions_are_given_as_to_analyze() {
    let placing = ["startpos", "startpos moves d6 f4", "startpos moves d6 a1 d5 a4 d7", PLACING];
    for position in placing {
        let error = look(&FOLDER, &["probe", position]).unwrap_err();
        assert!(error.contains("one that follows, or its distances are missing"), "{error}");
    }
    let game = Game::from_text(WIN_IN_ONE, RuleSet::default(), DrawRules::default()).unwrap();
    assert_eq!(lines(&["probe", &game.mfen().to_string()]), lines(&["probe", WIN_IN_ONE]));
    assert_eq!(lines(&["probe", &format!("{WIN_IN_ONE} moves g4-g1")])[0], "win in 1");
}

#[test]
fn a_position_out_of_turn_is_said_to_be_one() {
    let error = look(&FOLDER, &["probe", &PLACING.replace(" w ", " b ")]).unwrap_err();
    assert_eq!(error, "no game comes to these men with Black to move");
}

#[test]
fn files_of_other_games_are_told_in_one_line() {
    let folder = FOLDER.to_str().unwrap();
    let probe = ["db", "probe", "startpos", "--variant", "lasker", "--dir", folder];
    let error = millstone(&probe).error;
    assert_eq!(
        error.lines().next(),
        Some("millstone: 3 files were solved for other games"),
        "{error}"
    );
    assert_eq!(error.lines().count(), 2, "{error}");
}
