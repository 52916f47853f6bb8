//! What the tablebase knows: positions of the tree, and a root at which nothing is left to search.

use std::cell::RefCell;
use std::cmp::Reverse;

use super::features::Features;
use super::limits::Limits;
use super::observer::{Observer, Progress, Report, Variation};
use super::tt::Bound;
use super::worker::Worker;
use crate::game::Game;
use crate::position::Move;
use crate::rules::{DrawRules, Rules};
use crate::score::Score;
use crate::tablebase::{Fate, JudgedMove, Tablebase, Wdl};

impl<R: Rules, F: Features> Worker<'_, R, F> {
    /// The value of the position, if the tablebase has it.
    ///
    /// The distance of a win takes more work to read than the win itself, so the score of a win is
    /// one of unknown length, below every mate that the search finds.
    #[inline]
    pub(super) fn probe_tablebase(&mut self) -> Option<Score> {
        let tablebase = self.tablebase?;
        let wdl = tablebase.wdl_of(&self.position)?;
        let score = match wdl {
            Wdl::Win => self.tablebase_win(tablebase)?,
            Wdl::Draw => Score::DRAW,
            Wdl::Loss => -self.tablebase_win(tablebase)?,
        };
        self.tablebase_hits += 1;
        Some(score)
    }

    /// The score of a decided position for the side that wins; none where a search has to find the
    /// win, because the tablebase has no distances.
    ///
    /// Right after a placement or removal the usual n-move rule leaves 100 plies, which nearly
    /// always is enough to the next removal. The distance is read only where slides have been played
    /// or the rule is stricter. A win that it may overtake has a lower score.
    #[inline]
    fn tablebase_win(&self, tablebase: &Tablebase) -> Option<Score> {
        let quiet_plies = self.position.quiet_plies();
        let plies_left = self.draw_rules.first_limit().saturating_sub(quiet_plies);
        if quiet_plies == 0 && plies_left >= DrawRules::default().first_limit() {
            return Some(Score::TABLEBASE_WIN);
        }
        let is_in_time = tablebase.ends_before(&self.position, plies_left)?;
        Some(if is_in_time { Score::TABLEBASE_WIN } else { Score::CURSED_WIN })
    }
}

/// The best of the root moves without a search, as many as the MultiPV lines asked for, if the
/// tablebase has the value of each.
///
/// What counts first is how the game ends under its draw rules, then the value: the soonest win, the
/// latest loss, the draw that leaves the opponent the fewest drawing replies.
pub(super) fn best_moves<R: Rules>(
    tablebase: &Tablebase,
    game: &Game<R>,
    moves: &[Move],
    limits: &Limits,
    observer: &mut dyn Observer,
) -> Option<Report> {
    let judged = tablebase.judge(game.position(), moves)?;
    let observer = RefCell::new(observer);
    let is_up = || {
        let is_late = limits.clock.is_past_soft() || limits.clock.is_past_hard();
        is_late || observer.borrow_mut().should_stop(0)
    };
    let ranked = rank_by_rules(tablebase, game, &judged, limits.multi_pv, is_up)?;
    let variation = |&(judged, fate): &(JudgedMove, Fate)| {
        let score = score(judged, fate);
        let is_enough = || score == Score::DRAW || is_up();
        Some(Variation { score, pv: pv(tablebase, game, judged.mv, is_enough)? })
    };
    let variations = ranked.iter().take(limits.multi_pv.max(1)).map(variation);
    let mut variations = variations.collect::<Option<Vec<Variation>>>()?;
    let hits = judged.len() as u64;
    let observer = observer.into_inner();
    for (index, Variation { score, pv }) in variations.iter().enumerate() {
        observer.progress(&Progress {
            depth: DEPTH,
            selective_depth: pv.len() as u32,
            rank: index + 1,
            score: *score,
            bound: Bound::Exact,
            pv,
            nodes: hits,
            tablebase_hits: hits,
            table_use: 0,
            time: limits.clock.elapsed(),
        });
    }
    let others = variations.split_off(1);
    let Variation { score, pv } = variations.pop()?;
    Some(Report { depth: DEPTH, score, pv, others, nodes: hits, tablebase_hits: hits })
}

/// The depth of a report by the tablebase, which looks at each move once.
const DEPTH: u32 = 1;

/// The best moves when the draw rules are kept, and their fates, the best move first; a draw that
/// ends the game at once is the last resort of those who draw.
///
/// Where one line is enough, no fate is looked for once the value of the position is kept.
fn rank_by_rules<R: Rules>(
    tablebase: &Tablebase,
    game: &Game<R>,
    judged: &[JudgedMove],
    multi_pv: usize,
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
        if multi_pv <= 1 && is_kept || is_up() {
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

/// The best move and the play that follows, until it is enough.
fn pv<R: Rules>(
    tablebase: &Tablebase,
    game: &Game<R>,
    best: Move,
    is_enough: impl Fn() -> bool,
) -> Option<Vec<Move>> {
    let mut after = game.clone();
    after.play(best).ok()?;
    let (mut pv, _) = tablebase.line(&after, is_enough)?;
    pv.insert(0, best);
    Some(pv)
}
