//! What learned positions do to a search, and how long they last.

use millstone::bench::POSITIONS;
use millstone::board::Symmetry;
use millstone::game::Game;
use millstone::learning::{CanonicalPosition, LearnedPosition, LearnedPositions, SearchResult};
use millstone::position::{Move, Position};
use millstone::rules::{DrawRules, RuleSet};
use millstone::score::{Bound, Score};
use millstone::search::{Engine, Limits, Report, Silent};

const DEPTH: u32 = 5;
const DRAWS: DrawRules = DrawRules { n_move: 100, endgame_n_move: 100, threefold_repetition: true };

fn search(engine: &mut Engine, game: &Game) -> Report {
    engine.search(game, &Limits::to_depth(DEPTH), &mut Silent)
}

/// The position after a move, or a symmetric one, with the result that the move is bad.
fn warning(game: &Game, mv: Move, symmetry: Symmetry) -> LearnedPositions {
    let after = game.position().after(mv).image(symmetry);
    let plays_on = after.to_move() == game.to_move();
    learned([after], Score::estimate(if plays_on { -5000 } else { 5000 }))
}

/// Positions of which a deep search is said to have found a score.
fn learned(positions: impl IntoIterator<Item = Position>, score: Score) -> LearnedPositions {
    let result = SearchResult { score, bound: Bound::Exact, depth: 40, best: None };
    positions.into_iter().map(|position| LearnedPosition::new(&position, result)).collect()
}

fn canonical_after(game: &Game, mv: Move) -> CanonicalPosition {
    CanonicalPosition::of(&game.position().after(mv)).0
}

/// Games in which another move than the best leads to another position, and the best.
fn games() -> Vec<(Game, Move)> {
    let games = POSITIONS.map(|text| Game::from_text(text, RuleSet::default(), DRAWS).unwrap());
    let with_best = games.into_iter().map(|game| {
        let report = search(&mut Engine::new(1).unwrap(), &game);
        (report, game)
    });
    let is_open = |(report, game): &(Report, Game)| {
        let best = report.best().expect("the game goes on");
        let leads_elsewhere = |&mv: &Move| canonical_after(game, mv) != canonical_after(game, best);
        let others = game.moves().iter().any(leads_elsewhere);
        report.score().is_estimate() && others && game.position().after(best).ending().is_none()
    };
    let open = with_best.filter(is_open);
    open.map(|(report, game)| (game, report.best().unwrap())).collect()
}

/// Whether the engine leaves out a move and all symmetric ones.
fn avoids(engine: &mut Engine, game: &Game, bad: Move) -> bool {
    let best = search(engine, game).best().expect("the game goes on");
    canonical_after(game, best) != canonical_after(game, bad)
}

#[test]
fn a_warning_about_any_symmetric_position_is_heeded() {
    let games = games();
    assert!(games.len() > 30, "{}", games.len());
    for (number, (game, bad)) in games.iter().enumerate() {
        let mut engine = Engine::new(1).unwrap();
        let learned = warning(game, *bad, Symmetry::numbered(number));
        engine.add_learned(&learned, &RuleSet::default(), DRAWS);
        assert!(avoids(&mut engine, game, *bad), "{bad}: {}", game.text());
    }
}

#[test]
fn learned_positions_outlive_searches_and_empty_tables() {
    for (game, bad) in games().into_iter().step_by(8) {
        let mut engine = Engine::new(1).unwrap();
        engine.add_learned(&warning(&game, bad, Symmetry::IDENTITY), &RuleSet::default(), DRAWS);
        engine.clear();
        assert!(avoids(&mut engine, &game, bad), "after clearing");
        engine.resize(2).unwrap();
        assert!(avoids(&mut engine, &game, bad), "after resizing");
        // The generations of the table begin anew after 64.
        for text in POSITIONS.iter().cycle().take(2 * 64) {
            let other = Game::from_text(text, RuleSet::default(), DRAWS).unwrap();
            let limits = Limits { nodes: Some(5000), ..Limits::none() };
            let _ = engine.search(&other, &limits, &mut Silent);
        }
        assert!(avoids(&mut engine, &game, bad), "after many searches");
        engine.forget_learned();
        assert!(!avoids(&mut engine, &game, bad), "once it is forgotten");
    }
}

