//! Where examples come from: positions of games and of tablebase sectors, and what they are worth.

use std::iter;
use std::ops::Range;

use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;

use super::regression::{Example, Features, features, sum};
use crate::board::SquareSet;
use crate::evaluate::weights::{PAIRS, pair};
use crate::evaluate::{STAGES, evaluate_by_hand, losses, stage};
use crate::position::{Ending, Move, Position};
use crate::rules::Standard;
use crate::score::{Score, expectation, log_odds};
use crate::tablebase::{Sector, Tablebase, Value, Wdl};

/// The longest game, in moves and removals.
const MAX_PLIES: usize = 120;

/// The noise in the estimate of a move, in hundredths of a man.
const NOISE: i32 = 25;

/// How much of a win is left with each ply that it takes.
///
/// Where every position is won, this shows the way to the end; it is so near to 1 that the longest
/// win still counts far more than a draw.
const DISCOUNT: f32 = 0.998;

/// The depth of the searches while placing, in placements.
const DEPTH: u32 = 3;

/// The log-odds of a side that has won, the greatest there are.
const WON: f32 = 7.0;

/// Plays games between players that err, each more or less often.
///
/// Gives the positions in which no removal is owed and the side to move can move, game by game;
/// each game depends on its number and the seed alone.
pub fn play_games(seed: u64, games: Range<u64>) -> Vec<Position<Standard>> {
    let played = games.into_par_iter().map(|number| {
        let mut rng =
            Xoshiro256PlusPlus::seed_from_u64(seed ^ number.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        play_game(&mut rng)
    });
    played.flatten_iter().collect()
}

fn play_game(rng: &mut Xoshiro256PlusPlus) -> Vec<Position<Standard>> {
    let errors: [f64; 2] = std::array::from_fn(|_| rng.random::<f64>().powi(2));
    let mut position = Position::start(Standard);
    let mut positions = Vec::new();
    for _ in 0..MAX_PLIES {
        if position.ending().is_some() {
            break;
        }
        if position.pending() == 0 {
            positions.push(position);
        }
        let moves = position.moves();
        let errs = rng.random_bool(errors[position.to_move() as usize]);
        let random = moves.choose(rng).copied().filter(|_| errs);
        let best = || moves.iter().copied().max_by_key(|&mv| estimate(&position, mv, rng));
        let Some(mv) = random.or_else(best) else { break };
        position = position.after(mv);
    }
    positions
}

/// An estimate of a move with noise.
fn estimate(position: &Position<Standard>, mv: Move, rng: &mut Xoshiro256PlusPlus) -> Score {
    let after = position.after(mv);
    let noise = rng.random_range(-NOISE..=NOISE);
    let plays_on = after.plays_on(position.to_move());
    match after.ending() {
        Some(Ending::Loss(_)) => Score::TABLEBASE_WIN,
        _ if plays_on => Score::CURSED_WIN,
        _ => Score::estimate(noise - i32::from(evaluate_by_hand(&after).bits().cast_signed())),
    }
}

/// The positions of games with all men placed, by the number of their sets, for the side to move.
pub fn by_sector(played: &[Position<Standard>]) -> Vec<Vec<(SquareSet, SquareSet)>> {
    let mut by_sector = vec![Vec::new(); PAIRS];
    for position in played {
        let (own, opponent) = men(position);
        if hands(position) == [0, 0] && !position.has_too_few_men() {
            by_sector[pair([own.len(), opponent.len()])].push((own, opponent));
        }
    }
    by_sector
}

/// The number of the set of a sector.
pub fn number_of(sector: Sector) -> usize {
    pair([sector.own(), sector.opponent()].map(|men| men as u32))
}

/// Examples of a sector, shuffled: up to half of `wanted` are positions of games, the others are
/// drawn evenly from the whole sector. `None` if the tablebase does not have their values.
pub fn of_sector(
    tablebase: &Tablebase,
    sector: Sector,
    played: &[(SquareSet, SquareSet)],
    wanted: usize,
    seed: u64,
) -> Option<Vec<Example>> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed ^ number_of(sector) as u64);
    let played = &played[..played.len().min(wanted / 2)];
    let drawn = iter::repeat_with(|| {
        let number = rng.random_range(0..sector.len());
        sector.position(number)
    });
    let positions: Vec<_> =
        drawn.take(wanted - played.len()).chain(played.iter().copied()).collect();
    let example = |(own, opponent)| {
        let value = tablebase.value(sector, own, opponent)?;
        let features = features(own, opponent, 0);
        Some(Example { features, target: target(value), wdl: Some(value.into()) })
    };
    let mut examples: Vec<Example> = positions.into_iter().map(example).collect::<Option<_>>()?;
    examples.shuffle(&mut rng);
    Some(examples)
}

