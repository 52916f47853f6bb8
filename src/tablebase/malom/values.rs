//! The list of sector values.

use std::collections::HashMap;
use std::io::Read;
use std::path::Path;

use crate::system::regular_file;
use crate::tablebase::file::Flaw;
use crate::tablebase::sector::Sector;

/// More bytes than any list has.
const MOST_BYTES: u64 = 1 << 20;

/// The value of each sector of a game.
pub struct SectorValues {
    /// The value of a win; that of a loss is the opposite.
    win: i32,
    /// By men of the side to move and of the opponent, and by men in hand of each.
    values: HashMap<[usize; 4], i32>,
}

impl SectorValues {
    /// Reads the list.
    ///
    /// # Errors
    ///
    /// When it cannot be read, or a line is not what it should be.
    pub fn read(path: &Path) -> Result<Self, Flaw> {
        let mut bytes = Vec::new();
        regular_file::open(path)?.take(MOST_BYTES).read_to_end(&mut bytes)?;
        Self::parse(&String::from_utf8_lossy(&bytes))
    }

    /// The sector of the moving phase with a value, the first of several, or `None` for 0, where neither side is
    /// favoured.
    pub fn sector(&self, value: i32) -> Option<Sector> {
        let is_it = |&(_, &other): &(&[usize; 4], &i32)| other == value && value != 0;
        let listed = self.values.iter().filter(is_it);
        let moving = listed.filter_map(|(men, _)| match *men {
            [own, opponent, 0, 0] => Sector::new(own, opponent),
            _ => None,
        });
        moving.min()
    }

    /// Reads the text of a list.
    fn parse(text: &str) -> Result<Self, Flaw> {
        let mut lines = Lines { lines: text.lines(), number: 0 };
        let loss = lines.next(|line| named(line, "virt_loss_val:"))?;
        let win = lines.next(|line| named(line, "virt_win_val:").filter(|&win| win == -loss))?;
        let count: u32 = lines.next(|line| line.trim().parse().ok())?;
        let mut values = HashMap::new();
        for _ in 0..count {
            let (sector, value) = lines.next(sector_value)?;
            values.insert(sector, value);
        }
        Ok(Self { win: win.abs(), values })
    }

    /// The value of a win.
    pub const fn win(&self) -> i32 {
        self.win
    }

    /// The value of a sector, if it is listed.
    pub fn of(&self, sector: Sector) -> Option<i32> {
        let [own_hand, hand] = sector.hands();
        self.values.get(&[sector.own(), sector.opponent(), own_hand, hand]).copied()
    }
}

/// The lines of a list, counted.
struct Lines<'a> {
    lines: std::str::Lines<'a>,
    number: usize,
}

impl Lines<'_> {
    /// What the next line says.
    fn next<T>(&mut self, parse: impl FnOnce(&str) -> Option<T>) -> Result<T, Flaw> {
        self.number += 1;
        self.lines.next().and_then(parse).ok_or(Flaw::Line(self.number))
    }
}

/// The number after a name. Values are numbers of 16 bits.
fn named(line: &str, name: &str) -> Option<i32> {
    line.trim().strip_prefix(name)?.trim().parse::<i16>().ok().map(i32::from)
}

/// The numbers of men of a sector and its value.
fn sector_value(line: &str) -> Option<([usize; 4], i32)> {
    let mut words = line.split_ascii_whitespace();
    let mut men = [0; 4];
    for number in &mut men {
        *number = words.next()?.parse().ok()?;
    }
    let value: i16 = words.next()?.parse().ok()?;
    words.next().is_none().then_some((men, value.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = "virt_loss_val: -299\nvirt_win_val: 299\n2\n3 4 0 0  40\n4 3 0 0  -40\n";

    #[test]
    fn values_are_those_of_the_side_to_move() {
        for text in [LIST.to_owned(), LIST.replace('\n', "\r\n"), LIST.trim_end().to_owned()] {
            let values = SectorValues::parse(&text).unwrap();
            let of = |own, opponent| values.of(Sector::new(own, opponent).unwrap());
            assert_eq!(
                (values.win(), of(3, 4), of(4, 3), of(3, 3)),
                (299, Some(40), Some(-40), None)
            );
            assert_eq!(
                [-40, 0, 1].map(|value| values.sector(value)),
                [Sector::new(4, 3), None, None]
            );
        }
    }

    #[test]
    fn a_wrong_line_is_named() {
        let parse = |text: &str| SectorValues::parse(text).err().map(|flaw| flaw.to_string());
        for (wrong, number) in [
            (LIST.replace("299", "2999999"), 1),
            (LIST.replace("val: 299", "val: 298"), 2),
            (LIST.replace("\n2\n", "\ntwo\n"), 3),
            (LIST.replace("  40", ""), 4),
            (LIST.replace("\n2\n", "\n3\n"), 6),
            (LIST.replace("-40", "-40 1"), 5),
            (String::new(), 1),
        ] {
            let found = parse(&wrong);
            let expected = format!("line {number} is not one of sector values");
            assert_eq!(found, Some(expected), "{wrong}");
        }
    }
}
