//! Ctrl-C and the other signals that ask a program to end.

use std::io;
use std::process;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

#[cfg(unix)]
use signal_hook::consts::{SIGHUP, SIGTERM};

use super::arguments::INTERRUPTED;

/// The number of Ctrl-C on every system.
pub const INTERRUPT: i32 = 2;

static HAS_STOPPED: AtomicBool = AtomicBool::new(false);

/// Whether a signal has stopped the work.
pub fn has_stopped() -> bool {
    HAS_STOPPED.load(Relaxed)
}

/// Makes the first signal stop the work by this function, and another one end the program at once.
pub fn stop_with(stop: impl Fn() + Send + 'static) -> io::Result<()> {
    catch(move |_| {
        if HAS_STOPPED.swap(true, Relaxed) {
            process::exit(INTERRUPTED.into());
        }
        stop();
    })
}

/// Calls a function on a thread of its own whenever a signal arrives, with its number.
#[cfg(unix)]
pub fn catch(on_signal: impl Fn(i32) + Send + 'static) -> io::Result<()> {
    // Whoever starts a program that is to survive its terminal, as `nohup` does, starts it with SIGHUP ignored.
    // Shells start what runs in the background with Ctrl-C ignored, where a script that sends it means it.
    let is_watched = |signal: &i32| *signal != SIGHUP || !is_ignored(SIGHUP);
    let watched = [INTERRUPT, SIGTERM, SIGHUP].into_iter().filter(is_watched);
    let mut signals = signal_hook::iterator::Signals::new(watched)?;
    let forward = move || signals.forever().for_each(on_signal);
    std::thread::Builder::new().spawn(forward)?;
    Ok(())
}

#[cfg(not(unix))]
pub fn catch(on_signal: impl Fn(i32) + Send + 'static) -> io::Result<()> {
    ctrlc::set_handler(move || on_signal(INTERRUPT)).map_err(io::Error::other)
}

/// Whether this program ignores a signal; `false` where the system does not tell.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}
