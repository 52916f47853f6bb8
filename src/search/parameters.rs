//! Which enhancements a search has, and every number of the search that is tuned, declared once.
//!
//! Alpha-beta over all moves needs none of them. A set of [`Switches`] is a type, so the search
//! without any is the reference that others are tested against, and the full search is compiled
//! without a test for any switch.
//!
//! What some are worth, measured with one of them off: the wins and draws that a search of 10 000 nodes
//! keeps in 538 won and 462 drawn critical positions of the moving phase, and the nodes that their
//! searches to depth 7 visit.
//!
//! | off | wins | draws | nodes |
//! | --- | --- | --- | --- |
//! | nothing | 525 | 451 | 10.32 million |
//! | late-move reductions | 524 | 451 | +178 % |
//! | reverse futility pruning | 518 | 446 | +115 % |
//! | cut-offs by the table | 521 | 448 | +63 % |
//! | quiescence | 520 | 445 | +36 % |
//! | history | 521 | 444 | +14 % |
//! | deeper results | 525 | 451 | +12 % |
//! | late-move pruning | 524 | 445 | +7 % |
//! | move of the table | 524 | 449 | +2.6 % |
//! | internal iterative reduction | 528 | 449 | +2.3 % |
//! | killers | 526 | 448 | +1.5 % |
//! | enhanced cut-offs | 526 | 449 | +0.4 % |
//!
//! What costs no node has its worth in instructions a node, counted over searches of 50 positions, half
//! of them placing, to depth 7 (327 626 nodes, each 1 457 before and 1 315 after):
//!
//! | idea | instructions |
//! | --- | --- |
//! | the place in the table and the canonical image found once a node, the second colour only on ties | -4.4 % |
//! | late-move pruning ends the moves of a node, the rest of which are not put in order | -4.1 % |
//! | the end of a line estimated before the node function proper is entered | -2.3 % |
//!
//! Ideas that are not kept, by nodes to depth 12 over the same positions (7 986 492 as it is):
//!
//! | idea | nodes |
//! | --- | --- |
//! | one limit in an entry instead of both | +7.1 % |
//! | a deeper entry stays, of a shallower look only the move is stored | +6.2 % |
//! | a deeper limit stays | +3.4 % |
//! | a new limit drops the other where they contradict each other | +0.4 % |
//! | no reduction of a move that blocks a mill, whatever its history | +4.7 % |
//! | reductions by history | +11 to +49 % |
//! | futility pruning of quiet moves near the horizon | -1.4 to +2 % |
//! | a cap on forced moves | 1 % either way |
//! | moves that close a mill looked at beyond the horizon of placing | of 2 000 positions of plies 3 to 8 1 941 are kept instead of 1 944, by 200 000 nodes |
//! | MTD(f) ends within 4 hundredths | -9 %, but the score is not exact |
//! | wins that less deep searches have proved answer too | +14 % to depth 13 of the bench, 51-498-51 in 600 games at fixed nodes |
//! | no look at the entries of the positions after a node | +2.8 % to depth 13 of the bench in the same time, -5 +- 9 Elo in 800 games |
//! | history of the first thread kept from one search to the next | -8 +- 20 Elo at fixed nodes |
//!
//! Over 172 positions of games to depth 10, with a table of 1 MiB: the same nodes where a generation is
//! worth 16 plies of depth instead of more than all, 4.7 % more with 4, and 3.8 % more without age.
//!
//! Two threads are 1.72 times sooner at a depth than one (60 positions by lot of 1 to 5 seconds: plies 2 to 8, 9 to 17
//! and 18 to 30 of random games, medians of three runs; geometric mean, error 4 %, 0.95 to 5.02) and visit 1.07 times
//! its nodes; over 42 others it was 1.88 times, and 1.58 where a search that is reduced at first is stored as less
//! deep. Tried with that, where they are 1.70 times sooner over 48 positions, the error 4 %, and
//! not kept:
//!
//! | idea | times sooner |
//! | --- | --- |
//! | a move is reduced by its number in the order of one thread | 1.62 |
//! | a move that the other thread searches is put off, then searched one ply less deep | 1.63 |
//! | both | 1.71 |
//! | the second, and images of a move under symmetries are the same move | 1.71, 1.69 |
//! | these, and a look at the table before each later move | 1.64 |
//! | the same without that look, moves shared from 2 plies left on, not 3 | 1.63 |
//! | the first, without internal iterative reduction | 1.20 |
//! | positions are put off, by their keys, instead of moves; 24 others, where it is 1.69 without | 1.59 |
//!
//! A thread that leaves a node which the other has finished, as its ancestors tell it at each poll, visits the same
//! number of nodes: not kept either.

use std::time::Duration;

use crate::board::MAX_MOVES;

/// Declares the switches.
macro_rules! switches {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// The enhancements of the search, each on or off.
        ///
        /// [`SOUND`](Self::SOUND) has those that leave the value of a position at a depth as it is.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(clippy::struct_excessive_bools, reason = "each switch is one of its own")]
        pub struct Switches {
            $($(#[$doc])* pub $name: bool,)*
        }

        impl Switches {
            const fn all(on: bool) -> Self {
                Self { $($name: on),* }
            }
        }
    };
}

switches! {
    /// Repetition and the n-move rule draw within the tree.
    draws,
    /// Positions of the tablebase are not searched.
    tablebase,
    /// Removals owed are searched at the end of a line.
    quiescence,
    /// A position with only one move is searched one ply deeper.
    forced_move,
    /// Entries of the transposition table cut off.
    table_cut,
    /// Entries of searches deeper than asked for cut off too.
    deeper_results,
    /// Positions that are images of each other share an entry of the transposition table.
    symmetry,
    /// Mate-distance pruning.
    mate_distance,
    /// Reverse futility pruning.
    reverse_futility,
    /// Enhanced transposition cut-offs.
    enhanced_cut,
    /// The move of the transposition table is tried first.
    table_move,
    /// Killer moves are tried early.
    killers,
    /// Quiet moves are ordered by history.
    history,
    /// Late moves are searched less deep first.
    late_move_reductions,
    /// Late moves near the horizon are left out.
    late_move_pruning,
    /// A position that the table does not have is searched less deep.
    internal_reduction,
    /// In an open window, moves after the first are tried with a null window first.
    null_windows,
}

impl Switches {
    /// Whether anything reads the transposition table.
    pub const fn uses_table(self) -> bool {
        self.table_cut || self.table_move
    }

    /// All enhancements.
    pub const ALL: Self = Self::all(true);

    /// Every enhancement that leaves the value of a position at a depth as it is.
    pub const SOUND: Self = Self {
        draws: false,
        forced_move: false,
        deeper_results: false,
        reverse_futility: false,
        late_move_reductions: false,
        late_move_pruning: false,
        internal_reduction: false,
        ..Self::ALL
    };

    /// Plain alpha-beta over all moves to a fixed depth, removals played out.
    pub const REFERENCE: Self = Self { quiescence: true, ..Self::all(false) };
}

/// A set of switches as a type.
pub trait Features {
    /// The switches.
    const ON: Switches;
}

/// All enhancements.
#[derive(Clone, Copy, Debug)]
pub struct Full;

impl Features for Full {
    const ON: Switches = Switches::ALL;
}

/// The deepest iteration, in placements and slides.
pub const MAX_DEPTH: u32 = 100;

/// The longest line of moves below the root, removals and extensions included.
pub const MAX_PLY: usize = 256;

/// The most lines that front ends and commands can ask for under MultiPV.
pub const MAX_LINES: u32 = MAX_MOVES as u32;

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
