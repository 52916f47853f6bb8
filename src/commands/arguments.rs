//! Arguments that several subcommands share: games, notations, the tablebase, input files and positions.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{ValueHint, value_parser};
use millstone::game::Game;
use millstone::position::{FEN_WORD, MOVES_WORD, POSITION_WORD, START_WORD, Turn};
use millstone::quote::quote;
use millstone::records::{self, GameRecord, Notation, ReadError};
use millstone::rules::{DrawRules, PRESETS, RuleSet};
use millstone::search::Skill;
use millstone::system::regular_file;
use millstone::tablebase::{EngineTablebase, Sector, Solvable, Sources, Tablebase};

use super::{CommandResult, complain};

/// The sector of a game by name, such as 5-4.
pub fn sector(game: &Solvable, name: &str) -> Result<Sector, String> {
    let unknown = || format!("{} has no sector {}", game.rules().name(), quote(name));
    game.sectors().into_iter().find(|sector| sector.to_string() == name).ok_or_else(unknown)
}

/// Parses the name of a game that `millstone rules` lists, or its beginning, and rules that differ from it;
/// shells complete the name.
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
            if !text.contains('=') {
                PossibleValuesParser::new(game_names()).parse_ref(command, argument, value)?;
            }
            let line = format!("{error}\n");
            Err(clap::Error::raw(clap::error::ErrorKind::InvalidValue, line).with_cmd(command))
        })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(game_names().map(PossibleValue::new)))
    }
}

/// The names of the games without characters that need quotes, such as `nine-mens-morris`.
fn game_names() -> impl Iterator<Item = String> {
    PRESETS.iter().map(|preset| preset.name.to_lowercase().replace('\'', "").replace(' ', "-"))
}

/// Parses the name of one of these notations; shells complete it.
pub fn notation_parser(
    notations: impl IntoIterator<Item = Notation>,
) -> impl TypedValueParser<Value = Notation> {
    let names = notations.into_iter().map(Notation::name);
    PossibleValuesParser::new(names).try_map(|name| name.parse())
}

/// Parses a level of the engine.
pub fn level_parser() -> impl TypedValueParser<Value = u32> {
    value_parser!(u32).range(0..=i64::from(Skill::FULL.level()))
}

/// Refuses the rules of a game unless they are those that are expected, if any.
pub fn expect_rules(found: &RuleSet, expected: Option<&RuleSet>) -> Result<(), String> {
    let other = expected.filter(|expected| expected.canonical() != found.canonical());
    let error =
        other.map(|other| format!("it is a game of {}, not {}", found.name(), other.name()));
    error.map_or(Ok(()), Err)
}

/// The default size of the transposition table of a playing engine, in MiB.
pub const TABLE_SIZE: usize = 64;

/// The folder of an engine's tablebase.
#[derive(Clone, clap::Args)]
pub struct TablebaseFolder {
    /// Folder of the tablebase [default: where millstone db build puts it]
    #[arg(long = "tablebase", alias = "databases", value_name = "DIR")]
    #[arg(value_hint = ValueHint::DirPath)]
    pub folder: Option<PathBuf>,
}

impl TablebaseFolder {
    /// The opening book and the tablebase files of a game.
    pub fn sources(&self, game: Solvable) -> Sources<'_> {
        Sources { game, folder: self.folder.as_deref(), has_book: true, has_files: true }
    }

    /// Opens the tablebase of a game, and solves its small sectors if they are missing.
    pub fn open(&self, game: Solvable) -> Arc<Tablebase> {
        let report = &mut |error: &dyn std::error::Error| complain(error);
        EngineTablebase::default().open_and_solve_small(self.sources(game), report)
    }
}

/// The optional tablebase of an engine.
#[derive(Clone, clap::Args)]
pub struct OptionalTablebase {
    #[command(flatten)]
    pub at: TablebaseFolder,
    /// Do without the tablebase
    #[arg(long, alias = "no-databases", conflicts_with = "folder")]
    pub no_tablebase: bool,
}

impl OptionalTablebase {
    /// Opens the tablebase, if the game can have one and the user does not disable it.
    pub fn open(&self, rules: &RuleSet) -> Option<Arc<Tablebase>> {
        Solvable::of(rules).ok().filter(|_| !self.no_tablebase).map(|game| self.at.open(game))
    }
}

/// The largest input in MiB, some hundred thousand games; parsed games take many times this size.
const MOST_MEBIBYTES: u64 = 64;

/// How to end the input at a terminal.
const END: &str = if cfg!(windows) { "Ctrl-Z and Enter end" } else { "Ctrl-D ends" };

/// A text and the name of its source.
pub struct Text {
    /// The path, or `standard input`.
    pub name: String,
    pub text: String,
}

impl Text {
    /// Reads the games; errors name file, line and column.
    ///
    /// * `usual`: the rules of games without a `Variant` tag.
    pub fn games(&self, usual: &RuleSet) -> impl Iterator<Item = Result<GameRecord, String>> {
        let records = GameRecord::read_each_by(&self.text, usual);
        records.map(|record| record.map_err(|error| located(&self.name, &error)))
    }
}

/// Prefixes an error with the name of the source, line and column.
fn located(name: &str, ReadError { line, column, message }: &ReadError) -> String {
    format!("{name}:{line}:{column}: {message}")
}

/// Reads a file, or standard input if the path is `-`; at a terminal, says what to type.
///
/// * `what`: the expected input, such as `games`.
pub fn read_text(path: &Path, what: &str) -> Result<Text, String> {
    if path.as_os_str() != "-" {
        return read_bounded(path.display().to_string(), File::open(path));
    }
    let input = io::stdin().lock();
    if input.is_terminal() {
        complain(format_args!("type {what}; {END} them"));
    }
    read_bounded("standard input".to_owned(), Ok(input))
}

/// Reads a regular file; refuses pipes and devices, which could block the program.
pub fn read_regular_text(path: &Path) -> Result<Text, String> {
    read_bounded(path.display().to_string(), regular_file::open(path))
}

fn read_bounded(name: String, source: io::Result<impl Read>) -> Result<Text, String> {
    let most = MOST_MEBIBYTES << 20;
    let mut bytes = Vec::new();
    let read = source.and_then(|source| source.take(most + 1).read_to_end(&mut bytes));
    read.map_err(|error| format!("{name}: {error}"))?;
    if bytes.len() as u64 > most {
        return Err(format!("{name}: larger than the limit of {MOST_MEBIBYTES} MiB"));
    }
    let text = records::decode(bytes).map_err(|error| located(&name, &error))?;
    // Some programs write a byte order mark at the start.
    Ok(Text { text: text.trim_start_matches('\u{feff}').to_owned(), name })
}

/// Parses a position and the moves from it: optional `position` or `fen`, then `startpos` or position text,
/// then optional `moves` with moves or whole turns.
pub fn read_position(line: &str, rules: &RuleSet) -> CommandResult<Game> {
    let mut words = line.split_whitespace().peekable();
    for word in [POSITION_WORD, FEN_WORD] {
        words.next_if_eq(&word);
    }
    let start: Vec<&str> = words.by_ref().take_while(|word| *word != MOVES_WORD).collect();
    let start = Some(start.join(" ")).filter(|start| start != START_WORD);
    let mut game = Game::begin(start.as_deref(), *rules, DrawRules::default())?;
    let turns: Result<Vec<Turn>, _> = words.map(str::parse).collect();
    turns?.iter().flat_map(Turn::moves).try_for_each(|&mv| game.play(mv))?;
    Ok(game)
}
