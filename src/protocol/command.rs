//! Commands: text to meaning and back.

use std::fmt;
use std::str::FromStr;

use super::dialect::Dialect;
use super::error::Error;
use super::go::Go;

/// One line of input.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "COMMANDS says what each does")]
pub enum Command {
    Uci,
    Gbgp,
    IsReady,
    NewGame,
    SetOption { name: String, value: Option<String> },
    Position { start: Start, moves: Vec<String> },
    Go(Go),
    Stop,
    PonderHit,
    Quit,
    Debug(bool),
    Draw,
    Fen,
    Eval,
    Moves,
    Key,
    Bench { depth: Option<u32> },
    Perft { depth: u32 },
    Compiler,
    Help,
}

/// Where the moves of a `position` command begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// The start position.
    Initial,
    /// A position text.
    Text(String),
}

/// What `help` says of a command.
#[derive(Clone, Copy, Debug)]
pub struct CommandHelp {
    /// The first word.
    pub word: &'static str,
    /// The words after it.
    pub arguments: &'static str,
    /// What it does.
    pub help: &'static str,
    /// The dialect that has it, if it is not both.
    pub only: Option<Dialect>,
}

/// All commands in the order of `help`.
pub const COMMANDS: [CommandHelp; 23] = [
    entry("uci", "", "who the engine is, and its options"),
    entry("gbgp", "", "the same in the Generic Board Game Protocol, which is spoken until uci"),
    entry("isready", "", "answers readyok"),
    uci(entry("ucinewgame", "", "sets the start position and forgets earlier games")),
    gbgp(entry("newgame", "", "sets the start position and forgets earlier games")),
    entry("setoption", "name N [value V]", "changes an option"),
    uci(entry("position", "startpos|fen TEXT [moves ...]", "sets the position")),
    gbgp(entry("position", "startpos|pos TEXT [moves ...]", "sets the position")),
    entry("go", "[LIMIT ...]", "looks for a move, with limits such as depth 8 or movetime 500"),
    entry("stop", "", "ends the search, which answers"),
    entry("ponderhit", "", "the opponent played the expected move"),
    entry("quit", "", "ends the engine"),
    gbgp(entry("debug", "on|off", "changes nothing, as there is nothing more to tell")),
    entry("d", "", "draws the board"),
    uci(entry("fen", "", "the position as text")),
    gbgp(entry("pos", "", "the position as text")),
    entry("eval", "", "the estimate of the position without search, term by term"),
    entry("moves", "", "the legal moves"),
    entry("key", "", "the key of the position"),
    entry("bench", "[DEPTH]", "searches a fixed set of positions"),
    entry("perft", "DEPTH", "counts the leaves of the game tree"),
    entry("compiler", "", "what the engine was built for"),
    entry("help", "", "this list"),
];

const fn entry(word: &'static str, arguments: &'static str, help: &'static str) -> CommandHelp {
    CommandHelp { word, arguments, help, only: None }
}

const fn uci(entry: CommandHelp) -> CommandHelp {
    CommandHelp { only: Some(Dialect::Uci), ..entry }
}

const fn gbgp(entry: CommandHelp) -> CommandHelp {
    CommandHelp { only: Some(Dialect::Gbgp), ..entry }
}

impl CommandHelp {
    /// The commands of a dialect.
    pub fn of(dialect: Dialect) -> impl Iterator<Item = &'static Self> {
        COMMANDS.iter().filter(move |command| command.only.is_none_or(|only| only == dialect))
    }
}

