//! An engine process: lines in, lines out, and a time limit on every wait.
//!
//! Each engine has its own process group, so that none of its children survives it.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use process_wrap::std::{ChildWrapper, CommandWrap};

use super::engine_config::EngineConfig;
use crate::system::clock::wait_until;
use crate::system::locks::lock;

/// The number of last lines in an error report.
const LINES_KEPT: usize = 20;
/// The maximum number of characters kept of such a line.
const KEPT_OF_LINE: usize = 200;
/// The maximum length of a line in bytes; longer lines are split.
const LONGEST_LINE: u64 = 1 << 16;
/// The number of unread lines after which the engine is blocked.
const LINES_WAITING: usize = 1024;
/// How long to wait for an engine to end or close its output.
const QUIT_TIME: Duration = Duration::from_millis(500);

/// A line of output and the time it arrived.
pub(super) type Line = (String, Instant);

/// A running engine, ended on drop.
#[derive(Debug)]
pub(super) struct EngineProcess {
    processes: Processes,
    child: Child,
    input: Sender<String>,
    lines: Receiver<Line>,
    /// Reads standard error to its end.
    errors: Option<JoinHandle<()>>,
    last_lines: Arc<Mutex<VecDeque<String>>>,
}

impl EngineProcess {
    pub(super) fn start(config: &EngineConfig, processes: &Processes) -> io::Result<Self> {
        let Some((program, arguments)) = config.command.split_first() else {
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
            input,
            lines,
            errors: None,
            last_lines: Arc::clone(&last_lines),
        };
        if let (Some(mut stdin), Some(stdout), Some(stderr)) = (stdin, stdout, stderr) {
            let thread = thread::Builder::new;
            let mut write = move |line: String| stdin.write_all(line.as_bytes());
            thread().spawn(move || to_write.iter().try_for_each(&mut write))?;
            let kept = Arc::clone(&last_lines);
            thread().spawn(move || read_lines(stdout, &kept, Some(&line_sender)))?;
            started.errors = Some(thread().spawn(move || read_lines(stderr, &last_lines, None))?);
        }
        Ok(started)
    }

    /// Sends a line without waiting for the engine to read it.
    pub(super) fn send(&self, line: &str) {
        let _ = self.input.send(format!("{line}\n"));
    }

    /// Waits for the next line. Fails if it is late or the engine has closed its output.
    pub(super) fn next_line(&self, deadline: Instant) -> Result<Line, RecvTimeoutError> {
        let patience = deadline.saturating_duration_since(Instant::now());
        let late = Err(RecvTimeoutError::Timeout);
        let line = if patience.is_zero() { late } else { self.lines.recv_timeout(patience) };
        // An engine that has ended sends no more, even if one of its children keeps the output open.
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
        // Dropping the sender closes the input.
        self.input = mpsc::channel().0;
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
    while matches!((&mut output).take(LONGEST_LINE).read_until(b'\n', &mut bytes), Ok(1..)) {
        let text = String::from_utf8_lossy(&bytes).trim().to_owned();
        bytes.clear();
        let mut kept = lock(kept);
        if kept.len() == LINES_KEPT {
            kept.pop_front();
        }
        kept.push_back(text.chars().take(KEPT_OF_LINE).collect());
        drop(kept);
        if to.is_some_and(|to| to.send((text, Instant::now())).is_err()) {
            return;
        }
    }
}

/// How long to wait for a killed group to end.
const END_TIME: Duration = Duration::from_secs(5);

/// A process that may be ended from several threads.
pub(super) type Child = Arc<Mutex<ProcessGroup>>;

/// A program and its descendants.
#[derive(Debug)]
pub(super) struct ProcessGroup {
    pub(super) leader: Box<dyn ChildWrapper>,
    /// The exit status, once the process has been reaped. From then on its id may belong to another
    /// process group.
    status: Option<ExitStatus>,
}

impl ProcessGroup {
    /// Kills the group, unless its id may have been reused.
    fn kill(&mut self) {
        if self.status.is_none() {
            let _ = self.leader.start_kill();
        }
    }

