//! The search: what it finds, how it ends, and what it may cost.

mod agrees;
mod algorithms;
mod behaves;
mod broken_off;
mod critical;
mod games;
mod lines;
mod memory;
mod table;
mod threads;
