//! Matches between two engines that speak a protocol: which plays better, and by how much.
//!
//! A [`Contest`] says who plays how. Its games have numbers; two games in a row are a pair, which
//! has one opening and is played with the colours exchanged. How a game goes depends on the contest
//! and its number alone (as far as the engines do), so a match can be broken off and continued or
//! shared out to machines: a [`Log`] keeps the games, and a [`Tally`] counts what they say.

mod chooser;
mod clock;
mod contest;
mod dialect;
mod fault;
mod game;
mod limit;
mod log;
mod opening;
mod player;
mod process;
mod processes;
mod record;
mod schedule;
mod spec;
mod spec_error;
mod sprt;
mod statistics;
mod worker;

pub use contest::{Contest, ContestError};
pub use fault::{Fault, FaultKind};
pub use limit::{ClockRule, Limit};
pub use log::{Contents, Log, LogError, merge};
pub use opening::{Opening, Openings};
pub use processes::Processes;
pub use record::{EngineFault, EngineHeader, GameRecord, Header};
pub use schedule::Shard;
pub use spec::EngineSpec;
pub use spec_error::SpecError;
pub use sprt::{Decision, Sprt};
pub use statistics::Tally;