impl Command {
    /// Reads a line.
    ///
    /// # Errors
    ///
    /// The first word that is no command of the dialect, or no argument that the command has.
    pub fn parse(line: &str, dialect: Dialect) -> Result<Self, Error> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim_start();
        match word {
            _ if CommandHelp::of(dialect).all(|command| command.word != word) => {
                Err(Error::unknown_command(word))
            }
            "uci" => Ok(Self::Uci),
            "gbgp" => Ok(Self::Gbgp),
            "isready" => Ok(Self::IsReady),
            "ucinewgame" | "newgame" => Ok(Self::NewGame),
            "setoption" => parse_set_option(rest),
            "position" => parse_position(rest, dialect),
            "go" => Go::parse(rest, dialect).map(Self::Go),
            "stop" => Ok(Self::Stop),
            "ponderhit" => Ok(Self::PonderHit),
            "quit" => Ok(Self::Quit),
            "debug" => parse_debug(rest),
            "d" => Ok(Self::Draw),
            "fen" | "pos" => Ok(Self::Fen),
            "eval" => Ok(Self::Eval),
            "moves" => Ok(Self::Moves),
            "key" => Ok(Self::Key),
            "bench" if rest.is_empty() => Ok(Self::Bench { depth: None }),
            "bench" => parse_depth("bench", rest, crate::search::MAX_DEPTH)
                .map(|depth| Self::Bench { depth: Some(depth) }),
            "perft" => parse_depth("perft", rest, crate::perft::MAX_DEPTH)
                .map(|depth| Self::Perft { depth }),
            "compiler" => Ok(Self::Compiler),
            "help" => Ok(Self::Help),
            _ => Err(Error::unknown_command(word)),
        }
    }

    /// The line that gives this command in a dialect.
    #[must_use]
    pub const fn line(&self, dialect: Dialect) -> CommandLine<'_> {
        CommandLine { command: self, dialect }
    }
}

impl FromStr for Command {
    type Err = Error;

    /// Reads a line in the dialect like UCI.
    fn from_str(line: &str) -> Result<Self, Error> {
        Self::parse(line, Dialect::Uci)
    }
}

fn parse_debug(text: &str) -> Result<Command, Error> {
    match text {
        "on" => Ok(Command::Debug(true)),
        "off" => Ok(Command::Debug(false)),
        _ => Err(Error::argument("debug", "on or off", text)),
    }
}

fn parse_depth(command: &str, text: &str, most: u32) -> Result<u32, Error> {
    let depth = text.parse().ok().filter(|depth| (1..=most).contains(depth));
    depth.ok_or_else(|| Error::argument(command, format!("a depth from 1 to {most}"), text))
}

fn parse_set_option(rest: &str) -> Result<Command, Error> {
    let (word, rest) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    if word != "name" {
        return Err(Error::argument("setoption", "name N [value V]", word));
    }
    let padded = format!(" {rest} ");
    let (name, value) = match padded.split_once(" value ") {
        Some((name, value)) => (name, Some(value.trim().to_owned())),
        None => (padded.as_str(), None),
    };
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    if name.is_empty() {
        return Err(Error::argument("setoption name", "the name of an option", ""));
    }
    Ok(Command::SetOption { name, value })
}

fn parse_position(rest: &str, dialect: Dialect) -> Result<Command, Error> {
    let text_word = dialect.text_word();
    let words: Vec<&str> = rest.split_whitespace().collect();
    let at = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
    let (start, moves) = words.split_at(at);
    let start = match start {
        ["startpos"] => Start::Initial,
        ["startpos", junk, ..] => return Err(Error::argument("position startpos", "moves", junk)),
        [word] if *word == text_word => {
            return Err(Error::argument(format!("position {word}"), "a position text", ""));
        }
        [word, text @ ..] if *word == text_word => Start::Text(text.join(" ")),
        other => {
            let expected = format!("startpos or {text_word}");
            return Err(Error::argument("position", expected, &other.join(" ")));
        }
    };
    let moves = moves.iter().skip(1).map(|&mv| mv.to_owned()).collect();
    Ok(Command::Position { start, moves })
}

/// A command as a dialect writes it.
pub struct CommandLine<'a> {
    command: &'a Command,
    dialect: Dialect,
}

