//! Random numbers, the same in each run, and games by them.

use std::iter;

use millstone::position::Position;
use millstone::rules::Rules;
pub use rand::rngs::Xoshiro256PlusPlus as Random;
pub use rand::seq::{IndexedRandom, IteratorRandom};
pub use rand::{RngExt, SeedableRng};

/// The random numbers of a seed.
pub fn seeded(seed: u64) -> Random {
    Random::seed_from_u64(seed)
}

/// The positions of a random game, the start first.
pub fn random_game<R: Rules>(rules: R, rng: &mut Random) -> impl Iterator<Item = Position<R>> {
    let mut last: Option<Position<R>> = None;
    iter::from_fn(move || {
        last = Some(match last {
            Some(last) => last.after(*last.moves().choose(rng)?),
            None => Position::start(rules),
        });
        last
    })
}

/// A position of a random game after so many moves, or where it ends.
pub fn random_position<R: Rules>(rules: R, plies: usize, rng: &mut Random) -> Position<R> {
    random_game(rules, rng).take(plies + 1).last().expect("a game begins")
}
