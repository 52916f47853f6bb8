//! The protocol on standard input and output, in two dialects: text in, text out.
//!
//! A front end sends one command a line and reads the replies. The dialect like UCI, the *UCI dialect*
//! here, is what mill programs such as Sanmill use; the *Generic Board Game Protocol* (GBGP) is what
//! Nine-Morris-3D uses. A session begins in the UCI dialect; `gbgp` and `uci` choose the dialect, and
//! the game on the board stays. `millstone gbgp` begins in GBGP.
//!
//! # Lines
//!
//! Lines are UTF-8 of at most 1 MiB; blanks at their ends and empty lines are ignored. Commands are in
//! lower case. A command that is unknown, has a bad argument or cannot run now gets one line
//! `info string error ...` and changes nothing. The session ends with `quit` or the end of the input: a
//! search then stops and prints its result, and at the end of the input a bench or perft is finished.
//!
//! # Commands
//!
//! [`COMMANDS`] is the table that the session, `help` and the [match runner](crate::matches) read.
//!
//! | UCI dialect | GBGP | |
//! | --- | --- | --- |
//! | `uci`, `gbgp` | the same | chooses the dialect; replies with `id` lines, one `option` line for each option, and `uciok` or `gbgpok` |
//! | `isready` | the same | opens the tablebase and the learning file, then replies `readyok`; at once while a search runs |
//! | `ucinewgame` | `newgame` | sets the start position, empties the transposition table, saves what was learned |
//! | `setoption name N [value V]` | the same | changes an option; names in either case, with or without blanks |
//! | `position startpos [moves M ...]` | the same | sets the start position, then plays moves |
//! | `position fen TEXT [moves M ...]` | `position pos TEXT [moves M ...]` | sets any position, then plays moves |
//! | `go [LIMIT ...]` | the same | searches: `info` lines, then `bestmove` |
//! | `stop` | the same | ends a search, which prints its `bestmove`, a bench or a perft |
//! | `ponderhit` | the same | the opponent played the expected move: a ponder search goes on by the clock |
//! | `quit` | the same | ends the engine |
//! | | `debug on\|off` | does nothing |
//! | `d` | the same | draws the board |
//! | `fen` | `pos` | the position: `fen TEXT` or `pos TEXT` |
//! | `eval` | the same | the terms of the static evaluation for White and Black, then `info eval score S` |
//! | `moves` | the same | the legal moves: `moves M ...` |
//! | `key` | the same | the key of the position: `key N` |
//! | `bench [DEPTH]` | the same | searches a fixed set of positions |
//! | `perft DEPTH` | the same | counts the leaves of the game tree, depth by depth |
//! | `compiler` | the same | what the engine was built for |
//! | `help` | the same | lists commands and options |
//!
//! `position` takes effect whole or not at all: after a mistake the old position stays, and `go` is
//! refused with `bestmove none` until a good `position`, `ucinewgame` or rule option. `go`, `bench`,
//! `perft`, a new game, another dialect and options that change more than the next search are refused
//! while a search, bench or perft runs; everything else is done at once, also beside a search.
//!
//! # Moves
//!
//! ```text
//! point  = column row                      a1 to g7, White's side below
//! place  = point                           d6
//! slide  = point "-" point                 d6-d5, also for flying
//! remove = "x" point                       xd5
//! UCI    = place | slide | remove          one ply each
//! GBGP   = (place | slide) {remove}        a whole turn: d6, e4xg7, d6-f6xa1
//! ```
//!
//! In the UCI dialect a turn that closes a mill is two moves of the same side, and two searches. In
//! GBGP it is one; a search whose best move earns a removal takes the man from its line or, where that
//! ends too early, looks for it by what is left of the same limits, two plies deep at least.
//!
//! # Positions
//!
//! The UCI dialect writes a position in one line of 17 fields:
//!
//! ```text
//! *O******/*****@**/@****O** w p p 2 7 2 7 0 0 0 0 0 0 0 0 3
//! ```
//!
//! [`position::text`](crate::position::text) says what each field is, which words may follow, and
//! which older texts are read too.
//!
//! GBGP writes `w:wb4,c4:bd2:3`: side to move, White's points, Black's points (read in either
//! order), number of the move, from which the men in hand follow ([`GbgpPosition`]). A position
//! within a turn, or of a game whose men in hand do not follow from the number of the move, cannot
//! be written so.
//!
//! # Searches
//!
//! | after `go` | |
//! | --- | --- |
//! | `depth N` | the deepest iteration, in plies |
//! | `nodes N` | the most positions to visit |
//! | `movetime MS` | time for this move, in milliseconds |
//! | `wtime MS`, `btime MS` | what each side's clock shows |
//! | `winc MS`, `binc MS` | what each side's clock gains with each turn |
//! | `movestogo N` | turns to the next time control |
//! | `mate N` | find a win in this many turns (UCI dialect) |
//! | `infinite` | search until `stop` (UCI dialect) |
//! | `ponder` | search on the opponent's time until `ponderhit` or `stop` |
//! | `searchmoves M ...` | choose from these legal moves |
//!
//! All limits that are given hold; a `depth`, `nodes`, `movetime`, `movestogo` or `mate` of 0 is as
//! good as not given. Without any for the side to move, the option `MoveTimeMs` does, or a depth of
//! 12 plies where it is 0. By a clock, a move gets a share of what is left: more when the best move
//! changes or the score falls, less when it stays or only a removal is to be chosen. `Move
//! Overhead`, in GBGP at least 200 ms, is taken off for each move to come; where that leaves
//! nothing, a move gets a hundredth of the clock and a quarter of the increment. With a limit in
//! time, a single legal move and a win or loss seen to its end are played at once. `infinite` and
//! `ponder` wait with `bestmove` for `stop` or `ponderhit`.
//!
//! # Replies of a search
//!
//! ```text
//! UCI   info depth D seldepth D [multipv K] score S [lowerbound|upperbound] nodes N nps N
//!            hashfull N tbhits N time MS pv M ...
//!       info depth D currmove M currmovenumber N
//!       bestmove M [ponder M]
//!       S = cp N | mate N
//! GBGP  info depth D seldepth D [score S] time MS nodes N nps N hashfull N [pv M ...]
//!       bestmove M [ponder M]
//!       S = eval N | win N
//! ```
//!
//! In the UCI dialect scores are those of the side to move, in hundredths of a man; with `cp N` the
//! side expects `1 / (1 + exp(-N / 100))` of a point, by [`Score::MAN`](crate::score::Score::MAN).
//! The description of GBGP can be read so too; Nine-Morris-3D takes scores for White's and ten for
//! a man, and so they are here, unless `ScoresForSideToMove` asks for the side to move's. `mate N`
//! and `win N` count turns of the winner, negative for a loss, 0 where the side to move has lost.
//!
//! An iteration is reported 10 ms after the last line at the earliest, in GBGP 200 ms after it or
//! after `go`, since Nine-Morris-3D reads a line with each picture that it draws. The last line
//! before `bestmove` says what is known of its move, whatever was reported before: in the UCI
//! dialect perhaps a bound, in GBGP then no score. In the UCI dialect, bounds and the root move
//! that is searched are reported after the first second. With `MultiPV` above 1 each line has its
//! exact score, best first; MTD(f) may end with a lower bound where its passes contradict each
//! other. At a root that the tablebase knows `info string drawn, 4 of 20 moves hold` comes first,
//! and with `MultiPV` above 1 a line such as `info string multipv 2 d6-f6 drawn, chances +0.34` for
//! each move at the end. A line of a win or loss goes on to the end of the game. In GBGP, turns
//! whose removal is still open are left out.
//!
//! `bestmove none` answers in a game that is won and to a `go` that is refused; in a drawn game the
//! UCI dialect answers `bestmove draw` and GBGP `bestmove none`.
//!
//! `ResultStyle` changes the result of the UCI dialect to one line, from White's view, with 5 a man:
//!
//! | style | result |
//! | --- | --- |
//! | `uci` | as above |
//! | `sanmill` | `info depth D score cp S nodes N bestmove M`, or `score mate N` |
//! | `legacy` | `info score S bestmove M`, with 80 for a win |
//!
//! # Options
//!
//! `uci` lists types, defaults and ranges; `help` says what each option is for. [`OptionSpec::all`] is
//! the table of them. Both dialects take every option; GBGP lists those that make sense there.
//!
//! | options | |
//! | --- | --- |
//! | `Hash`, `Clear Hash` | the transposition table |
//! | `Threads` | threads of a search |
//! | `MultiPV` | how many of the best moves are shown |
//! | `Ponder` | announces that `go ponder` may be used; changes nothing |
//! | `MoveTime`, `MoveTimeMs` | time for a move without limits, in seconds or milliseconds |
//! | `Move Overhead` | milliseconds lost between engine and front end for each move |
//! | `SkillLevel` | strength; below the highest level a search is limited, makes mistakes and uses no tablebase |
//! | `UCI_LimitStrength`, `UCI_Elo` | strength by rating, in Elo above a player of random moves |
//! | `Shuffling`, `SearchShuffleSeed` | random choice among equally good moves; the same seed gives the same moves |
//! | `Algorithm` | 0 alpha-beta, 1 principal variation search, 2 MTD(f), 3 Monte-Carlo, 4 random |
//! | `UsePerfectDatabase`, `PerfectDatabasePath`, `PerfectDatabaseCache`, `OwnBook` | the tablebase and the opening book, see [`tablebase`](crate::tablebase) |
//! | `Learning`, `LearningFile` | remembering results of searches, see [`learning`](crate::learning) |
//! | `ResultStyle` | the form of the result line |
//! | `Debug Log File` | copies all lines, `>>` in and `<<` out |
//! | `Variant` | all rules at once, by the name of a game |
//! | `PiecesCount`, `flyPieceCount`, `PiecesAtLeastCount`, `HasDiagonalLines`, `MillFormationActionInPlacingPhase`, `MayMoveInPlacingPhase`, `IsDefenderMoveFirst`, `MayRemoveMultiple`, `MayRemoveFromMillsAlways`, `RestrictRepeatedMillsFormation`, `OneTimeUseMill`, `BoardFullAction`, `StopPlacingWhenTwoEmptySquares`, `StalemateAction`, `MayFly`, `FlyingCountsHand` | one rule each, see [`rules`](crate::rules) |
//! | `CustodianCapture`, `InterventionCapture`, `LeapCapture` with `Enabled`, `OnSquareEdges`, `OnCrossLines`, `OnDiagonalLines`, `InPlacingPhase`, `InMovingPhase`, `OnlyWhenOwnPiecesLeq3` | captures without a mill |
//! | `NMoveRule`, `EndgameNMoveRule`, `ThreefoldRepetitionRule` | when a game without progress is drawn |
//! | `TwelveMensMorris` | Twelve instead of Nine Men's Morris; listed in GBGP only |
//! | `ScoresForSideToMove` | scores of the side to move, not White's; changes and is listed in GBGP only |
//!
//! An option of the rules sets the start position of the game that it makes. Options of the rules, the
//! level, the tablebase, learning and `Hash` empty the transposition table when they change something.
//! Options of other mill programs that have no meaning here are accepted and do nothing;
//! `HasBannedLocations` may only be `false`.