    /// The exit status, if the program has ended; its descendants are then killed.
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

/// All running engines, so that they can be ended at once.
#[derive(Clone, Debug, Default)]
pub struct Processes {
    children: Arc<Mutex<Vec<Child>>>,
    /// Set before the children are listed, and asked after one is added: so none is missed.
    is_closed: Arc<AtomicBool>,
}

impl Processes {
    /// Ends all engines and prevents new ones from starting; threads that wait for an engine continue.
    pub fn end_all(&self) {
        self.is_closed.store(true, Ordering::SeqCst);
        let children = lock(&self.children).clone();
        for child in children {
            lock(&child).kill();
        }
    }

    /// Whether all engines have been ended.
    pub fn is_closed(&self) -> bool {
        self.is_closed.load(Ordering::SeqCst)
    }

    /// Starts a program in its own process group.
    pub(super) fn spawn(&self, command: Command) -> io::Result<Child> {
        let is_over = || io::Error::other("the match is over");
        if self.is_closed() {
            return Err(is_over());
        }
        let mut command = CommandWrap::from(command);
        #[cfg(unix)]
        command.wrap(process_wrap::std::ProcessGroup::leader());
        #[cfg(windows)]
        command.wrap(process_wrap::std::JobObject);
        // Without the lock: starting a program from a slow disk may take a while.
        let child = Arc::new(Mutex::new(ProcessGroup { leader: command.spawn()?, status: None }));
        lock(&self.children).push(Arc::clone(&child));
        // If all engines were ended meanwhile, this one may have been missed.
        if self.is_closed() {
            self.end(&child);
            return Err(is_over());
        }
        Ok(child)
    }

    /// Ends a process and its group, and removes it from the list.
    ///
    /// A process that does not end is abandoned after a while. No lock is held meanwhile, so that no other
    /// thread waits for it.
    pub(super) fn end(&self, child: &Child) {
        lock(child).kill();
        wait_until(END_TIME, || !matches!(lock(child).try_wait(), Ok(None)));
        lock(&self.children).retain(|other| !Arc::ptr_eq(other, child));
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::sync::atomic::AtomicU32;

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

    /// A shell that waits 30 seconds for a child.
    fn shell() -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", "sleep 30; exit 0"]);
        command
    }

    #[test]
    fn nothing_runs_after_the_end_and_nothing_starts() {
        let processes = Processes::default();
        let child = processes.spawn(shell()).unwrap();
        processes.end_all();
        assert!(!lock(&child).leader.wait().unwrap().success());
        processes.end(&child);
        assert!(processes.is_closed() && processes.spawn(shell()).is_err());
    }

    /// A process that has ended or, without a status, never ends, like one that waits for a broken disk.
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
        let group = ProcessGroup { leader: Box::new(fake), status: None };
        let child = Arc::new(Mutex::new(group));
        lock(&processes.children).push(Arc::clone(&child));
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

    /// Its id may belong to another group by then.
    #[test]
    fn a_group_is_not_killed_after_its_end() {
        let (processes, kills) = (Processes::default(), Arc::new(AtomicU32::new(0)));
        let status = Some(ExitStatus::default());
        let child = add(&processes, Fake { status, kills: Arc::clone(&kills) });
        assert_eq!(lock(&child).try_wait().unwrap(), status);
        assert_eq!(kills.load(Ordering::Relaxed), 1, "what it has started is killed with it");
        processes.end_all();
        processes.end(&child);
        assert_eq!(kills.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn an_end_that_comes_soon_is_waited_for() {
        let processes = Processes::default();
        assert!(!wait_until(Duration::ZERO, || processes.is_closed()));
        thread::scope(|scope| {
            scope.spawn(|| processes.end_all());
            assert!(wait_until(Duration::from_secs(60), || processes.is_closed()));
        });
    }
}
