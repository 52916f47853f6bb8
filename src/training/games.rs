//! Positions as play has them: games between players that err, each more or less often.

use std::ops::Range;

use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;

use crate::evaluate::evaluate_by_hand;
use crate::position::{Ending, Move, Position};
use crate::rules::Standard;
use crate::score::Score;

/// The longest game, in moves and removals.
const MOST_PLIES: usize = 120;

/// How much the judgement of a move is blurred, in hundredths of a man.
const BLUR: i32 = 25;

/// The positions of some games in which no removal is owed and the side to move can move, game by
/// game; each game depends on its number and the seed alone.
pub fn play(seed: u64, games: Range<u64>) -> Vec<Position<Standard>> {
    let played = games.into_par_iter().map(|number| {
        let mut rng =
            Xoshiro256PlusPlus::seed_from_u64(seed ^ number.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        play_one(&mut rng)
    });
    played.flatten_iter().collect()
}

fn play_one(rng: &mut Xoshiro256PlusPlus) -> Vec<Position<Standard>> {
    let errors: [f64; 2] = std::array::from_fn(|_| rng.random::<f64>().powi(2));
    let mut position = Position::start(Standard);
    let mut positions = Vec::new();
    for _ in 0..MOST_PLIES {
        if position.ending().is_some() {
            break;
        }
        if position.pending() == 0 {
            positions.push(position);
        }
        let moves = position.moves();
        let errs = rng.random_bool(errors[position.to_move() as usize]);
        let random = moves.choose(rng).copied().filter(|_| errs);
        let best = || moves.iter().copied().max_by_key(|&mv| judge(&position, mv, rng));
        let Some(mv) = random.or_else(best) else { break };
        position = position.after(mv);
    }
    positions
}

/// What a move seems to be worth at first sight.
fn judge(position: &Position<Standard>, mv: Move, rng: &mut Xoshiro256PlusPlus) -> Score {
    let after = position.after(mv);
    let blur = rng.random_range(-BLUR..=BLUR);
    let plays_on = after.plays_on(position.to_move());
    match after.ending() {
        Some(Ending::Loss(_)) => Score::TABLEBASE_WIN,
        _ if plays_on => Score::CURSED_WIN,
        _ => Score::estimate(blur - i32::from(evaluate_by_hand(&after).bits().cast_signed())),
    }
}
