//! The processes of a match, each in a group of its own, so that nothing of them stays behind.

use std::collections::HashMap;
use std::io;
use std::process::Command;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::Duration;

use process_wrap::std::{ChildWrapper, CommandWrap};

/// A process that is shared with those who may have to end it.
pub(super) type Child = Arc<Mutex<Box<dyn ChildWrapper>>>;

/// All engines that run, to be ended at once.
#[derive(Clone, Debug, Default)]
pub struct Processes(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    running: Mutex<Running>,
    /// Told when the engines are ended.
    closing: Condvar,
}

#[derive(Debug, Default)]
struct Running {
    children: HashMap<u32, Child>,
    is_closed: bool,
}

impl Processes {
    /// Ends every engine and refuses to start others; whoever waits for one is woken.
    pub fn end_all(&self) {
        let mut running = lock(&self.0.running);
        running.is_closed = true;
        self.0.closing.notify_all();
        for child in running.children.values() {
            let _ = lock(child).start_kill();
        }
    }

    /// The same for a program that is about to break down, which may hold any lock.
    pub fn abandon_all(&self) {
        let Ok(running) = self.0.running.try_lock() else { return };
        for child in running.children.values() {
            if let Ok(mut child) = child.try_lock() {
                let _ = child.start_kill();
            }
        }
    }

    /// Whether the engines were ended.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        lock(&self.0.running).is_closed
    }

    /// Whether the engines were ended or are ended before so much time has passed.
    pub(super) fn is_closed_within(&self, patience: Duration) -> bool {
        let running = lock(&self.0.running);
        let waited =
            self.0.closing.wait_timeout_while(running, patience, |running| !running.is_closed);
        waited.expect("no thread panics while it holds the lock").0.is_closed
    }

    /// Starts a program in a group of its own, to which whatever it starts belongs.
    pub(super) fn spawn(&self, command: Command) -> io::Result<Child> {
        let mut running = lock(&self.0.running);
        if running.is_closed {
            return Err(io::Error::other("the match is over"));
        }
        let mut command = CommandWrap::from(command);
        #[cfg(unix)]
        command.wrap(process_wrap::std::ProcessGroup::leader());
        #[cfg(windows)]
        command.wrap(process_wrap::std::JobObject);
        let child = command.spawn()?;
        let id = child.id();
        let child = Arc::new(Mutex::new(child));
        running.children.insert(id, Arc::clone(&child));
        Ok(child)
    }

    /// Ends a process with its group, if it has not ended, and forgets it.
    pub(super) fn end(&self, child: &Child) {
        let id = {
            let mut child = lock(child);
            let _ = child.start_kill();
            let _ = child.wait();
            child.id()
        };
        lock(&self.0.running).children.remove(&id);
    }
}

/// Waits for a lock.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().expect("no thread panics while it holds the lock")
}

#[cfg(all(test, unix))]
mod tests {
    use std::thread;

    use super::*;

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
            assert!(!lock(&child).wait().unwrap().success());
            processes.end(&child);
        }
        let processes = Processes::default();
        processes.end_all();
        assert!(processes.is_closed() && processes.spawn(shell()).is_err());
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
