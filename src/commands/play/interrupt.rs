//! Ctrl-C: at a prompt it leaves the game, while the engine thinks it makes the engine move.

use std::error::Error;
use std::process;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use crate::commands::arguments::INTERRUPTED;
use crate::commands::say;

/// What is printed when an unfinished game is left.
pub const SAVED: &str = "The game is saved; millstone play --resume continues it.";
/// How often a wait looks for Ctrl-C.
const INTERVAL: Duration = Duration::from_millis(20);

/// Whether the player is at a prompt, where Ctrl-C leaves.
static IS_ASKED: AtomicBool = AtomicBool::new(false);
/// Whether Ctrl-C was pressed since the last prompt.
static IS_HURRIED: AtomicBool = AtomicBool::new(false);
/// Whether the game is saved.
static IS_SAVED: AtomicBool = AtomicBool::new(false);

/// Notes that Ctrl-C was pressed. Returns whether it leaves; pressed twice it always does.
fn press() -> bool {
    IS_HURRIED.swap(true, Relaxed) || IS_ASKED.load(Relaxed)
}

/// Ends the program as Ctrl-C does.
pub fn leave() -> ! {
    print_saved();
    process::exit(INTERRUPTED.into())
}

/// Prints that the game is saved, if it is.
fn print_saved() {
    let text = if IS_SAVED.load(Relaxed) { SAVED } else { "" };
    say(format_args!("\n{text}"));
}

/// Notes whether the game is saved.
pub fn set_saved(is_saved: bool) {
    IS_SAVED.store(is_saved, Relaxed);
}

/// Reads something from the player; meanwhile Ctrl-C leaves.
pub fn while_asked<T>(ask: impl FnOnce() -> T) -> T {
    IS_HURRIED.store(false, Relaxed);
    IS_ASKED.store(true, Relaxed);
    let answer = ask();
    IS_ASKED.store(false, Relaxed);
    answer
}

/// Whether Ctrl-C was pressed since the last prompt.
pub fn is_hurried() -> bool {
    IS_HURRIED.load(Relaxed)
}

/// Waits until a time, or until Ctrl-C is pressed.
pub fn wait_until(time: Instant) {
    while !is_hurried() && Instant::now() < time {
        thread::sleep(INTERVAL.min(time.saturating_duration_since(Instant::now())));
    }
}

/// Handles Ctrl-C and the signals that end the program from now on, and restores the terminal before
/// one does. The signals are blocked, and a thread takes them one by one. A line editor that reads
/// Ctrl-C itself is not affected.
#[cfg(unix)]
pub fn catch() -> Result<(), Box<dyn Error>> {
    use std::io::stdin;

    use nix::sys::signal::{SigSet, Signal, raise};
    use nix::sys::termios::{SetArg, tcgetattr, tcsetattr};
    use nix::unistd::{getpgrp, tcgetpgrp};

    let signals: SigSet = crate::commands::signals::watched().into_iter().collect();
    signals.thread_block()?;
    let terminal = tcgetattr(stdin()).ok();
    thread::Builder::new().spawn(move || {
        while let Ok(signal) = signals.wait() {
            if signal == Signal::SIGINT && !press() {
                continue;
            }
            let is_in_foreground = tcgetpgrp(stdin()).is_ok_and(|group| group == getpgrp());
            if let Some(terminal) = terminal.as_ref().filter(|_| is_in_foreground) {
                let _ = tcsetattr(stdin(), SetArg::TCSANOW, terminal);
            }
            if signal == Signal::SIGINT {
                leave();
            }
            // The signal ends the program as it would without this thread.
            print_saved();
            let _ = SigSet::from(signal).thread_unblock();
            let _ = raise(signal);
        }
    })?;
    Ok(())
}

/// Handles Ctrl-C from now on. A line editor that reads the key itself is not affected.
#[cfg(not(unix))]
pub fn catch() -> Result<(), Box<dyn Error>> {
    Ok(ctrlc::set_handler(|| {
        if press() {
            leave();
        }
    })?)
}
