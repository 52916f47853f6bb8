//! Tablebases without distances: a search finds the way, and never leaves what is won or drawn.

use std::sync::Arc;

use crate::tablebases;
use crate::tablebases::fresh_folder;
use millstone::game::{Game, Outcome};
use millstone::rules::{DrawRules, RuleSet};
use millstone::search::{Engine, Limits, Silent};
use millstone::tablebase::{Distances, SectorFile, Solvable, Tablebase, Wdl};

/// Won with three men against four, in 27 plies if nobody errs.
const WON: &str = "@@OO@O**/@*******/******** w m s 3 0 4 0 0 0 0 0 0 0 0 0 10";

fn solve(name: &str, distances: Distances) -> Arc<Tablebase> {
    let folder = fresh_folder(name);
    tablebases::build(Solvable::STANDARD, &folder, [7, 0], distances);
    Arc::new(tablebases::open(&folder))
}

fn engine(tablebase: &Arc<Tablebase>) -> Engine {
    let mut engine = Engine::new(8).unwrap();
    engine.tablebase = Some(Arc::clone(tablebase));
    engine
}

#[test]
fn a_win_is_won_against_the_longest_defence() {
    let wdl_only = solve("tablebase_without_distances", Distances::None);
    let perfect = solve("tablebase_with_distances", Distances::Moving);
    let (mut attacker, mut defender) = (engine(&wdl_only), engine(&perfect));
    let mut game = Game::from_text(WON, RuleSet::default(), DrawRules::default()).unwrap();
    let winner = game.to_move();
    while game.outcome().is_none() {
        let is_attacker = game.to_move() == winner;
        let engine = if is_attacker { &mut attacker } else { &mut defender };
        let best = engine.search(&game, &Limits::to_depth(12), &mut Silent).best().unwrap();
        game.play(best).unwrap();
        if game.outcome().is_none() {
            let wdl: Wdl = wdl_only.probe(game.position()).unwrap();
            let is_won = game.to_move() == winner;
            assert_eq!(wdl, if is_won { Wdl::Win } else { Wdl::Loss }, "{}", game.text());
        }
    }
    assert!(matches!(game.outcome(), Some(Outcome::Win { winner: side, .. }) if side == winner));
}

#[test]
fn distances_are_preferred_to_none() {
    let wdl_only = solve("tablebase_to_improve", Distances::None);
    let perfect = solve("tablebase_that_improve", Distances::Moving);
    for tablebase in [wdl_only.with(&perfect), perfect.with(&wdl_only)] {
        assert_eq!(tablebase.files().count(), 3);
        assert!(tablebase.files().all(SectorFile::has_distances));
    }
}

/// Near the limit of the n-move rule nothing is certain of a win whose distance is not known.
#[test]
fn no_win_of_unknown_length_is_certain_near_the_n_move_rule() {
    let wdl_only = solve("tablebase_uncertain", Distances::None);
    let value = |quiet_plies: &str| {
        let text = WON.replace(" 0 10", &format!(" {quiet_plies} 10"));
        wdl_only
            .certain_wdl(&Game::from_text(&text, RuleSet::default(), DrawRules::default()).unwrap())
    };
    assert_eq!(value("1"), Some(Wdl::Win));
    assert_eq!(value("98"), None);
}
