//! Files of the draws of a sector, beside a good file of the sector, with bytes changed as in
//! [`database`](super::database).

use std::fs;
use std::sync::LazyLock;

use millstone::rules::RuleSet;
use millstone::tablebase::{
    DrawBuild, DrawFile, DrawOrderKind, Solvable, Tablebase, Unobserved, Wdl, draws_path,
};
use tempfile::TempDir;

use super::database::{changed, smallest, solved};

/// Where the header has the checksum of the checksums.
const CHECKSUM: usize = 88;

/// How far apart the positions are that are looked up.
const STEP: usize = 97;

/// A folder with the smallest sector, and the good file of its draws.
static GOOD: LazyLock<(TempDir, Vec<u8>)> = LazyLock::new(|| {
    let folder = solved();
    let draws = DrawBuild {
        game: Solvable::STANDARD,
        folder: folder.path().into(),
        most_men: 6,
        most_in_hand: 0,
        order: DrawOrderKind::Average,
    };
    draws.run(&Unobserved).expect("its draws are put in order");
    let file = fs::read(draws_path(folder.path(), smallest())).expect("the file is written");
    (folder, file)
});

pub fn run(bytes: &[u8]) {
    let (folder, good) = &*GOOD;
    let Some(file) = changed(good, bytes, CHECKSUM) else { return };
    let path = draws_path(folder.path(), smallest());
    fs::write(&path, file).expect("a file can be written");
    let identity = RuleSet::NINE_MENS_MORRIS.identity();
    let opened = DrawFile::open(&path, smallest(), identity);
    let game = Solvable::STANDARD;
    let tablebase = Tablebase::open(folder.path(), game, &mut drop).expect("the sector is there");
    assert_eq!(opened.is_ok(), tablebase.draw_file(smallest()).is_some());
    let Ok(file) = opened else { return };
    for index in (0..smallest().len()).step_by(STEP) {
        let (own, opponent) = smallest().position(index);
        let is_draw = tablebase.wdl(smallest(), own, opponent) == Some(Wdl::Draw);
        let draw = tablebase.draw_value(smallest(), own, opponent);
        assert!(is_draw || draw.is_none(), "{draw:?}");
    }
    let is_good = file.check().is_ok();
    assert!(is_good || !file.is_usable(), "damage that was found is forgotten");
    assert!(tablebase.is_usable() || !tablebase.take_damage().is_empty(), "damage is told");
}
