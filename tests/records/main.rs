//! Game records in all notations.

#[path = "../common/random_rules.rs"]
mod random_rules;

mod convert;
mod errors;
mod random_records;
mod read;
mod round_trips;
