//! What long work in the databases shares: a bar, and an end when the user wants one.

use std::fmt::Write;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use indicatif::{ProgressBar, ProgressState};

use crate::commands::terminal;

/// Set when the user presses Ctrl-C.
static STOP: AtomicBool = AtomicBool::new(false);

/// Makes Ctrl-C break off the work and not the program.
pub fn catch_interrupt() -> Result<(), ctrlc::Error> {
    ctrlc::set_handler(|| STOP.store(true, Relaxed))
}

/// Whether the user wants an end.
pub fn is_interrupted() -> bool {
    STOP.load(Relaxed)
}

/// A bar for work that goes through each position so many times.
pub fn bar(passes: u32) -> ProgressBar {
    let style = terminal::bar_style("{bar:30} {percent:>3} %  {per_sec}  {eta} left  {msg}");
    let rate = move |state: &ProgressState, out: &mut dyn Write| {
        let positions = state.per_sec() / f64::from(passes);
        let _ = write!(out, "{:.1} million positions/s", positions / 1e6);
    };
    ProgressBar::no_length().with_style(style.with_key("per_sec", rate))
}
