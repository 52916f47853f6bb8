//! Descriptions of engines by words such as `cmd=millstone`, `option.Hash=16`, `tc=10+0.1`.

use std::fmt;
use std::num::NonZeroU32;
use std::path::{self, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use crate::Error;
use crate::protocol::{Dialect, Go, RESULT_STYLES};
use crate::quote::listed;

/// An engine: how to start it, its options and its limits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineConfig {
    /// The name of the engine in the results.
    pub name: String,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// The working directory; `None` for the directory of the match.
    pub folder: Option<PathBuf>,
    /// The dialect; `None` to detect it.
    pub dialect: Option<Dialect>,
    /// Names and values of options, in the order of sending.
    pub options: Vec<(String, String)>,
    /// The limits for a search or a game.
    pub limit: Limit,
    /// The grace period after the limit.
    pub margin: Duration,
}

/// The limits of one engine; all given limits apply.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limit {
    /// The time, the nodes and the depth of each search; no other argument of `go` is set.
    pub search: Go,
    /// A time control.
    pub clock: Option<TimeControl>,
}

/// A time control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// The number of turns after which the base time is added again; `None` if it never is.
    pub turns: Option<NonZeroU32>,
    /// The time at the start.
    pub base: Duration,
    /// The time added after each turn.
    pub increment: Duration,
}

/// The default grace period.
const DEFAULT_MARGIN: Duration = Duration::from_millis(200);
/// The default time for a move.
const DEFAULT_MOVE_TIME: Duration = Duration::from_millis(100);
/// The maximum time of a limit or a margin.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

/// The dialects by name; the result styles are names of UCI, since result lines of any style are read.
fn dialects() -> impl Iterator<Item = (&'static str, Dialect)> {
    let styles = RESULT_STYLES.iter().map(|&(name, _)| (name, Dialect::Uci));
    let gbgp = Dialect::Gbgp;
    styles.chain([(gbgp.greeting().word(gbgp), gbgp)])
}

/// All words that describe an engine: the key, a placeholder for its value and its meaning.
pub const ENGINE_KEYS: [(&str, &str, &str); 11] = [
    ("cmd", "PROGRAM", "the program, with its arguments"),
    ("args", "ARGUMENTS", "more arguments of the program"),
    ("name", "NAME", "its name in the results [default: the program's name]"),
    ("dir", "DIR", "its working directory [default: the current one]"),
    ("dialect", "DIALECT", "its protocol dialect [default: detected]"),
    ("margin", "MS", "grace period after the limit"),
    ("movetime", "MS", "time for each move"),
    ("nodes", "N", "positions to visit for each move"),
    ("depth", "N", "depth of each search, in plies"),
    ("tc", "[N/]S[+S]", "clock: S seconds for the game or N turns, plus S per turn"),
    ("option.NAME", "VALUE", "an option of the engine"),
];

/// The defaults and the names of the dialects, as help text.
pub fn engine_defaults() -> String {
    let [margin, time] = [DEFAULT_MARGIN, DEFAULT_MOVE_TIME].map(|time| time.as_millis());
    let names = dialect_names();
    format!(
        "Defaults: margin={margin}, and movetime={time} if there is no other limit. Dialects: {names}."
    )
}

impl EngineConfig {
    /// Parses the words for one engine, `own`, which override the words for both engines, `each`. The arguments
    /// of `own` come before the arguments of `each`.
    ///
    /// # Errors
    ///
    /// The first unknown word or invalid value, or a missing `cmd`.
    pub fn parse<W: AsRef<str>>(own: &[W], each: &[W]) -> Result<Self, Error> {
        let mut config = Self { margin: DEFAULT_MARGIN, ..Self::default() };
        let (mut arguments, mut arguments_of_each) = (Vec::new(), Vec::new());
        each.iter().try_for_each(|word| config.read(word.as_ref(), &mut arguments_of_each))?;
        let limit_of_each = std::mem::take(&mut config.limit);
        own.iter().try_for_each(|word| config.read(word.as_ref(), &mut arguments))?;
        if config.limit == Limit::default() {
            config.limit = limit_of_each;
        }
        if config.limit == Limit::default() {
            config.limit.search.move_time = Some(DEFAULT_MOVE_TIME);
        }
        let program = config.command.first().map(PathBuf::from);
        let program = program.ok_or_else(|| Error::argument("engine", "cmd=PROGRAM", ""))?;
        config.command.extend(arguments.into_iter().chain(arguments_of_each));
        if config.name.is_empty() {
            let name = program.file_stem().unwrap_or(program.as_os_str());
            config.name = name.to_string_lossy().into_owned();
        }
        if program.is_relative()
            && program.components().count() > 1
            && let Ok(path) = path::absolute(program)
            && let Ok(path) = path.into_os_string().into_string()
        {
            config.command[0] = path;
        }
        Ok(config)
    }

