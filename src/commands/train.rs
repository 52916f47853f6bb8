//! `millstone train`: trains the evaluation.

use std::io::{self, Write};
use std::path::{self, PathBuf};

use clap::ValueHint;
use millstone::rules::RuleSet;
use millstone::system::{regular_file, whole_file};
use millstone::tablebase::{SectorFile, Solvable, Tablebase};
use millstone::training::{Metrics, Training};

use super::{CommandResult, at, complain, ensure, start_threads, terminal};

/// Train the evaluation of a game from its tablebase.
///
/// Writes a new `src/evaluate/weights.bin`, or `weights_with_diagonals.bin` for a game on the board with
/// diagonals; rebuild the program to use it. Sets of weights that the game does not have, or whose sector
/// files are missing, keep their values. The moving phase needs distances. The same seed, number of
/// positions and tablebase give the same file. For each set of weights the program prints how well it
/// predicts held-out positions. With the default number of positions, Nine Men's Morris takes about half
/// an hour.
#[derive(clap::Args)]
pub struct Arguments {
    /// Tablebase folder
    #[arg(long, alias = "databases", value_name = "DIR", value_hint = ValueHint::DirPath)]
    tablebase: PathBuf,
    /// File to write
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    out: PathBuf,
    /// Seed of all random choices
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Positions for each pair of men counts; the stages of placing take half as many games
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    #[arg(value_parser = clap::value_parser!(u32).range(1_000..=100_000_000))]
    positions: u32,
    /// Train only the stages of placing; the other sets keep their values
    #[arg(long)]
    placing: bool,
}

/// Trains, writes the file and prints the metrics.
pub fn run(arguments: &Arguments, rules: &RuleSet) -> CommandResult {
    let game = Solvable::of(rules)?;
    let folder = arguments.tablebase.display();
    let report = &mut |error| complain(error);
    let tablebase = Tablebase::open(&arguments.tablebase, game, report)?;
    let has_all = arguments.placing || tablebase.files().any(SectorFile::has_distances);
    ensure(has_all, format!("{folder}: no sector files with distances"))?;
    let is_folder = whole_file::folder(&arguments.out).is_dir();
    let is_folder_name = arguments.out.to_string_lossy().ends_with(path::is_separator);
    let may_be_file = is_folder && !is_folder_name && regular_file::check(&arguments.out).is_ok();
    ensure(may_be_file, at(&arguments.out)("cannot write a file there"))?;
    start_threads(0)?;
    let training = Training {
        seed: arguments.seed,
        positions: arguments.positions as usize,
        placing_only: arguments.placing,
    };
    let wanted = training.count_sets(&game);
    let bar = terminal::bar(wanted as u64, "{bar:30} {pos} of {len} sets  {elapsed}");
    let trained = training.run(&tablebase, &|| bar.inc(1));
    bar.finish_and_clear();
    let titles = ["<set", "held out", "log loss", "constant", "win>draw", "draw>loss"];
    let rows = trained.sets.iter().map(|set| row(&set.name, &set.metrics));
    let rows = rows.chain([row("mean", &trained.mean())]);
    let written = trained.write(&arguments.out).map_err(at(&arguments.out));
    let printed = writeln!(io::stdout(), "{}", terminal::table(&titles, rows));
    written?;
    printed?;
    tablebase.take_damage().iter().for_each(complain);
    let sets = trained.sets.len();
    let trained = format!("{sets} of {wanted} sets trained");
    ensure(sets == wanted, format!("{folder}: sector files are missing; {trained}"))
}

fn row(name: &str, metrics: &Metrics) -> [String; 6] {
    [
        name.to_owned(),
        metrics.examples.to_string(),
        format!("{:.4}", metrics.log_loss),
        format!("{:.4}", metrics.constant_log_loss),
        terminal::percent(metrics.wins_over_draws),
        terminal::percent(metrics.draws_over_losses),
    ]
}
