//! Endgame databases: the value of every position in which all men are placed.

mod classes;
mod file;
mod ranks;
mod sector;
mod solve;
mod statistics;
mod tables;
mod value;
mod wdl;

pub use classes::{Class, Classes};
pub use file::{FileError, Flaw, SectorFile, write};
pub use sector::{Place, Sector};
pub use solve::{Solved, solve};
pub use statistics::{Longest, Statistics};
pub use tables::{Tables, path};
pub use value::Value;
pub use wdl::Wdl;
