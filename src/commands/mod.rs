//! The subcommands, each in the file or folder of its name, and what they share; `perft` is in `bench`,
//! `completions` in `man`.

mod actions;
mod analyze;
pub mod arguments;
mod bench;
mod convert;
mod db;
mod learn;
mod man;
mod matches;
mod play;
pub mod program;
mod puzzles;
mod rules;
mod serve;
pub mod terminal;
mod train;

use std::fmt;
use std::io::{self, Write};
use std::path::Path;

use millstone::system::whole_file;
use rayon::ThreadPoolBuilder;
use serde::Serialize;
use serde_json::Value;

/// The result of a subcommand or a part of one; an error is a one-line message to the user.
pub type CommandResult<T = ()> = Result<T, Box<dyn std::error::Error>>;

/// Replaces a file as a whole; errors name it.
pub fn save(path: &Path, bytes: impl AsRef<[u8]>) -> Result<(), String> {
    whole_file::save(path, |mut file| file.write_all(bytes.as_ref())).map_err(at(path))
}

/// Fails with an error unless a condition holds.
pub fn ensure(holds: bool, otherwise: impl Into<Box<dyn std::error::Error>>) -> CommandResult {
    if holds { Ok(()) } else { Err(otherwise.into()) }
}

/// Prefixes an error with the path it is about.
pub fn at<E: fmt::Display>(path: &Path) -> impl Fn(E) -> String {
    move |error| format!("{}: {error}", path.display())
}

/// Starts the threads that share the work of a command; 0 means one for each processor.
fn start_threads(threads: u16) -> Result<(), String> {
    let started = ThreadPoolBuilder::new().num_threads(threads.into()).build_global();
    started.map_err(|error| format!("cannot start threads: {error}"))
}

/// Reports a problem on standard error, after the name of the program.
pub fn complain(what: impl fmt::Display) {
    say(format_args!("millstone: {what}"));
}

/// Writes a line to standard error in one piece. Ignores failures, such as a full disk or a closed pipe, which
/// could not be reported anywhere.
pub fn say(line: impl fmt::Display) {
    let _ = io::stderr().write_all(format!("{line}\n").as_bytes());
}

/// The choice between output for people and for programs.
#[derive(Clone, Copy, clap::Args)]
pub struct Format {
    /// Print JSON, one object a line
    #[arg(long)]
    pub json: bool,
}

impl Format {
    /// Writes to standard output: a line of JSON or text.
    pub fn write(self, json: &impl Serialize, text: impl fmt::Display) -> io::Result<()> {
        if self.json { write_json(json) } else { writeln!(io::stdout(), "{text}") }
    }

    /// Writes rows to standard output: a line of JSON each, or one table.
    pub fn write_table<const COLUMNS: usize>(
        self,
        titles: [&str; COLUMNS],
        rows: impl IntoIterator<Item = (Value, [String; COLUMNS])>,
    ) -> io::Result<()> {
        let (json, cells): (Vec<Value>, Vec<_>) = rows.into_iter().unzip();
        if self.json {
            return json.iter().try_for_each(write_json);
        }
        writeln!(io::stdout(), "{}", terminal::table(&titles, cells))
    }
}

/// Writes a line of JSON to standard output.
pub fn write_json(value: &impl Serialize) -> io::Result<()> {
    let mut out = io::stdout().lock();
    serde_json::to_writer(&mut out, value)?;
    writeln!(out)
}
