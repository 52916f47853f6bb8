//! Endgame databases: the value of every position in which all men are placed.

mod classes;
mod ranks;
mod sector;
mod solve;
mod value;

pub use classes::{Class, Classes};
pub use sector::{Place, Sector};
pub use solve::{Solved, solve};
pub use value::Value;
