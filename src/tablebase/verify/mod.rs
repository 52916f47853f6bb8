//! Verifying sector files by the plain rules of the game.
//!
//! Each position is set up on the board and each of its moves is played. The stored value has to be
//! the one that follows from the values stored for the positions after the moves. None of the code
//! that solves is used.
//!
//! If every position passes, all distances are right, by induction. Assume that the distances below
//! `n` are stored for exactly the positions that have them. A position stored with distance `n` has
//! moves to positions with lower stored distances from which `n` follows, so `n` is its distance. A
//! position whose distance is `n` has such moves as well, to positions whose lower distances are
//! stored, so `n` follows for it and has to be stored. All other positions are draws, and stored as
//! such.
//!
//! Without distances less is proved: wrong wins and losses that lead to each other in a circle would
//! confirm each other.
//!
//! [`Verifier::compare`] looks at the files of another program instead.

mod check;

pub use check::Sample;

use std::path::Path;

use thiserror::Error;

use super::file::{FileError, SectorFile};
use super::folder::Tablebase;
use super::sector::{Men, Sector, from_start};
use super::solve::{SolveObserver, Stopped};
use super::value::{Solved, Wdl};
use crate::position::Position;
use check::{Check, differs, words};

/// Why a sector is not verified, in one line; each names the sector first.
#[derive(Debug, Error)]
pub enum VerifyError {
    /// The file of another sector that it takes is not there or cannot be used.
    #[error("{0}: cannot be verified without sector {1}")]
    Missing(Sector, Sector),
    /// A file that it takes is damaged.
    #[error("{0}: {1}")]
    File(Sector, FileError),
    /// The file says something else than follows, or than another file says: in words.
    #[error("{0}: {1}")]
    Wrong(Sector, String),
    /// The observer stopped it.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// What a check of a sector gives, or what is wrong with it.
type Result<T> = std::result::Result<T, VerifyError>;

/// Verifies sectors one after the other.
pub struct Verifier<'a> {
    tablebase: &'a Tablebase,
    observer: &'a dyn SolveObserver,
    /// The sectors in memory: those that the last one needed, and that one.
    loaded: Vec<Solved>,
}

/// What was verified in a sector without errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verified {
    /// The positions that were checked, symmetric ones included.
    pub positions: u64,
    /// Whether their distances were checked too, and not only wins, draws and losses.
    pub has_distances: bool,
    /// Whether it was checked too where draws come to rest.
    pub has_draws: bool,
}

impl<'a> Verifier<'a> {
    /// A verifier of a tablebase.
    pub fn new(tablebase: &'a Tablebase, observer: &'a dyn SolveObserver) -> Self {
        Self { tablebase, observer, loaded: Vec::new() }
    }

    /// Verifies the checksums of a sector file and the values of a sample of its positions, or of all.
    /// If it is all, they are also counted and compared with the statistics of the file.
    ///
    /// # Errors
    ///
    /// The first thing that is wrong, a needed sector that is missing, or that the observer stopped it.
    pub fn verify(&mut self, sector: Sector, sample: Option<Sample>) -> Result<Verified> {
        let file = self.good_file(sector, sector)?;
        let has_distances = self.load(sector)?;
        let verified = from_start!(self.tablebase.game(), |start| {
            Check { verifier: self, sector, start: *start, has_distances }.run(file, sample)
        });
        if !has_distances {
            // The next sector may need them.
            self.loaded.clear();
        }
        verified
    }

    /// Loads the sectors that verifying a sector needs. Returns whether all of them have distances.
    fn load(&mut self, sector: Sector) -> Result<bool> {
        let game = self.tablebase.game();
        let next = game.leads_to(sector);
        for &other in &next {
            self.good_file(sector, other)?;
        }
        // While men are only placed, a sector without distances reads little of many others.
        let only_places = sector.is_placing() && !game.rules().may_move_in_placing;
        let is_read = !only_places || self.file(sector, sector)?.has_distances();
        let needed: Vec<Sector> =
            [sector].into_iter().chain(next.into_iter().filter(|_| is_read)).collect();
        // Free what is not needed before more is loaded.
        self.loaded.retain(|solved| needed.contains(&solved.sector));
        let has_distances =
            |&sector: &Sector| self.tablebase.file(sector).is_some_and(SectorFile::has_distances);
        let has_distances = needed.iter().all(has_distances);
        for other in needed {
            let file = self.file(sector, other)?;
            if self.loaded.iter().all(|solved| solved.sector != other) {
                let solved = if has_distances {
                    self.tablebase.load(file, &self.loaded)
                } else {
                    file.load()
                };
                let solved = solved.map_err(|error| VerifyError::File(sector, error))?;
                self.loaded.push(solved);
            }
        }
        Ok(has_distances)
    }

