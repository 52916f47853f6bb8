//! The protocol over pipes.

#[path = "../common/client.rs"]
mod client;
#[path = "../common/mailbox/mod.rs"]
mod mailbox;
#[path = "../common/size.rs"]
mod size;
#[path = "../common/talk.rs"]
mod talk;

mod clients;
#[cfg(unix)]
mod files;
mod games;
mod gbgp;
mod info_lines;
mod nine_morris_3d;
mod readme;
mod search;
mod start;
mod table;
mod transcripts;
