//! What the program ends with, for those who call it.

use std::fmt;

use super::style::STYLES;

/// A number that the program ends with, and what it says.
pub struct ExitStatus {
    /// The number.
    pub code: u8,
    /// When the program ends with it.
    pub meaning: &'static str,
}

/// The number of programs that Ctrl-C ended.
pub const INTERRUPTED: u8 = 130;

/// All of them. Wrong usage is what `clap` ends the program with by itself.
pub const ALL: [ExitStatus; 4] = [
    ExitStatus { code: 0, meaning: "all was done, or whoever read the output had enough" },
    ExitStatus { code: 1, meaning: "something failed, as standard error says" },
    ExitStatus { code: 2, meaning: "wrong usage, and nothing was done" },
    ExitStatus { code: INTERRUPTED, meaning: "Ctrl-C left a game at the terminal, which is kept" },
];

/// The list as it stands at the end of the help.
pub struct List;

impl fmt::Display for List {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (heading, literal) = (STYLES.get_header(), STYLES.get_literal());
        write!(f, "{heading}Exit status:{heading:#}")?;
        ALL.iter().try_for_each(|ExitStatus { code, meaning }| {
            write!(f, "\n  {literal}{code:<3}{literal:#}  {meaning}")
        })
    }
}
