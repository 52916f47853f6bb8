//! What a search leaves in the table does not mislead the next one, whatever moves came before.
//!
//! A value that a draw by earlier moves decides is not the position's own.

use crate::minimax::Minimax;
use crate::positions::{game, with_slides};
use crate::random::{IndexedRandom, Random, RngExt, seeded};
use crate::searches::{ALGORITHMS, engine};
use crate::size::usual_or_full;
use millstone::game::Game;
use millstone::position::{Move, Phase};
use millstone::score::Score;
use millstone::search::{Algorithm, Engine, Features, Limits, Silent, Switches};

/// So deep that no line repeats any position of its own but the root.
const DEPTH: u32 = 4;

/// Draws and nothing else beside plain alpha-beta.
struct Reference;

impl Features for Reference {
    const ON: Switches = Switches { draws: true, ..Switches::REFERENCE };
}

/// All that leaves the value as it is, and draws.
struct Sound;

impl Features for Sound {
    const ON: Switches = Switches { draws: true, ..Switches::SOUND };
}

fn reference(game: &Game) -> Score {
    let mut engine = Engine::new(1).unwrap();
    engine.search_with::<_, Reference>(game, &Limits::to_depth(DEPTH), &mut Silent).score()
}

/// What a game is worth to an engine that has searched another one before.
fn after(earlier: &Game, game: &Game, algorithm: Algorithm) -> Score {
    let mut engine = engine(algorithm);
    let mut value = |game: &Game| {
        engine.search_with::<_, Sound>(game, &Limits::to_depth(DEPTH), &mut Silent).score()
    };
    value(earlier);
    value(game)
}

/// A game of the moving phase whose sides have gone to and fro with few men.
fn wavering_game(rng: &mut Random) -> Option<Game> {
    let mut game = Game::new();
    while game.position().phase() == Phase::Placing || game.position().pending() > 0 {
        game.play(*game.moves().choose(rng)?).ok()?;
    }
    let mut last: [Option<String>; 2] = Default::default();
    for _ in 0..14 {
        let side = game.to_move();
        let quiet: Vec<_> = game.moves().into_iter().filter(|&mv| is_quiet(&game, mv)).collect();
        let back = quiet.iter().find(|mv| last[side as usize].as_ref() == Some(&mv.to_string()));
        let mv = back.filter(|_| rng.random_bool(0.6)).or_else(|| quiet.choose(rng)).copied()?;
        let (from, to) =
            mv.to_string().split_once('-').map(|(a, b)| (a.to_owned(), b.to_owned()))?;
        last[side as usize] = Some(format!("{to}-{from}"));
        game.play(mv).ok()?;
    }
    game.outcome().is_none().then_some(game)
}

/// Whether a move only slides a man.
fn is_quiet(game: &Game, mv: Move) -> bool {
    game.position().after(mv).pending() == 0
}

/// The position of a game with a number of slides since the last removal, without the moves before.
fn alone(game: &Game, slides: u32) -> Game {
    self::game(&with_slides(game.text(), slides))
}

/// Compares what a game is worth after another with its own value; whether the two are worth the same.
fn compare(earlier: &Game, game: &Game) -> bool {
    let value = reference(game);
    for algorithm in ALGORITHMS {
        assert_eq!(after(earlier, game, algorithm), value, "{algorithm:?} in {}", game.text());
    }
    reference(earlier) == value
}

#[test]
fn draws_by_the_moves_before_are_not_facts() {
    let mut rng = seeded(30);
    let (mut by_repetition, mut by_n_move) = (0, 0);
    for _ in 0..usual_or_full(150, 400) {
        let Some(game) = wavering_game(&mut rng) else { continue };
        by_repetition += usize::from(!compare(&game, &alone(&game, 0)));
        let late = alone(&game, rng.random_range(96..100));
        by_n_move += usize::from(!compare(&late, &alone(&game, 0)));
        // Nor is what was found without the rule.
        compare(&alone(&game, 0), &late);
    }
    assert!(by_repetition >= 7, "{by_repetition} values change by the moves before");
    assert!(by_n_move >= 20, "{by_n_move} values change by the n-move rule");
}

/// A slide that blocks is too late at the limit of the n-move rule, where a slide that earns a removal
/// is in time: a mate that was found long before the limit says nothing about its last turn.
#[test]
fn a_mate_at_the_limit_is_searched_anew() {
    let early = game("*O**O@@O/@@O***O*/O***O*** b m s 7 0 4 0 0 0 0 0 0 0 0 0 85");
    let late = alone(&early, 98);
    let mut engine = Engine::new(1).unwrap();
    let mut value = |game| engine.search(game, &Limits::to_depth(8), &mut Silent).score();
    assert!(value(&early).is_mate());
    assert_eq!(value(&late), Score::DRAW);
}

#[test]
fn a_search_restricted_to_some_moves_does_not_mislead_later_ones() {
    let before = game("*O*O*O**/*@*O@**@/*@****@* w p p 4 5 5 4 0 0 0 0 0 0 0 0 5");
    let mut after = before.clone();
    after.play("d5".parse().unwrap()).unwrap();
    let plain = Minimax { extends_forced: false };
    let root = plain.root(before.position(), 3);
    let best = root.iter().map(|(_, value)| *value).max().unwrap();
    for algorithm in ALGORITHMS {
        for mv in after.position().moves() {
            let mut engine = engine(algorithm);
            let restricted = Limits { search_moves: vec![mv], ..Limits::to_depth(2) };
            let _ = engine.search(&after, &restricted, &mut Silent);
            let report = engine.search(&before, &Limits::to_depth(3), &mut Silent);
            assert_eq!(report.score(), best, "{algorithm:?} after a search of {mv} alone");
        }
    }
}

#[test]
fn the_line_ends_with_the_game() {
    // White a1 b4 d7 f4; Black b6 c5 d2 e3 f6 g1.
    let [early, late] = [0, 99].map(|half| {
        game(&format!("***@***@/*@O*@*O@/O**@*O** w m s 4 0 6 0 0 0 0 0 0 0 0 {half} 10"))
    });
    for algorithm in ALGORITHMS {
        let mut engine = engine(algorithm);
        let _ = engine.search(&early, &Limits::to_depth(6), &mut Silent);
        let report = engine.search(&late, &Limits::to_depth(2), &mut Silent);
        let mut game = late.clone();
        for &mv in report.pv() {
            assert_eq!(game.outcome(), None, "{algorithm:?}: {:?} goes on", report.pv());
            game.play(mv).unwrap();
        }
    }
}
