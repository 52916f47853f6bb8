//! The jobs of a build, and what they need.

use std::time::Duration;

use super::sector::Sector;
use super::solvable::Solvable;
use super::solve;

/// The sectors that a build has to solve.
#[derive(Clone, Debug)]
pub struct JobList {
    /// The game.
    pub game: Solvable,
    /// The sectors of each job, in the order in which they are solved: a sector and that of the replies,
    /// if it is another.
    pub jobs: Vec<Vec<Sector>>,
    /// Whether distances are kept too.
    pub has_distances: bool,
}

/// The positions that one thread solves in a second, as measured over all sectors of the moving phase ...
const POSITIONS_PER_SECOND: f64 = 8.1e6;

/// ... and over those of the placing phase.
const PLACING_POSITIONS_PER_SECOND: f64 = 11.5e6;

/// Those where no kernel fits the rules.
const OTHER_POSITIONS_PER_SECOND: f64 = 1.4e6;

/// The bytes that win, draw or loss of a position take, as measured over all sectors.
const BYTES_OF_WDL: f64 = 0.088;

/// The bytes that the distance of a position takes, as measured over all sectors.
const BYTES_PER_DISTANCE: f64 = 0.325;

impl JobList {
    /// The positions to solve, symmetric ones included.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.jobs.iter().flatten().map(|sector| sector.len() as u64).sum()
    }

    /// The estimated size of the files in bytes.
    #[must_use]
    pub fn disk(&self) -> u64 {
        self.jobs.iter().map(|job| self.disk_of(job)).sum()
    }

    /// The estimated size of the files of one job in bytes.
    pub(super) fn disk_of(&self, job: &[Sector]) -> u64 {
        let bytes = job.iter().map(|sector| {
            let has_distance = self.has_distances && self.game.keeps_distances(*sector);
            let per_distance = if has_distance { BYTES_PER_DISTANCE } else { 0.0 };
            sector.len() as f64 * (BYTES_OF_WDL + per_distance)
        });
        bytes.sum::<f64>() as u64
    }

    /// The sector that needs most memory, and that memory in bytes.
    #[must_use]
    pub fn memory(&self) -> Option<(Sector, u64)> {
        let needs = self.jobs.iter().map(|job| (job[0], solve::memory(&self.game, job[0])));
        needs.max_by_key(|(_, bytes)| *bytes)
    }

    /// The estimated time of the build.
    #[must_use]
    pub fn time(&self, threads: usize) -> Duration {
        let seconds = self.jobs.iter().flatten().map(|sector| {
            let speed = if !solve::has_kernel(&self.game, *sector) {
                OTHER_POSITIONS_PER_SECOND
            } else if sector.is_placing() {
                PLACING_POSITIONS_PER_SECOND
            } else {
                POSITIONS_PER_SECOND
            };
            sector.len() as f64 / speed
        });
        Duration::from_secs_f64(seconds.sum::<f64>() / threads as f64)
    }
}
