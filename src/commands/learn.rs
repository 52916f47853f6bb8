//! `millstone learn`: the learning file.

use std::error::Error;
use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::ValueHint;
use millstone::learning::{
    CanonicalPosition, Contents, LearnedPosition, LearnedPositions, LearningError, LearningFile,
    preset_of,
};
use millstone::position::Position;
use millstone::rules::{Identity, RuleSet};
use millstone::score::ScoreKind;
use millstone::system::whole_file::with_suffix;
use serde::Serialize;

use super::{CommandResult, complain, json, terminal};

/// Count, merge, prune or forget learned positions.
///
/// With the protocol option Learning on, the engine learns positions in which it finds a win or a
/// loss, or a score that it did not expect. It keeps them in a text file, and later games start
/// with them.
#[derive(clap::Args)]
#[command(after_long_help = file_help())]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    Stats(StatsArguments),
    Merge(MergeArguments),
    Prune(PruneArguments),
    Forget(ForgetArguments),
}

/// Count the positions of each game: wins, losses, estimates, search depths.
#[derive(clap::Args)]
struct StatsArguments {
    #[command(flatten)]
    chosen: Chosen,
    #[command(flatten)]
    format: json::Format,
}

/// Add the positions of files to a file, which may be new.
///
/// Of two results for a position the better one stays: a win or loss before an estimate, then the
/// deeper search. Engines that use the file at the same time lose nothing. Bad lines of the files
/// are reported and left out, so a damaged file is repaired by merging it into a new one.
#[derive(clap::Args)]
struct MergeArguments {
    /// Files to read
    #[arg(value_name = "FILE", required = true, value_hint = ValueHint::FilePath)]
    from: Vec<PathBuf>,
    /// File to add to [default: the engine's]
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    out: Option<PathBuf>,
    #[command(flatten)]
    format: json::Format,
}

/// Remove the least useful positions.
///
/// Estimates go before wins and losses, then what a shallow search finds again, then estimates near
/// zero.
#[derive(clap::Args)]
struct PruneArguments {
    #[command(flatten)]
    chosen: Chosen,
    /// Positions to keep
    #[arg(long, value_name = "N", default_value_t = LearnedPositions::MAX)]
    keep: usize,
    #[command(flatten)]
    format: json::Format,
}

/// Remove one position or all.
///
/// They are moved to a file of their own, with .forgotten added to the name, from which merge can
/// bring them back. An engine that is running keeps what it has read until it ends.
#[derive(clap::Args)]
struct ForgetArguments {
    #[command(flatten)]
    chosen: Chosen,
    #[command(flatten)]
    what: Forgotten,
    #[command(flatten)]
    format: json::Format,
}

#[derive(clap::Args)]
#[group(required = true, multiple = false)]
struct Forgotten {
    /// Forget this position and all symmetric ones, given as position text or MFEN
    #[arg(long, value_name = "FEN")]
    position: Option<String>,
    /// Forget all positions of all games
    #[arg(long)]
    all: bool,
}

/// The file that a subcommand works with.
#[derive(clap::Args)]
struct Chosen {
    /// Learning file [default: the engine's]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    file: Option<PathBuf>,
}

fn file_help() -> String {
    format!(
        "The engine's file is {} in the user's data folder, or beside the program if there is one \
         already, unless the protocol option LearningFile names another. It keeps at most {} \
         positions. Engines may share it.",
        LearningFile::DEFAULT_NAME,
        LearnedPositions::MAX
    )
}

/// Runs the subcommand.
pub fn run(arguments: &Arguments, rules: &RuleSet) -> CommandResult {
    match &arguments.command {
        Command::Stats(arguments) => stats(arguments),
        Command::Merge(arguments) => merge(arguments),
        Command::Prune(arguments) => prune(arguments),
        Command::Forget(arguments) => forget(arguments, rules),
    }
}

fn stats(arguments: &StatsArguments) -> CommandResult {
    let file = existing(arguments.chosen.file.as_deref())?;
    let positions = read(&file)?;
    let games = positions.games().into_iter().map(|game| GameStats::of(&positions, game));
    let stats = Stats {
        games: games.collect(),
        file: display(&file),
        positions: positions.len(),
        most: LearnedPositions::MAX,
    };
    print(arguments.format, &stats)
}

fn merge(arguments: &MergeArguments) -> CommandResult {
    let mut positions = LearnedPositions::default();
    for path in &arguments.from {
        positions.extend(read(&existing(Some(path))?)?.iter());
    }
    let out = file_or_default(arguments.out.as_deref())?;
    let positions = out.add(&positions)?.positions.len();
    print(arguments.format, &Merged { file: display(&out), positions })
}

fn prune(arguments: &PruneArguments) -> CommandResult {
    let file = existing(arguments.chosen.file.as_deref())?;
    let (left_out, contents) = file.change(|positions| positions.prune(arguments.keep))?;
    let kept = contents.positions.len();
    print(arguments.format, &Pruned { file: display(&file), left_out, kept })
}

