//! What has to agree at every position, in random games by all kinds of rules.

use crate::random_rules::random_rules;
use crate::size::usual_or_full;
use millstone::board::{Square, Symmetry};
use millstone::position::{Move, Position};
use millstone::rules::{PRESETS, Rules, Standard};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::IndexedRandom;
use rayon::prelude::*;

const MOST_MOVES: usize = 100;

/// The key is that of the men, the questions about legal moves agree, every move changes the
/// key and can be taken back, and a symmetric image has the symmetric moves.
#[test]
fn positions_of_random_games_keep_their_invariants() {
    (0..usual_or_full(300, 10_000_u64)).into_par_iter().for_each(|seed| {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        match seed % 3 {
            0 => play(Standard, &mut rng),
            1 => play(PRESETS[(seed / 3) as usize % PRESETS.len()].rules, &mut rng),
            _ => play(random_rules(&mut rng), &mut rng),
        }
    });
}

fn play<R: Rules>(rules: R, rng: &mut Xoshiro256PlusPlus) {
    let mut position = Position::start(rules);
    for _ in 0..MOST_MOVES {
        check_moves(&position);
        check_keys(&position);
        check_images(&position);
        let Some(&mv) = position.moves().choose(rng) else { return };
        position = position.after(mv);
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
