//! Who plays which side.

use std::fmt;

use clap::ValueEnum;
use millstone::board::Side;

/// The sides that people play; the engine plays the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Seats {
    /// You play White and place first
    White,
    /// You play Black
    Black,
    /// Two people play each other
    Both,
    /// The engine plays itself, to watch
    None,
}

impl Seats {
    /// Whether a person plays a side.
    pub fn is_person(self, side: Side) -> bool {
        match self {
            Self::White => side == Side::White,
            Self::Black => side == Side::Black,
            Self::Both => true,
            Self::None => false,
        }
    }

    /// The same with the sides changed.
    pub fn swapped(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
            other => other,
        }
    }

    /// The word for it, as on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::White => "white",
            Self::Black => "black",
            Self::Both => "both",
            Self::None => "none",
        }
    }

    /// All words with what they stand for.
    pub fn choices() -> [(&'static str, Self); 4] {
        [Self::White, Self::Black, Self::Both, Self::None].map(|seats| (seats.name(), seats))
    }
}

impl fmt::Display for Seats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::White => "you play White",
            Self::Black => "you play Black",
            Self::Both => "two people play",
            Self::None => "the engine plays itself",
        })
    }
}
