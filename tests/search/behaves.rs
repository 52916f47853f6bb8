//! What a search promises beside the value: limits, draws by history, finished games, its line.

use std::collections::HashSet;
use std::time::Duration;

use crate::minimax::Minimax;
use crate::positions::{
    FLYING, MOVING, PLACING, REMOVING, START, block_wins, fork_wins, game, moving, removal_wins,
    with_slides, won_by,
};
use crate::searches::{ALGORITHMS, StopAt, engine, hear};
use millstone::game::{Draw, Game, Outcome};
use millstone::position::{Loss, Move, Position};
use millstone::rules::{DrawRules, RuleSet};
use millstone::score::Score;
use millstone::search::{
    Algorithm, Budget, Clock, Engine, Features, Limits, MAX_PLY, Report, Silent, Switches,
};

/// Black wins in seven turns.
const LONG_WIN: &str = "***OO@*O/****O*@@/@**@@@@@ b m s 4 0 9 0 0 0 0 0 0 0 0 3 34";
const ALL_PHASES: [&str; 5] = [START, PLACING, REMOVING, MOVING, FLYING];

/// White wins in two turns: f4-g4 opens one mill and prepares another, and Black can stop one only.
fn two_mills_win() -> Game {
    moving("f6 f4 f2 d3 d1 a1", "e3 a4 d2", 'w', 1)
}

/// White has four men, Black eight, and nobody is about to close a mill.
fn white_is_behind(side: char, half: u16) -> Game {
    moving("a1 d7 f4 b4", "c5 e3 d2 g1 f6 b6 e5 g7", side, half)
}

fn play(game: &mut Game, moves: &str) {
    moves.split(' ').for_each(|mv| game.play(mv.parse().unwrap()).unwrap());
}

/// Every enhancement but those that see a line less deep than the iteration is.
struct Unpruned;

impl Features for Unpruned {
    const ON: Switches = Switches {
        reverse_futility: false,
        prob_cut: false,
        late_move_reductions: false,
        late_move_pruning: false,
        internal_reduction: false,
        ..Switches::ALL
    };
}

fn search(game: &Game, limits: &Limits) -> Report {
    engine(Algorithm::MtdF).search_with::<_, Unpruned>(game, limits, &mut Silent)
}

fn to_depth(game: &Game, depth: u32) -> Report {
    search(game, &Limits::to_depth(depth))
}

fn restricted_to(mv: Move, depth: u32) -> Limits {
    Limits { search_moves: vec![mv], ..Limits::to_depth(depth) }
}

#[test]
fn the_same_search_visits_the_same_nodes() {
    for game in ALL_PHASES.map(game) {
        for algorithm in ALGORITHMS {
            let to_depth =
                |engine: &mut Engine| engine.search(&game, &Limits::to_depth(6), &mut Silent);
            let mut engine = engine(algorithm);
            let first = to_depth(&mut engine);
            assert_eq!(to_depth(&mut self::engine(algorithm)), first, "{algorithm:?}");
            let _ = to_depth(&mut engine);
            engine.clear();
            assert_eq!(to_depth(&mut engine), first, "{algorithm:?}, cleared");
        }
    }
}

#[test]
fn just_as_many_nodes_are_visited_as_allowed() {
    for text in ALL_PHASES {
        for nodes in [1, 2, 100, 1023, 1024, 1025, 5000, 54_321] {
            let limits = Limits { nodes: Some(nodes), ..Limits::to_depth(30) };
            let report = search(&game(text), &limits);
            assert!(report.nodes <= nodes, "{} of {nodes} in {text}", report.nodes);
            assert!(report.nodes == nodes || report.depth == 30, "{report:?} in {text}");
            assert!(game(text).moves().contains(&report.best().unwrap()));
            assert_eq!(search(&game(text), &limits), report);
        }
    }
}

#[test]
fn a_search_broken_off_has_a_move() {
    for game in ALL_PHASES.map(game) {
        let stopped = engine(Algorithm::MtdF).search(&game, &Limits::none(), &mut StopAt(1));
        let no_time = Budget::for_move(Duration::ZERO, Duration::ZERO);
        let limits = Limits { clock: Clock::started(no_time), ..Limits::none() };
        for report in [stopped, search(&game, &limits)] {
            assert!(game.moves().contains(&report.best().unwrap()));
        }
    }
}

