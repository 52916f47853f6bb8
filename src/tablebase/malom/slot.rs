//! What a slot says.
//!
//! The first field, where it is not 0, says by how much the value of the position is above that of its sector,
//! for the side to move. The sum is the value of a win, and the second field the plies to it; or the
//! value of a loss; or that of the sector in which a drawn game comes to rest. If the first field is 0
//! the game comes to rest in the sector itself, unless the second is below 0: then the value is in another
//! slot of the same position.
//!
//! A ply is what we call a turn: a removal belongs to the ply that closes the mill. A side that cannot
//! move has lost in 0 plies, so that wins are odd and losses even, as ours are.

use crate::tablebase::value::Value;

/// The bytes of a slot.
pub const SLOT: usize = 3;

/// The bits of a slot.
const BITS: u32 = 8 * SLOT as u32;

/// The two numbers of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fields {
    /// That in the low bits.
    pub first: i32,
    /// That in the rest.
    pub second: i32,
}

/// How the bits of a slot are shared by its two fields.
#[derive(Clone, Copy, Debug)]
pub struct Widths {
    first: u32,
}

impl Widths {
    /// A first field of some bits, or `None` if they leave no room for one of the two.
    pub fn new(first: u32) -> Option<Self> {
        (1..BITS).contains(&first).then_some(Self { first })
    }

    /// The numbers of a slot.
    pub const fn fields(self, [low, middle, high]: [u8; SLOT]) -> Fields {
        let slot = u32::from_le_bytes([low, middle, high, 0]);
        let second_bits = BITS - self.first;
        // Shifted to the left end of a word and back, each is as its sign says.
        let first = (slot << (u32::BITS - self.first)) as i32 >> (u32::BITS - self.first);
        let second =
            (slot >> self.first << (u32::BITS - second_bits)) as i32 >> (u32::BITS - second_bits);
        Fields { first, second }
    }

    /// The second field that stands for that of a pair.
    pub const fn see_pairs(self) -> i32 {
        -1 << (BITS - self.first - 1)
    }
}

/// What a slot says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// The value of the position.
    Value {
        /// With its distance.
        value: Value,
        /// That of a win, a loss, or the sector in which a drawn game comes to rest.
        absolute: i32,
    },
    /// The value is in another slot of the same position.
    Elsewhere,
}

impl Fields {
    /// What a slot says in a sector with a value, `win` being the value of a win, or `None` if it says
    /// nothing.
    pub fn read(self, sector_value: i32, win: i32) -> Option<Slot> {
        let Self { first, second } = self;
        if first == 0 && second < 0 {
            return Some(Slot::Elsewhere);
        }
        let absolute = sector_value + first;
        if absolute.abs() < win {
            return Some(Slot::Value { value: Value::DRAW, absolute });
        }
        let is_win = absolute == win;
        let is_right = (is_win || absolute == -win) && second >= 0 && (second % 2 == 1) == is_win;
        is_right.then(|| Slot::Value { value: Value::ends_in(turns(second, is_win)), absolute })
    }
}

/// The plies to a win or a loss as turns, those that are too many as the most of their kind.
fn turns(plies: i32, is_win: bool) -> u8 {
    let most = Value::MOST_TURNS - u8::from(!is_win);
    u8::try_from(plies).map_or(most, |plies| plies.min(most))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_have_signs() {
        let fields = |bits, slot: u32| {
            let [low, middle, high, _] = slot.to_le_bytes();
            Widths::new(bits).unwrap().fields([low, middle, high])
        };
        assert_eq!(fields(12, 0x00_2001), Fields { first: 1, second: 2 });
        assert_eq!(fields(12, 0xff_ffff), Fields { first: -1, second: -1 });
        assert_eq!(fields(12, 0x80_07ff), Fields { first: 2047, second: -2048 });
        assert_eq!(fields(14, 0x80_2000), Fields { first: -8192, second: -512 });
        assert_eq!(fields(20, 0x78_0000), Fields { first: -524_288, second: 7 });
        assert_eq!(Widths::new(12).unwrap().see_pairs(), -2048);
        assert_eq!(Widths::new(20).unwrap().see_pairs(), -8);
        assert!(Widths::new(0).is_none() && Widths::new(24).is_none());
    }

    #[test]
    fn values_are_above_or_below_that_of_the_sector() {
        let read = |first, second| Fields { first, second }.read(40, 299);
        let worth = |value, absolute| Some(Slot::Value { value, absolute });
        let ends_in = |turns, absolute| worth(Value::ends_in(turns), absolute);
        let drawn = |absolute| worth(Value::DRAW, absolute);
        assert_eq!([read(0, 0), read(-40, 3), read(20, 4)], [40, 0, 60].map(drawn));
        assert_eq!([read(259, 33), read(259, 255)], [33, 253].map(|turns| ends_in(turns, 299)));
        assert_eq!([read(-339, 0), read(-339, 2000)], [0, 252].map(|turns| ends_in(turns, -299)));
        assert_eq!(read(0, -3), Some(Slot::Elsewhere));
        for (first, second) in [(260, 1), (-340, 2), (259, 2), (-339, 1), (259, -1), (-339, -2)] {
            assert_eq!(read(first, second), None, "{first} {second}");
        }
    }
}
