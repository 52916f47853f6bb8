//! One file a sector: wins, draws and losses, and distances, in small packed chunks that are read on their own.
//!
//! The [tablebase](super) says how a file is laid out. Every page is checked when it is first read, so
//! that opening a file reads little of it, and no value ever comes from a damaged page.
//!
//! ```text
//! error        what can be wrong with a file
//! arithmetic   strings of bits from decisions of known probabilities
//! model        what a position is probably worth, and positions that follow one another
//! train        learning that from a part of the sector
//! wdl          wins, draws and losses, coded by a model
//! huffman      prefix codes that depend on the symbols before
//! chunks       packed positions, each chunk read on its own
//! columns      distances, and where draws come to rest, coded by the symbols before
//! header       the first page, and where the parts of a file lie
//! draws        where the draws of a sector come to rest
//! pages        the bytes of a file, here or elsewhere, checked page by page
//! map          the file in memory, which may be cut short
//! read         an open file, single values of it, and many that follow one another
//! write        writing a solved sector
//! ```
//!
//! # Adding a column
//!
//! 1. `columns.rs`: its number and how it is coded; `header.rs`: its bytes in the header, and another version; the
//!    format in `tablebase/mod.rs`.
//! 2. `write.rs` writes it and says what keeps it when a file is written anew, `read.rs` reads it.
//! 3. `source.rs` of the tablebase: who asks for it. `verify` checks it, `db info` and `db verify` name it.
//! 4. The fuzz target `tests/fuzz/targets/database.rs`, which reads all.

mod arithmetic;
mod chunks;
mod columns;
mod draws;
mod error;
mod header;
mod huffman;
mod map;
mod model;
mod pages;
mod read;
mod train;
mod wdl;
mod write;

pub use draws::add_draws;
pub use error::{FileError, Flaw};
pub use pages::Remote;
pub(super) use read::SHIPPED;
pub use read::SectorFile;
pub use write::{Kept, add_distances, to_ship, write, write_new, write_wdl_of, write_wins};
