//! What has to agree at every position, in random games by all kinds of rules; keys tell positions apart, and only
//! positions.

use crate::random::{Random, random_game, seeded};
use crate::random_rules::random_rules;
use crate::size::usual_or_full;
use millstone::board::{Side, Square, Symmetry};
use millstone::position::{Move, PENDING_SHIFT, Position};
use millstone::rules::{PRESETS, Preset, Rules, Standard};
use rayon::prelude::*;

const MOST_POSITIONS: usize = 100;

/// The key is that of the men, the questions about legal moves agree, every move changes the
/// key and can be taken back, and a symmetric image has the symmetric moves.
#[test]
fn positions_of_random_games_keep_their_invariants() {
    (0..usual_or_full(150, 10_000_u64)).into_par_iter().for_each(|seed| {
        let mut rng = seeded(seed);
        match seed % 3 {
            0 => play(Standard, &mut rng),
            1 => play(PRESETS[(seed / 3) as usize % PRESETS.len()].rules, &mut rng),
            _ => play(random_rules(&mut rng), &mut rng),
        }
    });
}

fn play<R: Rules>(rules: R, rng: &mut Random) {
    for position in random_game(rules, rng).take(MOST_POSITIONS) {
        check_moves(&position);
        check_keys(&position);
        check_images(&position);
    }
}

/// Every move that can be written, legal or not.
fn all_moves() -> impl Iterator<Item = Move> {
    let slides = |from| Square::ALL.into_iter().map(move |to| Move::slide(from, to));
    let others = |square| [Move::place(square), Move::remove(square)];
    let others = Square::ALL.into_iter().flat_map(others);
    others.chain(Square::ALL.into_iter().flat_map(slides))
}

fn check_moves<R: Rules>(position: &Position<R>) {
    let moves = position.moves();
    assert_eq!(position.count_moves() as usize, moves.len(), "{position}");
    assert_eq!(position.ending().is_none(), !moves.is_empty(), "{position}");
    for mv in all_moves() {
        assert_eq!(position.is_legal(mv), moves.contains(&mv), "{mv} in {position}");
    }
}

fn check_keys<R: Rules>(position: &Position<R>) {
    let mut played = *position;
    for mv in position.moves() {
        let undo = played.do_move(mv);
        assert_eq!(played.validate(), Ok(()), "{mv} in {position}");
        assert_ne!(played.key(), position.key(), "{mv} in {position}");
        assert_eq!(played, position.after(mv), "{mv} in {position}");
        played.undo_move(undo);
        assert_eq!(played, *position, "{mv}");
    }
}

/// Plays the images of all moves in the images of the position.
fn check_images<R: Rules>(position: &Position<R>) {
    let moves = position.moves();
    for symmetry in Symmetry::all() {
        let image = position.image(symmetry);
        assert_eq!(image.count_moves() as usize, moves.len(), "{position}");
        assert!(moves.iter().all(|mv| image.is_legal(mv.image(symmetry))), "{position}");
    }
}

/// Positions of a game whose keys are compared.
const MOST_KEYS: usize = 300;

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
    let mut rng = seeded(1);
    let mut pairs = Vec::new();
    let mut states = 0;
    while states < count {
        while pairs.len() < states + count / 2 {
            let game = random_game(Standard, &mut rng).take(MOST_KEYS);
            pairs.extend(game.map(|position| (state(&position), position.key())));
        }
        pairs.sort_unstable();
        pairs.dedup();
        states = count_distinct(pairs.iter().map(|pair| pair.0));
    }
    assert_eq!(pairs.len(), states, "equal positions have equal keys");
    let keys = count_distinct(pairs.iter().map(|pair| pair.1));
    assert_eq!(keys, states, "no two positions share a key");
}

/// The most removals owed in random games, in which the two highest bits tell them modulo four.
fn check_pending<R: Rules>(rules: R) -> u8 {
    let mut rng = seeded(3);
    let mut most = 0;
    for _ in 0..1000 {
        for position in random_game(rules, &mut rng).take(MOST_KEYS) {
            let shown = position.pending() % 4;
            assert_eq!(position.key() >> PENDING_SHIFT, u64::from(shown), "{position}");
            most = most.max(position.pending());
        }
    }
    most
}

#[test]
fn the_two_highest_bits_are_the_removals_owed() {
    assert_eq!(PENDING_SHIFT, 62);
    assert_eq!(check_pending(Standard), 1);
    let most =
        ["Morabaraba", "El Filja"].map(|name| check_pending(Preset::named(name).unwrap().rules));
    assert!(most[0] == 3 && most[1] > 3, "{most:?}");
}
