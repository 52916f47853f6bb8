//! The match: workers with two engines each take pair after pair.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicUsize;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use super::dialect::Told;
use super::fault::Fault;
use super::opening::Openings;
use super::player::Player;
use super::processes::Processes;
use super::record::{EngineHeader, GameRecord, Header};
use super::schedule::Shard;
use super::spec::EngineSpec;
use super::worker::Worker;
use crate::clusters::SizeError;
use crate::rules::RuleSet;

/// Two engines and how they play against each other.
#[derive(Clone, Debug)]
pub struct Contest {
    /// The engines; results are those of the first.
    pub engines: [EngineSpec; 2],
    /// The rules of the game.
    pub rules: RuleSet,
    /// What random choices depend on.
    pub seed: u64,
    /// Where the games begin.
    pub openings: Openings,
    /// Moves and removals after which a game is drawn.
    pub max_plies: usize,
    /// Which part of the match is played.
    pub shard: Shard,
    /// The number of games of all parts.
    pub games: u64,
    /// How long an answer is waited for that has no limit, or after its limit.
    pub patience: Duration,
}

/// Why a match cannot go on.
#[derive(Debug)]
pub enum ContestError {
    /// An engine does not start as it should.
    Engine {
        /// The engine.
        name: String,
        /// What it does instead.
        fault: Fault,
    },
    /// There is no memory for the search that judges openings.
    Memory(SizeError),
    /// An opening cannot be played.
    Opening(String),
}

impl fmt::Display for ContestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Engine { name, fault } => write!(f, "{name}: {}", fault.report()),
            Self::Memory(error) => error.fmt(f),
            Self::Opening(error) => write!(f, "opening: {error}"),
        }
    }
}

impl std::error::Error for ContestError {}

impl Contest {
    /// Starts each engine once to see that it works, and tells the settings with what the engines
    /// call themselves.
    ///
    /// Where an engine does not take its options, `warn` is told the engine's name and why.
    ///
    /// # Errors
    ///
    /// What an engine does instead of starting, and an opening that cannot be told to it.
    pub fn header(
        &self,
        processes: &Processes,
        warn: &mut dyn FnMut(&str, &str),
    ) -> Result<Header, ContestError> {
        let [first, second] = &self.engines;
        let engines =
            [self.identify(first, processes, warn)?, self.identify(second, processes, warn)?];
        Ok(Header {
            millstone_match: Header::FORM,
            referee: concat!("Millstone ", env!("CARGO_PKG_VERSION")).to_owned(),
            engines,
            rules: self.rules.name(),
            seed: self.seed,
            openings: self.openings.to_string(),
            max_plies: self.max_plies,
            shard: self.shard,
            games: self.games,
        })
    }

    fn identify(
        &self,
        spec: &EngineSpec,
        on: &Processes,
        warn: &mut dyn FnMut(&str, &str),
    ) -> Result<EngineHeader, ContestError> {
        let started = Player::start(spec, &self.rules, self.patience, on)
            .and_then(|mut player| player.new_game(self.seed).map(|()| player));
        let player =
            started.map_err(|fault| ContestError::Engine { name: spec.name.clone(), fault })?;
        player.warnings().iter().for_each(|warning| warn(&spec.name, warning));
        self.check_openings(&player).map_err(ContestError::Opening)?;
        let options = spec.options.iter().map(|(name, value)| format!("{name}={value}"));
        Ok(EngineHeader {
            name: spec.name.clone(),
            id: player.id().to_owned(),
            dialect: player.dialect(),
            command: spec.command.clone(),
            folder: spec.folder.clone(),
            options: options.collect(),
            limit: spec.limit.to_string(),
            margin: spec.margin.as_millis() as u64,
        })
    }

    /// Whether all positions of a list can be told to a player.
    fn check_openings(&self, player: &Player) -> Result<(), String> {
        let Openings::Listed(openings) = &self.openings else { return Ok(()) };
        for opening in openings.iter().filter(|opening| opening.start.is_some()) {
            let start = opening.beginning(&self.rules)?;
            player.position(&Told { start: Some(start.as_ref()), moves: &[] })?;
        }
        Ok(())
    }

    /// Plays games, each inner list by one worker in a row, and tells of each that ends.
    ///
    /// When `hear` breaks, or the processes are ended from elsewhere, the games that are still being
    /// played count for nothing.
    ///
    /// # Errors
    ///
    /// When the referee cannot go on; what an engine does wrong only loses its game.
    pub fn play(
        &self,
        pairs: &[Vec<u64>],
        concurrency: usize,
        processes: &Processes,
        hear: &mut dyn FnMut(GameRecord) -> ControlFlow<()>,
    ) -> Result<(), ContestError> {
        let next = AtomicUsize::new(0);
        let (sender, records) = mpsc::channel();
        thread::scope(|scope| {
            for _ in 0..concurrency.min(pairs.len()) {
                let (sender, next) = (sender.clone(), &next);
                scope.spawn(move || {
                    let result = Worker::new(self, processes)
                        .and_then(|mut worker| worker.play_pairs(pairs, next, &sender));
                    if let Err(error) = result {
                        let _ = sender.send(Err(error));
                    }
                });
            }
            drop(sender);
            let mut result = Ok(());
            for record in records {
                let flow = match record {
                    _ if processes.is_closed() => ControlFlow::Continue(()),
                    Ok(record) => hear(record),
                    Err(error) => {
                        result = Err(error);
                        ControlFlow::Break(())
                    }
                };
                if flow.is_break() {
                    processes.end_all();
                }
            }
            result
        })
    }
}
