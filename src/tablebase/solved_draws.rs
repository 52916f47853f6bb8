//! The values of the draws of a sector in memory.

use bytemuck::{TransparentWrapper, TransparentWrapperAlloc, Zeroable};

use super::sector::Sector;

/// What a position is worth in the [order among draws](super::DrawOrder), for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, TransparentWrapper, Zeroable)]
#[repr(transparent)]
pub struct DrawCode(u16);

const OFFSET: i16 = 1 << 7;

impl DrawCode {
    /// It is lost.
    pub const LOST: Self = Self(0);
    /// It is won.
    pub const WON: Self = Self(u16::MAX);

    /// It is drawn, and comes to rest in the sector with a rank after some turns.
    #[inline]
    pub const fn drawn(rank: i8, turns: u8) -> Self {
        Self(((rank as i16 + OFFSET) as u16) << 8 | turns as u16)
    }

    /// The rank of the sector in which it comes to rest, and the turns until then, or `None` if it is decided.
    #[inline]
    pub const fn draw(self) -> Option<(i8, u8)> {
        match self {
            Self::LOST | Self::WON => None,
            Self(code) => Some((((code >> 8) as i16 - OFFSET) as i8, code as u8)),
        }
    }

    /// The code that a preference stands for in a sector with a rank.
    #[inline]
    pub const fn preferred(preference: u16, rank: i8) -> Self {
        Self(preference).turned(rank)
    }

    /// The codes that preferences are, before [`preferred`](Self::preferred) makes them codes of positions.
    pub fn all_from_preferences(preferences: Vec<u16>) -> Vec<Self> {
        Self::wrap_vec(preferences)
    }

    /// The preference that it is, if it has not been made the code of a position.
    #[inline]
    pub const fn as_preference(self) -> u16 {
        self.0
    }

    /// A number that is higher for what the side that has moved prefers, if it has moved to a position with
    /// this code from a sector with a rank: above that rank soon, below it late. It is 0 for a move that loses.
    #[inline]
    pub const fn preference_before(self, rank: i8) -> u16 {
        match self.draw() {
            Some((value, turns)) => Self::drawn(-value, turns.saturating_add(1)).turned(rank).0,
            None => !self.0,
        }
    }

    /// With the turns counted the other way above a rank.
    #[inline]
    const fn turned(self, rank: i8) -> Self {
        match self.draw() {
            Some((value, turns)) if value > rank => Self::drawn(value, u8::MAX - turns),
            _ => self,
        }
    }
}

/// A sector with the code of every position.
pub struct SolvedDraws {
    /// The sector.
    pub sector: Sector,
    codes: Vec<DrawCode>,
}

impl SolvedDraws {
    /// A sector with the codes of all positions in the order of their indices.
    pub fn new(sector: Sector, codes: Vec<DrawCode>) -> Self {
        Self { sector, codes }
    }

    /// The codes of all positions in the order of their indices.
    pub fn codes(&self) -> &[DrawCode] {
        &self.codes
    }

    /// The codes of a block, by rank.
    #[inline]
    pub fn block(&self, block: usize) -> &[DrawCode] {
        let len = self.sector.block_len();
        &self.codes[block * len..][..len]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn better_sectors_come_soon_and_worse_ones_late() {
        // From a sector with rank 2, the worst first, as codes of the positions moved to.
        let order = [
            DrawCode::WON,
            DrawCode::drawn(3, 7),
            DrawCode::drawn(3, 9),
            DrawCode::drawn(-1, 0),
            DrawCode::drawn(-2, 0),
            DrawCode::drawn(-3, 9),
            DrawCode::drawn(-3, 7),
            DrawCode::drawn(-5, 250),
            DrawCode::LOST,
        ];
        let preferences = order.map(|code| code.preference_before(2));
        assert!(preferences.is_sorted_by(|a, b| a < b), "{preferences:?}");
        assert_eq!(preferences[0], 0);
        for (code, preference) in order.into_iter().zip(preferences) {
            let before = code.draw().map(|(rank, turns)| (-rank, turns + 1));
            assert_eq!(DrawCode::preferred(preference, 2).draw(), before);
        }
    }
}
