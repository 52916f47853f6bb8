//! Endgame databases: the value of every position in which all men are placed.

mod build;
mod classes;
mod file;
mod judge;
mod probe;
mod ranks;
mod sector;
mod solve;
mod statistics;
mod tables;
mod value;
mod wdl;

pub use build::{Build, BuildError, Follower, Plan};
pub use classes::{Class, Classes};
pub use file::{FileError, Flaw, SectorFile, write};
pub use judge::JudgedMove;
pub use sector::{Place, Sector};
pub use solve::{Silent, Solved, Stopped, Watcher, memory, solve};
pub use statistics::{Longest, Statistics};
pub use tables::{SMALL_MEN, Tables, cache_folder, default_folder, path};
pub use value::Value;
pub use wdl::Wdl;
