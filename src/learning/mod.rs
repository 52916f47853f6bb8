//! What searches of earlier games found out, kept in a text file.
//!
//! ```text
//! finding   what a search found out: score, bound, depth, best move
//! subject   the position that it is about, one for all 16 symmetric ones
//! lesson    both, as a line of the file
//! lessons   many of them, the better one of two about the same position
//! pupil     which searches are worth a lesson
//! text      the whole file as text
//! file      the file on disk, which several engines may share
//! place     where the file is if nobody says otherwise
//! ```
//!
//! ```
//! use millstone::learning::{Finding, Lesson, Lessons};
//! use millstone::position::Position;
//! use millstone::rules::Standard;
//! use millstone::score::{Bound, Score};
//!
//! let mut position = Position::start(Standard);
//! position = position.after("d6".parse()?);
//! let best = "f4".parse().ok();
//! let finding = Finding { score: Score::estimate(-60), bound: Bound::Exact, depth: 9, best };
//! let lesson = Lesson::of(&position, finding);
//! assert_eq!(lesson.to_string().parse(), Ok(lesson.clone()));
//!
//! let mut lessons = Lessons::default();
//! lessons.insert(lesson);
//! # Ok::<(), millstone::position::MoveTextError>(())
//! ```

mod error;
mod file;
mod finding;
mod lesson;
mod lessons;
mod place;
mod pupil;
mod subject;
mod text;

pub use error::{Damage, LearningError, LineError};
pub use file::{LearningFile, Reading, Stamp};
pub use finding::Finding;
pub use lesson::{Lesson, game_of};
pub use lessons::Lessons;
pub use place::default_path;
pub use pupil::Pupil;
pub use subject::{Image, Subject};
