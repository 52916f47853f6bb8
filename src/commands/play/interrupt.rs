//! Ctrl-C: at a prompt it leaves the game, while the engine thinks it makes the engine move.

use std::error::Error;
#[cfg(unix)]
use std::io;
use std::process;
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use millstone::system::locks::{lock, unpoisoned};
#[cfg(unix)]
use nix::sys::signal::{SigSet, Signal, raise};
#[cfg(unix)]
use nix::sys::termios::{SetArg, tcgetattr, tcsetattr};
#[cfg(unix)]
use nix::unistd::{getpgrp, tcgetpgrp};

use crate::commands::arguments::INTERRUPTED;
use crate::commands::say;
#[cfg(unix)]
use crate::commands::signals;

/// What is printed when an unfinished game is left.
pub const SAVED: &str = "The game is saved; millstone play --resume continues it.";

static STATE: Mutex<State> =
    Mutex::new(State { is_asked: false, is_hurried: false, is_saved: false });
static CHANGED: Condvar = Condvar::new();

/// What decides the effect of Ctrl-C.
struct State {
    /// Whether the player is at a prompt, where Ctrl-C leaves.
    is_asked: bool,
    /// Whether Ctrl-C was pressed since the last prompt.
    is_hurried: bool,
    /// Whether the game is saved.
    is_saved: bool,
}

fn state() -> MutexGuard<'static, State> {
    lock(&STATE)
}

/// Notes that Ctrl-C was pressed; whether it leaves. Pressed twice it always does.
fn press() -> bool {
    let mut state = state();
    let leaves = state.is_asked || state.is_hurried;
    state.is_hurried = true;
    CHANGED.notify_all();
    leaves
}

/// Ends the program as Ctrl-C does.
pub fn leave() -> ! {
    print_saved();
    process::exit(INTERRUPTED.into())
}

/// Prints that the game is saved, if it is.
fn print_saved() {
    let text = if state().is_saved { SAVED } else { "" };
    say(format_args!("\n{text}"));
}

/// Notes whether the game is saved.
pub fn set_saved(is_saved: bool) {
    state().is_saved = is_saved;
}

/// Reads something from the player; meanwhile Ctrl-C leaves.
pub fn while_asked<T>(ask: impl FnOnce() -> T) -> T {
    set_asked(true);
    let answer = ask();
    set_asked(false);
    answer
}

fn set_asked(is_asked: bool) {
    let mut state = state();
    state.is_asked = is_asked;
    state.is_hurried = false;
}

/// Whether Ctrl-C was pressed since the last prompt.
pub fn is_hurried() -> bool {
    state().is_hurried
}

/// Waits until a time, or until Ctrl-C is pressed.
pub fn wait_until(time: Instant) {
    let mut state = state();
    while !state.is_hurried {
        let left = time.saturating_duration_since(Instant::now());
        if left == Duration::ZERO {
            return;
        }
        state = unpoisoned(CHANGED.wait_timeout(state, left)).0;
    }
}

/// Handles Ctrl-C and the signals that end the program from now on, and restores the terminal before
/// one does. The signals are blocked, and a thread takes them one by one. A line editor that reads
/// Ctrl-C itself is not affected.
///
/// # Errors
///
/// When the system refuses to block signals.
#[cfg(unix)]
pub fn catch() -> Result<(), Box<dyn Error>> {
    let signals: SigSet = signals::watched().into_iter().collect();
    signals.thread_block()?;
    let terminal = tcgetattr(io::stdin()).ok();
    std::thread::Builder::new().spawn(move || {
        while let Ok(signal) = signals.wait() {
            let is_interrupt = signal == Signal::SIGINT;
            if is_interrupt && !press() {
                continue;
            }
            if let Some(terminal) = terminal.as_ref().filter(|_| has_terminal()) {
                let _ = tcsetattr(io::stdin(), SetArg::TCSANOW, terminal);
            }
            if is_interrupt {
                leave();
            }
            end(signal);
        }
    })?;
    Ok(())
}

/// Whether this program is in the foreground of its terminal.
#[cfg(unix)]
fn has_terminal() -> bool {
    tcgetpgrp(io::stdin()).is_ok_and(|group| group == getpgrp())
}

/// Ends the program by a signal, as it would have ended without this thread.
#[cfg(unix)]
fn end(signal: Signal) {
    print_saved();
    let _ = SigSet::from(signal).thread_unblock();
    let _ = raise(signal);
}

/// Handles Ctrl-C from now on. A line editor that reads the key itself is not affected.
///
/// # Errors
///
/// When the system refuses.
#[cfg(not(unix))]
pub fn catch() -> Result<(), Box<dyn Error>> {
    Ok(ctrlc::set_handler(|| {
        if press() {
            leave();
        }
    })?)
}
