//! `millstone db verify`: checks solved sectors.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::{ValueHint, value_parser};
use millstone::tablebase::{
    FileError, Sample, Sector, SectorFile, Solvable, Tablebase, Verified, Verifier, VerifyError,
};
use serde_json::{Value, json};

use super::reporter::Reporter;
use super::{Folder, MEN, Threads, file_name};
use crate::commands::{CommandResult, Format, complain, ensure};

/// Check the sectors of a folder against the plain rules of the game.
///
/// Reads each file whole and compares the value of each position with the values of its successors, whose
/// sectors must be in the folder. A sample of each sector takes less time and is nearly as sure to find a
/// fault of the solver; use one for sectors with ordered draws, which take many times as long. Ctrl-C stops it.
///
/// With --against, compares the values with those of another folder instead, in the sectors that both have:
/// files of Malom (.sec2), or of another build. Also compares where draws come to rest if both folders know it
/// and rank the sectors alike; Malom's ranking is that of db draws --order published.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    folder: Folder,
    /// Folder to compare with, position by position
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    against: Option<PathBuf>,
    /// Positions of each sector to check [default: all]
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..))]
    sample: Option<u64>,
    /// Seed of the sample
    #[arg(long, value_name = "S", default_value_t = 0, requires = "sample")]
    seed: u64,
    /// Fewest men of both sides together, on the board and in hand
    #[arg(long, value_name = "N", default_value_t = *MEN.start() as u8)]
    #[arg(value_parser = value_parser!(u8).range(MEN))]
    min_men: u8,
    /// Most men of both sides together, on the board and in hand
    #[arg(long, value_name = "N", default_value_t = *MEN.end() as u8)]
    #[arg(value_parser = value_parser!(u8).range(MEN))]
    max_men: u8,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    format: Format,
}

/// Verifies and reports progress.
pub fn run(arguments: &Arguments, game: Solvable) -> CommandResult {
    let folder = arguments.folder.path(&game)?;
    let reporter = Reporter::start(&folder, 1, &arguments.threads, arguments.format)?;
    let own = Opened::open(&folder, game)?;
    let other = arguments.against.as_deref().map(|folder| Opened::open(folder, game));
    let other = other.transpose()?;
    let (tablebase, against) = (&own.tablebase, other.as_ref().map(|other| &other.tablebase));
    if let Some(other) = against
        && tablebase.has_draws()
        && other.has_draws()
        && tablebase.draw_order().favourable() != other.draw_order().favourable()
    {
        let why = "the folders rank the sectors differently (--order of millstone db draws)";
        reporter.complain(format_args!("where draws come to rest is not compared: {why}"));
    }
    let lacks_values = |&sector: &Sector| tablebase.file(sector).is_none_or(SectorFile::is_quiet);
    let is_compact = arguments.folder.is_compact(tablebase);
    let can_tell = other.is_some() || !is_compact || !game.sectors().iter().any(lacks_values);
    let how = "cannot be checked by its moves; compare it with a whole one: --against";
    ensure(can_tell, format!("a compact tablebase {how}"))?;
    let (files, damaged) = arguments.files(&own, other.as_ref());
    let opened = [Some(&own), other.as_ref()].into_iter().flatten();
    let foreign = opened.flat_map(|opened| &opened.unusable).filter(|sector| sector.is_none());
    let unusable = damaged + foreign.count();
    let both = if other.is_some() { " in both folders" } else { "" };
    let is_any = !files.is_empty() || unusable > 0;
    ensure(is_any, format!("no sector with this number of men{both}"))?;
    reporter.bar.set_length(files.iter().map(|file| arguments.positions(file.sector())).sum());
    let passed = arguments.verify(tablebase, against, &files, &reporter);
    let all = files.len() + unusable;
    let failed = all - passed?;
    ensure(failed == 0, format!("{failed} of {all} sectors not verified"))?;
    reporter.end()
}

/// The tablebase of a folder and its unusable files.
struct Opened {
    tablebase: Tablebase,
    /// The sector of each unusable file, if it has the name of one.
    unusable: Vec<Option<Sector>>,
}

impl Opened {
    /// Opens a folder and reports the unusable files.
    fn open(folder: &Path, game: Solvable) -> Result<Self, FileError> {
        let (sectors, mut unusable) = (game.sectors(), Vec::new());
        let opened = Tablebase::open(folder, game, &mut |error| {
            unusable.push(sectors.iter().copied().find(|&sector| is_of(error.path(), sector)));
            complain(error);
        });
        let tablebase = opened.or_else(|error| {
            if unusable.is_empty() { Err(error) } else { Ok(Tablebase::empty(game)) }
        })?;
        Ok(Self { tablebase, unusable })
    }

