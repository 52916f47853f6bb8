//! `millstone db book`: the opening book that the program has in itself.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::ValueHint;
use millstone::tablebase::{BOOK_PLIES, Solvable, write_book};
use millstone::whole_file;

use super::arguments::Folder;
use crate::commands::CommandResult;

/// Write the opening book that is built into the program.
///
/// The book has the wins, draws and losses of every position after at most eight placements.
/// Whoever changes the format of the tablebase writes src/tablebase/book.bin with it and builds the
/// program again.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    folder: Folder,
    /// File to write
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    file: PathBuf,
}

/// Writes the book of what the folder has.
pub fn run(arguments: &Arguments, game: Solvable) -> CommandResult {
    if game != Solvable::STANDARD {
        return Err(format!("{}: only Nine Men's Morris has a book", game.rules().name()).into());
    }
    let tablebase = arguments.folder.open(game)?;
    let book = write_book(&tablebase)?;
    let path = arguments.file.display();
    whole_file::save(&arguments.file, |mut file| file.write_all(&book))
        .map_err(|error| format!("{path}: {error}"))?;
    writeln!(io::stdout(), "{path}: {BOOK_PLIES} plies, {} bytes", book.len())?;
    Ok(())
}
