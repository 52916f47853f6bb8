//! Runs a match, or a shard of it: each worker plays pairs of games with its own two engines.
//!
//! Millstone is the referee and keeps the clocks.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::mpsc::{self, Sender};
use std::time::Duration;
use std::{iter, thread};

use super::clock::{Clock, go};
use super::opening::{OpeningPicker, seed_of};
use super::player::Player;
use super::{
    EngineConfig, EngineError, EngineErrorKind, EngineHeader, Forfeit, LogEntry, LogHeader,
    Openings, Processes, Shard,
};
use crate::Error;
use crate::board::{BySide, Side};
use crate::game::History;
use crate::position::MoveLine;
use crate::protocol::{Dialect, position_line};
use crate::records::GameResult;
use crate::rules::RuleSet;
use crate::system::clock::wait_until;
use crate::system::locks::lock;

/// The settings of a match between two engines.
#[derive(Clone, Debug)]
pub struct MatchSettings {
    /// The engines; results are for the first.
    pub engines: [EngineConfig; 2],
    /// The rules of the game.
    pub rules: RuleSet,
    /// The seed of all random choices.
    pub seed: u64,
    /// The openings of the games.
    pub openings: Openings,
    /// The number of plies after which a game is drawn.
    pub max_plies: usize,
    /// The part of the match to play.
    pub shard: Shard,
    /// The number of games in all parts.
    pub games: u64,
    /// How long to wait for an engine to get ready, for a move without a limit, or for a late move.
    pub patience: Duration,
}

impl MatchSettings {
    /// Starts each engine once. Returns the settings with the names that the engines report.
    ///
    /// * `warn`: called with the name of an engine and a problem with its options.
    ///
    /// # Errors
    ///
    /// If an engine does not start, or its dialect cannot express an opening.
    pub fn header(
        &self,
        processes: &Processes,
        warn: &mut dyn FnMut(&str, &str),
    ) -> Result<LogHeader, Error> {
        let mut identify = |config: &EngineConfig| {
            let started = Player::start(config, &self.rules, self.patience, processes)
                .and_then(|mut player| player.new_game(self.seed).map(|()| player));
            let player =
                started.map_err(|error| Error(format!("{}: {}", config.name, error.report())))?;
            player.warnings.iter().for_each(|warning| warn(&config.name, warning));
            if let Openings::Listed(openings) = &self.openings {
                let express = |opening| position_line(player.dialect, opening).map(drop);
                let expressed = openings.iter().try_for_each(express);
                expressed.map_err(|error| Error(format!("opening: {error}")))?;
            }
            let options = config.options.iter().map(|(name, value)| format!("{name}={value}"));
            Ok(EngineHeader {
                name: config.name.clone(),
                id: player.id.clone(),
                dialect: player.dialect.greeting().word(player.dialect).to_owned(),
                command: config.command.clone(),
                folder: config.folder.clone(),
                options: options.collect(),
                limit: config.limit.to_string(),
                margin: config.margin.as_millis() as u64,
            })
        };
        Ok(LogHeader {
            millstone_match: LogHeader::VERSION,
            referee: concat!("Millstone ", env!("CARGO_PKG_VERSION")).to_owned(),
            engines: [identify(&self.engines[0])?, identify(&self.engines[1])?],
            rules: self.rules.name(),
            seed: self.seed,
            openings: self.openings.to_string(),
            max_plies: self.max_plies,
            shard: self.shard,
            games: self.games,
        })
    }

    /// Plays the missing games of the part, each pair by one worker, and calls `on_game` with each finished game.
    ///
    /// When `on_game` breaks or the processes are ended, unfinished games are dropped. Returns what `on_game` returned
    /// last.
    ///
    /// * `played`: the numbers of the games that have been played.
    ///
    /// # Errors
    ///
    /// If no more games can be played. An error of an engine only forfeits the game.
    pub fn play<B>(
        &self,
        played: &BTreeSet<u64>,
        concurrency: usize,
        processes: &Processes,
        on_game: &mut dyn FnMut(LogEntry) -> ControlFlow<B>,
    ) -> Result<ControlFlow<B>, Error> {
        let pairs = Mutex::new(self.shard.missing(self.games, played));
        let picker = |_| OpeningPicker::new(&self.openings, &self.rules);
        let pickers: Result<Vec<_>, _> = (0..concurrency).map(picker).collect();
        let pickers = pickers.map_err(|error| Error(error.to_string()))?;
        let (to_all, entries) = mpsc::channel();
        thread::scope(|scope| {
            for picker in pickers {
                let (sender, pairs) = (to_all.clone(), &pairs);
                let mut worker =
                    Worker { settings: self, processes, picker, players: [None, None] };
                let work = move || worker.play_pairs(iter::from_fn(|| lock(pairs).next()), &sender);
                if let Err(error) = thread::Builder::new().spawn_scoped(scope, work) {
                    let _ = to_all.send(Err(Error(format!("cannot start a thread: {error}"))));
                    break;
                }
            }
            drop(to_all);
            let mut result = Ok(ControlFlow::Continue(()));
            for entry in entries.into_iter().filter(|_| !processes.is_closed()) {
                result = entry.map(&mut *on_game);
                if !matches!(result, Ok(ControlFlow::Continue(()))) {
                    processes.end_all();
                }
            }
            result
        })
    }
}

/// Plays games with its own two engines.
struct Worker<'a> {
    settings: &'a MatchSettings,
    processes: &'a Processes,
    picker: OpeningPicker<'a>,
    players: [Option<Player>; 2],
}

