//! The enhancements of the search and all its tuned numbers, declared in one place.
//!
//! Alpha-beta over all moves needs no enhancement. A set of [`Switches`] is a type, so that the search without any
//! can serve as the reference for tests of the others, and the full search is compiled without tests of switches.
//!
//! What some enhancements are worth, measured before ProbCut with one of them off: the wins and draws that a
//! search of 10 000 nodes keeps in 538 won and 462 drawn critical positions of the moving phase,
//! and the nodes that searches of these positions to depth 7 visit.
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
//! Ideas that do not change the number of nodes are measured in instructions per node, over searches of 50 positions,
//! half of them in the placing phase, to depth 7 (327 626 nodes, 1 457 instructions each before and 1 315 after):
//!
//! | idea | instructions |
//! | --- | --- |
//! | the table key and the canonical image are found once per node, the second colour is mapped only on ties | -4.4 % |
//! | late-move pruning ends the loop over moves, so that the rest are not ordered | -4.1 % |
//! | leaf nodes are estimated before the node function proper is entered | -2.3 % |
//!
//! Ideas that speed up nodes, in seconds of CPU for perft 7 and `bench 11` before and after, builds in turns:
//!
//! | idea | perft | bench |
//! | --- | --- | --- |
//! | men by the side to move instead of by colour, so that temporary positions stay in registers | 0.82 to 0.56 | 1.35 to 1.18 |
//! | moves are picked without branches, entries of the table fetched ahead | | 1.18 to 0.87 |
//! | what a ring adds to the patterns in one table, points that close a mill found once a node | | 0.87 to 0.82 |
//! | inlining forced | 0.77 to 0.56 | |
//!
//! Not kept: the numbers of the patterns follow each move and are taken back, instead of being found at each
//! estimate. By the changes of the sets of men it costs 3.2 % more instructions, by the move, with the numbers of
//! the rings in one word, 0.3 % more, and no less time.
//!
//! Rejected ideas, by nodes to depth 12 over the same 50 positions (7 986 492 without them):
//!
//! | idea | nodes |
//! | --- | --- |
//! | one limit in an entry instead of both | +7.1 % |
//! | a deeper entry stays, and a shallower search stores only its move | +6.2 % |
//! | a deeper limit stays | +3.4 % |
//! | a new limit drops the other if they contradict each other | +0.4 % |
//! | no reduction of a move that blocks a mill, whatever its history | +4.7 % |
//! | reductions by history | +11 to +49 % |
//! | futility pruning of quiet moves near the horizon | -1.4 to +2 % |
//! | a cap on extensions for forced moves | 1 % either way |
//! | in the placing phase, moves that close a mill are searched beyond the horizon | 1 941 of 2 000 positions of plies 3 to 8 are kept instead of 1 944, with 200 000 nodes |
//! | MTD(f) ends within 4 hundredths | -9 %, but the score is not exact |
//! | wins proved by shallower searches cut off too | +14 % to depth 13 of the bench, 51-498-51 in 600 games at fixed nodes |
//! | the entries of the positions after a node are not probed | +2.8 % to depth 13 of the bench in the same time, 48.7 % of the points in 1 600 games |
//! | the first thread keeps its history for the next search | -8 +- 20 Elo at fixed nodes |
//!
//! ProbCut, which is not in these tables, by the critical positions of games that lose value with 100 000 nodes each:
//! 3 000 of placing and 2 000 of moving, drawn from games between versions of the engine. Of 5 000 others, not used
//! for tuning, 71 lose value instead of 85.
//!
//! | search beyond the window | lost |
//! | --- | --- |
//! | none | 106 + 19 |
//! | 4 plies less deep, margin 40 and 10 a ply | 88 + 13 |
//! | the same, cut-offs above the window only | 89 + 14 |
//! | 4 plies less deep, margin 25 and 7, or 60 and 12 | 82 + 18, 86 + 13 |
//! | 3 plies less deep, from depth 4 | 87 + 13 |
//! | about half as deep, without ProbCut in the shorter search | 77 + 13 |
//! | about half as deep | 75 + 12 |
//! | the same, margin 25 and 7 | 73 + 13 |
//! | the same, margin 15 and 5 | 80 + 12 |
//! | about three eighths as deep | 70 + 16 |
//! | about half as deep, from depth 4 | 74 + 18 |
//! | about half as deep, margin 30 and 8, the entry is probed again for its move | 74 + 14 |
//! | the same, and decides on internal iterative reduction (kept) | 66 + 15 |
//! | the same, without ProbCut in the shorter search | 78 + 14 |
//! | the kept form, entries without a move reduce too | 77 + 18 |
//!
//! Replacement in a table of 1 MiB, over 172 positions of games to depth 10: the same nodes if a
//! generation weighs as much as 16 plies of depth instead of outweighing any depth, 4.7 % more with
//! 4 plies, and 3.8 % more without ageing.
//!
//! Two threads reach a depth 1.93 times as fast as one: the geometric mean of medians of three runs, range 1.27
//! to 5.61, over 52 of 60 positions drawn by lot from plies 2 to 8 (1.97 times), 9 to 17 (2.15) and 18 to 30 (1.70) of
//! random games; the others have no depth of 1 to 10 seconds. Before ProbCut it was 1.72 over 60 other positions,
//! with 1.07 times as many nodes, and 1.58 instead of 1.88 over 42 where a reduced search was stored with its reduced
//! depth: the other thread, which comes to the same or a symmetric position, then searches it again. Rejected ideas
//! from that time, where the speed-up without them is 1.70 over 48 positions, with an error of 4 %:
//!
//! | idea | speed-up |
//! | --- | --- |
//! | a move is reduced by its number in the order of one thread | 1.62 |
//! | a move that the other thread is searching is put off, then searched one ply less deep | 1.63 |
//! | both | 1.71 |
//! | the second, with symmetric images of a move treated as the same move | 1.71, 1.69 |
//! | the same, with a probe of the table before each later move | 1.64 |
//! | the same without that probe, with moves shared from 2 plies left instead of 3 | 1.63 |
//! | the first, without internal iterative reduction | 1.20 |
//! | positions are put off, by their keys, instead of moves (24 other positions; 1.69 without it) | 1.59 |
//!
//! Also rejected: a thread leaves a node that the other has finished, for which it checks the
//! ancestors at each poll. It visits the same number of nodes.

