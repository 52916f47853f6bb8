//! An engine as a process: lines go in and come out, and none of them keeps anybody waiting for ever.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use super::processes::{Child, Processes, lock};
use super::spec::EngineSpec;

/// How many of its last lines a fault of an engine is reported with.
const LINES_KEPT: usize = 20;
/// How much of such a line is kept, in characters.
const KEPT_OF_LINE: usize = 200;
/// The most bytes of a line that are looked at.
const LONGEST_LINE: u64 = 1 << 16;
/// Lines that wait to be read before the engine has to wait.
const LINES_WAITING: usize = 1024;
/// How long an engine that was told to quit, or what it still says, is waited for.
const FAREWELL: Duration = Duration::from_millis(500);
/// How often is looked whether it has ended.
const INTERVAL: Duration = Duration::from_millis(5);

/// A line of an engine and when it arrived.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) text: String,
    pub(super) arrived: Instant,
}

/// Why there is no line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoLine {
    /// None arrived in time.
    Late,
    /// The engine has closed its output.
    Closed,
}

/// A running engine, which ends with its owner.
#[derive(Debug)]
pub(super) struct EngineProcess {
    processes: Processes,
    child: Child,
    input: Option<Sender<String>>,
    lines: Receiver<Line>,
    /// Closed at the end of what the engine says on standard error.
    errors_end: Receiver<()>,
    last_lines: Arc<Mutex<VecDeque<String>>>,
}

impl EngineProcess {
    pub(super) fn start(spec: &EngineSpec, processes: &Processes) -> io::Result<Self> {
        let [program, arguments @ ..] = &spec.command[..] else {
            return Err(io::ErrorKind::InvalidInput.into());
        };
        let mut command = Command::new(program);
        command.args(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(folder) = &spec.folder {
            command.current_dir(folder);
        }
        let child = processes.spawn(command)?;
        let (stdin, stdout, stderr) = {
            let mut child = lock(&child);
            (child.stdin().take(), child.stdout().take(), child.stderr().take())
        };
        let last_lines = Arc::new(Mutex::new(VecDeque::new()));
        let (input, to_write) = mpsc::channel();
        let (line_sender, lines) = mpsc::sync_channel(LINES_WAITING);
        let (end_sender, errors_end) = mpsc::sync_channel(0);
        if let (Some(stdin), Some(stdout), Some(stderr)) = (stdin, stdout, stderr) {
            thread::spawn(move || write_lines(stdin, &to_write));
            let kept = Arc::clone(&last_lines);
            thread::spawn(move || read_lines(stdout, &kept, Some(&line_sender)));
            let kept = Arc::clone(&last_lines);
            thread::spawn(move || {
                read_lines(stderr, &kept, None);
                drop::<SyncSender<()>>(end_sender);
            });
        }
        let processes = processes.clone();
        Ok(Self { processes, child, input: Some(input), lines, errors_end, last_lines })
    }

    /// Sends a line; an engine that reads none does not keep the sender waiting.
    pub(super) fn send(&self, line: &str) {
        if let Some(input) = &self.input {
            let _ = input.send(format!("{line}\n"));
        }
    }

    /// The next line, if it arrives by then.
    pub(super) fn next_line(&self, deadline: Instant) -> Result<Line, NoLine> {
        let patience = deadline.saturating_duration_since(Instant::now());
        if patience.is_zero() {
            return Err(self.why_late());
        }
        self.lines.recv_timeout(patience).map_err(|error| match error {
            RecvTimeoutError::Timeout => self.why_late(),
            RecvTimeoutError::Disconnected => NoLine::Closed,
        })
    }

    /// An engine that has ended is not late, even if a child of it has the output still open.
    fn why_late(&self) -> NoLine {
        match lock(&self.child).try_wait() {
            Ok(None) => NoLine::Late,
            _ => NoLine::Closed,
        }
    }

    /// Forgets the lines that have arrived.
    pub(super) fn skip_lines(&self) {
        while self.lines.try_recv().is_ok() {}
    }

    /// What the engine said last, on both of its outputs.
    pub(super) fn last_lines(&self) -> Vec<String> {
        lock(&self.last_lines).iter().cloned().collect()
    }

    /// Waits for the rest of what an ended engine has said, and tells how it ended, if it has.
    pub(super) fn end_of_crash(&self) -> Option<ExitStatus> {
        let deadline = Instant::now() + FAREWELL;
        let _ = self.errors_end.recv_timeout(FAREWELL);
        loop {
            let status = lock(&self.child).try_wait().ok().flatten();
            if status.is_some() || Instant::now() >= deadline {
                return status;
            }
            thread::sleep(INTERVAL);
        }
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        self.send("quit");
        self.input = None;
        if !self.processes.is_closed() {
            let deadline = Instant::now() + FAREWELL;
            while self.next_line(deadline).is_ok() {}
        }
        self.processes.end(&self.child);
    }
}

fn write_lines(mut stdin: ChildStdin, lines: &Receiver<String>) {
    for line in lines {
        if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
            break;
        }
    }
}

/// Keeps the last lines and passes all on, as long as somebody wants them.
fn read_lines(output: impl Read, kept: &Mutex<VecDeque<String>>, to: Option<&SyncSender<Line>>) {
    let mut output = BufReader::new(output);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        match (&mut output).take(LONGEST_LINE).read_until(b'\n', &mut bytes) {
            Ok(1..) => {}
            Ok(0) | Err(_) => return,
        }
        let text = String::from_utf8_lossy(&bytes).trim().to_owned();
        let mut kept = lock(kept);
        if kept.len() == LINES_KEPT {
            kept.pop_front();
        }
        kept.push_back(text.chars().take(KEPT_OF_LINE).collect());
        drop(kept);
        let line = Line { text, arrived: Instant::now() };
        if to.is_some_and(|to| to.send(line).is_err()) {
            return;
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn start(command: &str) -> EngineProcess {
        let spec = EngineSpec::parse(&[format!("cmd={command}")], &[]).unwrap();
        EngineProcess::start(&spec, &Processes::default()).unwrap()
    }

    fn later() -> Instant {
        Instant::now() + Duration::from_secs(60)
    }

    #[test]
    fn lines_that_wait_do_not_move_a_deadline() {
        let process = start("yes");
        for _ in 0..100 {
            assert_eq!(process.next_line(later()).unwrap().text, "y");
            assert_eq!(process.next_line(Instant::now()).unwrap_err(), NoLine::Late);
        }
    }

    #[test]
    fn long_lines_are_kept_in_part() {
        let process = start("sh -c 'printf %01000d 7'");
        assert_eq!(process.next_line(later()).unwrap().text.len(), 1000);
        assert_eq!(process.next_line(later()).unwrap_err(), NoLine::Closed);
        assert_eq!(process.last_lines(), ["0".repeat(KEPT_OF_LINE)]);
    }
}
