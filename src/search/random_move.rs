//! A legal move at random: the weakest opponent that keeps to the rules.

use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::engine::{Engine, legal_moves};
use super::limits::Limits;
use super::observer::Report;
use crate::game::Game;
use crate::rules::Rules;

impl Engine {
    /// One of the moves to choose from, each as likely as the others, without any search.
    ///
    /// The choice follows from the seed of the settings, or from the position alone without one.
    pub(super) fn random_move<R: Rules>(&self, game: &Game<R>, limits: &Limits) -> Report {
        let seed = self.settings.shuffle.unwrap_or_default() ^ game.position().key();
        let moves = legal_moves(game, limits);
        let choice = moves.choose(&mut Xoshiro256PlusPlus::seed_from_u64(seed));
        Report { pv: choice.copied().into_iter().collect(), ..Report::default() }
    }
}
