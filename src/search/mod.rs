//! Choosing a move: iterative deepening over MTD(f) over alpha-beta.
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
pub mod hooks;
mod known;
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
mod table;
mod threads;
mod worker;

pub use engine::{Algorithm, Engine, Settings};
pub use limits::{Budget, Clock, Limits};
pub use observer::{CurrentMove, Observer, Progress, Report, Silent, Variation};
pub use parameters::{MAX_DEPTH, MAX_PLY, MAX_THREADS};
pub use skill::Skill;
pub use table::{Bound, Record, Table};
