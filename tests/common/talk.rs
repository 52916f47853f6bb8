//! What front ends say and hear besides searches.

use std::process::ExitStatus;
use std::thread;
use std::time::Duration;

use crate::client::{Client, PATIENCE};

/// How often the end of the process is looked for.
const INTERVAL: Duration = Duration::from_millis(5);

impl Client {
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
        for _ in 0..PATIENCE.as_millis() / INTERVAL.as_millis() {
            if let Some(status) = self.process.try_wait().expect("the program can be waited for") {
                return (lines, status);
            }
            thread::sleep(INTERVAL);
        }
        panic!("the program goes on after the end of its output");
    }
}
