//! A root that the databases know: nothing is left to search.

use super::engine::Engine;
use super::limits::Limits;
use super::observer::{Observer, Progress, Report};
use crate::game::Game;
use crate::knowledge::endgame::{JudgedMove, Tables, Wdl};
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
        let (best, wdl) = best_by_rules(tables, game, &judged)?;
        let score = score(best, wdl);
        let is_enough = || score == Score::DRAW || limits.clock.is_past_soft();
        let line = line(tables, game, best.mv, is_enough)?;
        let hits = judged.len() as u64;
        let report = Report { depth: 1, score, line, nodes: hits, database_hits: hits };
        observer.progress(&Progress {
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

/// The first of the best moves when the draw rules are kept.
fn best_by_rules<R: Rules>(
    tables: &Tables,
    game: &Game<R>,
    judged: &[JudgedMove],
) -> Option<(JudgedMove, Wdl)> {
    let expected = Wdl::from(judged.first()?.value);
    let mut best: Option<(JudgedMove, Wdl)> = None;
    for &judged in judged {
        let wdl = wdl_by_rules(tables, game, judged.mv)?;
        if best.is_none_or(|(_, best)| wdl > best) {
            best = Some((judged, wdl));
        }
        if wdl >= expected && wdl != Wdl::Loss {
            break;
        }
    }
    best
}

/// How the game ends for the side that plays a move.
fn wdl_by_rules<R: Rules>(tables: &Tables, game: &Game<R>, mv: Move) -> Option<Wdl> {
    let mut after = game.clone();
    after.play(mv).ok()?;
    let wdl = tables.wdl_by_rules(&after)?;
    let plays_on = after.position().to_move() == game.position().to_move();
    Some(if plays_on { wdl } else { wdl.before_move() })
}

fn score(best: JudgedMove, wdl: Wdl) -> Score {
    match (wdl, best.value.plies()) {
        (Wdl::Draw, _) | (_, None) => Score::DRAW,
        (Wdl::Win, Some(plies)) => Score::win_in(plies.into()),
        (Wdl::Loss, Some(plies)) => Score::loss_in(plies.into()),
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
