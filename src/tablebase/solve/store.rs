//! Storage of a number for each position of a sector, in memory, or in a temporary file if memory is short. Values of
//! recently solved sectors are also kept in temporary files for the sectors that depend on them: reading a sector file
//! takes as long as solving the sector, since each value has to be decoded.

use std::fs::File;
use std::io;
use std::path::Path;

use bytemuck::{Pod, cast_slice, cast_slice_mut};
use rayon::iter::Either;
use rayon::prelude::*;

use crate::system::file_at::{read_at, scratch, write_at};
use crate::system::memory::zeros;
use crate::tablebase::sector::{Sector, Solved};
use crate::tablebase::value::{Value, Wdl};

/// A number for each position of a sector.
pub struct Store<L> {
    pub sector: Sector,
    /// The numbers in memory; empty if they are in a file.
    numbers: Vec<L>,
    /// An unnamed file, which disappears however the program ends.
    file: Option<File>,
}

/// The numbers of a block. Several blocks can be in use at a time.
pub enum StoredBlock<'a, L> {
    /// In memory.
    Memory(&'a mut [L]),
    /// In a file: the offset in bytes, and how many numbers there are.
    File(&'a File, u64, usize),
}

impl<L: Pod + Send + Sync> Store<L> {
    /// Stores numbers in memory or, given a folder, in a temporary file there.
    pub fn new(sector: Sector, numbers: Vec<L>, folder: Option<&Path>) -> io::Result<Self> {
        let Some(folder) = folder else { return Ok(Self { sector, numbers, file: None }) };
        let file = scratch(folder)?;
        write_at(&file, 0, cast_slice(&numbers))?;
        Ok(Self { sector, numbers: Vec::new(), file: Some(file) })
    }

    /// All blocks, in order.
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

    /// Returns all numbers in memory.
    pub fn into_numbers(self) -> io::Result<Vec<L>> {
        let Some(file) = self.file else { return Ok(self.numbers) };
        let mut numbers = zeros(self.sector.len());
        read_at(&file, 0, cast_slice_mut(&mut numbers))?;
        Ok(numbers)
    }
}

impl<L: Pod> StoredBlock<'_, L> {
    /// Calls `work` with the numbers. Those in a file are read first and written back afterwards.
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

/// The values of a recently solved sector in an unnamed file.
pub struct Recent {
    pub sector: Sector,
    /// Whether the values have distances and take a byte each. Otherwise four share a byte.
    pub has_distances: bool,
    file: File,
    /// The CRC-32 of each block.
    checksums: Vec<u32>,
}

/// The number of values without distances that share a byte, and the bits of each.
const IN_BYTE: usize = 4;
const BITS: usize = 2;

/// The values without distances by their bits. Bits 00 are never written.
const BY_BITS: [Wdl; 1 << BITS] = [Wdl::Draw, Wdl::Loss, Wdl::Draw, Wdl::Win];

impl Recent {
    /// Writes the values of a sector.
    pub fn new(solved: &Solved, has_distances: bool, folder: &Path) -> io::Result<Self> {
        let (sector, file) = (solved.sector, scratch(folder)?);
        let mut recent = Self { sector, has_distances, file, checksums: Vec::new() };
        let blocks = (0..sector.blocks()).into_par_iter();
        let checksums = blocks.map(|block| {
            let values = solved.block(block);
            let bytes: Vec<u8> = if has_distances {
                values.iter().map(|value| value.byte()).collect()
            } else {
                values.chunks(IN_BYTE).map(pack).collect()
            };
            write_at(&recent.file, recent.start(block), &bytes)?;
            Ok(crc32fast::hash(&bytes))
        });
        recent.checksums = checksums.collect::<io::Result<_>>()?;
        Ok(recent)
    }

    /// The size of the file of a sector in bytes.
    pub fn bytes(sector: Sector, has_distances: bool) -> u64 {
        let values = sector.block_len();
        let of_block = if has_distances { values } else { values.div_ceil(IN_BYTE) };
        (sector.blocks() * of_block) as u64
    }

    /// The offset of a block in bytes.
    fn start(&self, block: usize) -> u64 {
        Self::bytes(self.sector, self.has_distances) / self.sector.blocks() as u64 * block as u64
    }

    /// Reads the values of a block, by rank. Fails if their checksum does not match.
    pub fn block<T: From<Value> + Copy>(&self, block: usize) -> io::Result<Vec<T>> {
        let start = self.start(block);
        let mut bytes = vec![0; (self.start(block + 1) - start) as usize];
        read_at(&self.file, start, &mut bytes)?;
        if crc32fast::hash(&bytes) != self.checksums[block] {
            return Err(io::ErrorKind::InvalidData.into());
        }
        if self.has_distances {
            return Ok(Value::all_from_turns(bytes).into_iter().map(T::from).collect());
        }
        let by_bits = BY_BITS.map(|wdl| T::from(Value::without_distance(wdl)));
        let of_byte = |byte: u8| {
            std::array::from_fn::<T, IN_BYTE, _>(|place| {
                by_bits[usize::from(byte >> (BITS * place)) % by_bits.len()]
            })
        };
        let mut values: Vec<T> = bytes.into_iter().flat_map(of_byte).collect();
        values.truncate(self.sector.block_len());
        Ok(values)
    }
}

/// Packs up to four values without distances into a byte.
fn pack(values: &[Value]) -> u8 {
    let bits = |value: &Value| Wdl::from(*value) as u8 + 1;
    values.iter().rev().fold(0, |byte, value| byte << BITS | bits(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_back_with_and_without_distances() {
        let folder = tempfile::tempdir().unwrap();
        for (own, opponent) in [(3, 3), (3, 6)] {
            let sector = Sector::new(own, opponent).unwrap();
            let turns = (0..sector.len()).map(|index| (index * index % 251) as u8);
            let values = turns.map(|turns| Value::ends_in(if turns < 100 { turns } else { 255 }));
            let solved = Solved::from_values(sector, values.collect());
            let [wdl, whole] =
                [false, true].map(|has| Recent::new(&solved, has, folder.path()).unwrap());
            for block in (0..sector.blocks()).step_by(5) {
                let values = solved.block(block);
                let kinds: Vec<Wdl> = values.iter().map(|value| Wdl::from(*value)).collect();
                assert_eq!(whole.block::<Value>(block).unwrap(), values);
                assert_eq!(whole.block::<Wdl>(block).unwrap(), kinds);
                assert_eq!(wdl.block::<Wdl>(block).unwrap(), kinds);
            }
            let byte = 1 ^ whole.block::<Value>(1).unwrap()[0].byte();
            write_at(&whole.file, whole.start(1), &[byte]).unwrap();
            assert!(whole.block::<Value>(1).is_err());
        }
    }
}
