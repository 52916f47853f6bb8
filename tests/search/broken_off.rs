//! The removals of turns that a search was broken off at.
//!
//! Limits of nodes break it off at the same place each time.

use std::path::Path;
use std::time::Duration;

use crate::client::{Client, best_of};
use crate::random::{IndexedRandom, RngExt, seeded};
use crate::searches::{Sound, StopAt, engine, hear, random_game};
use crate::size::usual_or_full;
use millstone::game::{Game, History};
use millstone::position::{Move, Turn};
use millstone::rules::{DrawRules, RuleSet};
use millstone::score::{Score, ScoreKind};
use millstone::search::{Algorithm, Bound, Budget, Clock, Engine, Limits, Observer, Silent};

/// How deep the value of a removal is searched for.
const DEPTH: u32 = 5;
/// No removal costs more than this, in hundredths of a man.
const MOST_LOSS: i32 = 300;
/// What it may cost on average.
const MOST_MEAN_LOSS: i32 = 30;

/// Turns of a random game, each with the game before it, wherever a man can be removed.
fn captures(rules: &RuleSet, seed: u64) -> Vec<(Vec<Turn>, Game)> {
    let mut random = seeded(seed);
    let mut game = Game::start(*rules, DrawRules::default());
    let mut found = Vec::new();
    let mut turns = Vec::new();
    while game.outcome().is_none() && turns.len() < 60 {
        let closing: Vec<Move> = game.moves().into_iter().filter(|&mv| owes(&game, mv)).collect();
        if !closing.is_empty() {
            found.push((turns.clone(), game.clone()));
        }
        let side = game.to_move();
        let mut played = History::from(game.clone());
        let mut choices = if random.random_bool(0.5) { closing } else { Vec::new() };
        while game.outcome().is_none() && game.to_move() == side {
            choices = if choices.is_empty() { game.moves().to_vec() } else { choices };
            let mv = *choices.choose(&mut random).expect("a legal move");
            game.play(mv).expect("a legal move");
            played.play(mv).expect("a legal move");
            choices.clear();
        }
        turns.extend(played.turns().iter().map(|(_, turn)| turn.clone()));
    }
    found
}

/// Whether a man has to be removed after a move.
fn owes(game: &Game, mv: Move) -> bool {
    let mut after = game.clone();
    after.play(mv).expect("a legal move");
    after.position().owed(game.to_move()) > 0
}

/// How much worse a removal is than the best one after the same move, in hundredths of a man.
fn loss(game: &Game, turn: &[Move]) -> i32 {
    let mut after = game.clone();
    after.play(turn[0]).expect("a legal move");
    let value = |mv: Move| {
        let limits = Limits { search_moves: vec![mv], ..Limits::to_depth(DEPTH) };
        let mut engine = Engine::new(1).expect("memory");
        hundredths(engine.search(&after, &limits, &mut Silent).score())
    };
    let best = after.moves().into_iter().map(value).max().expect("a removal");
    (best - value(turn[1])).min(MOST_LOSS)
}

fn hundredths(score: Score) -> i32 {
    match score.kind() {
        ScoreKind::MateIn(_) => i16::MAX.into(),
        ScoreKind::MatedIn(_) => i16::MIN.into(),
        _ => score.hundredths().into(),
    }
}

/// Checks that removals are good on the whole, and that there are enough to tell.
fn check(what: &str, losses: &[i32]) {
    println!("{what}: losses {losses:?}");
    assert!(losses.len() >= 10, "{what}: only {losses:?}");
    let mean = losses.iter().sum::<i32>() / losses.len() as i32;
    assert!(mean <= MOST_MEAN_LOSS, "{what}: {mean} on average");
}

#[test]
fn the_least_depth_is_reached_whatever_the_limits() {
    let game = Game::new();
    let no_time = Budget::for_move(Duration::ZERO, Duration::ZERO);
    for algorithm in [Algorithm::AlphaBeta, Algorithm::MtdF, Algorithm::MonteCarlo] {
        let find = |limits, observer: &mut dyn Observer| {
            let mut engine = engine(algorithm);
            engine.search(&game, &limits, observer)
        };
        let limits = || Limits {
            nodes: Some(1),
            least_depth: 3,
            clock: Clock::started(no_time),
            ..Limits::none()
        };
        let full = find(Limits::to_depth(3), &mut Silent);
        let found = find(limits(), &mut StopAt(1));
        assert_eq!((found.depth.min(3), found.best()), (3, full.best()), "{algorithm:?}");
        let found = find(Limits { least_depth: 0, ..limits() }, &mut StopAt(1));
        assert!(found.depth < 3, "{algorithm:?}: depth {}", found.depth);
    }
}

