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

use std::io;

use millstone::rules::RuleSet;

use super::{CommandResult, json, save};
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
        let title =
            format!("# {}: position; value; the only turn; level that finds it\n", rules.name());
        save(path, puzzles.fold(title, |list, puzzle| format!("{list}{puzzle}\n")))?;
    } else {
        session::play(puzzles, analyst, rules)?;
    }
    Ok(())
}
