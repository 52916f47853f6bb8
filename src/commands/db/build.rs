//! `millstone db build`: solving what is missing.

use std::io::{self, Write};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use indicatif::ProgressBar;
use millstone::tablebase::{Build, FileError, Follower, Plan, Sector, SectorFile, Watcher};

use super::step::Step;
use super::{Folder, MEN, Threads, progress};
use crate::commands::{CommandResult, json};

/// Solve the sectors that are missing in a folder.
///
/// Tells beforehand how much disk, memory and time it needs. Ctrl-C stops it; the same command goes
/// on with the sector that it was at.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    folder: Folder,
    /// Most men of both sides together
    #[arg(long, value_name = "N", default_value_t = Sector::MOST_MEN as u8)]
    #[arg(value_parser = clap::value_parser!(u8).range(MEN))]
    max_men: u8,
    #[command(flatten)]
    threads: Threads,
    /// Most memory to use, in GB
    #[arg(long, value_name = "GB", value_parser = parse_gigabytes)]
    memory: Option<u64>,
    /// Keep wins, draws and losses without distances, which takes two fifths of the disk
    #[arg(long)]
    no_distance: bool,
    #[command(flatten)]
    format: json::Format,
}

fn parse_gigabytes(text: &str) -> Result<u64, &'static str> {
    let gigabytes =
        text.parse().ok().filter(|gigabytes: &f64| gigabytes.is_finite() && *gigabytes > 0.0);
    gigabytes.map(|gigabytes| (gigabytes * 1e9) as u64).ok_or("expected a number above 0")
}

/// How often a solver goes through each position.
const PASSES: u32 = 2;

/// Builds, telling of progress.
pub fn run(arguments: &Arguments) -> CommandResult {
    let build = Build {
        folder: arguments.folder.path()?,
        most_men: arguments.max_men.into(),
        has_distances: !arguments.no_distance,
        most_memory: arguments.memory,
    };
    progress::catch_interrupt()?;
    let pool = arguments.threads.pool()?;
    let reporter = Reporter::new(&build.folder, pool.current_num_threads(), arguments.format);
    let result = pool.install(|| build.run(&reporter));
    reporter.bar.finish_and_clear();
    Ok(result?)
}

/// Tells of progress: a bar in a terminal, a line for each step anywhere.
struct Reporter<'a> {
    folder: &'a Path,
    threads: usize,
    format: json::Format,
    bar: ProgressBar,
    begin: Instant,
    /// When what is to be done was last told.
    planned: Mutex<Instant>,
    done: AtomicU64,
    total: AtomicU64,
}

impl<'a> Reporter<'a> {
    fn new(folder: &'a Path, threads: usize, format: json::Format) -> Self {
        Self {
            folder,
            threads,
            format,
            bar: progress::bar(PASSES),
            begin: Instant::now(),
            planned: Mutex::new(Instant::now()),
            done: AtomicU64::new(0),
            total: AtomicU64::new(0),
        }
    }

    fn tell(&self, step: &Step) {
        let mut out = io::stdout();
        // A build goes on when nobody reads of it.
        let _ = self.bar.suspend(|| {
            if self.format.json { json::write(&mut out, step) } else { writeln!(out, "{step}") }
        });
    }

    /// The seconds that the rest takes at the speed so far, once that says something.
    fn seconds_left(&self) -> Option<f64> {
        let (done, total) = (self.done.load(Relaxed), self.total.load(Relaxed));
        let planned = *self.planned.lock().expect("no thread panics while it holds the lock");
        let per_position = planned.elapsed().as_secs_f64() / done as f64;
        let left = total.saturating_sub(done) as f64 * per_position;
        (done > total / 100).then_some(left)
    }
}

impl Watcher for Reporter<'_> {
    fn advance(&self, positions: u64) {
        self.done.fetch_add(positions, Relaxed);
        self.bar.inc(positions);
    }

    fn should_stop(&self) -> bool {
        progress::is_interrupted()
    }
}

impl Follower for Reporter<'_> {
    fn plans(&self, plan: &Plan) {
        let total = u64::from(PASSES) * plan.positions();
        *self.planned.lock().expect("no thread panics while it holds the lock") = Instant::now();
        self.done.store(0, Relaxed);
        self.total.store(total, Relaxed);
        self.bar.set_position(0);
        self.bar.set_length(total);
        self.tell(&Step::plan(self.folder.to_owned(), plan, self.threads));
    }

    fn sets_aside(&self, error: &FileError, name: &Path) {
        self.tell(&Step::SetAside { error: error.to_string(), name: name.to_owned() });
    }

    fn begins(&self, pair: &[Sector]) {
        let sectors: Vec<String> = pair.iter().map(ToString::to_string).collect();
        self.bar.set_message(sectors.join(" and "));
        if self.bar.is_hidden() {
            self.tell(&Step::Solving { sectors, seconds_left: self.seconds_left() });
        }
    }

    fn wrote(&self, file: &SectorFile) {
        self.tell(&Step::solved(file, self.begin.elapsed()));
    }
}
