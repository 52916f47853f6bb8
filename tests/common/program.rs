//! Running the program to its end, as a script does.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use serde_json::Value;

/// The longest that a program may run.
const PATIENCE: Duration = Duration::from_secs(120);
/// How often the end of a program is looked for.
const INTERVAL: Duration = Duration::from_millis(5);

/// What a program wrote and ended with.
pub struct Ended {
    pub out: String,
    pub error: String,
    /// None if a signal ended it.
    pub status: Option<i32>,
}

impl Ended {
    /// The lines of standard output of a program that did what it should, without complaint.
    pub fn lines(&self) -> Vec<&str> {
        assert_eq!((self.error.as_str(), self.status), ("", Some(0)), "{}", self.out);
        self.out.lines().collect()
    }

    /// The same, each line being JSON.
    pub fn json(&self) -> Vec<Value> {
        let parse =
            |line: &str| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"));
        self.lines().into_iter().map(parse).collect()
    }

    /// The one line of error of a program that failed, without the name of the program.
    pub fn complaint(&self) -> &str {
        assert_eq!(self.status, Some(1), "{}", self.error);
        assert_eq!(self.error.lines().count(), 1, "{}", self.error);
        self.error.trim_end().strip_prefix("millstone: ").expect("the program names itself")
    }
}

/// Runs Millstone without input.
pub fn millstone(arguments: &[&str]) -> Ended {
    millstone_reading("", arguments)
}

/// Runs Millstone with a text on standard input.
pub fn millstone_reading(input: &str, arguments: &[&str]) -> Ended {
    run(program(&home()).args(arguments), input)
}

/// Runs Millstone with a folder for what it keeps.
pub fn millstone_at_home(home: &Path, arguments: &[&str]) -> Ended {
    run(program(home).args(arguments), "")
}

/// Runs Millstone with nobody left to read its output.
pub fn millstone_unread(arguments: &[&str]) -> Ended {
    let (reader, writer) = io::pipe().expect("the system has pipes");
    drop(reader);
    millstone_into(writer, arguments)
}

/// Runs Millstone with nobody left to read its standard error.
pub fn millstone_unheard(input: &str, arguments: &[&str]) -> Ended {
    let (reader, writer) = io::pipe().expect("the system has pipes");
    drop(reader);
    run_into(Stdio::piped(), writer.into(), program(&home()).args(arguments), input)
}

/// Runs Millstone with something of its own for standard output.
pub fn millstone_into(output: impl Into<Stdio>, arguments: &[&str]) -> Ended {
    run_into(output.into(), Stdio::piped(), program(&home()).args(arguments), "")
}

/// A folder for what the programs of tests keep, so that nothing of the user's is read or written.
fn home() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("home")
}

fn program(home: &Path) -> Command {
    let mut program = Command::new(env!("CARGO_BIN_EXE_millstone"));
    program.env("XDG_CACHE_HOME", home.join("cache")).env("XDG_DATA_HOME", home.join("data"));
    program
}

/// Runs a program with a text on standard input.
pub fn run(command: &mut Command, input: &str) -> Ended {
    run_into(Stdio::piped(), Stdio::piped(), command, input)
}

fn run_into(output: Stdio, error: Stdio, command: &mut Command, input: &str) -> Ended {
    command.stdin(Stdio::piped()).stdout(output).stderr(error);
    let mut process = command.spawn().unwrap_or_else(|error| {
        panic!("cannot start {}: {error}", command.get_program().display())
    });
    let out = collect(process.stdout.take());
    let error = collect(process.stderr.take());
    let mut to_process = process.stdin.take().expect("the input is a pipe");
    let input = input.to_owned();
    // A program that fails early does not read everything.
    let writer = thread::spawn(move || drop(to_process.write_all(input.as_bytes())));
    let begin = Instant::now();
    let status = loop {
        if let Some(status) = process.try_wait().expect("the program can be waited for") {
            break status;
        }
        if begin.elapsed() > PATIENCE {
            process.kill().expect("the program can be ended");
            panic!("the program still runs after {PATIENCE:?}");
        }
        thread::sleep(INTERVAL);
    };
    writer.join().expect("the input is written");
    let [out, error] = [out, error].map(|text| text.join().expect("the output is read"));
    Ended { out, error, status: status.code() }
}

/// Reads a pipe, if it is one, to its end.
fn collect(pipe: Option<impl Read + Send + 'static>) -> JoinHandle<String> {
    thread::spawn(move || {
        let mut text = String::new();
        pipe.map(|mut pipe| pipe.read_to_string(&mut text).expect("the output is text"));
        text
    })
}
