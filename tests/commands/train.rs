//! `millstone train` with what it cannot train.

use std::fs;

use crate::program::millstone;
use tempfile::TempDir;

#[test]
fn games_and_folders_without_a_tablebase_are_refused() {
    let folder = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder can be made");
    let text = folder.path().to_str().expect("a path");
    let out = folder.path().join("weights.bin");
    let refused = |game: &str| {
        let out = out.to_str().expect("a path");
        let ended = millstone(&["train", "--variant", game, "--tablebase", text, "--out", out]);
        assert_eq!(ended.out, "", "{game}");
        ended.complaint().to_owned()
    };
    let complaint = refused("russian");
    assert!(complaint.starts_with("the game has no tablebase: with uses_mills_once=true"));
    let complaint = refused("da san qi");
    assert!(complaint.starts_with("the game has no tablebase: with mill_action=RemoveAndMark"));
    assert!(refused("morabaraba").ends_with("no tablebase; millstone db build makes one"));
    assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 0);
}
