//! Judging positions and games, for those who look on.
//!
//! ```text
//! analyst   searches one position after the other, each with the same effort
//! ```
//!
//! ```
//! use millstone::analysis::{Analyst, Effort};
//! use millstone::any_game;
//! use millstone::rules::{DrawRules, RuleSet};
//! use millstone::search::{Engine, Silent};
//!
//! let game = any_game::start(&RuleSet::default(), DrawRules::default());
//! let mut analyst = Analyst::new(Engine::new(1)?, Effort { depth: 4, ..Effort::default() });
//! let assessment = analyst.assess(&*game, &mut Silent);
//! assert_eq!(assessment.depth, 4);
//! # Ok::<(), millstone::clusters::SizeError>(())
//! ```

mod analyst;

pub use analyst::{Analyst, Assessment, Effort};
