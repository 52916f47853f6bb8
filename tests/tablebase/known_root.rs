//! Roots whose moves the tablebase knows: each move has its class, and none that is played gives value
//! away.

use super::bouts::{Bout, TABLES, draw};
use crate::positions::{game, with_slides};
use crate::random::seeded;
use crate::searches::{ALGORITHMS, engine, engine_with};
use crate::size::usual_or_full;
use crate::tablebases::{self, forget, solvable, solved};
use millstone::game::Game;
use millstone::position::Move;
use millstone::rules::{DrawRules, MillAction, RuleSet};
use millstone::score::{Bound, Score, ScoreKind};
use millstone::search::{Algorithm, Class, Engine, Limits, Report, Silent};
use millstone::tablebase::{Distances, Sector, Tablebase, Value, Wdl};
use std::sync::Arc;

const MANY: usize = 100;

fn search(game: &Game, multi_pv: usize) -> Report {
    engine_with(&TABLES).search(game, &Limits { multi_pv, ..Limits::to_depth(3) }, &mut Silent)
}

/// Positions of four men each with a value.
fn positions(wdl: Wdl, count: u64) -> impl Iterator<Item = Game> {
    positions_of(Sector::new(4, 4).unwrap(), wdl, count)
}

/// Positions of a sector with a value.
fn positions_of(sector: Sector, wdl: Wdl, count: u64) -> impl Iterator<Item = Game> {
    (0..count).map(move |seed| {
        game(&draw(TABLES.file(sector).expect("a small sector"), wdl, &mut seeded(seed)))
    })
}

fn value(game: &Game, mv: Move) -> Value {
    TABLES.probe_move(game.position(), mv).expect("the sectors are there")
}

/// With every algorithm, with several threads and among some of the moves: the move that is played keeps
/// the value of the best of them, and the score tells it.
#[test]
fn no_search_of_a_known_root_gives_value_away() {
    let algorithms = ALGORITHMS.into_iter().chain([Algorithm::MonteCarlo]);
    let mut tempted = [0; 2];
    for (game, algorithm) in [Wdl::Win, Wdl::Draw, Wdl::Loss]
        .into_iter()
        .flat_map(|wdl| {
            positions(wdl, usual_or_full(12, 25)).filter(|game| game.outcome().is_none())
        })
        .flat_map(|game| algorithms.clone().map(move |algorithm| (game.clone(), algorithm)))
    {
        let moves = game.moves();
        let every_third = |first| moves.iter().copied().skip(first).step_by(3).collect();
        for choice in [Vec::new(), every_third(0), every_third(1)] {
            let chosen_from = if choice.is_empty() { moves.to_vec() } else { choice.clone() };
            let best = chosen_from.iter().map(|&mv| Wdl::from(value(&game, mv))).max().unwrap();
            for threads in [1, 3] {
                let mut engine = engine(algorithm);
                engine.settings.threads = threads;
                let limits = Limits { search_moves: choice.clone(), ..Limits::to_depth(6) };
                let alone = engine.search(&game, &limits, &mut Silent).best().expect("a move");
                tempted[threads / 2] += usize::from(Wdl::from(value(&game, alone)) < best);
                engine.clear();
                engine.tablebase = Some(Arc::clone(&TABLES));
                let report = engine.search(&game, &limits, &mut Silent);
                let mv = report.best().expect("a move");
                let about = || format!("{mv}, {algorithm:?}, {threads} threads: {}", game.text());
                assert!(chosen_from.contains(&mv), "{}", about());
                assert_eq!(Wdl::from(value(&game, mv)), best, "{}", about());
                let turns = value(&game, mv).turns().map(u16::from);
                match (best, report.score().kind()) {
                    (Wdl::Win, ScoreKind::MateIn(found))
                    | (Wdl::Loss, ScoreKind::MatedIn(found)) => {
                        assert_eq!(Some(found), turns, "{}", about());
                    }
                    (Wdl::Draw, ScoreKind::Estimate(-40..=40)) => {}
                    (_, kind) => panic!("{kind:?} of {}", about()),
                }
            }
        }
    }
    assert!(tempted.iter().all(|&count| count > 0), "{tempted:?} searches alone give value away");
}

