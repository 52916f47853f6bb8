//! Writing files as Malom does, from whatever values a test has, by the description of the format and by none of
//! the code that reads them: points, symmetries, leaders and ranks are made here in the plainest way.

use std::array;
use std::fs;
use std::io::Write;
use std::iter;
use std::path::{Path, PathBuf};

use millstone::board::SquareSet;

/// Points in the order of their bits.
const POINTS: [&str; 24] = [
    "a4", "a7", "d7", "g7", "g4", "g1", "d1", "a1", //
    "b4", "b6", "d6", "f6", "f4", "f2", "d2", "b2", //
    "c4", "c5", "d5", "e5", "e4", "e3", "d3", "c3",
];

/// The value of a win in Nine Men's Morris.
pub const STD_WIN: i32 = 299;

/// What a position is worth to the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Worth {
    /// The value of a win or a loss, or that of the sector in which the game comes to rest.
    pub value: i32,
    /// Plies to the end, or to that sector.
    pub plies: i32,
}

/// A sector file to write.
#[derive(Clone, Copy)]
pub struct Written<'a> {
    pub prefix: &'a str,
    /// Men of the side to move and of the opponent, and men in hand of each.
    pub men: [u32; 4],
    /// The value of the sector.
    pub sector_value: i32,
    /// The bits of the first field of a slot.
    pub bits: u32,
}

impl Written<'_> {
    /// Its path in a folder.
    pub fn path(&self, folder: &Path) -> PathBuf {
        let [own, opponent, own_hand, hand] = self.men;
        folder.join(format!("{}_{own}_{opponent}_{own_hand}_{hand}.sec2", self.prefix))
    }

    /// Writes the file. Of the slots of one position the last has its value, and the others say so.
    ///
    /// Returns how many such others, and how many pairs there are.
    pub fn write(
        &self,
        folder: &Path,
        worth: impl Fn(SquareSet, SquareSet) -> Worth,
    ) -> [usize; 2] {
        let [own_men, opponent_men, ..] = self.men;
        let maps = symmetries();
        let mut slots: Vec<u8> = Vec::new();
        let mut pairs: Vec<(u32, i32)> = Vec::new();
        let mut elsewhere = 0;
        let see_pairs = -(1 << (24 - self.bits - 1));
        for leader in leaders(&maps, own_men) {
            let stabilizer: Vec<_> =
                maps.iter().filter(|map| image(map, leader) == leader).collect();
            let free: Vec<usize> = points(!leader).collect();
            for chosen in sets(opponent_men, free.len()) {
                let opponent: u32 = points(chosen).map(|number| 1 << free[number]).sum();
                let holder = stabilizer.iter().map(|map| image(map, opponent)).max().unwrap();
                let [mut first, mut second] = [0, -1];
                if holder == opponent {
                    let worth = worth(squares(leader), squares(opponent));
                    [first, second] = [worth.value - self.sector_value, worth.plies];
                } else {
                    elsewhere += 1;
                }
                if second <= see_pairs || second >= -see_pairs {
                    pairs.push(((slots.len() / 3) as u32, second));
                    second = see_pairs;
                }
                let mask = (1_i32 << self.bits) - 1;
                assert!(first >= -(mask + 1) / 2 && first <= mask / 2, "{first} fits");
                let slot = (first & mask) | second << self.bits;
                slots.extend(&slot.to_le_bytes()[..3]);
            }
        }
        let mut file = Vec::new();
        for number in [2, 3, self.bits] {
            file.extend(number.to_le_bytes());
        }
        file.resize(64, 7);
        file.extend(slots);
        file.extend((pairs.len() as u32).to_le_bytes());
        for &(slot, second) in &pairs {
            file.extend(slot.to_le_bytes());
            file.extend(second.to_le_bytes());
        }
        fs::write(self.path(folder), file).expect("a file can be written");
        [elsewhere, pairs.len()]
    }
}

/// Writes the list of the values of sectors, given by their men and men in hand.
pub fn write_values(folder: &Path, prefix: &str, win: i32, values: &[([u32; 4], i32)]) {
    let path = folder.join(format!("{prefix}.secval"));
    let mut list = fs::File::create(path).expect("a file can be made");
    write!(list, "virt_loss_val: {}\nvirt_win_val: {win}\n{}\n", -win, values.len()).unwrap();
    for ([own, opponent, own_hand, hand], value) in values {
        writeln!(list, "{own} {opponent} {own_hand} {hand}  {value}").unwrap();
    }
}

/// The place of a point: columns and rows from the middle of the board.
fn place(point: usize) -> [i32; 2] {
    let name = POINTS[point].as_bytes();
    [i32::from(name[0]) - i32::from(b'd'), i32::from(name[1]) - i32::from(b'4')]
}

/// For each symmetry the image of each point.
fn symmetries() -> Vec<[usize; 24]> {
    let image = |number: usize, point| {
        let [mut x, mut y] = place(point);
        for _ in 0..number % 4 {
            [x, y] = [y, -x];
        }
        if number & 4 != 0 {
            x = -x;
        }
        if number & 8 != 0 {
            let ring = x.abs().max(y.abs());
            [x, y] = [x, y].map(|at| at / ring * (4 - ring));
        }
        (0..24).find(|&other| place(other) == [x, y]).expect("a point")
    };
    (0..16).map(|number| array::from_fn(|point| image(number, point))).collect()
}

/// The numbers of the bits of a set.
fn points(set: u32) -> impl Iterator<Item = usize> {
    (0..24).filter(move |point| set >> point & 1 == 1)
}

fn image(map: &[usize; 24], set: u32) -> u32 {
    points(set).map(|point| 1 << map[point]).sum()
}

/// The first set of each orbit, in the order of the bits.
fn leaders(maps: &[[usize; 24]], men: u32) -> Vec<u32> {
    let is_first = |set: &u32| maps.iter().all(|map| image(map, *set) >= *set);
    sets(men, POINTS.len()).filter(is_first).collect()
}

/// The sets of so many of some points, in the order of their bits.
fn sets(men: u32, points: usize) -> impl Iterator<Item = u32> {
    let next = |&set: &u32| {
        let lowest = set & set.wrapping_neg();
        let carried = set + lowest;
        Some(carried | ((carried ^ set) >> 2).checked_div(lowest)?)
    };
    iter::successors(Some((1 << men) - 1), next).take_while(move |set| set >> points == 0)
}

/// A set of bits as points.
fn squares(set: u32) -> SquareSet {
    points(set).map(|point| POINTS[point].parse().unwrap()).collect()
}
