//! Position analysis and game review.
//!
//! [`Analyst::assess`] searches a position and returns its best moves with scores and lines.
//!
//! [`Analyst::review`] compares each move of a game with the best one, searched to the same depth. The
//! loss of a move is the drop in the mover's expected score, 0 to 1, or the drop in the result where the
//! tablebase knows the positions before and after the move. A turn that loses 0.1 is an inaccuracy, 0.2 a
//! mistake, 0.3 a blunder ([`Severity`]); where the search is not sure that the result has changed, it is
//! an inaccuracy at most. [`annotate`] adds the review to the game record.
//!
//! [`Analyst::teach`] explains what a turn did to the game ([`Lesson`]).
//!
//! A [`Puzzle`] is a position with one turn that keeps the win or the draw, graded by the lowest level
//! that finds the turn.
//!
//! Scores are shown for White ([`WhiteScore`]): `+1.00` is a man ahead, `+#5` a win in five of White's
//! turns, `+won` a win of unknown length, `+won?` a win that the n-move rule may turn into a draw.
//!
//! ```
//! use millstone::analysis::{Analyst, Effort, Severity, annotate};
//! use millstone::records::GameRecord;
//! use millstone::search::{Engine, Silent};
//!
//! // Black lets White close a mill.
//! let mut record = GameRecord::read_all("1. d6 a1 2. f6 g7 3. b6xa1")?.remove(0);
//! let mut analyst = Analyst::new(Engine::new(1)?, Effort { depth: 5, ..Effort::default() });
//! let turns = analyst.review(&record, &mut Silent, |_| ())?;
//! assert_eq!(turns[3].better().unwrap().1.pv[0].to_string(), "b6");
//! assert!(turns[3].severity() >= Some(Severity::Inaccuracy));
//! annotate(&mut record, &turns);
//! assert!(record.main_line.moves[3].is_annotated());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod analyst;
mod motifs;
mod puzzle;
mod review;
mod scores;
mod teach;
mod words;

pub use analyst::{Analyst, Effort};
pub use puzzle::Puzzle;
pub use review::{ReviewedMove, ReviewedTurn, Severity, SideSummary, annotate, game_result};
pub use scores::{WhiteLine, WhiteScore};
pub use teach::Lesson;
