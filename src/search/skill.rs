//! Weaker play, from beginner level upwards.
//!
//! A level limits the depth and the nodes of the search, and lower levels overlook some of the moves,
//! as people do: more of them the weaker the level, but never one that removes a man. They choose among
//! the moves that they see. How often they overlook a move, in the placing phase and afterwards, is set
//! so that levels 6, 9 and 12 give value away about as often as people of three classes whose games
//! were checked with a tablebase. A random amount up to the margin of the level is added to the score
//! of each of the best moves, and the move with the highest sum is played. So a move is less likely the
//! worse it is, and a move that is worse than the best by more than the margin is never played.

use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;

use super::limits::Limits;
use super::report::Report;
use super::root::legal_moves;
use crate::game::Game;
use crate::position::Move;
use crate::score::{Score, ScoreKind};

/// How strong to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Skill {
    level: u32,
}

/// The number of levels from one measured strength to the next.
const STEP: u32 = 3;
/// The measured strength of these levels, in Elo above random play; other levels are interpolated.
const RATINGS: [u32; (Skill::FULL.level / STEP + 1) as usize] =
    [1120, 1280, 1450, 1610, 1800, 1950, 2100, 2280, 2410, 2520, 2530];

/// From this level on no move is overlooked and the best move found is played.
const FAULTLESS: u32 = 27;
/// The probability of overlooking a move for each level below [`FAULTLESS`], in the placing phase and afterwards.
const BLINDNESS: [f64; 2] = [0.0075, 0.025];
/// The greatest probability of overlooking a move.
const MOST_BLINDNESS: f64 = 0.45;
/// How many of the best moves are candidates.
const CANDIDATES: usize = 8;

impl Skill {
    /// Full strength.
    pub const FULL: Self = Self { level: 30 };
    /// The default strength.
    pub const USUAL: Self = Self { level: 10 };

    /// The strength of a level, 0 to 30; greater levels are full strength.
    pub const fn of_level(level: u32) -> Self {
        if level < Self::FULL.level { Self { level } } else { Self::FULL }
    }

    /// The level whose [`rating`](Self::rating) is nearest to the given one.
    pub fn of_rating(rating: u32) -> Self {
        let levels = 0..=Self::FULL.level;
        let distance = |level: &u32| Self::of_level(*level).rating().abs_diff(rating);
        levels.min_by_key(distance).map_or(Self::FULL, Self::of_level)
    }

    /// The strength in Elo above random play.
    pub fn rating(self) -> u32 {
        let below = (self.level / STEP) as usize;
        let low = RATINGS[below];
        let high = RATINGS.get(below + 1).unwrap_or(&low);
        low + (high - low) * (self.level % STEP) / STEP
    }

    /// The ratings of the weakest and the strongest level.
    pub const fn ratings() -> (u32, u32) {
        (RATINGS[0], RATINGS[RATINGS.len() - 1])
    }

    /// The level, 0 to 30.
    pub const fn level(self) -> u32 {
        self.level
    }

    /// Whether this is full strength.
    pub fn is_full(self) -> bool {
        self == Self::FULL
    }

    /// The limits of a search at this level, without the moves that it overlooks.
    pub(super) fn limited(
        self,
        game: &Game,
        limits: &Limits,
        random: &mut Xoshiro256PlusPlus,
    ) -> Limits {
        Limits {
            depth: limits.depth.min(self.depth()),
            nodes: Some(limits.nodes.map_or(self.nodes(), |nodes| nodes.min(self.nodes()))),
            search_moves: self.seen(game, legal_moves(game, limits), random),
            multi_pv: limits.multi_pv.max(self.candidates()),
            ..limits.clone()
        }
    }

    /// The moves that are not overlooked.
    fn seen(self, game: &Game, moves: Vec<Move>, random: &mut Xoshiro256PlusPlus) -> Vec<Move> {
        let position = game.position();
        let blindness = self.blindness(position.in_hand(position.to_move()) > 0);
        let removes = |mv: Move| mv.is_removal() || position.after(mv).pending() > 0;
        let is_seen = |mv: &&Move| !random.random_bool(blindness) || removes(**mv);
        let seen: Vec<Move> = moves.iter().filter(is_seen).copied().collect();
        if seen.is_empty() { moves } else { seen }
    }

    /// Chooses one of the candidates as the best move.
    pub(super) fn choose_with_mistakes(self, report: &mut Report, random: &mut Xoshiro256PlusPlus) {
        let mut highest = i32::MIN;
        for index in 0..report.lines.len().min(self.candidates()) {
            let bonus = random.random_range(0..=self.margin());
            let sum = hundredths(report.lines[index].score) + bonus;
            if sum > highest {
                highest = sum;
                report.lines[..=index].rotate_right(1);
            }
        }
    }

    /// The deepest iteration.
    fn depth(self) -> u32 {
        1 + self.level / 2
    }

