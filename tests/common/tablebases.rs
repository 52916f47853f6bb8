//! Tablebases for tests.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, OnceLock};

use crate::program::{millstone, plain};
use crate::size::usual_or_full;
use millstone::board::{BySide, Side, SquareSet};
use millstone::position::Position;
use millstone::rules::RuleSet;
use millstone::tablebase::{
    Build, Distances, FileError, Scope, Sector, Solvable, Tablebase, Unobserved, Value, sector_path,
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

/// The most men of the sectors that are solved for many tests.
pub fn most_solved() -> usize {
    usual_or_full(8, 9)
}

/// A folder with the sectors up to a number of men, [`most_solved`] at most, which no test changes. They are solved
/// in this run: files of an earlier one would tell nothing of the solver.
pub fn solved(most_men: usize) -> &'static Path {
    static FOLDERS: [OnceLock<PathBuf>; 10] = [const { OnceLock::new() }; 10];
    FOLDERS[most_men].get_or_init(|| {
        let folder = fresh_folder(&format!("solved_{most_men}"));
        if most_men == most_solved() {
            solve_missing(&folder, most_men);
            return folder;
        }
        assert!(most_men < most_solved(), "no sectors of {most_men} men are solved");
        let files = open(solved(most_solved()));
        for file in files.files().filter(|file| file.sector().men() <= most_men) {
            fs::copy(file.path(), sector_path(&folder, file.sector())).expect("a file is copied");
        }
        folder
    })
}

/// A folder with the sectors up to seven men without distances, which no test changes.
pub static WITHOUT_DISTANCES: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = fresh_folder("without_distances");
    build(Solvable::STANDARD, &folder, [7, 0], Distances::None);
    folder
});

/// A folder with the files of another.
pub fn copy(from: &Path, name: &str) -> PathBuf {
    let folder = fresh_folder(name);
    for entry in fs::read_dir(from).expect("the folder is there") {
        let entry = entry.expect("the folder can be read");
        fs::copy(entry.path(), folder.join(entry.file_name())).expect("a file is copied");
    }
    folder
}

/// What a subcommand of `millstone db` writes to standard output, or its one line of error without the name of the
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

/// Changes the bytes of a file.
pub fn change(path: &Path, change: impl FnOnce(&mut Vec<u8>)) {
    let mut bytes = fs::read(path).expect("the file is there");
    change(&mut bytes);
    fs::write(path, bytes).expect("the file can be written");
}

/// Nine Men's Morris with so many men a side.
pub fn small_game(men: u8) -> Solvable {
    solvable(RuleSet { men, ..RuleSet::NINE_MENS_MORRIS })
}

/// A game whose positions have no memory.
pub fn solvable(rules: RuleSet) -> Solvable {
    Solvable::of(&rules).expect("no position has a memory")
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

/// The tablebase of a folder, and what is wrong with its files.
pub fn open_damaged(game: Solvable, folder: &Path) -> (Tablebase, Vec<FileError>) {
    let mut errors = Vec::new();
    let tablebase = Tablebase::open(folder, game, &mut |error| errors.push(error));
    (tablebase.unwrap_or_else(|_| Tablebase::empty(game)), errors)
}

/// The position with a number in a sector, White to move.
pub fn position(sector: Sector, number: usize) -> Position {
    let (own, opponent) = sector.position(number);
    Position::with_men(RuleSet::default(), BySide([own, opponent]), BySide::both(0), Side::White)
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

/// The sectors up to a number of men.
pub fn sectors(most_men: usize) -> Vec<Sector> {
    Solvable::STANDARD.moving().into_iter().filter(|sector| sector.men() <= most_men).collect()
}

/// A folder with the sectors up to seven men, one of which has a bit flipped in a byte.
pub fn with_damage(name: &str, sector: Sector, place: usize) -> PathBuf {
    let folder = copy(solved(7), name);
    change(&sector_path(&folder, sector), |bytes| bytes[place] ^= 4);
    folder
}

/// Expects a reader in a hurry to give no value until it has come from the disk, and then the right one.
pub fn assert_values_come(
    tablebase: &Tablebase,
    sectors: &[Sector],
    right: impl Fn(Sector, SquareSet, SquareSet) -> Value,
) {
    let hurried = tablebase.without_waiting();
    for &sector in sectors {
        for (own, opponent) in (0..sector.len()).step_by(97).map(|index| sector.position(index)) {
            let found = loop {
                if let Some(found) = hurried.value(sector, own, opponent) {
                    break found;
                }
                assert!(hurried.read_again(&mut 0, || true), "a value of a good file comes");
            };
            assert_eq!(found, right(sector, own, opponent), "{sector}");
        }
    }
    assert!(!tablebase.read_again(&mut 0, || true), "others wait");
}

/// Asks the system to drop a file from its memory.
pub fn forget(path: &Path) {
    let file = File::open(path).expect("the file is there");
    file.sync_all().expect("the disk is there");
    #[cfg(target_os = "linux")]
    {
        use nix::fcntl::{PosixFadviseAdvice::POSIX_FADV_DONTNEED, posix_fadvise};
        posix_fadvise(&file, 0, 0, POSIX_FADV_DONTNEED).expect("a plain file");
    }
}