use std::time::Duration;

use crate::board::MAX_MOVES;

/// Declares the switches.
macro_rules! switches {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// The enhancements of the search, each on or off.
        ///
        /// [`SOUND`](Self::SOUND) has the ones that do not change the value of a position at a depth.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(clippy::struct_excessive_bools, reason = "the switches are independent")]
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
    /// Positions in the tablebase are not searched.
    tablebase,
    /// Owed removals are searched at the end of a line.
    quiescence,
    /// A position with only one move is searched one ply deeper.
    forced_move,
    /// Entries of the transposition table cause cut-offs.
    table_cut,
    /// Entries of searches deeper than required cause cut-offs too.
    deeper_results,
    /// Positions that are images of each other share an entry of the transposition table.
    symmetry,
    /// Mate-distance pruning.
    mate_distance,
    /// Reverse futility pruning.
    reverse_futility,
    /// Enhanced transposition cut-offs.
    enhanced_cut,
    /// ProbCut.
    prob_cut,
    /// The move of the transposition table is tried first.
    table_move,
    /// Killer moves are tried early.
    killers,
    /// Quiet moves are ordered by history.
    history,
    /// Late moves are first searched less deep.
    late_move_reductions,
    /// Late moves near the horizon are left out.
    late_move_pruning,
    /// A position that is not in the table is searched less deep.
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

    /// Every enhancement that does not change the value of a position at a depth.
    pub const SOUND: Self = Self {
        draws: false,
        forced_move: false,
        deeper_results: false,
        reverse_futility: false,
        prob_cut: false,
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

/// The most MultiPV lines that front ends and commands can request.
pub const MAX_LINES: u32 = MAX_MOVES as u32;

/// The most nodes between two polls of the clock and the observer.
pub const NODES_PER_POLL: u64 = 1024;

/// The fewest nodes between two polls, at the beginning of a search and while nodes take long.
pub const FEWEST_NODES_PER_POLL: u64 = 16;

/// The shortest time between two polls that counts as slow.
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

/// The least depth of a node at which the tablebase is probed: a page that is not in memory costs
/// as much as a thousand nodes, so it has to save a lot.
pub const LEAST_PROBED_DEPTH: u32 = 3;

/// Contempt: what a side that holds a draw gives up to keep the game going.
pub const CONTEMPT: i32 = 150;

/// The greatest score that is reported for a drawn position, either way.
pub const MOST_OF_DRAW: i32 = 40;

/// The chances for which half of [`MOST_OF_DRAW`] is reported.
pub const HALF_OF_DRAW: i32 = 200;

/// The most positions visited to find out which moves of a known root win or lose within the draw rules, if
/// the n-move rule or the end of the game is near. The moves that a first look leaves open share them.
pub const MOST_SEARCHED: u32 = 1000;

/// The most positions visited for each move in the first look.
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

/// The greatest distance of each end from the guess; beyond it the window is open.
pub const WIDEST_ASPIRATION: i32 = 500;

// MTD(f), in hundredths of a man.

/// The first step of the next pass beyond the bound just found; it doubles with each pass while all
/// fail on the same side.
pub const FIRST_STEP: i32 = 8;

// Pruning.

/// The deepest node for reverse futility pruning.
pub const MOST_FUTILE_DEPTH: u32 = 6;

/// The margin of reverse futility pruning for each ply of depth, in hundredths of a man.
pub const FUTILITY_MARGIN: i16 = 45;

/// The least depth of a node for enhanced transposition cut-offs.
pub const LEAST_ENHANCED_DEPTH: u32 = 3;

// ProbCut.

/// The least depth of a node for ProbCut.
pub const LEAST_PROB_CUT_DEPTH: u32 = 5;

/// The constant part of the margin of ProbCut, in hundredths of a man.
pub const PROB_CUT_MARGIN: i16 = 30;

/// The part of the margin of ProbCut for each ply that it saves, in hundredths of a man.
pub const PROB_CUT_MARGIN_PER_PLY: i16 = 8;

// Late-move pruning.

/// The number of moves of a node, by the depth left, after which quiet moves are pruned; deeper nodes search all.
pub const LATE_MOVES: [usize; 4] = [usize::MAX, 4, 7, 10];

// In nodes that put off moves because another thread is searching them, no move is pruned.
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

/// The divisor of the product of the logarithms of depth and move number; the quotient, in 256ths
/// of a ply, is the variable part of a reduction.
pub const REDUCTION_DIVISOR: u32 = 5;

// Move ordering.

/// The ordering score of a placement or slide that closes a mill, above every killer.
pub const ORDER_CLOSES: i32 = 1 << 20;

/// The ordering score of a killer, above every other quiet move.
pub const ORDER_KILLER: i32 = 1 << 18;

/// The ordering score of a move to a point where the opponent would close a mill.
pub const ORDER_BLOCKS: i32 = 1 << 16;

/// The ordering score of a removal for each line that it opens.
pub const ORDER_OPENS: i32 = 1 << 16;

/// What a busy move loses of its ordering score, so that it comes after all others.
pub const ORDER_PUT_OFF: i32 = 1 << 22;

/// The number of killers of each ply.
pub const KILLERS: usize = 2;

/// The largest weight of a move in the history table.
pub const MAX_HISTORY: i32 = 1 << 14;

// Time management.

/// The number of moves that share the remaining time if the front end does not give it.
pub const MOVES_TO_GO: u32 = 30;

/// The least share of the remaining time for a move, in percent.
pub const LEAST_OF_CLOCK_PERCENT: u32 = 1;

/// The greatest share of the remaining time for a move, in percent.
pub const MOST_OF_CLOCK_PERCENT: u32 = 60;

/// The least share of an increment for a move, in percent.
pub const LEAST_OF_INCREMENT_PERCENT: u32 = 25;

/// The soft limit, after which no new iteration begins, in percent of a move's share.
pub const SOFT_PERCENT: u32 = 60;

/// The hard limit, after which a search is aborted, in percent of a move's share.
pub const HARD_PERCENT: u32 = 300;

/// The share of its soft limit that a search uses, in percent, by the number of iterations for
/// which the best move has stayed the same; the last entry is for all greater numbers.
pub const STABLE_PERCENT: [u32; 6] = [150, 125, 110, 95, 80, 65];

/// What a fall of the score by a man adds to this share, in percent; greater falls add no more.
pub const FALL_PERCENT: u32 = 80;

/// The share of the soft limit for a removal, in percent: the slide or placement before it has been
/// searched to the end of the turn.
pub const REMOVAL_PERCENT: u32 = 50;

/// The least time that the next iteration is expected to take, in percent of the last one.
pub const NEXT_ITERATION_PERCENT: u32 = 150;

// Reports.

/// The time after which bounds and current moves are reported.
pub const REPORTING_DELAY: Duration = Duration::from_secs(1);

/// The nodes that may be spent on extending the pv of a mate to the end of the game.
pub const PV_NODES: u64 = 10_000;

/// In addition, one node may be spent on this for so many nodes of the search.
pub const PV_NODES_SHARE: u64 = 16;

// Monte-Carlo tree search.

/// The simulations of depth 1; each further depth takes twice as many.
pub const FIRST_SIMULATIONS: u64 = 128;

/// Simulations between two polls of the clock and the observer.
pub const SIMULATIONS_PER_POLL: u64 = 32;

/// The most nodes of a tree, 20 bytes each.
pub const TREE_NODES: usize = 1 << 20;

/// The exploration constant of UCB1: the weight of the confidence term against the expectation.
pub const EXPLORATION: f32 = 0.3;

/// The most owed removals that are played out before a leaf is estimated.
pub const MOST_RESOLVED: u8 = 2;
