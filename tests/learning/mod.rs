//! Learning: what is kept of games, shared between programs and used by the search.

mod commands;
mod games;
pub mod learned;
mod protocol;
mod search;
mod shared;
