//! `millstone db book`: the opening book of a game.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::ValueHint;
use millstone::tablebase::{BOOK_PLIES, Solvable, book_folder, write_book, write_book_files};

use super::arguments::Folder;
use crate::commands::{CommandResult, save};

/// Write the opening book of a game.
///
/// The book has the wins, draws and losses of every position after at most eight placements. That of
/// any other game than Nine Men's Morris goes to millstone in your cache folder, where engines look for it.
///
/// The book of Nine Men's Morris is built into the program: after a change of the tablebase format, write
/// src/tablebase/book.bin with this command and build the program again.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    folder: Folder,
    /// File to write, for Nine Men's Morris
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    file: Option<PathBuf>,
}

/// Writes the book of what the folder has.
pub fn run(arguments: &Arguments, game: Solvable) -> CommandResult {
    let tablebase = arguments.folder.open(game)?;
    let name = game.rules().name();
    let (path, bytes) = match (&arguments.file, game == Solvable::STANDARD) {
        (Some(file), true) => {
            let book = write_book(&tablebase)?;
            save(file, &book)?;
            Ok((file.clone(), book.len() as u64))
        }
        (None, false) => {
            let folder = book_folder(&game).ok_or("this system names no cache folder")?;
            let bytes = write_book_files(&tablebase, &folder)?;
            Ok((folder, bytes))
        }
        (None, true) => Err(format!("the book of {name} is built in; name a file to write")),
        (Some(_), false) => Err(format!("the book of {name} goes to the cache folder, not a file")),
    }?;
    writeln!(io::stdout(), "{}: {BOOK_PLIES} plies, {bytes} bytes", path.display())?;
    Ok(())
}
