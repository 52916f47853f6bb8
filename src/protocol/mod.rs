//! The protocol, in two dialects of text lines on standard input and output.
//!
//! A front end sends a command per line and reads the replies. The *UCI dialect* is a UCI-like protocol
//! used by mill programs such as Sanmill; the *Generic Board Game Protocol* (GBGP) is the protocol of
//! Nine-Morris-3D. A session begins in the UCI dialect; `gbgp` and `uci` switch dialects and keep the
//! game. `millstone gbgp` begins in GBGP.
//!
//! # Lines
//!
//! Lines are UTF-8 of at most 1 MiB; empty lines and surrounding blanks are ignored. Commands are in
//! lower case. A command that is unknown, has a bad argument or cannot run now is answered by a line
//! `info string error ...` and changes nothing. The session ends with `quit` or the end of the input;
//! a running search then stops and prints its result. At the end of the input a bench or perft still completes.
//!
//! # Commands
//!
//! [`COMMANDS`] is the table that the session, `help` and the [match runner](crate::matches) read.
//!
//! | UCI dialect | GBGP | |
//! | --- | --- | --- |
//! | `uci`, `gbgp` | the same | chooses the dialect; replies with `id` lines, one `option` line for each option, and `uciok` or `gbgpok` |
//! | `isready` | the same | opens the tablebase and the learning file, provides the memory of the table, then replies `readyok`; immediately during a search |
//! | `ucinewgame` | `newgame` | sets the start position, empties the transposition table, saves learned positions |
//! | `setoption name N [value V]` | the same | changes an option; names in either case, with or without blanks |
//! | `position startpos [moves M ...]` | the same | sets the start position, then plays moves |
//! | `position fen TEXT [moves M ...]` | `position pos TEXT [moves M ...]` | sets any position, then plays moves |
//! | `go [LIMIT ...]` | the same | searches: `info` lines, then `bestmove` |
//! | `stop` | the same | stops a search, which prints its `bestmove`, a bench or a perft |
//! | `ponderhit` | the same | the opponent played the expected move: the clock of a ponder search starts |
//! | `quit` | the same | ends the engine |
//! | | `debug on\|off` | does nothing |
//! | `d` | the same | draws the board |
//! | `fen` | `pos` | the position: `fen TEXT` or `pos TEXT` |
//! | `eval` | the same | the terms of the static evaluation for White and Black, then `info eval score S` |
//! | `moves` | the same | the legal moves: `moves M ...` |
//! | `key` | the same | the key of the position: `key N` |
//! | `bench [DEPTH]` | the same | searches a fixed set of positions |
//! | `perft DEPTH` | the same | counts the leaves of the game tree, depth by depth |
//! | `compiler` | the same | the compiler and target of the build |
//! | `help` | the same | lists commands and options |
//!
//! A `position` with an error changes nothing, and `go` is answered by `bestmove none` until a valid
//! `position`, `ucinewgame` or rule option. During a search, bench or perft, `go`, `bench`, `perft`, a
//! new game, another dialect and options that affect more than the next search are rejected; everything
//! else is done immediately.
//!
//! # Moves
//!
//! ```text
//! UCI    = move        one ply each
//! GBGP   = turn        d6, e4xg7, d6-f6xa1
//! ```
//!
//! [`position::text`](crate::position::text) has the grammar of moves and turns.
//! In the UCI dialect a turn that closes a mill is two moves of the same side and two searches. In GBGP
//! it is one move: the removal is taken from the principal variation or, if that is too short, searched
//! within the remaining limits, at least two plies deep.
//!
//! # Positions
//!
//! The UCI dialect writes a position in one line of 17 fields:
//!
//! ```text
//! *O******/*****@**/@****O** w p p 2 7 2 7 0 0 0 0 0 0 0 0 3
//! ```
//!
//! [`position::text`](crate::position::text) describes the fields, the words that may follow, and the
//! older texts that are also accepted.
//!
//! GBGP writes `w:wb4,c4:bd2:3`: side to move, White's men, Black's men (in either order) and the move
//! number, which determines the men in hand ([`GbgpPosition`]). It cannot express positions within a
//! turn, or games whose men in hand do not follow from the move number.
//!
//! # Searches
//!
//! | after `go` | |
//! | --- | --- |
//! | `depth N` | the maximum depth, in plies |
//! | `nodes N` | the maximum number of positions to visit |
//! | `movetime MS` | time for this move, in milliseconds |
//! | `wtime MS`, `btime MS` | time left on each side's clock |
//! | `winc MS`, `binc MS` | each side's increment per turn |
//! | `movestogo N` | turns to the next time control |
//! | `mate N` | find a win in this many turns; ends when it is found, or it is seen that there is none (UCI dialect) |
//! | `infinite` | search until `stop` (UCI dialect) |
//! | `ponder` | search on the opponent's time until `ponderhit` or `stop` |
//! | `searchmoves M ...` | choose from these legal moves; in GBGP the first move of a turn, then the removal |
//!
//! All given limits apply; a `depth`, `nodes`, `movetime`, `movestogo` or `mate` of 0 is ignored.
//! Without a limit for the side to move, `MoveTimeMs` applies, or a depth of 12 plies if it is 0. On a
//! clock, a move gets a share of the remaining time: more if the best move changes or the score drops,
//! less if it is stable or only a removal is to be chosen. `Move Overhead` (at least 200 ms in GBGP) is
//! reserved for each move to come; if that leaves nothing, a move gets a hundredth of the clock and a
//! quarter of the increment. With a time limit, the only legal move and a fully searched win or loss are
//! played at once. After `infinite` and `ponder`, `bestmove` waits for `stop` or `ponderhit`.
//!
//! # Replies of a search
//!
//! ```text
//! UCI   info depth D seldepth D [multipv K] score S [lowerbound|upperbound] nodes N nps N
//!            hashfull N tbhits N time MS pv M ...
//!       info depth D currmove M currmovenumber N
//!       bestmove M [ponder M]
//!       S = cp N | mate N
//! GBGP  info depth D seldepth D score S [lowerbound|upperbound] time MS nodes N nps N
//!            hashfull N [pv M ...]
//!       bestmove M [ponder M]
//!       S = eval N | win N
//! ```
//!
//! In the UCI dialect scores are for the side to move, in hundredths of a man; `cp N` stands for an
//! expected score of `1 / (1 + exp(-N / 100))`, see [`Score::MAN`](crate::score::Score::MAN). In GBGP
//! they are for White, in tenths of a man, as Nine-Morris-3D reads them; `ScoresForSideToMove` changes
//! that, since the description of GBGP is ambiguous. `mate N` and `win N` count turns of the
//! winner, negative for a loss, 0 if the side to move has lost.
//!
//! Iterations are reported at least 10 ms apart, in GBGP 200 ms, since Nine-Morris-3D reads one line
//! per frame. The last line before `bestmove` describes the move that is played; its score may be a
//! bound. In the UCI dialect, other bounds and the current root move are reported after the first second.
//! With `MultiPV` above 1 each line has an exact score. If the search ends within an iteration, the lines that it has
//! found come first, and the others are of the iteration before, bounded by those; or a move that became the best comes
//! first, with a lower bound that may be below the other scores. The best line comes first; where a tablebase shows that
//! all moves lose, that is the move with the best chances. MTD(f) may end with a lower bound if its passes contradict
//! each other. If the tablebase knows the root, `info string drawn, 4 of 20 moves hold` comes first and, with
//! `MultiPV` above 1, a line such as `info string multipv 2 d6-f6 drawn, chances +0.34` for each move at the end. The
//! variation of a win of known distance extends to the end of the game, unless a draw rule may intervene. In GBGP,
//! incomplete turns are left out.
//!
//! The answer is `bestmove none` if the game is won or lost or `go` is rejected; if it is drawn, `bestmove
//! draw` in the UCI dialect and `bestmove none` in GBGP.
//!
//! `ResultStyle` reduces the output of the UCI dialect to one line, scored for White at 5 per man:
//!
//! | style | result |
//! | --- | --- |
//! | `uci` | as above |
//! | `sanmill` | `info depth D score cp S nodes N bestmove M`, or `score mate N` |
//! | `legacy` | `info score S bestmove M`, 80 for a win |
//!
//! # Options
//!
//! `uci` lists types, defaults and ranges, `help` describes each option; the table is
//! [`OptionSpec::all`]. Both dialects accept all options; GBGP lists only the ones that make sense there.
//!
//! | options | |
//! | --- | --- |
//! | `Hash`, `Clear Hash` | the transposition table |
//! | `Threads` | threads of a search |
//! | `MultiPV` | number of best moves shown |
//! | `Ponder` | announces that `go ponder` may be used; no effect |
//! | `MoveTime`, `MoveTimeMs` | time for a move without limits, in seconds or milliseconds |
//! | `Move Overhead` | milliseconds lost in communication on each move |
//! | `SkillLevel` | strength; below the highest level a search is limited, makes mistakes and uses no tablebase |
//! | `UCI_LimitStrength`, `UCI_Elo` | strength by rating, in Elo above a player of random moves |
//! | `Shuffling`, `SearchShuffleSeed` | random choice among equally good moves; the same seed gives the same moves |
//! | `Algorithm` | 0 alpha-beta, 1 principal variation search, 2 MTD(f), 3 Monte-Carlo, 4 random |
//! | `UsePerfectDatabase`, `PerfectDatabasePath`, `PerfectDatabaseCache`, `OwnBook` | the tablebase and the opening book, see [`tablebase`](crate::tablebase) |
//! | `Learning`, `LearningFile` | learning from searches, see [`learning`](crate::learning) |
//! | `ResultStyle` | style of result lines |
//! | `Debug Log File` | file with all lines, `>>` in and `<<` out |
//! | `Variant` | all rules at once, by the name of a game |
//! | `PiecesCount`, `flyPieceCount`, `PiecesAtLeastCount`, `HasDiagonalLines`, `MillFormationActionInPlacingPhase`, `MayMoveInPlacingPhase`, `IsDefenderMoveFirst`, `MayRemoveMultiple`, `MayRemoveFromMillsAlways`, `RestrictRepeatedMillsFormation`, `OneTimeUseMill`, `BoardFullAction`, `StopPlacingWhenTwoEmptySquares`, `StalemateAction`, `MayFly`, `FlyingCountsHand` | one rule each, see [`rules`](crate::rules) |
//! | `CustodianCapture`, `InterventionCapture`, `LeapCapture` with `Enabled`, `OnSquareEdges`, `OnCrossLines`, `OnDiagonalLines`, `InPlacingPhase`, `InMovingPhase`, `OnlyWhenOwnPiecesLeq3` | captures without a mill |
//! | `NMoveRule`, `EndgameNMoveRule`, `ThreefoldRepetitionRule` | draws by history |
//! | `TwelveMensMorris` | Twelve instead of Nine Men's Morris; listed in GBGP only |
//! | `ScoresForSideToMove` | scores for the side to move instead of White; GBGP only |
//!
//! Changing a rule sets the start position. Changing rules, level, tablebase, learning or `Hash` clears
//! the transposition table. Options of other mill programs that have no meaning here are accepted and
//! ignored; `HasBannedLocations` may only be `false`.

