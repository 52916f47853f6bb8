//! Finding an opening for each pair of games.

use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::opening::{Opening, Openings};
use crate::any_game::{self, AnyGame};
use crate::clusters::SizeError;
use crate::rules::{DrawRules, RuleSet};
use crate::score::ScoreKind;
use crate::search::{Engine, Limits, Silent, Skill};

/// The depth of the search that judges a random opening, and the table it has, in MiB.
const JUDGE_DEPTH: u32 = 6;
const JUDGE_TABLE: usize = 1;
/// How uneven a random opening may be, in hundredths of a man.
const MOST_UNEVEN: u16 = 60;
/// After so many random openings the most even one of them is taken.
const MOST_TRIES: usize = 100;

/// Finds the openings of pairs.
pub(super) struct Chooser<'a> {
    openings: &'a Openings,
    rules: &'a RuleSet,
    judge: Engine,
}

impl<'a> Chooser<'a> {
    /// # Errors
    ///
    /// When there is no memory for the search that judges.
    pub(super) fn new(openings: &'a Openings, rules: &'a RuleSet) -> Result<Self, SizeError> {
        Ok(Self { openings, rules, judge: Engine::new(JUDGE_TABLE)? })
    }

    /// The opening of a pair, which depends on nothing else.
    pub(super) fn of_pair(&mut self, pair: u64) -> Opening {
        match self.openings {
            Openings::Listed(openings) => {
                let at = pair as usize % openings.len().max(1);
                openings.get(at).cloned().unwrap_or_default()
            }
            &Openings::Random { plies, seed } => {
                self.random(plies, &mut Xoshiro256PlusPlus::seed_from_u64(mix(seed, pair)))
            }
        }
    }

    fn random(&mut self, plies: usize, rng: &mut Xoshiro256PlusPlus) -> Opening {
        let mut best: Option<(u16, Opening)> = None;
        for _ in 0..MOST_TRIES {
            let Some((game, opening)) = self.try_random(plies, rng) else { continue };
            let unevenness = self.unevenness(game.as_ref());
            if best.as_ref().is_none_or(|(least, _)| unevenness < *least) {
                best = Some((unevenness, opening));
            }
            if unevenness <= MOST_UNEVEN {
                break;
            }
        }
        best.map(|(_, opening)| opening).unwrap_or_default()
    }

    /// Random moves, unless they end the game; the last turn is finished.
    fn try_random(
        &self,
        plies: usize,
        rng: &mut Xoshiro256PlusPlus,
    ) -> Option<(Box<dyn AnyGame>, Opening)> {
        let mut game = any_game::start(self.rules, DrawRules::default());
        let mut moves = Vec::new();
        while moves.len() < plies || game.is_within_turn(game.to_move()) {
            let mv = *game.moves().choose(rng)?;
            game.play(mv).ok()?;
            moves.push(mv);
        }
        game.outcome().is_none().then_some((game, Opening { start: None, moves }))
    }

    fn unevenness(&mut self, game: &dyn AnyGame) -> u16 {
        self.judge.clear();
        let limits = Limits::to_depth(JUDGE_DEPTH);
        let report = game.search(&mut self.judge, &limits, Skill::FULL, 0, &mut Silent);
        match report.score.kind() {
            ScoreKind::Estimate(score) => score.unsigned_abs(),
            _ => u16::MAX,
        }
    }
}

/// A seed for something with a number, far from those of its neighbours.
///
/// See: Guy L. Steele, Doug Lea and Christine H. Flood, "Fast Splittable Pseudorandom Number
/// Generators", 2014.
pub(super) const fn mix(seed: u64, number: u64) -> u64 {
    let mut state = seed ^ number.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    state = (state ^ state >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    state = (state ^ state >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    state ^ state >> 31
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::PRESETS;

    const NINE: RuleSet = RuleSet::NINE_MENS_MORRIS;

    #[test]
    fn random_openings_depend_on_seed_and_pair_alone() {
        let openings = |seed| Openings::Random { plies: 6, seed };
        let (one, other) = (openings(1), openings(2));
        let of = |openings: &Openings, pair| Chooser::new(openings, &NINE).unwrap().of_pair(pair);
        let mut chooser = Chooser::new(&one, &NINE).unwrap();
        let first: Vec<_> = (0..4).map(|pair| chooser.of_pair(pair)).collect();
        assert_eq!(of(&one, 3), first[3]);
        assert!(first[1..].iter().all(|opening| *opening != first[0]));
        assert_ne!(of(&other, 0), first[0]);
        assert!(first.iter().all(|opening| opening.check(&NINE).is_ok()));
    }

    #[test]
    fn every_game_has_openings_that_end_with_a_turn() {
        for preset in &PRESETS {
            let openings = Openings::Random { plies: 5, seed: 7 };
            let opening = Chooser::new(&openings, &preset.rules).unwrap().of_pair(0);
            let game = opening.game(&preset.rules).unwrap();
            assert!(
                opening.moves.len() >= 5 && !game.is_within_turn(game.to_move()),
                "{}",
                preset.name
            );
        }
    }
}
