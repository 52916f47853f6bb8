//! `millstone puzzles`: positions with one right turn: found, written, and solved in the terminal.
//!
//! ```text
//! arguments     the command line
//! sources       positions of a tablebase, of games, and lists of puzzles
//! session       the questions and answers
//! ```

mod arguments;
mod session;
mod sources;

use std::fs::File;
use std::io::{self, Write};

use millstone::analysis::Puzzle;
use millstone::rules::RuleSet;
use millstone::system::whole_file;

use super::{CommandResult, json};
pub use arguments::Arguments;
use sources::Finder;
pub use sources::{MOST_DRAWN, TABLE_SIZE, sectors};

/// Finds puzzles, and writes or plays them.
pub fn run(arguments: &Arguments, rules: &RuleSet) -> CommandResult {
    let mut finder = Finder::new(arguments, rules)?;
    let analyst = finder.analyst()?;
    let mut puzzles = finder.puzzles()?.peekable();
    if puzzles.peek().is_none() {
        return Err("no puzzles were found".into());
    }
    if arguments.format.json {
        let mut out = io::stdout().lock();
        puzzles.try_for_each(|puzzle| json::write(&mut out, &puzzle))?;
    } else if let Some(path) = &arguments.write {
        let puzzles: Vec<Puzzle> = puzzles.collect();
        let written = whole_file::save(path, |out: &File| write_list(out, rules, &puzzles));
        written.map_err(|error| format!("{}: {error}", path.display()))?;
    } else {
        session::play(puzzles, analyst, rules)?;
    }
    Ok(())
}

/// Writes a list, one puzzle a line.
fn write_list(mut out: impl Write, rules: &RuleSet, puzzles: &[Puzzle]) -> io::Result<()> {
    writeln!(out, "# {}: position; value; the only turn; level that finds it", rules.name())?;
    puzzles.iter().try_for_each(|puzzle| writeln!(out, "{puzzle}"))
}
