//! Judging positions and games, for those who look on.
//!
//! ```text
//! analyst      searches one position after the other, each with the same effort
//! white_score  scores as people read them
//! review       each turn of a game, compared with the best one
//! fault        how bad a turn is
//! tally        the turns of a side together
//! annotate     writing it into the record of the game
//! ```
//!
//! ```
//! use millstone::analysis::{Analyst, Effort, Fault, annotate};
//! use millstone::records::Record;
//! use millstone::search::{Engine, Silent};
//!
//! // Black lets White close a mill.
//! let mut record = Record::read_all("1. d6 a1 2. f6 g7 3. b6xa1")?.remove(0);
//! let mut analyst = Analyst::new(Engine::new(1)?, Effort { depth: 5, ..Effort::default() });
//! let turns = analyst.review(&record, &mut Silent, |_| ())?;
//! assert_eq!(turns[3].better().unwrap().line[0].to_string(), "b6");
//! assert!(turns[3].fault() >= Some(Fault::Inaccuracy));
//! annotate(&mut record, &turns);
//! assert!(record.line.plies[3].is_annotated());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod analyst;
mod annotate;
mod fault;
mod review;
mod tally;
mod white_score;

pub use analyst::{Analyst, Assessment, Effort};
pub use annotate::annotate;
pub use fault::Fault;
pub use review::{ReviewedMove, ReviewedTurn};
pub use tally::Tally;
pub use white_score::WhiteScore;
