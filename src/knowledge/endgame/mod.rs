//! Endgame databases: the value of every position in which all men are placed.
//!
//! ```text
//! ranks, classes      sets of points, numbered; up to the symmetries of the board
//! sector              positions with so many men each, numbered
//! value, wdl          what a position is worth, with and without the distance
//! solve               a sector and the one that it replies to, from smaller ones
//! statistics          how many positions are won, drawn and lost
//! file                a sector on disk
//! build               a folder of files
//! tables              the files at hand
//! probe, judge        what they say of positions, moves and lines
//! verify              whether the plain rules agree
//! ```
//!
//! ```
//! use millstone::knowledge::endgame::{Sector, Silent, Value, solve};
//!
//! let sector = Sector::new(3, 3).unwrap();
//! let solved = solve(sector, |_| unreachable!("a removal wins"), &Silent).unwrap();
//! let longest = solved[0].values().iter().filter_map(|value| value.plies()).max();
//! assert_eq!(longest, Some(26));
//! ```

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
mod verify;
mod wdl;

pub use build::{Build, BuildError, Follower, Plan};
pub use classes::{Class, Classes};
pub use file::{FileError, Flaw, SectorFile, write};
pub use judge::{Fate, JudgedMove};
pub use sector::{Place, Sector};
pub use solve::{Silent, Solved, Stopped, Watcher, memory, solve};
pub use statistics::{Longest, Statistics};
pub use tables::{SMALL_MEN, Tables, cache_folder, default_folder, path};
pub use value::Value;
pub use verify::{Sample, Verified, Verifier, VerifyError};
pub use wdl::Wdl;
