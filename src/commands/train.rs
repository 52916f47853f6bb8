//! `millstone train`: learning the evaluation.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::ValueHint;
use indicatif::ProgressBar;
use millstone::evaluate::weights::SETS;
use millstone::rules::RuleSet;
use millstone::tablebase::{SectorFile, Tablebase};
use millstone::training::{Figures, Plan};

use super::{CommandResult, terminal};

/// Learn the weights of the evaluation from endgame databases with distances.
///
/// The same seed, number of positions and databases give the same file, which takes the place of
/// `src/evaluate/weights.bin` before the program is built again. Prints for each set of weights how
/// well it explains positions that were kept apart.
#[derive(clap::Args)]
pub struct Arguments {
    /// Folder of the databases
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    databases: PathBuf,
    /// File to write
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    out: PathBuf,
    /// Number that all choices follow from
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Positions for each pair of men counts; half as many games are played for the stages of placing
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    #[arg(value_parser = clap::value_parser!(u32).range(1_000..=100_000_000))]
    positions: u32,
}

/// Learns and writes.
pub fn run(arguments: &Arguments, rules: &RuleSet) -> CommandResult {
    if !rules.is_standard() {
        return Err("train: expected Nine Men's Morris, the only game with databases".into());
    }
    let tablebase = Tablebase::open(&arguments.databases, rules.identity());
    tablebase.take_errors().iter().for_each(|error| eprintln!("millstone: {error}"));
    if !tablebase.files().any(SectorFile::has_distances) {
        let folder = arguments.databases.display();
        return Err(format!("expected databases with distances in {folder}").into());
    }
    let bar = ProgressBar::new(SETS as u64);
    bar.set_style(terminal::bar_style("{bar:30} {pos} of {len} sets  {elapsed}"));
    let plan = Plan { seed: arguments.seed, positions: arguments.positions as usize };
    let lessons = plan.run(&tablebase, &|| bar.inc(1));
    bar.finish_and_clear();
    let mut out = io::stdout().lock();
    writeln!(out, "{:<8} {}", "set", Figures::HEADINGS)?;
    for lesson in &lessons.sets {
        writeln!(out, "{:<8} {}", lesson.name, lesson.figures)?;
    }
    writeln!(out, "{:<8} {}", "mean", lessons.mean())?;
    lessons.write(&arguments.out)?;
    tablebase.take_errors().iter().for_each(|error| eprintln!("millstone: {error}"));
    match lessons.sets.len() {
        SETS => Ok(()),
        sets => Err(format!("{sets} of {SETS} sets learned; the databases lack the rest").into()),
    }
}
