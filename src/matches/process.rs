//! Engines as processes, each in a process group of its own, so that none is left running: lines go in
//! and come out, and no engine keeps the match waiting for ever.

use std::collections::{HashMap, VecDeque};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use process_wrap::std::{ChildWrapper, CommandWrap};

use super::engine_config::EngineConfig;
use crate::system::locks::{lock, unpoisoned};

/// The number of an engine's last lines that an error is reported with.
const LINES_KEPT: usize = 20;
/// The longest part of such a line that is kept, in characters.
const KEPT_OF_LINE: usize = 200;
/// The most bytes of a line that are read at once.
const LONGEST_LINE: u64 = 1 << 16;
/// The number of unread lines after which the engine has to wait.
const LINES_WAITING: usize = 1024;
/// How long to wait for the end of an engine or of its output.
const QUIT_TIME: Duration = Duration::from_millis(500);
/// How long to wait for the end of an engine that is killed.
const END_TIME: Duration = Duration::from_secs(5);
/// How often an engine is checked for its end.
const INTERVAL: Duration = Duration::from_millis(5);

/// A process that is shared with those who may have to end it.
type Child = Arc<Mutex<ProcessGroup>>;

/// A program and whatever it has started.
#[derive(Debug)]
struct ProcessGroup {
    leader: Box<dyn ChildWrapper>,
    /// How the program ended, once the system has been asked. From then on its number may be that of
    /// another group.
    status: Option<ExitStatus>,
}

impl ProcessGroup {
    fn new(leader: Box<dyn ChildWrapper>) -> Self {
        Self { leader, status: None }
    }

    /// Kills the group, unless its number is no longer its own.
    fn kill(&mut self) {
        if self.status.is_none() {
            let _ = self.leader.start_kill();
        }
    }

    /// How the program ended, if it has; what it has started is killed then.
    fn try_wait(&mut self) -> io::Result<Option<ExitStatus>> {
        if self.status.is_none() {
            let status = self.leader.try_wait()?;
            if status.is_some() {
                self.kill();
            }
            self.status = status;
        }
        Ok(self.status)
    }
}

/// All running engines, so that they can be ended together.
#[derive(Clone, Debug, Default)]
pub struct Processes(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    running: Mutex<Running>,
    /// Notified when the engines are ended.
    closing: Condvar,
}

#[derive(Debug, Default)]
struct Running {
    children: HashMap<u32, Child>,
    is_closed: bool,
}

impl Processes {
    /// Ends every engine and refuses to start others; all who wait for an engine go on.
    pub fn end_all(&self) {
        let children: Vec<Child> = {
            let mut running = lock(&self.0.running);
            running.is_closed = true;
            self.0.closing.notify_all();
            running.children.values().cloned().collect()
        };
        for child in children {
            lock(&child).kill();
        }
    }

    /// Ends every engine from a panic hook, in which any lock may be held.
    pub fn abandon_all(&self) {
        let Ok(running) = self.0.running.try_lock() else { return };
        for child in running.children.values() {
            if let Ok(mut child) = child.try_lock() {
                child.kill();
            }
        }
    }

    /// Whether the engines were ended.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        lock(&self.0.running).is_closed
    }

    /// Waits at most this long for the engines to be ended. Returns whether they were.
    pub(super) fn is_closed_within(&self, patience: Duration) -> bool {
        let running = lock(&self.0.running);
        let waited =
            self.0.closing.wait_timeout_while(running, patience, |running| !running.is_closed);
        unpoisoned(waited).0.is_closed
    }

    /// Starts a program in a group of its own, to which whatever it starts belongs.
    fn spawn(&self, command: Command) -> io::Result<Child> {
        let is_over = || io::Error::other("the match is over");
        if self.is_closed() {
            return Err(is_over());
        }
        let mut command = CommandWrap::from(command);
        #[cfg(unix)]
        command.wrap(process_wrap::std::ProcessGroup::leader());
        #[cfg(windows)]
        command.wrap(process_wrap::std::JobObject);
        // No lock is held meanwhile: a program on a disk that does not answer takes its time.
        let child = command.spawn()?;
        let id = child.id();
        let child = Arc::new(Mutex::new(ProcessGroup::new(child)));
        let is_closed = {
            let mut running = lock(&self.0.running);
            running.children.insert(id, Arc::clone(&child));
            running.is_closed
        };
        if is_closed {
            self.end(&child);
            return Err(is_over());
        }
        Ok(child)
    }

    /// Ends a process with its group, if it has not ended, and drops it from the list.
    ///
    /// One that the system does not end is left to itself after a while. No lock is held meanwhile, so
    /// that others do not wait for it too.
    fn end(&self, child: &Child) {
        let id = {
            let mut child = lock(child);
            child.kill();
            child.leader.id()
        };
        let deadline = Instant::now() + END_TIME;
        while matches!(lock(child).try_wait(), Ok(None)) && Instant::now() < deadline {
            thread::sleep(INTERVAL);
        }
        lock(&self.0.running).children.remove(&id);
    }
}

/// A line of an engine and when it arrived.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) text: String,
    pub(super) arrived: Instant,
}

/// Why there is no line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoLine {
    /// No line arrives in time.
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
    /// Closed at the end of standard error.
    errors_end: Receiver<()>,
    last_lines: Arc<Mutex<VecDeque<String>>>,
}

