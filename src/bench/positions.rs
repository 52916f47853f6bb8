//! The positions of the bench.

/// Positions of all phases.
pub const POSITIONS: [&str; 1] = ["********/********/******** w p p 0 9 0 9 0 0 0 0 0 0 0 0 1"];
