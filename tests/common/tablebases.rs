//! Tablebases for tests.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use millstone::board::BySide;
use millstone::position::Position;
use millstone::rules::RuleSet;
use millstone::tablebase::{
    Build, Distances, Scope, Sector, Solvable, Tablebase, Unobserved, sector_path,
};

/// An empty folder of a test program, below the folder of what is built.
pub fn fresh_folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).expect("what an earlier run left can be removed");
    }
    fs::create_dir_all(&folder).expect("a folder can be made");
    folder
}

/// The sectors up to nine men, solved in this run: files of an earlier one would tell nothing of the solver.
static SOLVED: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = fresh_folder("solved");
    solve_missing(&folder, 9);
    folder
});

/// A folder with the sectors up to a number of men, nine at most.
pub fn solve(name: &str, most_men: usize) -> PathBuf {
    let folder = fresh_folder(name);
    for file in open(&SOLVED).files().filter(|file| file.sector().men() <= most_men) {
        fs::copy(file.path(), sector_path(&folder, file.sector())).expect("files can be copied");
    }
    folder
}

/// Solves what is missing in a folder.
pub fn solve_missing(folder: &Path, most_men: usize) {
    let build = Build {
        game: Solvable::STANDARD,
        folder: folder.to_owned(),
        scope: Scope::UpTo { men: most_men, in_hand: 0 },
        distances: Distances::Moving,
        most_memory: None,
    };
    build.run(&Unobserved).expect("the sectors are solved");
}

/// The tablebase of a folder, every file of which must be good.
pub fn open(folder: &Path) -> Tablebase {
    let report = &mut |error| panic!("{error}");
    Tablebase::open(folder, Solvable::STANDARD, report).unwrap_or_default()
}

/// The position with a number in a sector, White to move.
pub fn position(sector: Sector, number: usize) -> Position {
    let (own, opponent) = sector.position(number);
    Position::placed(RuleSet::default(), BySide([own, opponent]))
}

/// The text of the same position with the sides exchanged, from a text with White to move.
pub fn with_black_to_move(text: &str) -> String {
    let mut fields: Vec<&str> = text.split(' ').collect();
    let men = fields[0].replace('O', "?").replace('@', "O").replace('?', "@");
    fields[0] = &men;
    fields[1] = "b";
    fields.swap(4, 6);
    fields.join(" ")
}
