//! A front end for tests: starts the program and talks to it over pipes.
//!
//! Whoever waits for a line waits for a limited time, so an engine that hangs fails the test.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use crate::program::{Killed, end_of, home, program, start};

/// The longest wait for one line.
const PATIENCE: Duration = Duration::from_secs(30);

/// A running engine, which ends with its client.
pub struct Client {
    pub process: Killed,
    pub input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Client {
    /// Starts the program with the protocol on its pipes.
    pub fn start() -> Self {
        Self::start_in(&home(), &[])
    }

    /// The same with the other protocol.
    pub fn start_gbgp() -> Self {
        Self::start_in(&home(), &["gbgp"])
    }

    /// Starts the program with a subcommand or none, and a folder for what it keeps.
    pub fn start_in(home: &Path, arguments: &[&str]) -> Self {
        let mut command = program(home);
        command.args(arguments);
        Self::start_command(command, home)
    }

    /// Starts any command with a folder for what Millstone keeps.
    pub fn start_command(mut command: Command, home: &Path) -> Self {
        command.env("XDG_CACHE_HOME", home.join("cache")).env("XDG_DATA_HOME", home.join("data"));
        let mut process = start(command.stdin(Stdio::piped()).stdout(Stdio::piped()));
        let input = process.stdin.take();
        let output = process.stdout.take().expect("the output is a pipe");
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || pass_on(output, &sender));
        Self { process: Killed(process), input, lines }
    }

    /// Sets options, each `Name=value`.
    pub fn set(&mut self, options: &[&str]) {
        for option in options {
            let (name, value) = option.split_once('=').expect("a name and a value");
            self.send(&format!("setoption name {name} value {value}"));
        }
    }

    /// The same for an engine that has just started.
    pub fn with(mut self, options: &[&str]) -> Self {
        self.set(options);
        self
    }

    /// Waits until all that was sent is done; gives what is told meanwhile.
    pub fn ready(&mut self) -> Vec<String> {
        self.ask("isready", "readyok")
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// Sends bytes as they are.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(bytes).and_then(|()| input.flush()).expect("the program reads");
    }

    /// The next line; `None` after the last.
    pub fn next_line(&self) -> Option<String> {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(line) => Some(line),
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => panic!("no line within {PATIENCE:?}"),
        }
    }

    /// The next lines up to the first that starts with `start`.
    pub fn read_to(&self, start: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let Some(line) = self.next_line() else { panic!("no {start} in {lines:?}") };
            let is_last = line.starts_with(start);
            lines.push(line);
            if is_last {
                return lines;
            }
        }
    }

    /// Sends a line and reads up to a line that starts with `start`.
    pub fn ask(&mut self, line: &str, start: &str) -> Vec<String> {
        self.send(line);
        self.read_to(start)
    }

    /// Sends a `go` and gives the word after `bestmove`.
    pub fn best_move(&mut self, go: &str) -> String {
        best_of(&self.ask(go, "bestmove"))
    }

    /// Sends a line and reads the one line that follows.
    pub fn ask_line(&mut self, line: &str) -> String {
        self.send(line);
        self.next_line().expect("a reply")
    }

    /// The legal moves by the engine.
    pub fn legal_moves(&mut self) -> Vec<String> {
        let lines = self.ask("moves", "moves");
        lines[lines.len() - 1].split_whitespace().skip(1).map(str::to_owned).collect()
    }

    /// Ends the input and gives all lines to the end of the output, and the exit status.
    pub fn finish(mut self) -> (Vec<String>, ExitStatus) {
        self.input = None;
        let lines = std::iter::from_fn(|| self.next_line()).collect();
        (lines, end_of(&mut self.process.0))
    }
}

/// Passes lines on until either side ends.
fn pass_on(output: ChildStdout, lines: &Sender<String>) {
    for line in BufReader::new(output).lines() {
        let line = line.expect("the output is text");
        if lines.send(line).is_err() {
            break;
        }
    }
}

/// The word after the `bestmove` that ends these lines.
pub fn best_of(lines: &[String]) -> String {
    let mut words = lines[lines.len() - 1].split_whitespace();
    assert_eq!(words.next(), Some("bestmove"));
    words.next().expect("a move, draw or none").to_owned()
}

/// The number after a word in the last line that has the word.
pub fn number_after(word: &str, lines: &[String]) -> u64 {
    let in_line = |line: &String| {
        let mut words = line.split_whitespace().skip_while(|&other| other != word);
        words.nth(1)?.parse().ok()
    };
    lines.iter().rev().find_map(in_line).unwrap_or_else(|| panic!("no {word} in {lines:?}"))
}
