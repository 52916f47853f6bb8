//! Endgame databases: the value of every position in which all men are placed.

mod classes;
mod ranks;
mod sector;

pub use classes::{Class, Classes};
pub use sector::{Place, Sector};
