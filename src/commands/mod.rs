//! The subcommands, each a file or folder of its name, and what they share; `perft` is in `bench`, `completions` in
//! `man`.

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
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};
use serde::Serialize;
use serde_json::Value;

/// What a subcommand, or a part of one, gives; an error is one line for the user.
pub type CommandResult<T = ()> = Result<T, Box<dyn std::error::Error>>;

/// Replaces the whole of a file that the user has named; an error names it too.
pub fn save(path: &Path, bytes: impl AsRef<[u8]>) -> Result<(), String> {
    whole_file::save(path, |mut file| file.write_all(bytes.as_ref())).map_err(at(path))
}

/// Refuses to go on unless something holds.
pub fn ensure(holds: bool, otherwise: impl Into<Box<dyn std::error::Error>>) -> CommandResult {
    if holds { Ok(()) } else { Err(otherwise.into()) }
}

/// Names the path that an error is about.
pub fn at<E: fmt::Display>(path: &Path) -> impl Fn(E) -> String {
    move |error| format!("{}: {error}", path.display())
}

/// Starts the threads that share the work of a command.
fn start_threads() -> Result<(), String> {
    let started = ThreadPoolBuilder::new().build_global();
    started.map_err(|error| format!("cannot start threads: {error}"))
}

/// A number of threads that share the work of a part of a command; one for each processor if it is 0.
fn thread_pool(threads: u16) -> Result<ThreadPool, ThreadPoolBuildError> {
    ThreadPoolBuilder::new().num_threads(threads.into()).build()
}

/// Reports what is wrong on standard error, after the name of the program.
pub fn complain(what: impl fmt::Display) {
    say(format_args!("millstone: {what}"));
}

/// Writes a line to standard error in one piece. If that fails, as on a full disk or a closed pipe, there is
/// nowhere left to report it.
pub fn say(line: impl fmt::Display) {
    let _ = io::stderr().write_all(format!("{line}\n").as_bytes());
}

/// Whether output is for people or for programs.
#[derive(Clone, Copy, clap::Args)]
pub struct Format {
    /// Print JSON, one object a line
    #[arg(long)]
    pub json: bool,
}

impl Format {
    /// Writes to standard output: a line of JSON for programs, text for people.
    pub fn write(self, json: &impl Serialize, text: impl fmt::Display) -> io::Result<()> {
        if self.json { write_json(json) } else { writeln!(io::stdout(), "{text}") }
    }

    /// Writes rows to standard output: each as a line of JSON for programs, all as a table for people.
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
