//! Tablebase probes, in the tree and at a root at which nothing is left to search.

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
use crate::tablebase::{DrawRuleWdl, RankedMove, Tablebase, Wdl};

impl<R: Rules, F: Features> Worker<'_, R, F> {
    /// The value of the position, if the tablebase has it.
    ///
    /// The distance of a win takes more work to read than the win itself, so the score of a win is
    /// one of unknown length, below every mate that the search finds.
    #[inline]
    pub(super) fn probe_tablebase(&mut self) -> Option<Score> {
        let tablebase = self.tablebase?;
        let wdl = tablebase.probe_wdl(&self.position)?;
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
    let moves = tablebase.rank_moves(game.position(), moves)?;
    let observer = RefCell::new(observer);
    let is_up = || {
        let is_late = limits.clock.is_past_soft() || limits.clock.is_past_hard();
        is_late || observer.borrow_mut().should_stop(0)
    };
    let ranked = rank_by_rules(tablebase, game, &moves, limits.multi_pv, is_up)?;
    let variation = |&(ranked, by_rules): &(RankedMove, DrawRuleWdl)| {
        let score = score(ranked, by_rules);
        let is_enough = || score == Score::DRAW || is_up();
        Some(Variation { score, pv: pv(tablebase, game, ranked.mv, is_enough)? })
    };
    let variations = ranked.iter().take(limits.multi_pv.max(1)).map(variation);
    let mut variations = variations.collect::<Option<Vec<Variation>>>()?;
    let hits = moves.len() as u64;
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
    Some(Report {
        depth: DEPTH,
        score,
        bound: Bound::Exact,
        pv,
        others,
        nodes: hits,
        tablebase_hits: hits,
    })
}

/// The depth of a report by the tablebase, which looks at each move once.
const DEPTH: u32 = 1;

/// The best moves under the draw rules with their values, the best move first; among draws one that
/// ends the game at once comes last.
///
/// Where one line is enough, no more moves are tried once one keeps the value of the position.
fn rank_by_rules<R: Rules>(
    tablebase: &Tablebase,
    game: &Game<R>,
    moves: &[RankedMove],
    multi_pv: usize,
    is_up: impl Fn() -> bool,
) -> Option<Vec<(RankedMove, DrawRuleWdl)>> {
    let expected = Wdl::from(moves.first()?.value);
    let mut ranked = Vec::with_capacity(moves.len());
    for &one in moves {
        let mut after = game.clone();
        after.play(one.mv).ok()?;
        let by_rules = for_mover(game, &after, tablebase.draw_rule_wdl(&after, &is_up)?);
        let goes_on = by_rules.wdl != Wdl::Draw || after.outcome().is_none();
        ranked.push(((by_rules.wdl, goes_on), (one, by_rules)));
        let is_kept = (by_rules.wdl, goes_on) >= (expected, true) && expected != Wdl::Loss;
        if multi_pv <= 1 && is_kept || is_up() {
            break;
        }
    }
    ranked.sort_by_key(|&(rank, (one, by_rules))| Reverse((rank, score(one, by_rules))));
    Some(ranked.into_iter().map(|(_, move_and_value)| move_and_value).collect())
}

/// The value of the game after a move, for the side that played it.
fn for_mover<R: Rules>(game: &Game<R>, after: &Game<R>, value: DrawRuleWdl) -> DrawRuleWdl {
    if after.position().plays_on(game.position().to_move()) {
        value
    } else {
        DrawRuleWdl { wdl: value.wdl.before_move(), ..value }
    }
}

/// The score of a move; a win that is not certain has no distance.
fn score(ranked: RankedMove, DrawRuleWdl { wdl, is_certain }: DrawRuleWdl) -> Score {
    match (wdl, ranked.value.turns()) {
        (Wdl::Draw, _) | (_, None) => Score::DRAW,
        (Wdl::Win, Some(turns)) if is_certain => Score::mate_in(turns.into()),
        (Wdl::Loss, Some(turns)) if is_certain => Score::mated_in(turns.into()),
        (Wdl::Win, _) => Score::CURSED_WIN,
        (Wdl::Loss, _) => -Score::CURSED_WIN,
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
    let (mut pv, _) = tablebase.pv(&after, is_enough)?;
    pv.insert(0, best);
    Some(pv)
}
