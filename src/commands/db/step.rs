//! The steps of a build, as people and as programs read them.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use indicatif::{DecimalBytes, HumanDuration};
use millstone::tablebase::{Plan, SectorFile, Statistics};
use serde::Serialize;

/// What has happened, or is about to.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// All sectors are there.
    NothingMissing { folder: PathBuf },
    /// Sectors are missing, and solving them needs so much.
    Plan {
        folder: PathBuf,
        sectors: usize,
        positions: u64,
        disk_bytes: u64,
        memory_bytes: u64,
        seconds: f64,
        threads: usize,
    },
    /// A file that was of no use has another name now.
    SetAside { error: String, name: PathBuf },
    /// Sectors are being solved; how long all that is left takes, if that can be told.
    Solving { sectors: Vec<String>, seconds_left: Option<f64> },
    /// A sector is solved.
    Solved {
        sector: String,
        won: u64,
        drawn: u64,
        lost: u64,
        longest: Option<u8>,
        bytes: usize,
        seconds: f64,
    },
}

impl Step {
    pub fn plan(folder: PathBuf, plan: &Plan, threads: usize) -> Self {
        let Some((_, memory_bytes)) = plan.memory() else {
            return Self::NothingMissing { folder };
        };
        Self::Plan {
            folder,
            sectors: plan.pairs.iter().flatten().count(),
            positions: plan.positions(),
            disk_bytes: plan.disk(),
            memory_bytes,
            seconds: plan.time(threads).as_secs_f64(),
            threads,
        }
    }

    pub fn solved(file: &SectorFile, time: Duration) -> Self {
        let statistics = file.statistics();
        let Statistics { wins, draws, losses, .. } = *statistics;
        Self::Solved {
            sector: file.sector().to_string(),
            won: wins,
            drawn: draws,
            lost: losses,
            longest: statistics.longest(),
            bytes: file.bytes(),
            seconds: time.as_secs_f64(),
        }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let human = |seconds: f64| HumanDuration(Duration::from_secs_f64(seconds));
        match self {
            Self::NothingMissing { folder } => {
                write!(f, "{}: nothing is missing", folder.display())
            }
            Self::Plan {
                folder,
                sectors,
                positions,
                disk_bytes,
                memory_bytes,
                seconds,
                threads,
            } => {
                let (folder, millions) = (folder.display(), *positions as f64 / 1e6);
                write!(
                    f,
                    "{folder}: sectors missing: {sectors}, with {millions:.1} million places"
                )?;
                writeln!(f, ", symmetric ones included")?;
                let [disk, memory] = [disk_bytes, memory_bytes].map(|bytes| DecimalBytes(*bytes));
                write!(f, "needs about {disk} of disk, {memory} of memory and ")?;
                write!(f, "{} with {threads} threads", human(*seconds))
            }
            Self::SetAside { error, name } => write!(f, "{error}; kept as {}", name.display()),
            Self::Solving { sectors, seconds_left } => {
                write!(f, "solving {}", sectors.join(" and "))?;
                seconds_left.map_or(Ok(()), |left| write!(f, ", about {} left", human(left)))
            }
            Self::Solved { sector, won, drawn, lost, longest, bytes, seconds } => {
                write!(f, "{sector}: {won} won, {drawn} drawn, {lost} lost")?;
                longest.map_or(Ok(()), |plies| write!(f, ", longest {plies} plies"))?;
                write!(f, ", {:.1} MB ({:.0} s)", *bytes as f64 / 1e6, seconds.trunc())
            }
        }
    }
}
