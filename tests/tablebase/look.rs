//! What `millstone db info`, `db probe` and `db line` say.

use std::path::Path;

use crate::positions::game;
use crate::program::{millstone, plain};
use crate::tablebases::fresh_folder;

/// White wins in one turn: g4-g1 closes a mill and leaves two men.
const WIN_IN_ONE: &str = "@*******/***@**@*/**O*OO** w m s 3 0 3 0 0 0 0 0 0 0 0 0 30";
/// The longest win with three men against four.
pub const WIN_IN_33: &str = "**O@@***/O@O*****/@******* w m s 3 0 4 0 0 0 0 0 0 0 0 0 10";
/// Drawn by one move alone: where every move draws, no distance is asked for.
const DRAWN: &str = "@@**O**@/**O*****/O******* w m s 3 0 3 0 0 0 0 0 0 0 0 0 30";

/// What a subcommand writes to standard output, or its one line of error without the name of the
/// program, and nothing else.
pub fn look(folder: &Path, arguments: &[&str]) -> Result<String, String> {
    let ended = millstone(&[&["db"], arguments, &["--dir", plain(folder)]].concat());
    if ended.status == Some(0) {
        assert_eq!(ended.error, "");
        return Ok(ended.out);
    }
    assert_eq!(ended.out, "", "what fails says so before anything else");
    Err(ended.complaint().to_owned())
}

#[test]
fn a_probe_tells_what_is_known_without_distances() {
    let folder = fresh_folder("tablebase_look_values");
    let build = look(&folder, &["build", "--max-men", "7", "--no-distance"]).unwrap();
    assert!(!build.contains("longest"), "{build}");
    for (text, wdl) in [(WIN_IN_ONE, "win"), (WIN_IN_33, "win"), (DRAWN, "draw")] {
        let probed = look(&folder, &["probe", text]).unwrap();
        let mut lines = probed.lines();
        assert_eq!(lines.next().unwrap(), format!("{wdl}, not all distances are known"), "{text}");
        let mut moves: Vec<&str> = lines.collect();
        assert!(moves.pop().unwrap().starts_with("from 3-"), "{probed}");
        let replies = if wdl == "draw" { " drawing replies" } else { "" };
        assert!(moves[0].contains(&format!(": {wdl}")) && moves[0].ends_with(replies), "{probed}");
        assert_eq!(moves.len(), game(text).moves().len());
        let error = look(&folder, &["line", text]).unwrap_err();
        assert!(error.contains("no distances are known"), "{text}: {error}");
    }
    let info = look(&folder, &["info"]).unwrap();
    assert!(info.lines().skip(1).take(3).all(|row| row.split_whitespace().nth(5) == Some("-")));
}