impl EngineProcess {
    pub(super) fn start(config: &EngineConfig, processes: &Processes) -> io::Result<Self> {
        let [program, arguments @ ..] = &config.command[..] else {
            return Err(io::ErrorKind::InvalidInput.into());
        };
        let mut command = Command::new(program);
        command.args(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(folder) = &config.folder {
            command.current_dir(folder);
        }
        let child = processes.spawn(command)?;
        let (stdin, stdout, stderr) = {
            let child = &mut lock(&child).leader;
            (child.stdin().take(), child.stdout().take(), child.stderr().take())
        };
        let last_lines = Arc::new(Mutex::new(VecDeque::new()));
        let (input, to_write) = mpsc::channel();
        let (line_sender, lines) = mpsc::sync_channel(LINES_WAITING);
        let (end_sender, errors_end) = mpsc::sync_channel(0);
        let started = Self {
            processes: processes.clone(),
            child,
            input: Some(input),
            lines,
            errors_end,
            last_lines: Arc::clone(&last_lines),
        };
        if let (Some(stdin), Some(stdout), Some(stderr)) = (stdin, stdout, stderr) {
            let thread = thread::Builder::new;
            thread().spawn(move || write_lines(stdin, &to_write))?;
            let kept = Arc::clone(&last_lines);
            thread().spawn(move || read_lines(stdout, &kept, Some(&line_sender)))?;
            thread().spawn(move || {
                read_lines(stderr, &last_lines, None);
                drop::<SyncSender<()>>(end_sender);
            })?;
        }
        Ok(started)
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

    /// Late, or closed if the engine has ended, even while a child of it keeps the output open.
    fn why_late(&self) -> NoLine {
        match lock(&self.child).try_wait() {
            Ok(None) => NoLine::Late,
            _ => NoLine::Closed,
        }
    }

    /// Drops the lines that have arrived.
    pub(super) fn skip_lines(&self) {
        while self.lines.try_recv().is_ok() {}
    }

    /// What the engine printed last, on both of its outputs.
    pub(super) fn last_lines(&self) -> Vec<String> {
        lock(&self.last_lines).iter().cloned().collect()
    }

    /// Waits for the rest of what an ended engine printed. Returns how it ended, if it has.
    pub(super) fn end_of_crash(&self) -> Option<ExitStatus> {
        let deadline = Instant::now() + QUIT_TIME;
        let _ = self.errors_end.recv_timeout(QUIT_TIME);
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
            let deadline = Instant::now() + QUIT_TIME;
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

/// Keeps the last lines and passes all lines on, as long as there is a receiver.
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
    use std::sync::atomic::{AtomicU32, Ordering};

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

    /// A shell that waits for a child of its own, both of which would take this long.
    fn shell() -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", "sleep 30; exit 0"]);
        command
    }

    #[test]
    fn nothing_runs_after_the_end_and_nothing_starts() {
        for end in [Processes::end_all, Processes::abandon_all] {
            let processes = Processes::default();
            let child = processes.spawn(shell()).unwrap();
            end(&processes);
            assert!(!lock(&child).leader.wait().unwrap().success());
            processes.end(&child);
        }
        let processes = Processes::default();
        processes.end_all();
        assert!(processes.is_closed() && processes.spawn(shell()).is_err());
    }

    /// A process that ends as it is told to, or that the system does not end, as one that waits for a
    /// broken disk.
    #[derive(Debug, Default)]
    struct Fake {
        status: Option<ExitStatus>,
        kills: Arc<AtomicU32>,
    }

    impl ChildWrapper for Fake {
        fn inner(&self) -> &dyn ChildWrapper {
            self
        }

        fn inner_mut(&mut self) -> &mut dyn ChildWrapper {
            self
        }

        fn into_inner(self: Box<Self>) -> Box<dyn ChildWrapper> {
            self
        }

        fn id(&self) -> u32 {
            7
        }

        fn start_kill(&mut self) -> io::Result<()> {
            self.kills.fetch_add(1, Ordering::Relaxed);
            Ok(())
        }

        fn try_wait(&mut self) -> io::Result<Option<ExitStatus>> {
            Ok(self.status)
        }

        fn wait(&mut self) -> io::Result<ExitStatus> {
            thread::park();
            Err(io::Error::other("it never ends"))
        }
    }

    fn add(processes: &Processes, fake: Fake) -> Child {
        let child = Arc::new(Mutex::new(ProcessGroup::new(Box::new(fake))));
        lock(&processes.0.running).children.insert(7, Arc::clone(&child));
        child
    }

    #[test]
    fn a_process_that_does_not_end_keeps_nobody_waiting_for_ever() {
        let processes = Processes::default();
        let child = add(&processes, Fake::default());
        let (done, all_done) = mpsc::channel();
        let ends: [fn(&Processes, &Child); 2] =
            [|all, child| all.end(child), |all, _| all.end_all()];
        for end in ends {
            let (processes, child, done) = (processes.clone(), Arc::clone(&child), done.clone());
            thread::spawn(move || {
                end(&processes, &child);
                done.send(())
            });
        }
        for _ in 0..2 {
            all_done.recv_timeout(Duration::from_secs(60)).expect("it goes on");
        }
        assert!(processes.is_closed());
    }

    /// It may be the number of another group by then.
    #[test]
    fn a_group_is_not_killed_after_its_end() {
        let (processes, kills) = (Processes::default(), Arc::new(AtomicU32::new(0)));
        let status = Some(ExitStatus::default());
        let child = add(&processes, Fake { status, kills: Arc::clone(&kills) });
        assert_eq!(lock(&child).try_wait().unwrap(), status);
        assert_eq!(kills.load(Ordering::Relaxed), 1, "what it has started is killed with it");
        processes.abandon_all();
        processes.end_all();
        processes.end(&child);
        assert_eq!(kills.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn an_end_that_comes_soon_is_waited_for() {
        let processes = Processes::default();
        assert!(!processes.is_closed_within(Duration::ZERO));
        thread::scope(|scope| {
            scope.spawn(|| processes.end_all());
            assert!(processes.is_closed_within(Duration::from_secs(60)));
        });
    }
}
