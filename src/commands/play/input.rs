//! Where the player's lines come from: an editor in a terminal, or plain lines.

use std::io::{self, BufRead, IsTerminal, Write};

use rustyline::Editor;
use rustyline::config::{ColorMode, CompletionType, Config};
use rustyline::error::ReadlineError;
use rustyline::history::MemHistory;

use super::complete::{Offerer, Offers};
use super::interrupt;

/// Reads lines.
pub enum Input {
    /// With completion and history.
    Editor(Box<Editor<Offerer, MemHistory>>),
    /// As they come.
    Plain {
        /// Whether to repeat each line after its prompt, since no terminal has shown it.
        echoes: bool,
    },
}

impl Input {
    /// The best that the terminal is able to do.
    pub fn open(is_rich: bool) -> Result<Self, ReadlineError> {
        if !is_rich {
            return Ok(Self::Plain { echoes: !io::stdin().is_terminal() });
        }
        // Pasted lines are typed lines, and whatever ends the program need not end pasting.
        let config = Config::builder()
            .completion_type(CompletionType::List)
            .color_mode(ColorMode::Disabled)
            .bracketed_paste(false)
            .build();
        let mut editor = Editor::with_history(config, MemHistory::new())?;
        editor.set_helper(Some(Offerer::default()));
        Ok(Self::Editor(Box::new(editor)))
    }

    /// Whether the player sits at a terminal, so that questions make sense.
    pub fn is_interactive(&self) -> bool {
        !matches!(self, Self::Plain { echoes: true })
    }

    /// The next line without blanks around it; none at the end of input. Ctrl-C leaves.
    pub fn read(&mut self, prompt: &str, offers: Offers) -> io::Result<Option<String>> {
        interrupt::while_asked(|| match self {
            Self::Editor(editor) => edit(editor, prompt, offers),
            Self::Plain { echoes } => read_plain(prompt, *echoes),
        })
    }
}

fn edit(
    editor: &mut Editor<Offerer, MemHistory>,
    prompt: &str,
    offers: Offers,
) -> io::Result<Option<String>> {
    let is_turn = matches!(offers, Offers::Turn(_));
    if let Some(helper) = editor.helper_mut() {
        helper.offers = offers;
    }
    match editor.readline(prompt) {
        Ok(line) => {
            let line = line.trim();
            if is_turn && !line.is_empty() {
                // A line that is not remembered can be typed again.
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
    let mut bytes = Vec::new();
    if io::stdin().lock().read_until(b'\n', &mut bytes)? == 0 {
        writeln!(out)?;
        return Ok(None);
    }
    let line = String::from_utf8_lossy(&bytes).trim().to_owned();
    if echoes {
        writeln!(out, "{line}")?;
    }
    Ok(Some(line))
}
