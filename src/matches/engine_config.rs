//! Engines as the user describes them: words such as `cmd=millstone`, `option.Hash=16`, `tc=10+0.1`.

use std::fmt;
use std::num::NonZeroU32;
use std::path::{self, Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use crate::protocol::{Dialect, Error, Go, RESULT_STYLES};
use crate::quote::listed;

/// An engine: how to start it, its options and its limits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineConfig {
    /// The name of the engine in the results.
    pub name: String,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Its working directory, if not that of the match.
    pub folder: Option<PathBuf>,
    /// Its dialect, if it is not to be detected.
    pub dialect: Option<Dialect>,
    /// Names and values of its options, in the order in which they are sent.
    pub options: Vec<(String, String)>,
    /// Its limits for a search or a game.
    pub limit: Limit,
    /// The grace period after its limit.
    pub margin: Duration,
}

/// The limits of one engine; all that are given apply.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limit {
    /// The time, the nodes and the depth of each search; nothing else of `go` is set.
    pub search: Go,
    /// A time control.
    pub clock: Option<TimeControl>,
}

/// A time control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// The number of turns after which the base time is added again, if it ever is.
    pub turns: Option<NonZeroU32>,
    /// The time at the start.
    pub base: Duration,
    /// The time added by each turn.
    pub increment: Duration,
}

/// The default grace period.
const DEFAULT_MARGIN: Duration = Duration::from_millis(200);
/// The default time for a move.
const DEFAULT_MOVE_TIME: Duration = Duration::from_millis(100);
/// The longest time of a limit or a margin.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

/// The dialects by name; the styles of result lines are told apart when they are read.
fn dialects() -> impl Iterator<Item = (&'static str, Dialect)> {
    let styles = RESULT_STYLES.iter().map(|&(name, _)| (name, Dialect::Uci));
    let gbgp = Dialect::Gbgp;
    styles.chain([(gbgp.greeting().word(gbgp), gbgp)])
}

/// A word that describes an engine, `KEY=VALUE`.
pub struct EngineKey {
    /// The part before the equals sign.
    pub key: &'static str,
    /// The placeholder for the value in the help.
    pub value: &'static str,
    about: &'static str,
    /// The default as shown in the help.
    default: fn() -> String,
    /// Reads a value, or tells what was expected.
    read: fn(&mut Words, &str) -> Result<(), String>,
}

/// All words that describe an engine except `option.NAME=VALUE`.
pub static ENGINE_KEYS: [EngineKey; 10] = [
    key("cmd", "PROGRAM", "the program, with its arguments", |words, text| {
        split(text).map(|command| words.command = command)
    }),
    key("args", "ARGUMENTS", "more arguments of the program", |words, text| {
        split(text).map(|arguments| words.arguments = arguments)
    }),
    key("name", "NAME", "its name in the results", |words, text| {
        let name = Some(text).filter(|text| !text.contains(char::is_control));
        let name = name.ok_or("a name without control characters")?;
        words.name = Some(name.to_owned());
        Ok(())
    })
    .default(|| "that of the program".to_owned()),
    key("dir", "DIR", "the folder in which it runs", |words, text| {
        words.folder = Some(text.into());
        Ok(())
    })
    .default(|| "the current one".to_owned()),
    key("dialect", "DIALECT", "what it speaks", |words, text| {
        let named = dialects().find(|(name, _)| name.eq_ignore_ascii_case(text));
        let (_, dialect) = named.ok_or_else(dialect_names)?;
        words.dialect = Some(dialect);
        Ok(())
    })
    .default(|| format!("{}, found out by greeting it", dialect_names())),
    key("margin", "MS", "grace period after the limit", |words, text| {
        milliseconds(text).map(|margin| words.margin = Some(margin))
    })
    .default(|| DEFAULT_MARGIN.as_millis().to_string()),
    key("movetime", "MS", "time for each move", |words, text| {
        let _: u64 = positive(text)?;
        milliseconds(text).map(|time| words.limit.search.move_time = Some(time))
    })
    .default(|| format!("{} without other limits", DEFAULT_MOVE_TIME.as_millis())),
    key("nodes", "N", "positions to visit for each move", |words, text| {
        positive(text).map(|nodes| words.limit.search.nodes = Some(nodes))
    }),
    key("depth", "N", "depth of each search, in plies", |words, text| {
        positive(text).map(|depth| words.limit.search.depth = Some(depth))
    }),
    key(
        "tc",
        "[N/]S[+S]",
        "clock: S seconds for a game or N turns, and for each turn",
        |words, text| {
            let expected = "[TURNS/]SECONDS[+SECONDS], such as 10+0.1, of a day at most";
            words.limit.clock = Some(TimeControl::parse(text).ok_or(expected)?);
            Ok(())
        },
    ),
];

