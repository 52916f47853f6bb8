//! Comparing the values of a sector with those that another tablebase has of it.

use std::path::Path;

use super::check::{Sample, differs, words};
use super::{Result, Verified, Verifier, VerifyError};
use crate::position::Position;
use crate::rules::RuleSet;
use crate::tablebase::file::{FileError, SectorFile};
use crate::tablebase::folder::Tablebase;
use crate::tablebase::sector::{Men, Sector};
use crate::tablebase::value::{Value, Wdl};

/// A sector of a tablebase, and another tablebase of the game, which may be one of files of Malom.
struct Comparison<'a> {
    verifier: &'a Verifier<'a>,
    sector: Sector,
    other: &'a Tablebase,
    /// The file of the other tablebase.
    source: &'a Path,
    /// Whether both have distances.
    has_distances: bool,
    /// The file of the other tablebase that says where draws come to rest, if both know that and prefer the same
    /// sectors.
    draws: Option<&'a Path>,
}

impl Verifier<'_> {
    /// Compares the values of a sample of the positions of a sector, or of all, with those of another tablebase of
    /// the game, which may be one of files of Malom. Distances are compared if both have them.
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
        let has_distances = file.has_distances() && other.source(sector, true).is_some();
        let source = other.source(sector, has_distances);
        let source = source.ok_or(VerifyError::Missing(sector, sector))?;
        let prefers_same = tablebase.draw_order().favourable() == other.draw_order().favourable();
        let [own, draws] = [tablebase, other].map(|of| of.draw_source(sector));
        let draws = draws.filter(|_| prefers_same && own.is_some());
        let comparison = Comparison { verifier: self, sector, other, source, has_distances, draws };
        let sample = Sample::within(sector, sample);
        let compared = comparison.compare_some(file, sample);
        compared.map_err(|error| match (error, comparison.take_damage()) {
            (VerifyError::Missing(sector, _), Some(error)) => VerifyError::File(sector, error),
            (error, _) => error,
        })?;
        Ok(Verified { positions: sample.positions, has_distances, has_draws: draws.is_some() })
    }
}

impl Comparison<'_> {
    /// The damage for which a value was missing.
    fn take_damage(&self) -> Option<FileError> {
        self.verifier.tablebase.take_damage().pop().or_else(|| self.other.take_damage().pop())
    }

    /// Compares a sample, or all positions, whose values are read at once unless the file is quiet.
    fn compare_some(&self, file: &SectorFile, sample: Sample) -> Result<()> {
        let (sector, tablebase) = (self.sector, self.verifier.tablebase);
        let solved = match sample.positions == sector.len() as u64 {
            true if self.has_distances => Some(tablebase.load(file, &[])),
            true if !file.is_quiet() => Some(file.load()),
            _ => None,
        };
        let solved = solved.transpose().map_err(|error| VerifyError::File(sector, error))?;
        sample.visit(sector, self.verifier.observer, |index, men| {
            let stored = match &solved {
                Some(solved) => Some(solved.values()[index]),
                None => tablebase.read(sector, men, self.has_distances),
            };
            self.compare(stored, men)
        })
    }

    /// Compares the value of a position, if it is known, with that of the other tablebase.
    fn compare(&self, stored: Option<Value>, men: Men) -> Result<()> {
        let (sector, has_distances) = (self.sector, self.has_distances);
        let other = self.other.read(sector, men, has_distances);
        let missing = VerifyError::Missing(sector, sector);
        let (stored, other) = stored.zip(other).ok_or(missing)?;
        if stored == other || !has_distances && Wdl::from(stored) == Wdl::from(other) {
            return match (Wdl::from(stored), self.draws) {
                (Wdl::Draw, Some(source)) => self.compare_draws(source, men),
                _ => Ok(()),
            };
        }
        let words = words([stored, other], has_distances);
        Err(differs(sector, self.position(men), words, self.source.display()))
    }

    /// Compares where a drawn position comes to rest, and after how many turns if both know that.
    fn compare_draws(&self, source: &Path, men: Men) -> Result<()> {
        let (sector, [own, opponent]) = (self.sector, men);
        let [stored, other] =
            [self.verifier.tablebase, self.other].map(|of| of.draw_value(sector, own, opponent));
        let missing = VerifyError::Missing(sector, sector);
        let (stored, other) = stored.zip(other).ok_or(missing)?;
        let turns = stored.turns.zip(other.turns);
        if stored.rest == other.rest && turns.is_none_or(|(stored, other)| stored == other) {
            return Ok(());
        }
        let words = [stored, other].map(|value| value.to_string());
        Err(differs(sector, self.position(men), words, source.display()))
    }

    /// The position with these men.
    fn position(&self, [own, opponent]: Men) -> Position<RuleSet> {
        let start = Position::start(*self.other.game().rules());
        self.sector.set_up(&start, own, opponent)
    }
}
