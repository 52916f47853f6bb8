//! Endgame databases: the value of every position in which all men are placed.
//!
//! ```text
//! ranks, classes      sets of points, numbered; up to the symmetries of the board
//! sector              positions with so many men each, numbered
//! value, wdl          what a position is worth, with and without the distance
//! solve -> solved     a sector and the one that it replies to, from smaller ones
//! statistics          how many positions are won, drawn and lost
//! file                a sector on disk
//! folders, build      where files are; solving what a folder lacks
//! tables              the files at hand
//! small               those that programs solve for themselves
//! probe, judge, fate  what they say of positions, of moves, and of games with draw rules
//! verify              whether the plain rules agree
//! watcher             who follows long work and may break it off
//! ```
//!
//! ```
//! use millstone::tablebase::{Sector, Unwatched, solve};
//!
//! let sector = Sector::new(3, 3).unwrap();
//! let solved = solve(sector, |_| unreachable!("a removal wins"), &Unwatched).unwrap();
//! let longest = solved[0].values().iter().filter_map(|value| value.plies()).max();
//! assert_eq!(longest, Some(26));
//! ```

mod build;
mod classes;
mod fate;
mod file;
mod folders;
mod judge;
mod probe;
mod ranks;
mod sector;
mod small;
mod solve;
mod solved;
mod statistics;
mod tables;
mod value;
mod verify;
mod watcher;
mod wdl;

pub use build::{Build, BuildError, Follower, Plan};
pub use fate::Fate;
pub use file::{FileError, SectorFile};
pub use folders::{cache_folder, default_folder, path};
pub use judge::JudgedMove;
pub use probe::Worth;
pub use sector::{Place, Sector};
pub use small::{SMALL_MEN, SmallSolver};
pub use solve::solve;
pub use solved::Solved;
pub use statistics::{Longest, Statistics};
pub use tables::Tablebase;
pub use value::Value;
pub use verify::{Sample, Verified, Verifier, VerifyError};
pub use watcher::{Stopped, Unwatched, Watcher};
pub use wdl::Wdl;
