//! Runs a match, or a shard of it: each worker plays pairs of games with its own two engines.
//!
//! Millstone is the referee and keeps the clocks.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::str::FromStr;
use std::sync::Mutex;
use std::sync::mpsc::{self, Sender};
use std::time::Duration;
use std::{fmt, iter, thread};

use super::engine_config::{EngineConfig, Limit};
use super::log::{EngineError, EngineErrorKind, EngineHeader, Forfeit, LogEntry, LogHeader};
use super::opening::{OpeningPicker, Openings, seed_of};
use super::player::Player;
use super::process::{Processes, wait_until};
use crate::Error;
use crate::board::{BySide, Side};
use crate::game::History;
use crate::position::{Move, MoveLine};
use crate::protocol::{Dialect, Go};
use crate::records::GameResult;
use crate::rules::RuleSet;
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
                let expressed =
                    openings.iter().try_for_each(|opening| player.position(opening).map(drop));
                expressed.map_err(|error| Error(format!("opening: {}", error.message)))?;
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
        let [first, second] = &self.engines;
        Ok(LogHeader {
            millstone_match: LogHeader::VERSION,
            referee: concat!("Millstone ", env!("CARGO_PKG_VERSION")).to_owned(),
            engines: [identify(first)?, identify(second)?],
            rules: self.rules.name(),
            seed: self.seed,
            openings: self.openings.to_string(),
            max_plies: self.max_plies,
            shard: self.shard,
            games: self.games,
        })
    }

    /// Plays pairs of games, each pair by one worker, and calls `on_game` with each finished game.
    ///
    /// When `on_game` breaks or the processes are ended, unfinished games are dropped.
    ///
    /// # Errors
    ///
    /// If no more games can be played. An error of an engine only forfeits the game.
    pub fn play(
        &self,
        pairs: impl Iterator<Item = Vec<u64>> + Send,
        concurrency: usize,
        processes: &Processes,
        on_game: &mut dyn FnMut(LogEntry) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        let pairs = Mutex::new(pairs);
        let (to_all, entries) = mpsc::channel();
        thread::scope(|scope| {
            for _ in 0..concurrency {
                let (sender, pairs) = (to_all.clone(), &pairs);
                let work = move || match OpeningPicker::new(&self.openings, &self.rules) {
                    Ok(picker) => {
                        let players = [None, None];
                        let mut worker = Worker { settings: self, processes, picker, players };
                        worker.play_pairs(iter::from_fn(|| lock(pairs).next()), &sender);
                    }
                    Err(error) => drop(sender.send(Err(Error(error.to_string())))),
                };
                if let Err(error) = thread::Builder::new().spawn_scoped(scope, work) {
                    let error = Error(format!("cannot start a thread: {error}"));
                    let _ = to_all.send(Err(error));
                    break;
                }
            }
            drop(to_all);
            let mut result = Ok(());
            for entry in entries {
                if processes.is_closed() {
                    continue;
                }
                let flow = entry.map(&mut *on_game);
                if !matches!(flow, Ok(ControlFlow::Continue(()))) {
                    processes.end_all();
                }
                result = flow.map(|_| ());
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
            let opening = self.picker.of_pair(games[0] / 2);
            for game in games {
                let entry = self.play(game, &opening);
                let is_crash = |it: &&Forfeit| it.error.kind == EngineErrorKind::Crash;
                let crash = entry.forfeit.as_ref().filter(is_crash);
                let patience = crash.map_or(Duration::ZERO, |_| GRACE);
                let is_over = wait_until(patience, || self.processes.is_closed());
                if is_over || sender.send(Ok(entry)).is_err() {
                    return;
                }
            }
        }
    }

    /// Plays a game. An engine that makes an error forfeits it and is restarted for the next.
    fn play(&mut self, game: u64, opening: &History) -> LogEntry {
        let MatchSettings { engines, max_plies, .. } = self.settings;
        let white = LogEntry::white_in(game);
        let BySide(configs) = by_side(engines.each_ref(), white);
        let mut clocks = BySide(configs.map(|config| Clock::new(&config.limit, config.margin)));
        let mut history = opening.clone();
        let players = self.make_ready(game, white);
        let play = |players| play_game(players, &mut history, &mut clocks, *max_plies);
        let end = players.and_then(play);
        let ended = jiff::Timestamp::now();
        let thought = clocks.0.map(|clock| clock.spent.as_millis() as u64);
        let BySide(thought) = by_side(thought, white);
        let moves: Vec<Move> = history.moves().collect();
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
            moves: MoveLine(&moves).to_string().trim_start().to_owned(),
            thought,
            ended,
            forfeit,
        }
    }

    /// Gets both engines ready for a game, or returns the side that fails. Starts an engine that is not running,
    /// as after an error.
    fn make_ready<'p>(
        &'p mut self,
        game: u64,
        white: usize,
    ) -> Result<BySide<&'p mut Player>, (Side, EngineError)> {
        let MatchSettings { engines, rules, patience, seed, .. } = self.settings;
        let ready = |side: Side, slot: &'p mut Option<Player>| {
            let fails = |error| (side, error);
            let config = by_side(engines.each_ref(), white)[side];
            let mut player = match slot.take() {
                Some(player) => player,
                None => Player::start(config, rules, *patience, self.processes).map_err(fails)?,
            };
            player.new_game(seed_of(*seed, game / 2)).map_err(fails)?;
            Ok(slot.insert(player))
        };
        let BySide([white_slot, black_slot]) = by_side(self.players.each_mut(), white);
        Ok(BySide([ready(Side::White, white_slot)?, ready(Side::Black, black_slot)?]))
    }
}

