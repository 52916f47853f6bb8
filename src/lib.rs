//! Millstone plays, analyses and solves Nine Men's Morris and the games of its family.
//!
//! # Playing
//!
//! A [`Game`](game::Game) is a position with its history; it lists the legal moves and tells when the game is over.
//! An [`Engine`](search::Engine) chooses a move.
//!
//! ```
//! use millstone::game::Game;
//! use millstone::search::{Engine, Limits, Silent};
//!
//! let mut game = Game::new();
//! let mut engine = Engine::new(16)?;
//! for mv in ["d6", "f4", "d2"] {
//!     game.play(mv.parse()?)?;
//! }
//! while game.outcome().is_none() && game.position().move_number() < 10 {
//!     let report = engine.search(&game, &Limits::to_depth(3), &mut Silent);
//!     let best = report.best().expect("the game goes on");
//!     println!("{}: {best}", game.to_move());
//!     game.play(best)?;
//! }
//! println!("{}", game.position());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Analysing
//!
//! An [`Analyst`](analysis::Analyst) gives the best moves of a position with scores and lines, and reviews
//! whole games.
//!
//! ```
//! use millstone::analysis::{Analyst, Effort, WhiteScore};
//! use millstone::game::Game;
//! use millstone::rules::{DrawRules, RuleSet};
//! use millstone::search::{Engine, Silent};
//!
//! let text = "@**O****/*O**@***/****@*@O w m s 3 0 4 0 0 0 0 0 0 0 0 0 10";
//! let game = Game::from_text(text, RuleSet::NINE_MENS_MORRIS, DrawRules::default())?;
//! let effort = Effort { depth: 6, lines: 3, ..Effort::default() };
//! let mut analyst = Analyst::new(Engine::new(16)?, effort);
//! let assessment = analyst.assess(&game, &mut Silent);
//! for line in &assessment.lines {
//!     let moves: Vec<String> = line.pv.iter().map(ToString::to_string).collect();
//!     println!("{} {}", WhiteScore::new(line.score, game.to_move()), moves.join(" "));
//! }
//! assert_eq!(assessment.lines.len(), 3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Probing
//!
//! A [`Tablebase`](tablebase::Tablebase) knows the value of every position of its sectors.
//! [`Tablebase::open`](tablebase::Tablebase::open) reads the sectors in a folder, written by
//! [`Build`](tablebase::Build); the opening [`book`](fn@tablebase::book) needs no files.
//!
//! ```
//! use millstone::game::Game;
//! use millstone::tablebase::{Wdl, book};
//!
//! let mut game = Game::new();
//! for mv in ["d6", "f4", "f6", "b4"] {
//!     game.play(mv.parse()?)?;
//! }
//! assert_eq!(book().probe(game.position()), Some(Wdl::Draw));
//! let moves = book().rank_moves(game.position(), &game.moves()).expect("the book has them all");
//! for ranked in &moves {
//!     println!("{}: {:?}", ranked.mv, ranked.wdl);
//! }
//! assert!(moves.iter().any(|ranked| ranked.wdl == Wdl::Loss), "not every move holds");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Modules
//!
//! | | |
//! | --- | --- |
//! | the game: rules, positions, moves and records | [`board`], [`rules`], [`position`], [`game`], [`records`] |
//! | the engine: evaluation, search, tablebases and learning | [`evaluate`], [`score`], [`search`], [`tablebase`], [`learning`] |
//! | built on both | [`analysis`], `api`, [`perft`], [`bench`](mod@bench), [`training`] |
//!
//! They depend on each other in one direction only:
//!
//! ```text
//! board <- rules <- position <- game, perft <- evaluate <- tablebase, learning <- search
//!                               game <- records       tablebase <- training
//! search, records <- analysis <- api; protocol <- matches; api, matches <- commands
//! ```
//!
//! [`guide`] explains how to change Millstone and how to use it from a tournament manager.
//!
//! # Features
//!
//! * `program`, on by default: the command-line program, with the modules `protocol` and `matches`.
//! * `api`: the answers of the browser page's API, without a server.
//! * `map`: tablebase files are mapped into memory, which makes probes faster; `program` includes it.
//! * `serde`: serialization of results, for example as JSON.
//!
//! On `wasm32-unknown-unknown` the clock stands still until `set_clock` provides a time source, and games on the
//! board with diagonals use hand-set evaluation weights until `evaluate::bring_weights_with_diagonals` loads the
//! trained ones.

// These macros panic when the output is full or closed.
#![warn(clippy::print_stderr, clippy::print_stdout)]

pub mod analysis;
#[cfg(feature = "api")]
pub mod api;
pub mod bench;
pub mod board;
#[cfg(feature = "program")]
mod build_info;
mod clusters;
#[cfg(feature = "program")]
mod commands;
pub mod evaluate;
pub mod game;
pub mod learning;
#[cfg(feature = "program")]
pub mod matches;
pub mod perft;
pub mod position;
#[cfg(feature = "program")]
pub mod protocol;
mod quote;
pub mod records;
pub mod rules;
pub mod score;
pub mod search;
#[cfg(feature = "serde")]
mod serialize;
mod system;
pub mod tablebase;
pub mod training;

#[cfg(feature = "program")]
#[doc(hidden)]
pub use commands::run as run_program;

pub use quote::Error;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use system::clock::set_source as set_clock;

// The commands use the library by its public name, as any other program would.
#[cfg(feature = "program")]
extern crate self as millstone;

/// Guides: how to change Millstone, and how to use it from tournament managers, bots and scripts.
#[cfg(feature = "program")]
pub mod guide {
    #[doc = include_str!("guide/contributing.md")]
    pub mod contributing {}

    #[doc = include_str!("guide/managers.md")]
    pub mod managers {}
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