mod arguments;
mod command;
mod gbgp;
mod learning;
mod options;
mod position;
mod reply;
mod session;
mod task;

pub use arguments::Go;
pub use command::{COMMANDS, Command, CommandSpec, Dialect, Error};
pub use options::{
    Effect, Kind, OptionSpec, Options, RESULT_STYLES, ResultStyle, SHUFFLE_SEED,
    TWELVE_MENS_MORRIS, VARIANT,
};
pub use position::{GbgpPosition, position_line};

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, IsTerminal, Read, Write};
use std::sync::{Arc, Mutex};

use crate::build_info::VERSION;
use crate::quote::printable;
use crate::rules::RuleSet;
use crate::system::locks::lock;
use crate::system::regular_file;
use session::Session;

/// Serves standard input until `quit` or its end, starting with the given rules and dialect.
///
/// # Errors
///
/// If the default transposition table cannot be allocated or the replies cannot be written.
pub fn run(rules: &RuleSet, dialect: Dialect) -> io::Result<()> {
    let mut output = io::stdout();
    if io::stdin().is_terminal() {
        let greeting = format!("Millstone {VERSION}, an engine for mill games");
        writeln!(output, "{greeting}; help lists the commands, quit ends it")?;
    }
    serve(io::stdin().lock(), output, rules, dialect)
}