#[test]
fn a_move_that_came_first_in_a_broken_iteration_has_its_removal() {
    let mut losses = Vec::new();
    let (mut untold, mut other_scores) = (0, 0);
    for rules in [RuleSet::NINE_MENS_MORRIS, RuleSet::TWELVE_MENS_MORRIS] {
        for (number, (_, game)) in (0..40).flat_map(|seed| captures(&rules, seed)).enumerate() {
            let nodes = 300 + 211 * (number as u64 % 20);
            let limits = Limits { nodes: Some(nodes), ..Limits::none() };
            let mut last = (None, Score::DRAW);
            let mut hear = hear(|told| last = (told.best(), told.score()));
            let mut engine = Engine::new(1).expect("memory");
            let report = engine.search(&game, &limits, &mut hear);
            let best = report.best().expect("a move");
            let (last_move, last_score) = last;
            if last_move == Some(best) {
                continue;
            }
            assert_eq!(report.lines[0].bound, Bound::Lower, "a newcomer is worth at least so much");
            other_scores += usize::from(report.score() != last_score);
            if !owes(&game, best) {
                continue;
            }
            if report.pv().len() > 1 {
                losses.push(loss(&game, report.pv()));
            } else {
                untold += 1;
            }
        }
    }
    assert!(untold * 10 <= losses.len(), "{untold} removals are not known");
    assert!(other_scores > losses.len() / 2, "{other_scores} have a score of their own");
    check("newcomers", &losses);
}

#[test]
fn a_move_that_came_first_in_a_broken_iteration_has_no_score_of_another() {
    let mut random = seeded(41);
    let (mut newcomers, mut others_are_higher) = (0, 0);
    for _ in 0..usual_or_full(300, 600) {
        let game = random_game(RuleSet::NINE_MENS_MORRIS, DrawRules::default(), 60, &mut random);
        let game = Game::from_position(*game.position(), DrawRules::OFF);
        let search = |limits: Limits, observer: &mut dyn Observer| {
            let mut engine = Engine::new(1).expect("memory");
            engine.search_with::<_, Sound>(&game, &limits, observer)
        };
        let nodes = Some(random.random_range(100..3000));
        let mut last = (None, Score::DRAW);
        let mut hear = hear(|told| last = (told.best(), told.score()));
        let report = search(Limits { nodes, ..Limits::none() }, &mut hear);
        let (last_move, last_score) = last;
        let Some(best) = report.best().filter(|&best| Some(best) != last_move) else { continue };
        let limits = Limits { search_moves: vec![best], ..Limits::to_depth(report.depth + 1) };
        let own = search(limits, &mut Silent).score();
        let found = report.score();
        assert!(found <= own, "{found:?} of {best}, worth {own:?}: {}", game.text());
        newcomers += 1;
        others_are_higher += usize::from(last_score > own);
    }
    println!("{others_are_higher} of {newcomers}");
    assert!(others_are_higher >= 5, "{others_are_higher} of {newcomers} are worth less");
}

#[test]
fn whole_turns_have_good_removals_when_nothing_is_left_of_the_limits() {
    for (rules, is_twelve) in
        [(RuleSet::NINE_MENS_MORRIS, false), (RuleSet::TWELVE_MENS_MORRIS, true)]
    {
        let mut engine = Client::start_in(Path::new(env!("CARGO_TARGET_TMPDIR")), &["gbgp"]);
        engine.set(&[&format!("TwelveMensMorris={is_twelve}")]);
        let mut losses = Vec::new();
        for (turns, game) in (0..8).flat_map(|seed| captures(&rules, seed)) {
            let turns: Vec<_> = turns.iter().map(|turn| format!(" {turn}")).collect();
            engine.send("newgame");
            engine.send(&format!("position startpos moves{}", turns.concat()));
            let answer: Turn =
                best_of(&engine.ask("go nodes 1", "bestmove")).parse().expect("a turn");
            if answer.moves().len() == 2 && owes(&game, answer.moves()[0]) {
                losses.push(loss(&game, answer.moves()));
            }
        }
        check("one node", &losses);
    }
}
