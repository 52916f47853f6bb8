//! How bad a turn is.

/// How bad a turn is by what it gives away: a share of the point that a win is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// A better turn was there.
    Inaccuracy,
    /// The turn spoils much.
    Mistake,
    /// The turn spoils the game, as one does that lets a win slip or loses a draw.
    Blunder,
}

impl Fault {
    /// All of them, the slightest first.
    pub const ALL: [Self; 3] = [Self::Inaccuracy, Self::Mistake, Self::Blunder];

    /// The least loss that is such a fault.
    #[must_use]
    pub const fn threshold(self) -> f32 {
        match self {
            Self::Inaccuracy => 0.1,
            Self::Mistake => 0.2,
            Self::Blunder => 0.3,
        }
    }

    /// The fault that a loss is, if it is one.
    #[must_use]
    pub fn of(loss: f32) -> Option<Self> {
        Self::ALL.into_iter().rev().find(|fault| loss >= fault.threshold())
    }

    /// The mark after a turn in books.
    #[must_use]
    pub const fn mark(self) -> &'static str {
        match self {
            Self::Inaccuracy => "?!",
            Self::Mistake => "?",
            Self::Blunder => "??",
        }
    }

    /// The number of the mark in game records.
    ///
    /// See: Portable Game Notation, section 10, numeric annotation glyphs, 1994.
    #[must_use]
    pub const fn glyph(self) -> u8 {
        match self {
            Self::Inaccuracy => 6,
            Self::Mistake => 2,
            Self::Blunder => 4,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_begin_at_their_thresholds() {
        assert_eq!(Fault::of(0.0), None);
        for fault in Fault::ALL {
            assert_eq!(Fault::of(fault.threshold()), Some(fault));
            assert!(Fault::of(fault.threshold() - 0.01) < Some(fault));
        }
        assert_eq!(Fault::of(1.0), Some(Fault::Blunder));
    }
}