/// Reorders values from engines to sides, or back.
fn by_side<T>([first, second]: [T; 2], white: usize) -> BySide<T> {
    BySide(if white == 0 { [first, second] } else { [second, first] })
}

/// The reason for a draw by the limit of plies.
const PLY_LIMIT: &str = "ply limit";

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
            return Ok((GameResult::Draw, PLY_LIMIT.to_owned()));
        }
        let side = history.game().to_move();
        let fails = |error| (side, error);
        let player = &mut *players[side];
        let position = player.position(history).map_err(fails)?;
        let (go, allowed) = (go(clocks, side), clocks[side].allowed());
        let (turn, time) = player.go(&position, &go, allowed).map_err(fails)?;
        let plays_on = play_moves(history, turn.moves(), player.dialect == Dialect::Gbgp);
        let plays_on = plays_on
            .map_err(|message| fails(player.error(EngineErrorKind::IllegalMove, message)))?;
        clocks[side].spend(time, !plays_on);
    }
}

/// Plays moves of the side to move. Returns whether that side moves again.
fn play_moves(history: &mut History, moves: &[Move], are_turns: bool) -> Result<bool, String> {
    let side = history.game().to_move();
    for &mv in moves {
        if history.game().to_move() != side {
            return Err(format!("move '{mv}': the turn is over before it"));
        }
        history.play(mv).map_err(|error| error.to_string())?;
    }
    let game = history.game();
    if are_turns && game.is_within_turn(side) {
        return Err("mill closed but no man removed".to_owned());
    }
    Ok(game.plays_on(side))
}

/// The clock of a side in one game.
#[derive(Clone, Debug)]
pub(super) struct Clock {
    limit: Limit,
    /// The grace period; with a time control, all moves of the game share it.
    margin: Duration,
    gained: Duration,
    pub(super) spent: Duration,
    turns: u32,
}

impl Clock {
    pub(super) fn new(limit: &Limit, margin: Duration) -> Self {
        let gained = limit.clock.map_or(Duration::ZERO, |clock| clock.base + clock.increment);
        Self { limit: limit.clone(), margin, gained, spent: Duration::ZERO, turns: 0 }
    }

    /// The time within which the next move must arrive, including the rest of the margin; `None`
    /// without a time limit.
    pub(super) fn allowed(&self) -> Option<Duration> {
        let left = (self.gained + self.margin).saturating_sub(self.spent);
        let clock = self.limit.clock.map(|_| left);
        let move_time = self.limit.search.move_time.map(|time| time + self.margin);
        [clock, move_time].into_iter().flatten().min()
    }

    fn left(&self) -> Duration {
        self.gained.saturating_sub(self.spent)
    }

    /// Subtracts the time of a move.
    ///
    /// * `ends_turn`: whether the other side moves next.
    fn spend(&mut self, time: Duration, ends_turn: bool) {
        self.spent += time;
        let Some(rule) = self.limit.clock else { return };
        if ends_turn {
            self.turns += 1;
            if rule.turns.is_some_and(|turns| self.turns.is_multiple_of(turns.get())) {
                self.gained += rule.base;
            }
            self.gained += rule.increment;
        }
    }

    fn turns_to_go(&self) -> Option<u32> {
        let turns = self.limit.clock?.turns?;
        Some(turns.get() - self.turns % turns)
    }
}

/// The limits to send to the side to move.
pub(super) fn go(clocks: &BySide<Clock>, to_move: Side) -> Go {
    let own = &clocks[to_move];
    let mut go = own.limit.search.clone();
    if own.limit.clock.is_some() {
        for side in Side::ALL {
            let rule = clocks[side].limit.clock;
            go.time[side] = rule.map(|_| clocks[side].left());
            let increment = rule.map(|rule| rule.increment);
            go.increment[side] = increment.filter(|time| !time.is_zero());
        }
        go.moves_to_go = own.turns_to_go();
    }
    go
}

