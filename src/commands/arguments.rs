//! Arguments that several subcommands share: names of games and notations, the tablebase, exit statuses and
//! the colours of help.

use std::ffi::OsStr;
use std::path::PathBuf;
use std::sync::Arc;

use clap::ValueHint;
use clap::builder::styling::{AnsiColor, Styles};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use millstone::quote::quote;
use millstone::records::Notation;
use millstone::rules::{PRESETS, RuleSet};
use millstone::tablebase::{EngineTablebase, Sector, Solvable, Sources, Tablebase};

use super::complain;

/// The sector of a game with a name, such as 5-4.
pub fn sector(game: &Solvable, name: &str) -> Result<Sector, String> {
    let unknown = || format!("{} has no sector {}", game.rules().name(), quote(name));
    game.sectors().into_iter().find(|sector| sector.to_string() == name).ok_or_else(unknown)
}

/// The colours of help and errors: headings stand out, and so does what is typed literally.
pub const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Yellow.on_default().bold())
    .usage(AnsiColor::Yellow.on_default().bold())
    .literal(AnsiColor::Green.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default())
    .error(AnsiColor::Red.on_default().bold())
    .valid(AnsiColor::Green.on_default())
    .invalid(AnsiColor::Red.on_default());

/// Reads the name of a game as `millstone rules` lists it, or its beginning, and the rules that
/// differ from it; shells complete the name.
#[derive(Clone)]
pub struct GameParser;

impl TypedValueParser for GameParser {
    type Value = RuleSet;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<Self::Value, clap::Error> {
        let text = value.to_string_lossy();
        RuleSet::from_name(&text).or_else(|error| {
            let names = PossibleValuesParser::new(game_names());
            if !text.contains('=') {
                names.parse_ref(command, argument, value)?;
            }
            let line = format!("{error}\n");
            Err(clap::Error::raw(clap::error::ErrorKind::InvalidValue, line).with_cmd(command))
        })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(game_names().map(PossibleValue::new)))
    }
}

/// The names in the form that needs no quotes, such as `nine-mens-morris`.
fn game_names() -> impl Iterator<Item = String> {
    PRESETS.iter().map(|preset| preset.name.to_lowercase().replace('\'', "").replace(' ', "-"))
}

/// Reads the name of one of these notations; shells complete it.
pub fn notation_parser(
    notations: impl IntoIterator<Item = Notation>,
) -> impl TypedValueParser<Value = Notation> {
    let names = notations.into_iter().map(Notation::name);
    PossibleValuesParser::new(names).try_map(|name| name.parse())
}

/// The size of the transposition table of an engine that plays, in MiB, where no option gives it.
pub const TABLE_SIZE: usize = 64;

/// Where the tablebase of an engine is.
#[derive(Clone, clap::Args)]
pub struct TablebaseFolder {
    /// Folder of the tablebase [default: where millstone db build puts it]
    #[arg(long = "tablebase", alias = "databases", value_name = "DIR")]
    #[arg(value_hint = ValueHint::DirPath)]
    pub folder: Option<PathBuf>,
}

impl TablebaseFolder {
    /// The book and the files of a game.
    pub fn sources(&self, game: Solvable) -> Sources<'_> {
        Sources { game, folder: self.folder.as_deref(), has_book: true, has_files: true }
    }

    /// Opens the tablebase of a game, with the small sectors, solved if they are not there yet.
    pub fn open(&self, game: Solvable) -> Arc<Tablebase> {
        let report = &mut |error: &dyn std::error::Error| complain(error);
        EngineTablebase::default().open_and_solve_small(self.sources(game), report)
    }
}

/// The tablebase of an engine that can do without.
#[derive(clap::Args)]
pub struct OptionalTablebase {
    #[command(flatten)]
    pub at: TablebaseFolder,
    /// Do without the tablebase
    #[arg(long, alias = "no-databases", conflicts_with = "folder")]
    pub no_tablebase: bool,
}

impl OptionalTablebase {
    /// Opens the tablebase of a game that has one, unless the user does without.
    pub fn open(&self, rules: &RuleSet) -> Option<Arc<Tablebase>> {
        Solvable::of(rules).ok().filter(|_| !self.no_tablebase).map(|game| self.at.open(game))
    }
}

/// The exit status when Ctrl-C ended the program.
pub const INTERRUPTED: u8 = 130;

/// The exit status when a task of a build has to wait for others.
pub const LACKING: u8 = 3;

/// All exit statuses with their meanings; `clap` exits with the one for wrong usage by itself.
pub const EXIT_STATUSES: [(u8, &str); 5] = [
    (0, "success, also when the reader of the output closes it early"),
    (1, "failure; standard error says why"),
    (2, "wrong usage"),
    (LACKING, "db build --sector: required sectors are missing; build them first"),
    (
        INTERRUPTED,
        "interrupted by Ctrl-C; a game in the terminal is saved, a build or match can go on",
    ),
];

/// The exit statuses as they stand at the end of the help.
pub fn exit_status_help() -> String {
    let (heading, literal) = (STYLES.get_header(), STYLES.get_literal());
    let statuses = EXIT_STATUSES
        .map(|(code, meaning)| format!("\n  {literal}{code:<3}{literal:#}  {meaning}"));
    format!("{heading}Exit status:{heading:#}{}", statuses.concat())
}
