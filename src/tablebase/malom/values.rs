//! The list of sector values.

use std::collections::HashMap;
use std::io::Read;
use std::iter;
use std::path::Path;

use crate::system::regular_file;
use crate::tablebase::file::Flaw;
use crate::tablebase::sector::Sector;

/// More bytes than any list has.
const MOST_BYTES: u64 = 1 << 20;

/// The value of each sector of a game.
pub struct SectorValues {
    /// The value of a win; that of a loss is the opposite.
    pub win: i32,
    /// By the sector, whose side to move is not named.
    values: HashMap<Sector, i32>,
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
        let listed = self.values.iter().filter(|&(_, &other)| other == value && value != 0);
        listed.map(|(&sector, _)| sector).filter(|sector| !sector.is_placing()).min()
    }

    /// Reads the text of a list.
    fn parse(text: &str) -> Result<Self, Flaw> {
        let mut lines = text.lines().map(Some).chain(iter::repeat(None)).zip(1..);
        let mut next = |name: &str, count| {
            let (line, number) = lines.next().unwrap_or((None, 0));
            line.and_then(|line| numbers(line, name, count)).ok_or_else(|| wrong_line(number))
        };
        let (loss, win) = (next("virt_loss_val:", 1)?[0], next("virt_win_val:", 1)?[0]);
        if win != -loss {
            return Err(wrong_line(2));
        }
        let count = next("", 1)?[0];
        if count < 0 {
            return Err(wrong_line(3));
        }
        let mut values = HashMap::new();
        for number in 4..4 + count as usize {
            let line = next("", 5)?;
            if line[..4].iter().any(|&men| men < 0) {
                return Err(wrong_line(number));
            }
            let [own, opponent, own_hand, hand] = [0, 1, 2, 3].map(|men| line[men] as usize);
            let sector = Sector::with_hands([own, opponent], [own_hand, hand]);
            values.extend(sector.map(|sector| (sector, line[4])));
        }
        Ok(Self { win: win.abs(), values })
    }

    /// The value of a sector, if it is listed.
    pub fn of(&self, sector: Sector) -> Option<i32> {
        self.values.get(&sector.with_turn(None)).copied()
    }
}

/// The error where a line, from 1 on, is none of a list.
fn wrong_line(number: usize) -> Flaw {
    Flaw::Wrong(format!("line {number} is not one of sector values"))
}

/// So many numbers of 16 bits after a name, if a line has nothing else.
fn numbers(line: &str, name: &str, count: usize) -> Option<Vec<i32>> {
    let words = line.trim().strip_prefix(name)?.split_ascii_whitespace();
    let numbers: Result<Vec<i32>, _> =
        words.map(|word| word.parse::<i16>().map(i32::from)).collect();
    numbers.ok().filter(|numbers| numbers.len() == count)
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
                (values.win, of(3, 4), of(4, 3), of(3, 3)),
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
            (LIST.replace("\n2\n", "\n-1\n"), 3),
            (LIST.replace("  40", ""), 4),
            (LIST.replace("4 3 0 0", "4 -3 0 0"), 5),
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
