//! Engines as the user describes them: words such as `cmd=millstone` and `option.Hash=16`.

use std::path::{self, Path, PathBuf};
use std::time::Duration;

use super::dialect;
use super::limit::{LONGEST, Limit};
use super::spec_error::SpecError;
use crate::protocol::Dialect;

/// An engine and how it is to play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineSpec {
    /// What the engine is called in the results.
    pub name: String,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// The folder in which it runs; the one of the match if none.
    pub folder: Option<PathBuf>,
    /// What it speaks; found out by asking it if none.
    pub dialect: Option<Dialect>,
    /// Names and values of its options, in the order in which they are sent.
    pub options: Vec<(String, String)>,
    /// How much it may think.
    pub limit: Limit,
    /// How much later than its limit an answer may arrive.
    pub margin: Duration,
}

/// How much later than its limit an answer may arrive, unless the user says otherwise.
const MARGIN: Duration = Duration::from_millis(200);

/// What an engine may think when nothing is said.
const USUAL_LIMIT: Limit =
    Limit { move_time: Some(Duration::from_millis(100)), nodes: None, depth: None, clock: None };

/// The words that describe an engine.
const EXPECTED: &str = "cmd=, args=, name=, dir=, dialect=, margin=, movetime=, nodes=, depth=, \
                        tc= or option.NAME=";

impl EngineSpec {
    /// Reads the words for an engine and those that hold for each engine, which its own overrule.
    ///
    /// # Errors
    ///
    /// The first word that cannot be understood.
    pub fn parse<W: AsRef<str>>(own: &[W], each: &[W]) -> Result<Self, SpecError> {
        let mut own = Words::parse(own)?;
        let each = Words::parse(each)?;
        if own.command.is_empty() {
            return Err(SpecError::new("engine", "cmd=PROGRAM", ""));
        }
        own.command.extend(std::mem::take(&mut own.arguments));
        own.command.extend(each.arguments);
        let mut options = each.options;
        for (name, value) in own.options {
            options.retain(|(other, _)| !other.eq_ignore_ascii_case(&name));
            options.push((name, value));
        }
        Ok(Self {
            name: own.name.unwrap_or_else(|| usual_name(&own.command[0])),
            command: resolve(own.command),
            folder: own.folder.or(each.folder),
            dialect: own.dialect.or(each.dialect),
            options,
            limit: own.limit.or(&each.limit).or(&USUAL_LIMIT),
            margin: own.margin.or(each.margin).unwrap_or(MARGIN),
        })
    }
}

/// The name of a program without its folder.
fn usual_name(program: &str) -> String {
    let name = Path::new(program).file_stem();
    name.map_or_else(|| program.to_owned(), |name| name.to_string_lossy().into_owned())
}

/// The command with a path of the program that holds in every folder.
fn resolve(mut command: Vec<String>) -> Vec<String> {
    let program = PathBuf::from(&command[0]);
    if program.components().count() > 1 && program.is_relative() {
        let absolute = path::absolute(program);
        command[0] =
            absolute.map_or_else(|_| command[0].clone(), |path| path.display().to_string());
    }
    command
}

/// What the words say, before one thing is put with the other.
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
    fn parse<W: AsRef<str>>(words: &[W]) -> Result<Self, SpecError> {
        let mut all = Self::default();
        for word in words {
            let word = word.as_ref();
            let unknown = || SpecError::new("engine", EXPECTED, word);
            let (key, value) = word.split_once('=').ok_or_else(unknown)?;
            match key {
                "cmd" => all.command = split(key, value)?,
                "args" => all.arguments = split(key, value)?,
                "name" if value.contains(char::is_control) => {
                    return Err(SpecError::new(key, "a name in one line", value));
                }
                "name" => all.name = Some(value.to_owned()),
                "dir" => all.folder = Some(value.into()),
                "dialect" => all.dialect = Some(dialect::named(value)?),
                "margin" => {
                    let margin = value.parse().ok().map(Duration::from_millis);
                    let margin = margin.filter(|&margin| margin <= LONGEST);
                    let expected = "a whole number of milliseconds, of a day at most";
                    all.margin = Some(margin.ok_or_else(|| SpecError::new(key, expected, value))?);
                }
                _ if Limit::WORDS.contains(&key) => all.limit.set(key, value)?,
                _ => {
                    let name = key.strip_prefix("option.").filter(|name| !name.is_empty());
                    all.options.push((name.ok_or_else(unknown)?.to_owned(), value.to_owned()));
                }
            }
        }
        Ok(all)
    }
}

fn split(key: &str, value: &str) -> Result<Vec<String>, SpecError> {
    shell_words::split(value)
        .map_err(|_| SpecError::new(key, "a command with closed quotes", value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_engine_says_of_itself_comes_before_what_holds_for_each() {
        let own = ["cmd=mill uci", "name=A", "option.hash=1", "nodes=50", "args='x y'"];
        let each = ["option.Hash=16", "option.Threads=2", "tc=10+0.1", "margin=7"];
        let spec = EngineSpec::parse(&own, &each).unwrap();
        assert_eq!(
            (spec.name.as_str(), spec.command),
            ("A", ["mill", "uci", "x y"].map(Into::into).into())
        );
        let options: Vec<_> = spec.options.iter().map(|(n, v)| format!("{n}={v}")).collect();
        assert_eq!(options, ["Threads=2", "hash=1"]);
        assert_eq!((spec.limit.to_string().as_str(), spec.margin.as_millis()), ("nodes=50", 7));
        let usual = EngineSpec::parse(&["cmd=mill"], &[]).unwrap();
        assert_eq!(
            (usual.name.as_str(), usual.limit.to_string().as_str()),
            ("mill", "movetime=100")
        );
    }

    #[test]
    fn mistakes_are_named() {
        for (words, message) in [
            (vec!["name=A"], "engine: expected cmd=PROGRAM, found nothing"),
            (vec!["cmd=a", "colour=red"], "found 'colour=red'"),
            (vec!["cmd=a", "fast"], "found 'fast'"),
            (vec!["cmd=a", "option.=3"], "found 'option.=3'"),
            (vec!["cmd='a"], "cmd: expected a command with closed quotes"),
            (vec!["cmd=a", "dialect=french"], "dialect: expected uci, sanmill, legacy or gbgp"),
            (vec!["cmd=a", "name=A\nB"], "name: expected a name in one line, found 'A\\nB'"),
            (vec!["cmd=a", "margin=18446744073709551615"], "margin: expected a whole number"),
            (vec!["cmd=a", "margin=-1"], "margin: expected a whole number of milliseconds"),
            (vec!["cmd=a", "depth=0"], "depth: expected a whole number above 0, found '0'"),
        ] {
            let error = EngineSpec::parse(&words, &[]).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
    }
}
