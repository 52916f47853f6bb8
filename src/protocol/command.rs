//! The table of commands, with their names in each dialect, arguments, help and replies; and command errors.
//!
//! The session parses lines with it, `help` prints it, and matches format commands with it. A new
//! command needs a row here, an arm in `Session::run`, and a row of the table under "Commands" in
//! `protocol/mod.rs`, which a test compares with this one; `tests/protocol/transcripts` has the output of `help`.

use std::fmt::Display;

pub use crate::Error;
use crate::position::{FEN_WORD, Move, POSITION_WORD, Turn};
use crate::quote::quote;

/// A dialect of the protocol.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// The UCI-like dialect of mill programs: a move is one ply.
    #[default]
    Uci,
    /// The Generic Board Game Protocol: a move is a whole turn.
    Gbgp,
}

/// A row of the table of commands.
#[derive(Clone, Copy, Debug)]
pub struct CommandSpec {
    /// The command.
    pub command: Command,
    /// The name in each dialect; empty if the dialect lacks the command.
    pub words: [&'static str; 2],
    /// The arguments in each dialect, as `help` shows them.
    pub arguments: [&'static str; 2],
    /// What the command does.
    pub help: &'static str,
    /// The first word of the last line of the reply in each dialect; empty if that varies.
    pub reply: [&'static str; 2],
}

macro_rules! commands {
    ($($command:ident: $words:expr, $arguments:expr, $help:literal, $reply:expr;)*) => {
        /// A command.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Command {
            $(#[doc = $help] $command,)*
        }

        /// All commands in the order of `help`.
        pub const COMMANDS: &[CommandSpec] = &[$(CommandSpec {
            command: Command::$command,
            words: $words,
            arguments: $arguments,
            help: $help,
            reply: $reply,
        },)*];
    };
}

commands! {
    Uci: both("uci"), NONE, "identifies the engine and lists its options", both("uciok");
    Gbgp: both("gbgp"), NONE,
        "switches to the Generic Board Game Protocol; uci switches back", both("gbgpok");
    IsReady: both("isready"), NONE, "answers readyok", both("readyok");
    NewGame: ["ucinewgame", "newgame"], NONE, "starts a new game", NONE;
    SetOption: both("setoption"), both("name N [value V]"), "changes an option", NONE;
    Position: both(POSITION_WORD),
        ["startpos|fen TEXT [moves ...]", "startpos|pos TEXT [moves ...]"],
        "sets the position", NONE;
    Go: both("go"), both("[LIMIT ...]"),
        "searches, with limits such as depth 8 or movetime 500", both("bestmove");
    Stop: both("stop"), NONE, "stops the search, which prints its bestmove", NONE;
    PonderHit: both("ponderhit"), NONE, "the opponent has played the expected move", NONE;
    Quit: both("quit"), NONE, "ends the engine", NONE;
    Debug: ["", "debug"], both("on|off"), "accepted and ignored", NONE;
    Board: both("d"), NONE, "draws the board", NONE;
    Fen: [FEN_WORD, "pos"], NONE, "the position as text", [FEN_WORD, "pos"];
    Eval: both("eval"), NONE, "the static evaluation, term by term", NONE;
    Moves: both("moves"), NONE, "the legal moves", both("moves");
    Key: both("key"), NONE, "the key of the position", both("key");
    Bench: both("bench"), both("[DEPTH]"), "searches a fixed set of positions", NONE;
    Perft: both("perft"), both("DEPTH"), "counts the leaves of the game tree", NONE;
    Compiler: both("compiler"), NONE, "the compiler and target of the build", NONE;
    Help: both("help"), NONE, "this list", NONE;
}

const NONE: [&str; 2] = both("");

const fn both(word: &'static str) -> [&'static str; 2] {
    [word; 2]
}

impl Dialect {
    /// All dialects.
    pub const ALL: [Self; 2] = [Self::Uci, Self::Gbgp];

    /// The command that switches to the dialect.
    pub const fn greeting(self) -> Command {
        [Command::Uci, Command::Gbgp][self as usize]
    }

    /// Reads what a side plays in one move: a ply, or a whole turn.
    ///
    /// # Errors
    ///
    /// If the word is neither of them.
    pub(crate) fn read_turn(self, word: &str) -> Result<Turn, Error> {
        match self {
            Self::Uci => word.parse::<Move>().map(Turn::from),
            Self::Gbgp => word.parse(),
        }
    }

    /// The commands of the dialect.
    pub fn commands(self) -> impl Iterator<Item = &'static CommandSpec> {
        COMMANDS.iter().filter(move |spec| !spec.words[self as usize].is_empty())
    }
}

impl Command {
    /// Parses the first word of a line. Returns the command and its arguments.
    ///
    /// # Errors
    ///
    /// If the dialect has no such command.
    pub fn read(line: &str, dialect: Dialect) -> Result<(Self, &str), Error> {
        let line = line.trim();
        let (word, arguments) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let spec = dialect.commands().find(|spec| spec.words[dialect as usize] == word);
        let unknown = || format!("expected a command (help lists them), found '{}'", quote(word));
        let spec = spec.ok_or_else(|| Error::refused(unknown()))?;
        Ok((spec.command, arguments.trim_start()))
    }

    /// The command's row in the table.
    pub const fn spec(self) -> &'static CommandSpec {
        &COMMANDS[self as usize]
    }

    /// The name of the command in a dialect.
    pub const fn word(self, dialect: Dialect) -> &'static str {
        self.spec().words[dialect as usize]
    }

    /// The first word of the last line of the reply.
    pub const fn reply(self, dialect: Dialect) -> &'static str {
        self.spec().reply[dialect as usize]
    }

    /// Formats the command with arguments.
    pub fn line(self, dialect: Dialect, arguments: impl Display) -> String {
        format!("{} {arguments}", self.word(dialect)).trim_end().to_owned()
    }

    /// The error for a command that cannot run.
    pub(super) fn refused(self, dialect: Dialect, reason: impl Display) -> Error {
        Error::refused(format_args!("{}: {reason}", self.word(dialect)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_read_as_it_is_written() {
        for dialect in Dialect::ALL {
            for spec in dialect.commands() {
                let line = spec.command.line(dialect, "a  b");
                assert_eq!(Command::read(&line, dialect), Ok((spec.command, "a  b")));
                assert_eq!(spec.command.line(dialect, ""), spec.command.word(dialect));
                assert_eq!(spec.command.spec().command, spec.command);
            }
        }
    }

    #[test]
    fn each_dialect_has_words_of_its_own() {
        for (word, owner) in [
            ("newgame", Dialect::Gbgp),
            ("pos", Dialect::Gbgp),
            ("debug on", Dialect::Gbgp),
            ("ucinewgame", Dialect::Uci),
            ("fen", Dialect::Uci),
        ] {
            for dialect in Dialect::ALL {
                assert_eq!(Command::read(word, dialect).is_ok(), dialect == owner, "{word}");
            }
        }
    }

    #[test]
    fn what_is_no_command_is_named() {
        let error = Command::read("castle now", Dialect::Uci).unwrap_err().to_string();
        assert_eq!(error, "expected a command (help lists them), found 'castle'");
        assert!(Command::read("", Dialect::Gbgp).is_err());
    }
}
