//! What a build has to do, and what it needs.

use std::io;
use std::path::Path;
use std::time::Duration;

use super::{Build, BuildError, Follower};
use crate::tablebase::file::SectorFile;
use crate::tablebase::sector::Sector;
use crate::tablebase::solve;
use crate::tablebase::wdl;

/// The pairs of sectors to solve, in order.
#[derive(Clone, Debug)]
pub struct Plan {
    /// A sector and the one that it replies to, which may be the same.
    pub pairs: Vec<Vec<Sector>>,
    has_distances: bool,
}

/// The positions that one thread solves in a second, as measured over all sectors.
const POSITIONS_PER_SECOND: f64 = 8.1e6;

/// The bytes that the distance of a position takes, as measured over all sectors.
const BYTES_PER_DISTANCE: f64 = 0.325;

impl Plan {
    /// The positions to solve.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.pairs.iter().flatten().map(|sector| sector.len() as u64).sum()
    }

    /// About how many bytes the files will take.
    #[must_use]
    pub fn disk(&self) -> u64 {
        self.pairs.iter().map(|pair| self.disk_of(pair)).sum()
    }

    pub(super) fn disk_of(&self, pair: &[Sector]) -> u64 {
        let positions: usize = pair.iter().map(|sector| sector.len()).sum();
        let per_distance = if self.has_distances { BYTES_PER_DISTANCE } else { 0.0 };
        (positions as f64 * (1.0 / wdl::PER_BYTE as f64 + per_distance)) as u64
    }

    /// The sector that needs most memory, and the bytes.
    #[must_use]
    pub fn memory(&self) -> Option<(Sector, u64)> {
        let needs = self.pairs.iter().map(|pair| (pair[0], solve::memory(pair[0])));
        needs.max_by_key(|(_, bytes)| *bytes)
    }

    /// About how long it will take.
    #[must_use]
    pub fn time(&self, threads: usize) -> Duration {
        Duration::from_secs_f64(self.positions() as f64 / POSITIONS_PER_SECOND / threads as f64)
    }
}

impl Build {
    /// What is missing in the folder; files that cannot be used are set aside.
    pub(super) fn plan(&self, follower: &dyn Follower) -> Result<Plan, BuildError> {
        let mut pairs = Vec::new();
        let all = Sector::all().filter(|sector| sector.own() <= sector.opponent());
        for sector in all.filter(|sector| sector.men() <= self.most_men) {
            let pair = sector.pair();
            let mut is_there = true;
            for &sector in &pair {
                if follower.should_stop() {
                    return Err(BuildError::Stopped);
                }
                is_there &= self.is_there(sector, follower)?;
            }
            if !is_there {
                pairs.push(pair);
            }
        }
        Ok(Plan { pairs, has_distances: self.has_distances })
    }

    fn is_there(&self, sector: Sector, follower: &dyn Follower) -> Result<bool, BuildError> {
        let checked = self.find(sector).and_then(|file| {
            file.as_ref().map_or(Ok(()), SectorFile::check)?;
            Ok(file.is_some())
        });
        match checked {
            Ok(is_there) => Ok(is_there),
            Err(error) if !error.may_be_set_aside() => Err(error.into()),
            Err(error) => self.set_aside(&error, follower).map(|()| false),
        }
    }

    /// Checks that memory and disk suffice.
    pub(super) fn check(&self, plan: &Plan) -> Result<(), BuildError> {
        if let (Some(allowed), Some((sector, needed))) = (self.most_memory, plan.memory())
            && needed > allowed
        {
            return Err(BuildError::Memory { sector, needed, allowed });
        }
        self.check_disk(plan.disk())
    }

    pub(super) fn check_disk(&self, needed: u64) -> Result<(), BuildError> {
        match free_space(&self.folder).map_err(|error| self.io(error))? {
            Some(free) if free < needed => {
                Err(BuildError::Disk { folder: self.folder.clone(), needed, free })
            }
            _ => Ok(()),
        }
    }
}

/// The bytes that the disk of a folder has left for the user, where the system tells.
#[cfg(unix)]
fn free_space(folder: &Path) -> io::Result<Option<u64>> {
    let disk = nix::sys::statvfs::statvfs(folder)?;
    Ok(Some(disk.blocks_available() as u64 * disk.fragment_size() as u64))
}

/// Elsewhere a disk that fills up ends the build when it does.
#[cfg(not(unix))]
fn free_space(_folder: &Path) -> io::Result<Option<u64>> {
    Ok(None)
}
