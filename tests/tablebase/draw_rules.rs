//! Tablebases know no draws by history, but the engine that plays by them does.

use super::bouts::{Bout, TABLES, draw, plies};
use crate::mailbox::Outcome;
use crate::positions::{game, with_slides};
use crate::random::seeded;
use crate::size::usual_or_full;
use crate::tablebases;
use millstone::game::Game;
use millstone::position::Move;
use millstone::rules::DrawRules;
use millstone::score::Score;
use millstone::tablebase::{Sector, Wdl};

/// The scores of a win by a line when the n-move rule leaves so many plies of all: the last of them is
/// not counted on, since a slide that blocks would come too late, and a removal starts anew. Without a certain distance
/// a win may be certain, where the rule is so near that a search tells.
fn claims(plies: usize, line: &[Move], left: usize, all: usize) -> [Score; 2] {
    let begins_with_mill = line.get(1).is_some_and(|mv| mv.is_removal());
    let is_certain = if begins_with_mill { plies - 1 < all } else { plies < left };
    let mate = [Score::mate_in(plies as u16); 2];
    if is_certain { mate } else { [Score::CURSED_WIN, Score::TABLEBASE_WIN] }
}

/// With three men against three the first removal wins, so nobody can do better than the shortest
/// win and the longest defence.
#[test]
fn wins_that_come_too_late_for_the_n_move_rule_are_draws() {
    let sector = Sector::new(3, 3).unwrap();
    let file = TABLES.file(sector).expect("the smallest sector");
    let limit = usize::from(DrawRules::default().n_move);
    for seed in 0..usual_or_full(12, 100) {
        let mut rng = seeded(seed);
        let text = draw(file, Wdl::Win, &mut rng);
        let plies = plies(&text);
        let counts = [limit - plies - 1, limit - plies, limit - plies + 1, limit - 1];
        for quiet_plies in counts.into_iter().filter(|count| *count < limit) {
            let text = with_slides(&text, quiet_plies);
            let mut bout = Bout::new(&text, DrawRules::default());
            let winner = bout.game.to_move();
            let (_, score) = bout.search();
            let line = TABLES.pv(&bout.game, || false).expect("the sectors are there").0;
            for &mv in &line {
                bout.play(mv);
            }
            if quiet_plies + plies <= limit {
                let claims = claims(plies, &line, limit - quiet_plies, limit);
                assert!(claims.contains(&score), "{score:?}: {text}");
                bout.assert_won(winner);
            } else {
                assert_eq!(score, Score::DRAW, "{text}");
                assert!(matches!(bout.referee.outcome(), Some(Outcome::Draw(_))), "{text}");
            }
        }
    }
}

/// The longest wins of all sectors under rules that let the line of best play be, and rules that do
/// not. Then another line may win, but a win that is claimed must come with a line that wins.
#[test]
fn long_wins_count_where_the_n_move_rule_lets_them_be() {
    let longest = TABLES.files().filter_map(|file| {
        let longest = file.statistics().longest_win?;
        Some(tablebases::position(file.sector(), longest.index as usize))
    });
    let mut draws = 0;
    for position in longest {
        let game = Game::from_position(position, DrawRules::OFF);
        let line = TABLES.pv(&game, || false).expect("the sectors are there").0;
        let quiet = |line: &[Move]| line.iter().take_while(|mv| !mv.is_removal()).count();
        let spans = (0..line.len()).map(|start| quiet(&line[start..]));
        // A slide that earns a removal is never drawn, one that blocks is.
        let is_blocked = line.last().is_some_and(|mv| !mv.is_removal());
        let needed = (spans.max().unwrap_or(0) + usize::from(is_blocked)) as u16;
        let text = position.to_string();
        for n_move in [needed, needed - 1, needed / 2].into_iter().filter(|n_move| *n_move > 0) {
            let rules = DrawRules { n_move, endgame_n_move: n_move, ..DrawRules::OFF };
            let mut bout = Bout::new(&text, rules);
            let report = bout.report();
            if report.score() == Score::DRAW {
                assert!(n_move < needed, "{text}, {n_move}");
                draws += 1;
            } else {
                let n_move = n_move.into();
                let claims = claims(plies(&text), report.pv(), n_move, n_move);
                assert!(claims.contains(&report.score()), "{text}, {n_move}");
                let winner = bout.game.to_move();
                for &mv in report.pv() {
                    bout.play(mv);
                }
                bout.assert_won(winner);
            }
        }
    }
    assert!(draws > 0);
}

/// However late it is, a removal starts the count anew.
#[test]
fn wins_that_begin_with_a_mill_are_certain() {
    let sector = Sector::new(3, 4).unwrap();
    let file = TABLES.file(sector).expect("a small sector");
    let mut found = 0;
    for seed in 0..usual_or_full(50, 300) {
        let text = draw(file, Wdl::Win, &mut seeded(seed));
        let line = TABLES.pv(&game(&text), || false).expect("the sectors are there").0;
        if line[1].is_removal() && line.len() > 2 {
            let late = with_slides(&text, DrawRules::default().n_move - 2);
            let (_, score) = Bout::new(&late, DrawRules::default()).search();
            assert_eq!(score, Score::mate_in(plies(&text) as u16), "{late}");
            found += 1;
        }
    }
    assert!(found > 2, "{found}");
}
