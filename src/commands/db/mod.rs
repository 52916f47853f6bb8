//! `millstone db`: the tablebase.
//!
//! ```text
//! arguments       what subcommands share: folder, position, threads, progress
//! build           solving what is missing
//! info            what is there
//! probe           the value of a position and of its moves, and best play
//! verify          checking what was solved
//! ```

mod arguments;
mod build;
mod info;
mod probe;
mod verify;

use millstone::rules::RuleSet;

use super::CommandResult;

/// Solve positions, and look them up.
///
/// The tablebase of Nine Men's Morris is a folder with a file for each sector: all positions with
/// given numbers of men of the side to move and of the opponent, such as 5-3. It gives the value of each
/// position under perfect play and the distance to the end in turns of both sides; draw rules do not
/// count. The engine, analyze and train use what is there; nothing has to be complete.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    Build(build::Arguments),
    Info(info::Arguments),
    Probe(probe::Arguments),
    Line(probe::LineArguments),
    Verify(verify::Arguments),
}

/// Does what the subcommand says.
pub fn run(arguments: &Arguments, rules: &RuleSet) -> CommandResult {
    if !rules.is_standard() {
        return Err("db: only Nine Men's Morris has a tablebase".into());
    }
    match &arguments.command {
        Command::Build(arguments) => build::run(arguments),
        Command::Info(arguments) => info::run(arguments),
        Command::Probe(arguments) => probe::run(arguments),
        Command::Line(arguments) => probe::run_line(arguments),
        Command::Verify(arguments) => verify::run(arguments),
    }
}
