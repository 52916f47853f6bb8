//! All tests from outside, in one program: those that wait run beside those that compute.

mod common;

mod commands;
mod fuzz;
mod learning;
mod matches;
mod protocol;
mod records;
mod rules;
mod search;
mod tablebase;
#[cfg(unix)]
mod terminal;

use common::{
    client, critical_positions, mailbox, malom_files, minimax, patterns, positions, program,
    random, random_rules, searches, size, tablebases,
};
