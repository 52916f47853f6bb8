//! The match: workers with two engines each take pair after pair.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::Duration;

use super::fault::Fault;
use super::game::{self, Played};
use super::opening::{Chooser, Opening, Openings, mix};
use super::player::Player;
use super::process::Processes;
use super::record::{EngineFault, EngineHeader, GameRecord, Header};
use super::spec::EngineSpec;
use crate::board::{BySide, Side};
use crate::clusters::SizeError;
use crate::position::MoveLine;
use crate::records::GameResult;
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
            Self::Engine { name, fault } => write!(f, "{name}: {fault}"),
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
    /// # Errors
    ///
    /// What an engine does instead of starting.
    pub fn header(&self, processes: &Processes) -> Result<Header, ContestError> {
        let [first, second] = &self.engines;
        Ok(Header {
            millstone_match: Header::FORM,
            referee: concat!("Millstone ", env!("CARGO_PKG_VERSION")).to_owned(),
            engines: [self.identify(first, processes)?, self.identify(second, processes)?],
            rules: self.rules.name(),
            seed: self.seed,
            openings: self.openings.to_string(),
            max_plies: self.max_plies,
        })
    }

    fn identify(&self, spec: &EngineSpec, on: &Processes) -> Result<EngineHeader, ContestError> {
        let started = Player::start(spec, &self.rules, self.patience, on)
            .and_then(|mut player| player.new_game(self.seed).map(|()| player));
        let player =
            started.map_err(|fault| ContestError::Engine { name: spec.name.clone(), fault })?;
        let options = spec.options.iter().map(|(name, value)| format!("{name}={value}"));
        Ok(EngineHeader {
            name: spec.name.clone(),
            id: player.id().to_owned(),
            dialect: player.dialect(),
            command: spec.command.clone(),
            options: options.collect(),
            limit: spec.limit.to_string(),
            margin: spec.margin.as_millis() as u64,
        })
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

/// Two engines that play one game after the other.
struct Worker<'a> {
    contest: &'a Contest,
    processes: &'a Processes,
    chooser: Chooser<'a>,
    players: [Option<Player>; 2],
}

type Report = Result<GameRecord, ContestError>;

impl<'a> Worker<'a> {
    fn new(contest: &'a Contest, processes: &'a Processes) -> Result<Self, ContestError> {
        let chooser = Chooser::new(&contest.openings, &contest.rules);
        let chooser = chooser.map_err(ContestError::Memory)?;
        Ok(Self { contest, processes, chooser, players: [None, None] })
    }

    fn play_pairs(
        &mut self,
        pairs: &[Vec<u64>],
        next: &AtomicUsize,
        sender: &Sender<Report>,
    ) -> Result<(), ContestError> {
        while let Some(games) = pairs.get(next.fetch_add(1, Relaxed)) {
            let opening = self.chooser.of_pair(games[0] / 2);
            for &game in games {
                let record = self.play(game, &opening)?;
                if self.processes.is_closed() || sender.send(Ok(record)).is_err() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Plays a game; who does something wrong loses it and is started anew for the next.
    fn play(&mut self, game: u64, opening: &Opening) -> Result<GameRecord, ContestError> {
        let white = GameRecord::white_in(game);
        for engine in [white, 1 - white] {
            if let Err(fault) = self.make_ready(engine, game) {
                self.players[engine] = None;
                return Ok(forfeit(game, opening, EngineFault { engine, fault }));
            }
        }
        let [Some(first), Some(second)] = &mut self.players else {
            unreachable!("both are ready");
        };
        let [first_limit, second_limit] = self.contest.engines.each_ref().map(|spec| &spec.limit);
        let (players, limits) = match white {
            0 => (BySide([first, second]), BySide([first_limit, second_limit])),
            _ => (BySide([second, first]), BySide([second_limit, first_limit])),
        };
        let rules = &self.contest.rules;
        let played = game::play(players, limits, opening, rules, self.contest.max_plies);
        let played = played.map_err(ContestError::Opening)?;
        if let Some((side, _)) = played.fault {
            self.players[engine_of(side, white)] = None;
        }
        Ok(record(game, opening, played))
    }

    fn make_ready(&mut self, engine: usize, game: u64) -> Result<(), Fault> {
        let Contest { engines, rules, patience, seed, .. } = self.contest;
        let player = match &mut self.players[engine] {
            Some(player) => player,
            none => none.insert(Player::start(&engines[engine], rules, *patience, self.processes)?),
        };
        player.new_game(mix(*seed, game / 2))
    }
}

const fn engine_of(side: Side, white: usize) -> usize {
    match side {
        Side::White => white,
        Side::Black => 1 - white,
    }
}

fn record(game: u64, opening: &Opening, played: Played) -> GameRecord {
    let white = GameRecord::white_in(game);
    let thought = [0, 1].map(|engine| {
        let side = if engine == white { Side::White } else { Side::Black };
        played.thought[side].as_millis() as u64
    });
    GameRecord {
        game,
        white,
        result: played.result,
        reason: played.reason,
        start: opening.start.clone(),
        opening_plies: opening.moves.len(),
        moves: MoveLine(&played.moves).to_string().trim_start().to_owned(),
        thought,
        ended: jiff::Timestamp::now(),
        fault: played
            .fault
            .map(|(side, fault)| EngineFault { engine: engine_of(side, white), fault }),
    }
}

/// A game that an engine loses before it has begun.
fn forfeit(game: u64, opening: &Opening, fault: EngineFault) -> GameRecord {
    let loses_as_white = fault.engine == GameRecord::white_in(game);
    let side = if loses_as_white { Side::White } else { Side::Black };
    let played = Played {
        result: GameResult::won_by(!side),
        reason: fault.fault.kind.to_string(),
        moves: opening.moves.clone(),
        thought: BySide::both(Duration::ZERO),
        fault: Some((side, fault.fault)),
    };
    record(game, opening, played)
}
