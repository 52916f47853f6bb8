//! A root that the databases know: nothing is left to search.

use std::cell::RefCell;
use std::cmp::Reverse;

use super::engine::Engine;
use super::limits::Limits;
use super::observer::{Observer, Progress, Report, Variation};
use super::tt::Bound;
use crate::game::Game;
use crate::position::Move;
use crate::rules::Rules;
use crate::score::Score;
use crate::tablebase::{Fate, JudgedMove, Tablebase, Wdl};

impl Engine {
    /// The best of the root moves, as many as there are lines asked for, if the databases know the
    /// value of each.
    ///
    /// What counts first is how the game ends under its draw rules, then the value: the soonest win,
    /// the latest loss, the draw that leaves the opponent the fewest drawing replies.
    pub(super) fn known_best<R: Rules>(
        &self,
        game: &Game<R>,
        limits: &Limits,
        observer: &mut dyn Observer,
    ) -> Option<Report> {
        let tablebase = self.tablebase_for(game)?;
        let judged = tablebase.judge(game.position(), &self.root_moves(game, limits))?;
        let observer = RefCell::new(observer);
        let is_up = || {
            let is_late = limits.clock.is_past_soft() || limits.clock.is_past_hard();
            is_late || observer.borrow_mut().should_stop(0)
        };
        let ranked = rank_by_rules(tablebase, game, &judged, limits.multi_pv, is_up)?;
        let line_of = |&(judged, fate): &(JudgedMove, Fate)| {
            let score = score(judged, fate);
            let is_enough = || score == Score::DRAW || is_up();
            Some(Variation { score, pv: line(tablebase, game, judged.mv, is_enough)? })
        };
        let lines = ranked.iter().take(limits.multi_pv.max(1)).map(line_of);
        let mut lines = lines.collect::<Option<Vec<Variation>>>()?;
        let hits = judged.len() as u64;
        let observer = observer.into_inner();
        for (index, Variation { score, pv: line }) in lines.iter().enumerate() {
            observer.progress(&Progress {
                depth: DEPTH,
                selective_depth: line.len() as u32,
                rank: index + 1,
                score: *score,
                bound: Bound::Exact,
                pv: line,
                nodes: hits,
                tablebase_hits: hits,
                table_use: 0,
                time: limits.clock.elapsed(),
            });
        }
        let others = lines.split_off(1);
        let Variation { score, pv: line } = lines.pop()?;
        Some(Report { depth: DEPTH, score, pv: line, others, nodes: hits, tablebase_hits: hits })
    }
}

/// The depth that is looked at: each move once.
const DEPTH: u32 = 1;

/// The best moves when the draw rules are kept, and their fates, the best move first; a draw that
/// ends the game at once is the last resort of those who draw.
///
/// Where one line is enough, no fate is looked for once the value of the position is kept.
fn rank_by_rules<R: Rules>(
    tablebase: &Tablebase,
    game: &Game<R>,
    judged: &[JudgedMove],
    lines: usize,
    is_up: impl Fn() -> bool,
) -> Option<Vec<(JudgedMove, Fate)>> {
    let expected = Wdl::from(judged.first()?.value);
    let mut ranked = Vec::with_capacity(judged.len());
    for &judged in judged {
        let mut after = game.clone();
        after.play(judged.mv).ok()?;
        let fate = fate_before(game, &after, tablebase.fate(&after, &is_up)?);
        let goes_on = fate.wdl != Wdl::Draw || after.outcome().is_none();
        ranked.push(((fate.wdl, goes_on), (judged, fate)));
        let is_kept = (fate.wdl, goes_on) >= (expected, true) && expected != Wdl::Loss;
        if lines <= 1 && is_kept || is_up() {
            break;
        }
    }
    ranked.sort_by_key(|&(rank, (judged, fate))| Reverse((rank, score(judged, fate))));
    Some(ranked.into_iter().map(|(_, move_and_fate)| move_and_fate).collect())
}

/// How the game ends for the side that played the last move.
fn fate_before<R: Rules>(game: &Game<R>, after: &Game<R>, fate: Fate) -> Fate {
    if after.position().plays_on(game.position().to_move()) {
        fate
    } else {
        Fate { wdl: fate.wdl.before_move(), ..fate }
    }
}

/// The value of the best move; a win that is not certain has no distance.
fn score(best: JudgedMove, fate: Fate) -> Score {
    match (fate, best.value.plies()) {
        (Fate { wdl: Wdl::Draw, .. }, _) | (_, None) => Score::DRAW,
        (Fate { wdl: Wdl::Win, is_certain: true }, Some(plies)) => Score::mate_in(plies.into()),
        (Fate { wdl: Wdl::Loss, is_certain: true }, Some(plies)) => Score::mated_in(plies.into()),
        (Fate { wdl: Wdl::Win, .. }, _) => Score::CURSED_WIN,
        (Fate { wdl: Wdl::Loss, .. }, _) => -Score::CURSED_WIN,
    }
}

/// The best move and what follows, until it is enough.
fn line<R: Rules>(
    tablebase: &Tablebase,
    game: &Game<R>,
    best: Move,
    is_enough: impl Fn() -> bool,
) -> Option<Vec<Move>> {
    let mut after = game.clone();
    after.play(best).ok()?;
    let (mut line, _) = tablebase.line(&after, is_enough)?;
    line.insert(0, best);
    Some(line)
}
