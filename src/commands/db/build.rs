//! `millstone db build`: solving the sectors that a folder lacks.

use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use indicatif::{DecimalBytes, HumanDuration, ProgressBar};
use millstone::quote::quote;
use millstone::system::locks::lock;
use millstone::tablebase::{
    Build, BuildObserver, FileError, Job, JobGraph, Scope, SectorFile, Solvable, SolveObserver,
    Statistics,
};
use serde::Serialize;

use super::arguments::{
    Folder, Memory, Sectors, SetAside, Threads, catch_interrupt, is_interrupted, progress_bar,
};
use crate::commands::{CommandResult, json};

/// Solve the sectors that are missing in a folder.
///
/// Says first how much disk, memory and time it needs. The moving phase comes first, 49 sectors: 3.7 GB of
/// disk, 2.5 GB of memory and eleven minutes on two cores, those of up to 12 men 0.3 GB and a minute. The
/// placing phase, 449 sectors, adds 1.6 GB and fourteen minutes. Ctrl-C stops it; the same
/// command continues. A file is there whole or not at all; one that is damaged is renamed and its sector
/// solved again.
///
/// With --sector it does one task of those that millstone db plan lists, in a folder that many machines may
/// share. It needs the files of the sectors that the task depends on, and exits with status 3 if one is
/// missing or damaged. The same task may run twice at once, or again after a machine is lost: what is there is not
/// solved again, and the files are the same byte for byte.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    folder: Folder,
    #[command(flatten)]
    sectors: Sectors,
    /// Solve one sector, such as 7-6 or 9+3-8+4, with the one that play goes to and fro with: men on the board
    /// and in hand of the side to move, then of the other one
    #[arg(long, value_name = "SECTOR", conflicts_with_all = ["max_men", "moving", "from_ply"])]
    sector: Option<String>,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    memory: Memory,
    #[command(flatten)]
    format: json::Format,
}

impl Arguments {
    fn scope(&self, game: &Solvable) -> Result<Scope, String> {
        let Some(name) = &self.sector else { return Ok(self.sectors.scope(game)) };
        let sector = game.sectors().into_iter().find(|sector| sector.to_string() == *name);
        let unknown = || format!("{} has no sector {}", game.rules().name(), quote(name));
        sector.map(Scope::Task).ok_or_else(unknown)
    }
}

/// How often the solver counts each position.
const PASSES: u32 = 2;

/// Builds, and reports progress.
pub fn run(arguments: &Arguments, game: Solvable) -> CommandResult {
    let build = Build {
        game,
        folder: arguments.folder.path(&game)?,
        scope: arguments.scope(&game)?,
        distances: arguments.sectors.distances(),
        most_memory: arguments.memory.memory,
    };
    catch_interrupt()?;
    let pool = arguments.threads.pool()?;
    let reporter = Reporter::new(&build.folder, pool.current_num_threads(), arguments.format);
    let result = pool.install(|| build.run(&reporter));
    reporter.bar.finish_and_clear();
    Ok(result?)
}

/// Reports progress: a bar in a terminal, and a line for each step.
struct Reporter<'a> {
    folder: &'a Path,
    threads: usize,
    format: json::Format,
    bar: ProgressBar,
    begin: Instant,
    /// When the jobs were begun.
    started: Mutex<Instant>,
    done: AtomicU64,
    total: AtomicU64,
}

impl<'a> Reporter<'a> {
    fn new(folder: &'a Path, threads: usize, format: json::Format) -> Self {
        Self {
            folder,
            threads,
            format,
            bar: progress_bar(PASSES),
            begin: Instant::now(),
            started: Mutex::new(Instant::now()),
            done: AtomicU64::new(0),
            total: AtomicU64::new(0),
        }
    }

    fn report(&self, step: &Step) {
        let mut out = io::stdout();
        // A build continues when nobody reads its output.
        let _ = self.bar.suspend(|| {
            if self.format.json { json::write(&mut out, step) } else { writeln!(out, "{step}") }
        });
    }

    /// The seconds that the rest takes at the speed so far; none while too little is done to say.
    fn seconds_left(&self) -> Option<f64> {
        let (done, total) = (self.done.load(Relaxed), self.total.load(Relaxed));
        let started = *lock(&self.started);
        let per_position = started.elapsed().as_secs_f64() / done as f64;
        let left = total.saturating_sub(done) as f64 * per_position;
        (done > total / 100).then_some(left)
    }
}

