//! `millstone puzzles`: positions with one right turn: found, written, and solved in the terminal.
//!
//! ```text
//! sources       positions of games, and lists of puzzles
//! session       the questions and answers
//! ```

mod session;
mod sources;

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use clap::{ValueHint, value_parser};
use millstone::analysis::drawn::{MOST_DRAWN, TABLE_SIZE, draw};
use millstone::analysis::{Analyst, Effort, Wanted};
use millstone::quote::quote;
use millstone::rules::RuleSet;
use millstone::search::{Engine, Skill};
use millstone::tablebase::Solvable;

use super::arguments::TablebaseFolder;
use super::json::Format;
use super::{CommandResult, json, reading, save};

/// Solve, list or write puzzles: positions with exactly one turn that keeps the win or the draw.
///
/// Positions are drawn at random from the tablebase (placing and moving alike, if it has both), taken from
/// games that the tablebase knows (--from), or read from a list that was written before. Positions with one
/// legal turn are left out. Each puzzle is graded by the level at which Millstone itself usually finds the
/// turn: 0, 3, 6 and so on to 18, or 30 if none of them does.
///
/// In the terminal, type the turn, such as d6-d5xa1; an empty line shows the solution, quit leaves. Each
/// answer is explained. A list has one puzzle a line: position, result (win or draw), turn and level,
/// separated by semicolons; lines that begin with # are comments. With --json, each object has position,
/// worth (win or draw), solution and level.
#[derive(clap::Args)]
pub struct Arguments {
    /// Number of puzzles
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = value_parser!(u32).range(1..))]
    count: u32,
    /// Read a list of puzzles, or find puzzles in games of any notation that millstone convert reads
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    from: Option<PathBuf>,
    /// Draw from one sector, such as 5-4, or 5+2-4+2 with men in hand; the side to move comes first
    #[arg(long, value_name = "MEN-MEN", conflicts_with = "from")]
    sector: Option<String>,
    /// Lowest level
    #[arg(long, value_name = "N", default_value_t = 0)]
    #[arg(value_parser = value_parser!(u32).range(0..=i64::from(Skill::FULL.level())))]
    level: u32,
    /// Seed, to draw the same puzzles again [default: random]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Write the puzzles to a list instead
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "json")]
    write: Option<PathBuf>,
    #[command(flatten)]
    format: Format,
    #[command(flatten)]
    tablebase: TablebaseFolder,
}

/// Finds puzzles, and writes or plays them.
pub fn run(arguments: &Arguments, rules: &RuleSet) -> CommandResult {
    let game = Solvable::of(rules)?;
    if let Some(name) = &arguments.sector
        && game.sectors().iter().all(|sector| sector.to_string() != *name)
    {
        return Err(format!("{} has no sector {}", rules.name(), quote(name)).into());
    }
    let tablebase = arguments.tablebase.open(game);
    let [mut grader, mut judge] = [Engine::new(TABLE_SIZE)?, Engine::new(TABLE_SIZE)?];
    let text;
    let found = if let Some(path) = &arguments.from {
        text = reading::text(path, "games or puzzles")?;
        sources::read(&text, rules, &tablebase, &mut grader)?
    } else {
        let seed = arguments.seed.unwrap_or_else(rand::random);
        let sector = arguments.sector.as_deref();
        let wanted = Wanted { levels: arguments.level..=Skill::FULL.level(), turns: None };
        let mut draw = draw(rules, &tablebase, sector, wanted, seed, &mut grader)?;
        let most = MOST_DRAWN.saturating_mul(arguments.count as usize);
        Box::new((0..most).filter_map(move |_| draw()))
    };
    let mut puzzles = found
        .filter(|puzzle| puzzle.level >= arguments.level)
        .take(arguments.count as usize)
        .peekable();
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
        judge.tablebase = Some(Arc::clone(&tablebase));
        let effort = Effort { depth: 1, time: None, ..Effort::TEACHING };
        session::play(puzzles, Analyst::new(judge, effort), rules)?;
    }
    Ok(())
}
