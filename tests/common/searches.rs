//! Engines, games and observers for tests of the search.

use millstone::game::Game;
use millstone::position::{Move, Position};
use millstone::rules::{DrawRules, Rules};
use millstone::score::Score;
use millstone::search::{Algorithm, Engine, Features, Observer, Progress, Switches};
use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::IndexedRandom;

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

/// A game in play after up to `most_moves` random moves.
pub fn random_game<R: Rules>(
    rules: R,
    draws: DrawRules,
    most_moves: usize,
    rng: &mut Xoshiro256PlusPlus,
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
    fn progress(&mut self, _progress: &Progress<'_>) {}

    fn should_stop(&mut self, _nodes: u64) -> bool {
        self.0 = self.0.saturating_sub(1);
        self.0 == 0
    }
}

/// The principal variation and the score of each iteration.
#[derive(Default)]
pub struct Iterations(pub Vec<(Vec<Move>, Score)>);

impl Observer for Iterations {
    fn progress(&mut self, progress: &Progress<'_>) {
        self.0.push((progress.pv.to_vec(), progress.score));
    }

    fn should_stop(&mut self, _nodes: u64) -> bool {
        false
    }
}
