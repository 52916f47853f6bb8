//! Commands: text to meaning and back.

use std::fmt;
use std::str::FromStr;

use super::error::Error;
use super::go::Go;

/// One line of input.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "COMMANDS says what each does")]
pub enum Command {
    Uci,
    IsReady,
    UciNewGame,
    SetOption { name: String, value: Option<String> },
    Position { start: Start, moves: Vec<String> },
    Go(Go),
    Stop,
    PonderHit,
    Quit,
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
}

/// All commands in the order of `help`.
pub const COMMANDS: [CommandHelp; 18] = [
    entry("uci", "", "who the engine is, and its options"),
    entry("isready", "", "answers readyok"),
    entry("ucinewgame", "", "sets the start position and forgets earlier games"),
    entry("setoption", "name N [value V]", "changes an option"),
    entry("position", "startpos|fen TEXT [moves ...]", "sets the position"),
    entry("go", "[LIMIT ...]", "looks for a move, with limits such as depth 8 or movetime 500"),
    entry("stop", "", "ends the search, which answers"),
    entry("ponderhit", "", "the opponent played the expected move"),
    entry("quit", "", "ends the engine"),
    entry("d", "", "draws the board"),
    entry("fen", "", "the position as text"),
    entry("eval", "", "the estimate of the position without search, term by term"),
    entry("moves", "", "the legal moves"),
    entry("key", "", "the key of the position"),
    entry("bench", "[DEPTH]", "searches a fixed set of positions"),
    entry("perft", "DEPTH", "counts the leaves of the game tree"),
    entry("compiler", "", "what the engine was built for"),
    entry("help", "", "this list"),
];

const fn entry(word: &'static str, arguments: &'static str, help: &'static str) -> CommandHelp {
    CommandHelp { word, arguments, help }
}

impl FromStr for Command {
    type Err = Error;

    fn from_str(line: &str) -> Result<Self, Error> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim_start();
        match word {
            "uci" => Ok(Self::Uci),
            "isready" => Ok(Self::IsReady),
            "ucinewgame" => Ok(Self::UciNewGame),
            "setoption" => parse_set_option(rest),
            "position" => parse_position(rest),
            "go" => Go::parse(rest).map(Self::Go),
            "stop" => Ok(Self::Stop),
            "ponderhit" => Ok(Self::PonderHit),
            "quit" => Ok(Self::Quit),
            "d" => Ok(Self::Draw),
            "fen" => Ok(Self::Fen),
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

fn parse_position(rest: &str) -> Result<Command, Error> {
    let words: Vec<&str> = rest.split_whitespace().collect();
    let at = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
    let (start, moves) = words.split_at(at);
    let start = match start {
        ["startpos"] => Start::Initial,
        ["startpos", junk, ..] => return Err(Error::argument("position startpos", "moves", junk)),
        ["fen"] => return Err(Error::argument("position fen", "a position text", "")),
        ["fen", text @ ..] => Start::Text(text.join(" ")),
        other => {
            return Err(Error::argument("position", "startpos or fen", &other.join(" ")));
        }
    };
    let moves = moves.iter().skip(1).map(|&mv| mv.to_owned()).collect();
    Ok(Command::Position { start, moves })
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Uci => f.write_str("uci"),
            Self::IsReady => f.write_str("isready"),
            Self::UciNewGame => f.write_str("ucinewgame"),
            Self::SetOption { name, value: None } => write!(f, "setoption name {name}"),
            Self::SetOption { name, value: Some(value) } => {
                write!(f, "setoption name {name} value {value}")
            }
            Self::Position { start, moves } => {
                match start {
                    Start::Initial => f.write_str("position startpos")?,
                    Start::Text(text) => write!(f, "position fen {text}")?,
                }
                if !moves.is_empty() {
                    f.write_str(" moves")?;
                }
                moves.iter().try_for_each(|mv| write!(f, " {mv}"))
            }
            Self::Go(go) => go.fmt(f),
            Self::Stop => f.write_str("stop"),
            Self::PonderHit => f.write_str("ponderhit"),
            Self::Quit => f.write_str("quit"),
            Self::Draw => f.write_str("d"),
            Self::Fen => f.write_str("fen"),
            Self::Eval => f.write_str("eval"),
            Self::Moves => f.write_str("moves"),
            Self::Key => f.write_str("key"),
            Self::Bench { depth: None } => f.write_str("bench"),
            Self::Bench { depth: Some(depth) } => write!(f, "bench {depth}"),
            Self::Perft { depth } => write!(f, "perft {depth}"),
            Self::Compiler => f.write_str("compiler"),
            Self::Help => f.write_str("help"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_of_the_help_is_known_and_goes_both_ways() {
        for CommandHelp { word, .. } in COMMANDS {
            let line = match word {
                "setoption" => "setoption name Clear Hash".to_owned(),
                "position" => "position startpos moves d6 f4".to_owned(),
                "perft" => "perft 3".to_owned(),
                _ => word.to_owned(),
            };
            let command: Command = line.parse().unwrap();
            assert_eq!(command.to_string(), line);
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
