//! Comparing the values of a sector with those that another tablebase has of it.

use std::path::Path;

use super::check::{Sample, differs, words};
use super::{Result, Verified, Verifier, VerifyError};
use crate::position::Position;
use crate::tablebase::file::SectorFile;
use crate::tablebase::folder::Tablebase;
use crate::tablebase::sector::{Men, Sector};
use crate::tablebase::solved::Solved;
use crate::tablebase::value::Wdl;

impl Verifier<'_> {
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
