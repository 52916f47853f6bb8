//! Ctrl-C: at a prompt it leaves the game, while the engine thinks it makes the engine move.

use std::io;
use std::process;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

#[cfg(unix)]
use nix::sys::termios::{SetArg, tcgetattr, tcsetattr};
#[cfg(unix)]
use nix::unistd::{getpgrp, tcgetpgrp};

use crate::commands::arguments::INTERRUPTED;
use crate::commands::say;
use crate::commands::signals::{self, INTERRUPT};

/// Printed when the player leaves an unfinished game.
pub const SAVED: &str = "The game is saved; millstone play --resume continues it.";
/// How often a wait looks for Ctrl-C.
const INTERVAL: Duration = Duration::from_millis(20);

/// Whether the player is at a prompt, where Ctrl-C leaves.
static IS_ASKED: AtomicBool = AtomicBool::new(false);
/// Whether Ctrl-C was pressed since the last prompt.
static IS_HURRIED: AtomicBool = AtomicBool::new(false);
/// Whether the game is saved.
static IS_SAVED: AtomicBool = AtomicBool::new(false);

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

/// Handles Ctrl-C and the other signals that end the program from now on, and restores the terminal before
/// one does. A line editor that reads Ctrl-C itself is not affected.
pub fn catch() -> io::Result<()> {
    #[cfg(unix)]
    let terminal = tcgetattr(io::stdin()).ok();
    signals::catch(move |signal| {
        // Pressed twice it always leaves.
        let leaves = || IS_HURRIED.swap(true, Relaxed) || IS_ASKED.load(Relaxed);
        if signal == INTERRUPT && !leaves() {
            return;
        }
        #[cfg(unix)]
        if let Some(terminal) = &terminal
            // A program in the background leaves the terminal alone, which would stop it.
            && tcgetpgrp(io::stdin()).is_ok_and(|group| group == getpgrp())
        {
            let _ = tcsetattr(io::stdin(), SetArg::TCSANOW, terminal);
        }
        if signal == INTERRUPT {
            leave();
        }
        print_saved();
        #[cfg(unix)]
        let _ = signal_hook::low_level::emulate_default_handler(signal);
    })
}
