//! Runs `millstone match` for tests, in a folder of its own and for a limited time.

use std::fs;
use std::path::PathBuf;

use crate::program::{Ended, Running, program, wait_until};
use serde_json::Value;
use tempfile::TempDir;

/// The words for an engine that is this program.
pub const SELF: &str = concat!("cmd='", env!("CARGO_BIN_EXE_millstone"), "'");
/// The words for this program at a level.
pub fn level(level: u32) -> String {
    format!("{SELF}\nname=level {level}\noption.SkillLevel={level}")
}

/// What both engines play with: little memory, and limits that are the same on every machine.
pub const EACH: [&str; 3] = ["option.Hash=1", "option.UsePerfectDatabase=false", "nodes=300"];

/// A folder in which matches are played.
pub struct MatchFolder {
    folder: TempDir,
}

impl MatchFolder {
    pub fn new() -> Self {
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
        Self { folder }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The words for an engine that is a shell script.
    #[cfg(unix)]
    pub fn script(&self, name: &str, lines: &str) -> String {
        let path = self.path(name);
        fs::write(&path, lines).expect("a file");
        format!("cmd=sh '{}'", path.display())
    }

    /// Starts a match with these arguments.
    pub fn start<W: AsRef<str>>(&self, arguments: &[W]) -> Running {
        let mut program = program(self.folder.path());
        let arguments = arguments.iter().map(AsRef::as_ref);
        Running::of(program.arg("match").args(arguments).current_dir(self.folder.path()))
    }

    /// Plays a match with these arguments to its end.
    pub fn play<W: AsRef<str>>(&self, arguments: &[W]) -> Ended {
        self.start(arguments).finish()
    }

    /// The result of a match that has to end well.
    pub fn result<W: AsRef<str>>(&self, arguments: &[W]) -> Value {
        let mut arguments: Vec<&str> = arguments.iter().map(AsRef::as_ref).collect();
        arguments.push("--json");
        self.play(&arguments).result()
    }

    /// The games of a log.
    pub fn games(&self, log: &str) -> Vec<Value> {
        let game = |line: &String| serde_json::from_str(line).expect("a game");
        self.lines(log)[1..].iter().map(game).collect()
    }

    /// The lines of a file, none if it is not there.
    pub fn lines(&self, name: &str) -> Vec<String> {
        let text = fs::read_to_string(self.path(name)).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }
}

impl Running {
    /// Waits until something has happened while the match runs.
    pub fn wait_until(&mut self, has_happened: impl Fn() -> bool) {
        let mut has_ended = || self.process.0.try_wait().expect("it can be waited for").is_some();
        wait_until(|| has_happened() || has_ended(), || "it does not happen".to_owned());
        assert!(has_happened(), "the match ended before");
    }
}

/// A match between two engines; words for both follow, then other arguments.
pub fn arguments(engines: [&str; 2], others: &[&str]) -> Vec<String> {
    let mut all = Vec::new();
    for engine in engines {
        all.push("--engine".to_owned());
        all.extend(engine.split('\n').map(str::to_owned));
    }
    all.push("--each".to_owned());
    all.extend(EACH.map(str::to_owned));
    all.extend(others.iter().map(|&word| word.to_owned()));
    all
}
