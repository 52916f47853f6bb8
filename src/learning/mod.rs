//! Learned positions: what searches of earlier games found, kept in a text file.
//!
//! While learning is on, a [`Learner`] follows the searches of a game. A result worth keeping
//! becomes a [`LearnedPosition`]: the [`CanonicalPosition`], which stands for all 16 symmetric
//! ones, and the [`SearchResult`]. [`LearnedPositions`] keeps the best result for each position, a
//! [`LearningFile`] stores them, and [`Engine::add_learned`](crate::search::Engine::add_learned)
//! puts them into the transposition table.
//!
//! ```
//! use millstone::learning::{LearnedPosition, LearnedPositions, SearchResult};
//! use millstone::position::Position;
//! use millstone::rules::Standard;
//! use millstone::score::{Bound, Score};
//!
//! let mut position = Position::start(Standard);
//! position = position.after("d6".parse()?);
//! let best = "f4".parse().ok();
//! let result = SearchResult { score: Score::estimate(-60), bound: Bound::Exact, depth: 9, best };
//! let learned = LearnedPosition::new(&position, result);
//! assert_eq!(learned.to_string().parse(), Ok(learned.clone()));
//!
//! let mut positions = LearnedPositions::default();
//! assert!(positions.insert(learned));
//! # Ok::<(), millstone::position::MoveTextError>(())
//! ```
//!
//! # What is learned
//!
//! A search at full strength over all moves is worth learning from when
//!
//! * it finds a mate that takes three turns or more, searched to depth 3 or deeper, or a nearer one
//!   whose score is a surprise; or
//! * its estimate is a surprise, the depth is at least 3, no slide has been played since the last
//!   placement or removal (so no earlier position can come again), and the draw rules are the
//!   usual ones.
//!
//! A score is a surprise when it differs by more than half a man from the score of the previous
//! search of the same game, or from the score learned earlier for the position. Scores from
//! tablebases are not learned, as they can be looked up again. The protocol learns nothing from
//! searches below full strength, with `searchmoves`, by Monte Carlo or at random, and nothing at
//! all unless its option `Learning` is on: it is off by default, so that the same search gives the
//! same result.
//!
//! # What it changes
//!
//! Every learned position of the current game is stored in the transposition table under the keys
//! of all its symmetric positions, again whenever the table is emptied, in entries that do not age.
//! They fill at most an eighth of the table; those learned last come first, then the most useful. A
//! mate counts whatever depth is asked for, unless the n-move rule comes first; an estimate counts
//! to its depth, and only under the usual draw rules. Below full strength nothing learned is used.
//!
//! # The file
//!
//! The default file is `endgame.txt` in the user's data folder (`~/.local/share/millstone` on Linux),
//! or beside the program if there is one already; see [`LearningFile::default_path`]. It
//! is text in UTF-8, one learned position a line (the tabs between columns are shown as four blanks
//! here):
//!
//! ```text
//! #01 Millstone learning file, format 1
//! #02 Each line tells what a search found out about a position. Columns, with tabs between:
//! #03   game      identity of the rules; those with a name are listed below
//! #04   position  position text; symmetric positions are one, all counters begin
//! #05   depth     how deep the search looked, in placements and slides
//! #06   score     hundredths of a man, win N or loss N in turns; for the side to move
//! #07   bound     how the score relates to the value: exact, lower or upper
//! #08   move      the best move, or -
//! #09   by        the evaluation that an estimate is by; those by others are not kept
//! #10 Sorted as by LC_ALL=C sort; LC_ALL=C sort -u makes one file of several.
//! #11 Of lines about one position a win or loss counts first, then the deepest.
//! #12 Other lines that begin with # may be added, but are not kept.
//! #game cbf29ce484222325 Nine Men's Morris
//! cbf29ce484222325    @*@OOOOO/O*OO@*@*/*****@@@ b m r 8 0 7 0 0 1 0 0 0 0 0 0 1    10    win 9    exact    xd6    -
//! cbf29ce484222325    @OOOOO**/OOO@@O**/**@*@@** b p p 9 0 6 1 0 0 0 0 0 0 0 0 1    9    120    exact    c4    317fd44b
//! ```
//!
//! | Column | Content |
//! |---|---|
//! | game | [identity](crate::rules::Identity) of the rules, 16 hexadecimal digits in lower case |
//! | position | [position text](crate::position::Position::from_text); the canonical position is written, any symmetric one is read |
//! | depth | search depth in placements and slides, 1 to 255 |
//! | score | for the side to move: hundredths of a man, or `win N` or `loss N` with N in turns |
//! | bound | `exact`, or `lower` or `upper` if the score is only a bound of the value |
//! | move | best move, or `-` |
//! | by | [version of the evaluation](crate::evaluate::version) of an estimate, 8 hexadecimal digits; `-` for a win or loss |
//!
//! * Header lines begin with `#`. The first one names the format and is required. All are numbered
//!   so that the whole file is in the order of `LC_ALL=C sort`; so `cat`, `sort -u`, `sort -m` and
//!   `grep` of files make learning files.
//! * Lines may come in any order, and several may be about one position: a win or loss beats an
//!   estimate, then the greater depth counts, then an exact score.
//! * One file holds positions of any games. Positions and moves of the games that Millstone has a
//!   name for are checked; lines of other games are kept as they are.
//! * Lines end with `\n`; `\r\n`, empty lines, a byte order mark and further lines that begin with
//!   `#` are read but not kept.
//! * An estimate by another version of the evaluation is skipped, and gone after the next write.
//! * A file keeps at most [`LearnedPositions::MAX`] positions, about 5 MB. Estimates go before
//!   mates, then what a shallow search finds again, then estimates near zero.
//!
//! # Sharing and damage
//!
//! Several engines may share a file. Whoever changes it locks `endgame.txt.lock` beside it, reads
//! the file again, adds its positions and puts a whole new file in its place, so that a reader
//! needs no lock and no position is lost. A read-only file and a file that is not one of Millstone
//! (such as the binary `endgame.txt` of other mill programs), of a later format or damaged is never
//! changed. The good lines of a damaged file are used.
//!
//! While no engine runs, files are merged and pruned by other tools, here to the wins and losses:
//!
//! ```sh
//! LC_ALL=C sort -u one.txt other.txt > merged.txt
//! grep -E '^#|win|loss' merged.txt > decided.txt
//! ```
//!
//! # When a session reads and writes it
//!
//! With the option `Learning` on, the file is read by the first `isready`, `position` or `go`, and
//! by `ucinewgame` if it has changed. What is learned is saved when a game ends: by `ucinewgame`,
//! and in the background by a `position` whose game is over or does not continue the previous one,
//! for which the next `isready` waits. If another program is writing the file then, the end of the
//! next game tries again. At the end of the session, and when `Learning` or `LearningFile` changes,
//! the session waits up to five seconds. What is wrong with the file is reported once, in an
//! `info string`.
//!
//! # Measured
//!
//! A file of 50 000 positions is read in 0.16 s, put into the transposition table in 0.15 s and
//! saved in 0.2 s.
//!
//! Of 1 167 games from four random first moves, with 3 000 nodes a move against 20 000, 538 were
//! lost. Played again with what had been learned, 378 were lost in another way, 148 drawn or
//! stopped after 160 moves, 10 won and 2 lost by the same moves; those two changed the time after.

mod error;
mod file;
mod learner;
mod line;
mod position;
mod positions;
mod text;

pub use error::{Damage, FileTrouble, LearningError, LineError};
pub use file::{Contents, LearningFile, Stamp};
pub use learner::{Learner, is_worth_learning};
pub use position::{CanonicalPosition, Image, LearnedPosition, SearchResult, preset_of};
pub use positions::LearnedPositions;