    /// The file of a sector that verifying another one needs.
    fn file(&self, sector: Sector, needed: Sector) -> Result<&'a SectorFile> {
        self.tablebase.file(needed).ok_or(VerifyError::Missing(sector, needed))
    }

    /// The same, all of which has been checked.
    fn good_file(&self, sector: Sector, needed: Sector) -> Result<&'a SectorFile> {
        let file = self.file(sector, needed)?;
        file.check().map_err(|error| VerifyError::File(sector, error))?;
        Ok(file)
    }

    /// Compares the values of a sample of the positions of a sector, or of all, with those of another tablebase of
    /// the game, which may be one of files of Malom. Distances are compared if both have them, and where draws come to
    /// rest if both know that and prefer the same sectors.
    ///
    /// # Errors
    ///
    /// The first position that has two values, a sector that is missing, a file that is damaged, or that the
    /// observer stopped it.
    pub fn compare(
        &self,
        other: &Tablebase,
        sector: Sector,
        sample: Option<Sample>,
    ) -> Result<Verified> {
        let (tablebase, file) = (self.tablebase, self.file(sector, sector)?);
        let missing = || VerifyError::Missing(sector, sector);
        let has_distances = file.has_distances() && other.source(sector, true).is_some();
        let source = other.source(sector, has_distances).ok_or_else(missing)?;
        let prefers_same = tablebase.draw_order().favourable() == other.draw_order().favourable();
        let [own, draws] = [tablebase, other].map(|of| of.draw_source(sector));
        let draws = draws.filter(|_| prefers_same && own.is_some());
        let sample = Sample::within(sector, sample);
        let start = Position::start(*other.game().rules());
        let differs = |[own, opponent]: Men, words, source: &Path| {
            differs(sector, sector.set_up(&start, own, opponent), words, source.display())
        };
        let compare = |solved: &Option<Solved>, index: usize, men: Men| {
            let stored = match solved {
                Some(solved) => Some(solved.values()[index]),
                None => tablebase.read(sector, men, has_distances),
            };
            let found = other.read(sector, men, has_distances);
            let (stored, found) = stored.zip(found).ok_or_else(missing)?;
            if stored != found && (has_distances || Wdl::from(stored) != Wdl::from(found)) {
                return Err(differs(men, words([stored, found], has_distances), source));
            }
            let Some(source) = draws.filter(|_| Wdl::from(stored) == Wdl::Draw) else {
                return Ok(());
            };
            let draws = [tablebase, other].map(|of| of.draw_value(sector, men[0], men[1]));
            let [Some(stored), Some(found)] = draws else { return Err(missing()) };
            let turns = stored.turns.zip(found.turns);
            if stored.rest == found.rest && turns.is_none_or(|(stored, found)| stored == found) {
                return Ok(());
            }
            Err(differs(men, [stored, found].map(|value| value.to_string()), source))
        };
        let compared = self.whole(file, sample, has_distances).and_then(|solved| {
            sample.visit(sector, self.observer, |index, men| compare(&solved, index, men))
        });
        // The damage for which a value was missing.
        let damage = || tablebase.take_damage().pop().or_else(|| other.take_damage().pop());
        compared.map_err(|error| match (error, damage()) {
            (VerifyError::Missing(sector, _), Some(error)) => VerifyError::File(sector, error),
            (error, _) => error,
        })?;
        Ok(Verified { positions: sample.positions, has_distances, has_draws: draws.is_some() })
    }

    /// All values of a sector if all are compared, unless its file is quiet.
    fn whole(
        &self,
        file: &SectorFile,
        sample: Sample,
        has_distances: bool,
    ) -> Result<Option<Solved>> {
        let sector = file.sector();
        let solved = match sample.positions == sector.len() as u64 {
            true if has_distances => Some(self.tablebase.load(file, &[])),
            true if !file.is_quiet() => Some(file.load()),
            _ => None,
        };
        solved.transpose().map_err(|error| VerifyError::File(sector, error))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use tempfile::TempDir;

    use super::*;
    use crate::rules::Identity;
    use crate::tablebase::build::{Build, Scope};
    use crate::tablebase::file::{self, Kept};
    use crate::tablebase::folder::sector_path;
    use crate::tablebase::jobs::Distances;
    use crate::tablebase::sector::Solvable;
    use crate::tablebase::solve::Unobserved;
    use crate::tablebase::value::{Statistics, Value};

    const GAME: Solvable = Solvable::STANDARD;

    fn identity() -> Identity {
        GAME.rules().identity()
    }

    fn sector(own: usize, opponent: usize) -> Sector {
        Sector::new(own, opponent).unwrap()
    }

    fn build(most_men: usize, distances: Distances) -> TempDir {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().to_owned();
        let build = Build {
            game: GAME,
            folder: path,
            scope: Scope::UpTo { men: most_men, in_hand: 0 },
            distances,
            most_memory: None,
        };
        build.run(&Unobserved).unwrap();
        folder
    }

    /// Verifies a sector of a folder, all of it or `sample` positions.
    fn verify(folder: &Path, sector: Sector, sample: Option<u64>) -> Result<Verified> {
        let report = &mut |error| panic!("{error}");
        let tablebase = Tablebase::open(folder, GAME, report).unwrap();
        let sample = sample.map(|positions| Sample { positions, seed: 1 });
        Verifier::new(&tablebase, &Unobserved).verify(sector, sample)
    }

    /// Writes the sector of three men each anew, after a change of its values.
    fn rewrite(folder: &Path, has_distances: bool, change: impl FnOnce(&mut [Value])) {
        let path = sector_path(folder, sector(3, 3));
        let solved = SectorFile::open(&path, sector(3, 3), identity()).unwrap().load().unwrap();
        let mut values = solved.values().to_vec();
        change(&mut values);
        let solved = Solved::from_values(sector(3, 3), values);
        let kept = if has_distances { Kept::Distances } else { Kept::Wdl };
        file::write(&path, &solved, identity(), kept).unwrap();
    }

    #[test]
    fn right_sectors_pass_and_wait_for_their_smaller_ones() {
        let folder = build(7, Distances::Moving);
        let all = sector(3, 3).len() as u64;
        for (own, opponent, sample, positions) in
            [(3, 3, None, all), (3, 3, Some(all + 1), all), (3, 4, Some(9_999), 9_999)]
        {
            let verified = verify(folder.path(), sector(own, opponent), sample).unwrap();
            assert_eq!(verified, Verified { positions, has_distances: true, has_draws: false });
        }
        fs::remove_file(sector_path(folder.path(), sector(3, 3))).unwrap();
        assert!(verify(folder.path(), sector(4, 3), Some(9_999)).is_ok(), "it has no need of 3-3");
        let error = verify(folder.path(), sector(3, 4), Some(9_999)).unwrap_err();
        assert_eq!(error.to_string(), "3-4: cannot be verified without sector 3-3");
    }

    #[test]
    fn a_wrong_distance_is_found() {
        let folder = build(6, Distances::Moving);
        for (from, to) in [(3, 5), (4, 2)] {
            let [from, to] = [from, to].map(Value::ends_in);
            let mut changed = 0;
            rewrite(folder.path(), true, |values| {
                changed = values.iter().position(|&value| value == from).unwrap();
                values[changed] = to;
            });
            let error = verify(folder.path(), sector(3, 3), None).unwrap_err();
            assert!(
                matches!(&error, VerifyError::Wrong(_, words) if of_file(words).contains(" in ")),
                "{error}"
            );
            rewrite(folder.path(), true, |values| values[changed] = from);
        }
    }

    /// What is wrong in a file.
    fn of_file(words: &str) -> &str {
        words.split(" by the file").next().unwrap_or_default()
    }

    #[test]
    fn a_wrong_value_is_found_without_distances() {
        let folder = build(6, Distances::None);
        let verified = verify(folder.path(), sector(3, 3), None).unwrap();
        assert!(!verified.has_distances);
        rewrite(folder.path(), false, |values| {
            let drawn = values.iter().position(|&value| value == Value::DRAW).unwrap();
            values[drawn] = Value::LOST;
        });
        let error = verify(folder.path(), sector(3, 3), None).unwrap_err();
        assert!(
            matches!(&error, VerifyError::Wrong(_, words) if !of_file(words).contains(" in ")),
            "{error}"
        );
    }

    #[test]
    fn damage_is_found_in_a_sample_too() {
        let folder = build(6, Distances::Moving);
        let path = sector_path(folder.path(), sector(3, 3));
        let mut bytes = fs::read(&path).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        fs::write(&path, bytes).unwrap();
        let error = verify(folder.path(), sector(3, 3), Some(1)).unwrap_err();
        assert!(
            matches!(&error, VerifyError::File(_, error) if error.may_be_set_aside()),
            "{error}"
        );
    }

    #[test]
    fn wrong_counts_are_found() {
        let folder = build(6, Distances::Moving);
        let path = sector_path(folder.path(), sector(3, 3));
        let file = SectorFile::open(&path, sector(3, 3), identity()).unwrap();
        let counts = *file.statistics();
        assert!(check::compare(&file, counts).is_ok());
        let counts = Statistics { wins: counts.wins - 1, losses: counts.losses + 1, ..counts };
        let error = check::compare(&file, counts).unwrap_err();
        assert!(error.to_string().contains("counted"), "{error}");
    }
}
