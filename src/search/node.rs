//! The node function.

use super::hooks::Features;
use super::order::Picker;
use super::parameters::MAX_PLY;
use super::tt::{Bound, Entry};
use super::worker::{Stopped, Worker};
use crate::evaluate::evaluate;
use crate::position::Ending;
use crate::rules::Rules;
use crate::score::{Score, Window};

impl<R: Rules, F: Features> Worker<'_, R, F> {
    /// Fail-soft alpha-beta: what the position is worth to the side to move.
    ///
    /// With `value` the value of the position at this depth and `score` what is returned:
    ///
    /// ```text
    /// score <= alpha           then  value <= score
    /// alpha < score < beta     then  value == score
    /// beta <= score            then  value >= score
    /// ```
    ///
    /// `depth` is the number of placements and slides still to be played; a side that closes a
    /// mill stays on turn, its removal has the same window and costs no depth.
    pub(super) fn node(&mut self, window: Window, depth: u32) -> Result<Score, Stopped> {
        self.count_node()?;
        if let Some(score) = self.ended().or_else(|| self.known_by_databases()) {
            return Ok(score);
        }
        if self.is_horizon(depth) || self.ply >= MAX_PLY - 1 {
            return Ok(self.estimate());
        }
        let depth = self.extended(depth);
        let known = self.known(depth);
        let answer = self.decided_sooner(window);
        let answer = answer.or_else(|| self.table_cut(known?, window, depth));
        let answer = answer.or_else(|| self.futile(window, depth));
        if let Some(score) = answer.or_else(|| self.reply_cut(window, depth)) {
            return Ok(score);
        }

        let table_move = known.and_then(|record| record.best);
        let mut picker = Picker::new(self, table_move, depth);
        let mut open = window;
        let mut best = (-Score::INFINITE, table_move);
        let depth_below = self.depth_after_move(depth);
        while let Some(mv) = picker.next(self) {
            let score = if best.0 == -Score::INFINITE {
                self.child(mv, open, depth_below)?
            } else {
                let reduction = self.reduction(depth_below, &picker);
                self.later_move(mv, open, depth_below, reduction)?
            };
            if score > best.0 {
                best.0 = score;
                if score > open.alpha {
                    best.1 = Some(mv);
                    open.alpha = score;
                }
                if score >= window.beta {
                    self.reward(mv, picker.tried(), depth);
                    break;
                }
            }
        }
        let bound = bound(best.0, window);
        self.remember(Entry { best: best.1, score: best.0, depth: depth as u8, bound });
        Ok(best.0)
    }

    /// The value of a game that the last move ended, in the order in which the rules ask.
    #[inline]
    pub(super) fn ended(&mut self) -> Option<Score> {
        self.deepest_ply = self.deepest_ply.max(self.ply);
        if self.is_drawn_by_history() {
            Some(Score::DRAW)
        } else {
            self.position.ending().map(|ending| match ending {
                Ending::Loss(_) => Score::mated_in(self.turns),
                Ending::Draw(_) => Score::DRAW,
            })
        }
    }

    #[inline]
    pub(super) fn estimate(&self) -> Score {
        evaluate(&self.position)
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
