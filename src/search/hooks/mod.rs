//! The enhancements of the search, one file each, each with a switch.
//!
//! Alpha-beta over all moves needs none of them. A set of [`Switches`] is a type, so the search
//! that has none is the reference that others are compared with, and the full one pays nothing for
//! the choice.

mod databases;
mod draws;
mod forced_move;
mod futility;
mod history;
mod killers;
mod quiescence;
mod reductions;
mod reply_cut;
mod scout;
mod symmetry;
mod table_cut;
mod win_distance;

pub(super) use draws::comes_in_time;
pub use history::History;
pub use killers::Killers;

/// Which enhancements a search has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each switch is one of its own")]
pub struct Switches {
    /// Results of the transposition table end a node. Sound.
    pub table_cut: bool,
    /// The move of the transposition table comes first. Sound.
    pub table_move: bool,
    /// Results of searches deeper than asked for end a node too.
    pub deeper_results: bool,
    /// Moves that cut off at the same ply come early. Sound.
    pub killers: bool,
    /// Moves that cut off often come early. Sound.
    pub history: bool,
    /// Removals owed are searched at the end of a line.
    pub quiescence: bool,
    /// A line with only one move goes one deeper.
    pub forced_move: bool,
    /// Positions that the databases know are not searched.
    pub tablebase: bool,
    /// Repetition and the n-move rule draw within the tree.
    pub draws: bool,
    /// Moves after the first are tried with a null window where the window is open. Sound.
    pub null_windows: bool,
    /// Positions far above the window are not searched near the horizon.
    pub reverse_futility: bool,
    /// Late moves are tried less deep.
    pub late_move_reductions: bool,
    /// Results of the table for the positions after the moves end a node. Sound.
    pub enhanced_cut: bool,
    /// Lines that can only end later than what is sure are left. Sound.
    pub mate_distance: bool,
    /// Symmetric positions share an entry of the table. Sound.
    pub symmetry: bool,
}

impl Switches {
    /// Whether anything asks the transposition table.
    #[must_use]
    pub const fn uses_table(self) -> bool {
        self.table_cut || self.table_move
    }

    /// Everything.
    pub const ALL: Self = Self {
        table_cut: true,
        table_move: true,
        deeper_results: true,
        killers: true,
        history: true,
        quiescence: true,
        forced_move: true,
        tablebase: true,
        draws: true,
        null_windows: true,
        reverse_futility: true,
        late_move_reductions: true,
        enhanced_cut: true,
        mate_distance: true,
        symmetry: true,
    };

    /// Every enhancement that leaves the value of a position at a depth as it is.
    pub const SOUND: Self = Self {
        deeper_results: false,
        draws: false,
        forced_move: false,
        reverse_futility: false,
        late_move_reductions: false,
        ..Self::ALL
    };

    /// Plain alpha-beta over all moves to a fixed depth, removals resolved.
    pub const REFERENCE: Self = Self {
        table_cut: false,
        table_move: false,
        deeper_results: false,
        killers: false,
        history: false,
        quiescence: true,
        forced_move: false,
        tablebase: false,
        draws: false,
        null_windows: false,
        reverse_futility: false,
        late_move_reductions: false,
        enhanced_cut: false,
        mate_distance: false,
        symmetry: false,
    };
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

/// All enhancements but the scout, so that open windows stay open: plain alpha-beta.
#[derive(Clone, Copy, Debug)]
pub struct OpenWindows;

impl Features for OpenWindows {
    const ON: Switches = Switches { null_windows: false, ..Switches::ALL };
}
