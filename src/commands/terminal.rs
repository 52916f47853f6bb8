//! Terminal capabilities, tables, progress bars, prompts, and Ctrl-C and the other signals that end a program.

use std::io::{self, BufRead, Read, Write};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::{env, process};

use comfy_table::{CellAlignment, Table, presets};
use indicatif::{ProgressBar, ProgressStyle};
#[cfg(unix)]
use signal_hook::consts::{SIGHUP, SIGTERM};

use super::INTERRUPTED;

/// The longest line to read at once, in bytes.
const LONGEST_LINE: u64 = 1 << 16;

/// Whether the terminal can only show lines of text.
pub fn is_dumb() -> bool {
    env::var_os("TERM").is_some_and(|terminal| terminal == "dumb")
}

/// Reads a line of standard input and trims it; `None` at the end of the input. Overlong lines are split.
pub fn ask(prompt: &str) -> io::Result<Option<String>> {
    let mut out = io::stdout().lock();
    write!(out, "{prompt}")?;
    out.flush()?;
    let mut bytes = Vec::new();
    let read = io::stdin().lock().take(LONGEST_LINE).read_until(b'\n', &mut bytes)?;
    Ok((read > 0).then(|| String::from_utf8_lossy(&bytes).trim().to_owned()))
}

/// Whether the locale of the environment says that the terminal shows UTF-8.
pub fn speaks_unicode() -> bool {
    let names = ["LC_ALL", "LC_CTYPE", "LANG"];
    let locale = names.into_iter().filter_map(env::var_os).find(|value| !value.is_empty());
    let locale = locale.map(|value| value.to_string_lossy().to_ascii_lowercase().replace('-', ""));
    cfg!(windows) || locale.is_some_and(|locale| locale.contains("utf8"))
}

/// The width of the terminal in columns, if there is one.
pub fn width() -> Option<usize> {
    terminal_size::terminal_size().map(|(terminal_size::Width(columns), _)| columns.into())
}

/// Creates a progress bar in ASCII.
pub fn bar(length: u64, template: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(template).unwrap_or(ProgressStyle::default_bar());
    ProgressBar::new(length).with_style(style.progress_chars("=> "))
}

/// Writes a share in percent, or a dash if it is unknown.
pub fn percent(share: Option<f64>) -> String {
    share.map_or("-".to_owned(), |share| format!("{:.1} %", 100.0 * share))
}

/// Writes a table without borders.
///
/// * `titles`: the titles of the columns; a leading `<` aligns a column left.
/// * `rows`: the cells of each row; missing cells are empty.
pub fn table(
    titles: &[&str],
    rows: impl IntoIterator<Item = impl IntoIterator<Item = String>>,
) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(titles.iter().map(|title| title.trim_start_matches('<')));
    table.add_rows(rows);
    for (column, title) in table.column_iter_mut().zip(titles) {
        let is_left = title.starts_with('<');
        let alignment = if is_left { CellAlignment::Left } else { CellAlignment::Right };
        column.set_cell_alignment(alignment);
        column.set_padding((0, 2));
    }
    table.trim_fmt()
}

/// The signal number of Ctrl-C on every system.
pub const INTERRUPT: i32 = 2;

static HAS_STOPPED: AtomicBool = AtomicBool::new(false);

/// Whether a signal has stopped the work.
pub fn has_stopped() -> bool {
    HAS_STOPPED.load(Relaxed)
}

/// Calls `stop` at the first signal, and ends the program at the second.
pub fn stop_with(stop: impl Fn() + Send + 'static) -> io::Result<()> {
    catch(move |_| {
        if HAS_STOPPED.swap(true, Relaxed) {
            process::exit(INTERRUPTED.into());
        }
        stop();
    })
}

/// Calls a function with the number of each signal, on a separate thread.
#[cfg(unix)]
pub fn catch(on_signal: impl Fn(i32) + Send + 'static) -> io::Result<()> {
    // `nohup` and the like ignore SIGHUP so that the program survives its terminal. Ctrl-C is caught even if ignored:
    // shells ignore it for background jobs, but a script that sends it means it.
    // Without that file, SIGHUP counts as not ignored.
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    let is_ignored = mask.is_some_and(|mask| mask >> (SIGHUP - 1) & 1 == 1);
    let hangup = (!is_ignored).then_some(SIGHUP);
    let watched = [INTERRUPT, SIGTERM].into_iter().chain(hangup);
    let mut signals = signal_hook::iterator::Signals::new(watched)?;
    let forward = move || signals.forever().for_each(on_signal);
    std::thread::Builder::new().spawn(forward)?;
    Ok(())
}

#[cfg(not(unix))]
pub fn catch(on_signal: impl Fn(i32) + Send + 'static) -> io::Result<()> {
    ctrlc::set_handler(move || on_signal(INTERRUPT)).map_err(io::Error::other)
}