#[test]
fn drawn_moves_are_told_apart_by_their_chances() {
    let told_apart = |game: &Game| {
        let known = search(game, MANY).known.expect("the tablebase knows all moves");
        let drawn = known.moves().iter().filter(|known| known.class == Class::Drawn);
        let chances: Vec<Score> = drawn.map(|known| known.chances.expect("searched")).collect();
        assert!(chances.is_sorted_by(|a, b| a >= b), "{chances:?}");
        chances.first() != chances.last()
    };
    let told_apart = positions(Wdl::Draw, 60).filter(told_apart).count();
    assert!(told_apart >= 6, "{told_apart}");
}

/// Near the n-move rule a move that the tablebase calls lost may be drawn by the rule if nobody finds
/// anything better. It gives the value away all the same.
#[test]
fn the_n_move_rule_is_no_reason_to_leave_a_draw() {
    for game in positions(Wdl::Draw, 60) {
        for late in [96, 98, 99] {
            let text = with_slides(game.text(), late);
            let report = search(&self::game(&text), 1);
            let best = report.best().expect("a move");
            assert_eq!(Wdl::from(value(&game, best)), Wdl::Draw, "{best}: {text}");
            assert!(report.score().is_estimate(), "{text}");
        }
    }
}

/// A side that cannot lose does not let the game end as long as another move holds.
#[test]
fn a_draw_is_not_repeated_while_another_move_holds() {
    for game in positions(Wdl::Draw, 20) {
        let mut bout = Bout::new(&game.text().to_string(), DrawRules::default());
        while bout.goes_on(60) {
            let holding = |mv: &&Move| {
                let mut after = bout.game.clone();
                after.play(**mv).unwrap();
                after.outcome().is_none() && Wdl::from(value(&bout.game, **mv)) == Wdl::Draw
            };
            let can_go_on = bout.game.moves().iter().any(|mv| holding(&mv));
            let (mv, _) = bout.search();
            bout.play(mv);
            assert!(bout.game.outcome().is_none() || !can_go_on, "{mv} to {}", bout.game.text());
        }
    }
}

/// However early a search ends, its lines tell how long a loss takes after each lost move, and no candidate of a
/// draw that it missed is told as better than those that it found.
#[test]
fn lines_of_an_ended_search_tell_what_is_known() {
    for (wdl, nodes) in [(Wdl::Loss, 20), (Wdl::Draw, 3)] {
        for game in positions(wdl, 40) {
            let limits = Limits { nodes: Some(nodes), multi_pv: MANY, ..Limits::to_depth(6) };
            let lines = engine_with(&TABLES).search(&game, &limits, &mut Silent).lines;
            let is_sorted = lines.is_sorted_by_key(|line| std::cmp::Reverse(line.score));
            assert!(wdl == Wdl::Loss || is_sorted, "{}", game.text());
            for line in lines {
                let Some(turns) = value(&game, line.pv[0]).turns() else { continue };
                let expected = (Score::mated_in(turns.into()), Bound::Exact);
                assert_eq!((line.score, line.bound), expected, "{}", game.text());
            }
        }
    }
}

/// Of a move whose value is not known only that much is known: it may be better than one that loses. Beside a
/// move that wins before the n-move rule nothing can be better.
#[test]
fn a_known_move_is_played_beside_an_unknown_one_only_if_it_wins() {
    choose_beside_unknown(Wdl::Loss, |_, unknown| unknown);
    choose_beside_unknown(Wdl::Win, |known, _| known);
}

/// Of a move with a known value and one whose value is not known, one is played, and it is not always the
/// one that looks better.
fn choose_beside_unknown(wdl: Wdl, expected: impl Fn(Move, Move) -> Move) {
    let small = Arc::new(tablebases::open(solved(6)));
    let mut engine = Engine::new(1).unwrap();
    let mut tempted = 0;
    for game in positions_of(Sector::new(3, 4).unwrap(), Wdl::Win, 300) {
        let probe = |mv: Move| small.probe_move::<Wdl, _>(game.position(), mv);
        let moves = game.moves();
        let Some(&known) = moves.iter().find(|mv| probe(**mv) == Some(wdl)) else { continue };
        for &unknown in moves.iter().filter(|mv| probe(**mv).is_none()).take(3) {
            let limits = Limits { search_moves: vec![known, unknown], ..Limits::to_depth(1) };
            let mut best = |tablebase: Option<&Arc<Tablebase>>| {
                engine.clear();
                engine.tablebase = tablebase.cloned();
                engine.search(&game, &limits, &mut Silent).best()
            };
            let expected = expected(known, unknown);
            assert_eq!(best(Some(&small)), Some(expected), "{}", game.text());
            tempted += usize::from(best(None) != Some(expected));
        }
    }
    assert!(tempted > 0, "the other move never looks better");
}