    /// The most nodes, two fifths more for each level.
    fn nodes(self) -> u64 {
        (0..self.level).fold(1000, |nodes, _| nodes * 7 / 5)
    }

    /// The most moves to choose from.
    fn candidates(self) -> usize {
        if self.margin() > 0 { CANDIDATES } else { 1 }
    }

    /// How much worse than the best a move may be, in hundredths of a man and so of
    /// [log-odds](Score::MAN): 100 is 23 % of a point in an even game, and less in a decided one.
    fn margin(self) -> i32 {
        let missing = self.missing() as i32;
        missing * missing * 2 / 5
    }

    /// The probability that a move is overlooked.
    fn blindness(self, is_placing: bool) -> f64 {
        let blindness = BLINDNESS[usize::from(!is_placing)];
        (f64::from(self.missing()) * blindness).min(MOST_BLINDNESS)
    }

    /// The number of levels below [`FAULTLESS`].
    fn missing(self) -> u32 {
        FAULTLESS.saturating_sub(self.level)
    }
}

/// The bonus for each turn by which a win comes sooner, in hundredths of a man.
const TURN: i32 = 100;

/// The value, with wins and losses far from every estimate.
fn hundredths(score: Score) -> i32 {
    match score.kind() {
        ScoreKind::MateIn(turns) => i32::from(i16::MAX) - TURN * i32::from(turns),
        ScoreKind::MatedIn(turns) => TURN * i32::from(turns) - i32::from(i16::MAX),
        _ => score.hundredths().into(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::score::Bound;
    use crate::search::Variation;
    use rand::SeedableRng;

    #[test]
    fn ratings_rise_with_the_level_and_lead_back_to_it() {
        let levels: Vec<Skill> = (0..=Skill::FULL.level).map(Skill::of_level).collect();
        assert!(levels.is_sorted_by_key(|skill| skill.rating()));
        let (least, most) = Skill::ratings();
        assert_eq!((levels[0].rating(), Skill::FULL.rating()), (least, most));
        assert_eq!(Skill::of_rating(0), levels[0]);
        assert_eq!(Skill::of_rating(u32::MAX), Skill::FULL);
        for skill in levels {
            assert_eq!(Skill::of_rating(skill.rating()).rating(), skill.rating());
        }
        assert_eq!(Skill::of_level(99), Skill::FULL);
    }

    #[test]
    fn every_level_sees_more_and_errs_less() {
        let levels: Vec<Skill> = (0..Skill::FULL.level).map(Skill::of_level).collect();
        for pair in levels.windows(2) {
            assert!(pair[0].depth() <= pair[1].depth() && pair[0].nodes() < pair[1].nodes());
            assert!(pair[0].margin() >= pair[1].margin());
            for is_placing in [false, true] {
                assert!(pair[0].blindness(is_placing) >= pair[1].blindness(is_placing));
            }
        }
    }

    #[test]
    fn moves_out_of_the_margin_are_not_played() {
        let variation = |value, mv: &str| Variation {
            score: Score::estimate(value),
            pv: vec![mv.parse().unwrap()],
            ..Variation::default()
        };
        for level in 0..Skill::FULL.level {
            let skill = Skill::of_level(level);
            let mut random = Xoshiro256PlusPlus::seed_from_u64(level.into());
            for _ in 0..200 {
                let bad = variation(50 - skill.margin() - 1, "b4");
                let lines = vec![variation(50, "d6"), variation(40, "f4"), bad];
                let mut report = Report { lines, ..Report::default() };
                skill.choose_with_mistakes(&mut report, &mut random);
                assert_ne!(report.best(), "b4".parse().ok());
                assert_eq!(report.lines.len(), 3);
            }
        }
    }

    #[test]
    fn a_move_that_is_given_keeps_its_own_score_and_bound() {
        let line = |value, bound, mv: &str| Variation {
            depth: 1,
            score: Score::estimate(value),
            bound,
            pv: vec![mv.parse().unwrap()],
        };
        let [best, second, third] = [Bound::Lower, Bound::Exact, Bound::Upper];
        let lines = vec![line(50, best, "d6"), line(49, second, "f4"), line(48, third, "b4")];
        let mut report =
            Report { lines: vec![lines[2].clone(), lines[0].clone()], ..Report::default() };
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        Skill::of_level(FAULTLESS).choose_with_mistakes(&mut report, &mut random);
        assert_eq!(
            report.best(),
            "b4".parse().ok(),
            "the best move, with a bound below another score"
        );
        let mut given = HashSet::new();
        for seed in 0..100 {
            let mut report = Report { lines: lines.clone(), ..Report::default() };
            let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
            Skill::of_level(0).choose_with_mistakes(&mut report, &mut random);
            given.insert(report.best());
            for line in &lines {
                assert_eq!(report.lines.iter().filter(|found| *found == line).count(), 1);
            }
        }
        assert_eq!(given.len(), 3, "each of them is given at times");
    }
}