/// Serves a stream of lines until `quit` or its end, as [`run`] does.
///
/// # Errors
///
/// As for [`run`].
pub fn serve(
    input: impl BufRead,
    output: impl Write + Send + 'static,
    rules: &RuleSet,
    dialect: Dialect,
) -> io::Result<()> {
    let streams = Streams { out: Box::new(output), log: None, failure: None };
    let output = Output(Arc::new(Mutex::new(streams)));
    let session = Session::new(output.clone(), *rules, dialect);
    let session = session.map_err(|error| io::Error::new(io::ErrorKind::OutOfMemory, error))?;
    session.serve(input);
    lock(&output.0).failure.take().map_or(Ok(()), Err)
}

/// The maximum length of a line in bytes, far more than the longest game needs.
const MAX_LINE: usize = 1 << 20;
/// The number of bytes kept of a rejected line.
const KEPT_OF_REFUSED: usize = 40;
/// The maximum length of an error line in characters.
const MAX_ERROR: usize = 1000;

/// Reads the next line, trimmed, or the beginning of a bad line with its error; `None` at the end of the
/// stream or if reading fails.
fn next_line(stream: &mut impl BufRead) -> Option<(String, Result<(), Error>)> {
    let mut bytes = Vec::new();
    let mut most = stream.by_ref().take(MAX_LINE as u64 + 1);
    most.read_until(b'\n', &mut bytes).ok().filter(|read| *read > 0)?;
    let error = if bytes.len() > MAX_LINE {
        if bytes.last() != Some(&b'\n') {
            stream.skip_until(b'\n').ok()?;
        }
        format!("the line is longer than {MAX_LINE} bytes")
    } else if let Ok(text) = str::from_utf8(&bytes) {
        return Some((text.trim().to_owned(), Ok(())));
    } else {
        "the line is not UTF-8".to_owned()
    };
    bytes.truncate(KEPT_OF_REFUSED);
    let beginning = String::from_utf8_lossy(&bytes).trim().to_owned();
    Some((beginning, Err(Error::refused(error))))
}