    /// Whether a sector has an unusable file.
    fn has_damage(&self, sector: Sector) -> bool {
        self.unusable.contains(&Some(sector))
    }
}

/// Whether a file is that of a sector by its name, our own or one of Malom.
fn is_of(path: &Path, sector: Sector) -> bool {
    let ([own, opponent], [own_hand, hand]) = ([sector.own(), sector.opponent()], sector.hands());
    let ending = format!("_{own}_{opponent}_{own_hand}_{hand}.sec2");
    path.file_stem() == Some(sector.to_string().as_ref()) || file_name(path).ends_with(&ending)
}

impl Arguments {
    /// The files to verify: all in range or, when comparing, those whose sectors the other tablebase has too. Sectors
    /// with the same successors are adjacent. Also returns how many sectors cannot be verified for damage of a file.
    fn files<'a>(&self, own: &'a Opened, other: Option<&Opened>) -> (Vec<&'a SectorFile>, usize) {
        let (mut files, mut damaged) = (Vec::new(), 0);
        let men = usize::from(self.min_men)..=usize::from(self.max_men);
        let sectors = own.tablebase.game().sectors().into_iter();
        for sector in sectors.filter(|sector| men.contains(&sector.men_in_all())) {
            let file = own.tablebase.file(sector);
            let source = other.map(|other| other.tablebase.source(sector, false));
            // Another sector may have the values, as in a compact tablebase.
            let is_told = source.flatten().is_some_and(|source| is_of(source, sector));
            let other_has_damage = !is_told && other.is_some_and(|other| other.has_damage(sector));
            let is_here = file.is_some() || own.has_damage(sector);
            let is_elsewhere = source.is_none_or(|source| source.is_some() || other_has_damage);
            match file {
                Some(file) if is_elsewhere && !other_has_damage => files.push(file),
                _ => damaged += usize::from(is_elsewhere && is_here),
            }
        }
        files.sort_by_key(|file| {
            let sector = file.sector();
            let fewer = sector.own().min(sector.opponent());
            (sector.men_in_hand(), sector.men(), fewer, sector.hands(), sector)
        });
        (files, damaged)
    }

    /// The number of positions to check in a sector.
    fn positions(&self, sector: Sector) -> u64 {
        self.sample.unwrap_or(u64::MAX).min(sector.len() as u64)
    }

    /// Verifies the sectors one by one. Returns the number of sectors without errors.
    fn verify(
        &self,
        own: &Tablebase,
        other: Option<&Tablebase>,
        files: &[&SectorFile],
        reporter: &Reporter,
    ) -> Result<usize, VerifyError> {
        let sample = self.sample.map(|positions| Sample { positions, seed: self.seed });
        let mut verifier = Verifier::new(own, reporter);
        let (mut passed, mut done) = (0, 0);
        for file in files {
            let sector = file.sector();
            reporter.bar.set_message(sector.to_string());
            let begin = Instant::now();
            let result = match other {
                Some(other) => verifier.compare(other, sector, sample),
                None => verifier.verify(sector, sample),
            };
            match result {
                Ok(found) => {
                    let source = other.and_then(|it| it.source(sector, found.has_distances));
                    let against = source.map(file_name);
                    let (json, text) = line(sector, found, against.as_deref(), begin.elapsed());
                    reporter.report(&json, text);
                    passed += 1;
                }
                Err(error @ VerifyError::Stopped(_)) => return Err(error),
                Err(error) => reporter.complain(error),
            }
            done += self.positions(sector);
            reporter.bar.set_position(done);
        }
        Ok(passed)
    }
}

/// The line about a verified sector, as JSON and as text.
///
/// * `against`: the file that the sector was compared with.
fn line(sector: Sector, found: Verified, against: Option<&str>, time: Duration) -> (Value, String) {
    let Verified { positions, has_distances, has_draws, .. } = found;
    let of = sector.len();
    let mut json = json!({
        "sector": sector.to_string(),
        "positions": positions,
        "of": of,
        "has_distances": has_distances,
        "has_draws": has_draws,
    });
    if let Some(file) = against {
        json["against"] = json!(file);
    }
    json["seconds"] = json!(time.as_secs_f64());
    let how = against.map(|file| format!(" against {file}")).unwrap_or_default();
    let distances = if has_distances { "" } else { " without distances" };
    let draws = if has_draws { ", draws too" } else { "" };
    let what = format!("{sector}: {positions} of {of} positions verified");
    (json, format!("{what}{how}{distances}{draws} ({} s)", time.as_secs()))
}
