//! The examples: positions from games and from tablebase sectors, with their values.

use std::iter;

use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;

use super::regression::{Example, features};
use crate::board::SquareSet;
use crate::evaluate::{evaluate_by_hand, losses};
use crate::position::{Move, Outcome, Position, spread};
use crate::rules::RuleSet;
use crate::score::Score;
use crate::tablebase::{Sector, Solvable, Tablebase, Wdl};

/// The longest game, in moves and removals.
const MAX_PLIES: usize = 120;

/// The noise in the estimate of a move, in hundredths of a man.
const NOISE: i32 = 25;

/// The discount of a win for each turn that it takes.
///
/// Where every position is won, it shows the way to the end; it is so close to 1 that the longest
/// win still counts far more than a draw.
const DISCOUNT: f32 = 0.998;

/// A position in which no removal is owed, as the tablebase stores it: its sector, and the men of the side to move and
/// of the opponent.
pub type TrainingPosition = (Sector, (SquareSet, SquareSet));

/// Returns the numbers of men on the board and in hand in a sector, the side to move first.
pub fn numbers(sector: Sector) -> ([u32; 2], [u8; 2]) {
    let on_board = [sector.own(), sector.opponent()].map(|men| men as u32);
    (on_board, sector.hands().map(|men| men as u8))
}

/// Plays games between fallible players with random error rates.
///
/// Returns, game by game, the positions in which no removal is owed and the side to move can move, each
/// followed by the position after a random turn if that is in the placing phase. A game depends only on
/// its number and the seed.
pub fn play_games(game: &Solvable, seed: u64, games: u64) -> Vec<TrainingPosition> {
    let played = (0..games).into_par_iter().map(|number| {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed ^ spread(number));
        play_game(game, &mut rng)
    });
    played.flatten_iter().collect()
}

fn play_game(game: &Solvable, rng: &mut Xoshiro256PlusPlus) -> Vec<TrainingPosition> {
    let errors: [f64; 2] = std::array::from_fn(|_| rng.random::<f64>().powi(2));
    let mut position = Position::start(*game.rules());
    let mut positions = Vec::new();
    for _ in 0..MAX_PLIES {
        if position.ending().is_some() {
            break;
        }
        let moves = position.moves();
        if position.pending() == 0 {
            positions.extend(seen(game, &position));
            let after = after_any_turn(position, rng);
            let after = after.and_then(|after| seen(game, &after));
            positions.extend(after.filter(|(sector, _)| sector.is_placing()));
        }
        let errs = rng.random_bool(errors[position.to_move() as usize]);
        let random = moves.choose(rng).copied().filter(|_| errs);
        let best = || moves.iter().copied().max_by_key(|&mv| estimate(&position, mv, rng));
        let Some(mv) = random.or_else(best) else { break };
        position = position.after(mv);
    }
    positions
}

fn seen(game: &Solvable, position: &Position<RuleSet>) -> Option<TrainingPosition> {
    Some((game.sector_of(position)?, (position.own_men(), position.opponent_men())))
}

/// Returns the position after a random turn, since a search meets bad turns too, or `None` if that ends the game.
fn after_any_turn(
    mut position: Position<RuleSet>,
    rng: &mut Xoshiro256PlusPlus,
) -> Option<Position<RuleSet>> {
    let side = position.to_move();
    while position.plays_on(side) && position.ending().is_none() {
        position = position.after(*position.moves().choose(rng)?);
    }
    position.ending().is_none().then_some(position)
}

/// Estimates a move, with noise.
fn estimate(position: &Position<RuleSet>, mv: Move, rng: &mut Xoshiro256PlusPlus) -> Score {
    let after = position.after(mv);
    let noise = rng.random_range(-NOISE..=NOISE);
    let plays_on = after.plays_on(position.to_move());
    match after.ending() {
        Some(Outcome::Win { .. }) => Score::TABLEBASE_WIN,
        _ if plays_on => Score::CURSED_WIN,
        _ => Score::estimate(noise - i32::from(evaluate_by_hand(&after).hundredths())),
    }
}

/// Returns examples of a sector, shuffled: up to half of `wanted` are positions from games, the others are
/// drawn uniformly from the whole sector. `None` if the tablebase lacks their values.
pub fn of_sector(
    tablebase: &Tablebase,
    sector: Sector,
    played: &[TrainingPosition],
    wanted: usize,
    seed: u64,
) -> Option<Vec<Example>> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let played = &played[..played.len().min(wanted / 2)];
    let draw = || (sector, sector.position(rng.random_range(0..sector.len())));
    let drawn = iter::repeat_with(draw).take(wanted - played.len());
    let positions: Vec<TrainingPosition> = drawn.chain(played.iter().copied()).collect();
    let mut examples = of_positions(tablebase, &positions)?;
    examples.shuffle(&mut rng);
    Some(examples)
}

/// Returns examples of positions, or `None` if the tablebase lacks their values.
pub fn of_positions(tablebase: &Tablebase, positions: &[TrainingPosition]) -> Option<Vec<Example>> {
    let men = tablebase.game().rules().men;
    let example = |&(sector, (own, opponent)): &TrainingPosition| {
        // With men in hand, wins and losses count in full.
        let (wdl, certainty) = if sector.is_placing() {
            (tablebase.wdl(sector, own, opponent)?, 1.0)
        } else {
            let value = tablebase.value(sector, own, opponent)?;
            (value.into(), DISCOUNT.powi(value.turns().unwrap_or_default().into()))
        };
        let target = match wdl {
            Wdl::Win => 0.5 + 0.5 * certainty,
            Wdl::Draw => 0.5,
            Wdl::Loss => 0.5 - 0.5 * certainty,
        };
        let (on_board, hands) = numbers(sector);
        let features = features(own, opponent, losses(men, on_board, hands));
        Some(Example { features, target, wdl })
    };
    positions.par_iter().map(example).collect()
}
