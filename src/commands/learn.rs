//! `millstone learn`: the learning file.

use std::path::PathBuf;

use clap::ValueHint;
use millstone::learning::{LearnedPositions, LearningFile, preset_of};
use millstone::rules::Identity;
use millstone::score::ScoreKind;
use serde_json::{Value, json};

use super::{CommandResult, Format, complain, ensure, terminal};

/// Count learned positions.
///
/// With the protocol option Learning on, the engine learns positions in which it finds a win or a
/// loss, or a score that it did not expect. It keeps them in a text file, and later games start
/// with them.
#[derive(clap::Subcommand)]
#[command(after_long_help = file_help())]
pub enum Command {
    /// Count the positions of each game: wins, losses, estimates, search depths.
    Stats {
        /// Learning file [default: the engine's]
        #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
        file: Option<PathBuf>,
        #[command(flatten)]
        format: Format,
    },
}

fn file_help() -> String {
    format!(
        "The engine's file is {} in the user's data folder, or beside the program if there is one \
         already, unless the protocol option LearningFile names another. It keeps at most {} \
         positions. Engines may share it.\n\n\
         It is text with one position a line; while no engine runs, other tools can merge and prune it:\n\n  \
         LC_ALL=C sort -u one.txt other.txt > merged.txt\n  \
         grep -E '^#|win|loss' merged.txt > decided.txt",
        LearningFile::DEFAULT_NAME,
        LearnedPositions::MAX
    )
}

/// Runs the subcommand.
pub fn run(command: &Command) -> CommandResult {
    let Command::Stats { file, format } = command;
    let path = file.clone().or_else(LearningFile::default_path);
    let path = path.ok_or("this system has no user data folder; name a learning file")?;
    let file = LearningFile::new(&path);
    let missing = format!("learning file {}: no such file", path.display());
    ensure(file.stamp().is_some(), missing)?;
    let contents = file.read()?;
    contents.damage.iter().for_each(complain);
    let positions = &contents.positions;
    let (games, rows): (Vec<Value>, Vec<_>) =
        positions.games().into_iter().map(|game| row(positions, game)).unzip();
    let (count, most) = (positions.len(), LearnedPositions::MAX);
    let json = json!({"file": path.display().to_string(), "positions": count, "most": most, "games": games});
    let mut text = format!("{}: positions: {count}, at most {most}", path.display());
    if !rows.is_empty() {
        let titles = ["<game", "positions", "won", "lost", "estimates", "depth", "deepest"];
        text.push('\n');
        text += &terminal::table(&titles, rows);
    }
    Ok(format.write(&json, text)?)
}

/// The learned positions of a game, as JSON and as the cells of a row.
fn row(positions: &LearnedPositions, game: Identity) -> (Value, [String; 7]) {
    let of_game: Vec<_> =
        positions.iter().filter(|learned| learned.position.game == game).collect();
    let kinds = || of_game.iter().map(|learned| learned.result.score.kind());
    let wins = kinds().filter(|kind| matches!(kind, ScoreKind::MateIn(_))).count();
    let losses = kinds().filter(|kind| matches!(kind, ScoreKind::MatedIn(_))).count();
    let estimates = kinds().filter(|kind| matches!(kind, ScoreKind::Estimate(_))).count();
    let depths = || of_game.iter().map(|learned| learned.result.depth);
    let deepest = depths().max().unwrap_or_default();
    let mean_depth = depths().map(f64::from).sum::<f64>() / of_game.len().max(1) as f64;
    let name = preset_of(game).map(|preset| preset.name);
    let json = json!({
        "identity": game,
        "name": name,
        "positions": of_game.len(),
        "wins": wins,
        "losses": losses,
        "estimates": estimates,
        "mean_depth": mean_depth,
        "deepest": deepest,
    });
    let name = name.map_or_else(|| game.to_string(), str::to_owned);
    let [positions, wins, losses, estimates] =
        [of_game.len(), wins, losses, estimates].map(|count| count.to_string());
    let depth = format!("{mean_depth:.1}");
    (json, [name, positions, wins, losses, estimates, depth, deepest.to_string()])
}
