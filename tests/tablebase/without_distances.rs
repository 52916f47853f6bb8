//! Tablebases without distances: a search finds the way, and never leaves what is won or drawn.

use std::sync::{Arc, LazyLock};

use super::comparison::with_quiet_plies;
use crate::positions::{game, won_by};
use crate::searches::engine_with;
use crate::tablebases::{self, WITHOUT_DISTANCES, solved};
use millstone::rules::DrawRules;
use millstone::score::Score;
use millstone::search::{Limits, Silent};
use millstone::tablebase::{SectorFile, Tablebase, Wdl};

/// Won with three men against four, in 27 plies if nobody errs.
const WON: &str = "@@OO@O**/@*******/******** w m s 3 0 4 0 0 0 0 0 0 0 0 0 10";

static WDL_ONLY: LazyLock<Arc<Tablebase>> =
    LazyLock::new(|| Arc::new(tablebases::open(&WITHOUT_DISTANCES)));

#[test]
fn a_win_is_won_against_the_longest_defence() {
    let perfect = Arc::new(tablebases::open(solved(7)));
    let (mut attacker, mut defender) = (engine_with(&WDL_ONLY), engine_with(&perfect));
    let mut game = game(WON);
    let winner = game.to_move();
    while game.outcome().is_none() {
        let is_attacker = game.to_move() == winner;
        let engine = if is_attacker { &mut attacker } else { &mut defender };
        let best = engine.search(&game, &Limits::to_depth(12), &mut Silent).best().unwrap();
        game.play(best).unwrap();
        if game.outcome().is_none() {
            let wdl: Wdl = WDL_ONLY.probe(game.position()).unwrap();
            let is_won = game.to_move() == winner;
            assert_eq!(wdl, if is_won { Wdl::Win } else { Wdl::Loss }, "{}", game.text());
        }
    }
    assert_eq!(won_by(&game), Some(winner));
}

#[test]
fn distances_are_preferred_to_none() {
    let perfect = tablebases::open(solved(7));
    for tablebase in [WDL_ONLY.with(&perfect), perfect.with(&WDL_ONLY)] {
        assert_eq!(tablebase.files().count(), 3);
        assert!(tablebase.files().all(SectorFile::has_distances));
    }
}

/// Near the limit of the n-move rule, or of a stricter one, no win of unknown distance is certain.
#[test]
fn no_win_of_unknown_length_is_certain_near_the_n_move_rule() {
    let [usual, strict] = [100, 20].map(|n_move| DrawRules { n_move, ..DrawRules::default() });
    let game = |slides, draws| with_quiet_plies(WON, slides, draws);
    let value = |(slides, draws)| WDL_ONLY.certain_wdl(&game(slides, draws));
    let values = [(1, usual), (90, usual), (1, strict)].map(value);
    assert_eq!(values, [Some(Wdl::Win), None, None]);
    let score = |slides| {
        let limits = Limits::to_depth(1);
        engine_with(&WDL_ONLY).search(&game(slides, usual), &limits, &mut Silent).score()
    };
    assert_eq!([1, 90].map(score), [Score::TABLEBASE_WIN, Score::CURSED_WIN]);
}
