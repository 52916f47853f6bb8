//! Game records in all notations.

mod convert;
mod errors;
mod random_records;
mod read;
mod round_trips;
mod sgf;
