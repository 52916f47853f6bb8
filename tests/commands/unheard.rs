//! What the program does when nobody can hear its complaints.

use std::fs;

use crate::program::millstone_unheard;
use tempfile::TempDir;

/// A learning file with a line that cannot be read.
const LEARNED: &str = "#01 Millstone learning file, format 1\nnonsense\n";

#[test]
fn complaints_that_nobody_hears_change_no_exit_status() {
    let folder = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let path = |name: &str| folder.path().join(name).into_os_string().into_string().unwrap();
    fs::write(path("3-3.mill"), "no sector").unwrap();
    fs::write(path("learned"), LEARNED).unwrap();
    let (folder, learned) = (folder.path().to_str().unwrap(), path("learned"));
    for (input, arguments, status) in [
        ("1. d6 {good} f4 *\n", &["convert", "--to", "uci"][..], 0),
        ("nonsense\n", &["convert"], 1),
        ("nonsense\n", &["analyze", "--depth", "1"], 1),
        ("", &["analyze", "--fen", "startpos", "--depth", "1", "--tablebase", folder], 0),
        ("", &["db", "info", "--dir", folder], 1),
        ("", &["db", "verify", "--dir", folder], 1),
        ("", &["learn", "stats", "--file", &learned], 0),
        ("", &["match", "--merge", "nowhere"], 1),
        ("", &["trian"], 2),
        ("d6\nf4\n", &["play", "--side", "both"], 0),
    ] {
        let ended = millstone_unheard(input, arguments);
        assert_eq!(ended.status, Some(status), "{arguments:?}: {}", ended.out);
    }
}
