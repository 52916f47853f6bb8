//! `millstone db`: the tablebase.
//!
//! ```text
//! arguments       what subcommands share: folder, sectors, position, threads, memory
//! reporter        progress and Ctrl-C
//! plan            the tasks of a build
//! build           solving what is missing, or one task; a compact tablebase, draws in order, the opening book
//! info            what is there
//! probe           the value of a position and of its moves, and best play
//! verify          checking what was solved
//! ```

mod arguments;
mod build;
mod info;
mod plan;
mod probe;
mod reporter;
mod verify;

use millstone::rules::RuleSet;
use millstone::tablebase::Solvable;

use super::{CommandResult, start_threads};
use arguments::Lookup;

/// Solve positions, and look them up.
///
/// The tablebase of a game is a folder with a file for each sector: all positions with given numbers of men
/// of the side to move and of the opponent, such as 5-3, or 5+2-3+2 with men in hand. It gives the value of each
/// position under perfect play and the distance to the end in turns of both sides; draw rules do not
/// count. The engine, analyze and train use what is there; nothing has to be complete. Games whose positions
/// have to remember more than their men and hands have none.
#[derive(clap::Subcommand)]
pub enum Command {
    Plan(plan::Arguments),
    Build(build::Arguments),
    Compact(build::CompactArguments),
    Draws(build::DrawsArguments),
    Info(info::Arguments),
    /// Print the value of a position for the side to move, and of each move, the best first.
    ///
    /// A distance is in turns of both sides to the end of the game; a removal belongs to the turn that earns
    /// it. Where the best moves draw, each comes with the number of the opponent's replies that keep the
    /// draw, and a draw with the numbers of men at which best play comes to rest, if db draws has found them. The last
    /// line names the files that the values come from.
    Probe(Lookup),
    /// Print the shortest win against the longest defence, move by move, and the position at its end.
    Line(Lookup),
    Verify(verify::Arguments),
    Book(build::BookArguments),
}

/// Does what the subcommand says.
pub fn run(command: &Command, rules: &RuleSet) -> CommandResult {
    let game = Solvable::of(rules).map_err(|error| format!("{}: {error}", rules.name()))?;
    if matches!(command, Command::Verify(_) | Command::Book(_)) {
        start_threads()?;
    }
    match command {
        Command::Plan(arguments) => plan::run(arguments, game),
        Command::Build(arguments) => build::run(arguments, game),
        Command::Compact(arguments) => build::run_compact(arguments, game),
        Command::Draws(arguments) => build::run_draws(arguments, game),
        Command::Info(arguments) => info::run(arguments, game),
        Command::Probe(arguments) => probe::run(arguments, game),
        Command::Line(arguments) => probe::run_line(arguments, game),
        Command::Verify(arguments) => verify::run(arguments, game),
        Command::Book(arguments) => build::run_book(arguments, game),
    }
}
