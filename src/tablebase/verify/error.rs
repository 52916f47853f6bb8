//! What can be found wrong with a sector.

use std::fmt;

use crate::position::Position;
use crate::tablebase::file::FileError;
use crate::tablebase::sector::Sector;
use crate::tablebase::statistics::{Longest, Statistics};
use crate::tablebase::value::Value;
use crate::tablebase::wdl::Wdl;

/// Why a sector is not verified, in one line.
#[derive(Debug)]
pub enum VerifyError {
    /// A file that it takes to verify the sector is not there or cannot be used.
    Missing {
        /// The sector.
        sector: Sector,
        /// The sector of the file.
        needed: Sector,
    },
    /// A file that it takes to verify the sector is damaged.
    File {
        /// The sector.
        sector: Sector,
        /// The damage.
        error: FileError,
    },
    /// A position has a wrong value.
    Value {
        /// The sector.
        sector: Sector,
        /// The position.
        position: Box<Position>,
        /// The value that the file has.
        stored: Value,
        /// The value that follows from the moves of the position.
        derived: Value,
        /// Whether the distances of the values have a meaning.
        has_distances: bool,
    },
    /// The file says something wrong of itself.
    Counts {
        /// The sector.
        sector: Sector,
        /// What the file says.
        stored: Box<Statistics>,
        /// What was counted.
        counted: Box<Statistics>,
    },
    /// The watcher said stop.
    Stopped,
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing { sector, needed } => {
                write!(f, "{sector}: cannot be verified without sector {needed}")
            }
            Self::File { sector, error } => write!(f, "{sector}: {error}"),
            Self::Value { sector, position, stored, derived, has_distances: true } => {
                write!(f, "{sector}: expected {derived} in {position}, found {stored}")
            }
            Self::Value { sector, position, stored, derived, has_distances: false } => {
                let [stored, derived] = [stored, derived].map(|&value| Wdl::from(value));
                write!(f, "{sector}: expected {derived} in {position}, found {stored}")
            }
            Self::Counts { sector, stored, counted } => {
                let [stored, counted] = [stored, counted].map(|statistics| words(statistics));
                write!(f, "{sector}: expected the file to tell of {counted}, found {stored}")
            }
            Self::Stopped => f.write_str("stopped"),
        }
    }
}

fn words(statistics: &Statistics) -> String {
    let Statistics { wins, draws, losses, longest_win, longest_loss } = statistics;
    let longest = |longest: &Option<Longest>| {
        longest.map_or("none".to_owned(), |Longest { plies, number }| {
            format!("{plies} plies at number {number}")
        })
    };
    format!(
        "{wins} won, {draws} drawn, {losses} lost, longest win {}, longest loss {}",
        longest(longest_win),
        longest(longest_loss)
    )
}

impl std::error::Error for VerifyError {}
