//! Choosing a move: iterative deepening, MTD(f) and alpha-beta, or another algorithm.
//!
//! ```text
//! engine        what persists between searches, including learned positions; chooses the algorithm
//! known_root    a root that the tablebase knows
//! root          iterative deepening, MultiPV; alpha-beta, principal variation search, MTD(f)
//! node          one position of the tree, step by step
//!   draw          repetition and the n-move rule
//!   tablebase     solved positions
//!   tt            the transposition table
//!   prune         pruning and reductions
//!   movepick      move ordering: killers, history
//! worker        the state of one thread
//! threads       several threads, and what they share
//! limits        when a search ends
//! report        reports, the principal variation
//! monte_carlo   Monte-Carlo tree search
//! skill         weaker play
//! parameters    all switches and tuned numbers
//! ```
//!
//! ```
//! use millstone::game::Game;
//! use millstone::search::{Engine, Limits, Silent};
//!
//! let mut engine = Engine::new(1)?;
//! let game = Game::new();
//! let report = engine.search(&game, &Limits::to_depth(4), &mut Silent);
//! assert!(report.best().is_some());
//! # Ok::<(), millstone::search::SizeError>(())
//! ```

mod draw;
mod engine;
mod known_root;
mod limits;
mod monte_carlo;
mod movepick;
mod node;
mod parameters;
mod prune;
mod report;
mod root;
mod skill;
mod tablebase;
mod threads;
mod tt;
mod worker;

pub use crate::clusters::SizeError;
pub use crate::score::Bound;
pub use engine::{Algorithm, Engine, Settings};
pub use known_root::{Class, KnownMove, KnownRoot};
pub use limits::{Budget, Clock, Limits};
pub use parameters::{Features, MAX_DEPTH, MAX_LINES, MAX_PLY, MAX_TABLE, MAX_THREADS, Switches};
pub use report::{Observer, Report, Silent, Variation};
pub use skill::Skill;
pub use tt::{Entry, Limit, TranspositionTable};
