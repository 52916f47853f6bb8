//! Running the program to its end, as a script does.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use serde_json::Value;

/// The longest that a program may run.
const PATIENCE: Duration = Duration::from_secs(120);
/// How often is looked whether what is waited for has happened.
const INTERVAL: Duration = Duration::from_millis(5);

/// What a program wrote and ended with.
#[derive(Debug)]
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

    /// The JSON of a program that succeeded, whatever it complained of.
    pub fn result(&self) -> Value {
        assert_eq!(self.status, Some(0), "{}", self.error);
        serde_json::from_str(&self.out).expect("JSON")
    }

    /// What a process ends with whose output goes into pipes.
    pub fn of(process: Child) -> Self {
        let Output { stdout, stderr, status } = process.wait_with_output().expect("it runs");
        let [out, error] =
            [stdout, stderr].map(|bytes| String::from_utf8(bytes).expect("the output is text"));
        Self { out, error, status: status.code() }
    }

    /// The one line of error of a program that failed, without the name of the program.
    pub fn complaint(&self) -> &str {
        self.complaint_with(1)
    }

    /// The same with another exit status.
    pub fn complaint_with(&self, status: i32) -> &str {
        assert_eq!(self.error.lines().count(), 1, "{}", self.error);
        self.last_complaint_with(status)
    }

    /// The same of a program that said more before.
    pub fn last_complaint(&self) -> &str {
        self.last_complaint_with(1)
    }

    /// The same with another exit status.
    pub fn last_complaint_with(&self, status: i32) -> &str {
        assert_eq!(self.status, Some(status), "{}", self.error);
        let last = self.error.lines().last().expect("an error");
        last.strip_prefix("millstone: ").expect("the program names itself")
    }

    /// Expects that complaint to begin with a text.
    pub fn assert_complains(&self, start: &str) {
        let complaint = self.last_complaint();
        assert!(complaint.starts_with(start), "{start}: {complaint}");
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

/// Runs Millstone in a folder, below which it keeps its data, with a text on standard input.
pub fn millstone_in(folder: &Path, input: &str, arguments: &[&str]) -> Ended {
    let mut program = program(&home());
    program.args(arguments).current_dir(folder).env("XDG_DATA_HOME", folder.join("data"));
    run(&mut program, input)
}

/// Makes a pipe with a name.
#[cfg(unix)]
pub fn make_pipe(path: &Path) {
    nix::unistd::mkfifo(path, nix::sys::stat::Mode::S_IRWXU).expect("a pipe with a name");
}

/// A pipe that nobody reads.
pub fn unread() -> Stdio {
    io::pipe().expect("the system has pipes").1.into()
}

/// Runs Millstone with nobody left to read its standard error.
pub fn millstone_unheard(input: &str, arguments: &[&str]) -> Ended {
    run_into(Stdio::piped(), unread(), program(&home()).args(arguments), input)
}

/// Runs Millstone with something of its own for standard output.
pub fn millstone_into(output: impl Into<Stdio>, arguments: &[&str]) -> Ended {
    run_into(output.into(), Stdio::piped(), program(&home()).args(arguments), "")
}

/// A folder for what the programs of tests keep, so that nothing of the user's is read or written.
pub fn home() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("home")
}

/// Millstone with a folder for what it keeps.
pub fn program(home: &Path) -> Command {
    let mut program = Command::new(env!("CARGO_BIN_EXE_millstone"));
    program.env("XDG_CACHE_HOME", home.join("cache")).env("XDG_DATA_HOME", home.join("data"));
    program
}

/// The path of a test as an argument.
pub fn plain(path: &Path) -> &str {
    path.to_str().expect("test folders have plain names")
}

/// Runs a program with a text on standard input.
pub fn run(command: &mut Command, input: &str) -> Ended {
    run_into(Stdio::piped(), Stdio::piped(), command, input)
}

/// The same with something of its own for standard output and error.
pub fn run_into(output: Stdio, error: Stdio, command: &mut Command, input: &str) -> Ended {
    Running::start(output, error, command, input).finish()
}

/// A process that ends with this.
pub struct Killed(pub Child);

impl Drop for Killed {
    /// Errors say that the program has ended already.
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A program that runs, and ends with this.
pub struct Running {
    pub process: Killed,
    out: JoinHandle<String>,
    error: JoinHandle<String>,
}

impl Running {
    fn start(output: Stdio, error: Stdio, command: &mut Command, input: &str) -> Self {
        command.stdin(Stdio::piped()).stdout(output).stderr(error);
        let mut process = self::start(command);
        let (out, error) = (collect(process.stdout.take()), collect(process.stderr.take()));
        let mut to_process = process.stdin.take().expect("the input is a pipe");
        let input = input.to_owned();
        // A program that fails early does not read everything.
        thread::spawn(move || drop(to_process.write_all(input.as_bytes())));
        Self { process: Killed(process), out, error }
    }

    /// Starts a program without input.
    pub fn of(command: &mut Command) -> Self {
        Self::start(Stdio::piped(), Stdio::piped(), command, "")
    }

    /// Waits for the end.
    pub fn finish(mut self) -> Ended {
        let status = end_of(&mut self.process.0).code();
        let [out, error] =
            [self.out, self.error].map(|text| text.join().expect("the output is read"));
        Ended { out, error, status }
    }
}

/// Starts a program, which has to be there.
pub fn start(command: &mut Command) -> Child {
    let started = command.spawn();
    started.unwrap_or_else(|error| panic!("{}: {error}", command.get_program().display()))
}

/// Waits until a process ends.
pub fn end_of(process: &mut Child) -> ExitStatus {
    let mut status = None;
    let has_ended = || {
        status = process.try_wait().expect("the program can be waited for");
        status.is_some()
    };
    wait_until(has_ended, || format!("the program still runs after {PATIENCE:?}"));
    status.expect("the program has ended")
}

/// Waits until something has happened.
pub fn wait_until(mut has_happened: impl FnMut() -> bool, otherwise: impl Fn() -> String) {
    let deadline = Instant::now() + PATIENCE;
    while !has_happened() {
        assert!(Instant::now() < deadline, "{}", otherwise());
        thread::sleep(INTERVAL);
    }
}

/// Reads a pipe, if it is one, to its end.
fn collect(pipe: Option<impl Read + Send + 'static>) -> JoinHandle<String> {
    thread::spawn(move || {
        let mut text = String::new();
        pipe.map(|mut pipe| pipe.read_to_string(&mut text).expect("the output is text"));
        text
    })
}
