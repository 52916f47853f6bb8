//! Millstone, an engine for Nine Men's Morris.
//!
//! ```
//! use millstone::game::Game;
//!
//! let mut game = Game::new();
//! game.play("d6".parse()?)?;
//! assert_eq!(game.position().count_moves(), 23);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What is where:
//!
//! - The game: [`board`], [`rules`], [`position`], [`game`] and [`records`] know what is legal, what was
//!   played and how it is written.
//! - The engine: [`evaluate`] estimates, [`search`] looks ahead, [`tablebase`] knows and solves,
//!   [`learning`] remembers; all speak in a [`score::Score`].
//! - Asked of both: [`analysis`], [`perft`], [`bench`](mod@bench) and [`training`].
//! - The program, with the feature `program`: `protocol`, `matches` and the commands.
//! - What the operating system gives: [`system`].
//!
//! The modules depend on each other in one direction only:
//!
//! ```text
//! board <- rules <- position <- game, perft <- evaluate <- tablebase, learning <- search
//!                               game <- records       tablebase <- training
//! search, records <- analysis, protocol <- matches <- commands
//! ```

// These macros panic when the output is full or closed.
#![warn(clippy::print_stderr, clippy::print_stdout)]

pub mod analysis;
pub mod bench;
pub mod board;
#[cfg(feature = "program")]
#[doc(hidden)]
pub mod build_info;
#[doc(hidden)]
pub mod clusters;
pub mod evaluate;
pub mod game;
pub mod learning;
#[cfg(feature = "program")]
pub mod matches;
pub mod perft;
pub mod position;
#[cfg(feature = "program")]
pub mod protocol;
#[doc(hidden)]
pub mod quote;
pub mod records;
pub mod rules;
pub mod score;
pub mod search;
#[cfg(feature = "serde")]
mod serialize;
pub mod system;
pub mod tablebase;
pub mod training;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
