//! A byte for each position of a sector, by blocks: in memory, or in a file if memory is short.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use bytemuck::allocation::zeroed_vec;
use rayon::iter::Either;
use rayon::prelude::*;

use crate::system::file_at::{read_at, scratch, write_at};
use crate::tablebase::sector::Sector;

/// The bytes of all positions of a sector.
pub struct Store {
    block_len: usize,
    blocks: usize,
    place: Storage,
}

enum Storage {
    Memory(Vec<u8>),
    /// An unnamed file, which disappears when the program ends, however that happens.
    File(File),
}

/// The bytes of a block, several of which are worked with at a time.
pub enum BlockBytes<'a> {
    /// They are in memory.
    Memory(&'a mut [u8]),
    /// In a file: the start and the length.
    File(&'a File, u64, usize),
}

impl Store {
    /// Bytes in memory; with a folder, in a file there.
    pub fn new(sector: Sector, bytes: Vec<u8>, folder: Option<&Path>) -> io::Result<Self> {
        let place = match folder {
            None => Storage::Memory(bytes),
            Some(folder) => {
                let mut file = scratch(folder)?;
                file.write_all(&bytes)?;
                Storage::File(file)
            }
        };
        Ok(Self { block_len: sector.block_len(), blocks: sector.blocks(), place })
    }

    /// Zeros.
    pub fn zeros(sector: Sector, folder: Option<&Path>) -> io::Result<Self> {
        let Some(folder) = folder else {
            return Self::new(sector, zeroed_vec(sector.len()), None);
        };
        let file = scratch(folder)?;
        file.set_len(sector.len() as u64)?;
        let place = Storage::File(file);
        Ok(Self { block_len: sector.block_len(), blocks: sector.blocks(), place })
    }

    /// The blocks in the order of their numbers.
    pub fn blocks(&mut self) -> impl IndexedParallelIterator<Item = BlockBytes<'_>> {
        let len = self.block_len;
        match &mut self.place {
            Storage::Memory(bytes) => {
                Either::Left(bytes.par_chunks_mut(len).map(BlockBytes::Memory))
            }
            Storage::File(file) => {
                let file = &*file;
                let block = move |number| BlockBytes::File(file, (number * len) as u64, len);
                Either::Right((0..self.blocks).into_par_iter().map(block))
            }
        }
    }

    /// All bytes, in memory.
    pub fn into_bytes(self) -> io::Result<Vec<u8>> {
        match self.place {
            Storage::Memory(bytes) => Ok(bytes),
            Storage::File(mut file) => {
                let mut bytes = zeroed_vec(self.block_len * self.blocks);
                file.seek(SeekFrom::Start(0))?;
                file.read_exact(&mut bytes)?;
                Ok(bytes)
            }
        }
    }
}

impl BlockBytes<'_> {
    /// Works with the bytes, which are read before and written afterwards if need be.
    #[inline]
    pub fn with<T>(self, work: impl FnOnce(&mut [u8]) -> T) -> io::Result<T> {
        let mut read;
        let (bytes, place) = match self {
            BlockBytes::Memory(bytes) => (bytes, None),
            BlockBytes::File(file, start, len) => {
                read = vec![0; len];
                read_at(file, start, &mut read)?;
                (&mut *read, Some((file, start)))
            }
        };
        let result = work(bytes);
        if let Some((file, start)) = place {
            write_at(file, start, bytes)?;
        }
        Ok(result)
    }
}
