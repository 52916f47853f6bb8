//! Commands that a person types to, at a terminal.

#![cfg(unix)]

mod left;
mod plain;
mod rich;
mod terminal;
mod waiting;
