//! A sector in memory.

use super::sector::Sector;
use super::value::Value;

/// A sector with the value of every position.
#[derive(Clone, Debug)]
pub struct Solved {
    /// The sector.
    pub sector: Sector,
    values: Vec<Value>,
}

impl Solved {
    /// A sector with the values of all positions in the order of their numbers.
    ///
    /// # Panics
    ///
    /// When there are not as many values as positions.
    #[must_use]
    pub fn from_values(sector: Sector, values: Vec<Value>) -> Self {
        assert_eq!(values.len(), sector.len());
        Self { sector, values }
    }

    /// The values of all positions in the order of their numbers.
    #[must_use]
    pub fn values(&self) -> &[Value] {
        &self.values
    }

    /// The values of a block, by rank.
    #[inline]
    #[must_use]
    pub fn block(&self, block: usize) -> &[Value] {
        let len = self.sector.block_len();
        &self.values[block * len..][..len]
    }
}
