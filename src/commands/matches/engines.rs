//! The engines on the command line: words after `--engine`, twice, and after `--each`.

use clap::{Arg, ArgAction, ArgMatches, Command, Error, FromArgMatches};
use millstone::matches::{EngineSpec, SpecError};

/// The words for each engine, and those for both.
pub struct Engines {
    engines: Vec<Vec<String>>,
    each: Vec<String>,
}

const ENGINE: &str = "engine";
const EACH: &str = "each";

impl Engines {
    /// The two engines; if they have the same name they get numbers.
    pub fn specs(&self) -> Result<[EngineSpec; 2], SpecError> {
        let [first, second] = self.engines.as_slice() else {
            let found = self.engines.len().to_string();
            return Err(SpecError::new("engine", "--engine twice", &found));
        };
        let mut first = EngineSpec::parse(first, &self.each)?;
        let mut second = EngineSpec::parse(second, &self.each)?;
        if first.name == second.name {
            first.name += " 1";
            second.name += " 2";
        }
        Ok([first, second])
    }
}

/// Words in a row belong to the same engine, which derived arguments cannot tell.
impl clap::Args for Engines {
    fn augment_args(command: Command) -> Command {
        let words = |name: &'static str, help: &'static str| {
            let arg = Arg::new(name).long(name).help(help).value_name("KEY=VALUE");
            arg.num_args(1..).action(ArgAction::Append)
        };
        command
            .arg(words(ENGINE, "An engine and how it is to play; given twice"))
            .arg(words(EACH, "The same for both engines, which their own words overrule"))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Engines {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let words = |name| -> Vec<Vec<String>> {
            let occurrences = matches.get_occurrences::<String>(name).into_iter().flatten();
            occurrences.map(|words| words.cloned().collect()).collect()
        };
        Ok(Self { engines: words(ENGINE), each: words(EACH).concat() })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
