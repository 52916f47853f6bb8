//! The protocol over pipes.

mod clients;
#[cfg(unix)]
mod files;
mod games;
mod gbgp;
mod info_lines;
mod readme;
mod search;
mod table;
mod transcripts;
