//! Every number of the search that is tuned, declared once.

use std::time::Duration;

/// The deepest iteration, in placements and slides.
pub const MAX_DEPTH: u32 = 100;

/// The longest line of moves below the root, removals and extensions included.
pub const MAX_PLY: usize = 256;

/// The most lines that front ends and commands can ask for under MultiPV.
pub const MAX_LINES: u32 = 64;

/// The most nodes between two polls of the clock and the observer.
pub const NODES_PER_POLL: u64 = 1024;

/// The fewest, at the beginning of a search and when the last ones took long.
pub const FEWEST_NODES_PER_POLL: u64 = 16;

/// The time between two polls that is long.
pub const SLOW_POLL: Duration = Duration::from_millis(1);

// The transposition table.

/// The least depth of a node that uses the transposition table: nearer to the horizon a search is
/// faster than a probe of the memory.
pub const LEAST_TABLE_DEPTH: u32 = 2;

/// The most men on the board of positions that share an entry with their images.
pub const MOST_SYMMETRIC_MEN: u32 = 6;

/// Learned positions fill at most the capacity of the table divided by this.
pub const LEARNED_SHARE: usize = 8;

// The tablebase; scores in hundredths of a man.

/// The least depth of a node at which the tablebase is probed: a page that is not in memory costs as
/// much as a thousand nodes, so that what it may save has to be large.
pub const LEAST_PROBED_DEPTH: u32 = 3;

/// What a side that holds a draw gives for the game to go on.
pub const CONTEMPT: i32 = 150;

/// The greatest score that is reported of a drawn position, either way.
pub const MOST_OF_DRAW: i32 = 40;

/// The chances of which half of that is reported.
pub const HALF_OF_DRAW: i32 = 200;

/// The most positions that are visited to tell which moves of a known root win or lose within the draw rules, where
/// the n-move rule or the end of the game is near: shared by those that a first look leaves open.
pub const MOST_SEARCHED: u32 = 1000;

/// The most of these for each move at first.
pub const FIRST_SEARCHED: u32 = 10;

// Threads.

/// The most threads of one search.
pub const MAX_THREADS: usize = 512;

/// The largest transposition table, in MiB.
pub const MAX_TABLE: u32 = 1 << 25;

/// The least depth of a pass over the root that several threads search together.
pub const LEAST_TEAM_DEPTH: u32 = 5;

/// The least depth left below a move that is marked as busy for the other threads.
pub const LEAST_SHARED_DEPTH: u32 = 3;

// Aspiration windows, in hundredths of a man.

/// The first distance of each end of the window from the guess.
pub const ASPIRATION: i32 = 30;

/// The factor by which the distance grows when the value lies beyond the end.
pub const ASPIRATION_GROWTH: i32 = 4;

/// The greatest distance; beyond it the window is open.
pub const WIDEST_ASPIRATION: i32 = 500;

// MTD(f), in hundredths of a man.

/// How far beyond the bound just found the next pass asks; as far again and doubled each time while
/// all passes fail on the same side.
pub const FIRST_STEP: i32 = 8;

// Pruning.

/// The deepest node for reverse futility pruning.
pub const MOST_FUTILE_DEPTH: u32 = 6;

/// The margin of reverse futility pruning for each ply of depth, in hundredths of a man.
pub const FUTILITY_MARGIN: i16 = 45;

/// The least depth of a node for enhanced transposition cut-offs.
pub const LEAST_ENHANCED_DEPTH: u32 = 3;

// Late-move pruning.

/// The moves of a node, by the depth left, after which quiet ones are left out; deeper nodes search
/// all.
pub const LATE_MOVES: [usize; 4] = [usize::MAX, 4, 7, 10];

// Where moves are put off because another thread searches them, none is pruned.
const _: () = assert!(LATE_MOVES.len() <= LEAST_SHARED_DEPTH as usize + 1);

