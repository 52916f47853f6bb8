//! `millstone db`: the tablebase; here what its subcommands share.
//!
//! ```text
//! reporter        progress and Ctrl-C
//! build           the tasks of a build; solving what is missing, or one task; a compact tablebase, draws in order, the opening book
//! info            what is there; the value of a position and of its moves, and best play
//! verify          checking what was solved
//! ```

mod build;
mod info;
mod reporter;
mod verify;

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use clap::{ValueHint, value_parser};
use millstone::rules::RuleSet;
use millstone::search::MAX_THREADS;
use millstone::tablebase::{self, Distances, Scope, Solvable, Tablebase};
use rayon::{ThreadPool, ThreadPoolBuildError};

use super::{CommandResult, complain, start_threads, thread_pool};
use info::Lookup;

/// Solve positions, and look them up.
///
/// The tablebase of a game is a folder with a file for each sector: all positions with given numbers of men
/// of the side to move and of the opponent, such as 5-3, or 5+2-3+2 with men in hand. It gives the value of each
/// position under perfect play and the distance to the end in turns of both sides; draw rules do not
/// count. The engine, analyze and train use what is there; nothing has to be complete. Games whose positions
/// have to remember more than their men and hands have none.
#[derive(clap::Subcommand)]
pub enum Command {
    Plan(build::PlanArguments),
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
        Command::Plan(arguments) => build::run_plan(arguments, game),
        Command::Build(arguments) => build::run(arguments, game),
        Command::Compact(arguments) => build::run_compact(arguments, game),
        Command::Draws(arguments) => build::run_draws(arguments, game),
        Command::Info(arguments) => info::run(arguments, game),
        Command::Probe(arguments) => info::run_probe(arguments, game),
        Command::Line(arguments) => info::run_line(arguments, game),
        Command::Verify(arguments) => verify::run(arguments, game),
        Command::Book(arguments) => build::run_book(arguments, game),
    }
}

/// The folder that a subcommand works with.
#[derive(clap::Args)]
pub struct Folder {
    /// Folder of the tablebase [default: millstone/endgame in your folder for data, where the engine
    /// looks for it; for other games than Nine Men's Morris a folder below it]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    dir: Option<PathBuf>,
}

impl Folder {
    /// Opens the tablebase; files that cannot be used are reported on standard error, those of other
    /// games in one line.
    pub fn open(&self, game: Solvable) -> CommandResult<Tablebase> {
        let mut of_other_games = 0;
        let opened = Tablebase::open(&self.path(&game)?, game, &mut |error| {
            if error.is_of_another_game() { of_other_games += 1 } else { complain(error) }
        });
        if of_other_games > 0 {
            complain(format_args!("{of_other_games} files were solved for other games"));
        }
        Ok(opened?)
    }

    /// The folder that is named, or the default one.
    pub fn path(&self, game: &Solvable) -> Result<PathBuf, &'static str> {
        let path = self.dir.clone().or_else(|| tablebase::default_folder(game));
        path.ok_or("--dir is needed: this system names no folder for data")
    }
}

/// How far the sectors reach.
#[derive(clap::Args)]
pub struct Reach {
    /// Most men of both sides together [default: all]
    #[arg(long, value_name = "N", value_parser = value_parser!(u8).range(MEN))]
    max_men: Option<u8>,
    /// Solve only the moving phase (implied by --max-men below the maximum)
    #[arg(long)]
    moving: bool,
}

impl Reach {
    /// The most men of both sides together, and the most in hand; none are in hand if the last ply of the
    /// placing phase would lack sectors.
    pub fn of(&self, game: &Solvable) -> (usize, usize) {
        let men = self.max_men.map_or(game.men(), usize::from);
        let has_all = !self.moving && men >= game.men();
        (men, if has_all { game.men() } else { 0 })
    }
}

/// Which sectors, and what is kept of them.
#[derive(clap::Args)]
pub struct Sectors {
    #[command(flatten)]
    reach: Reach,
    /// First ply of the placing phase to solve: positions after this many placements, and all later ones
    #[arg(long, value_name = "PLY", default_value_t = 0, conflicts_with_all = ["moving", "max_men"])]
    #[arg(value_parser = value_parser!(u8).range(..*MEN.end()))]
    from_ply: u8,
    /// Keep wins, draws and losses without distances: half of the disk, but the engine then has to
    /// find the way to a win by search
    #[arg(long)]
    no_distance: bool,
    /// Keep distances of the placing phase too, so that every win takes the shortest way from the first move on
    #[arg(long, conflicts_with = "no_distance")]
    placing_distance: bool,
}

impl Sectors {
    /// The sectors of a game.
    pub fn scope(&self, game: &Solvable) -> Scope {
        let (men, in_hand) = self.reach.of(game);
        Scope::UpTo { men, in_hand: in_hand.saturating_sub(self.from_ply.into()) }
    }

    /// The distances to keep.
    pub const fn distances(&self) -> Distances {
        match (self.no_distance, self.placing_distance) {
            (true, _) => Distances::None,
            (false, true) => Distances::All,
            (false, false) => Distances::Moving,
        }
    }
}

/// The name of a file without its folder.
pub fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).display().to_string()
}

/// The threads that a subcommand works with.
#[derive(clap::Args)]
pub struct Threads {
    /// Threads to share the work [default: one for each processor]
    #[arg(long, value_name = "T", value_parser = value_parser!(u16).range(1..=MAX_THREADS as i64))]
    pub threads: Option<u16>,
}

impl Threads {
    /// The threads.
    pub fn pool(&self) -> Result<ThreadPool, ThreadPoolBuildError> {
        thread_pool(self.threads.unwrap_or_default())
    }
}

/// The memory that a build may use.
#[derive(clap::Args)]
pub struct Memory {
    /// Most memory to use, in GB: 2 are enough for every sector of every game. Sectors that would need more are
    /// solved with files in the folder instead, which takes longer
    #[arg(long, value_name = "GB", value_parser = parse_gigabytes)]
    pub memory: Option<u64>,
}

fn parse_gigabytes(text: &str) -> Result<u64, &'static str> {
    let gigabytes =
        text.parse().ok().filter(|gigabytes: &f64| gigabytes.is_finite() && *gigabytes > 0.0);
    gigabytes.map(|gigabytes| (gigabytes * 1e9) as u64).ok_or("not a number above 0")
}

/// The numbers of men of both sides together that sectors of any game may have.
pub const MEN: RangeInclusive<i64> =
    2 * RuleSet::FEWEST_MEN as i64..=2 * RuleSet::MEN_TO_FILL_BOARD as i64;
