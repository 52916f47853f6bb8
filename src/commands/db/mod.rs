//! `millstone db`: endgame databases.

mod build;
mod info;
mod line;
mod probe;
mod progress;
mod verify;

use std::path::PathBuf;

use millstone::knowledge::endgame::{self, Tables};
use millstone::rules::RuleSet;

use super::CommandResult;

/// Solve endgames, and look into what was solved.
///
/// A database holds a sector: all positions with so many men of the side to move and of the
/// opponent, all men being placed. Its values and distances to the end are perfect.
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
    Line(line::Arguments),
    Verify(verify::Arguments),
}

/// The folder that a subcommand works with.
#[derive(clap::Args)]
struct Folder {
    /// Folder of the databases [default: where the engine looks for them]
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

impl Folder {
    /// The databases that are there; those that cannot be used are named on standard error.
    fn open(&self) -> Result<Tables, Box<dyn std::error::Error>> {
        let folder = self.path()?;
        let tables = Tables::open(&folder, RuleSet::NINE_MENS_MORRIS.identity());
        tables.take_errors().iter().for_each(|error| eprintln!("millstone: {error}"));
        if tables.files().next().is_none() {
            let folder = folder.display();
            return Err(
                format!("expected databases in {folder}; millstone db build makes them").into()
            );
        }
        Ok(tables)
    }

    fn path(&self) -> Result<PathBuf, &'static str> {
        let path = self.dir.clone().or_else(endgame::default_folder);
        path.ok_or("expected --dir DIR, as this system names no folder for data")
    }
}

/// Does what the subcommand says.
pub fn run(arguments: &Arguments, rules: &RuleSet) -> CommandResult {
    if !rules.is_standard() {
        return Err("db: expected Nine Men's Morris, the only game with databases".into());
    }
    match &arguments.command {
        Command::Build(arguments) => build::run(arguments),
        Command::Info(arguments) => info::run(arguments),
        Command::Probe(arguments) => probe::run(arguments),
        Command::Line(arguments) => line::run(arguments),
        Command::Verify(arguments) => verify::run(arguments),
    }
}