    fn read(&mut self, word: &str, arguments: &mut Vec<String>) -> Result<(), Error> {
        let unknown = || {
            let keys = ENGINE_KEYS.map(|(key, ..)| format!("{key}="));
            Error::argument("engine", listed(keys, "or"), word)
        };
        let (key, value) = word.split_once('=').ok_or_else(unknown)?;
        let refuse = |expected: String| Error::argument(key, expected, value);
        let search = &mut self.limit.search;
        match key {
            "cmd" => self.command = split(value).map_err(refuse)?,
            "args" => *arguments = split(value).map_err(refuse)?,
            "name" if value.contains(char::is_control) => {
                return Err(refuse("a name without control characters".to_owned()));
            }
            "name" => value.clone_into(&mut self.name),
            "dir" => self.folder = Some(value.into()),
            "dialect" => {
                let named = dialects().find(|(name, _)| name.eq_ignore_ascii_case(value));
                self.dialect = Some(named.ok_or_else(|| refuse(dialect_names()))?.1);
            }
            "margin" => self.margin = milliseconds(value).map_err(refuse)?,
            "movetime" => {
                let time = positive::<u64>(value).and_then(|_| milliseconds(value));
                search.move_time = Some(time.map_err(refuse)?);
            }
            "nodes" => search.nodes = Some(positive(value).map_err(refuse)?),
            "depth" => search.depth = Some(positive(value).map_err(refuse)?),
            "tc" => self.limit.clock = Some(TimeControl::parse(value).map_err(refuse)?),
            _ => {
                let name = key.strip_prefix("option.").filter(|name| !name.is_empty());
                let name = name.ok_or_else(unknown)?;
                self.options.retain(|(other, _)| !other.eq_ignore_ascii_case(name));
                self.options.push((name.to_owned(), value.to_owned()));
            }
        }
        Ok(())
    }
}

fn dialect_names() -> String {
    listed(dialects().map(|(name, _)| name), "or")
}

fn split(text: &str) -> Result<Vec<String>, String> {
    shell_words::split(text).map_err(|_| "a command with closed quotes".to_owned())
}

/// A number above zero.
fn positive<N: FromStr + PartialOrd + Default>(text: &str) -> Result<N, String> {
    let number = text.parse().ok().filter(|number| *number > N::default());
    number.ok_or_else(|| "a whole number above 0".to_owned())
}

fn milliseconds(text: &str) -> Result<Duration, String> {
    let time = text.parse().ok().map(Duration::from_millis).filter(|&time| time <= LONGEST);
    time.ok_or_else(|| "a whole number of milliseconds, at most a day".to_owned())
}

impl TimeControl {
    fn parse(text: &str) -> Result<Self, String> {
        let (turns, time) =
            text.split_once('/').map_or((None, text), |(turns, time)| (Some(turns), time));
        let (base, increment) = time.split_once('+').unwrap_or((time, "0"));
        let seconds = |text: &str| {
            let time = Duration::try_from_secs_f64(text.parse().ok()?).ok();
            time.filter(|&time| time <= LONGEST)
        };
        let control = || {
            let turns = turns.map(str::parse).transpose().ok()?;
            Some(Self { turns, base: seconds(base)?, increment: seconds(increment)? })
        };
        let control = control().filter(|it| !it.base.is_zero() || !it.increment.is_zero());
        let expected = "[TURNS/]SECONDS[+SECONDS], such as 10+0.1, at most a day";
        control.ok_or_else(|| expected.to_owned())
    }
}

