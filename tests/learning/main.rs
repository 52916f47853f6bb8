//! Learning: what is kept of games, shared between programs and used by the search.

#[path = "../common/client.rs"]
mod client;

mod commands;
mod games;
mod learned;
mod protocol;
mod search;
mod shared;
