//! A value that draws by the moves before decide is none of the position: what the table keeps of one
//! game is right in another that came to the same positions by other moves.

use crate::searches::{ALGORITHMS, engine};
use crate::size::usual_or_full;
use millstone::game::Game;
use millstone::position::Phase;
use millstone::rules::{DrawRules, RuleSet};
use millstone::score::Score;
use millstone::search::{Algorithm, Engine, Features, Limits, Silent, Switches};
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

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
    engine.search_with::<_, Reference>(game, &Limits::to_depth(DEPTH), &mut Silent).score
}

/// What a game is worth to an engine that has searched another one before.
fn after(earlier: &Game, game: &Game, algorithm: Algorithm) -> Score {
    let mut engine = engine(algorithm);
    let mut value = |game: &Game| {
        engine.search_with::<_, Sound>(game, &Limits::to_depth(DEPTH), &mut Silent).score
    };
    value(earlier);
    value(game)
}

/// A game of the moving phase whose sides have gone to and fro with few men.
fn wavering_game(rng: &mut Xoshiro256PlusPlus) -> Option<Game> {
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
fn is_quiet(game: &Game, mv: millstone::position::Move) -> bool {
    game.position().after(mv).pending() == 0
}

/// The position of a game so many slides after the last removal, without the moves before.
fn alone(game: &Game, slides: u16) -> Game {
    let text = game.position().to_string();
    let mut fields: Vec<&str> = text.split(' ').collect();
    let slides = slides.to_string();
    let place = fields.len() - 2;
    fields[place] = &slides;
    Game::from_text(&fields.join(" "), RuleSet::default(), DrawRules::default()).unwrap()
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
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(30);
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
    let text = "*O**O@@O/@@O***O*/O***O*** b m s 7 0 4 0 0 0 0 0 0 0 0 0 85";
    let early = Game::from_text(text, RuleSet::default(), DrawRules::default()).unwrap();
    let late = alone(&early, 98);
    let mut engine = Engine::new(1).unwrap();
    let mut value = |game| engine.search(game, &Limits::to_depth(8), &mut Silent).score;
    assert!(value(&early).is_mate());
    assert_eq!(value(&late), Score::DRAW);
}