/// How long to wait after a crash to see whether the match ends too, since a signal to a whole job causes both.
const GRACE: Duration = Duration::from_millis(200);

impl Worker<'_> {
    /// Plays pairs until there are no more or the match is over.
    fn play_pairs(
        &mut self,
        pairs: impl Iterator<Item = Vec<u64>>,
        sender: &Sender<Result<LogEntry, Error>>,
    ) {
        for games in pairs {
            let pair = games[0] / 2;
            let seed = seed_of(self.settings.seed, pair);
            let opening = self.picker.of_pair(pair, seed);
            for game in games {
                let entry = self.play(game, &opening, seed);
                let is_crash = |it: &Forfeit| it.error.kind == EngineErrorKind::Crash;
                let has_crashed = entry.forfeit.as_ref().is_some_and(is_crash);
                let patience = if has_crashed { GRACE } else { Duration::ZERO };
                let is_over = wait_until(patience, || self.processes.is_closed());
                if is_over || sender.send(Ok(entry)).is_err() {
                    return;
                }
            }
        }
    }

    /// Plays a game. An engine that makes an error forfeits it and is restarted for the next.
    fn play(&mut self, game: u64, opening: &History, seed: u64) -> LogEntry {
        let MatchSettings { engines, max_plies, .. } = self.settings;
        let white = LogEntry::white_in(game);
        let BySide(configs) = by_side(engines.each_ref(), white);
        let mut clocks = BySide(configs.map(|config| Clock::new(&config.limit, config.margin)));
        let mut history = opening.clone();
        let play = |players| play_game(players, &mut history, &mut clocks, *max_plies);
        let end = self.make_ready(white, seed).and_then(play);
        let ended = jiff::Timestamp::now();
        let BySide(thought) = by_side(clocks.0.map(|clock| clock.spent.as_millis() as u64), white);
        let (result, reason, forfeit) = match end {
            Ok((result, reason)) => (result, reason, None),
            Err((side, error)) => {
                let engine = by_side([0, 1], white)[side];
                self.players[engine] = None;
                (GameResult::won_by(!side), error.kind.to_string(), Some(Forfeit { engine, error }))
            }
        };
        LogEntry {
            game,
            white,
            result,
            reason,
            start: opening.start_text(),
            opening_plies: opening.count_moves(),
            moves: MoveLine(history.moves()).to_string().trim_start().to_owned(),
            thought,
            ended,
            forfeit,
        }
    }

    /// Gets both engines ready for a game, or returns the side that fails. Starts an engine that is not running,
    /// as after an error.
    fn make_ready<'p>(
        &'p mut self,
        white: usize,
        seed: u64,
    ) -> Result<BySide<&'p mut Player>, (Side, EngineError)> {
        let MatchSettings { engines, rules, patience, .. } = self.settings;
        let start = |config| Player::start(config, rules, *patience, self.processes);
        let ready = |side: Side, slot: &'p mut Option<Player>| {
            let config = by_side(engines.each_ref(), white)[side];
            let player = slot.take().map_or_else(|| start(config), Ok);
            let player = player.and_then(|mut player| player.new_game(seed).map(|()| player));
            player.map(|player| slot.insert(player)).map_err(|error| (side, error))
        };
        let BySide([white_slot, black_slot]) = by_side(self.players.each_mut(), white);
        Ok(BySide([ready(Side::White, white_slot)?, ready(Side::Black, black_slot)?]))
    }
}

/// Reorders values from engines to sides, or back.
fn by_side<T>([first, second]: [T; 2], white: usize) -> BySide<T> {
    BySide(if white == 0 { [first, second] } else { [second, first] })
}

/// Asks the sides for moves until the game is over or one forfeits. Returns the result of the game and its reason,
/// or the side that forfeits it by an error.
fn play_game(
    mut players: BySide<&mut Player>,
    history: &mut History,
    clocks: &mut BySide<Clock>,
    max_plies: usize,
) -> Result<(GameResult, String), (Side, EngineError)> {
    loop {
        if let Some(outcome) = history.game().outcome() {
            // The text has the result before the reason, as in other mill programs.
            let text = outcome.to_string();
            let reason = text.split_once(':').map_or(text.as_str(), |(_, reason)| reason);
            return Ok((Some(outcome).into(), reason.to_owned()));
        }
        if history.count_moves() >= max_plies {
            return Ok((GameResult::Draw, "ply limit".to_owned()));
        }
        let side = history.game().to_move();
        play_turn(players[side], history, clocks).map_err(|error| (side, error))?;
    }
}

/// Asks the side to move for moves, and plays them.
fn play_turn(
    player: &mut Player,
    history: &mut History,
    clocks: &mut BySide<Clock>,
) -> Result<(), EngineError> {
    let side = history.game().to_move();
    let position = position_line(player.dialect, history).map_err(EngineError::unable)?;
    let (go, allowed) = (go(clocks, side), clocks[side].allowed());
    let (turn, time) = player.go(&position, &go, allowed)?;
    let illegal = |message| player.error(EngineErrorKind::IllegalMove, message);
    for &mv in turn.moves() {
        if history.game().to_move() != side {
            return Err(illegal(format!("move '{mv}': the turn is over before it")));
        }
        history.play(mv).map_err(|error| illegal(error.to_string()))?;
    }
    let game = history.game();
    if player.dialect == Dialect::Gbgp && game.is_within_turn(side) {
        return Err(illegal("mill closed but no man removed".to_owned()));
    }
    clocks[side].spend(time, !game.plays_on(side));
    Ok(())
}
