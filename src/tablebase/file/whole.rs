//! Reading all of the file of a sector.

use rayon::prelude::*;

use super::Layout;
use super::distances::CHUNK;
use super::error::{FileError, Flaw};
use super::read::SectorFile;
use crate::tablebase::solved::Solved;
use crate::tablebase::value::Value;
use crate::tablebase::wdl::Wdl;

impl SectorFile {
    /// Reads the whole file.
    ///
    /// # Errors
    ///
    /// When a page is damaged.
    pub fn check(&self) -> Result<(), FileError> {
        let is_good = self.pages.are_good(Layout::WDL..self.layout.checksums);
        if is_good { Ok(()) } else { Err(self.damage()) }
    }

    /// All values.
    ///
    /// # Errors
    ///
    /// When the file is damaged; a file without distances is read as if every win took one ply and
    /// every loss none.
    pub fn load(&self) -> Result<Solved, FileError> {
        let mut values = vec![Value::DRAW; self.sector().len()];
        let chunks = values.par_chunks_mut(CHUNK).enumerate();
        let is_read = chunks.map(|(index, values)| self.load_chunk(index, values));
        if is_read.all(|is_read| is_read.is_some()) {
            Ok(Solved::from_values(self.sector(), values))
        } else {
            Err(self.damage())
        }
    }

    /// The damage that was found; at the beginning if the checksums did not tell of it.
    fn damage(&self) -> FileError {
        let damage = self.pages.damage().unwrap_or(Flaw::Damage { offset: 0 });
        FileError::new(&self.path, damage)
    }

    fn load_chunk(&self, index: usize, values: &mut [Value]) -> Option<()> {
        if self.has_distances() {
            values.iter_mut().zip(self.chunk(index)?).for_each(|(to, value)| *to = value);
        } else {
            let wdl = self.wdl_of_chunk(index)?;
            values.iter_mut().zip(wdl).for_each(|(to, wdl)| *to = nearest(wdl));
        }
        Some(())
    }
}

/// A value of which only the kind is known.
fn nearest(wdl: Wdl) -> Value {
    match wdl {
        Wdl::Win => Value::ends_in(1),
        Wdl::Draw => Value::DRAW,
        Wdl::Loss => Value::LOST,
    }
}
