//! Matches between two engines that speak a protocol: which plays better, and by how much.
//!
//! [`MatchSettings`] say who plays how. Games have numbers; two games in a row are a pair, which
//! has one opening and is played with the colours exchanged. A game depends only on the settings
//! and its number (if the engines do not vary), so a match can be interrupted and continued or
//! shared out to machines: a [`Log`] keeps the games, and a [`Tally`] counts their results.
//!
//! # Engines
//!
//! An [`EngineConfig`] is read from words such as `cmd=millstone`, `option.Hash=16` and `tc=10+0.1`;
//! [`ENGINE_KEYS`] is their table. The runner starts the program in a process group of its own, which
//! ends with the game or the match. It greets the engine in the UCI dialect, and in GBGP if there is no
//! reply, and takes the names of its options from the greeting. The rules are set by the option
//! `Variant`, or one by one in an engine without it; GBGP has `TwelveMensMorris`. Engines with the
//! option `SearchShuffleSeed` get a seed for each pair.
//!
//! Lines with `bestmove` are read in the forms `bestmove M`, `info depth D score cp S nodes N bestmove
//! M` and `info score S bestmove M`. A move of a UCI engine is one ply; GBGP engines send whole turns.
//!
//! # Limits
//!
//! | word | |
//! | --- | --- |
//! | `movetime=MS` | time for each move |
//! | `nodes=N`, `depth=N` | positions or plies of each search |
//! | `tc=SECONDS+SECONDS` | time for the game, and what each turn adds |
//! | `tc=TURNS/SECONDS+SECONDS` | time for TURNS turns, after which it is added again |
//! | `margin=MS` | how much later than its limit a move may arrive: each move with `movetime`, all moves of a game together with `tc` |
//!
//! All limits that are given hold. Clocks count turns; removals within a turn take time and add none.
//! `--max-plies` and the length of openings count plies: placements, slides and removals.
//!
//! # Errors of engines
//!
//! An engine loses the game by an [`EngineError`]: it crashes, hangs, plays an illegal move, sends
//! something that is no move, oversteps its time, or its dialect cannot express the game. The error is
//! reported with the last lines that the engine printed, and the engine is restarted for the next game.
//! Repetition, the n-move rule and the limit of plies draw.
//!
//! # Results
//!
//! Ratings are Elo from the share of the points; their errors, the likelihood of superiority and the
//! [`Sprt`] count pairs by the five results that a pair can have, as the games of a pair depend on each
//! other. The test decides between two differences of rating, `elo0` and `elo1`, with chances of error
//! `alpha` and `beta`.
//!
//! # The log
//!
//! A log is a file of JSON, an object a line. The first is the [`LogHeader`] with the settings, each
//! other a [`LogEntry`] with one game, written as soon as the game has ended:
//!
//! ```text
//! {"millstone_match":2,"referee":"Millstone 0.1.0","engines":[{"name":"new","id":"Millstone 0.1.0",
//!  "dialect":"uci","command":["./new"],"options":["Hash=16"],"limit":"nodes=2000","margin":200},...],
//!  "rules":"Nine Men's Morris","seed":0,"openings":"random, 6 plies","max_plies":600,"shard":"1/1",
//!  "games":200,"checksum":"a5e07b10"}
//! {"game":0,"white":0,"result":"1-0","reason":"loseFewerThanThree","start":null,"opening_plies":6,
//!  "moves":"d6 f4 ...","thought":[1203,1187],"ended":"2026-01-02T03:04:05Z",
//!  "checksum":"09f1d2c4"}
//! ```
//!
//! | key of a game | |
//! | --- | --- |
//! | `game`, `white` | the number of the game from 0, and which engine, 0 or 1, has White |
//! | `result`, `reason` | `1-0`, `0-1` or `1/2-1/2`, and why |
//! | `start`, `opening_plies`, `moves` | the position text of the start, if it is another, the length of the opening, and all plies |
//! | `thought` | the milliseconds that each engine used |
//! | `ended` | when the game ended, in UTC |
//! | `fault` | only after an error of an engine: `engine`, `kind`, `message`, `last_lines` |
//! | `checksum` | of any line, the CRC-32 of what it would be without this field |
//!
//! A line whose checksum does not fit is refused when a log is read, and so is a game that does not belong
//! to the log. The logs of older versions have no checksums, and what they say is taken as it is. An incomplete last line, as after a
//! power cut, is removed and its game played again. A match continues with the same settings only; its number of games may grow. [`merge`] puts
//! the logs of the [shards](Shard) of one match together, for which all but the commands and folders of
//! the engines has to agree.
//!
//! # Many machines
//!
//! Each shard is a command of its own, with a log of its own. With Slurm the shards are the tasks
//! of a job array. A task that is requeued, or submitted again after its time ran out, continues
//! its log:
//!
//! ```sh
//! #!/bin/sh
//! #SBATCH --array=1-64 --cpus-per-task=1 --time=04:00:00 --requeue
//! millstone match --engine cmd=./new --engine cmd=./old --each tc=10+0.1 --games 20000 \
//!     --shard "$SLURM_ARRAY_TASK_ID/64" --log "part-$SLURM_ARRAY_TASK_ID.jsonl"
//! ```
//!
//! `millstone match --merge part-*.jsonl` then reports the result of the whole match.

mod checked_line;
mod dialect;
mod engine_config;
mod game;
mod log;
mod log_entry;
mod opening;
mod player;
mod process;
mod process_group;
mod runner;
mod shard;
mod sprt;
mod statistics;

pub use engine_config::{ENGINE_KEYS, EngineConfig, EngineKey, Limit, TimeControl};
pub use log::{Contents, Log, LogError, merge};
pub use log_entry::{EngineError, EngineErrorKind, EngineHeader, Forfeit, LogEntry, LogHeader};
pub use opening::{Openings, opening};
pub use process_group::Processes;
pub use runner::{MatchError, MatchSettings};
pub use shard::{MOST_GAMES, Shard};
pub use sprt::{Sprt, SprtState};
pub use statistics::Tally;
