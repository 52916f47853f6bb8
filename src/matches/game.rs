//! One game: the rules engine is the referee, the clocks are watched here.

use std::time::Duration;

use super::clock::{GameClock, go};
use super::dialect::Told;
use super::fault::{Fault, FaultKind};
use super::opening::Opening;
use super::player::{Answer, Player};
use super::spec::EngineSpec;
use crate::any_game::AnyGame;
use crate::board::{BySide, Side};
use crate::game::Outcome;
use crate::position::Move;
use crate::records::GameResult;
use crate::rules::RuleSet;

/// How a game went.
#[derive(Debug)]
pub(super) struct Played {
    pub(super) result: GameResult,
    pub(super) reason: String,
    /// All moves, those of the opening too.
    pub(super) moves: Vec<Move>,
    /// How long each side thought.
    pub(super) thought: BySide<Duration>,
    /// What the loser did wrong.
    pub(super) fault: Option<(Side, Fault)>,
}

/// Why a game that is not over is drawn.
const PLY_LIMIT: &str = "ply limit";

/// A game that is being played.
struct Table<'a> {
    players: BySide<&'a mut Player>,
    /// Where the game began, if that was not the start position.
    start: Option<Box<dyn AnyGame>>,
    game: Box<dyn AnyGame>,
    moves: Vec<(Side, Move)>,
    clocks: BySide<GameClock>,
    thought: BySide<Duration>,
}

/// Plays a game between players that are ready for a new one.
///
/// # Errors
///
/// When the opening cannot be played, or not be told to a player.
pub(super) fn play(
    players: BySide<&mut Player>,
    specs: BySide<&EngineSpec>,
    opening: &Opening,
    rules: &RuleSet,
    most_plies: usize,
) -> Result<Played, String> {
    let game = opening.beginning(rules)?;
    let start = opening.start.as_ref().map(|_| game.copy());
    let clocks = BySide(specs.0.map(|spec| GameClock::new(&spec.limit, spec.margin)));
    let thought = BySide::both(Duration::ZERO);
    let mut table = Table { players, start, game, moves: Vec::new(), clocks, thought };
    for side in Side::ALL {
        table.players[side].position(&table.told())?;
    }
    for &mv in &opening.moves {
        table.play(mv)?;
    }
    let (result, reason, fault) = table.play_on(most_plies);
    let moves = table.moves.iter().map(|&(_, mv)| mv).collect();
    Ok(Played { result, reason, moves, thought: table.thought, fault })
}

impl Table<'_> {
    /// Plays until the game is over or a player does something wrong.
    fn play_on(&mut self, most_plies: usize) -> (GameResult, String, Option<(Side, Fault)>) {
        loop {
            if let Some(outcome) = self.game.outcome() {
                return (GameResult::from(Some(outcome)), reason(outcome), None);
            }
            if self.moves.len() >= most_plies {
                return (GameResult::Draw, PLY_LIMIT.to_owned(), None);
            }
            let side = self.game.to_move();
            if let Err(fault) = self.ask(side) {
                return (GameResult::won_by(!side), fault.kind.to_string(), Some((side, fault)));
            }
        }
    }

    /// The game as the players are told of it.
    fn told(&self) -> Told<'_> {
        Told { start: self.start.as_deref(), moves: &self.moves }
    }

    /// Has a side play what it answers.
    fn ask(&mut self, side: Side) -> Result<(), Fault> {
        let position = self.players[side].position(&self.told());
        let position = position.map_err(|message| Fault::silent(FaultKind::Unable, message))?;
        let (go, allowed) = (go(&self.clocks, side), self.clocks[side].allowed());
        let Answer { moves, time } = self.players[side].answer(&position, go, allowed)?;
        let plays_on = self.play_answer(side, &moves);
        let plays_on = plays_on.map_err(|message| self.players[side].illegal(message))?;
        self.thought[side] += time;
        self.clocks[side].spend(time, !plays_on);
        Ok(())
    }

    /// Plays what a side answers, and tells whether it has to go on.
    fn play_answer(&mut self, side: Side, moves: &[Move]) -> Result<bool, String> {
        for &mv in moves {
            if self.game.to_move() != side {
                return Err(format!("move '{mv}': expected no more moves in the turn"));
            }
            self.play(mv)?;
        }
        let plays_on = self.game.plays_on(side);
        if self.players[side].plays_whole_turns() && self.game.is_within_turn(side) {
            return Err("expected a whole turn, found one without a removal".to_owned());
        }
        Ok(plays_on)
    }

    fn play(&mut self, mv: Move) -> Result<(), String> {
        let side = self.game.to_move();
        self.game.play(mv).map_err(|error| error.to_string())?;
        self.moves.push((side, mv));
        Ok(())
    }
}

/// Why a game ended, in the word that mill programs use for it.
fn reason(outcome: Outcome) -> String {
    let text = outcome.to_string();
    text.split_once(':').map_or(text.as_str(), |(_, reason)| reason).to_owned()
}
