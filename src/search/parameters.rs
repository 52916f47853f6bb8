//! Every tunable number of the search, once.

use std::time::Duration;

/// The deepest iteration, in placements and slides.
pub const MAX_DEPTH: u32 = 100;

/// The longest line of moves below the root, removals and extensions included.
pub const MAX_PLY: usize = 256;

/// Nodes between two looks at the clock and at the observer.
pub const NODES_PER_POLL: u64 = 1024;

/// The least depth of a node that uses the transposition table: nearer to the horizon a node is
/// searched sooner than the memory answers.
pub const LEAST_TABLE_DEPTH: u32 = 2;

/// Learned positions fill at most the capacity of the transposition table divided by this.
pub const LEARNED_SHARE: usize = 8;

/// The most threads of one search.
pub const MAX_THREADS: usize = 512;

/// The least depth left below a move for a thread to tell the others that it is looking at it.
pub const LEAST_SHARED_DEPTH: u32 = 3;

/// The least depth of a question about the root that is worth waking other threads for.
pub const LEAST_ASKED_DEPTH: u32 = 5;

/// How many moves that caused a cut-off are remembered for each ply.
pub const KILLERS: usize = 2;

/// The largest weight of a move in the history table.
pub const MAX_HISTORY: i32 = 1 << 14;

/// Order of a placement or slide that closes a mill, above every killer.
pub const ORDER_CLOSES: i32 = 1 << 20;

/// Order of a killer, above every other quiet move.
pub const ORDER_KILLER: i32 = 1 << 18;

/// Order of a move to a point where the opponent would close a mill.
pub const ORDER_BLOCKS: i32 = 1 << 16;

/// Order of a removal for each way in which it opens a line.
pub const ORDER_OPENS: i32 = 1 << 16;

/// What a move that another thread is looking at loses, so that it comes after every other.
pub const ORDER_PUT_OFF: i32 = 1 << 24;

/// The moves that the remaining time is shared among when the front end does not say.
pub const MOVES_TO_GO: u32 = 30;

/// How much of the remaining time a move may take at most, in percent.
pub const MOST_OF_CLOCK_PERCENT: u32 = 60;

/// How much of the remaining time a move gets at least, in percent.
pub const LEAST_OF_CLOCK_PERCENT: u32 = 1;

/// How much of an increment a move gets at least, in percent.
pub const LEAST_OF_INCREMENT_PERCENT: u32 = 25;

/// The time after which no new iteration begins, in percent of a move's share.
pub const SOFT_PERCENT: u32 = 60;

/// The deepest node that may be cut because its estimate is far above the window.
pub const MOST_FUTILE_DEPTH: u32 = 6;

/// How far above the window it has to be for each placement or slide of depth, in hundredths of a
/// man.
pub const FUTILITY_MARGIN: i16 = 45;

/// The least depth below a move for which it may be tried less deep.
pub const LEAST_REDUCED_DEPTH: u32 = 2;

/// The first moves of a node are never tried less deep.
pub const UNREDUCED_MOVES: usize = 3;

/// The part of a reduction that depends on nothing, in 256ths of a ply.
pub const REDUCTION_BASE: u32 = 256;

/// What the product of the logarithms of depth and number of a move, in 256ths, is divided by.
pub const REDUCTION_DIVISOR: u32 = 5;

/// The least depth of a node for which the table is asked for all moves.
pub const LEAST_REPLY_CUT_DEPTH: u32 = 3;

/// The most men on the board of positions that share an entry of the table with their images.
pub const MOST_SYMMETRIC_MEN: u32 = 6;

/// How far from the first guess an aspiration window ends at first, in hundredths of a man.
pub const ASPIRATION: i32 = 30;

/// By what the distance grows when the value is beyond the end.
pub const ASPIRATION_GROWTH: i32 = 4;

/// From what distance the window is open.
pub const WIDEST_ASPIRATION: i32 = 500;

/// The simulations of depth 1; each depth more takes twice as many.
pub const FIRST_SIMULATIONS: u64 = 128;

/// Simulations between two looks at the clock and at the observer.
pub const SIMULATIONS_PER_POLL: u64 = 32;

/// The most nodes of a Monte-Carlo tree, 20 bytes each.
pub const TREE_NODES: usize = 1 << 20;

/// The weight of the confidence in a move against what is expected of it.
pub const EXPLORATION: f32 = 0.3;

/// The advantage, in hundredths of a man, at which the odds of winning are e to one.
pub const EXPECTATION_SCALE: f32 = 150.0;

/// The most removals owed that are played out before a leaf is judged.
pub const MOST_RESOLVED: u8 = 2;

/// The time after which a search is broken off, in percent of a move's share.
pub const HARD_PERCENT: u32 = 300;

/// What the best move gets of the soft limit, in percent, by the number of iterations that it has
/// stood so far; the last entry serves all above.
pub const STABLE_PERCENT: [u32; 6] = [150, 125, 110, 95, 80, 65];

/// What a fall of the score by a man adds to the soft limit, in percent, which is also the most.
pub const FALL_PERCENT: u32 = 80;

/// What the removal of a turn gets of the soft limit, in percent: the slide or placement before
/// has been thought through to the end of the turn.
pub const REMOVAL_PERCENT: u32 = 50;

/// The time of the next iteration, in percent of the last one, which is what it needs at least.
pub const NEXT_ITERATION_PERCENT: u32 = 150;

/// The time after which a search tells of bounds and of the move that it looks at.
pub const PATIENCE: Duration = Duration::from_secs(1);

/// Nodes that may be spent on playing the line of a win or loss to the end of the game ...
pub const LINE_NODES: u64 = 10_000;

/// ... and as many again as this part of all nodes of the search.
pub const LINE_NODES_SHARE: u64 = 16;
