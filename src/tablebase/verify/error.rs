//! What can be found wrong with a sector.

use std::fmt;

use thiserror::Error;

use crate::tablebase::file::FileError;
use crate::tablebase::sector::Sector;
use crate::tablebase::solved::{Longest, Statistics};
use crate::tablebase::value::{Value, Wdl};

/// Why a sector is not verified, in one line.
#[derive(Debug, Error)]
pub enum VerifyError {
    /// A file that it takes to verify the sector is not there or cannot be used.
    #[error("{sector}: cannot be verified without sector {needed}")]
    Missing {
        /// The sector.
        sector: Sector,
        /// The sector of the file.
        needed: Sector,
    },
    /// A file that it takes to verify the sector is damaged.
    #[error("{sector}: {error}")]
    File {
        /// The sector.
        sector: Sector,
        /// The damage.
        error: FileError,
    },
    /// A position has another value than it should.
    #[error("{sector}: {position} {stored} by the file, but {other}")]
    Value {
        /// The sector.
        sector: Sector,
        /// The text of the position.
        position: String,
        /// What the file says.
        stored: String,
        /// What its moves or another file say, and which of them.
        other: String,
    },
    /// The file has wrong statistics.
    #[error("{sector}: {} by the file, but {} as counted", words(stored), words(counted))]
    Counts {
        /// The sector.
        sector: Sector,
        /// Those of the file.
        stored: Box<Statistics>,
        /// Those that were counted.
        counted: Box<Statistics>,
    },
    /// The observer stopped it.
    #[error("stopped")]
    Stopped,
}

impl VerifyError {
    /// A position whose value by the file is not that by `source`, the other of two values; their distances may
    /// have no meaning.
    pub(super) fn value(
        sector: Sector,
        position: String,
        values: [Value; 2],
        has_distances: bool,
        source: impl fmt::Display,
    ) -> Self {
        let word = |value: Value| {
            if has_distances { value.to_string() } else { Wdl::from(value).to_string() }
        };
        let [stored, other] = values.map(word);
        let (stored, other) = (format!("is a {stored}"), format!("a {other} by {source}"));
        Self::Value { sector, position, stored, other }
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
