//! Line input: an editor with completion and history in a terminal, plain lines elsewhere. Ctrl-C leaves the game at a
//! prompt, and makes a thinking engine move at once.

use std::collections::BTreeSet;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::process;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use clap::{Arg, CommandFactory, ValueHint};
#[cfg(unix)]
use nix::sys::termios::{SetArg, tcgetattr, tcsetattr};
#[cfg(unix)]
use nix::unistd::{getpgrp, tcgetpgrp};
use rustyline::completion::{Completer, FilenameCompleter, Pair};
use rustyline::config::{ColorMode, CompletionType, Config};
use rustyline::error::ReadlineError;
use rustyline::history::MemHistory;
use rustyline::{Context, Editor, Helper, Highlighter, Hinter, Validator};

use super::commands::Command;
use super::session::Leave;
use crate::commands::terminal::{self, INTERRUPT};
use crate::commands::{CommandResult, INTERRUPTED, say};

type LineEditor = Editor<Completions, MemHistory>;

/// The source of the player's lines.
pub struct Input {
    /// A line editor with completion and history; without it, lines are plain.
    editor: Option<LineEditor>,
    /// Whether the player is at a terminal, which echoes lines, and can answer questions.
    pub is_interactive: bool,
}

impl Input {
    /// Opens a line editor if the terminal is rich, else plain input.
    pub fn open(is_rich: bool) -> Result<Self, ReadlineError> {
        // Without bracketed paste, pasted lines count as typed, and no exit can leave it switched on.
        let config = Config::builder()
            .completion_type(CompletionType::List)
            .color_mode(ColorMode::Disabled)
            .bracketed_paste(false)
            .build();
        let editor = is_rich.then(|| Editor::with_history(config, MemHistory::new()));
        Ok(Self { editor: editor.transpose()?, is_interactive: io::stdin().is_terminal() })
    }

    /// Reads the next line and trims it. The end of the input leaves, as Ctrl-C does.
    pub fn read(&mut self, prompt: &str, completions: Completions) -> CommandResult<String> {
        IS_HURRIED.store(false, Relaxed);
        IS_ASKED.store(true, Relaxed);
        let line = match &mut self.editor {
            Some(editor) => edit(editor, prompt, completions),
            None => read_plain(prompt, !self.is_interactive),
        };
        IS_ASKED.store(false, Relaxed);
        line
    }
}

fn read_plain(prompt: &str, echoes: bool) -> CommandResult<String> {
    let line = terminal::ask(prompt)?;
    if echoes || line.is_none() {
        writeln!(io::stdout(), "{}", line.as_deref().unwrap_or_default())?;
    }
    Ok(line.ok_or(Leave)?)
}

fn edit(editor: &mut LineEditor, prompt: &str, completions: Completions) -> CommandResult<String> {
    let is_turn = matches!(completions, Completions::Turn(_));
    editor.set_helper(Some(completions));
    match editor.readline(prompt) {
        Ok(line) => {
            let line = line.trim();
            if is_turn && !line.is_empty() {
                // The history is optional.
                let _ = editor.add_history_entry(line);
            }
            Ok(line.to_owned())
        }
        Err(ReadlineError::Eof) => Err(Leave.into()),
        Err(ReadlineError::Interrupted) => leave(),
        // A line that is not UTF-8 becomes one that no command matches.
        Err(ReadlineError::Io(error)) if error.kind() == ErrorKind::InvalidData => {
            Ok(char::REPLACEMENT_CHARACTER.to_string())
        }
        Err(ReadlineError::Io(error)) => Err(error.into()),
        Err(error) => Err(io::Error::other(error).into()),
    }
}

/// The completions of a prompt.
#[derive(Debug, Helper, Highlighter, Hinter, Validator)]
pub enum Completions {
    /// One of these turns, or a command.
    Turn(BTreeSet<String>),
    /// One of these words.
    Choice(Vec<String>),
    /// A file name.
    File,
}

impl Completer for Completions {
    type Candidate = Pair;

    fn complete(
        &self,
        line: &str,
        at: usize,
        context: &Context<'_>,
    ) -> Result<(usize, Vec<Pair>), ReadlineError> {
        let start = at - line[..at].trim_start().len();
        let typed = &line[start..at];
        let argument = typed.rsplit_once(char::is_whitespace).map(|(_, word)| at - word.len());
        let files = || FilenameCompleter::new().complete(line, at, context);
        let (start, mut words) = match (self, argument) {
            (Self::File, _) => return files(),
            (Self::Choice(words), _) => (start, words.clone()),
            (Self::Turn(turns), None) => (start, first_words(typed, turns)),
            (Self::Turn(_), Some(argument)) => {
                let program = Command::command();
                let name = typed.split_whitespace().next().unwrap_or_default();
                let command = program.find_subcommand(name.to_lowercase());
                let choice = command.and_then(|command| command.get_positionals().next());
                if choice.is_some_and(|file| file.get_value_hint() == ValueHint::FilePath) {
                    return files();
                }
                let words = choice.map(Arg::get_possible_values).unwrap_or_default();
                (argument, words.iter().map(|word| word.get_name().to_owned()).collect())
            }
        };
        let typed = line[start..at].to_lowercase();
        words.retain(|word| word.starts_with(&typed));
        words.sort_unstable();
        let pair = |word: String| Pair { display: word.clone(), replacement: word };
        Ok((start, words.into_iter().map(pair).collect()))
    }
}

