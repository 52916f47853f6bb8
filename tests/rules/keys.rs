//! Keys tell positions apart, and only positions.

use std::iter;

use crate::size::usual_or_full;
use millstone::board::Side;
use millstone::position::{PENDING_SHIFT, Position};
use millstone::rules::{Preset, RuleSet, Rules, Standard};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::IndexedRandom;

/// The positions of a random game of at most 300 moves.
fn random_game<R: Rules>(rules: R, rng: &mut Xoshiro256PlusPlus) -> Vec<Position<R>> {
    let start = Position::start(rules);
    let next = |position: &Position<R>| {
        let mut next = *position;
        next = next.after(*position.moves().choose(rng)?);
        Some(next)
    };
    iter::successors(Some(start), next).take(300).collect()
}

/// All that a key is made of, packed: men 48 bits, hands 8, side 1, owed 2.
fn state<R: Rules>(position: &Position<R>) -> u64 {
    let mut state =
        u64::from(position.to_move() == Side::Black) << 2 | u64::from(position.pending());
    for side in Side::ALL {
        state = state << 24 | u64::from(position.men(side).bits());
        state = state << 4 | u64::from(position.in_hand(side));
    }
    state
}

fn count_distinct(values: impl Iterator<Item = u64>) -> usize {
    let mut values: Vec<u64> = values.collect();
    values.sort_unstable();
    values.dedup();
    values.len()
}

/// States, keys and pairs of both are equally many only if each state has one key of its own.
#[test]
fn so_many_positions_have_so_many_keys() {
    let count = usual_or_full(100_000, 1_000_000);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut pairs = Vec::new();
    let mut states = 0;
    while states < count {
        while pairs.len() < states + count / 2 {
            let game = random_game(Standard, &mut rng);
            pairs.extend(game.iter().map(|position| (state(position), position.key())));
        }
        pairs.sort_unstable();
        pairs.dedup();
        states = count_distinct(pairs.iter().map(|pair| pair.0));
    }
    assert_eq!(pairs.len(), states, "equal positions have equal keys");
    let keys = count_distinct(pairs.iter().map(|pair| pair.1));
    assert_eq!(keys, states, "no two positions share a key");
}

fn rules_of(name: &str) -> RuleSet {
    Preset::named(name).unwrap().rules
}

/// The most removals owed in random games, in which the two highest bits tell them modulo four.
fn check_pending<R: Rules>(rules: R) -> u8 {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let mut most = 0;
    for position in (0..1000).flat_map(|_| random_game(rules, &mut rng)) {
        let shown = position.pending() % 4;
        assert_eq!(position.key() >> PENDING_SHIFT, u64::from(shown), "{position}");
        most = most.max(position.pending());
    }
    most
}

#[test]
fn the_two_highest_bits_are_the_removals_owed() {
    assert_eq!(PENDING_SHIFT, 62);
    assert_eq!(check_pending(Standard), 1);
    assert_eq!(check_pending(rules_of("Morabaraba")), 3);
    assert!(check_pending(rules_of("El Filja")) > 3);
}
