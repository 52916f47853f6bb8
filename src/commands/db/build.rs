//! `millstone db build`: solving the sectors that a folder lacks; and `millstone db compact`: a tablebase without what
//! a probe finds out by looking at moves.

use std::path::{Path, PathBuf};

use clap::ValueHint;
use indicatif::{DecimalBytes, HumanDuration};
use millstone::tablebase::{
    Build, BuildObserver, Compact, Distances, FileError, Job, JobGraph, Scope, Sector, SectorFile,
    Solvable, Statistics,
};
use serde_json::json;

use super::arguments::{Folder, Memory, Sectors, Threads};
use super::reporter::{PASSES, Reporter};
use crate::commands::arguments::sector;
use crate::commands::{CommandResult, Format};

/// Solve the sectors that are missing in a folder.
///
/// Says first how much disk, memory and time it needs. The moving phase comes first, 49 sectors: 1.6 GB of
/// disk and 2.5 GB of memory, those of up to 12 men 0.14 GB. The placing phase, 449 sectors, adds 1 GB. Where the
/// disk has room beside that, values that later sectors need stay on it for a while, up to 3 GB, which saves
/// decoding them. Ctrl-C stops it; the same command continues. A file is there whole or not at all; one that is damaged is
/// renamed and its sector solved again.
///
/// With --sector it does one task of those that millstone db plan lists, in a folder that many machines may
/// share, in which only other tasks work meanwhile. It needs the files of the sectors that the task depends on,
/// and exits with status 3 if one is missing or damaged. A task may run twice at once, or again after a machine is lost: finished sectors are not
/// solved again, and the files are the same byte for byte.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    folder: Folder,
    #[command(flatten)]
    sectors: Sectors,
    /// Solve one sector, such as 7-6 or 9+3-8+4, and its paired sector: men on the board
    /// and in hand of the side to move, then of the other one
    #[arg(long, value_name = "SECTOR", conflicts_with_all = ["max_men", "moving", "from_ply"])]
    sector: Option<String>,
    /// Make a compact tablebase, as millstone db compact does: all sectors are solved in the folder whole.part below
    /// it, whose files go when the compact one is there
    #[arg(long, conflicts_with_all = ["sector", "max_men", "moving", "from_ply", "placing_distance"])]
    compact: bool,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    memory: Memory,
    #[command(flatten)]
    format: Format,
}

/// Builds, and reports progress.
pub fn run(arguments: &Arguments, game: Solvable) -> CommandResult {
    let folder = arguments.folder.path(&game)?;
    let whole = folder.join("whole.part");
    let (target, distances) = if arguments.compact {
        (&whole, Distances::None)
    } else {
        (&folder, arguments.sectors.distances())
    };
    let scope = match &arguments.sector {
        Some(name) => Scope::Task(sector(&game, name)?),
        None => arguments.sectors.scope(&game),
    };
    let build = Build {
        game,
        folder: target.clone(),
        scope,
        distances,
        most_memory: arguments.memory.memory,
    };
    let pool = arguments.threads.pool()?;
    let reporter = Reporter::start(build.folder.clone(), PASSES, arguments.format)?;
    if !arguments.compact {
        return Ok(pool.install(|| build.run(&reporter))?);
    }
    let compact = Compact { game, from: &whole, to: &folder };
    pool.install(|| compact.run(Some(&build), &reporter))?;
    Ok(())
}

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
pub struct CompactArguments {
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
pub fn run_compact(arguments: &CompactArguments, game: Solvable) -> CommandResult {
    let from = arguments.folder.path(&game)?;
    let compact = Compact { game, from: &from, to: &arguments.to };
    let pool = arguments.threads.pool()?;
    let reporter = Reporter::start(arguments.to.clone(), 1, arguments.format)?;
    pool.install(|| compact.run(None, &reporter))?;
    Ok(())
}

impl BuildObserver for Reporter {
    fn start(&self, jobs: &JobGraph) {
        self.bar.reset();
        self.bar.set_length(u64::from(PASSES) * jobs.indices());
        let folder = self.folder.display();
        let Some((_, memory_bytes)) = jobs.memory() else {
            return self.report_nothing_missing(&self.folder);
        };
        let sectors: usize = jobs.jobs.iter().map(|job| job.sectors.len()).sum();
        let (positions, disk_bytes) = (jobs.positions(), jobs.disk());
        let threads = rayon::current_num_threads();
        let time = jobs.time(threads);
        let plan = json!({"plan": {
            "folder": self.folder,
            "sectors": sectors,
            "positions": positions,
            "disk_bytes": disk_bytes,
            "memory_bytes": memory_bytes,
            "seconds": time.as_secs_f64(),
            "threads": threads,
        }});
        let millions = positions as f64 / 1e6;
        let [disk, memory] = [disk_bytes, memory_bytes].map(DecimalBytes);
        let time = HumanDuration(time);
        self.report(
            &plan,
            format_args!(
                "{folder}: sectors missing: {sectors}, with {millions:.1} million positions, \
                 symmetric ones counted once\n\
                 needs about {disk} of disk, {memory} of memory and {time} with {threads} threads"
            ),
        );
    }

    fn set_aside(&self, error: &FileError, name: &Path) {
        let json = json!({"set_aside": {"error": error.to_string(), "name": name}});
        self.report(&json, format_args!("{error}; renamed to {}", name.display()));
    }

    fn start_job(&self, job: &Job) {
        let sectors: Vec<String> = job.sectors.iter().map(ToString::to_string).collect();
        let names = sectors.join(" and ");
        if self.bar.is_hidden() {
            let left = self.time_left();
            let seconds_left = left.map(|left| left.as_secs_f64());
            let json = json!({"solving": {"sectors": sectors, "seconds_left": seconds_left}});
            let left = left.map(|left| format!(", about {} left", HumanDuration(left)));
            self.report(&json, format_args!("solving {names}{}", left.unwrap_or_default()));
        }
        self.bar.set_message(names);
    }

    fn start_compact(&self, folder: &Path, sectors: &[Sector]) {
        self.bar.reset();
        self.bar.set_length(sectors.iter().map(|sector| sector.len() as u64).sum());
        if sectors.is_empty() {
            self.report_nothing_missing(folder);
        }
    }

    fn finish_sector(&self, file: &SectorFile) {
        let (sector, bytes, seconds) = (file.sector(), file.bytes(), self.seconds());
        let Statistics { wins, draws, losses, .. } = *file.statistics();
        let longest = file.statistics().longest();
        let solved = json!({"solved": {
            "sector": sector.to_string(),
            "won": wins,
            "drawn": draws,
            "lost": losses,
            "longest": longest,
            "bytes": bytes,
            "seconds": seconds,
        }});
        let longest = longest.map(|turns| format!(", longest {turns} turns")).unwrap_or_default();
        let (megabytes, seconds) = (bytes as f64 / 1e6, seconds.trunc());
        self.report(
            &solved,
            format_args!(
                "{sector}: {wins} won, {draws} drawn, {losses} lost{longest}, \
                 {megabytes:.1} MB ({seconds:.0} s)"
            ),
        );
    }
}
