//! The protocol over pipes.

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
