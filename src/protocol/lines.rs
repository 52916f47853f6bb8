//! Input lines from an arbitrary stream, and output lines from any thread.

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, Read, Write};
use std::sync::{Arc, Mutex};

use super::command::Error;
use crate::quote::printable;
use crate::system::locks::lock;
use crate::system::regular_file;

/// The most bytes of a line, far more than the longest game.
const MAX_LINE: usize = 1 << 20;
/// The bytes that are kept of a rejected line.
const KEPT_OF_REFUSED: usize = 40;
/// The most characters of an error line.
const MAX_ERROR: usize = 1000;

/// The next line of a stream, trimmed, or the beginning of a bad line and what is wrong with it; `None` at
/// the end. A stream that fails has ended.
pub(super) fn next_line(stream: &mut impl BufRead) -> Option<(String, Result<(), Error>)> {
    let mut bytes = Vec::new();
    let mut most = stream.by_ref().take(MAX_LINE as u64 + 1);
    most.read_until(b'\n', &mut bytes).ok().filter(|read| *read > 0)?;
    let error = if bytes.len() > MAX_LINE {
        if bytes.last() != Some(&b'\n') {
            stream.skip_until(b'\n').ok()?;
        }
        format!("the line is longer than {MAX_LINE} bytes")
    } else if let Ok(text) = str::from_utf8(&bytes) {
        return Some((text.trim().to_owned(), Ok(())));
    } else {
        "the line is not UTF-8".to_owned()
    };
    bytes.truncate(KEPT_OF_REFUSED);
    let beginning = String::from_utf8_lossy(&bytes).trim().to_owned();
    Some((beginning, Err(Error::refused(error))))
}

/// The output stream, optionally copied to a log file; clones share it.
#[derive(Clone)]
pub(super) struct Output(Arc<Mutex<Streams>>);

struct Streams {
    out: Box<dyn Write + Send>,
    log: Option<File>,
    /// The first error of writing.
    failure: Option<io::Error>,
}

impl Output {
    /// An output to a stream.
    pub(super) fn new(out: impl Write + Send + 'static) -> Self {
        let streams = Streams { out: Box::new(out), log: None, failure: None };
        Self(Arc::new(Mutex::new(streams)))
    }

    /// Sends one or several lines.
    pub(super) fn line(&self, line: impl fmt::Display) {
        let text = line.to_string();
        let streams = &mut *lock(&self.0);
        let sent = writeln!(streams.out, "{text}").and_then(|()| streams.out.flush());
        streams.failure = streams.failure.take().or(sent.err());
        text.lines().for_each(|line| streams.log("<<", line));
    }

    /// Sends an error line, truncated if it is long.
    pub(super) fn error(&self, error: &Error) {
        let text: String = printable(&error.to_string()).chars().take(MAX_ERROR).collect();
        self.line(format_args!("info string error {text}"));
    }

    /// Whether writing has failed.
    pub(super) fn has_failed(&self) -> bool {
        lock(&self.0).failure.is_some()
    }

    /// The first error of writing, if any.
    pub(super) fn take_failure(&self) -> Option<io::Error> {
        lock(&self.0).failure.take()
    }

    /// Starts copying input and output to a file, or stops if the path is empty.
    pub(super) fn log_to(&self, path: &str) -> io::Result<()> {
        let open =
            || regular_file::open_with(File::options().create(true).append(true), path.as_ref());
        let log = if path.is_empty() { None } else { Some(open()?) };
        lock(&self.0).log = log;
        Ok(())
    }

    /// Copies an input line to the log file.
    pub(super) fn log_input(&self, line: &str) {
        lock(&self.0).log(">>", line);
    }
}

impl Streams {
    /// Writes to the log file; closes it with a warning if that fails.
    fn log(&mut self, mark: &str, line: &str) {
        let written = self.log.as_mut().map(|file| writeln!(file, "{mark} {line}"));
        if let Some(Err(error)) = written {
            log::warn!("the debug log file is closed: {error}");
            self.log = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_lines_are_named_and_the_next_one_is_read() {
        let long = "x".repeat(MAX_LINE + 1);
        let stream = format!("  uci \r\n{long}\n{}\nisready", "y".repeat(MAX_LINE - 1));
        let mut bytes = stream.into_bytes();
        bytes.extend(b"\n\xFF\xFE\nquit");
        let mut stream = &bytes[..];
        let mut next = || match next_line(&mut stream) {
            Some((text, Ok(()))) if text.len() > 100 => "long".to_owned(),
            Some((text, Ok(()))) => text,
            Some((_, Err(error))) => error.to_string(),
            None => "end".to_owned(),
        };
        assert_eq!(next(), "uci");
        assert_eq!(next(), "the line is longer than 1048576 bytes");
        assert_eq!(next(), "long");
        assert_eq!(next(), "isready");
        assert_eq!(next(), "the line is not UTF-8");
        assert_eq!(next(), "quit");
        assert_eq!(next(), "end");
    }
}
