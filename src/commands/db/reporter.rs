//! The progress of long work on a tablebase: a bar in a terminal, a line for each step, and Ctrl-C.

use std::fmt::{Display, Write};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressState};
use millstone::tablebase::SolveObserver;
use serde_json::{Value, json};

use crate::commands::{Format, complain, signals, terminal};

/// Shows the progress of work, which Ctrl-C stops; pressed again it ends the program.
pub struct Reporter {
    /// The folder that is worked on.
    pub folder: PathBuf,
    pub bar: ProgressBar,
    format: Format,
    begin: Instant,
}

/// How often the solver counts each position.
pub const PASSES: u32 = 2;

/// Set when the user presses Ctrl-C.
static STOP: AtomicBool = AtomicBool::new(false);

impl Reporter {
    /// Starts the bar of work that counts each position `passes` times.
    pub fn start(folder: PathBuf, passes: u32, format: Format) -> io::Result<Self> {
        signals::stop_with(|| STOP.store(true, Relaxed))?;
        let style = terminal::bar_style("{bar:30} {percent:>3} %  {per_sec}  {eta} left  {msg}");
        let rate = move |state: &ProgressState, out: &mut dyn Write| {
            let positions = state.per_sec() / f64::from(passes);
            let _ = write!(out, "{:.1} million positions/s", positions / 1e6);
        };
        let bar = ProgressBar::no_length().with_style(style.with_key("per_sec", rate));
        Ok(Self { folder, bar, format, begin: Instant::now() })
    }

    /// Prints a step as JSON or as text. The work goes on when nobody reads that.
    pub fn report(&self, json: &Value, text: impl Display) {
        let _ = self.bar.suspend(|| self.format.write(&mut io::stdout(), json, text));
    }

    /// Reports that a folder has everything.
    pub fn report_nothing_missing(&self, folder: &Path) {
        let json = json!({"nothing_missing": {"folder": folder}});
        self.report(&json, format_args!("{}: nothing is missing", folder.display()));
    }

    /// Reports an error; the work goes on.
    pub fn complain(&self, what: impl Display) {
        self.bar.suspend(|| complain(what));
    }

    /// How long the rest takes at the speed so far; `None` before a hundredth is done.
    pub fn time_left(&self) -> Option<Duration> {
        let (done, total) = (self.bar.position(), self.bar.length()?);
        let left = total.saturating_sub(done) as f64 / done as f64;
        (done > total / 100).then(|| self.bar.elapsed().mul_f64(left))
    }

    /// The seconds since the work began.
    pub fn seconds(&self) -> f64 {
        self.begin.elapsed().as_secs_f64()
    }
}

impl SolveObserver for Reporter {
    fn advance(&self, positions: u64) {
        self.bar.inc(positions);
    }

    fn should_stop(&self) -> bool {
        STOP.load(Relaxed)
    }
}
