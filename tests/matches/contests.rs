//! Runs `millstone match` for tests, in a folder of its own and for a limited time.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

/// The longest that a match of a test may take.
const PATIENCE: Duration = Duration::from_secs(60);
/// How often is looked whether what is waited for has happened.
const INTERVAL: Duration = Duration::from_millis(5);

/// The words for an engine that is this program.
pub const SELF: &str = concat!("cmd='", env!("CARGO_BIN_EXE_millstone"), "'");
/// What both engines play with: little memory, and limits that are the same on every machine.
pub const EACH: [&str; 3] = ["option.Hash=1", "option.UsePerfectDatabase=false", "nodes=300"];

/// A folder in which matches are played.
pub struct MatchFolder {
    folder: TempDir,
}

/// A match that has begun.
pub struct Running {
    process: Child,
    output: PathBuf,
    errors: PathBuf,
}

/// Waits until something has happened.
pub fn wait_until(mut has_happened: impl FnMut() -> bool, otherwise: impl Fn() -> String) {
    let deadline = Instant::now() + PATIENCE;
    while !has_happened() {
        assert!(Instant::now() < deadline, "{}", otherwise());
        thread::sleep(INTERVAL);
    }
}

/// What a match has said.
#[derive(Debug)]
pub struct Finished {
    pub code: Option<i32>,
    pub output: String,
    pub errors: String,
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
        let (output, errors) = (self.path("output"), self.path("errors"));
        let process = Command::new(env!("CARGO_BIN_EXE_millstone"))
            .arg("match")
            .args(arguments.iter().map(AsRef::as_ref))
            .current_dir(self.folder.path())
            .env("XDG_CACHE_HOME", self.path("cache"))
            .env("XDG_DATA_HOME", self.path("data"))
            .stdin(Stdio::null())
            .stdout(File::create(&output).expect("a file"))
            .stderr(File::create(&errors).expect("a file"))
            .spawn()
            .expect("the program starts");
        Running { process, output, errors }
    }

    /// Plays a match with these arguments to its end.
    pub fn play<W: AsRef<str>>(&self, arguments: &[W]) -> Finished {
        self.start(arguments).finish()
    }

    /// The result of a match that has to end well.
    pub fn result<W: AsRef<str>>(&self, arguments: &[W]) -> Value {
        let mut arguments: Vec<&str> = arguments.iter().map(AsRef::as_ref).collect();
        arguments.push("--json");
        self.play(&arguments).result()
    }

    /// The lines of a file, none if it is not there.
    pub fn lines(&self, name: &str) -> Vec<String> {
        let text = fs::read_to_string(self.path(name)).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }
}

impl Running {
    #[cfg(unix)]
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// Waits for the end.
    pub fn finish(mut self) -> Finished {
        let mut status = None;
        let has_ended = || {
            status = self.process.try_wait().expect("the match can be waited for");
            status.is_some()
        };
        let errors = self.errors.clone();
        wait_until(has_ended, || format!("no end: {:?}", fs::read_to_string(&errors)));
        let read = |path: &Path| fs::read_to_string(path).expect("text");
        Finished {
            code: status.and_then(|status| status.code()),
            output: read(&self.output),
            errors: read(&self.errors),
        }
    }

    /// Ends the match as a power cut would.
    pub fn kill(mut self) {
        self.process.kill().expect("the match runs");
        self.process.wait().expect("the match ends");
    }

    /// Waits until something has happened while the match runs.
    pub fn wait_until(&mut self, has_happened: impl Fn() -> bool) {
        let mut has_ended = || self.process.try_wait().expect("it can be waited for").is_some();
        let ends = || has_happened() || has_ended();
        wait_until(ends, || "it does not happen".to_owned());
        assert!(has_happened(), "the match ended before: {}", self.said());
    }

    fn said(&self) -> String {
        fs::read_to_string(&self.errors).unwrap_or_default()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Finished {
    /// The result of a match that has to have ended well.
    pub fn result(&self) -> Value {
        assert!(self.code == Some(0), "{self:?}");
        serde_json::from_str(&self.output).expect("JSON")
    }

    /// The one line that a match ends with that cannot go on.
    pub fn error(&self) -> &str {
        assert!(self.code == Some(1), "{self:?}");
        let error = self.errors.lines().last().expect("an error");
        error.strip_prefix("millstone: ").expect("an error of the program")
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