/// The share of a point expected of a value, from 0 for an immediate loss to 1 for an immediate win.
fn target(value: Value) -> f32 {
    match (Wdl::from(value), value.turns()) {
        (Wdl::Win, Some(turns)) => 0.5 + 0.5 * DISCOUNT.powi(turns.into()),
        (Wdl::Loss, Some(turns)) => 0.5 - 0.5 * DISCOUNT.powi(turns.into()),
        _ => 0.5,
    }
}

/// The positions of games with men in hand, by the stages of placing.
pub fn by_stage(played: &[Position<Standard>]) -> Vec<Vec<Position<Standard>>> {
    let mut by_stage = vec![Vec::new(); STAGES];
    for position in played {
        let hands = hands(position);
        if hands != [0, 0] {
            by_stage[stage(hands)].push(*position);
        }
    }
    by_stage
}

/// Searches positions with men in hand, given the weights of all later stages.
///
/// In the last stages the searches end in the tablebase, and so are exact; before, they end in
/// positions that the weights of later stages evaluate.
pub struct PlacingSearch<'a> {
    pub tablebase: &'a Tablebase,
    /// Weights of stages, the last stage first.
    pub later_stages: Vec<Vec<f32>>,
}

impl PlacingSearch<'_> {
    /// Examples of the next stage; `None` if the tablebase lacks values of positions after placing.
    pub fn examples(&self, positions: &[Position<Standard>]) -> Option<Vec<Example>> {
        let example = |position: &Position<Standard>| {
            let log_odds = self.search(*position, DEPTH, -f32::INFINITY, f32::INFINITY)?;
            let target = expectation(log_odds);
            Some(Example { features: features_of(position), target, wdl: None })
        };
        positions.par_iter().map(example).collect()
    }

    /// The log-odds of the side to move, by alpha-beta.
    fn search(
        &self,
        position: Position<Standard>,
        depth: u32,
        alpha: f32,
        beta: f32,
    ) -> Option<f32> {
        if let Some(Ending::Loss(_)) = position.ending() {
            return Some(-WON);
        }
        if position.pending() == 0 {
            let hands = hands(&position);
            if hands == [0, 0] {
                let value = self.tablebase.probe_value(&position)?;
                return Some(log_odds(target(value)).clamp(-WON, WON));
            }
            if depth == 0 {
                let weights = &self.later_stages[stage(hands)];
                return Some(sum(weights, &features_of(&position)).clamp(-WON, WON));
            }
        }
        let depth_below = depth - u32::from(position.pending() == 0);
        let mut best = -f32::INFINITY;
        for &mv in &position.moves() {
            let after = position.after(mv);
            let alpha = alpha.max(best);
            let log_odds = if after.plays_on(position.to_move()) {
                self.search(after, depth_below, alpha, beta)?
            } else {
                -self.search(after, depth_below, -beta, -alpha)?
            };
            best = best.max(log_odds);
            if best >= beta {
                break;
            }
        }
        Some(best)
    }
}

/// The men of the side to move and those of the opponent.
fn men(position: &Position<Standard>) -> (SquareSet, SquareSet) {
    let side = position.to_move();
    (position.men(side), position.men(!side))
}

/// The numbers of men in hand, the side to move first.
fn hands(position: &Position<Standard>) -> [u8; 2] {
    let side = position.to_move();
    [position.in_hand(side), position.in_hand(!side)]
}

fn features_of(position: &Position<Standard>) -> Features {
    let (own, opponent) = men(position);
    features(own, opponent, losses([own.len(), opponent.len()], hands(position)))
}
