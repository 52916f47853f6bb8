//! Who plays the games of a match, one after the other.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::Sender;
use std::time::Duration;

use super::chooser::{Chooser, mix};
use super::contest::{Contest, ContestError};
use super::fault::{Fault, FaultKind};
use super::game::{self, Played};
use super::opening::Opening;
use super::player::Player;
use super::processes::Processes;
use super::record::{EngineFault, GameRecord};
use crate::board::{BySide, Side};
use crate::position::MoveLine;
use crate::records::GameResult;

/// Two engines that play one game after the other.
pub(super) struct Worker<'a> {
    contest: &'a Contest,
    processes: &'a Processes,
    chooser: Chooser<'a>,
    players: [Option<Player>; 2],
}

/// How long after the end of an engine is seen whether the match was to end with it, as by a signal
/// to all processes of a job.
const GRACE: Duration = Duration::from_millis(200);

/// A game, or why there are no more.
pub(super) type Report = Result<GameRecord, ContestError>;

impl<'a> Worker<'a> {
    pub(super) fn new(
        contest: &'a Contest,
        processes: &'a Processes,
    ) -> Result<Self, ContestError> {
        let chooser = Chooser::new(&contest.openings, &contest.rules);
        let chooser = chooser.map_err(ContestError::Memory)?;
        Ok(Self { contest, processes, chooser, players: [None, None] })
    }

    /// Plays pair after pair, whichever is the next that nobody plays.
    pub(super) fn play_pairs(
        &mut self,
        pairs: &[Vec<u64>],
        next: &AtomicUsize,
        sender: &Sender<Report>,
    ) -> Result<(), ContestError> {
        while let Some(games) = pairs.get(next.fetch_add(1, Relaxed)) {
            let opening = self.chooser.of_pair(games[0] / 2);
            for &game in games {
                let record = self.play(game, &opening)?;
                if self.is_over(&record) || sender.send(Ok(record)).is_err() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Whether the match is over, so that the end of an engine is no fault of its own.
    fn is_over(&self, record: &GameRecord) -> bool {
        let fault = record.fault.as_ref();
        let has_crashed = fault.is_some_and(|fault| fault.fault.kind == FaultKind::Crash);
        self.processes.is_closed_within(if has_crashed { GRACE } else { Duration::ZERO })
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
        let [first_spec, second_spec] = &self.contest.engines;
        let (players, specs) = match white {
            0 => (BySide([first, second]), BySide([first_spec, second_spec])),
            _ => (BySide([second, first]), BySide([second_spec, first_spec])),
        };
        let rules = &self.contest.rules;
        let played = game::play(players, specs, opening, rules, self.contest.max_plies);
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
