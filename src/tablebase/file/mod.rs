//! One file a sector: values at random access, distances in small packed chunks.
//!
//! The [tablebase](super) says how a file is laid out. Every page is checked when it is first read, so
//! that opening a file reads little of it, and no value ever comes from a damaged page.
//!
//! ```text
//! error     what can be wrong with a file
//! huffman   prefix codes
//! pack      values five to a byte, distances by prefix codes
//! header    the first page, and where the parts of a file begin
//! pages     the file in memory, checked page by page
//! read      an open file
//! write     writing a solved sector
//! ```

mod error;
mod header;
mod huffman;
mod pack;
mod pages;
mod read;
mod write;

pub use error::FileError;
pub use header::VERSION;
pub use pack::WDL_PER_BYTE;
pub(super) use pages::OnDisk;
pub use read::SectorFile;
pub use write::write;
