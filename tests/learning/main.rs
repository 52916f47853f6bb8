//! Learning: what is kept of games, shared between programs and used by the search.

#[path = "../common/client.rs"]
mod client;

mod commands;
mod games;
mod lessons;
mod protocol;
mod search;
mod shared;