// Internal iterative reduction.

/// The least depth of a node that is searched less deep the first time.
pub const LEAST_INTERNAL_DEPTH: u32 = 4;

// Late-move reductions.

/// The least depth left below a move that may be reduced.
pub const LEAST_REDUCED_DEPTH: u32 = 2;

/// The first moves of a node, which are never reduced.
pub const UNREDUCED_MOVES: usize = 3;

/// The constant part of a reduction, in 256ths of a ply.
pub const REDUCTION_BASE: u32 = 256;

/// The divisor of the product of the logarithms of depth and number of a move, in 256ths, which is
/// the rest of the reduction.
pub const REDUCTION_DIVISOR: u32 = 5;

// Move ordering.

/// Order of a placement or slide that closes a mill, above every killer.
pub const ORDER_CLOSES: i32 = 1 << 20;

/// Order of a killer, above every other quiet move.
pub const ORDER_KILLER: i32 = 1 << 18;

/// Order of a move to a point where the opponent would close a mill.
pub const ORDER_BLOCKS: i32 = 1 << 16;

/// Order of a removal for each line that it opens.
pub const ORDER_OPENS: i32 = 1 << 16;

/// What a busy move loses, so that it comes after all others.
pub const ORDER_PUT_OFF: i32 = 1 << 22;

/// The killers of each ply.
pub const KILLERS: usize = 2;

/// The largest weight of a move in the history table.
pub const MAX_HISTORY: i32 = 1 << 14;

// Time management.

/// The moves that the remaining time is shared among when the front end does not say.
pub const MOVES_TO_GO: u32 = 30;

/// The least share of the remaining time for a move, in percent.
pub const LEAST_OF_CLOCK_PERCENT: u32 = 1;

/// The greatest share of the remaining time for a move, in percent.
pub const MOST_OF_CLOCK_PERCENT: u32 = 60;

/// The least share of an increment for a move, in percent.
pub const LEAST_OF_INCREMENT_PERCENT: u32 = 25;

/// The soft limit, after which no new iteration begins, in percent of a move's share.
pub const SOFT_PERCENT: u32 = 60;

/// The hard limit, after which a search is broken off, in percent of a move's share.
pub const HARD_PERCENT: u32 = 300;

/// What a search uses of its soft limit, in percent, by the number of iterations for which the best
/// move has been the same; the last entry is that of all greater numbers.
pub const STABLE_PERCENT: [u32; 6] = [150, 125, 110, 95, 80, 65];

/// What a fall of the score by a man adds to that, in percent, which is also the most.
pub const FALL_PERCENT: u32 = 80;

/// What a removal gets of the soft limit, in percent: the slide or placement before it has been
/// searched to the end of the turn.
pub const REMOVAL_PERCENT: u32 = 50;

/// The least time that the next iteration is expected to take, in percent of the last one.
pub const NEXT_ITERATION_PERCENT: u32 = 150;

// Reports.

/// The time after which bounds and current moves are reported.
pub const REPORTING_DELAY: Duration = Duration::from_secs(1);

/// The nodes that may be spent to bring the pv of a mate to the end of the game ...
pub const PV_NODES: u64 = 10_000;

/// ... and the divisor of the nodes of the search, which may be spent beside them.
pub const PV_NODES_SHARE: u64 = 16;

// Monte-Carlo tree search.

/// The simulations of depth 1; each depth more takes twice as many.
pub const FIRST_SIMULATIONS: u64 = 128;

/// Simulations between two polls of the clock and the observer.
pub const SIMULATIONS_PER_POLL: u64 = 32;

/// The most nodes of a tree, 20 bytes each.
pub const TREE_NODES: usize = 1 << 20;

/// The weight of the confidence in a move against its expectation.
pub const EXPLORATION: f32 = 0.3;

/// The most removals owed that are played out before a leaf is estimated.
pub const MOST_RESOLVED: u8 = 2;