/// Who asks for several lines gets one of every move, the best first, whatever is known of some moves.
#[test]
fn every_move_has_its_line_where_some_are_not_known() {
    let small = Arc::new(tablebases::open(solved(6)));
    let mut engine = engine_with(&small);
    let mut seen = Vec::new();
    for game in positions_of(Sector::new(3, 4).unwrap(), Wdl::Win, 100) {
        let moves = game.moves();
        let probe = |mv| small.probe_move::<Wdl, _>(game.position(), mv);
        let known: Vec<Wdl> = moves.iter().filter_map(|&mv| probe(mv)).collect();
        if known.is_empty() || known.len() == moves.len() {
            continue;
        }
        seen.extend(known.iter().copied());
        let limits = Limits { multi_pv: MANY, ..Limits::to_depth(3) };
        let lines = engine.search(&game, &limits, &mut Silent).lines;
        assert_eq!(lines.len(), moves.len(), "{}", game.text());
        assert!(lines.is_sorted_by_key(|line| std::cmp::Reverse(line.score)), "{}", game.text());
        for line in lines {
            match (probe(line.pv[0]), line.score.kind()) {
                (Some(Wdl::Win), ScoreKind::MateIn(_))
                | (Some(Wdl::Loss), ScoreKind::MatedIn(_))
                | (Some(Wdl::Draw), ScoreKind::Estimate(_))
                | (None, _) => {}
                (known, kind) => panic!("{known:?}, {kind:?}: {}", game.text()),
            }
        }
    }
    assert!(seen.contains(&Wdl::Loss) && seen.contains(&Wdl::Win), "{seen:?}");
}

/// One line or many, and even where all has to come from the disk: whoever asks knows the distance of every
/// move.
#[test]
fn all_moves_have_their_distances_where_they_are_asked_for() {
    let mut engine = Engine::new(1).unwrap();
    let folder = tablebases::copy(solved(8), "known_root_cold");
    for game in positions(Wdl::Draw, 20).filter(|game| game.outcome().is_none()) {
        engine.tablebase = None;
        let cold = tablebases::open(&folder);
        cold.files().for_each(|file| forget(file.path()));
        engine.tablebase = Some(Arc::new(cold));
        let limits = Limits { scores_all: true, ..Limits::to_depth(1) };
        let report = engine.search(&game, &limits, &mut Silent);
        for known in report.known.expect("the tablebase knows all moves").moves() {
            let turns = value(&game, known.ranked.mv).turns().map(u16::from);
            assert_eq!(known.ranked.turns(), turns, "{known}");
        }
    }
}

/// Whoever has to remove its own third man has lost in 0 turns, which no draw rule can change.
#[test]
fn a_win_by_the_opponents_own_removal_is_certain() {
    let mill_action = MillAction::OpponentRemovesOwn;
    let rules = RuleSet { men: 3, mill_action, ..RuleSet::NINE_MENS_MORRIS };
    let folder = tablebases::fresh_folder("own_removal");
    tablebases::build(solvable(rules), &folder, [6, 6], Distances::All);
    let mut engine = engine_with(&Arc::new(tablebases::open_of(solvable(rules), &folder)));
    let mut game = Game::start(rules, DrawRules::default());
    for mv in ["d6", "a1", "f6", "g1"] {
        game.play(mv.parse().unwrap()).unwrap();
    }
    let report = engine.search(&game, &Limits { multi_pv: 3, ..Limits::to_depth(3) }, &mut Silent);
    assert_eq!((report.best(), report.score()), ("b6".parse().ok(), Score::mate_in(1)));
}
