//! Win, draw or loss, five to a byte.

use std::fmt;

use super::value::Value;

/// What a position is worth under perfect play, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Wdl {
    /// It loses.
    Loss,
    /// Nobody can force the end of the game.
    Draw,
    /// It wins.
    Win,
}

/// How many positions share a byte, since 3 to the fifth is just below 256.
pub(super) const PER_BYTE: usize = 5;

/// What each byte tells; those that are never written tell of draws.
const UNPACKED: [[Wdl; PER_BYTE]; 1 << 8] = {
    let mut unpacked = [[Wdl::Draw; PER_BYTE]; 1 << 8];
    let mut byte = 0;
    while byte < 3_usize.pow(PER_BYTE as u32) {
        let mut rest = byte;
        let mut index = 0;
        while index < PER_BYTE {
            unpacked[byte][index] = [Wdl::Loss, Wdl::Draw, Wdl::Win][rest % 3];
            rest /= 3;
            index += 1;
        }
        byte += 1;
    }
    unpacked
};

/// Packs the values of at most five positions; the rest of the byte tells of losses.
pub(super) fn pack(values: &[Value]) -> u8 {
    values.iter().rev().fold(0, |byte, value| 3 * byte + Wdl::from(*value) as u8)
}

/// What a byte tells of its five positions.
#[inline]
pub(super) fn unpack(byte: u8) -> [Wdl; PER_BYTE] {
    UNPACKED[usize::from(byte)]
}

impl From<Value> for Wdl {
    fn from(value: Value) -> Self {
        if value.is_win() {
            Self::Win
        } else if value.is_loss() {
            Self::Loss
        } else {
            Self::Draw
        }
    }
}

impl Wdl {
    /// The value of a move, for the side that plays it, to a position with this value.
    #[inline]
    #[must_use]
    pub const fn before_move(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }
}

impl fmt::Display for Wdl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Loss => "loss",
            Self::Draw => "draw",
            Self::Win => "win",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_positions_go_into_a_byte_and_come_back() {
        for byte in 0..3_u8.pow(PER_BYTE as u32) {
            let values = unpack(byte).map(|wdl| match wdl {
                Wdl::Loss => Value::LOST,
                Wdl::Draw => Value::DRAW,
                Wdl::Win => Value::ends_in(1),
            });
            assert_eq!(pack(&values), byte);
        }
    }
}
