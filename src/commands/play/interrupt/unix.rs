//! Signals where there are some. They are blocked, and a thread takes them one by one.

use std::error::Error;
use std::io;
use std::thread;

use nix::sys::signal::{SigSet, Signal, raise};
use nix::sys::termios::{SetArg, tcgetattr, tcsetattr};
use nix::unistd::{getpgrp, tcgetpgrp};

use super::{leave, press, say_kept};

/// Minds Ctrl-C and the signals that end the program from now on. Line editors that read Ctrl-C
/// themselves do so apart from this. Whichever ends the program, the terminal is left as it was found.
///
/// # Errors
///
/// When the system refuses to block signals.
pub fn catch() -> Result<(), Box<dyn Error>> {
    let signals: SigSet = [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP].into_iter().collect();
    signals.thread_block()?;
    let terminal = tcgetattr(io::stdin()).ok();
    thread::spawn(move || {
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
    });
    Ok(())
}

/// Whether the terminal listens to this program, and not to another while this one is in the
/// background.
fn has_terminal() -> bool {
    tcgetpgrp(io::stdin()).is_ok_and(|group| group == getpgrp())
}

/// Ends the program by a signal, as it would have ended without this thread.
fn end(signal: Signal) {
    say_kept();
    let _ = SigSet::from(signal).thread_unblock();
    let _ = raise(signal);
}
