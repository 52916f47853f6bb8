//! `millstone db verify`: checking solved sectors.

use std::error::Error;
use std::io::{self, Write};
use std::time::Instant;

use indicatif::ProgressBar;
use millstone::tablebase::{
    Sample, Sector, SectorFile, Solvable, SolveObserver, Tablebase, Verified, Verifier, VerifyError,
};
use serde::Serialize;

use super::arguments::{Folder, MEN, Threads, catch_interrupt, is_interrupted, progress_bar};
use crate::commands::complaint::complain;
use crate::commands::{CommandResult, json};

/// Check the sectors of a folder by the plain rules of the game.
///
/// Reads each file whole and compares the value of each position with those of the positions that its
/// moves lead to, whose sectors have to be there. A sample of each sector takes less time and is nearly
/// as sure to find a fault of the solver. Ctrl-C stops it.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    folder: Folder,
    /// Positions of each sector to check [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    sample: Option<u64>,
    /// Seed that chooses the sample
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Fewest men of both sides together, on the board and in hand
    #[arg(long, value_name = "N", default_value_t = *MEN.start() as u8)]
    #[arg(value_parser = clap::value_parser!(u8).range(MEN))]
    min_men: u8,
    /// Most men of both sides together, on the board and in hand
    #[arg(long, value_name = "N", default_value_t = *MEN.end() as u8)]
    #[arg(value_parser = clap::value_parser!(u8).range(MEN))]
    max_men: u8,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    format: json::Format,
}

/// Verifies, and reports progress.
pub fn run(arguments: &Arguments, game: Solvable) -> CommandResult {
    let mut unusable = Vec::new();
    let opened = arguments.folder.open_with(game, &mut |error| unusable.push(error))?;
    let tablebase = match opened {
        Err(error) if unusable.is_empty() => return Err(error.into()),
        opened => opened.unwrap_or_else(|_| Tablebase::empty(game)),
    };
    let sectors = arguments.sectors(&tablebase);
    catch_interrupt()?;
    let pool = arguments.threads.pool()?;
    let reporter = Reporter { bar: progress_bar(1), format: arguments.format };
    reporter.bar.set_length(sectors.iter().map(|sector| arguments.positions(*sector)).sum());
    for error in &unusable {
        reporter.complain(error);
    }
    let failed = pool.install(|| arguments.verify(&tablebase, &sectors, &reporter));
    reporter.bar.finish_and_clear();
    match (failed?, unusable.len()) {
        (0, 0) if sectors.is_empty() => Err("no sector with this number of men".into()),
        (0, 0) => Ok(()),
        (failed, unusable) => {
            let all = sectors.len() + unusable;
            Err(format!("{} of {all} sectors not verified", failed + unusable).into())
        }
    }
}

impl Arguments {
    /// The sectors to verify; those that need the same ones are adjacent.
    fn sectors(&self, tablebase: &Tablebase) -> Vec<Sector> {
        let men = usize::from(self.min_men)..=usize::from(self.max_men);
        let all = tablebase.files().map(SectorFile::sector);
        let mut sectors: Vec<Sector> =
            all.filter(|sector| men.contains(&sector.men_in_all())).collect();
        let order = |sector: &Sector| {
            (sector.men_in_hand(), sector.men(), sector.own().min(sector.opponent()))
        };
        sectors.sort_by_key(order);
        sectors
    }

    /// How many positions of a sector are checked.
    fn positions(&self, sector: Sector) -> u64 {
        let all = sector.len() as u64;
        self.sample.map_or(all, |sample| sample.min(all))
    }

    /// Verifies one sector after the other. Returns the number of those that fail.
    fn verify(
        &self,
        tablebase: &Tablebase,
        sectors: &[Sector],
        reporter: &Reporter,
    ) -> Result<usize, VerifyError> {
        let sample = self.sample.map(|positions| Sample { positions, seed: self.seed });
        let mut verifier = Verifier::new(tablebase, reporter);
        let (mut failed, mut done) = (0, 0);
        for &sector in sectors {
            reporter.bar.set_message(sector.to_string());
            let begin = Instant::now();
            match verifier.verify(sector, sample) {
                Ok(result) => reporter.report(sector, result, begin),
                Err(VerifyError::Stopped) => return Err(VerifyError::Stopped),
                Err(error) => {
                    reporter.complain(&error);
                    failed += 1;
                }
            }
            done += self.positions(sector);
            reporter.bar.set_position(done);
        }
        Ok(failed)
    }
}

/// The row of a sector without errors.
#[derive(Serialize)]
struct Row {
    sector: String,
    positions: u64,
    of: u64,
    has_distances: bool,
    seconds: f64,
}

/// Reports progress: a bar in a terminal, and a line for each sector.
struct Reporter {
    bar: ProgressBar,
    format: json::Format,
}

impl Reporter {
    fn report(&self, sector: Sector, verified: Verified, begin: Instant) {
        let Verified { positions, has_distances } = verified;
        let (sector, of) = (sector.to_string(), sector.len() as u64);
        let seconds = begin.elapsed().as_secs_f64();
        let row = Row { sector, positions, of, has_distances, seconds };
        // If nobody reads the output, the exit status still gives the result.
        let _ = self.bar.suspend(|| row.write(&mut io::stdout(), self.format));
    }

    fn complain(&self, error: &dyn Error) {
        self.bar.suspend(|| complain(error));
    }
}

impl Row {
    fn write(&self, out: &mut impl Write, format: json::Format) -> io::Result<()> {
        if format.json {
            return json::write(out, self);
        }
        let Self { sector, positions, of, has_distances, seconds } = self;
        let what = if *has_distances { "" } else { " without distances" };
        let seconds = seconds.trunc();
        writeln!(out, "{sector}: {positions} of {of} positions verified{what} ({seconds} s)")
    }
}

impl SolveObserver for Reporter {
    fn advance(&self, positions: u64) {
        self.bar.inc(positions);
    }

    fn should_stop(&self) -> bool {
        is_interrupted()
    }
}