#[test]
fn positions_of_other_games_and_wins_that_come_too_late_change_nothing() {
    let (game, bad) = games().swap_remove(0);
    let late = learned([game.position().after(bad)], Score::mate_in(30));
    let mut engine = Engine::new(1).unwrap();
    let lasker = RuleSet { men: 10, may_move_in_placing: true, ..RuleSet::default() };
    engine.add_learned(&late, &lasker, DRAWS);
    engine.add_learned(&late, &RuleSet::default(), DrawRules { n_move: 20, ..DRAWS });
    assert!(!avoids(&mut engine, &game, bad));
    engine.add_learned(&late, &RuleSet::default(), DRAWS);
    assert!(avoids(&mut engine, &game, bad));
}

/// A move that the result calls best need not be legal.
#[test]
fn a_text_that_is_no_position_is_left_out() {
    let position =
        CanonicalPosition { game: RuleSet::default().identity(), text: "nonsense".to_owned() };
    let result = SearchResult { score: Score::DRAW, bound: Bound::Exact, depth: 9, best: None };
    let learned: LearnedPositions = [LearnedPosition { position, result }].into_iter().collect();
    let mut engine = Engine::new(1).unwrap();
    engine.add_learned(&learned, &RuleSet::default(), DRAWS);
    let game = Game::from_position(Position::start(RuleSet::default()), DRAWS);
    let mut plain = Engine::new(1).unwrap();
    assert_eq!(search(&mut engine, &game), search(&mut plain, &game));
}

/// What a search says where every move is known to be answered by a loss in four turns.
fn score_before_losses(half: u16, draws: DrawRules) -> Score {
    let text = format!("@**O****/*O**@***/O***@*@O w m s 4 0 4 0 0 0 0 0 0 0 0 {half} 10");
    let game = Game::from_text(&text, RuleSet::default(), draws).unwrap();
    let after = game.moves().into_iter().map(|mv| game.position().after(mv));
    let learned = learned(after, Score::mated_in(4));
    let mut engine = Engine::new(1).unwrap();
    engine.add_learned(&learned, &RuleSet::default(), draws);
    search(&mut engine, &game).score()
}

#[test]
fn a_win_counts_only_before_the_n_move_rule() {
    assert_eq!(score_before_losses(0, DRAWS), Score::mate_in(5));
    assert_eq!(score_before_losses(94, DRAWS), Score::mate_in(5));
    assert!(!score_before_losses(95, DRAWS).is_mate());
    let few = DrawRules { n_move: 60, ..DRAWS };
    assert!(!score_before_losses(55, few).is_mate());
}

#[test]
fn estimates_count_under_the_usual_draw_rules_only() {
    let (game, bad) = games().swap_remove(0);
    let learned = warning(&game, bad, Symmetry::IDENTITY);
    let unusual = DrawRules { n_move: 50, ..DRAWS };
    let mut engine = Engine::new(1).unwrap();
    engine.add_learned(&learned, &RuleSet::default(), unusual);
    let game = Game::from_position(*game.position(), unusual);
    assert!(!avoids(&mut engine, &game, bad));
}

/// A table of 1 MiB has room for a few hundred learned positions with all their symmetric positions.
#[test]
fn what_is_learned_last_counts_though_the_table_has_no_room_for_all() {
    let (game, bad) = games().pop().unwrap();
    let mut engine = Engine::new(1).unwrap();
    let mut positions = vec![Position::start(RuleSet::default())];
    for _ in 0..3 {
        let after = |before: Position| before.moves().into_iter().map(move |mv| before.after(mv));
        positions = positions.into_iter().flat_map(after).collect();
    }
    let many = learned(positions, Score::mate_in(30));
    engine.add_learned(&many, &RuleSet::default(), DRAWS);
    engine.add_learned(&warning(&game, bad, Symmetry::IDENTITY), &RuleSet::default(), DRAWS);
    assert!(avoids(&mut engine, &game, bad), "at once");
    engine.clear();
    assert!(avoids(&mut engine, &game, bad), "in the next game");
}