/// The output stream, optionally copied to a log file; clones share it.
#[derive(Clone)]
struct Output(Arc<Mutex<Streams>>);

struct Streams {
    out: Box<dyn Write + Send>,
    log: Option<File>,
    /// The first write error.
    failure: Option<io::Error>,
}

impl Output {
    /// Sends one or several lines.
    fn line(&self, line: impl fmt::Display) {
        let text = line.to_string();
        let streams = &mut *lock(&self.0);
        let sent = writeln!(streams.out, "{text}").and_then(|()| streams.out.flush());
        streams.failure = streams.failure.take().or(sent.err());
        text.lines().for_each(|line| streams.log("<<", line));
    }

    /// Sends an error line, truncated if it is long.
    fn error(&self, error: &Error) {
        let text: String = printable(&error.to_string()).chars().take(MAX_ERROR).collect();
        self.line(format_args!("info string error {text}"));
    }

    /// Starts copying input and output to a file, or stops if the path is empty.
    fn log_to(&self, path: &str) -> io::Result<()> {
        let open =
            || regular_file::open_with(File::options().create(true).append(true), path.as_ref());
        lock(&self.0).log = (!path.is_empty()).then(open).transpose()?;
        Ok(())
    }
}

impl Streams {
    /// Writes to the log file; closes it and says so if that fails.
    fn log(&mut self, mark: &str, line: &str) {
        if let Some(Err(error)) = self.log.as_mut().map(|file| writeln!(file, "{mark} {line}")) {
            self.log = None;
            let told =
                writeln!(self.out, "info string error the debug log file is closed: {error}");
            let _ = told.and_then(|()| self.out.flush());
        }
    }
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

    #[test]
    fn bad_lines_are_named_and_the_next_one_is_read() {
        let long = "x".repeat(MAX_LINE + 1);
        let stream = format!("  uci \r\n{long}\n{}\nisready", "y".repeat(MAX_LINE - 1));
        let mut bytes = stream.into_bytes();
        bytes.extend(b"\n\xFF\xFE\nquit");
        let mut stream = &bytes[..];
        let mut next = || match next_line(&mut stream) {
            Some((text, Ok(()))) if text.len() > 100 => "long".to_owned(),
            Some((text, Ok(()))) => text,
            Some((_, Err(error))) => error.to_string(),
            None => "end".to_owned(),
        };
        assert_eq!(next(), "uci");
        assert_eq!(next(), "the line is longer than 1048576 bytes");
        assert_eq!(next(), "long");
        assert_eq!(next(), "isready");
        assert_eq!(next(), "the line is not UTF-8");
        assert_eq!(next(), "quit");
        assert_eq!(next(), "end");
    }
}
