//! A person at a terminal, for tests: types lines and reads what the program shows.
//!
//! Whoever waits for a text waits for a limited time, so a program that hangs fails the test.

use std::io::{Read, Write};
use std::path::Path;
use std::process::{self, ExitStatus};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Condvar, LazyLock, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use crate::program::{Killed, end_of};
use nix::sys::signal::Signal;
use nix::sys::termios::{LocalFlags, tcgetattr};
use pty_process::Size;
use pty_process::blocking::{self, Command, Pty};

/// The longest wait for a text or for the end.
const PATIENCE: Duration = Duration::from_secs(60);
/// A usual terminal.
const ROWS: u16 = 40;
const COLUMNS: u16 = 80;

/// A handler here, so that programs begin without one: with SIGHUP ignored, as `nohup` has it, they would ignore
/// it too.
static HANGUP: LazyLock<()> = LazyLock::new(|| {
    let handled = Arc::<AtomicBool>::default();
    signal_hook::flag::register(Signal::SIGHUP as i32, handled).expect("a signal can be handled");
});

/// A program in a terminal of its own, which ends with it.
pub struct Terminal {
    child: Killed,
    /// Held until it is closed, since the terminal ends with it.
    pty: Option<Arc<Pty>>,
    shown: Arc<(Mutex<Shown>, Condvar)>,
    columns: u16,
    /// How far the text has been read.
    read_to: usize,
}

/// What the program has written.
#[derive(Default)]
struct Shown {
    bytes: Vec<u8>,
    is_over: bool,
    /// Whether nobody wants to see more.
    is_closing: bool,
}

impl Shown {
    /// The text without anything that only moves or colours.
    fn text(&self) -> String {
        let text = String::from_utf8_lossy(&self.bytes);
        anstream::adapter::strip_str(&text).to_string().replace('\r', "")
    }
}

impl Terminal {
    /// Starts a command of Millstone in a usual terminal.
    pub fn start(arguments: &[&str]) -> Self {
        let command = Command::new(env!("CARGO_BIN_EXE_millstone")).args(arguments);
        Self::spawn(command, COLUMNS)
    }

    /// Starts `millstone play` with these arguments, quoted as in a shell, below a folder for what it keeps.
    pub fn play(home: &Path, arguments: &str) -> Self {
        Self::play_with(home, arguments, &[("TERM", "xterm-256color")], COLUMNS)
    }

    /// The same with variables of the environment and a width in columns.
    pub fn play_with(home: &Path, arguments: &str, env: &[(&str, &str)], columns: u16) -> Self {
        let command = Command::new(env!("CARGO_BIN_EXE_millstone"))
            .arg("play")
            .args(shell_words::split(arguments).expect("quotes are closed"))
            .current_dir(home)
            .env_remove("NO_COLOR")
            .env_remove("CLICOLOR")
            .env_remove("CLICOLOR_FORCE")
            .env("LC_ALL", "C.UTF-8")
            .env("XDG_CACHE_HOME", concat!(env!("CARGO_TARGET_TMPDIR"), "/home/cache"))
            .env("XDG_DATA_HOME", home.join("data"))
            .envs(env.iter().copied());
        Self::spawn(command, columns)
    }

    fn spawn(command: Command, columns: u16) -> Self {
        LazyLock::force(&HANGUP);
        let (pty, pts) = blocking::open().expect("the system has terminals");
        pty.resize(Size::new(ROWS, columns)).expect("the terminal has a size");
        let child = Killed(command.spawn(pts).expect("the program starts"));
        let pty = Arc::new(pty);
        let shown = Arc::<(Mutex<Shown>, Condvar)>::default();
        let (output, filled) = (Arc::clone(&pty), Arc::clone(&shown));
        thread::spawn(move || fill(output, &filled));
        Self { child, pty: Some(pty), shown, columns, read_to: 0 }
    }

    /// Changes the width of the terminal.
    pub fn resize(&mut self, columns: u16) {
        self.pty().resize(Size::new(ROWS, columns)).expect("the terminal has a size");
        self.columns = columns;
    }

    fn pty(&self) -> &Pty {
        self.pty.as_ref().expect("the terminal is open")
    }

    /// Types keys.
    pub fn press(&mut self, keys: &str) {
        self.press_bytes(keys.as_bytes());
    }

