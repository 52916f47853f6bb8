//! Engines, games and observers for tests of the search.

use crate::random::{IndexedRandom, Random, RngExt};
use std::sync::Arc;

use millstone::game::Game;
use millstone::position::Position;
use millstone::rules::{DrawRules, Rules};
use millstone::search::{Algorithm, Engine, Features, Observer, Report, Switches};
use millstone::tablebase::Tablebase;

pub const ALGORITHMS: [Algorithm; 3] =
    [Algorithm::AlphaBeta, Algorithm::PrincipalVariation, Algorithm::MtdF];

/// Every enhancement that leaves the value of a depth as it is.
pub struct Sound;

impl Features for Sound {
    const ON: Switches = Switches::SOUND;
}

/// An engine of one thread with a small table.
pub fn engine(algorithm: Algorithm) -> Engine {
    let mut engine = Engine::new(1).expect("memory for a table");
    engine.settings.algorithm = algorithm;
    engine
}

/// An engine that plays by a tablebase.
pub fn engine_with(tablebase: &Arc<Tablebase>) -> Engine {
    let mut engine = engine(Algorithm::MtdF);
    engine.tablebase = Some(Arc::clone(tablebase));
    engine
}

/// A game in play after up to `most_moves` random moves.
pub fn random_game<R: Rules>(
    rules: R,
    draws: DrawRules,
    most_moves: usize,
    rng: &mut Random,
) -> Game<R> {
    loop {
        let mut game = Game::from_position(Position::start(rules), draws);
        for _ in 0..rng.random_range(0..most_moves) {
            let Some(&mv) = game.moves().choose(rng) else { break };
            game.play(mv).expect("a legal move");
        }
        if game.outcome().is_none() {
            return game;
        }
    }
}

/// Stops a search the n-th time it is asked.
pub struct StopAt(pub u32);

impl Observer for StopAt {
    fn should_stop(&mut self, _nodes: u64) -> bool {
        self.0 = self.0.saturating_sub(1);
        self.0 == 0
    }
}

/// Hears of every iteration to the end of a search.
pub struct Hear<F>(F);

pub fn hear<F: FnMut(&Report)>(iteration: F) -> Hear<F> {
    Hear(iteration)
}

impl<F: FnMut(&Report)> Observer for Hear<F> {
    fn progress(&mut self, report: &Report) {
        (self.0)(report);
    }

    fn should_stop(&mut self, _nodes: u64) -> bool {
        false
    }
}
