//! What the command line says in several words: the engines, twice `--engine` and `--each` for both,
//! and the test that `--sprt` asks for.

use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Command, Error, FromArgMatches};
use millstone::matches::{EngineSpec, SpecError, Sprt};

/// What the words mean.
pub struct Words {
    /// The engines; none when nothing is to be played.
    pub engines: Option<Box<[EngineSpec; 2]>>,
    /// The test that may end the match.
    pub sprt: Option<Sprt>,
}

const ENGINE: &str = "engine";
const EACH: &str = "each";
const SPRT: &str = "sprt";

/// Words after the same argument belong together, which derived arguments cannot tell.
impl clap::Args for Words {
    fn augment_args(command: Command) -> Command {
        let words = |name: &'static str, help: &'static str| {
            let arg = Arg::new(name).long(name).help(help).value_name("KEY=VALUE");
            arg.num_args(1..).action(ArgAction::Append)
        };
        let sprt = "End as soon as it is clear whether the first engine is better by elo0 or elo1: \
                    elo0=0 elo1=10 alpha=0.05 beta=0.05";
        let engine = words(ENGINE, "An engine and how it is to play; given twice");
        command
            .arg(engine.required_unless_present("merge"))
            .arg(words(EACH, "The same for both engines, which their own words overrule"))
            .arg(words(SPRT, sprt))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Words {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let words = |name| -> Vec<Vec<String>> {
            let occurrences = matches.get_occurrences::<String>(name).into_iter().flatten();
            occurrences.map(|words| words.cloned().collect()).collect()
        };
        let read = || -> Result<Self, SpecError> {
            let engines = words(ENGINE);
            let engines = (!engines.is_empty()).then(|| pair(&engines, &words(EACH).concat()));
            let sprt = words(SPRT).concat();
            let sprt = (!sprt.is_empty()).then(|| Sprt::parse(&sprt));
            Ok(Self { engines: engines.transpose()?, sprt: sprt.transpose()? })
        };
        read().map_err(|error| Error::raw(ErrorKind::ValueValidation, format!("{error}\n")))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The two engines; if they have the same name they get numbers.
fn pair(engines: &[Vec<String>], each: &[String]) -> Result<Box<[EngineSpec; 2]>, SpecError> {
    let [first, second] = engines else {
        return Err(SpecError::new(ENGINE, "--engine twice", &engines.len().to_string()));
    };
    let mut first = EngineSpec::parse(first, each)?;
    let mut second = EngineSpec::parse(second, each)?;
    if first.name == second.name {
        first.name += " 1";
        second.name += " 2";
    }
    Ok(Box::new([first, second]))
}