#[test]
fn a_search_that_can_find_nothing_more_saves_its_time() {
    let long = Budget::for_move(Duration::from_secs(1 << 20), Duration::ZERO);
    for game in [removal_wins(), fork_wins()] {
        for clock in [Clock::started(long), Clock::waiting(long)] {
            let limits = Limits { clock, ..Limits::none() };
            assert!(search(&game, &limits).score().is_mate());
        }
    }
    for text in ALL_PHASES {
        let mv = game(text).moves()[0];
        let clock = Clock::started(long);
        let limits = Limits { clock, search_moves: vec![mv], ..Limits::none() };
        let report = search(&game(text), &limits);
        assert_eq!((report.depth, report.best()), (1, Some(mv)));
    }
}

#[test]
fn only_the_moves_asked_for_are_considered() {
    for text in ALL_PHASES {
        let free = to_depth(&game(text), 4);
        for mv in game(text).moves() {
            let report = search(&game(text), &restricted_to(mv, 4));
            assert_eq!(report.best(), Some(mv));
            assert!(report.score() <= free.score(), "{mv} in {text}");
        }
        let best = search(&game(text), &restricted_to(free.best().unwrap(), 4));
        assert_eq!(best.score(), free.score());
    }
    let illegal = restricted_to("a1-a4".parse().unwrap(), 4);
    assert_eq!(search(&game(START), &illegal), Report::default());
}

#[test]
fn forced_wins_are_found_at_their_distance() {
    for (game, turns, best) in [
        (removal_wins(), 1, "g4-g1"),
        (game(REMOVING), 1, ""),
        (block_wins(), 1, "c5-d5"),
        (fork_wins(), 3, "d7-d6"),
        (two_mills_win(), 3, "f4-g4"),
    ] {
        for depth in turns..turns + 4 {
            let report = to_depth(&game, depth.into());
            assert_eq!(report.score(), Score::mate_in(turns), "{depth} in {}", game.position());
            assert!(best.is_empty() || report.best() == best.parse().ok());
            let mut end = game.clone();
            report.pv().iter().for_each(|&mv| end.play(mv).unwrap());
            assert_eq!(won_by(&end), Some(game.to_move()), "{:?}", report.pv());
        }
    }
}

#[test]
fn distances_shrink_turn_by_turn_until_the_game_is_over() {
    for (mut game, turns) in
        [(removal_wins(), 1), (block_wins(), 1), (fork_wins(), 3), (game(LONG_WIN), 7)]
    {
        let winner = game.to_move();
        let mut engine = engine(Algorithm::MtdF);
        let mut left = turns;
        while game.outcome().is_none() {
            let limits = Limits::to_depth(u32::from(left) + 1);
            let report = engine.search_with::<_, Unpruned>(&game, &limits, &mut Silent);
            let is_winner = game.to_move() == winner;
            let expected = if is_winner { Score::mate_in(left) } else { Score::mated_in(left) };
            assert_eq!(report.score(), expected, "{}", game.position());
            game.play(report.best().unwrap()).unwrap();
            left -= u16::from(game.position().pending() == 0);
        }
        assert_eq!(left, 0);
        assert_eq!(won_by(&game), Some(winner));
    }
}

#[test]
fn finished_games_have_no_move() {
    let mut lost_men = removal_wins();
    play(&mut lost_men, "g4-g1 xd5");
    let mut blocked = block_wins();
    play(&mut blocked, "c5-d5");
    let mut repeated = white_is_behind('w', 0);
    play(&mut repeated, "a1-a4 g1-d1 a4-a1 d1-g1 a1-a4 g1-d1 a4-a1 d1-g1 a1-a4");
    let n_move = white_is_behind('w', 100);
    let reasons = [&lost_men, &blocked, &repeated, &n_move].map(|game| match game.outcome() {
        Some(Outcome::Win { loss, .. }) => (Some(loss), None),
        Some(Outcome::Draw(draw)) => (None, Some(draw)),
        None => (None, None),
    });
    let losses = [Loss::TooFewMen, Loss::Blocked].map(|loss| (Some(loss), None));
    let draws = [Draw::ThreefoldRepetition, Draw::NMove].map(|draw| (None, Some(draw)));
    assert_eq!(reasons, [losses, draws].concat()[..]);
    for game in [lost_men, blocked, repeated, n_move] {
        for algorithm in [Algorithm::MtdF, Algorithm::MonteCarlo, Algorithm::Random] {
            let report = engine(algorithm).search(&game, &Limits::to_depth(5), &mut Silent);
            assert_eq!(report, Report::default(), "{algorithm:?}");
        }
    }
}

