//! `millstone play`: a game in the terminal.
//!
//! ```text
//! session, obey, ask          the loop, and what a player may ask for
//! ending, files               ending a game, saving and loading one
//! course, verdict, clock      the game with its history, its end and its clocks
//! archive, kept               the game as a record, and the file that outlives everything
//! words, typed, nearest       what is typed, and what was meant
//! input, complete, interrupt  lines, the Tab key, Ctrl-C
//! screen, board, panel, theme what is seen
//! thinker, databases          the engine, and what it knows of endgames
//! judgement, help             what it thinks of a move, and the pages of help
//! ```

mod archive;
mod ask;
mod board;
mod clock;
mod complete;
mod course;
mod databases;
mod ending;
mod files;
mod help;
mod input;
mod interrupt;
mod judgement;
mod kept;
mod nearest;
mod obey;
mod panel;
mod screen;
mod seats;
mod session;
mod start;
mod theme;
mod thinker;
mod typed;
mod verdict;
mod words;

use std::path::PathBuf;

use clap::builder::RangedU64ValueParser;
use millstone::rules::RuleSet;
use millstone::search::Skill;

use super::CommandResult;
use clock::TimeControl;
use seats::Seats;

/// Play a game in the terminal.
///
/// Moves are typed as text: d6 places a man, d6-d5 slides it, xa1 removes one; help explains the
/// rest, the rules included. A game that is left, by whatever means, can be gone on with.
#[derive(clap::Args)]
pub struct Arguments {
    /// Who plays [default: asks in a terminal, else white]
    #[arg(long, value_enum)]
    side: Option<Seats>,
    #[arg(long, value_name = "N", help = level_help())]
    #[arg(value_parser = RangedU64ValueParser::<u32>::new().range(0..=u64::from(Skill::FULL.level())))]
    level: Option<u32>,
    /// Time that the engine takes for a turn without a clock, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 1000)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=3_600_000))]
    movetime: u64,
    /// Clock for both sides: minutes, and seconds more for each turn, such as 10+5
    #[arg(long, value_name = "MIN+SEC")]
    clock: Option<TimeControl>,
    /// Position text to start from
    #[arg(long, value_name = "FEN", conflicts_with_all = ["load", "resume"])]
    from: Option<String>,
    /// Game to go on with, a file in any notation
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    load: Option<PathBuf>,
    /// Go on with the game that was left last
    #[arg(long)]
    resume: bool,
    /// Draw with plain characters
    #[arg(long)]
    ascii: bool,
    /// Folder of the tablebase [default: where millstone db build puts it]
    #[arg(long, value_name = "DIR")]
    databases: Option<PathBuf>,
    /// Number that the engine's random choices start from [default: another each time]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

/// The strength of the engine if nothing is said.
const LEVEL: u32 = 10;

fn level_help() -> String {
    let highest = Skill::FULL.level();
    format!("Strength of the engine, from a beginner's 0 to the full {highest} [default: {LEVEL}]")
}

/// Plays until the player leaves.
pub fn run(arguments: &Arguments, rules: &RuleSet) -> CommandResult {
    interrupt::catch()?;
    match start::session(arguments, rules)? {
        Some(mut session) => session.run(),
        None => Ok(()),
    }
}