fn forget(arguments: &ForgetArguments, rules: &RuleSet) -> CommandResult {
    let file = existing(arguments.chosen.file.as_deref())?;
    let chosen = match &arguments.what.position {
        Some(text) => Some(CanonicalPosition::of(&Position::from_text(text, *rules)?).0),
        None => None,
    };
    let is_chosen = |learned: &LearnedPosition| {
        chosen.as_ref().is_none_or(|position| learned.position == *position)
    };
    let aside = LearningFile::new(with_suffix(file.path(), ".forgotten"));
    let (forgotten, contents) = file.change(|positions| {
        let forgotten: LearnedPositions = positions.iter().filter(is_chosen).collect();
        // Nothing is forgotten unless it is safe in the other file.
        if !forgotten.is_empty() {
            // That file keeps everything, however much it has.
            aside.change(|all| all.extend(forgotten.iter()))?;
        }
        for learned in forgotten.iter() {
            positions.remove(&learned.position);
        }
        Ok::<usize, LearningError>(forgotten.len())
    })?;
    let forgotten = forgotten?;
    if forgotten == 0 {
        let missing = if chosen.is_some() { "no such position" } else { "no positions" };
        return Err(format!("learning file {}: {missing}", display(&file)).into());
    }
    let left = contents.positions.len();
    let [file, aside] = [display(&file), display(&aside)];
    print(arguments.format, &Moved { file, forgotten, left, aside })
}

fn file_or_default(path: Option<&Path>) -> Result<LearningFile, &'static str> {
    let path = path.map(Path::to_owned).or_else(LearningFile::default_path);
    path.map(LearningFile::new).ok_or("this system has no user data folder; name a learning file")
}

fn existing(path: Option<&Path>) -> Result<LearningFile, Box<dyn Error>> {
    let file = file_or_default(path)?;
    match file.stamp() {
        Some(_) => Ok(file),
        None => Err(format!("learning file {}: no such file", display(&file)).into()),
    }
}

/// The positions of a file; bad lines are reported on standard error.
fn read(file: &LearningFile) -> Result<LearnedPositions, LearningError> {
    let Contents { positions, damage, .. } = file.read()?;
    if let Some(damage) = damage {
        complain(LearningError::Damaged { path: file.path().into(), damage });
    }
    Ok(positions)
}

fn display(file: &LearningFile) -> String {
    file.path().display().to_string()
}

fn print(format: json::Format, outcome: &(impl Serialize + fmt::Display)) -> CommandResult {
    let mut out = io::stdout().lock();
    if format.json {
        json::write(&mut out, outcome)?;
    } else {
        writeln!(out, "{outcome}")?;
    }
    Ok(())
}

#[derive(Serialize)]
struct Stats {
    file: String,
    positions: usize,
    most: usize,
    games: Vec<GameStats>,
}

/// The positions of one game.
#[derive(Serialize)]
struct GameStats {
    identity: String,
    name: Option<&'static str>,
    positions: usize,
    wins: usize,
    losses: usize,
    estimates: usize,
    mean_depth: f64,
    deepest: u8,
}

#[derive(Serialize)]
struct Merged {
    file: String,
    positions: usize,
}

#[derive(Serialize)]
struct Pruned {
    file: String,
    left_out: usize,
    kept: usize,
}

/// The positions that `forget` has moved to another file.
#[derive(Serialize)]
struct Moved {
    file: String,
    forgotten: usize,
    left: usize,
    aside: String,
}

impl GameStats {
    fn of(positions: &LearnedPositions, game: Identity) -> Self {
        let of_game: Vec<LearnedPosition> =
            positions.iter().filter(|learned| learned.position.game == game).collect();
        let count = |is_kind: fn(ScoreKind) -> bool| {
            of_game.iter().filter(|learned| is_kind(learned.result.score.kind())).count()
        };
        let depths = || of_game.iter().map(|learned| learned.result.depth);
        Self {
            identity: game.to_string(),
            name: preset_of(game).map(|preset| preset.name),
            positions: of_game.len(),
            wins: count(|kind| matches!(kind, ScoreKind::MateIn(_))),
            losses: count(|kind| matches!(kind, ScoreKind::MatedIn(_))),
            estimates: count(|kind| matches!(kind, ScoreKind::Estimate(_))),
            mean_depth: depths().map(f64::from).sum::<f64>() / of_game.len().max(1) as f64,
            deepest: depths().max().unwrap_or_default(),
        }
    }
}

impl fmt::Display for Stats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: positions: {}, at most {}", self.file, self.positions, self.most)?;
        if self.games.is_empty() {
            return Ok(());
        }
        let titles = ["<game", "positions", "won", "lost", "estimates", "depth", "deepest"];
        let rows = self.games.iter().map(|game| {
            let GameStats { positions, wins, losses, estimates, mean_depth, deepest, .. } = game;
            let name = game.name.unwrap_or(&game.identity).to_owned();
            let [positions, wins, losses, estimates] =
                [positions, wins, losses, estimates].map(ToString::to_string);
            let (depth, deepest) = (format!("{mean_depth:.1}"), deepest.to_string());
            [name, positions, wins, losses, estimates, depth, deepest]
        });
        write!(f, "\n{}", terminal::table(&titles, rows))
    }
}

impl fmt::Display for Merged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: positions: {}", self.file, self.positions)
    }
}

impl fmt::Display for Pruned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: positions removed: {}, kept: {}", self.file, self.left_out, self.kept)
    }
}

impl fmt::Display for Moved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, forgotten, left, aside } = self;
        write!(f, "{file}: positions forgotten: {forgotten}, left: {left}; moved to {aside}")
    }
}
