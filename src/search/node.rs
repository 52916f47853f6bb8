//! The node function: what happens at a position of the tree, step by step.
//!
//! The steps that need more than a few lines are in [`draw`](super::draw),
//! [`tablebase`](super::tablebase), [`tt`](super::tt), [`prune`](super::prune) and
//! [`movepick`](super::movepick).

use std::sync::atomic::Ordering::Relaxed;

use super::engine::Algorithm;
use super::movepick::Picker;
use super::parameters::{
    Features, LEAST_INTERNAL_DEPTH, LEAST_PROB_CUT_DEPTH, LEAST_PROBED_DEPTH, LEAST_SHARED_DEPTH,
    LEAST_TABLE_DEPTH, MAX_PLY,
};
use super::prune::{is_late, reduction};
use super::threads::Busy;
use super::worker::{Found, Worker};
use crate::position::{Move, Outcome};
use crate::rules::Rules;
use crate::score::{Bound, Score, Window};

impl<R: Rules, F: Features> Worker<'_, R, F> {
    /// Fail-soft alpha-beta: the value of the position for the side to move.
    ///
    /// The returned `score` bounds the `value` of the position at this depth:
    ///
    /// ```text
    /// score <= alpha           then  value <= score
    /// alpha < score < beta     then  value == score
    /// beta <= score            then  value >= score
    /// ```
    ///
    /// `depth` is the number of placements and slides still to be played. A removal costs no
    /// depth. When the same side moves again, the child has the same window, not the negated one.
    #[inline]
    fn node(&mut self, window: Window, depth: u32) -> Found {
        // The limits, before the node is counted, so that a single thread counts no node beyond a limit.
        if self.own.nodes >= self.next_poll {
            self.poll()?;
        }
        self.own.nodes += 1;

        // The end of the game, by history (a draw) or by the position.
        if let Some(score) = self.game_over() {
            return Ok(score);
        }

        // Tablebase.
        if depth >= LEAST_PROBED_DEPTH
            && let Some(score) = self.probe_tablebase()
        {
            return Ok(score);
        }

        // Quiescence: between a mill and its removal no estimate is reliable, so removals are played out.
        let is_quiet = !(F::ON.quiescence && self.position.pending() > 0);
        let is_too_long = self.ply >= MAX_PLY - 1;
        if (depth == 0 && is_quiet) || is_too_long {
            return Ok(self.estimate());
        }

        self.inner_node(window, depth)
    }

    /// The node function for inner nodes. Not inlined, so leaf nodes do not pay for it.
    #[inline(never)]
    pub(super) fn inner_node(&mut self, window: Window, depth: u32) -> Found {
        let is_removal = self.position.pending() > 0;

        // Extension: a forced move costs no depth, so that the search sees how a side loses whose
        // men are shut in one by one. Lines of forced moves only end by repetition.
        let is_forced = F::ON.forced_move && !is_removal && self.position.count_moves() == 1;
        let depth = depth + u32::from(is_forced);
        if is_forced {
            self.extend();
        }

        // Mate-distance pruning.
        if let Some(score) = self.mate_distance_cut(window) {
            return Ok(score);
        }

        // Transposition cut-off.
        let uses_table = F::ON.uses_table() && depth >= LEAST_TABLE_DEPTH;
        let key = uses_table.then(|| self.table_key(&self.position));
        let mut entry = key.and_then(|key| self.probe(key));
        if let Some(score) = self.transposition_cut(entry, window, depth) {
            return Ok(score);
        }

        // Reverse futility pruning.
        if let Some(score) = self.reverse_futility_cut(window, depth) {
            return Ok(score);
        }

        // Enhanced transposition cut-off.
        if let Some(score) = self.enhanced_cut(window, depth) {
            return Ok(score);
        }

        // ProbCut: not of forced moves, of which a line may have any number at the same depth, and not where the
        // n-move rule may end what half of the depth does not see.
        let may_cut = F::ON.prob_cut && depth >= LEAST_PROB_CUT_DEPTH && !is_forced;
        if may_cut
            && self.may_prune(window)
            && self.is_before_n_move_rule(&self.position, Score::DRAW, depth)
        {
            if let Some(score) = self.prob_cut(window, depth)? {
                return Ok(score);
            }
            // A search that has not cut may leave a move to begin with.
            entry = key.and_then(|key| self.probe(key));
        }

        // Internal iterative reduction: a position that is not in the table is better searched in
        // the next pass or iteration, which knows a best move.
        let is_selective = !is_removal && !self.wants_mate();
        let is_reduced =
            F::ON.internal_reduction && uses_table && depth >= LEAST_INTERNAL_DEPTH && is_selective;
        let wanted_depth = depth;
        let depth = depth - u32::from(is_reduced && entry.is_none());

        // The moves, best first.
        let table_move = entry.and_then(|entry| entry.best);
        // Leaves at least `LEAST_SHARED_DEPTH` below a move, and one more below a removal, which costs no depth.
        let busy = self.busy().filter(|_| depth > LEAST_SHARED_DEPTH);
        let mut picker = Picker::new::<R, F>(&self.position, table_move, busy);
        let mut narrowed = window;
        let mut best = -Score::INFINITE;
        let mut best_move = table_move;
        let mut rests_on = usize::MAX;
        let may_prune = F::ON.late_move_pruning && self.may_prune(window);
        let depth_below = if is_removal { depth } else { depth.saturating_sub(1) };
        while let Some(mv) = picker.next::<R, F>(&self.position, &self.ordering, self.ply) {
            let is_first = best == -Score::INFINITE;
            // Late-move pruning.
            if !is_first && may_prune && best > -Score::TABLEBASE_WIN && is_late(depth, &picker) {
                break;
            }
            let score = if is_first {
                self.child(mv, narrowed, depth_below)?
            } else {
                // Late-move reductions.
                let reduction = if F::ON.late_move_reductions && is_selective {
                    reduction(depth_below, &picker)
                } else {
                    0
                };
                self.later_move(mv, narrowed, depth_below, reduction)?
            };
            if score > best {
                best = score;
                if score > narrowed.alpha {
                    best_move = Some(mv);
                    narrowed.alpha = score;
                }
                if score >= window.beta {
                    let side = self.position.to_move();
                    self.ordering.reward::<F>(side, self.ply, mv, picker.tried(), depth);
                    rests_on = self.rests_on;
                    break;
                }
            }
            rests_on = rests_on.min(self.rests_on);
        }

        self.finish_node(rests_on);
        if let Some(key) = key {
            // If its reduced depth were stored, other threads that reach this node would search it again.
            let depth = if self.team.is_some() { wanted_depth } else { depth };
            self.store(key, best_move, best, depth, bound(best, window));
        }
        Ok(best)
    }

    /// The value, if the last move ended the game. Draws by history come first, as in the rules.
    #[inline]
    pub(super) fn game_over(&mut self) -> Option<Score> {
        self.own.deepest_ply = self.own.deepest_ply.max(self.ply);
        self.rests_on = usize::MAX;
        if let Some(since) = self.draw_by_history() {
            self.rests_on = since;
            return Some(self.score_of_draw());
        }
        self.position.ending().map(|ending| match ending {
            Outcome::Win { .. } => Score::mated_in(self.turns),
            Outcome::Draw(_) => self.score_of_draw(),
        })
    }

    /// The value of a move that is not the first of its node.
    ///
    /// The move is expected to be no better than the best so far. A null window, at the reduced depth
    /// first, proves this at less cost than an open window; a move that turns out better is searched again.
    /// If the window of the node is null, as always under MTD(f), only the reduction makes a difference.
    ///
    /// See: Tony Marsland and Murray Campbell, "Parallel Search of Strongly Ordered Game Trees",
    /// 1982.
    #[inline]
    pub(super) fn later_move(
        &mut self,
        mv: Move,
        window: Window,
        depth: u32,
        reduction: u32,
    ) -> Found {
        let no_better = Window { alpha: window.alpha, beta: window.alpha.next() };
        if reduction > 0 {
            let score = self.child(mv, no_better, depth - reduction)?;
            if score <= window.alpha {
                return Ok(score);
            }
        }
        if F::ON.null_windows && !window.is_null() && self.root.algorithm != Algorithm::AlphaBeta {
            let score = self.child(mv, no_better, depth)?;
            if score <= window.alpha || score >= window.beta {
                return Ok(score);
            }
        }
        self.child(mv, window, depth)
    }

    /// The value of a move for the side that plays it; `depth` is the depth left below the move.
    #[inline]
    pub(super) fn child(&mut self, mv: Move, window: Window, depth: u32) -> Found {
        match self.busy() {
            Some(busy) if depth >= LEAST_SHARED_DEPTH => self.marked_child(busy, mv, window, depth),
            _ => self.own_child(mv, window, depth),
        }
    }

    /// Searches a move marked as busy, so that other threads put it off.
    #[cold]
    #[inline(never)]
    fn marked_child(&mut self, busy: &Busy, mv: Move, window: Window, depth: u32) -> Found {
        let threads = busy.count(self.position.key(), mv);
        threads.fetch_add(1, Relaxed);
        let score = self.own_child(mv, window, depth);
        threads.fetch_sub(1, Relaxed);
        score
    }

    #[inline]
    fn own_child(&mut self, mv: Move, window: Window, depth: u32) -> Found {
        let side = self.position.to_move();
        let undo = self.position.do_move(mv);
        if F::ON.uses_table() && depth >= LEAST_TABLE_DEPTH {
            self.prefetch(&self.position);
        }
        self.path.push(self.position.key());
        self.ply += 1;
        let turns = self.position.turns_over(side);
        self.turns += turns;
        let extended = self.extended;
        let plays_on = self.position.plays_on(side);
        let score = self.node(if plays_on { window } else { -window }, depth);
        let score = score.map(|score| if plays_on { score } else { -score });
        self.extended = extended;
        self.turns -= turns;
        self.ply -= 1;
        self.path.pop();
        self.position.undo_move(undo);
        score
    }
}

/// How a score found within a window relates to the value.
#[inline]
pub(super) fn bound(score: Score, window: Window) -> Bound {
    if score >= window.beta {
        Bound::Lower
    } else if score <= window.alpha {
        Bound::Upper
    } else {
        Bound::Exact
    }
}