const fn key(
    key: &'static str,
    value: &'static str,
    about: &'static str,
    read: fn(&mut Words, &str) -> Result<(), String>,
) -> EngineKey {
    EngineKey { key, value, about, default: String::new, read }
}

impl EngineKey {
    const fn default(self, default: fn() -> String) -> Self {
        Self { default, ..self }
    }

    /// The meaning of the word and its default.
    #[must_use]
    pub fn help(&self) -> String {
        match (self.default)() {
            default if default.is_empty() => self.about.to_owned(),
            default => format!("{} [default: {default}]", self.about),
        }
    }
}

/// The prefix of an engine option.
const OPTION: &str = "option.";

impl EngineConfig {
    /// Reads the words for one engine and those for both, which its own override.
    ///
    /// # Errors
    ///
    /// The first word that is not understood.
    pub fn parse<W: AsRef<str>>(own: &[W], each: &[W]) -> Result<Self, Error> {
        let mut own = Words::parse(own)?;
        let each = Words::parse(each)?;
        if own.command.is_empty() {
            return Err(Error::argument("engine", "cmd=PROGRAM", ""));
        }
        own.command.extend(std::mem::take(&mut own.arguments));
        own.command.extend(each.arguments);
        let mut options = each.options;
        for (name, value) in own.options {
            options.retain(|(other, _)| !other.eq_ignore_ascii_case(&name));
            options.push((name, value));
        }
        let given = [own.limit, each.limit].into_iter().find(|limit| *limit != Limit::default());
        let search = Go { move_time: Some(DEFAULT_MOVE_TIME), ..Go::default() };
        let program = Path::new(&own.command[0]);
        let usual_name = program.file_stem().unwrap_or(program.as_os_str()).to_string_lossy();
        let name = own.name.unwrap_or_else(|| usual_name.into_owned());
        if program.is_relative()
            && program.components().count() > 1
            && let Ok(path) = path::absolute(program)
        {
            own.command[0] = path.display().to_string();
        }
        Ok(Self {
            name,
            command: own.command,
            folder: own.folder.or(each.folder),
            dialect: own.dialect.or(each.dialect),
            options,
            limit: given.unwrap_or(Limit { search, clock: None }),
            margin: own.margin.or(each.margin).unwrap_or(DEFAULT_MARGIN),
        })
    }
}

/// The parsed words of `--engine` or `--each`, before they are merged.
#[derive(Default)]
struct Words {
    command: Vec<String>,
    arguments: Vec<String>,
    name: Option<String>,
    folder: Option<PathBuf>,
    dialect: Option<Dialect>,
    options: Vec<(String, String)>,
    limit: Limit,
    margin: Option<Duration>,
}

impl Words {
    fn parse<W: AsRef<str>>(words: &[W]) -> Result<Self, Error> {
        let mut all = Self::default();
        for word in words {
            let word = word.as_ref();
            let unknown = || {
                let keys = ENGINE_KEYS.iter().map(|known| format!("{}=", known.key));
                let keys = listed(keys.chain([format!("{OPTION}NAME=")]), "or");
                Error::argument("engine", keys, word)
            };
            let (key, value) = word.split_once('=').ok_or_else(unknown)?;
            if let Some(known) = ENGINE_KEYS.iter().find(|known| known.key == key) {
                let wrong = |expected: String| Error::argument(key, expected, value);
                (known.read)(&mut all, value).map_err(wrong)?;
            } else {
                let name = key.strip_prefix(OPTION).filter(|name| !name.is_empty());
                all.options.push((name.ok_or_else(unknown)?.to_owned(), value.to_owned()));
            }
        }
        Ok(all)
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
    time.ok_or_else(|| "a whole number of milliseconds, of a day at most".to_owned())
}

impl TimeControl {
    fn parse(text: &str) -> Option<Self> {
        let (turns, time) = match text.split_once('/') {
            Some((turns, time)) => (Some(turns.parse().ok()?), time),
            None => (None, text),
        };
        let (base, increment) = time.split_once('+').unwrap_or((time, "0"));
        let seconds = |text: &str| {
            let time = Duration::try_from_secs_f64(text.parse().ok()?).ok();
            time.filter(|&time| time <= LONGEST)
        };
        let (base, increment) = (seconds(base)?, seconds(increment)?);
        (!base.is_zero() || !increment.is_zero()).then_some(Self { turns, base, increment })
    }
}

impl fmt::Display for Limit {
    /// Writes the limits as they are read.
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
        if let Some(turns) = self.turns {
            write!(f, "{turns}/")?;
        }
        write!(f, "{}+{}", self.base.as_secs_f64(), self.increment.as_secs_f64())
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in crate::matches) fn limit(text: &str) -> Limit {
        Words::parse(&text.split(' ').collect::<Vec<_>>()).unwrap().limit
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
            assert_eq!(TimeControl::parse(value), None, "{value}");
        }
    }
}