impl fmt::Display for Limit {
    /// Formats the limits as words.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Go { depth, nodes, move_time, .. } = self.search;
        let mut words = Vec::new();
        words.extend(move_time.map(|time| format!("movetime={}", time.as_millis())));
        words.extend(nodes.map(|nodes| format!("nodes={nodes}")));
        words.extend(depth.map(|depth| format!("depth={depth}")));
        words.extend(self.clock.map(|clock| format!("tc={clock}")));
        f.write_str(&words.join(" "))
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let turns = self.turns.map(|turns| format!("{turns}/")).unwrap_or_default();
        write!(f, "{turns}{}+{}", self.base.as_secs_f64(), self.increment.as_secs_f64())
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in crate::matches) fn limit(text: &str) -> Limit {
        let words: Vec<_> = text.split(' ').chain(["cmd=mill"]).collect();
        EngineConfig::parse(&words, &[]).unwrap().limit
    }

    #[test]
    fn words_of_an_engine_prevail_over_those_of_each() {
        let own = ["cmd=mill uci", "name=A", "option.hash=1", "nodes=50", "args='x y'"];
        let each = ["option.Hash=16", "option.Threads=2", "tc=10+0.1", "margin=7"];
        let config = EngineConfig::parse(&own, &each).unwrap();
        assert_eq!(
            (config.name.as_str(), config.command),
            ("A", ["mill", "uci", "x y"].map(Into::into).into())
        );
        let options: Vec<_> = config.options.iter().map(|(n, v)| format!("{n}={v}")).collect();
        assert_eq!(options, ["Threads=2", "hash=1"]);
        assert_eq!((config.limit.to_string().as_str(), config.margin.as_millis()), ("nodes=50", 7));
        let usual = EngineConfig::parse(&["cmd=mill"], &[]).unwrap();
        assert_eq!(
            (usual.name.as_str(), usual.limit.to_string().as_str()),
            ("mill", "movetime=100")
        );
    }

    #[test]
    fn limits_are_written_as_they_are_read() {
        for text in ["movetime=100", "nodes=5000 depth=3", "tc=10+0.1", "tc=40/10+0.5"] {
            assert_eq!(limit(text).to_string(), text);
        }
        assert_eq!(limit("tc=60").to_string(), "tc=60+0");
    }

    #[test]
    fn all_keys_of_the_help_are_read() {
        for (key, ..) in ENGINE_KEYS {
            let value = if key == "dialect" { "gbgp" } else { "7" };
            let words = ["cmd=mill".to_owned(), format!("{key}={value}")];
            EngineConfig::parse(&words, &[]).unwrap();
        }
    }

    #[test]
    fn mistakes_are_named() {
        for (words, message) in [
            (vec!["name=A"], "engine: expected cmd=PROGRAM, found nothing"),
            (vec!["cmd=a", "colour=red"], "tc= or option.NAME=, found 'colour=red'"),
            (vec!["cmd=a", "fast"], "found 'fast'"),
            (vec!["cmd=a", "option.=3"], "found 'option.=3'"),
            (vec!["cmd='a"], "cmd: expected a command with closed quotes"),
            (vec!["cmd=a", "dialect=french"], "dialect: expected uci, sanmill, legacy or gbgp"),
            (vec!["cmd=a", "name=A\nB"], "name: expected a name without control characters, found"),
            (vec!["cmd=a", "margin=18446744073709551615"], "margin: expected a whole number"),
            (vec!["cmd=a", "margin=-1"], "margin: expected a whole number of milliseconds"),
            (vec!["cmd=a", "depth=0"], "depth: expected a whole number above 0, found '0'"),
            (vec!["cmd=a", "depth=x"], "depth: expected a whole number above 0, found 'x'"),
            (vec!["cmd=a", "nodes=-3"], "nodes: expected a whole number above 0, found '-3'"),
            (vec!["cmd=a", "movetime=0"], "movetime: expected a whole number above 0, found '0'"),
            (vec!["cmd=a", "movetime=18446744073709551615"], "movetime: expected a whole number"),
            (vec!["cmd=a", "tc=fast"], "tc: expected [TURNS/]SECONDS[+SECONDS]"),
        ] {
            let error = EngineConfig::parse(&words, &[]).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
        for value in ["", "0+0", "0/10", "10+", "-5", "1e99", "NaN", "1e19", "5+90000"] {
            assert!(TimeControl::parse(value).is_err(), "{value}");
        }
    }
}
