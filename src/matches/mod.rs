//! Matches between two engines: which is stronger, and by how much.
//!
//! [`MatchSettings`] describe a match. Its games are numbered; two consecutive games are a pair: the
//! same opening with colours reversed. A game depends only on the settings and its number (if the
//! engines are deterministic), so a match can be resumed or distributed over machines: a [`Log`] keeps
//! the games, a [`Tally`] the score.
//!
//! # Engines
//!
//! An [`EngineConfig`] is read from words such as `cmd=millstone`, `option.Hash=16` and `tc=10+0.1`;
//! [`ENGINE_KEYS`] lists them. The runner starts each engine in its own process group, greets it in the
//! UCI dialect and, without a reply, in GBGP, and reads its options from the reply. Rules are set by
//! the option `Variant`, or one by one if the engine lacks it; GBGP has `TwelveMensMorris`. Engines with
//! the option `SearchShuffleSeed` get a seed for each pair.
//!
//! Result lines may have the forms `bestmove M`, `info depth D score cp S nodes N bestmove
//! M` and `info score S bestmove M`. A move of a UCI engine is one ply; GBGP engines send whole turns.
//!
//! # Limits
//!
//! | word | |
//! | --- | --- |
//! | `movetime=MS` | time for each move |
//! | `nodes=N`, `depth=N` | positions or plies of each search |
//! | `tc=SECONDS+SECONDS` | time for the game, and increment per turn |
//! | `tc=TURNS/SECONDS+SECONDS` | time for TURNS turns, after which it is added again |
//! | `margin=MS` | grace period after the limit: per move with `movetime`, shared by all moves of a game with `tc` |
//!
//! All given limits apply. Clocks count turns: a removal takes time but earns no increment.
//! `--max-plies` and the length of openings count plies: placements, slides and removals.
//!
//! # Errors of engines
//!
//! An engine forfeits the game with an [`EngineError`] if it crashes, hangs, plays an illegal move, sends
//! garbage or exceeds its time, or if its dialect cannot express the game. The error is reported with the
//! last lines that the engine printed, and the engine is restarted for the next game.
//!
//! # Results
//!
//! Rating differences are Elo computed from the score. Error bars, likelihood of superiority and the
//! [`Sprt`] use the pentanomial distribution of pair results, since the games of a pair are not
//! independent. The SPRT tests `elo0` against `elo1` with error probabilities `alpha` and `beta`.
//!
//! # The log
//!
//! A log is a file of JSON lines: first the [`LogHeader`] with the settings, then a [`LogEntry`] for
//! each game, written as soon as the game has ended:
//!
//! ```text
//! {"millstone_match":2,"referee":"Millstone 1.0.0","engines":[{"name":"new","id":"Millstone 1.0.0",
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
//! | `start`, `opening_plies`, `moves` | the position text of the start if it is not the start position, the plies of the opening, and all moves |
//! | `thought` | thinking time of each engine in milliseconds |
//! | `ended` | when the game ended, in UTC |
//! | `fault` | only if an engine forfeited: `engine`, `kind`, `message`, `last_lines` |
//! | `checksum` | CRC-32 of the line without this field |
//!
//! A log with a wrong checksum or a game of another match is rejected; logs of older versions have no
//! checksums. An incomplete last line, as after a power cut, is removed and its game replayed. A match
//! resumes only with the same settings, except for the number of games. [`merge`] merges the logs of
//! the [shards](Shard) of a match, whose settings must agree except for the engines' commands and
//! folders.
//!
//! # Many machines
//!
//! Each shard is a separate command with its own log. With Slurm, shards are the tasks of a job array;
//! a task that is requeued or resubmitted resumes its log:
//!
//! ```sh
//! #!/bin/sh
//! #SBATCH --array=1-64 --cpus-per-task=1 --time=04:00:00 --requeue
//! millstone match --engine cmd=./new --engine cmd=./old --each tc=10+0.1 --games 20000 \
//!     --shard "$SLURM_ARRAY_TASK_ID/64" --log "part-$SLURM_ARRAY_TASK_ID.jsonl"
//! ```
//!
//! `millstone match --merge part-*.jsonl` then reports the result of the whole match.

mod clock;
mod engine_config;
mod engine_error;
mod log;
mod opening;
mod player;
mod process;
mod runner;
mod shard;
mod sprt;
mod tally;

pub use engine_config::{ENGINE_KEYS, EngineConfig, Limit, TimeControl, engine_defaults};
pub use engine_error::{EngineError, EngineErrorKind};
pub use log::{Contents, EngineHeader, Forfeit, Log, LogEntry, LogHeader, merge};
pub use opening::{Openings, opening};
pub use process::Processes;
pub use runner::MatchSettings;
pub use shard::{MOST_GAMES, Shard};
pub use sprt::{Sprt, SprtState};
pub use tally::Tally;
