//! `millstone db`: endgame databases.

mod build;
mod info;
mod line;
mod probe;
mod progress;
mod step;
mod verify;

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use clap::ValueHint;
use millstone::board::Side;
use millstone::game::{Game, Outcome};
use millstone::position::Position;
use millstone::rules::{DrawRules, RuleSet, Standard};
use millstone::tablebase::{self, Sector, Tablebase};
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

use super::{CommandResult, json};

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
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    dir: Option<PathBuf>,
}

impl Folder {
    /// The databases that are there; those that cannot be used are named on standard error.
    fn open(&self) -> Result<Tablebase, Box<dyn std::error::Error>> {
        let folder = self.path()?;
        let tablebase = Tablebase::open(&folder, RuleSet::NINE_MENS_MORRIS.identity());
        tablebase.take_errors().iter().for_each(|error| eprintln!("millstone: {error}"));
        if tablebase.files().next().is_none() {
            return Err(no_databases(&folder).into());
        }
        Ok(tablebase)
    }

    fn path(&self) -> Result<PathBuf, &'static str> {
        let path = self.dir.clone().or_else(tablebase::default_folder);
        path.ok_or("expected --dir DIR, as this system names no folder for data")
    }
}

fn no_databases(folder: &Path) -> String {
    format!("expected databases in {}; millstone db build makes them", folder.display())
}

/// What a subcommand asks the databases about.
#[derive(clap::Args)]
struct Subject {
    #[command(flatten)]
    folder: Folder,
    /// Position with all men placed, as position text
    #[arg(value_name = "FEN")]
    text: String,
    #[command(flatten)]
    format: json::Format,
}

impl Subject {
    /// The position, which may not be that of a drawn game.
    fn game(&self) -> Result<Game<Standard>, Box<dyn std::error::Error>> {
        let game = Game::from_text(&self.text, Standard, DrawRules::OFF)?;
        match game.outcome() {
            Some(Outcome::Draw(_)) => {
                Err("expected a game that goes on, found one that is over".into())
            }
            _ => Ok(game),
        }
    }
}

/// The threads that a subcommand works with.
#[derive(clap::Args)]
struct Threads {
    /// Threads to share the work [default: one a processor]
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=512))]
    threads: Option<u16>,
}

impl Threads {
    fn pool(&self) -> Result<ThreadPool, ThreadPoolBuildError> {
        ThreadPoolBuilder::new().num_threads(self.threads.unwrap_or_default().into()).build()
    }
}

/// The numbers of men of both sides together that sectors have.
const MEN: RangeInclusive<i64> = Sector::FEWEST_MEN as i64..=Sector::MOST_MEN as i64;

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

/// Why the value of a position is not known.
fn unknown(tablebase: &Tablebase, position: &Position) -> String {
    if let Some(error) = tablebase.take_errors().first() {
        return error.to_string();
    }
    if Side::ALL.into_iter().any(|side| position.in_hand(side) > 0) {
        return "expected a position with all men placed".to_owned();
    }
    let [own, opponent] =
        [position.to_move(), !position.to_move()].map(|side| position.men(side).len());
    format!("expected the sector {own}-{opponent} and those that follow, with distances")
}
