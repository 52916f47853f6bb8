//! Late-move reductions: where moves are in good order, late ones are tried less deep.
//!
//! Only when the shallower search finds such a move better than expected, it is searched to the full
//! depth. Killers and moves that close a mill or keep the opponent from closing one are not reduced, and
//! removals are not either: they cost no depth of their own. The reduction grows with the logarithms of the
//! depth and of the number of the move.
//!
//! See: David Levy, David Broughton and Mark Taylor, "The SEX Algorithm in Computer Chess", 1989, for
//! depth by the interest of moves; Tord Romstad, "An Introduction to Late Move Reductions", 2006.

use super::Features;
use crate::rules::Rules;
use crate::search::order::Picker;
use crate::search::parameters::{
    LEAST_REDUCED_DEPTH, ORDER_BLOCKS, REDUCTION_BASE, REDUCTION_DIVISOR, UNREDUCED_MOVES,
};
use crate::search::worker::Worker;

/// The largest depth and number of a move that the table tells apart.
const LAST: usize = 31;

/// By depth and number of the move.
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

/// The logarithm to base 2 in 16ths, between powers of two on a straight line.
const fn binary_logarithm(number: usize) -> u32 {
    let whole = number.ilog2();
    let part = (16 * (number as u32 - (1 << whole))) >> whole;
    16 * whole + part
}

impl<R: Rules, F: Features> Worker<'_, R, F> {
    /// How much less deep the last move handed out is tried; `depth` is what is left below it.
    #[inline]
    pub(in crate::search) fn reduction(&self, depth: u32, picker: &Picker) -> u32 {
        let (number, is_removal) = (picker.count(), self.position.pending() > 0);
        let is_early = number <= UNREDUCED_MOVES || depth < LEAST_REDUCED_DEPTH;
        if !F::ON.late_move_reductions || is_early || is_removal || picker.order() >= ORDER_BLOCKS {
            return 0;
        }
        let reduction = REDUCTIONS[(depth as usize).min(LAST)][number.min(LAST)];
        u32::from(reduction).min(depth - 1)
    }
}
