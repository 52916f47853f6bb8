//! The command line of `millstone puzzles`.

use std::path::PathBuf;

use clap::{ValueHint, value_parser};
use millstone::search::Skill;

use crate::commands::arguments::TablebaseFolder;
use crate::commands::json::Format;

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
    pub count: u32,
    /// Read a list of puzzles, or find puzzles in games of any notation that millstone convert reads
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub from: Option<PathBuf>,
    /// Draw from one sector, such as 5-4, or 5+2-4+2 with men in hand; the side to move comes first
    #[arg(long, value_name = "MEN-MEN", conflicts_with = "from")]
    pub sector: Option<String>,
    /// Lowest level
    #[arg(long, value_name = "N", default_value_t = 0)]
    #[arg(value_parser = value_parser!(u32).range(0..=i64::from(Skill::FULL.level())))]
    pub level: u32,
    /// Seed, to draw the same puzzles again [default: random]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Write the puzzles to a list instead
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "json")]
    pub write: Option<PathBuf>,
    #[command(flatten)]
    pub format: Format,
    #[command(flatten)]
    pub tablebase: TablebaseFolder,
}
