//! What to analyze, from the command line, files and standard input, and the engine that does.

use std::path::PathBuf;
use std::time::Duration;

use clap::{ValueHint, value_parser};
use millstone::analysis::{Analyst, Effort};
use millstone::clusters::SizeError;
use millstone::position::text::is_position_text;
use millstone::position::{FEN_WORD, POSITION_WORD, START_WORD, Turn};
use millstone::protocol::Options;
use millstone::rules::RuleSet;
use millstone::search::{self, MAX_DEPTH, MAX_LINES, MAX_TABLE, MAX_THREADS, Settings};
use serde::Serialize;

use crate::commands::arguments::OptionalTablebase;

/// The options of the engine.
#[derive(clap::Args)]
pub struct Engine {
    /// Deepest iteration of each search
    #[arg(long, value_name = "PLIES")]
    #[arg(value_parser = value_parser!(u32).range(1..=i64::from(MAX_DEPTH)))]
    depth: Option<u32>,
    /// Most positions to visit in each search
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Longest time of each search in milliseconds [default: 1000 without --depth and --nodes]
    #[arg(long, value_name = "MS", value_parser = value_parser!(u64).range(1..))]
    time: Option<u64>,
    /// Best moves to show, each with its score and principal variation
    #[arg(long, value_name = "N", default_value_t = Options::default().multi_pv as u8)]
    #[arg(value_parser = value_parser!(u8).range(1..=i64::from(MAX_LINES)))]
    multipv: u8,
    /// Threads of a search; only with one the result is the same each time
    #[arg(long, value_name = "N", default_value_t = Options::default().threads as u16)]
    #[arg(value_parser = value_parser!(u16).range(1..=MAX_THREADS as i64))]
    threads: u16,
    /// Size of the transposition table
    #[arg(long, value_name = "MIB", default_value_t = Options::default().hash as u32)]
    #[arg(value_parser = value_parser!(u32).range(1..=i64::from(MAX_TABLE)))]
    hash: u32,
    #[command(flatten)]
    tablebase: OptionalTablebase,
}

impl Engine {
    /// The engine, ready to analyze a game.
    pub fn analyst(&self, rules: &RuleSet) -> Result<Analyst, SizeError> {
        let mut engine = search::Engine::new(self.hash as usize)?;
        engine.settings = Settings { threads: self.threads.into(), ..Settings::default() };
        engine.tablebase = self.tablebase.open(rules);
        Ok(Analyst::new(engine, self.effort()))
    }

    fn effort(&self) -> Effort {
        let usual_time = Options::default().move_time.into();
        let is_limited = self.depth.is_some() || self.nodes.is_some();
        let time = self.time.or((!is_limited).then_some(usual_time));
        Effort {
            depth: self.depth.unwrap_or(MAX_DEPTH),
            nodes: self.nodes,
            time: time.map(Duration::from_millis),
            lines: self.multipv.into(),
        }
    }
}

/// What to analyze.
#[derive(clap::Args)]
pub struct Input {
    /// Files to read; - is standard input, which is also read if nothing else is named
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub files: Vec<PathBuf>,
    /// Position to analyze; may be given several times
    #[arg(long, value_name = "POSITION", value_parser = some_text)]
    pub fen: Vec<String>,
}

fn some_text(text: &str) -> Result<String, &'static str> {
    if text.trim().is_empty() { Err("expected a position") } else { Ok(text.to_owned()) }
}

/// Where a position or game was read.
#[derive(Clone, Copy, Serialize)]
pub struct Origin<'a> {
    /// The name of the file, `standard input` or `--fen`.
    pub source: &'a str,
    /// The line of a list, from 1; of --fen, which one.
    pub line: Option<usize>,
}

/// Whether a text is a list of positions; otherwise it holds games.
pub fn has_positions(text: &str) -> bool {
    lines(text).find_map(|(_, line)| is_position(line)).unwrap_or(false)
}

/// The lines that are neither empty nor comments, with their numbers.
pub fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = (1..).zip(text.lines().map(str::trim));
    lines.filter(|(_, line)| !line.is_empty() && !line.starts_with(['#', ';']))
}

/// Whether a line looks like a position rather than like one of a game record, if it looks like either.
fn is_position(line: &str) -> Option<bool> {
    let word = line.split_whitespace().next()?;
    if [POSITION_WORD, START_WORD, FEN_WORD].contains(&word) || is_position_text(line) {
        return Some(true);
    }
    let is_of_record = word.starts_with(['[', '{', '(']) || word.starts_with(char::is_numeric);
    (is_of_record || word.parse::<Turn>().is_ok()).then_some(false)
}
