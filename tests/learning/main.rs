//! Learning: what is kept of games, shared between programs and used by the search.

#[path = "../common/client.rs"]
mod client;
#[path = "../common/talk.rs"]
mod talk;

mod commands;
mod games;
mod learned;
mod protocol;
mod search;
mod shared;