/// The turns and commands that complete a first word; turns with removals only after an x.
fn first_words(typed: &str, turns: &BTreeSet<String>) -> Vec<String> {
    let removes = |turn: &str| turn.find('x').is_some_and(|at| at > 0);
    let shows_removals = removes(&typed.to_lowercase());
    let program = Command::command();
    let names = program.get_subcommands().map(clap::Command::get_name);
    let turns = turns.iter().map(String::as_str).filter(|turn| shows_removals || !removes(turn));
    turns.chain(names.filter(|_| !typed.is_empty())).map(str::to_owned).collect()
}

/// The message when the player leaves an unfinished game.
pub const SAVED: &str = "The game is saved; millstone play --resume continues it.";

/// Whether a prompt is open, where Ctrl-C leaves.
static IS_ASKED: AtomicBool = AtomicBool::new(false);
/// Whether Ctrl-C was pressed since the last prompt.
static IS_HURRIED: AtomicBool = AtomicBool::new(false);
/// Whether the game is saved.
static IS_SAVED: AtomicBool = AtomicBool::new(false);

/// Ends the program as Ctrl-C does.
pub fn leave() -> ! {
    print_saved();
    process::exit(INTERRUPTED.into())
}

/// Prints that the game is saved, if it is.
fn print_saved() {
    let text = if IS_SAVED.load(Relaxed) { SAVED } else { "" };
    say(format_args!("\n{text}"));
}

/// Sets whether the game is saved.
pub fn set_saved(is_saved: bool) {
    IS_SAVED.store(is_saved, Relaxed);
}

/// Whether Ctrl-C was pressed since the last prompt.
pub fn is_hurried() -> bool {
    IS_HURRIED.load(Relaxed)
}

/// Installs the handler of Ctrl-C and the other signals that end the program; it restores the terminal before the
/// program ends. Does not affect a line editor, which reads Ctrl-C itself.
pub fn catch() -> io::Result<()> {
    #[cfg(unix)]
    let terminal = tcgetattr(io::stdin()).ok();
    terminal::catch(move |signal| {
        // The second Ctrl-C always leaves.
        if signal == INTERRUPT && !IS_HURRIED.swap(true, Relaxed) && !IS_ASKED.load(Relaxed) {
            return;
        }
        #[cfg(unix)]
        if let Some(terminal) = &terminal
            // Changing the terminal from the background would stop the program.
            && tcgetpgrp(io::stdin()).is_ok_and(|group| group == getpgrp())
        {
            let _ = tcsetattr(io::stdin(), SetArg::TCSANOW, terminal);
        }
        if signal == INTERRUPT {
            leave();
        }
        print_saved();
        #[cfg(unix)]
        let _ = signal_hook::low_level::emulate_default_handler(signal);
    })
}

#[cfg(test)]
mod tests {
    use rustyline::history::MemHistory;

    use super::*;

    fn completed(completions: &Completions, line: &str) -> Vec<String> {
        let history = MemHistory::new();
        let (_, pairs) = completions.complete(line, line.len(), &Context::new(&history)).unwrap();
        pairs.into_iter().map(|pair| pair.replacement).collect()
    }

    #[test]
    fn turns_commands_and_their_arguments_are_completed() {
        let turn = || Completions::Turn(["d6-d5", "d6-d5xa1", "d6-d7"].map(str::to_owned).into());
        assert_eq!(completed(&turn(), ""), ["d6-d5", "d6-d7"]);
        assert_eq!(completed(&turn(), "D6-d5x"), ["d6-d5xa1"]);
        assert_eq!(completed(&turn(), "res"), ["resign"]);
        assert_eq!(completed(&turn(), "side w"), ["white"]);
        assert_eq!(completed(&turn(), "help mi"), ["mills"]);
        assert_eq!(completed(&turn(), "undo "), [""; 0]);
        assert_eq!(completed(&turn(), "d6\u{a0}"), [""; 0]);
        assert_eq!(completed(&turn(), "side\u{a0}"), ["black", "both", "none", "white"]);
        assert_eq!(
            completed(&Completions::Choice(["yes", "no"].map(str::to_owned).to_vec()), "y"),
            ["yes"]
        );
    }
}
