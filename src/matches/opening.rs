//! Openings: both games of a pair share an opening, so that neither engine gets the better side.

use std::fmt;

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::IndexedRandom;

use crate::clusters::SizeError;
use crate::game::{Game, History};
use crate::position::{Move, MoveLine, mix, spread};
use crate::rules::{DrawRules, RuleSet};
use crate::score::ScoreKind;
use crate::search::{Engine, Limits, Silent};

/// The depth in plies of the search that judges the balance of a random opening, and the size of its
/// transposition table in MiB.
const BALANCE_DEPTH: u32 = 6;
const BALANCE_TABLE: usize = 1;
/// The largest imbalance of a random opening, in hundredths of a man.
const MAX_IMBALANCE: u16 = 60;
/// The number of random openings tried before the most balanced of them is taken.
const MAX_TRIES: usize = 100;

/// The openings of a match, one for each pair.
#[derive(Clone, Debug)]
pub enum Openings {
    /// Balanced random openings.
    Random {
        /// The minimum number of plies.
        plies: usize,
    },
    /// A list to cycle through; the start position if it is empty.
    Listed(Vec<History>),
}

impl Openings {
    /// The default of [`plies`](Self::Random::plies) of random openings.
    pub const RANDOM_PLIES: usize = 6;
}

/// The first `plies` plies of a game, plus the removals that complete the last turn.
///
/// # Errors
///
/// If the game is over after these plies, or they end within a turn.
pub fn opening(game: &History, plies: usize) -> Result<History, String> {
    let is_in = |(index, mv): &(usize, Move)| *index < plies || mv.is_removal();
    let mut opening = History::from(game.start().clone());
    for (_, mv) in game.moves().enumerate().take_while(is_in) {
        opening.play(mv).map_err(|error| error.to_string())?;
    }
    let game = opening.game();
    if let Some(outcome) = game.outcome() {
        return Err(format!("the game is over after the opening: {outcome}"));
    }
    match opening.last_turn().last() {
        Some(mv) if game.is_within_turn(game.to_move()) => {
            Err(format!("it ends within a turn: a man must be removed after {mv}"))
        }
        _ => Ok(opening),
    }
}

impl fmt::Display for Openings {
    /// Formats a description that identifies the openings.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Random { plies } => write!(f, "random, {plies} plies"),
            Self::Listed(openings) => {
                let mut hasher = crc32fast::Hasher::new();
                for opening in openings {
                    let start = opening.start_text().unwrap_or_default();
                    let moves = MoveLine(opening.moves());
                    hasher.update(format!("{start}{moves}\n").as_bytes());
                }
                write!(f, "{} listed, checksum {:08x}", openings.len(), hasher.finalize())
            }
        }
    }
}

/// Picks the openings of pairs.
pub(super) struct OpeningPicker<'a> {
    openings: &'a Openings,
    /// The start position.
    beginning: History,
    engine: Engine,
}

impl<'a> OpeningPicker<'a> {
    /// # Errors
    ///
    /// If the memory for the search cannot be allocated.
    pub(super) fn new(openings: &'a Openings, rules: &RuleSet) -> Result<Self, SizeError> {
        let beginning = Game::start(*rules, DrawRules::default()).into();
        Ok(Self { openings, beginning, engine: Engine::new(BALANCE_TABLE)? })
    }

    /// The opening of a pair, a function of its number and its [seed](seed_of).
    pub(super) fn of_pair(&mut self, pair: u64, seed: u64) -> History {
        match self.openings {
            Openings::Listed(openings) => {
                let at = pair as usize % openings.len().max(1);
                openings.get(at).unwrap_or(&self.beginning).clone()
            }
            &Openings::Random { plies } => self.random(plies, seed),
        }
    }

    fn random(&mut self, plies: usize, seed: u64) -> History {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut best: Option<(u16, History)> = None;
        for _ in 0..MAX_TRIES {
            let Some(opening) = self.try_random(plies, &mut rng) else { continue };
            self.engine.clear();
            let limits = Limits::to_depth(BALANCE_DEPTH);
            let report = self.engine.search(opening.game(), &limits, &mut Silent);
            let imbalance = match report.score().kind() {
                ScoreKind::Estimate(score) => score.unsigned_abs(),
                _ => u16::MAX,
            };
            if best.as_ref().is_none_or(|(least, _)| imbalance < *least) {
                best = Some((imbalance, opening));
            }
            if imbalance <= MAX_IMBALANCE {
                break;
            }
        }
        best.map_or_else(|| self.beginning.clone(), |(_, opening)| opening)
    }

    /// Plays random plies up to the end of a turn; `None` if the game is then over.
    fn try_random(&self, plies: usize, rng: &mut Xoshiro256PlusPlus) -> Option<History> {
        let mut opening = self.beginning.clone();
        let is_within_turn = |game: &Game| game.is_within_turn(game.to_move());
        while opening.count_moves() < plies || is_within_turn(opening.game()) {
            opening.play(*opening.game().moves().choose(rng)?).ok()?;
        }
        opening.game().outcome().is_none().then_some(opening)
    }
}

/// Mixes a seed with a number, so that neighbouring numbers get unrelated seeds.
pub(super) const fn seed_of(seed: u64, number: u64) -> u64 {
    mix(seed ^ spread(number.wrapping_add(1)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::PRESETS;

    const NINE: RuleSet = RuleSet::NINE_MENS_MORRIS;

    fn replay(start: Option<&str>, moves: &str) -> History {
        let moves = moves.split_whitespace().map(|mv| mv.parse().unwrap());
        History::replay(start, &NINE, moves).unwrap()
    }

    fn moves(opening: &History) -> Vec<Move> {
        opening.moves().collect()
    }

    #[test]
    fn openings_are_games_that_go_on() {
        assert_eq!(opening(&replay(None, "d6 f4 b4"), 2).unwrap().count_moves(), 2);
        let over = "**O*@@**/**@@*@@*/*****@** w m s 1 0 7 0 0 0 0 0 0 0 0 9 23";
        let error = opening(&replay(Some(over), ""), 9).unwrap_err();
        assert!(error.contains("is over"), "{error}");
        let error = opening(&replay(None, "d6 a1 f6 a4 b6"), 5).unwrap_err();
        assert!(error.contains("a man must be removed after b6"), "{error}");
    }

    #[test]
    fn random_openings_depend_on_seed_and_pair_alone() {
        let openings = Openings::Random { plies: 6 };
        let new = || OpeningPicker::new(&openings, &NINE).unwrap();
        let mut picker = new();
        let mut of = |seed, pair| moves(&picker.of_pair(pair, seed_of(seed, pair)));
        let first: Vec<_> = (0..4).map(|pair| of(1, pair)).collect();
        assert_eq!(moves(&new().of_pair(3, seed_of(1, 3))), first[3]);
        assert!(first[1..].iter().all(|opening| *opening != first[0]));
        assert_ne!(of(2, 0), first[0]);
    }

    #[test]
    fn every_game_has_openings_that_end_with_a_turn() {
        for preset in &PRESETS {
            let openings = Openings::Random { plies: 5 };
            let random = OpeningPicker::new(&openings, &preset.rules).unwrap().of_pair(0, 7);
            assert!(random.count_moves() >= 5, "{}", preset.name);
            assert!(opening(&random, usize::MAX).is_ok(), "{}", preset.name);
        }
    }
}
