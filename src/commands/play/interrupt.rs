//! Ctrl-C: it hurries the engine while that plays, and leaves the game at a prompt.

#[cfg(not(unix))]
mod other;
#[cfg(unix)]
mod unix;

use std::io::{self, Write};
use std::process;
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

#[cfg(not(unix))]
pub use other::catch;
#[cfg(unix)]
pub use unix::catch;

use crate::commands::arguments::INTERRUPTED;

/// What is said when a game is left that is not over.
pub const KEPT: &str = "The game is kept; millstone play --resume goes on with it.";

static STATE: Mutex<State> =
    Mutex::new(State { is_asked: false, is_hurried: false, is_kept: false });
static CHANGED: Condvar = Condvar::new();

/// What Ctrl-C has to know, and what it tells.
struct State {
    /// Whether the player is asked for a line, so that Ctrl-C leaves.
    is_asked: bool,
    /// Whether Ctrl-C was pressed since the last line.
    is_hurried: bool,
    /// Whether leaving loses nothing.
    is_kept: bool,
}

fn state() -> MutexGuard<'static, State> {
    STATE.lock().expect("no thread panics while it holds the lock")
}

/// Takes note of Ctrl-C; whether it leaves, as it does the second time in any case.
fn press() -> bool {
    let mut state = state();
    let leaves = state.is_asked || state.is_hurried;
    state.is_hurried = true;
    CHANGED.notify_all();
    leaves
}

/// Ends the program as Ctrl-C does.
pub fn leave() -> ! {
    say_kept();
    process::exit(INTERRUPTED.into())
}

/// Says that the game is kept, if it is, to whoever is still there.
fn say_kept() {
    let said = if state().is_kept { KEPT } else { "" };
    let _ = writeln!(io::stderr(), "\n{said}");
}

/// Tells whether leaving now loses nothing.
pub fn set_kept(is_kept: bool) {
    state().is_kept = is_kept;
}

/// Asks the player for something; meanwhile Ctrl-C leaves.
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

/// Whether Ctrl-C was pressed since the player was asked last.
pub fn is_hurried() -> bool {
    state().is_hurried
}

/// Waits, unless Ctrl-C is pressed.
pub fn wait_until(time: Instant) {
    let mut state = state();
    while !state.is_hurried {
        let left = time.saturating_duration_since(Instant::now());
        if left == Duration::ZERO {
            return;
        }
        state =
            CHANGED.wait_timeout(state, left).expect("no thread panics while it holds the lock").0;
    }
}
