//! Pruning and reductions: nodes that a bound settles, and late moves. The numbers are in
//! [`parameters`](super::parameters).

use std::convert::Infallible;
use std::ops::ControlFlow;

use super::movepick::Picker;
use super::parameters::{
    FUTILITY_MARGIN, Features, LATE_MOVES, LEAST_ENHANCED_DEPTH, LEAST_REDUCED_DEPTH,
    MOST_FUTILE_DEPTH, ORDER_BLOCKS, PROB_CUT_MARGIN, PROB_CUT_MARGIN_PER_PLY, REDUCTION_BASE,
    REDUCTION_DIVISOR, UNREDUCED_MOVES,
};
use super::worker::{Found, Worker};
use crate::board::Side;
use crate::position::Move;
use crate::rules::Rules;
use crate::score::{Score, Window};

impl<R: Rules, F: Features> Worker<'_, R, F> {
    /// Mate-distance pruning: the bound that no line through this node can pass, if the window lies
    /// beyond it.
    ///
    /// The best that can happen is a win with the next turn, the worst is to have lost already. So
    /// a search that has found a mate only looks for shorter ones.
    pub(super) fn mate_distance_cut(&self, window: Window) -> Option<Score> {
        let soonest_win = Score::mate_in(self.turns + 1);
        let soonest_loss = Score::mated_in(self.turns);
        let comes_late = (soonest_win <= window.alpha).then_some(soonest_win);
        let cut = comes_late.or((soonest_loss >= window.beta).then_some(soonest_loss));
        cut.filter(|_| F::ON.mate_distance)
    }

    /// Reverse futility pruning: the estimate minus a margin, if this is still above the window, so
    /// that a few plies are not expected to bring the value down.
    ///
    /// The margin grows with the depth. It is also taken off the returned score, which would otherwise claim
    /// what the next pass denies. Only nodes with null windows around estimates are cut, and none where the side
    /// to move loses the game with its next man: there an estimate far above the window could hide a mate in two.
    ///
    /// See: Ernst Heinz, "Extended Futility Pruning", 1998, which prunes on the other side of the
    /// window.
    pub(super) fn reverse_futility_cut(&self, window: Window, depth: u32) -> Option<Score> {
        let may_cut = F::ON.reverse_futility && depth <= MOST_FUTILE_DEPTH;
        if !may_cut || !self.may_prune(window) {
            return None;
        }
        let expected = self.estimate().less(FUTILITY_MARGIN * depth as i16);
        (expected >= window.beta).then_some(expected)
    }

    /// ProbCut: the score of a search about half as deep, less a margin, if it lies so far beyond the window that the
    /// full search is not expected to come back.
    ///
    /// The estimate tells on which side of the window to look. The depths differ by an even number of plies, so that
    /// the same side has the last move. The margin grows with the plies that are saved, so deeper iterations cut less
    /// on the same evidence. No value is held down where the opponent loses the game with its next man.
    ///
    /// See: Michael Buro, "ProbCut: An Effective Selective Extension of the Alpha-Beta Algorithm", 1995.
    ///
    /// # Errors
    ///
    /// [`Stopped`](super::worker::Stopped), if the search was stopped.
    pub(super) fn prob_cut(&mut self, window: Window, depth: u32) -> Found<Option<Score>> {
        let saved = (depth + 2) / 4 * 2;
        let is_high = self.estimate() >= window.beta;
        let distance = PROB_CUT_MARGIN + PROB_CUT_MARGIN_PER_PLY * saved as i16;
        let margin = if is_high { distance } else { -distance };
        let beyond = Window::null(window.beta.less(-margin));
        let is_exposed = !is_high && self.may_lose_next(!self.position.to_move());
        if is_exposed || !beyond.beta.is_estimate() {
            return Ok(None);
        }
        let score = self.inner_node(beyond, depth - saved)?;
        let is_beyond = (score >= beyond.beta) == is_high;
        let expected = if score.is_estimate() { score.less(margin) } else { score };
        Ok(is_beyond.then_some(expected))
    }

    /// Whether the node or its late moves may be pruned: in a null window around an estimate, unless a man is to be
    /// removed or the side to move may lose the game with the next one, or a mate is wanted.
    pub(super) fn may_prune(&self, window: Window) -> bool {
        let position = &self.position;
        let is_tried = window.is_null() && window.beta.is_estimate() && position.pending() == 0;
        is_tried && !self.may_lose_next(position.to_move()) && !self.wants_mate()
    }

    /// Whether a mate in some turns is wanted, which a selective search could miss.
    pub(super) fn wants_mate(&self) -> bool {
        self.root.limits.mate.is_some()
    }

    /// Whether a side loses the game with its next man.
    fn may_lose_next(&self, side: Side) -> bool {
        self.position.count_men(side) <= self.position.rules().least_men
    }

    /// Enhanced transposition cut-off: the score of a move that fails high by the entry of the
    /// position after it.
    ///
    /// Each move costs a probe, so only nodes with a large tree below them are tried.
    ///
    /// See: Jonathan Schaeffer and Aske Plaat, "New Advances in Alpha-Beta Searching", 1996.
    pub(super) fn enhanced_cut(&self, window: Window, depth: u32) -> Option<Score> {
        let may_cut = F::ON.enhanced_cut && depth >= LEAST_ENHANCED_DEPTH;
        if !may_cut || self.position.pending() > 0 {
            return None;
        }
        let ControlFlow::Continue(()) = self.position.visit_moves::<Infallible>(|mv| {
            self.prefetch(&self.position.after(mv));
            ControlFlow::Continue(())
        });
        let visited = self.position.visit_moves(|mv| match self.lower_bound(mv, depth - 1) {
            Some(score) if score >= window.beta => ControlFlow::Break(score),
            _ => ControlFlow::Continue(()),
        });
        visited.break_value()
    }

    /// A lower bound of a move that ends the turn, if the table has one for the position after it:
    /// an upper bound for the opponent is a lower bound for the side to move.
    ///
    /// Draws by history are left to the search, because entries know nothing of them.
    fn lower_bound(&self, mv: Move, depth: u32) -> Option<Score> {
        let after = self.position.after(mv);
        if after.plays_on(self.position.to_move()) {
            return None;
        }
        let upper = self.probe(self.table_key(&after))?.upper?;
        let is_sure =
            self.serves(upper, depth, &after) && !(F::ON.draws && self.would_be_drawn(&after));
        is_sure.then(|| -upper.score.from_node(self.turns + 1))
    }
}

