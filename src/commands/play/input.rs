//! The lines of the player: an editor with completion and history in a terminal, else plain lines.

use std::io::{self, IsTerminal, Write};

use rustyline::completion::{Completer, FilenameCompleter, Pair};
use rustyline::config::{ColorMode, CompletionType, Config};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{Context, Editor, Helper, Result};

use super::commands::{self, COMMANDS, Command};
use super::game::HumanSides;
use super::help::TOPICS;
use super::interrupt;
use crate::commands::terminal;

/// Reads the lines of the player.
pub enum Input {
    /// With completion and history.
    Editor(Box<Editor<LineCompleter, MemHistory>>),
    /// Plain lines.
    Plain {
        /// Whether to repeat each line after its prompt, since no terminal has shown it.
        echoes: bool,
    },
}

impl Input {
    /// The best that the terminal allows.
    pub fn open(is_rich: bool) -> Result<Self> {
        if !is_rich {
            return Ok(Self::Plain { echoes: !io::stdin().is_terminal() });
        }
        // Without bracketed paste pasted lines count as typed, and no exit leaves it switched on.
        let config = Config::builder()
            .completion_type(CompletionType::List)
            .color_mode(ColorMode::Disabled)
            .bracketed_paste(false)
            .build();
        let mut editor = Editor::with_history(config, MemHistory::new())?;
        editor.set_helper(Some(LineCompleter::default()));
        Ok(Self::Editor(Box::new(editor)))
    }

    /// Whether the player sits at a terminal, so that questions make sense.
    pub fn is_interactive(&self) -> bool {
        !matches!(self, Self::Plain { echoes: true })
    }

    /// The next line without blanks around it; none at the end of input. Ctrl-C leaves.
    pub fn read(&mut self, prompt: &str, completions: Completions) -> io::Result<Option<String>> {
        interrupt::while_asked(|| match self {
            Self::Editor(editor) => edit(editor, prompt, completions),
            Self::Plain { echoes } => read_plain(prompt, *echoes),
        })
    }
}

fn edit(
    editor: &mut Editor<LineCompleter, MemHistory>,
    prompt: &str,
    completions: Completions,
) -> io::Result<Option<String>> {
    let is_turn = matches!(completions, Completions::Turn(_));
    if let Some(helper) = editor.helper_mut() {
        helper.completions = completions;
    }
    match editor.readline(prompt) {
        Ok(line) => {
            let line = line.trim();
            if is_turn && !line.is_empty() {
                // A line missing from the history does no harm.
                let _ = editor.add_history_entry(line);
            }
            Ok(Some(line.to_owned()))
        }
        Err(ReadlineError::Eof) => Ok(None),
        Err(ReadlineError::Interrupted) => interrupt::leave(),
        Err(ReadlineError::Io(error)) => Err(error),
        Err(error) => Err(io::Error::other(error)),
    }
}

fn read_plain(prompt: &str, echoes: bool) -> io::Result<Option<String>> {
    let mut out = io::stdout().lock();
    write!(out, "{prompt}")?;
    out.flush()?;
    let Some(line) = terminal::read_line()? else {
        writeln!(out)?;
        return Ok(None);
    };
    if echoes {
        writeln!(out, "{line}")?;
    }
    Ok(Some(line))
}

/// What may be typed at a prompt.
#[derive(Debug)]
pub enum Completions {
    /// A turn, any of these, or a command.
    Turn(Vec<String>),
    /// One of some words.
    Choice(Vec<&'static str>),
    /// The name of a file.
    File,
}

/// Completions of what is typed.
pub struct LineCompleter {
    completions: Completions,
    files: FilenameCompleter,
}

impl Default for LineCompleter {
    fn default() -> Self {
        Self { completions: Completions::Choice(Vec::new()), files: FilenameCompleter::new() }
    }
}

impl Helper for LineCompleter {}

impl Highlighter for LineCompleter {}

impl Hinter for LineCompleter {
    type Hint = String;
}

impl Validator for LineCompleter {}

impl Completer for LineCompleter {
    type Candidate = Pair;

    fn complete(&self, line: &str, at: usize, context: &Context<'_>) -> Result<(usize, Vec<Pair>)> {
        let typed = &line[..at];
        let start = typed.find(|letter: char| !letter.is_whitespace()).unwrap_or(at);
        let argument = typed[start..].find(char::is_whitespace).map(|blank| start + blank + 1);
        let command = argument
            .and_then(|_| commands::parse(&typed[start..]).ok())
            .map(|(command, _)| command);
        match (&self.completions, argument, command) {
            (Completions::File, ..)
            | (Completions::Turn(_), _, Some(Command::Save | Command::Load)) => {
                self.files.complete(line, at, context)
            }
            (Completions::Choice(words), ..) => Ok((start, fitting(&typed[start..], words))),
            (Completions::Turn(turns), None, _) => Ok((start, first_words(&typed[start..], turns))),
            (Completions::Turn(_), Some(argument), Some(Command::Help)) => {
                let topics = TOPICS.map(|topic| topic.name);
                Ok((argument, fitting(&typed[argument..], &topics)))
            }
            (Completions::Turn(_), Some(argument), Some(Command::Side)) => {
                let sides = HumanSides::choices().map(|(name, _)| name);
                Ok((argument, fitting(&typed[argument..], &sides)))
            }
            (Completions::Turn(_), Some(_), _) => Ok((at, Vec::new())),
        }
    }
}

/// Commands and turns; turns with removals only once the removal is being typed.
fn first_words(typed: &str, turns: &[String]) -> Vec<Pair> {
    let removes = |turn: &str| turn.find('x').is_some_and(|at| at > 0);
    let shows_removals = removes(&typed.to_lowercase());
    let turns = turns.iter().map(String::as_str).filter(|turn| shows_removals || !removes(turn));
    let names = COMMANDS.iter().map(|word| word.name).filter(|_| !typed.is_empty());
    fitting(typed, &turns.chain(names).collect::<Vec<_>>())
}

fn fitting(typed: &str, words: &[&str]) -> Vec<Pair> {
    let typed = typed.to_lowercase();
    let fitting = words.iter().filter(|word| word.starts_with(&typed));
    let pair = |&word: &&str| Pair { display: word.to_owned(), replacement: word.to_owned() };
    let mut pairs: Vec<Pair> = fitting.map(pair).collect();
    pairs.sort_by(|first, second| first.display.cmp(&second.display));
    pairs
}

#[cfg(test)]
mod tests {
    use rustyline::history::MemHistory;

    use super::*;

    fn completed(completions: Completions, line: &str) -> Vec<String> {
        let completer = LineCompleter { completions, ..LineCompleter::default() };
        let history = MemHistory::new();
        let (_, pairs) = completer.complete(line, line.len(), &Context::new(&history)).unwrap();
        pairs.into_iter().map(|pair| pair.replacement).collect()
    }

    #[test]
    fn turns_commands_and_their_arguments_are_completed() {
        let turn = || Completions::Turn(["d6-d5", "d6-d5xa1", "d6-d7"].map(str::to_owned).to_vec());
        assert_eq!(completed(turn(), ""), ["d6-d5", "d6-d7"]);
        assert_eq!(completed(turn(), "D6-d5x"), ["d6-d5xa1"]);
        assert_eq!(completed(turn(), "res"), ["resign"]);
        assert_eq!(completed(turn(), "side w"), ["white"]);
        assert_eq!(completed(turn(), "help mi"), ["mills"]);
        assert_eq!(completed(turn(), "undo "), [""; 0]);
        assert_eq!(completed(Completions::Choice(vec!["yes", "no"]), "y"), ["yes"]);
    }
}
