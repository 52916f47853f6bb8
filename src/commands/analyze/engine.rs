//! The engine of an analysis, and the limits of its searches.

use std::time::Duration;

use clap::value_parser;
use millstone::analysis::{Analyst, Effort};
use millstone::clusters::SizeError;
use millstone::protocol::Options;
use millstone::rules::RuleSet;
use millstone::search::{self, MAX_DEPTH, MAX_THREADS, Settings};
use millstone::tablebase::Solvable;

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
    #[arg(value_parser = value_parser!(u8).range(1..=64))]
    multipv: u8,
    /// Threads of a search; only with one the result is the same each time
    #[arg(long, value_name = "N", default_value_t = Options::default().threads as u16)]
    #[arg(value_parser = value_parser!(u16).range(1..=MAX_THREADS as i64))]
    threads: u16,
    /// Size of the transposition table
    #[arg(long, value_name = "MIB", default_value_t = Options::default().hash as u32)]
    #[arg(value_parser = value_parser!(u32).range(1..))]
    hash: u32,
    #[command(flatten)]
    tablebase: OptionalTablebase,
}

impl Engine {
    /// The engine, ready to analyze a game.
    pub fn analyst(&self, rules: &RuleSet) -> Result<Analyst, SizeError> {
        let mut engine = search::Engine::new(self.hash as usize)?;
        engine.settings = Settings { threads: self.threads.into(), ..Settings::default() };
        if !self.tablebase.no_tablebase {
            engine.tablebase = Solvable::of(rules).ok().map(|game| self.tablebase.at.open(game));
        }
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
