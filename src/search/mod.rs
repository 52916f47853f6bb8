//! Choosing a move: iterative deepening over MTD(f) over alpha-beta, or another algorithm.
//!
//! ```text
//! engine                    what stays from one search to the next
//! limits, pace              when a search ends
//! deepening, drivers        depth after depth, each by windows that close in on the value
//! root, node, order, hooks  the tree, and all that makes it small
//! worker, threads           one thread, and several
//! table                     what was found out before
//! line, observer            what is told
//! learned                   positions learned in earlier games, put into it
//! known, skill              roots that the databases know; playing less well than possible
//! monte_carlo, random_move  other ways to choose
//! parameters                every number that is tuned
//! ```
//!
//! ```
//! use millstone::{game::Game, rules::Standard};
//! use millstone::search::{Engine, Limits, Silent};
//!
//! let mut engine = Engine::new(1)?;
//! let game = Game::start(Standard);
//! let report = engine.search(&game, &Limits::to_depth(4), &mut Silent);
//! assert!(report.best().is_some());
//! # Ok::<(), millstone::clusters::SizeError>(())
//! ```

mod deepening;
mod drivers;
mod engine;
mod hooks;
mod known;
mod learned;
mod limits;
mod monte_carlo;

mod line;
mod node;
mod observer;
mod order;
mod pace;
mod parameters;
mod random_move;
mod root;
mod skill;
mod threads;
mod tt;
mod worker;

pub use engine::{Algorithm, Engine, Settings};
pub use hooks::{Features, Switches};
pub use limits::{Budget, Clock, Limits};
pub use monte_carlo::expectation;
pub use observer::{CurrentMove, Observer, Progress, Report, Silent, Variation};
pub use parameters::{MAX_DEPTH, MAX_PLY, MAX_THREADS};
pub use skill::Skill;
pub use tt::{Bound, Entry, TranspositionTable};
