//! The rules: counts, move lists and games of other programs, and an engine of another make.

pub mod agree;
mod checked;
mod mfen;
mod readings;
mod texts;
pub mod vectors;