/// The maximum number of games in a match.
pub const MOST_GAMES: u64 = 1_000_000;

/// A part of a match: part I of N has the pairs I, I + N, I + 2N, ...
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// The number of the part, from 1.
    part: u64,
    /// The number of parts.
    of: u64,
}

impl Shard {
    /// The match as a whole.
    pub const WHOLE: Self = Self { part: 1, of: 1 };

    /// Whether a pair belongs to the part.
    pub(super) const fn has_pair(self, pair: u64) -> bool {
        pair % self.of == self.part - 1
    }

    /// The games of the part that have not been played, by pairs.
    ///
    /// * `games`: the number of games in the whole match.
    pub fn missing(self, games: u64, played: &BTreeSet<u64>) -> impl Iterator<Item = Vec<u64>> {
        let pairs = (0..games.div_ceil(2)).filter(move |&pair| self.has_pair(pair));
        let missing = pairs.map(move |pair| {
            let games = (2 * pair..games).take(2);
            games.filter(|game| !played.contains(game)).collect::<Vec<_>>()
        });
        missing.filter(|games| !games.is_empty())
    }

    /// The number of games in the part.
    ///
    /// * `games`: the number of games in the whole match.
    pub fn count(self, games: u64) -> u64 {
        self.missing(games, &BTreeSet::new()).flatten().count() as u64
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let shard = text.split_once('/').and_then(|(part, of)| {
            let (part, of) = (part.parse().ok()?, of.parse().ok()?);
            (1 <= part && part <= of).then_some(Self { part, of })
        });
        shard.ok_or_else(|| "expected I/N with I from 1 to N, such as 2/4".to_owned())
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.part, self.of)
    }
}

#[cfg(test)]
mod tests {
    use super::super::engine_config::tests::limit;
    use super::*;

    #[test]
    fn clocks_gain_with_turns_and_not_with_removals() {
        let mut clock = Clock::new(&limit("tc=2/10+1"), Duration::ZERO);
        let seconds = Duration::from_secs;
        assert_eq!(clock.allowed(), Some(seconds(11)));
        clock.spend(seconds(3), false);
        assert_eq!(clock.allowed(), Some(seconds(8)));
        clock.spend(seconds(1), true);
        assert_eq!((clock.allowed(), clock.turns_to_go()), (Some(seconds(8)), Some(1)));
        clock.spend(seconds(2), true);
        assert_eq!((clock.allowed(), clock.turns_to_go()), (Some(seconds(17)), Some(2)));
    }

    #[test]
    fn a_game_has_one_margin_and_each_move_time_has() {
        let millis = Duration::from_millis;
        let mut clock = Clock::new(&limit("tc=0.1+0.02"), millis(200));
        let mut move_time = Clock::new(&limit("movetime=50"), millis(200));
        for left in [(320, 120), (190, 0), (60, 0)] {
            let expected = (Some(millis(left.0)), millis(left.1));
            assert_eq!((clock.allowed(), clock.left()), expected);
            clock.spend(millis(150), true);
            assert_eq!(move_time.allowed(), Some(millis(250)));
            move_time.spend(millis(250), true);
        }
        assert_eq!(clock.allowed(), Some(Duration::ZERO));
    }

    #[test]
    fn an_engine_is_sent_its_own_limits_and_both_clocks() {
        let clocks = BySide(
            [limit("tc=10+0.1"), limit("nodes=500")]
                .map(|limit| Clock::new(&limit, Duration::ZERO)),
        );
        assert_eq!(go(&clocks, Side::White).to_string(), "wtime 10100 winc 100");
        assert_eq!(go(&clocks, Side::Black).to_string(), "nodes 500");
        assert_eq!(clocks[Side::Black].allowed(), None);
    }

    #[test]
    fn shards_share_all_games_out() {
        let shards = (1..=3).map(|part| Shard { part, of: 3 });
        let none = BTreeSet::new();
        for all in [1, 5, 11, 12, 13] {
            let mut games = Vec::new();
            for shard in shards.clone() {
                let of_shard = shard.missing(all, &none).flatten().collect::<Vec<_>>();
                assert_eq!(shard.count(all), of_shard.len() as u64, "{shard} of {all}");
                games.extend(of_shard);
            }
            games.sort_unstable();
            assert_eq!(games, (0..all).collect::<Vec<_>>());
        }
        assert_eq!("2/3".parse(), Ok(Shard { part: 2, of: 3 }));
        for text in ["", "0/2", "3/2", "1", "1/0", "a/b"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }

    #[test]
    fn played_games_are_not_played_again() {
        let played = BTreeSet::from([0, 1, 3]);
        let missing: Vec<_> = Shard::WHOLE.missing(6, &played).collect();
        assert_eq!(missing, [vec![2], vec![4, 5]]);
    }
}
