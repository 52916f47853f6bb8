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

/// The signals that ask this program to end, without those that whoever started it has it ignore, as
/// `nohup` does with the end of the terminal.
#[cfg(unix)]
pub fn watched() -> Vec<nix::sys::signal::Signal> {
    use nix::sys::signal::Signal::{SIGHUP, SIGINT, SIGTERM};

    let ignored = ignored();
    let is_ignored = |number: i32| ignored >> (number - 1) & 1 == 1;
    [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|&signal| !is_ignored(signal as i32)).collect()
}

/// The signals that this program ignores, a bit each from number 1 on; none where the system does not
/// tell.
#[cfg(unix)]
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default()
}
