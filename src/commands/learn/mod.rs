//! `millstone learn`: the learning file.

mod forget;
mod merge;
mod prune;
mod stats;

use std::path::PathBuf;

use millstone::learning::{self, LearningError, LearningFile, Lessons, Reading};
use millstone::rules::RuleSet;

use super::CommandResult;

/// Look after what earlier games taught.
///
/// The engine keeps lessons in a text file while its option Learning is on.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    Stats(stats::Arguments),
    Merge(merge::Arguments),
    Prune(prune::Arguments),
    Forget(forget::Arguments),
}

/// The file that a subcommand works with.
#[derive(clap::Args)]
struct Chosen {
    /// Learning file [default: where the engine looks for it]
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
}

impl Chosen {
    fn file(&self) -> Result<LearningFile, &'static str> {
        let path = self.file.clone().or_else(learning::default_path);
        let path = path.ok_or("expected --file FILE, as this system names no folder for data");
        path.map(LearningFile::new)
    }

    /// The file, which has to be there.
    fn existing(&self) -> Result<LearningFile, Box<dyn std::error::Error>> {
        let file = self.file()?;
        match file.stamp() {
            Some(_) => Ok(file),
            None => {
                Err(format!("expected a learning file {}, found none", file.path().display())
                    .into())
            }
        }
    }
}

/// What a file holds; lines that cannot be used are told on standard error.
fn read(file: &LearningFile) -> Result<Lessons, LearningError> {
    let Reading { lessons, damage, .. } = file.read()?;
    if let Some(damage) = damage {
        eprintln!("millstone: {}", LearningError::Damaged { path: file.path().into(), damage });
    }
    Ok(lessons)
}

/// Does what the subcommand says.
pub fn run(arguments: &Arguments, rules: &RuleSet) -> CommandResult {
    match &arguments.command {
        Command::Stats(arguments) => stats::run(arguments),
        Command::Merge(arguments) => merge::run(arguments),
        Command::Prune(arguments) => prune::run(arguments),
        Command::Forget(arguments) => forget::run(arguments, rules),
    }
}
