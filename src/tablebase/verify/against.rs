//! Comparing the values of a sector with those that another tablebase has of it.

use std::path::Path;

use super::check::{Sample, differs, words};
use super::{Result, Verified, VerifyError};
use crate::position::Position;
use crate::rules::RuleSet;
use crate::tablebase::file::{FileError, SectorFile};
use crate::tablebase::folder::Tablebase;
use crate::tablebase::observer::SolveObserver;
use crate::tablebase::sector::{Men, Sector};
use crate::tablebase::source::{Column, Source};
use crate::tablebase::value::{Value, Wdl};

/// A sector file of a tablebase, and another tablebase of the game, which may be one of files of Malom.
pub struct Comparison<'a> {
    tablebase: &'a Tablebase,
    file: &'a SectorFile,
    other: &'a Tablebase,
    /// The file of the other tablebase.
    source: &'a Path,
    /// Whether both have distances.
    has_distances: bool,
    /// The file of the other tablebase that says where draws come to rest, if both know that and prefer the same
    /// sectors.
    draws: Option<&'a Path>,
}

impl<'a> Comparison<'a> {
    /// A comparison of a file of a tablebase with another tablebase, if that one has the sector.
    #[must_use]
    pub fn new(
        tablebase: &'a Tablebase,
        file: &'a SectorFile,
        other: &'a Tablebase,
    ) -> Option<Self> {
        let sector = file.sector();
        let source = |has_distances| other.source(sector, has_distances);
        let with_distances = source(true).filter(|_| file.has_distances());
        let has_distances = with_distances.is_some();
        let source = with_distances.or_else(|| source(false))?;
        let prefers_same = tablebase.draw_order().favourable() == other.draw_order().favourable();
        let [own, draws] = [tablebase, other].map(|of| of.source_of(sector, Column::Draws));
        let draws = draws.filter(|_| prefers_same && own.is_some()).map(Source::path);
        Some(Self { tablebase, file, other, source, has_distances, draws })
    }

    /// The sector.
    #[must_use]
    pub fn sector(&self) -> Sector {
        self.file.sector()
    }

    /// The file of the other tablebase.
    #[must_use]
    pub fn source(&self) -> &'a Path {
        self.source
    }

    /// Compares a sample of the positions, or all.
    ///
    /// # Errors
    ///
    /// The first position that has two values, or a file that is damaged, or that the observer stopped
    /// it.
    pub fn run(&self, sample: Option<Sample>, observer: &dyn SolveObserver) -> Result<Verified> {
        let len = self.sector().len() as u64;
        let sample = sample.filter(|sample| sample.positions < len);
        let compared = self.compare_some(sample, observer);
        compared.map_err(|error| match (error, self.take_damage()) {
            (VerifyError::Missing(sector, _), Some(error)) => VerifyError::File(sector, error),
            (error, _) => error,
        })?;
        let positions = sample.map_or(len, |sample| sample.positions);
        Ok(Verified {
            positions,
            has_distances: self.has_distances,
            has_draws: self.draws.is_some(),
        })
    }

    /// The damage for which a value was missing.
    fn take_damage(&self) -> Option<FileError> {
        self.tablebase.take_damage().pop().or_else(|| self.other.take_damage().pop())
    }

    /// Compares a sample, or all positions, whose values are read at once unless the file is quiet.
    fn compare_some(&self, sample: Option<Sample>, observer: &dyn SolveObserver) -> Result<()> {
        let sector = self.sector();
        let solved = match sample {
            None if self.has_distances => Some(self.tablebase.load(self.file, &[])),
            None if !self.file.is_quiet() => Some(self.file.load()),
            _ => None,
        };
        let solved = solved.transpose().map_err(|error| VerifyError::File(sector, error))?;
        sample.unwrap_or(Sample::ALL).visit(sector, observer, |index, men| {
            let stored = match &solved {
                Some(solved) => Some(solved.values()[index]),
                None => self.read(self.tablebase, men),
            };
            self.compare(stored, men)
        })
    }

    /// The value of a position by one of the tablebases, with or without its distance.
    fn read(&self, of: &Tablebase, [own, opponent]: Men) -> Option<Value> {
        if self.has_distances {
            of.value(self.sector(), own, opponent)
        } else {
            of.wdl(self.sector(), own, opponent).map(Value::without_distance)
        }
    }

    /// Compares the value of a position, if it is known, with that of the other tablebase.
    fn compare(&self, stored: Option<Value>, men: Men) -> Result<()> {
        let (sector, has_distances) = (self.sector(), self.has_distances);
        let other = self.read(self.other, men);
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
        let (sector, [own, opponent]) = (self.sector(), men);
        let [stored, other] =
            [self.tablebase, self.other].map(|of| of.draw_value(sector, own, opponent));
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
        self.sector().set_up(&start, own, opponent)
    }
}