impl fmt::Display for CommandLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.command {
            Command::Uci => f.write_str("uci"),
            Command::Gbgp => f.write_str("gbgp"),
            Command::IsReady => f.write_str("isready"),
            Command::NewGame => f.write_str(self.dialect.new_game_word()),
            Command::SetOption { name, value: None } => write!(f, "setoption name {name}"),
            Command::SetOption { name, value: Some(value) } => {
                write!(f, "setoption name {name} value {value}")
            }
            Command::Position { start, moves } => {
                match start {
                    Start::Initial => f.write_str("position startpos")?,
                    Start::Text(text) => write!(f, "position {} {text}", self.dialect.text_word())?,
                }
                if !moves.is_empty() {
                    f.write_str(" moves")?;
                }
                moves.iter().try_for_each(|mv| write!(f, " {mv}"))
            }
            Command::Go(go) => go.fmt(f),
            Command::Stop => f.write_str("stop"),
            Command::PonderHit => f.write_str("ponderhit"),
            Command::Quit => f.write_str("quit"),
            Command::Debug(is_on) => write!(f, "debug {}", if *is_on { "on" } else { "off" }),
            Command::Draw => f.write_str("d"),
            Command::Fen => f.write_str(self.dialect.text_word()),
            Command::Eval => f.write_str("eval"),
            Command::Moves => f.write_str("moves"),
            Command::Key => f.write_str("key"),
            Command::Bench { depth: None } => f.write_str("bench"),
            Command::Bench { depth: Some(depth) } => write!(f, "bench {depth}"),
            Command::Perft { depth } => write!(f, "perft {depth}"),
            Command::Compiler => f.write_str("compiler"),
            Command::Help => f.write_str("help"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_of_the_help_is_known_and_goes_both_ways() {
        for dialect in [Dialect::Uci, Dialect::Gbgp] {
            for CommandHelp { word, .. } in CommandHelp::of(dialect) {
                let line = match *word {
                    "setoption" => "setoption name Clear Hash".to_owned(),
                    "position" => format!("position {} x moves d6", dialect.text_word()),
                    "perft" => "perft 3".to_owned(),
                    "debug" => "debug on".to_owned(),
                    _ => (*word).to_owned(),
                };
                let command = Command::parse(&line, dialect).unwrap();
                assert_eq!(command.line(dialect).to_string(), line);
            }
        }
    }

    #[test]
    fn each_dialect_has_words_of_its_own() {
        for word in ["newgame", "pos", "debug on", "position pos w:w:b:1", "go infinite"] {
            let of_gbgp = word != "go infinite";
            assert_eq!(Command::parse(word, Dialect::Gbgp).is_ok(), of_gbgp, "{word}");
            assert_eq!(Command::parse(word, Dialect::Uci).is_ok(), !of_gbgp, "{word}");
        }
    }

    #[test]
    fn names_and_values_may_have_blanks() {
        let line = "setoption  name Debug Log File value /tmp/a  b.txt";
        let Ok(Command::SetOption { name, value }) = line.parse() else { panic!("{line}") };
        assert_eq!((name.as_str(), value.as_deref()), ("Debug Log File", Some("/tmp/a  b.txt")));
    }

    #[test]
    fn mistakes_are_named() {
        for (line, message) in [
            ("castle", "expected a command (help lists them), found 'castle'"),
            ("position", "position: expected startpos or fen, found nothing"),
            ("position start", "position: expected startpos or fen, found 'start'"),
            ("position startpos a4", "position startpos: expected moves, found 'a4'"),
            ("position fen moves a4", "position fen: expected a position text, found nothing"),
            ("setoption Hash", "setoption: expected name N [value V], found 'Hash'"),
            ("setoption name value 3", "setoption name: expected the name of an option"),
            ("perft", "perft: expected a depth from 1 to 14, found nothing"),
            ("bench many", "bench: expected a depth from 1 to 100, found 'many'"),
        ] {
            let error = line.parse::<Command>().unwrap_err().to_string();
            assert!(error.starts_with(message), "{line}: {error}");
        }
    }
}
