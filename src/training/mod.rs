//! Learning the evaluation of Nine Men's Morris from the endgame databases.
//!
//! ```text
//! plan       all of it
//! games      positions as play has them
//! example    a position's features and what it is worth
//! fit        weights that explain examples
//! moving     a set of weights for each pair of men counts, from the databases
//! placing    a set for each stage of placing, from searches that end in later stages
//! quantise   weights as the evaluation keeps them
//! figures    how well weights explain examples kept apart
//! ```

mod example;
mod figures;
mod fit;
mod games;
mod moving;
mod placing;
mod plan;
mod quantise;

pub use figures::Figures;
pub use plan::{Lesson, Lessons, Plan};