#[test]
fn who_is_behind_repeats_and_who_is_ahead_does_not() {
    let repeating: Move = "a1-a4".parse().unwrap();
    let mut behind = white_is_behind('w', 0);
    play(&mut behind, &["a1-a4 g1-d1 a4-a1 d1-g1"; 2].join(" "));
    for depth in 1..=5 {
        let report = to_depth(&behind, depth);
        assert_eq!((report.score(), report.best()), (Score::DRAW, Some(repeating)));
    }
    let behind = Game::from_position(*behind.position(), DrawRules::OFF);
    assert!(to_depth(&behind, 5).score() < Score::DRAW);

    let repeating: Move = "g1-d1".parse().unwrap();
    let mut ahead = white_is_behind('b', 0);
    play(&mut ahead, &["g1-d1 a1-a4 d1-g1 a4-a1"; 2].join(" "));
    assert_eq!(search(&ahead, &restricted_to(repeating, 5)).score(), Score::DRAW);
    let report = to_depth(&ahead, 5);
    assert!(report.score() > Score::DRAW && report.best() != Some(repeating));
}

#[test]
fn the_n_move_rule_is_seen_coming() {
    for depth in 1..=5 {
        assert_eq!(to_depth(&white_is_behind('w', 99), depth).score(), Score::DRAW);
        assert_eq!(to_depth(&white_is_behind('w', 98), depth + 1).score(), Score::DRAW);
    }
    assert!(to_depth(&white_is_behind('w', 98), 1).score() < Score::DRAW);

    let last_chance = game(&with_slides(fork_wins().text(), 99));
    for mv in last_chance.moves() {
        let mut after = last_chance.clone();
        after.play(mv).unwrap();
        let score = search(&last_chance, &restricted_to(mv, 3)).score();
        let closes_mill = after.position().pending() > 0;
        assert!(if closes_mill { score > Score::DRAW } else { score == Score::DRAW }, "{mv}");
    }
}

/// What the transposition table has of positions near the rule is of their counts of slides, so it still answers.
#[test]
fn a_depth_costs_about_as_much_near_the_n_move_rule() {
    let text = "@O**@***/********/OO****O@ b m s 4 0 3 0 0 0 0 0 0 0 0 0 76";
    let nodes = |slides| to_depth(&game(&with_slides(text, slides)), 10).nodes;
    assert!(nodes(92) < 3 * nodes(0));
}

/// Plays the line of an iteration and checks where it leads.
fn check_line(root: &Game, report: &Report) {
    let mut game = root.clone();
    let mut seen = HashSet::from([game.position().key()]);
    let mut repeats = false;
    for &mv in report.pv() {
        assert!(!repeats, "the line goes on after a repetition");
        game.play(mv).unwrap();
        repeats = !seen.insert(game.position().key());
    }
    let turns = report.pv().iter().filter(|mv| !mv.is_removal()).count() as u32;
    assert!(report.pv().len() < MAX_PLY);
    assert!(turns >= report.depth || repeats || game.outcome().is_some());
}

#[test]
fn the_line_is_legal_and_as_long_as_the_search_is_deep() {
    let wins = [removal_wins(), block_wins(), fork_wins()];
    for root in ALL_PHASES.map(game).into_iter().chain(wins) {
        for algorithm in ALGORITHMS {
            let mut depths = Vec::new();
            let mut hear = hear(|report| {
                depths.push(report.depth);
                check_line(&root, report);
            });
            engine(algorithm).search_with::<_, Unpruned>(&root, &Limits::to_depth(6), &mut hear);
            assert!(depths.into_iter().eq(1..=6));
        }
    }
}

#[test]
fn the_seed_chooses_among_equals() {
    let values = Minimax { extends_forced: false }.root(&Position::start(RuleSet::default()), 3);
    let best = values.iter().map(|(_, value)| *value).max().unwrap();
    let chosen = |seed| {
        let mut engine = engine(Algorithm::MtdF);
        engine.settings.shuffle = Some(seed);
        let limits = Limits::to_depth(3);
        let report = engine.search_with::<_, Unpruned>(&game(START), &limits, &mut Silent);
        assert_eq!(report.score(), best);
        report.best().unwrap()
    };
    let moves: Vec<Move> = (0..10).map(chosen).collect();
    assert_eq!(moves, (0..10).map(chosen).collect::<Vec<_>>());
    assert!(moves.iter().all(|&mv| values.contains(&(mv, best))));
    assert!(moves.iter().collect::<HashSet<_>>().len() >= 2);
}
