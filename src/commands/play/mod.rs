//! `millstone play`: a game in the terminal.
//!
//! ```text
//! session, actions             the start of a session, its turns, and the effects of commands
//! game                         players, moves and clocks; the record that is saved after each move
//! input                        line input with completion, and Ctrl-C
//! commands                     the syntax of moves and commands, the pages of help
//! screen                       the display; the library's board::picture draws the board itself
//! engine                       searches and their tablebase
//! ```

mod actions;
mod commands;
mod engine;
mod game;
mod input;
mod saved;
mod screen;
mod session;

use std::path::PathBuf;

use clap::value_parser;
use millstone::matches::TimeControl;
use millstone::rules::RuleSet;
use millstone::search::Skill;

use super::CommandResult;
use super::arguments::{TablebaseFolder, level_parser};
pub use commands::read_turn;
use game::HumanSides;
use session::{Leave, Session};

/// Play a game in the terminal.
///
/// Type d6 to place a man, d6-d5 or d6d5 to slide or fly, xa1 or just a1 to remove a man, or a whole turn as
/// one word, such as d6-d5xa1. help lists the commands, such as undo, hint, analyse, save and level, and
/// explains the rules; commands may be abbreviated, and the Tab key completes them.
///
/// Ctrl-C makes a thinking engine move at once, and pauses a game that it plays against itself; at a
/// prompt it leaves, as does the end of the input. The game is saved after every move, so neither leaving
/// nor a crash loses it: the next start offers to continue it, with its level, sides and clocks.
/// Unfinished games are kept in millstone/play in your data folder, one for each running program.
///
/// Without a terminal, as in a pipe, input and output are plain text, so that scripts can play.
#[derive(clap::Args)]
pub struct Arguments {
    /// Your side [default: asks at a terminal, else white]
    #[arg(long, value_enum)]
    side: Option<HumanSides>,
    #[arg(long, value_name = "N", value_parser = level_parser(), help = format!(
        "Strength of the engine, from 0 for beginners to {} for full strength [default: {}]",
        Skill::FULL.level(),
        Skill::USUAL.level(),
    ))]
    level: Option<u32>,
    /// Thinking time of the engine per turn without a clock, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 1000)]
    #[arg(value_parser = value_parser!(u64).range(1..=3_600_000))]
    movetime: u64,
    /// Clock for both sides: minutes, and seconds added per turn, such as 10+5
    #[arg(long, value_name = "MIN+SEC", value_parser = game::read_control)]
    clock: Option<TimeControl>,
    /// Position to start from, as position text or MFEN
    #[arg(long, value_name = "FEN", conflicts_with_all = ["load", "resume"])]
    from: Option<String>,
    /// Continue the game in a file, in any notation that convert reads; it must be of the chosen variant, if any
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    load: Option<PathBuf>,
    /// Continue the latest unfinished game
    #[arg(long)]
    resume: bool,
    /// Comment on each turn, from the tablebase or a search
    #[arg(long)]
    teach: bool,
    /// Draw the board in ASCII even in a UTF-8 locale
    #[arg(long)]
    ascii: bool,
    #[command(flatten)]
    tablebase: TablebaseFolder,
    /// Seed of the engine's random choices [default: random]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

/// Plays until the player leaves.
pub fn run(arguments: &Arguments, variant: Option<&RuleSet>) -> CommandResult {
    input::catch()?;
    let played = Session::new(arguments, variant).and_then(|mut session| session.run());
    played.or_else(|error| if error.is::<Leave>() { Ok(()) } else { Err(error) })
}
