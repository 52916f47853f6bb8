//! Positions that the symmetries of the board carry into each other share an entry of the table.
//!
//! All 16 images of a position are worth the same. Early in the game most of them occur in a search,
//! so they are kept as one: the image whose men have the least numbers. Later hardly two occur, and
//! finding the image would cost more than it saves.

use super::Features;
use crate::board::{Side, Symmetry};
use crate::position::{Phase, Position};
use crate::rules::Rules;
use crate::search::parameters::MOST_SYMMETRIC_MEN;
use crate::search::tt::Entry;
use crate::search::worker::Worker;

impl<R: Rules, F: Features> Worker<'_, R, F> {
    /// What the table knows of a position.
    #[inline]
    pub(in crate::search) fn find_record(&self, position: &Position<R>) -> Option<Entry> {
        if !has_representative::<R, F>(position) {
            return self.table.probe(position.key());
        }
        let symmetry = to_representative(position);
        let record = self.table.probe(position.image(symmetry).key())?;
        let best = record.best.map(|mv| mv.image(symmetry.inverse()));
        Some(Entry { best, ..record })
    }

    /// Keeps what was found out about the position.
    #[inline]
    pub(in crate::search) fn store_record(&self, record: Entry) {
        if !has_representative::<R, F>(&self.position) {
            return self.table.store(self.position.key(), record);
        }
        let symmetry = to_representative(&self.position);
        let best = record.best.map(|mv| mv.image(symmetry));
        self.table.store(self.position.image(symmetry).key(), Entry { best, ..record });
    }
}

/// Whether another image may stand for the position.
#[inline]
fn has_representative<R: Rules, F: Features>(position: &Position<R>) -> bool {
    F::ON.symmetry
        && position.phase() == Phase::Placing
        && Side::ALL.map(|side| position.men(side).len()).iter().sum::<u32>() <= MOST_SYMMETRIC_MEN
}

/// The symmetry that shows the image that stands for all.
fn to_representative<R: Rules>(position: &Position<R>) -> Symmetry {
    let men = |symmetry: &Symmetry| Side::ALL.map(|side| symmetry.set(position.men(side)).bits());
    Symmetry::all().min_by_key(men).unwrap_or(Symmetry::IDENTITY)
}
