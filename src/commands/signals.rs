//! Ctrl-C and the other signals that ask a program to end.

use std::io;
use std::process;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::arguments::INTERRUPTED;

/// Makes the first signal stop the work by this function, and another one end the program at once.
///
/// # Errors
///
/// When the system refuses.
pub fn stop_with(stop: impl Fn() + Send + 'static) -> io::Result<()> {
    let has_stopped = AtomicBool::new(false);
    catch(move || {
        if has_stopped.swap(true, Relaxed) {
            process::exit(INTERRUPTED.into());
        }
        stop();
    })
}

/// Calls a function on a thread of its own whenever a signal arrives.
#[cfg(unix)]
fn catch(on_signal: impl Fn() + Send + 'static) -> io::Result<()> {
    let numbers = watched().into_iter().map(|signal| signal as i32);
    let mut signals = signal_hook::iterator::Signals::new(numbers)?;
    std::thread::Builder::new().spawn(move || signals.forever().for_each(|_| on_signal()))?;
    Ok(())
}

#[cfg(not(unix))]
fn catch(on_signal: impl Fn() + Send + 'static) -> io::Result<()> {
    ctrlc::set_handler(on_signal).map_err(io::Error::other)
}

/// The signals that ask this program to end: that of the end of the terminal only if whoever started it
/// does not have it ignore that, as `nohup` does. Shells start what runs in the background with Ctrl-C
/// ignored, where a script that sends it means it.
#[cfg(unix)]
pub fn watched() -> Vec<nix::sys::signal::Signal> {
    use nix::sys::signal::Signal::{SIGHUP, SIGINT, SIGTERM};

    let mut signals = vec![SIGINT, SIGTERM];
    signals.extend((!is_ignored(SIGHUP as i32)).then_some(SIGHUP));
    signals
}

/// Whether this program ignores a signal, by its number; not where the system does not tell.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}
