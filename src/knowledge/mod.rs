//! What the engine knows beyond what a search finds out.

pub mod endgame;
pub mod learning;