    /// Types keys of a terminal that sends any bytes.
    pub fn press_bytes(&mut self, keys: &[u8]) {
        self.pty().write_all(keys).expect("the terminal takes keys");
    }

    /// Types a line.
    pub fn enter(&mut self, line: &str) {
        self.press(line);
        self.press("\r");
    }

    /// Types a line and waits for a text.
    pub fn ask(&mut self, line: &str, expected: &str) -> String {
        self.enter(line);
        self.wait_for(expected)
    }

    /// Waits for a text; gives all up to its end that was not read before.
    pub fn wait_for(&mut self, expected: &str) -> String {
        self.wait_for_any(&[expected]).1
    }

    /// Waits for the first of some texts; gives its number, and all up to its end.
    pub fn wait_for_any(&mut self, expected: &[&str]) -> (usize, String) {
        let (index, text) = self.wait(|shown| {
            let text = shown.text();
            let new = text.get(self.read_to..).unwrap_or_default();
            let found = expected.iter().enumerate();
            let found = found.filter_map(|(index, text)| Some((new.find(text)?, index))).min();
            assert!(found.is_some() || !shown.is_over, "no {expected:?} in:\n{new}");
            found.map(|(at, index)| (index, new[..at + expected[index].len()].to_owned()))
        });
        self.read_to += text.len();
        (index, text)
    }

    /// Waits until what the program has shown gives a result.
    fn wait<T>(&self, result: impl Fn(&Shown) -> Option<T>) -> T {
        let deadline = Instant::now() + PATIENCE;
        let (shown, changed) = &*self.shown;
        let mut shown = shown.lock().expect("nobody panicked");
        loop {
            if let Some(result) = result(&shown) {
                return result;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            assert!(!left.is_zero(), "nothing more comes:\n{}", shown.text());
            shown = changed.wait_timeout(shown, left).expect("nobody panicked").0;
        }
    }

    /// What stands on the screen, as a person sees it.
    pub fn screen(&self) -> String {
        let [rows, columns] = [ROWS, self.columns].map(|size| size.try_into().expect("a size"));
        let mut screen = vt100::Parser::new(rows, columns, 0);
        screen.process(&self.bytes());
        screen.screen().contents()
    }

    /// Everything that the program has written.
    pub fn bytes(&self) -> Vec<u8> {
        self.shown.0.lock().expect("nobody panicked").bytes.clone()
    }

    /// How the terminal treats keys.
    pub fn modes(&self) -> LocalFlags {
        tcgetattr(self.pty()).expect("the terminal tells its modes").local_flags
    }

    /// Sends the program a signal.
    pub fn signal(&self, name: &str) {
        let id = self.child.0.id().to_string();
        let sent = process::Command::new("kill").args([name, &id]).status().expect("kill starts");
        assert!(sent.success());
    }

    /// Closes the terminal at a prompt, and waits for the end of the program.
    pub fn close(mut self) -> ExitStatus {
        self.shown.0.lock().expect("nobody panicked").is_closing = true;
        self.press("x");
        self.wait_for_end_of_output();
        self.pty = None;
        end_of(&mut self.child.0)
    }

    /// Waits for the end; gives all that was not read before.
    pub fn finish(mut self) -> (String, ExitStatus) {
        (self.wait_for_end_of_output(), end_of(&mut self.child.0))
    }

    /// Waits until nothing more is read from the program; gives all that was not read before.
    pub fn wait_for_end_of_output(&mut self) -> String {
        let text = self.wait(|shown| shown.is_over.then(|| shown.text()));
        text.get(self.read_to..).unwrap_or_default().to_owned()
    }

    /// Ends the program as a power cut would.
    pub fn kill(self) {
        self.signal("-KILL");
        self.finish();
    }
}

/// Takes what the program writes until it ends, when some systems report an error.
fn fill(output: Arc<Pty>, shown: &(Mutex<Shown>, Condvar)) {
    let mut buffer = [0; 4096];
    loop {
        let read = (&*output).read(&mut buffer).unwrap_or(0);
        let mut filled = shown.0.lock().expect("nobody panicked");
        filled.bytes.extend_from_slice(&buffer[..read]);
        if read == 0 || filled.is_closing {
            drop(output);
            filled.is_over = true;
            shown.1.notify_all();
            return;
        }
        shown.1.notify_all();
    }
}
