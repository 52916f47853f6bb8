//! Process groups: each engine has its own, so that none of its children survives it.

use std::io;
use std::process::{Command, ExitStatus};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use process_wrap::std::{ChildWrapper, CommandWrap};

use crate::system::locks::lock;

/// How long to wait for a killed group to end.
const END_TIME: Duration = Duration::from_secs(5);
/// The polling interval.
const INTERVAL: Duration = Duration::from_millis(5);

/// Waits until a condition holds. Returns whether it does in time.
pub(super) fn wait_until(patience: Duration, mut is_so: impl FnMut() -> bool) -> bool {
    let deadline = Instant::now() + patience;
    while !is_so() {
        if Instant::now() >= deadline {
            return false;
        }
        thread::sleep(INTERVAL);
    }
    true
}

/// A process that may be ended from several threads.
pub(super) type Child = Arc<Mutex<ProcessGroup>>;

/// A program and its descendants.
#[derive(Debug)]
pub(super) struct ProcessGroup {
    pub(super) leader: Box<dyn ChildWrapper>,
    /// The exit status, once the process has been reaped. From then on its id may belong to another
    /// group.
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
    pub(super) fn try_wait(&mut self) -> io::Result<Option<ExitStatus>> {
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
pub struct Processes(Arc<Mutex<Running>>);

#[derive(Debug, Default)]
struct Running {
    children: Vec<Child>,
    is_closed: bool,
}

impl Processes {
    /// Ends all engines and prevents new ones from starting; whoever waits for an engine goes on.
    pub fn end_all(&self) {
        let children: Vec<Child> = {
            let mut running = lock(&self.0);
            running.is_closed = true;
            running.children.clone()
        };
        for child in children {
            lock(&child).kill();
        }
    }

    /// Whether all engines have been ended.
    pub fn is_closed(&self) -> bool {
        lock(&self.0).is_closed
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
        // Without the lock: starting a program from a slow disk may take long.
        let group = ProcessGroup { leader: command.spawn()?, status: None };
        let child = Arc::new(Mutex::new(group));
        let is_closed = {
            let mut running = lock(&self.0);
            running.children.push(Arc::clone(&child));
            running.is_closed
        };
        if is_closed {
            self.end(&child);
            return Err(is_over());
        }
        Ok(child)
    }

    /// Ends a process and its group, and removes it from the list.
    ///
    /// A process that does not end is abandoned after a while. No lock is held meanwhile, so that nobody
    /// else waits for it.
    pub(super) fn end(&self, child: &Child) {
        lock(child).kill();
        wait_until(END_TIME, || !matches!(lock(child).try_wait(), Ok(None)));
        lock(&self.0).children.retain(|other| !Arc::ptr_eq(other, child));
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::sync::mpsc;

    use super::*;

    /// A shell that waits for a child of its own, both of which would take this long.
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
        let group = ProcessGroup { leader: Box::new(fake), status: None };
        let child = Arc::new(Mutex::new(group));
        lock(&processes.0).children.push(Arc::clone(&child));
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
