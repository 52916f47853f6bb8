//! `millstone db compact`: a tablebase without what a probe finds out by looking at moves.

use std::path::PathBuf;

use clap::ValueHint;
use millstone::tablebase::{Compact, Solvable};
use rayon::ThreadPool;

use super::arguments::{Folder, Threads};
use super::reporter::Reporter;
use crate::commands::CommandResult;
use crate::commands::json::Format;

/// Make a compact tablebase of a whole one.
///
/// It gives the same wins, draws and losses from a fraction of the disk, without distances. Sectors that one move
/// answers have no file, and in the placing phase a probe looks at the moves that remove a man. So a probe takes
/// several times as long, and a search asks only for what is stored as it is. Nothing can be built of a compact
/// tablebase.
///
/// The folder gets a list of the files, index.txt, with the bytes and the CRC-32 of each. Ctrl-C stops it; the
/// same command continues.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    folder: Folder,
    /// Folder of the compact tablebase
    #[arg(value_name = "TO", value_hint = ValueHint::DirPath)]
    to: PathBuf,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    format: Format,
}

/// Writes what the folder lacks, and reports progress.
pub fn run(arguments: &Arguments, game: Solvable) -> CommandResult {
    let from = arguments.folder.path(&game)?;
    let compact = Compact { game, from: &from, to: &arguments.to };
    let pool = arguments.threads.pool()?;
    let reporter = Reporter::start(arguments.to.clone(), 1, arguments.format)?;
    write(&compact, &pool, &reporter)
}

/// Writes what a compact tablebase lacks, and reports each sector.
pub fn write(compact: &Compact<'_>, pool: &ThreadPool, reporter: &Reporter) -> CommandResult {
    reporter.bar.reset();
    reporter.bar.set_length(compact.sectors().map(|sector| sector.len() as u64).sum());
    if pool.install(|| compact.run(reporter))? == 0 {
        reporter.report_nothing_missing(compact.to);
    }
    Ok(())
}
