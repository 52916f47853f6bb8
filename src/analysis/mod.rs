//! Analyzing positions and reviewing games.
//!
//! [`Analyst::assess`] searches a position and gives its best moves with scores and lines.
//!
//! [`Analyst::review`] compares each move of a game with the best one, searched to the same depth. A
//! move loses a share of the point that a win is worth: the difference of the points that its side
//! could expect before and after it, 0 to 1. Where the tablebase knows the position before the move,
//! and the one after it or the game is over, the results alone decide. A turn that loses a tenth of
//! a point is an inaccuracy, two tenths a mistake, three tenths a blunder ([`Severity`]).
//! [`annotate`] writes the review into the record of the game.
//!
//! [`Analyst::teach`] says in one sentence what a turn did to the game ([`Lesson`]).
//!
//! [`Puzzle`] is a position with one turn that keeps its worth, graded by the levels that find it.
//!
//! Scores are White's, as people read them ([`WhiteScore`]): `+1.00` is a man ahead, `+#5` a win in
//! five of White's turns, `+won` a win whose length is unknown, `+won?` a win that the n-move rule
//! may turn into a draw.
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
//! assert_eq!(turns[3].better().unwrap().pv[0].to_string(), "b6");
//! assert!(turns[3].severity() >= Some(Severity::Inaccuracy));
//! annotate(&mut record, &turns);
//! assert!(record.main_line.moves[3].is_annotated());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod analyst;
mod puzzle;
mod review;
mod teach;
mod white_score;

pub use analyst::{Analyst, Assessment, Effort};
pub use puzzle::{Puzzle, PuzzleError};
pub use review::{ReviewedMove, ReviewedTurn, Severity, SideSummary, annotate, game_result};
pub use teach::Lesson;
pub use white_score::{WhiteLine, WhiteScore};
