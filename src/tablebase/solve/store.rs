//! A number for each position of a sector, by blocks: in memory, or in a file if memory is short.

use std::fs::File;
use std::io;
use std::path::Path;

use bytemuck::{Pod, cast_slice, cast_slice_mut};
use rayon::iter::Either;
use rayon::prelude::*;

use crate::system::file_at::{read_at, scratch, write_at};
use crate::system::memory::zeros;
use crate::tablebase::sector::Sector;

/// The numbers of all positions of a sector.
pub struct Store<L> {
    pub sector: Sector,
    /// Empty if they are in a file.
    numbers: Vec<L>,
    /// An unnamed file, which disappears when the program ends, however that happens.
    file: Option<File>,
}

/// The numbers of a block, several of which are worked with at a time.
pub enum StoredBlock<'a, L> {
    /// They are in memory.
    Memory(&'a mut [L]),
    /// In a file: the start in bytes, and how many there are.
    File(&'a File, u64, usize),
}

impl<L: Pod + Send + Sync> Store<L> {
    /// Numbers in memory; with a folder, in a file there.
    pub fn new(sector: Sector, numbers: Vec<L>, folder: Option<&Path>) -> io::Result<Self> {
        let Some(folder) = folder else { return Ok(Self { sector, numbers, file: None }) };
        let file = scratch(folder)?;
        write_at(&file, 0, cast_slice(&numbers))?;
        Ok(Self { sector, numbers: Vec::new(), file: Some(file) })
    }

    /// Zeros.
    pub fn zeros(sector: Sector, folder: Option<&Path>) -> io::Result<Self> {
        let Some(folder) = folder else {
            return Self::new(sector, zeros(sector.len()), None);
        };
        let file = scratch(folder)?;
        file.set_len((sector.len() * size_of::<L>()) as u64)?;
        Ok(Self { sector, numbers: Vec::new(), file: Some(file) })
    }

    /// The blocks in the order of their numbers.
    pub fn blocks(&mut self) -> impl IndexedParallelIterator<Item = StoredBlock<'_, L>> {
        let len = self.sector.block_len();
        match &self.file {
            None => Either::Left(self.numbers.par_chunks_mut(len).map(StoredBlock::Memory)),
            Some(file) => {
                let bytes = len * size_of::<L>();
                let block = move |number| StoredBlock::File(file, (number * bytes) as u64, len);
                Either::Right((0..self.sector.blocks()).into_par_iter().map(block))
            }
        }
    }

    /// All numbers, in memory.
    pub fn into_numbers(self) -> io::Result<Vec<L>> {
        let Some(file) = self.file else { return Ok(self.numbers) };
        let mut numbers = zeros(self.sector.len());
        read_at(&file, 0, cast_slice_mut(&mut numbers))?;
        Ok(numbers)
    }
}

impl<L: Pod> StoredBlock<'_, L> {
    /// Works with the numbers, which are read before and written afterwards if need be.
    #[inline]
    pub fn with<T>(self, work: impl FnOnce(&mut [L]) -> T) -> io::Result<T> {
        match self {
            StoredBlock::Memory(numbers) => Ok(work(numbers)),
            StoredBlock::File(file, start, len) => {
                let mut numbers = vec![L::zeroed(); len];
                read_at(file, start, cast_slice_mut(&mut numbers))?;
                let result = work(&mut numbers);
                write_at(file, start, cast_slice(&numbers))?;
                Ok(result)
            }
        }
    }
}
