//! What a search leaves in the table does not mislead the next one.

use crate::minimax::Minimax;
use millstone::game::Game;
use millstone::position::Position;
use millstone::rules::{DrawRules, RuleSet};
use millstone::score::Score;
use millstone::search::{Algorithm, Engine, Features, Limits, Silent, Switches};

const ALGORITHMS: [Algorithm; 3] =
    [Algorithm::AlphaBeta, Algorithm::PrincipalVariation, Algorithm::MtdF];

fn game(text: &str) -> Game {
    Game::from_text(text, RuleSet::default(), DrawRules::default()).unwrap()
}

fn engine(algorithm: Algorithm) -> Engine {
    let mut engine = Engine::new(1).unwrap();
    engine.settings.algorithm = algorithm;
    engine
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
        for mv in Position::moves(after.position()) {
            let mut engine = engine(algorithm);
            let restricted = Limits { search_moves: vec![mv], ..Limits::to_depth(2) };
            let _ = engine.search(&after, &restricted, &mut Silent);
            let report = engine.search(&before, &Limits::to_depth(3), &mut Silent);
            assert_eq!(report.score, best, "{algorithm:?} after a search of {mv} alone");
        }
    }
}

#[test]
fn the_line_ends_with_the_game() {
    // White a1 b4 d7 f4; Black b6 c5 d2 e3 f6 g1.
    let at = |half: u16| {
        game(&format!("***@***@/*@O*@*O@/O**@*O** w m s 4 0 6 0 0 0 0 0 0 0 0 {half} 10"))
    };
    for algorithm in ALGORITHMS {
        let mut engine = engine(algorithm);
        let _ = engine.search(&at(0), &Limits::to_depth(6), &mut Silent);
        let report = engine.search(&at(99), &Limits::to_depth(2), &mut Silent);
        let mut game = at(99);
        for &mv in &report.pv {
            assert_eq!(game.outcome(), None, "{algorithm:?}: {:?} goes on", report.pv);
            game.play(mv).unwrap();
        }
    }
}

/// The sound enhancements with draws by the moves before, so that nothing else changes a value.
struct WithDraws;

impl Features for WithDraws {
    const ON: Switches = Switches { draws: true, ..Switches::SOUND };
}

/// The score of a search for nothing but sound reasons.
fn score(engine: &mut Engine, game: &Game, limits: &Limits) -> Score {
    engine.search_with::<_, WithDraws>(game, limits, &mut Silent).score
}

/// White b6 c3 d7 f6 g1 g4; Black a4 d1 e5 f2.
fn white_is_better() -> Game {
    crate::positions::moving("b6 c3 d7 f6 g1 g4", "a4 d1 e5 f2", 'w', 0)
}

#[test]
fn a_draw_by_repetition_holds_for_its_moves_alone() {
    let mut played = white_is_better();
    for mv in ["c3-c4", "e5-e4", "c4-c3", "e4-e5", "c3-c4"] {
        played.play(mv.parse().unwrap()).unwrap();
    }
    let again = Limits { search_moves: vec!["c3-c4".parse().unwrap()], ..Limits::to_depth(5) };
    for algorithm in ALGORITHMS {
        let mut engine = engine(algorithm);
        let score = |engine: &mut Engine, game: &Game, limits: &Limits| {
            engine.search(game, limits, &mut Silent).score
        };
        let repeated = score(&mut engine, &played, &Limits::to_depth(4));
        assert_eq!(repeated, Score::DRAW, "{algorithm:?}: Black repeats");
        let found = score(&mut engine, &white_is_better(), &again);
        let expected = score(&mut self::engine(algorithm), &white_is_better(), &again);
        assert!(expected > Score::DRAW);
        assert!(found > Score::DRAW, "{algorithm:?}: Black has not been there before");
    }
}

#[test]
fn a_draw_by_the_n_move_rule_holds_for_its_slides_alone() {
    let at = |half: u16| crate::positions::moving("a7 b6 c3 f6 g1 g4", "a4 d1 e5 f2", 'w', half);
    for algorithm in ALGORITHMS {
        let score = |engine: &mut Engine, half: u16| score(engine, &at(half), &Limits::to_depth(3));
        let [late, early] = [98, 0].map(|half| score(&mut engine(algorithm), half));
        assert_eq!(late, Score::DRAW);
        assert_ne!(early, Score::DRAW);
        for halves in [[98, 0], [0, 98]] {
            let mut engine = engine(algorithm);
            let found = halves.map(|half| score(&mut engine, half));
            let expected = if halves[0] == 98 { [late, early] } else { [early, late] };
            assert_eq!(found, expected, "{algorithm:?}, first after {} slides", halves[0]);
        }
    }
}
