//! Which enhancements a search has.
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
