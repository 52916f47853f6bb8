//! Commands that a person types to, at a terminal.

mod left;
mod person;
mod plain;
mod rich;
mod waiting;
