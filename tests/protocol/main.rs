//! The protocol over pipes.

#[path = "../common/client.rs"]
mod client;
#[path = "../common/mailbox/mod.rs"]
mod mailbox;

mod games;
mod gbgp;
mod readme_clients;
mod search;
mod transcripts;
