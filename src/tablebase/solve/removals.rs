//! What a closed mill is worth: the best removal, for every pair of sets with a mill.

use bytemuck::allocation::zeroed_vec;
use rayon::prelude::*;

use super::block::Block;
use super::place_ranks::PlaceRanks;
use crate::board::{Diagonals, SquareSet, Symmetry, lines};
use crate::tablebase::classes::{Class, Classes};
use crate::tablebase::ranks::{compress, sets};
use crate::tablebase::sector::Sector;
use crate::tablebase::solved::Solved;
use crate::tablebase::value::Value;
use crate::tablebase::watcher::{Stopped, Watcher, check};

/// The preference, for a side that has just closed a mill, of its men against the opponent's, by
/// the class of its own men.
pub struct Removals {
    classes: &'static Classes,
    /// For each class with a mill the start of its block.
    starts: Vec<usize>,
    preferences: Vec<u8>,
    ranks: PlaceRanks,
}

impl Removals {
    /// `sector` is that in which mills are closed, `solved` the one that a removal comes to; none
    /// when it wins.
    pub fn of(
        sector: Sector,
        solved: Option<&Solved>,
        watcher: &dyn Watcher,
    ) -> Result<Self, Stopped> {
        let classes = Classes::of(sector.own());
        let len = sector.reply().block_len();
        let numbers: Vec<usize> = with_mill(classes).collect();
        let mut starts = vec![0; classes.len()];
        (0..).zip(&numbers).for_each(|(index, &number)| starts[number] = index * len);
        let mut preferences = zeroed_vec(numbers.len() * len);
        let ranks = PlaceRanks::of(sector.opponent() - 1);
        let blocks = preferences.par_chunks_mut(len).zip(numbers);
        blocks.try_for_each(|(preferences, number)| {
            check(watcher)?;
            let Some(solved) = solved else {
                preferences.fill(Value::LOST.before_move().preference());
                return Ok(());
            };
            let block = Block::new(classes.leader(number), sector.opponent());
            let sets = sets(block.free_places(), sector.opponent());
            for (preference, places) in preferences.iter_mut().zip(sets) {
                *preference = best(&block, places, solved.block(number), &ranks);
            }
            Ok(())
        })?;
        Ok(Self { classes, starts, preferences, ranks: PlaceRanks::of(sector.opponent()) })
    }

    /// The class of the men of a side that has just closed a mill.
    #[inline]
    pub fn class(&self, own: SquareSet) -> Class {
        self.classes.find(own)
    }

    /// Where to find a position in which a side with men of a class has just closed a mill, by the
    /// images of the opponent's men.
    #[inline]
    pub fn index(&self, own: Class, opponent: &[SquareSet; Symmetry::COUNT]) -> usize {
        let opponent = opponent[own.to_leader.number()];
        let places = compress(opponent, !self.classes.leader(own.number));
        self.starts[own.number] + self.ranks.rank(places)
    }

    /// The preference for the position with an index.
    #[inline]
    pub fn preference(&self, index: usize) -> u8 {
        self.preferences[index]
    }

    /// How many bytes the removals in a sector take.
    pub fn memory(sector: Sector) -> u64 {
        let classes = Classes::of(sector.own());
        let positions = with_mill(classes).count() * sector.reply().block_len();
        (positions + classes.len() * size_of::<usize>()) as u64
    }
}

/// The classes of sets that have a mill.
fn with_mill(classes: &Classes) -> impl Iterator<Item = usize> {
    let mills = |number: &usize| lines::count_mills(classes.leader(*number), Diagonals::Without);
    (0..classes.len()).filter(move |number| mills(number) != 0)
}

/// The preference for the best removal from the men on a set of places.
fn best(block: &Block, places: u32, after: &[Value], ranks: &PlaceRanks) -> u8 {
    let men = block.men(places);
    let free = men - lines::in_mills(men, Diagonals::Without);
    let removable = if free.is_empty() { men } else { free };
    let values = removable.into_iter().map(|man| after[ranks.rank(places ^ block.place(man))]);
    values.map(|value| value.before_move().preference()).max().unwrap_or(0)
}