mod command;
mod error;
mod gbgp;
mod go;
mod learning;
mod limits;
mod lines;
mod options;
mod reply;
mod reporter;
mod session;
mod setup;
mod tablebase;
mod task;

pub use command::{COMMANDS, Command, CommandSpec, Dialect, Words};
pub use error::Error;
pub use gbgp::GbgpPosition;
pub use go::Go;
pub use options::{
    Effect, Kind, OptionSpec, Options, RESULT_STYLES, ResultStyle, SHUFFLE_SEED,
    TWELVE_MENS_MORRIS, VARIANT,
};
pub use setup::Setup;

use std::io::{self, BufRead, IsTerminal, Write};

use crate::rules::RuleSet;
use lines::Output;
use session::Session;

/// Serves standard input until `quit` or its end, with a game by these rules and in this dialect to
/// begin with.
///
/// # Errors
///
/// When the transposition table of the default size cannot be had, or the replies cannot be written.
pub fn run(rules: &RuleSet, dialect: Dialect) -> io::Result<()> {
    let mut output = io::stdout();
    if io::stdin().is_terminal() {
        writeln!(output, "{}", reply::GREETING)?;
    }
    serve(io::stdin().lock(), output, rules, dialect)
}

/// Serves a stream of lines until `quit` or its end, as [`run`] does.
///
/// # Errors
///
/// As [`run`].
pub fn serve(
    input: impl BufRead,
    output: impl Write + Send + 'static,
    rules: &RuleSet,
    dialect: Dialect,
) -> io::Result<()> {
    let output = Output::new(output);
    let session = Session::new(output.clone(), rules, dialect);
    let mut session = session.map_err(|error| io::Error::new(io::ErrorKind::OutOfMemory, error))?;
    session.serve(input);
    drop(session);
    output.take_failure().map_or(Ok(()), Err)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_names_every_command_and_option() {
        let source = include_str!("mod.rs");
        for dialect in Dialect::ALL {
            for spec in dialect.commands() {
                let word = format!("`{}", spec.command.word(dialect));
                assert!(source.contains(&word), "{word}");
            }
            for spec in OptionSpec::of(dialect) {
                let captures = ["CustodianCapture", "InterventionCapture", "LeapCapture"];
                let mut parts = captures.iter().filter_map(|it| spec.name.strip_prefix(it));
                let word = format!("`{}`", parts.next().unwrap_or(spec.name));
                assert!(source.contains(&word), "{word}");
            }
        }
    }
}
