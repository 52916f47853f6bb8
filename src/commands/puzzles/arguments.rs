//! The command line of `millstone puzzles`.

use std::path::PathBuf;

use clap::{ValueHint, value_parser};
use millstone::search::Skill;

use crate::commands::json::Format;

/// Play, list or write puzzles: positions in which one turn keeps a win or a draw.
///
/// They are positions drawn at random from the tablebase, of placing as often as of moving if it has both,
/// those of games (--from) that the tablebase knows, or those of a list that was written before. Positions
/// with one legal turn are none. Each is graded by the level from which Millstone itself usually finds the
/// turn: 0, 3, 6 and so on to 18, or 30 if none of them does.
///
/// In the terminal the board is shown and a turn asked for, such as d6-d5xa1; an empty line tells the
/// solution, quit leaves. What each answer does to the game is said in a sentence. A list has a puzzle a
/// line, with the position, its worth, the turn and the level between semicolons; lines that begin with
/// # are skipped. An object of --json has position, worth (win or draw), solution and level.
#[derive(clap::Args)]
pub struct Arguments {
    /// How many puzzles
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = value_parser!(u32).range(1..))]
    pub count: u32,
    /// Take them from the games of a file that millstone convert reads, or from a list of puzzles
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub from: Option<PathBuf>,
    /// Draw them from one sector, such as 5-4 or 5+2-4+2: men of the side to move on the board and in hand,
    /// and of the other
    #[arg(long, value_name = "MEN-MEN", conflicts_with = "from")]
    pub sector: Option<String>,
    /// Least level of the puzzles
    #[arg(long, value_name = "N", default_value_t = 0)]
    #[arg(value_parser = value_parser!(u32).range(0..=i64::from(Skill::FULL.level())))]
    pub level: u32,
    /// Draw the same puzzles each time [default: others each time]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Write them to a list instead
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "json")]
    pub write: Option<PathBuf>,
    #[command(flatten)]
    pub format: Format,
    /// Folder of the tablebase [default: where millstone db build puts it]
    #[arg(long, alias = "databases", value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub tablebase: Option<PathBuf>,
}
