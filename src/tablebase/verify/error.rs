//! What can be found wrong with a sector.

use std::fmt;
use std::path::PathBuf;

use crate::tablebase::draw_value::DrawValue;
use crate::tablebase::file::FileError;
use crate::tablebase::sector::Sector;
use crate::tablebase::solved::{Longest, Statistics};
use crate::tablebase::value::{Value, Wdl};

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
        position: String,
        /// The value that the file has.
        stored: Value,
        /// The value that follows from the moves of the position.
        derived: Value,
        /// Whether the distances of the values have a meaning.
        has_distances: bool,
    },
    /// A drawn position comes to rest elsewhere.
    Draw {
        /// The sector.
        sector: Sector,
        /// The position.
        position: String,
        /// What the file has.
        stored: DrawValue,
        /// What follows from the moves of the position, if any draws.
        derived: Option<DrawValue>,
    },
    /// Another file has another value for a position.
    Differs {
        /// The sector.
        sector: Sector,
        /// The position.
        position: String,
        /// The value that the file has.
        stored: Value,
        /// That of the other file.
        other: Value,
        /// The other file.
        file: PathBuf,
        /// Whether the distances of the values have a meaning.
        has_distances: bool,
    },
    /// Another file lets a drawn position come to rest elsewhere.
    DrawDiffers {
        /// The sector.
        sector: Sector,
        /// The position.
        position: String,
        /// What the file has.
        stored: DrawValue,
        /// What the other file has.
        other: DrawValue,
        /// The other file.
        file: PathBuf,
    },
    /// The file has wrong statistics.
    Counts {
        /// The sector.
        sector: Sector,
        /// Those of the file.
        stored: Box<Statistics>,
        /// Those that were counted.
        counted: Box<Statistics>,
    },
    /// The observer stopped it.
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
                write!(
                    f,
                    "{sector}: {position} is a {stored} by the file, but a {derived} by its moves"
                )
            }
            Self::Value { sector, position, stored, derived, has_distances: false } => {
                let [stored, derived] = [stored, derived].map(|&value| Wdl::from(value));
                write!(
                    f,
                    "{sector}: {position} is a {stored} by the file, but a {derived} by its moves"
                )
            }
            Self::Draw { sector, position, stored, derived } => {
                write!(f, "{sector}: {position} {stored} by the file, but ")?;
                match derived {
                    Some(derived) => write!(f, "{derived} by its moves"),
                    None => f.write_str("has no move that draws"),
                }
            }
            Self::Differs { sector, position, stored, other, file, has_distances } => {
                let words = |value: Value| match has_distances {
                    true => value.to_string(),
                    false => Wdl::from(value).to_string(),
                };
                let ([stored, other], file) = ([*stored, *other].map(words), file.display());
                write!(f, "{sector}: {position} is a {stored} by the file, but a {other} by {file}")
            }
            Self::DrawDiffers { sector, position, stored, other, file } => {
                let file = file.display();
                write!(f, "{sector}: {position} {stored} by the file, but {other} by {file}")
            }
            Self::Counts { sector, stored, counted } => {
                let [stored, counted] = [stored, counted].map(|statistics| words(statistics));
                write!(f, "{sector}: {stored} by the file, but {counted} as counted")
            }
            Self::Stopped => f.write_str("stopped"),
        }
    }
}

fn words(statistics: &Statistics) -> String {
    let Statistics { wins, draws, losses, longest_win, longest_loss } = statistics;
    let longest = |longest: &Option<Longest>| {
        longest.map_or("none".to_owned(), |Longest { turns, index }| {
            format!("{turns} turns at index {index}")
        })
    };
    format!(
        "{wins} won, {draws} drawn, {losses} lost, longest win {}, longest loss {}",
        longest(longest_win),
        longest(longest_loss)
    )
}

impl std::error::Error for VerifyError {}
