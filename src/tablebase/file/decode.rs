//! Reading many values of a sector file that follow one another.

use std::ops::Range;

use rayon::prelude::*;

use super::chunks::CHUNK;
use super::columns::{LOSSES, Symbols, WINS};
use super::error::{FileError, Flaw};
use super::read::{SectorFile, column_of, next_distance};
use crate::system::memory::filled;
use crate::tablebase::value::{Probe, Solved, Value, Wdl};

/// How many positions are read at a time when all are.
const READ_AT_A_TIME: usize = CHUNK << 10;

/// The columns of distances, each by the remainder of its distances by 2.
const DISTANCES: [usize; 2] = [LOSSES, WINS];

impl SectorFile {
    /// Reads all values. Where the file has no distances, every win has distance 1 or every loss 0.
    ///
    /// # Errors
    ///
    /// When the file is damaged or [quiet](Self::is_quiet).
    pub fn load(&self) -> Result<Solved, FileError> {
        let mut values = filled(Value::DRAW, self.sector().len());
        let parts = values.par_chunks_mut(READ_AT_A_TIME).enumerate();
        parts.try_for_each(|(part, values)| {
            let first = part * READ_AT_A_TIME;
            let read = self.decode(first..first + values.len(), DISTANCES, next_value)?;
            values.copy_from_slice(&read);
            Ok::<(), FileError>(())
        })?;
        Ok(Solved::from_values(self.sector(), values))
    }

    /// The value of one position; where the file has no distances, every win has distance 1 or every loss 0.
    ///
    /// # Errors
    ///
    /// When the file is damaged or [quiet](Self::is_quiet).
    pub(crate) fn read_value(&self, index: usize) -> Result<Value, FileError> {
        Ok(self.decode(index..index + 1, DISTANCES, next_value)?[0])
    }

    /// The values of the positions of a block, by rank; where the file has no distances, every win has distance 1 or
    /// every loss 0.
    ///
    /// # Errors
    ///
    /// When the file is damaged or [quiet](Self::is_quiet).
    pub(crate) fn read_block<V: Probe>(&self, block: usize) -> Result<Vec<V>, FileError> {
        let indices = self.block_indices(block);
        if V::HAS_DISTANCE {
            self.decode(indices, DISTANCES, |wdl, columns| next_value(wdl, columns).into())
        } else {
            self.decode(indices, [], |wdl, _| Value::without_distance(wdl).into())
        }
    }

    /// The indices of a block.
    pub(super) fn block_indices(&self, block: usize) -> Range<usize> {
        self.sector().index(block, 0)..self.sector().index(block + 1, 0)
    }

    /// Decodes some positions that follow one another: what `next` makes of each win, draw or loss, and of the symbols
    /// of some columns, of which it reads those of the position. A column that is absent has none.
    ///
    /// # Errors
    ///
    /// When the file is damaged or [quiet](Self::is_quiet).
    pub(super) fn decode<T, const N: usize>(
        &self,
        indices: Range<usize>,
        columns: [usize; N],
        next: impl Fn(Wdl, &mut [Option<Symbols<'_>>; N]) -> T,
    ) -> Result<Vec<T>, FileError> {
        if self.is_quiet() {
            return Err(FileError::new(self.path(), Flaw::Quiet));
        }
        let (skipped, len) = (indices.start % CHUNK, indices.len());
        let numbers = indices.start / CHUNK..indices.end.div_ceil(CHUNK);
        let decode = || {
            let wdl = self.layout.wdl.read(numbers.clone(), &self.pages)?;
            let mut read = [const { None }; N];
            for (read, number) in read.iter_mut().zip(columns) {
                if let Some(column) = &self.layout.columns[number] {
                    let chunks = column.chunks.read(numbers.clone(), &self.pages)?;
                    *read = Some((self.column_codes(number, None)?, chunks));
                }
            }
            let mut code = self.wdl_code(None)?;
            let mut values = Vec::with_capacity(numbers.len() * CHUNK);
            for number in numbers {
                let last = ((number + 1) * CHUNK).min(self.sector().len()) - 1;
                let wdl = code.up_to(last, &wdl(number)?);
                let mut symbols = [const { None }; N];
                for (symbols, read) in symbols.iter_mut().zip(&read) {
                    if let Some((codes, chunks)) = read {
                        *symbols = Some(Symbols::new(codes, chunks(number)?.bytes));
                    }
                }
                values.extend(wdl.into_iter().map(|wdl| next(wdl, &mut symbols)));
            }
            Some(values)
        };
        let mut values = decode().ok_or_else(|| self.damage())?;
        values.drain(..skipped);
        values.truncate(len);
        Ok(values)
    }
}

/// The next value of a chunk; one without a distance where its column is absent.
#[inline]
fn next_value(wdl: Wdl, columns: &mut [Option<Symbols<'_>>; 2]) -> Value {
    let Some(column) = column_of(wdl) else { return Value::DRAW };
    let symbols = columns[column].as_mut();
    symbols.map_or(Value::without_distance(wdl), |symbols| next_distance(column, symbols))
}
