//! `millstone db`: the subcommands for tablebases, and what they share.
//!
//! ```text
//! reporter        progress and Ctrl-C
//! build           plan, build, compact, draws, book: the commands that write files, and the plan of a build
//! info            info, probe, line: the contents of a folder, the value of a position, and best play
//! verify          verify: checks solved sectors
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
use millstone::tablebase::{
    self, Distances, Scope, SectorFile, Solvable, Tablebase, is_compact_folder,
};

use super::{CommandResult, complain};
use info::Lookup;

/// Build tablebases, and look up positions.
///
/// The tablebase of a game is a folder with a file for each sector: all positions with given numbers of men
/// of the side to move and of the opponent, such as 5-3, or 5+2-3+2 with men in hand. It gives the value of
/// each position under perfect play and the distance to the end in turns of both sides, ignoring the draw
/// rules. The engine, analyze and train also use incomplete tablebases. Games whose positions depend on more
/// than the men on the board and in hand have no tablebase.
#[derive(clap::Subcommand)]
pub enum Command {
    Plan(build::PlanArguments),
    Build(build::Arguments),
    Compact(build::CompactArguments),
    Draws(build::DrawsArguments),
    Info(info::Arguments),
    /// Print the value of a position for the side to move, and of each move, the best first.
    ///
    /// Distances are in turns of both sides to the end of the game; a removal belongs to the turn that earns
    /// it. If the best moves draw, each is shown with the number of the opponent's replies that keep the draw. A
    /// draw is shown with the sector in which best play comes to rest, if db draws has found it. The last line
    /// names the files that the values come from.
    Probe(Lookup),
    /// Print the shortest win against the longest defence, move by move, and the final position.
    Line(Lookup),
    Verify(verify::Arguments),
    Book(build::BookArguments),
}

/// Runs the subcommand.
pub fn run(command: &Command, rules: &RuleSet) -> CommandResult {
    let game = Solvable::of(rules).map_err(|error| format!("{}: {error}", rules.name()))?;
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
    /// Folder of the tablebase [default: millstone/endgame in your data folder, where the engine looks
    /// for it; a folder below that for games other than Nine Men's Morris]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    dir: Option<PathBuf>,
}

impl Folder {
    /// Opens the tablebase; reports unusable files on standard error, and files of other games in one line.
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

    /// Whether a tablebase of the folder is compact, even if the list of its files is lost.
    pub fn is_compact(&self, tablebase: &Tablebase) -> bool {
        let is_listed = self.path(tablebase.game()).is_ok_and(|folder| is_compact_folder(&folder));
        is_listed || tablebase.files().any(SectorFile::is_quiet)
    }

    /// Returns the given folder, or the default one.
    pub fn path(&self, game: &Solvable) -> Result<PathBuf, &'static str> {
        let path = self.dir.clone().or_else(|| tablebase::default_folder(game));
        path.ok_or("this system has no data folder; use --dir")
    }
}

/// The range of sectors.
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
    /// Returns the most men of both sides together, and the most in hand: 0 with `--moving`, or if the placing
    /// phase would lack sectors of the moving phase.
    pub fn of(&self, game: &Solvable) -> (usize, usize) {
        let men = self.max_men.map_or(game.men(), usize::from);
        let has_all = !self.moving && men >= game.men();
        (men, if has_all { game.men() } else { 0 })
    }
}

/// The sectors to solve, and the distances to keep.
#[derive(clap::Args)]
pub struct Sectors {
    #[command(flatten)]
    reach: Reach,
    /// First ply of the placing phase to solve: positions after this many placements, and all later ones
    #[arg(long, value_name = "PLY", default_value_t = 0, conflicts_with_all = ["moving", "max_men"])]
    #[arg(value_parser = value_parser!(u8).range(..*MEN.end()))]
    from_ply: u8,
    /// Keep only wins, draws and losses, without distances: takes half the disk, but the engine has to
    /// find the way to a win by search
    #[arg(long)]
    no_distance: bool,
    /// Keep distances of the placing phase too, so that every win is the shortest from the first move on
    #[arg(long, conflicts_with = "no_distance")]
    placing_distance: bool,
}

impl Sectors {
    /// Returns the range of sectors of a game.
    pub fn scope(&self, game: &Solvable) -> Scope {
        let (men, in_hand) = self.reach.of(game);
        Scope::UpTo { men, in_hand: in_hand.saturating_sub(self.from_ply.into()) }
    }

    /// Returns the distances to keep.
    pub const fn distances(&self) -> Distances {
        match (self.no_distance, self.placing_distance) {
            (true, _) => Distances::None,
            (false, true) => Distances::All,
            (false, false) => Distances::Moving,
        }
    }
}

/// Returns the name of a file without its folder.
pub fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).display().to_string()
}

/// The threads of a subcommand.
#[derive(clap::Args)]
pub struct Threads {
    /// Threads to share the work [default: one for each processor]
    #[arg(long, value_name = "T", value_parser = value_parser!(u16).range(1..=MAX_THREADS as i64))]
    pub threads: Option<u16>,
}

/// The threads of a build, and its memory limit.
#[derive(clap::Args)]
pub struct Resources {
    #[command(flatten)]
    pub threads: Threads,
    /// Most memory to use, in GB; 2 is enough for every sector of every game. Sectors that would need more are
    /// solved with temporary files in the folder, which takes longer
    #[arg(long, value_name = "GB", value_parser = parse_gigabytes)]
    pub memory: Option<u64>,
}

fn parse_gigabytes(text: &str) -> Result<u64, &'static str> {
    let gigabytes =
        text.parse().ok().filter(|gigabytes: &f64| gigabytes.is_finite() && *gigabytes > 0.0);
    gigabytes.map(|gigabytes| (gigabytes * 1e9) as u64).ok_or("not a number above 0")
}

/// The range of men of both sides together in sectors of any game.
pub const MEN: RangeInclusive<i64> =
    2 * RuleSet::FEWEST_MEN as i64..=2 * RuleSet::MEN_TO_FILL_BOARD as i64;
