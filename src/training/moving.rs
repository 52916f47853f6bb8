//! A set of weights for each pair of men counts, from the databases.

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::example::{Example, features, target};
use crate::board::{Side, SquareSet};
use crate::position::Position;
use crate::rules::Standard;
use crate::tablebase::{Sector, Tablebase};

/// Examples of a sector: positions of games, and as many as are still wanted drawn evenly; none if
/// their values are not known.
pub fn examples(
    tablebase: &Tablebase,
    sector: Sector,
    played: &[(SquareSet, SquareSet)],
    wanted: usize,
    seed: u64,
) -> Option<Vec<Example>> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed ^ sector.index() as u64);
    let played = &played[..played.len().min(wanted / 2)];
    let drawn = std::iter::repeat_with(|| {
        let number = rng.random_range(0..sector.len());
        sector.position(sector.numbered(number))
    });
    let positions: Vec<_> =
        drawn.take(wanted - played.len()).chain(played.iter().copied()).collect();
    let example = |(own, opponent)| {
        let value = tablebase.value(own, opponent)?;
        let features = features(own, opponent, 0);
        Some(Example { features, target: target(value), wdl: Some(value.into()) })
    };
    let mut examples: Vec<Example> = positions.into_iter().map(example).collect::<Option<_>>()?;
    examples.shuffle(&mut rng);
    Some(examples)
}

/// The positions of games in which all men are placed, by their sectors.
pub fn by_sector(played: &[Position<Standard>]) -> Vec<Vec<(SquareSet, SquareSet)>> {
    let mut by_sector = vec![Vec::new(); Sector::COUNT];
    for position in played {
        let side = position.to_move();
        let (own, opponent) = (position.men(side), position.men(!side));
        let sector = Sector::new(own.len() as usize, opponent.len() as usize);
        let is_placed = Side::ALL.into_iter().all(|side| position.in_hand(side) == 0);
        if let Some(sector) = sector.filter(|_| is_placed) {
            by_sector[sector.index()].push((own, opponent));
        }
    }
    by_sector
}
