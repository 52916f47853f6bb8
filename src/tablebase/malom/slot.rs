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
pub const BITS: u32 = 8 * SLOT as u32;

/// The two numbers of a slot: that in the low bits, of which there are some, and that in the rest.
pub fn fields(first_bits: u32, [low, middle, high]: [u8; SLOT]) -> [i32; 2] {
    let slot = u32::from_le_bytes([low, middle, high, 0]);
    // Shifted to the left end of a word and back, each is as its sign says.
    let signed = |number: u32, bits| (number << (u32::BITS - bits)) as i32 >> (u32::BITS - bits);
    [signed(slot, first_bits), signed(slot >> first_bits, BITS - first_bits)]
}

/// The second field that stands for that of a pair.
pub const fn see_pairs(first_bits: u32) -> i32 {
    -1 << (BITS - first_bits - 1)
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

/// What the fields of a slot say in a sector with a value, `win` being the value of a win, or `None` if they say
/// nothing.
pub fn read([first, second]: [i32; 2], sector_value: i32, win: i32) -> Option<Slot> {
    if first == 0 && second < 0 {
        return Some(Slot::Elsewhere);
    }
    let absolute = sector_value + first;
    if absolute.abs() < win {
        return Some(Slot::Value { value: Value::DRAW, absolute });
    }
    let is_win = absolute == win;
    let is_right = (is_win || absolute == -win) && second >= 0 && (second % 2 == 1) == is_win;
    // Plies that are too many are the most turns of their kind.
    let most = Value::MOST_TURNS - u8::from(!is_win);
    let turns = u8::try_from(second).map_or(most, |plies| plies.min(most));
    is_right.then(|| Slot::Value { value: Value::ends_in(turns), absolute })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_have_signs() {
        let of_slot = |bits, slot: u32| {
            let [low, middle, high, _] = slot.to_le_bytes();
            fields(bits, [low, middle, high])
        };
        assert_eq!(of_slot(12, 0x00_2001), [1, 2]);
        assert_eq!(of_slot(12, 0xff_ffff), [-1, -1]);
        assert_eq!(of_slot(12, 0x80_07ff), [2047, -2048]);
        assert_eq!(of_slot(14, 0x80_2000), [-8192, -512]);
        assert_eq!(of_slot(20, 0x78_0000), [-524_288, 7]);
        assert_eq!([12, 20].map(see_pairs), [-2048, -8]);
    }

    #[test]
    fn values_are_above_or_below_that_of_the_sector() {
        let read = |first, second| read([first, second], 40, 299);
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