impl SolveObserver for Reporter<'_> {
    fn advance(&self, positions: u64) {
        self.done.fetch_add(positions, Relaxed);
        self.bar.inc(positions);
    }

    fn should_stop(&self) -> bool {
        is_interrupted()
    }
}

impl BuildObserver for Reporter<'_> {
    fn start(&self, jobs: &JobGraph) {
        let total = u64::from(PASSES) * jobs.indices();
        *lock(&self.started) = Instant::now();
        self.done.store(0, Relaxed);
        self.total.store(total, Relaxed);
        self.bar.set_position(0);
        self.bar.set_length(total);
        self.report(&Step::plan(self.folder.to_owned(), jobs, self.threads));
    }

    fn set_aside(&self, error: &FileError, name: &Path) {
        self.report(&Step::SetAside(SetAside::new(error, name)));
    }

    fn start_job(&self, job: &Job) {
        let sectors: Vec<String> = job.sectors.iter().map(ToString::to_string).collect();
        self.bar.set_message(sectors.join(" and "));
        if self.bar.is_hidden() {
            self.report(&Step::Solving { sectors, seconds_left: self.seconds_left() });
        }
    }

    fn finish_sector(&self, file: &SectorFile) {
        self.report(&Step::solved(file, self.begin.elapsed()));
    }
}

/// A step of a build, as people and as programs read it.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Step {
    /// All sectors are there.
    NothingMissing {
        folder: PathBuf,
    },
    /// Sectors are missing, and solving them needs so much.
    Plan {
        folder: PathBuf,
        sectors: usize,
        positions: u64,
        disk_bytes: u64,
        memory_bytes: u64,
        seconds: f64,
        threads: usize,
    },
    SetAside(SetAside),
    /// Sectors are being solved; how long all that is left takes, if that can be said.
    Solving {
        sectors: Vec<String>,
        seconds_left: Option<f64>,
    },
    /// A sector is solved.
    Solved {
        sector: String,
        won: u64,
        drawn: u64,
        lost: u64,
        longest: Option<u8>,
        bytes: usize,
        seconds: f64,
    },
}

impl Step {
    fn plan(folder: PathBuf, jobs: &JobGraph, threads: usize) -> Self {
        let Some((_, memory_bytes)) = jobs.memory() else {
            return Self::NothingMissing { folder };
        };
        Self::Plan {
            folder,
            sectors: jobs.jobs.iter().map(|job| job.sectors.len()).sum(),
            positions: jobs.positions(),
            disk_bytes: jobs.disk(),
            memory_bytes,
            seconds: jobs.time(threads).as_secs_f64(),
            threads,
        }
    }

    fn solved(file: &SectorFile, time: Duration) -> Self {
        let statistics = file.statistics();
        let Statistics { wins, draws, losses, .. } = *statistics;
        Self::Solved {
            sector: file.sector().to_string(),
            won: wins,
            drawn: draws,
            lost: losses,
            longest: statistics.longest(),
            bytes: file.bytes(),
            seconds: time.as_secs_f64(),
        }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let human = |seconds: f64| HumanDuration(Duration::from_secs_f64(seconds));
        match self {
            Self::NothingMissing { folder } => {
                write!(f, "{}: nothing is missing", folder.display())
            }
            Self::Plan {
                folder,
                sectors,
                positions,
                disk_bytes,
                memory_bytes,
                seconds,
                threads,
            } => {
                let (folder, millions) = (folder.display(), *positions as f64 / 1e6);
                write!(
                    f,
                    "{folder}: sectors missing: {sectors}, with {millions:.1} million positions"
                )?;
                writeln!(f, ", symmetric ones counted once")?;
                let [disk, memory] = [disk_bytes, memory_bytes].map(|bytes| DecimalBytes(*bytes));
                write!(f, "needs about {disk} of disk, {memory} of memory and ")?;
                write!(f, "{} with {threads} threads", human(*seconds))
            }
            Self::SetAside(set_aside) => set_aside.fmt(f),
            Self::Solving { sectors, seconds_left } => {
                write!(f, "solving {}", sectors.join(" and "))?;
                seconds_left.map_or(Ok(()), |left| write!(f, ", about {} left", human(left)))
            }
            Self::Solved { sector, won, drawn, lost, longest, bytes, seconds } => {
                write!(f, "{sector}: {won} won, {drawn} drawn, {lost} lost")?;
                longest.map_or(Ok(()), |turns| write!(f, ", longest {turns} turns"))?;
                write!(f, ", {:.1} MB ({:.0} s)", *bytes as f64 / 1e6, seconds.trunc())
            }
        }
    }
}
