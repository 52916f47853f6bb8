//! Progress of long work on a tablebase: a bar at a terminal, a line for each step; and Ctrl-C.

use std::fmt::{Display, Write};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use indicatif::{DecimalBytes, HumanDuration, ProgressBar, ProgressState};
use millstone::tablebase::{
    BuildObserver, DrawValue, FileError, Job, JobGraph, Sector, SectorFile, SolveObserver,
    Statistics,
};
use serde_json::{Value, json};

use super::Threads;
use crate::commands::{CommandResult, Format, complain, start_threads, terminal};

/// Reports the progress of work. Ctrl-C stops the work; a second one ends the program at once.
pub struct Reporter {
    /// The folder of the tablebase.
    pub folder: PathBuf,
    pub bar: ProgressBar,
    format: Format,
    begin: Instant,
    /// The first failure to write.
    failure: OnceLock<io::Error>,
}

/// The number of times that the solver counts each position.
pub const PASSES: u32 = 2;

impl Reporter {
    /// Starts the threads of the work and its report.
    ///
    /// * `passes`: the number of times that the work counts each position.
    pub fn start(
        folder: &Path,
        passes: u32,
        threads: &Threads,
        format: Format,
    ) -> CommandResult<Self> {
        start_threads(threads.threads.unwrap_or_default())?;
        terminal::stop_with(|| ())?;
        let bar = terminal::bar(0, "{bar:30} {percent:>3} %  {per_sec}  {eta} left  {msg}");
        bar.unset_length();
        let rate = move |state: &ProgressState, out: &mut dyn Write| {
            let positions = state.per_sec() / f64::from(passes);
            let _ = write!(out, "{:.1} million positions/s", positions / 1e6);
        };
        bar.set_style(bar.style().with_key("per_sec", rate));
        let (folder, begin, failure) = (folder.to_owned(), Instant::now(), OnceLock::new());
        Ok(Self { folder, bar, format, begin, failure })
    }

    /// Prints a step as JSON or as text. After a failure to write the work goes on; [`end`](Self::end) fails then.
    pub fn report(&self, json: &Value, text: impl Display) {
        if let Err(error) = self.bar.suspend(|| self.format.write(json, text)) {
            let _ = self.failure.set(error);
        }
    }

    /// Ends the report of finished work; fails if a step could not be printed.
    pub fn end(self) -> CommandResult {
        Ok(self.failure.into_inner().map_or(Ok(()), Err)?)
    }

    /// Reports that a folder is complete.
    pub fn report_nothing_missing(&self, folder: &Path) {
        let json = json!({"nothing_missing": {"folder": folder}});
        self.report(&json, format_args!("{}: nothing is missing", folder.display()));
    }

    /// Reports an error without stopping the work.
    pub fn complain(&self, what: impl Display) {
        self.bar.suspend(|| complain(what));
    }

    /// Estimates the time left from the speed so far; `None` before 1 % is done.
    pub fn time_left(&self) -> Option<Duration> {
        let (done, total) = (self.bar.position(), self.bar.length()?);
        let left = total.saturating_sub(done) as f64 / done as f64;
        (done > total / 100).then(|| self.bar.elapsed().mul_f64(left))
    }
}

impl SolveObserver for Reporter {
    fn advance(&self, positions: u64) {
        self.bar.inc(positions);
    }

    fn should_stop(&self) -> bool {
        terminal::has_stopped()
    }
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
        let text = format!(
            "{folder}: sectors missing: {sectors}, with {millions:.1} million positions, \
             symmetric ones counted once\n\
             needs about {disk} of disk, {memory} of memory and {time} with {threads} threads"
        );
        self.report(&plan, text);
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
        let (sector, bytes, time) = (file.sector(), file.bytes(), self.begin.elapsed());
        let Statistics { wins, draws, losses, .. } = *file.statistics();
        let longest = file.statistics().longest();
        let solved = json!({"solved": {
            "sector": sector.to_string(),
            "won": wins,
            "drawn": draws,
            "lost": losses,
            "longest": longest,
            "bytes": bytes,
            "seconds": time.as_secs_f64(),
        }});
        let longest = longest.map(|turns| format!(", longest {turns} turns")).unwrap_or_default();
        let (megabytes, seconds) = (bytes as f64 / 1e6, time.as_secs());
        let what = format!("{sector}: {wins} won, {draws} drawn, {losses} lost{longest}");
        self.report(&solved, format_args!("{what}, {megabytes:.1} MB ({seconds} s)"));
    }

    fn start_draws(&self, sectors: &[Sector], memory_bytes: u64) {
        let positions: u64 = sectors.iter().map(|sector| sector.len() as u64).sum();
        self.bar.set_length(u64::from(PASSES) * positions);
        let (sectors, memory) = (sectors.len(), DecimalBytes(memory_bytes));
        self.report(
            &json!({"sectors": sectors, "memory_bytes": memory_bytes}),
            format_args!("{sectors} sectors to order, with {memory} of memory"),
        );
    }

    fn finish_draws(&self, file: &SectorFile) {
        let (sector, bytes, time) = (file.sector(), file.draw_bytes(), self.begin.elapsed());
        let drawn: u64 = file.rests().iter().map(|(_, count)| count).sum();
        let rests = file.rests().iter().filter(|(_, count)| *count > 0);
        // The first ones are the worst for the side to move.
        let rests: Vec<(String, u64)> =
            rests.map(|&(rest, count)| (DrawValue { rest, turns: None }.place(), count)).collect();
        let (places, megabytes) = (rests.len(), bytes as f64 / 1e6);
        let json = json!({
            "sector": sector.to_string(),
            "drawn": drawn,
            "rests": rests,
            "bytes": bytes,
            "seconds": time.as_secs_f64(),
        });
        let (rest, seconds) = (format!("to rest in {places} places"), time.as_secs());
        let what = format!("{sector}: {drawn} drawn, {rest}, {megabytes:.1} MB ({seconds} s)");
        self.report(&json, what);
    }
}