/// Late-move pruning: whether to skip the last move handed out, which is not the first, at this depth of its node.
///
/// See: Ernst Heinz, "Scalable Search in Computer Chess", 2000, on forward pruning near the horizon.
pub(super) fn is_late(depth: u32, picker: &Picker) -> bool {
    let most = LATE_MOVES.get(depth as usize);
    most.is_some_and(|&most| picker.count() > most) && picker.order() < ORDER_BLOCKS
}

/// Late-move reduction: by how many plies to reduce the first search of the last move handed out,
/// with `depth_below` plies left below it.
///
/// If moves are well ordered, late ones are seldom best. Killers, moves that close a mill and moves that
/// keep the opponent from closing one are not reduced, except moves of the last kind that failed more often
/// than they were best. The reduction grows with the logarithms of the depth and of the move number.
///
/// See: David Levy, David Broughton and Mark Taylor, "The SEX Algorithm in Computer Chess", 1989;
/// Tord Romstad, "An Introduction to Late Move Reductions", 2006.
pub(super) fn reduction(depth_below: u32, picker: &Picker) -> u32 {
    let number = picker.count();
    let is_early = number <= UNREDUCED_MOVES || depth_below < LEAST_REDUCED_DEPTH;
    if is_early || picker.order() >= ORDER_BLOCKS {
        return 0;
    }
    let reduction = REDUCTIONS[(depth_below as usize).min(LAST)][number.min(LAST)];
    u32::from(reduction).min(depth_below - 1)
}

/// The greatest depth and move number with reductions of their own.
const LAST: usize = 31;

/// The reductions by depth and move number.
static REDUCTIONS: [[u8; LAST + 1]; LAST + 1] = {
    let mut table = [[0; LAST + 1]; LAST + 1];
    let mut depth = 1;
    while depth <= LAST {
        let mut number = 1;
        while number <= LAST {
            let product = binary_logarithm(depth) * binary_logarithm(number);
            table[depth][number] = ((REDUCTION_BASE + product / REDUCTION_DIVISOR) >> 8) as u8;
            number += 1;
        }
        depth += 1;
    }
    table
};

/// The logarithm to base 2 in 16ths, interpolated linearly between powers of two.
const fn binary_logarithm(number: usize) -> u32 {
    let whole = number.ilog2();
    let part = (16 * (number as u32 - (1 << whole))) >> whole;
    16 * whole + part
}
