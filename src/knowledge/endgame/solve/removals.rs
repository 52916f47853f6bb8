//! What a closed mill is worth: the best removal, for every pair of sets with a mill.

use rayon::prelude::*;

use super::Solved;
use super::block::{Block, PlaceRanks};
use crate::board::{Diagonals, SquareSet, lines};
use crate::knowledge::endgame::classes::{Class, Classes};
use crate::knowledge::endgame::ranks::{compress, rank, sets};
use crate::knowledge::endgame::sector::Sector;
use crate::knowledge::endgame::value::Value;

/// The value, for a side that has just closed a mill, of its men against the opponent's, by the
/// class of its own men.
pub struct Removals {
    /// The sector of the position in which the mill was closed.
    sector: Sector,
    block_len: usize,
    values: Vec<Value>,
}

impl Removals {
    /// `solved` is the sector that a removal comes to; none when it wins.
    pub fn of(sector: Sector, solved: Option<&Solved>) -> Self {
        let classes = Classes::of(sector.own());
        let block_len = sector.reply().block_len();
        let mut values = vec![Value::DRAW; classes.len() * block_len];
        let ranks = PlaceRanks::of(sector.opponent() - 1);
        values.par_chunks_mut(block_len).enumerate().for_each(|(number, values)| {
            let own = classes.leader(number);
            match solved {
                _ if lines::count_mills(own, Diagonals::Without) == 0 => {}
                None => values.fill(Value::LOST.before_move()),
                Some(solved) => {
                    let block = Block::new(own);
                    let free = block.free_places();
                    for (value, places) in values.iter_mut().zip(sets(free, sector.opponent())) {
                        *value = best(&block, places, solved.block(number), &ranks);
                    }
                }
            }
        });
        Self { sector, block_len, values }
    }

    /// The value of a position in which the side with `own` has just closed a mill.
    #[inline]
    pub fn value(&self, own: SquareSet, opponent: SquareSet) -> Value {
        let classes = Classes::of(self.sector.own());
        let Class { number, to_leader } = classes.find(own);
        let places = compress(to_leader.set(opponent), !classes.leader(number));
        self.values[number * self.block_len + rank(places) as usize]
    }
}

/// The value of the best removal from the men on a set of places.
fn best(block: &Block, places: u32, after: &[Value], ranks: &PlaceRanks) -> Value {
    let men = block.men(places);
    let free = men - lines::in_mills(men, Diagonals::Without);
    let removable = if free.is_empty() { men } else { free };
    let values = removable.into_iter().map(|man| after[ranks.rank(places ^ block.place(man))]);
    values.map(Value::before_move).max().unwrap_or(Value::DRAW)
}
