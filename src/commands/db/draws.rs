//! `millstone db draws`: putting draws in order.

use std::fmt;
use std::io::{self, Write};
use std::path::Path;
use std::time::Instant;

use clap::ValueEnum;
use indicatif::{DecimalBytes, ProgressBar};
use millstone::tablebase::{
    DrawBuild, DrawBuildObserver, DrawFile, DrawOrderKind, DrawValue, FileError, Sector, Solvable,
    SolveObserver,
};
use serde::Serialize;

use super::arguments::{
    Folder, MEN, SetAside, Threads, catch_interrupt, is_interrupted, progress_bar,
};
use crate::commands::{CommandResult, json};

/// Find where the drawn positions of a folder come to rest.
///
/// Where neither side can win, both still prefer some numbers of men to others. A file beside each sector says
/// where best play comes to rest, and after how many turns in the moving phase; probe and analyze show it. The
/// sectors must be solved before, by build. Ctrl-C stops it; the same command continues. A damaged
/// file is renamed and its draws are solved again.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    folder: Folder,
    /// Most men of both sides together [default: all]
    #[arg(long, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u8).range(MEN))]
    max_men: Option<u8>,
    /// Order the draws of the moving phase alone; so does any --max-men below all
    #[arg(long)]
    moving: bool,
    /// Which numbers of men are better: by what a position with them is worth on average, or for Nine Men's
    /// Morris the same with nine against eight men just below five against three, as Gévay and Danner
    /// published
    #[arg(long, value_name = "ORDER", default_value = "average")]
    order: Order,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    format: json::Format,
}

#[derive(Clone, Copy, ValueEnum)]
enum Order {
    Average,
    Published,
}

impl From<Order> for DrawOrderKind {
    fn from(order: Order) -> Self {
        match order {
            Order::Average => Self::Average,
            Order::Published => Self::Published,
        }
    }
}

/// How often the solver counts each position.
const PASSES: u32 = 2;

/// Orders draws, and reports progress.
pub fn run(arguments: &Arguments, game: Solvable) -> CommandResult {
    let most_men = arguments.max_men.map_or(game.men(), usize::from);
    let has_all = !arguments.moving && most_men >= game.men();
    let build = DrawBuild {
        game,
        folder: arguments.folder.path(&game)?,
        most_men,
        most_in_hand: if has_all { game.men() } else { 0 },
        order: arguments.order.into(),
    };
    catch_interrupt()?;
    let pool = arguments.threads.pool()?;
    let reporter =
        Reporter { bar: progress_bar(PASSES), begin: Instant::now(), format: arguments.format };
    let result = pool.install(|| build.run(&reporter));
    reporter.bar.finish_and_clear();
    Ok(result?)
}

/// Reports progress: a bar in a terminal, and a line for each sector.
struct Reporter {
    bar: ProgressBar,
    begin: Instant,
    format: json::Format,
}

impl SolveObserver for Reporter {
    fn advance(&self, positions: u64) {
        self.bar.inc(positions);
    }

    fn should_stop(&self) -> bool {
        is_interrupted()
    }
}

impl DrawBuildObserver for Reporter {
    fn start(&self, sectors: &[Sector], memory_bytes: u64) {
        self.report(&Plan { sectors: sectors.len(), memory_bytes });
        let positions: u64 = sectors.iter().map(|sector| sector.len() as u64).sum();
        self.bar.set_length(u64::from(PASSES) * positions);
    }

    fn set_aside(&self, error: &FileError, name: &Path) {
        self.report(&Aside { set_aside: SetAside::new(error, name) });
    }

    fn finish_draws(&self, file: &DrawFile) {
        let drawn = file.rests().iter().map(|(_, count)| count).sum();
        let rests = file.rests().iter().filter(|(_, count)| *count > 0);
        let row = Row {
            sector: file.sector().to_string(),
            drawn,
            rests: rests
                .map(|&(rest, count)| (DrawValue { rest, turns: None }.place(), count))
                .collect(),
            bytes: file.bytes(),
            seconds: self.begin.elapsed().as_secs_f64(),
        };
        self.report(&row);
    }
}

impl Reporter {
    fn report(&self, line: &(impl Serialize + fmt::Display)) {
        let mut out = io::stdout();
        // Work continues when nobody reads its output.
        let _ = self.bar.suspend(|| {
            if self.format.json { json::write(&mut out, line) } else { writeln!(out, "{line}") }
        });
    }
}

/// What is missing.
#[derive(Serialize)]
struct Plan {
    sectors: usize,
    memory_bytes: u64,
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { sectors, memory_bytes } = self;
        write!(
            f,
            "{sectors} sectors to put in order, with {} of memory",
            DecimalBytes(*memory_bytes)
        )
    }
}

/// A file was set aside, as a build says it.
#[derive(Serialize)]
struct Aside {
    set_aside: SetAside,
}

impl fmt::Display for Aside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.set_aside.fmt(f)
    }
}

/// The draws of a sector.
#[derive(Serialize)]
struct Row {
    sector: String,
    drawn: u64,
    /// How many come to rest where, the worst for the side to move first.
    rests: Vec<(String, u64)>,
    bytes: usize,
    seconds: f64,
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { sector, drawn, rests, bytes, seconds } = self;
        write!(f, "{sector}: {drawn} drawn, to rest in {} places", rests.len())?;
        write!(f, ", {:.1} MB ({:.0} s)", *bytes as f64 / 1e6, seconds.trunc())
    }
}
