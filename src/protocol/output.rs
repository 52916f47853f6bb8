//! Whole lines to standard output, from any thread, and to a log file if the user wants one.

use std::fmt;
use std::fs::File;
use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use super::error::Error;
use crate::quote::printable;

/// The most characters of an error line, which may quote the user.
const MAX_ERROR: usize = 1000;

/// Where the replies go; clones share it.
#[derive(Clone)]
pub struct Output(Arc<Mutex<Streams>>);

struct Streams {
    out: Box<dyn Write + Send>,
    log: Option<File>,
    is_closed: bool,
}

impl Output {
    /// Replies to standard output.
    pub(super) fn stdout() -> Self {
        Self::to(Box::new(io::stdout()))
    }

    /// Replies to any stream.
    pub(super) fn to(out: Box<dyn Write + Send>) -> Self {
        Self(Arc::new(Mutex::new(Streams { out, log: None, is_closed: false })))
    }

    fn streams(&self) -> std::sync::MutexGuard<'_, Streams> {
        self.0.lock().expect("no thread panics while it holds the lock")
    }

    /// Sends a line, or several with line ends between them.
    pub(super) fn line(&self, line: fmt::Arguments<'_>) {
        let text = line.to_string();
        let streams = &mut *self.streams();
        let sent = writeln!(streams.out, "{text}").and_then(|()| streams.out.flush());
        streams.is_closed |= sent.is_err();
        text.lines().for_each(|line| streams.log("<<", line));
    }

    /// Sends an error line, cut short if it is long.
    pub(super) fn error(&self, error: &Error) {
        let text: String = printable(&error.to_string()).chars().take(MAX_ERROR).collect();
        self.line(format_args!("info string error {text}"));
    }

    /// Whether nobody reads any more.
    pub(super) fn is_closed(&self) -> bool {
        self.streams().is_closed
    }

    /// Copies what is read and written to a file from now on, or stops doing so.
    pub(super) fn log_to(&self, path: &str) -> io::Result<()> {
        let open = || File::options().create(true).append(true).open(path);
        let log = if path.is_empty() { None } else { Some(open()?) };
        self.streams().log = log;
        Ok(())
    }

    /// Notes a line that was read.
    pub(super) fn log_input(&self, line: &str) {
        self.streams().log(">>", line);
    }
}

impl Streams {
    /// A log that cannot be written any more is given up with a warning.
    fn log(&mut self, mark: &str, line: &str) {
        let written = self.log.as_mut().map(|file| writeln!(file, "{mark} {line}"));
        if let Some(Err(error)) = written {
            log::warn!("the debug log file is closed: {error}");
            self.log = None;
        }
    }
}
