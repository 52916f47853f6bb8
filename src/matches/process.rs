//! An engine process: lines in, lines out, and no wait without a limit.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::engine_config::EngineConfig;
use super::process_group::{Child, Processes, wait_until};
use crate::system::locks::lock;

/// The number of last lines in the report of an error.
const LINES_KEPT: usize = 20;
/// The most characters kept of such a line.
const KEPT_OF_LINE: usize = 200;
/// The most bytes of a line; longer ones are split.
const LONGEST_LINE: u64 = 1 << 16;
/// The number of unread lines after which the engine is blocked.
const LINES_WAITING: usize = 1024;
/// How long to wait until an engine ends or closes its output.
const QUIT_TIME: Duration = Duration::from_millis(500);

/// A line of output and the time it arrived.
pub(super) type Line = (String, Instant);

/// A running engine, ended on drop.
#[derive(Debug)]
pub(super) struct EngineProcess {
    processes: Processes,
    child: Child,
    input: Option<Sender<String>>,
    lines: Receiver<Line>,
    /// Reads standard error to its end.
    errors: Option<JoinHandle<()>>,
    last_lines: Arc<Mutex<VecDeque<String>>>,
}

impl EngineProcess {
    pub(super) fn start(config: &EngineConfig, processes: &Processes) -> io::Result<Self> {
        let [program, arguments @ ..] = &config.command[..] else {
            return Err(io::ErrorKind::InvalidInput.into());
        };
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(folder) = &config.folder {
            command.current_dir(folder);
        }
        let child = processes.spawn(command)?;
        let (stdin, stdout, stderr) = {
            let child = &mut lock(&child).leader;
            (child.stdin().take(), child.stdout().take(), child.stderr().take())
        };
        let last_lines = Arc::new(Mutex::new(VecDeque::new()));
        let (input, to_write) = mpsc::channel::<String>();
        let (line_sender, lines) = mpsc::sync_channel(LINES_WAITING);
        let mut started = Self {
            processes: processes.clone(),
            child,
            input: Some(input),
            lines,
            errors: None,
            last_lines: Arc::clone(&last_lines),
        };
        if let (Some(mut stdin), Some(stdout), Some(stderr)) = (stdin, stdout, stderr) {
            let thread = thread::Builder::new;
            let mut write = move |line: String| {
                stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).ok()
            };
            thread().spawn(move || to_write.iter().try_for_each(&mut write))?;
            let kept = Arc::clone(&last_lines);
            thread().spawn(move || read_lines(stdout, &kept, Some(&line_sender)))?;
            let errors = thread().spawn(move || read_lines(stderr, &last_lines, None))?;
            started.errors = Some(errors);
        }
        Ok(started)
    }

    /// Sends a line without waiting until the engine reads it.
    pub(super) fn send(&self, line: &str) {
        if let Some(input) = &self.input {
            let _ = input.send(format!("{line}\n"));
        }
    }

    /// The next line, if it arrives before the deadline and the engine has not closed its output.
    pub(super) fn next_line(&self, deadline: Instant) -> Result<Line, RecvTimeoutError> {
        let patience = deadline.saturating_duration_since(Instant::now());
        let late = Err(RecvTimeoutError::Timeout);
        let line = if patience.is_zero() { late } else { self.lines.recv_timeout(patience) };
        // An engine that has ended sends no more, even if a child of it keeps the output open.
        line.map_err(|error| match lock(&self.child).try_wait() {
            Ok(None) => error,
            _ => RecvTimeoutError::Disconnected,
        })
    }

    /// Drops the lines that have arrived.
    pub(super) fn skip_lines(&self) {
        while self.lines.try_recv().is_ok() {}
    }

    /// The last lines of both outputs.
    pub(super) fn last_lines(&self) -> Vec<String> {
        lock(&self.last_lines).iter().cloned().collect()
    }

    /// Waits for the remaining output of an engine that has ended. Returns its exit status.
    pub(super) fn end_of_crash(&self) -> Option<ExitStatus> {
        let mut status = None;
        wait_until(QUIT_TIME, || {
            status = lock(&self.child).try_wait().ok().flatten();
            status.is_some() && self.errors.as_ref().is_none_or(JoinHandle::is_finished)
        });
        status
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        self.send("quit");
        self.input = None;
        if !self.processes.is_closed() {
            let deadline = Instant::now() + QUIT_TIME;
            while self.next_line(deadline).is_ok() {}
        }
        self.processes.end(&self.child);
    }
}

/// Keeps the last lines and forwards all lines until the receiver is gone.
fn read_lines(output: impl Read, kept: &Mutex<VecDeque<String>>, to: Option<&SyncSender<Line>>) {
    let mut output = BufReader::new(output);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        let read = (&mut output).take(LONGEST_LINE).read_until(b'\n', &mut bytes);
        if !matches!(read, Ok(1..)) {
            return;
        }
        let text = String::from_utf8_lossy(&bytes).trim().to_owned();
        let mut kept = lock(kept);
        if kept.len() == LINES_KEPT {
            kept.pop_front();
        }
        kept.push_back(text.chars().take(KEPT_OF_LINE).collect());
        drop(kept);
        let line = (text, Instant::now());
        if to.is_some_and(|to| to.send(line).is_err()) {
            return;
        }
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    fn start(command: &str) -> EngineProcess {
        let config = EngineConfig::parse(&[format!("cmd={command}")], &[]).unwrap();
        EngineProcess::start(&config, &Processes::default()).unwrap()
    }

    fn later() -> Instant {
        Instant::now() + Duration::from_secs(60)
    }

    #[test]
    fn lines_that_wait_do_not_move_a_deadline() {
        let process = start("yes");
        for _ in 0..100 {
            assert_eq!(process.next_line(later()).unwrap().0, "y");
            let late = process.next_line(Instant::now()).unwrap_err();
            assert_eq!(late, RecvTimeoutError::Timeout);
        }
    }

    #[test]
    fn long_lines_are_kept_in_part() {
        let process = start("sh -c 'printf %01000d 7'");
        assert_eq!(process.next_line(later()).unwrap().0.len(), 1000);
        assert_eq!(process.next_line(later()).unwrap_err(), RecvTimeoutError::Disconnected);
        assert_eq!(process.last_lines(), ["0".repeat(KEPT_OF_LINE)]);
    }
}
