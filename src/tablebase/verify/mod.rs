//! Verifying the files of sectors by the plain rules of the game.
//!
//! Each position is set up on the board and each of its moves played; the stored value has to be
//! exactly what the best of the values stored for the positions after the moves makes it. Nothing
//! is taken from the code that solves.
//!
//! Where every position passes, this proves the distances, by induction. Let those below `n` be
//! stored rightly: for exactly the positions that have them. A position that is stored with `n`
//! plies has the moves that this takes, to positions stored with fewer, so that it has `n` plies
//! indeed. A position that has `n` plies has such moves too, and they lead to positions that are
//! stored rightly, so that `n` follows for it and has to be stored. All others have no end and are
//! stored as drawn.
//!
//! Without distances less is proved: wins and losses that lead to each other in a circle would
//! bear each other out.

mod check;
mod error;
mod successors;

#[cfg(test)]
mod tests;

pub use error::VerifyError;

use super::file::SectorFile;
use super::sector::Sector;
use super::solved::Solved;
use super::tables::Tablebase;
use super::watcher::Watcher;
use check::Check;
use successors::Successors;

/// Verifies sectors one after the other.
pub struct Verifier<'a> {
    tablebase: &'a Tablebase,
    watcher: &'a dyn Watcher,
    /// The values of the sectors that the last one needed.
    loaded: Vec<Solved>,
}

/// Some positions of a sector, spread evenly at random.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// How many; all if the sector has no more.
    pub positions: u64,
    /// Another number chooses other positions.
    pub seed: u64,
}

/// How a sector was found to be right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verified {
    /// The positions that were looked at; symmetric ones are looked at each.
    pub positions: u64,
    /// Whether the distances are right too, and not only the wins, draws and losses.
    pub has_distances: bool,
}

impl<'a> Verifier<'a> {
    /// A verifier of databases at hand. The watcher is told of each position once.
    #[must_use]
    pub fn new(tablebase: &'a Tablebase, watcher: &'a dyn Watcher) -> Self {
        Self { tablebase, watcher, loaded: Vec::new() }
    }

    /// Verifies the whole file of a sector and the values of a sample of its positions, or of all.
    ///
    /// If it is all, they are also counted and compared with what the file says of itself.
    ///
    /// # Errors
    ///
    /// The first thing found wrong, or what it takes that is not there; or the watcher said stop.
    pub fn verify(
        &mut self,
        sector: Sector,
        sample: Option<Sample>,
    ) -> Result<Verified, VerifyError> {
        let file = self.file(sector, sector)?;
        file.check().map_err(|error| VerifyError::File { sector, error })?;
        let has_distances = self.load(sector)?;
        let check = Check {
            stored: self.solved(sector),
            successors: Successors {
                reply: self.solved(sector.reply()),
                after_removal: sector.after_removal().map(|smaller| self.solved(smaller)),
            },
            has_distances,
            watcher: self.watcher,
        };
        let positions = match sample {
            Some(sample) if sample.positions < sector.len() as u64 => {
                check.some(sample)?;
                sample.positions
            }
            _ => {
                let counted = check.all()?;
                check::compare(file, counted)?;
                sector.len() as u64
            }
        };
        Ok(Verified { positions, has_distances })
    }

    /// Loads what it takes to verify a sector; whether all of it has distances.
    fn load(&mut self, sector: Sector) -> Result<bool, VerifyError> {
        let needed = [Some(sector), Some(sector.reply()), sector.after_removal()];
        // What is not needed makes room before more is loaded.
        self.loaded.retain(|solved| needed.contains(&Some(solved.sector)));
        let mut has_distances = true;
        for other in needed.into_iter().flatten() {
            let file = self.file(sector, other)?;
            has_distances &= file.has_distances();
            if self.loaded.iter().all(|solved| solved.sector != other) {
                let solved = file.load().map_err(|error| VerifyError::File { sector, error })?;
                self.loaded.push(solved);
            }
        }
        Ok(has_distances)
    }

    /// The file of a sector that it takes to verify one.
    fn file(&self, sector: Sector, needed: Sector) -> Result<&'a SectorFile, VerifyError> {
        self.tablebase.file(needed).ok_or(VerifyError::Missing { sector, needed })
    }

    fn solved(&self, sector: Sector) -> &Solved {
        let mut loaded = self.loaded.iter();
        loaded.find(|solved| solved.sector == sector).expect("needed sectors are loaded first")
    }
}
