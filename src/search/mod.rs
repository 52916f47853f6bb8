//! Choosing a move: iterative deepening, MTD(f) and alpha-beta, or another algorithm.
//!
//! ```text
//! engine                    what stays from one search to the next
//! limits, time              when a search ends
//! deepening, drivers, root  iteration after iteration, pass after pass over the root
//! node                      one position of the tree, step by step
//! draw, tablebase, probe    its steps: what is known without a search,
//! prune, movepick             what is left out, and what comes first
//! worker                    the state of one thread
//! threads, team             several threads
//! tt                        the transposition table
//! pv, observer              what is reported
//! skill, learned            weaker play; positions learned from earlier games
//! monte_carlo               the other algorithm
//! features, parameters      every switch and every number that is tuned
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
mod draw;
mod drivers;
mod engine;
mod features;
mod learned;
mod limits;
mod monte_carlo;
mod movepick;
mod node;
mod observer;
mod parameters;
mod probe;
mod prune;
mod pv;
mod root;
mod root_moves;
mod skill;
mod tablebase;
mod team;
mod threads;
mod time;
mod tt;
mod worker;

pub use engine::{Algorithm, Engine, Settings};
pub use features::{Features, Switches};
pub use limits::{Budget, Clock, Limits};
pub use observer::{CurrentMove, Observer, Progress, Report, Silent, Variation};
pub use parameters::{MAX_DEPTH, MAX_PLY, MAX_THREADS};
pub use skill::Skill;
pub use tt::{Bound, Entry, TranspositionTable};
