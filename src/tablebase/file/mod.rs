//! One file a sector: values at random access, distances in small packed chunks.
//!
//! ```text
//! header      one page: what the file is, counts, the longest win and loss, its own checksum
//! wdl         win, draw or loss of each position, five to a byte, by number
//! codes       the lengths of the codes of the distances, one byte each, 0 where there is none
//! distances   groups of 16 chunks of 160 positions: 16 ends as u16, then the packed chunks
//! offsets     where each group begins, as u32
//! checksums   a CRC-32 for each page from the first page after the header to the offsets
//! ```
//!
//! Every part but the checksums fills whole pages of 4096 bytes; numbers have their lowest byte
//! first. A page is checked when it is first read, so that opening a file reads little of it and a
//! damaged page is never answered from. A file without distances has no codes and nothing below
//! them but checksums.

mod bit_stream;
mod codes;
mod distances;
mod error;
mod header;
mod pages;
mod read;
mod whole;
mod write;

pub use error::FileError;
pub use header::VERSION;
pub use read::SectorFile;
pub use write::write;

use super::sector::Sector;
use super::wdl;

/// The bytes that are read and checked together.
const PAGE: usize = 4096;

/// How many chunks share an offset.
const CHUNKS_PER_GROUP: usize = 16;

/// The bytes of a group before its chunks.
const GROUP_HEAD: usize = CHUNKS_PER_GROUP * size_of::<u16>();

/// Where the parts of a file begin, in bytes; they follow from what the header says.
#[derive(Clone, Copy, Debug)]
struct Layout {
    codes: usize,
    distances: usize,
    offsets: usize,
    checksums: usize,
    end: usize,
}

impl Layout {
    const WDL: usize = PAGE;

    /// `packed` is the number of bytes of the distances, if there are any.
    fn of(sector: Sector, packed: Option<usize>) -> Self {
        let codes = Self::WDL + whole_pages(sector.len().div_ceil(wdl::PER_BYTE));
        let part = |bytes: usize| if packed.is_some() { whole_pages(bytes) } else { 0 };
        let distances = codes + part(distances::CONTEXTS * codes::SYMBOLS);
        let offsets = distances + part(packed.unwrap_or_default());
        let checksums = offsets + part(groups(sector) * size_of::<u32>());
        let end = checksums + (checksums / PAGE - 1) * size_of::<u32>();
        Self { codes, distances, offsets, checksums, end }
    }
}

fn groups(sector: Sector) -> usize {
    sector.len().div_ceil(distances::CHUNK * CHUNKS_PER_GROUP)
}

fn whole_pages(bytes: usize) -> usize {
    bytes.next_multiple_of(PAGE)
}
