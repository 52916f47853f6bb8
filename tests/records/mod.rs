//! Game records in all notations.

mod errors;
mod random_records;
mod round_trips;
mod sgf;
