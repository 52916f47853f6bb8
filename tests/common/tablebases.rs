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
    build(Solvable::STANDARD, folder, [most_men, 0], Distances::Moving);
}

/// Solves the sectors of a game with up to so many men in all and in hand that a folder lacks.
pub fn build(game: Solvable, folder: &Path, [men, in_hand]: [usize; 2], distances: Distances) {
    let (folder, scope) = (folder.to_owned(), Scope::UpTo { men, in_hand });
    let build = Build { game, folder, scope, distances, most_memory: None };
    build.run(&Unobserved).unwrap_or_else(|error| panic!("{}: {error}", game.rules().name()));
}

/// The tablebase of a folder, every file of which must be good.
pub fn open(folder: &Path) -> Tablebase {
    open_of(Solvable::STANDARD, folder)
}

/// The same of any game.
pub fn open_of(game: Solvable, folder: &Path) -> Tablebase {
    let opened = Tablebase::open(folder, game, &mut |error| panic!("{error}"));
    opened.unwrap_or_else(|_| Tablebase::empty(game))
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
