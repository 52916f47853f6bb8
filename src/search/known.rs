//! A root that the databases know: nothing is left to search.

use std::cell::RefCell;

use super::engine::Engine;
use super::limits::Limits;
use super::observer::{Observer, Progress, Report};
use crate::game::Game;
use crate::knowledge::endgame::{Fate, JudgedMove, Tables, Wdl};
use crate::position::Move;
use crate::rules::Rules;
use crate::score::Score;

impl Engine {
    /// The best of the root moves, if the databases know the value of each.
    ///
    /// What counts first is how the game ends under its draw rules, then the value: the soonest win,
    /// the latest loss, the draw that leaves the opponent the fewest drawing replies.
    pub(super) fn known_best<R: Rules>(
        &self,
        game: &Game<R>,
        limits: &Limits,
        observer: &mut dyn Observer,
    ) -> Option<Report> {
        let tables = self.tables_for(game)?;
        let judged = tables.judge(game.position(), &self.root_moves(game, limits))?;
        let observer = RefCell::new(observer);
        let is_up = || {
            let is_late = limits.clock.is_past_soft() || limits.clock.is_past_hard();
            is_late || observer.borrow_mut().should_stop(0)
        };
        let (best, fate) = best_by_rules(tables, game, &judged, is_up)?;
        let score = score(best, fate);
        let is_enough = || score == Score::DRAW || is_up();
        let line = line(tables, game, best.mv, is_enough)?;
        let hits = judged.len() as u64;
        let report = Report { depth: 1, score, line, nodes: hits, database_hits: hits };
        observer.into_inner().progress(&Progress {
            depth: report.depth,
            selective_depth: report.line.len() as u32,
            score,
            line: &report.line,
            nodes: hits,
            database_hits: hits,
            table_use: 0,
            time: limits.clock.elapsed(),
        });
        Some(report)
    }
}

/// The first of the best moves when the draw rules are kept, and its fate; a draw that ends the game
/// at once is the last resort of those who draw.
fn best_by_rules<R: Rules>(
    tables: &Tables,
    game: &Game<R>,
    judged: &[JudgedMove],
    is_up: impl Fn() -> bool,
) -> Option<(JudgedMove, Fate)> {
    let expected = Wdl::from(judged.first()?.value);
    let mut best = None;
    let mut most = (Wdl::Loss, false);
    for &judged in judged {
        let mut after = game.clone();
        after.play(judged.mv).ok()?;
        let fate = fate_before(game, &after, tables.fate(&after, &is_up)?);
        let goes_on = fate.wdl != Wdl::Draw || after.outcome().is_none();
        if best.is_none() || (fate.wdl, goes_on) > most {
            best = Some((judged, fate));
            most = (fate.wdl, goes_on);
        }
        let is_enough = most >= (expected, true) && expected != Wdl::Loss;
        if is_enough || is_up() {
            break;
        }
    }
    best
}

/// How the game ends for the side that played the last move.
fn fate_before<R: Rules>(game: &Game<R>, after: &Game<R>, fate: Fate) -> Fate {
    let plays_on = after.position().to_move() == game.position().to_move();
    if plays_on { fate } else { Fate { wdl: fate.wdl.before_move(), ..fate } }
}

/// The value of the best move; a win that is not certain has no distance.
fn score(best: JudgedMove, fate: Fate) -> Score {
    match (fate, best.value.plies()) {
        (Fate { wdl: Wdl::Draw, .. }, _) | (_, None) => Score::DRAW,
        (Fate { wdl: Wdl::Win, is_certain: true }, Some(plies)) => Score::win_in(plies.into()),
        (Fate { wdl: Wdl::Loss, is_certain: true }, Some(plies)) => Score::loss_in(plies.into()),
        (Fate { wdl: Wdl::Win, .. }, _) => Score::UNCERTAIN_WIN,
        (Fate { wdl: Wdl::Loss, .. }, _) => -Score::UNCERTAIN_WIN,
    }
}

/// The best move and what follows, until it is enough.
fn line<R: Rules>(
    tables: &Tables,
    game: &Game<R>,
    best: Move,
    is_enough: impl Fn() -> bool,
) -> Option<Vec<Move>> {
    let mut after = game.clone();
    after.play(best).ok()?;
    let (mut line, _) = tables.line(&after, is_enough)?;
    line.insert(0, best);
    Some(line)
}
