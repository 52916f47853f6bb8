//! Learned positions, each a canonical position with a search result; collections of them; and the rules by
//! which a search result is worth learning.
//!
//! The 16 images of a position under the symmetries of the board have the same value, so one of them, the
//! canonical position, represents them all. Move counters are left out.
//!
//! A result is worth learning if it is a mate, or if its score differs from the score of the previous
//! search of the game: there was a threat or a chance beyond the horizon of that search.
//!
//! Scores that depend on repetition or the n-move rule are not learned. A mate is valid whatever moves
//! came before, since they can only turn it into a draw; but they may have done that to a sooner one, so
//! after slides it is learned as a bound. An estimate counts only right after a placement or removal, when
//! no earlier position can recur, and only under the usual draw rules.
//!
//! `protocol/learning.rs` decides which searches of a session count at all.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::mem;
use std::sync::LazyLock;

use crate::Error;
use crate::board::{Side, Symmetry};
use crate::position::{Move, Position};
use crate::rules::{DrawRules, Extras, Identity, PRESETS, Preset, RuleSet, Rules};
use crate::score::{Bound, Score};

/// A position and a search result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LearnedPosition {
    /// The position.
    pub position: CanonicalPosition,
    /// The result, with the best move of the canonical position.
    pub result: SearchResult,
}

/// A position of a game that represents all symmetric ones.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CanonicalPosition {
    /// The game.
    pub game: Identity,
    /// The position text with initial counters.
    pub text: String,
}

/// A search result for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchResult {
    /// An estimate, or a mate counted from the position.
    pub score: Score,
    /// How the score relates to the value.
    pub bound: Bound,
    /// The depth of the search in placements and slides, 1 to 255.
    pub depth: u8,
    /// The best move, if there is one.
    pub best: Option<Move>,
}

impl LearnedPosition {
    /// The learned position for a result; the best move of `result` is a move in `position`.
    pub fn new<R: Rules>(position: &Position<R>, result: SearchResult) -> Self {
        let bound = result.bound_after(position.quiet_plies());
        let (position, symmetry) = CanonicalPosition::of(position);
        let best = result.best.map(|mv| mv.image(symmetry));
        Self { position, result: SearchResult { bound, best, ..result } }
    }
}

impl SearchResult {
    /// How the score relates to the value without the moves before: an exact mate becomes a bound if there were slides.
    fn bound_after(self, slides: u16) -> Bound {
        let is_bound = self.score.is_mate() && self.bound == Bound::Exact && slides > 0;
        if is_bound { self.bound_on_mate() } else { self.bound }
    }

    /// The bound on a mate that may come sooner.
    fn bound_on_mate(self) -> Bound {
        if self.score > Score::DRAW { Bound::Lower } else { Bound::Upper }
    }

    /// The priority in pruning: mates before estimates, then results that take longer to find again, then
    /// estimates far from zero.
    pub fn usefulness(&self) -> (bool, u16, u16) {
        match self.score.turns() {
            Some(turns) => (true, turns, self.depth.into()),
            None => (false, self.depth.into(), self.score.hundredths().unsigned_abs()),
        }
    }
}

impl CanonicalPosition {
    /// The canonical position of a position, and the symmetry that maps to it. It is the image with the smallest
    /// sets of men, White's compared first. If the position has more state than men, the text decides between
    /// images with the same men.
    pub fn of<R: Rules>(position: &Position<R>) -> (Self, Symmetry) {
        let is_plain = *position.extras() == Extras::NONE;
        let order = |symmetry: &Symmetry| {
            let men = Side::ALL.map(|side| symmetry.set(position.men(side)).bits());
            let text = if is_plain { String::new() } else { position.image(*symmetry).to_string() };
            (men, text)
        };
        let symmetry = Symmetry::all().min_by_key(order).unwrap_or(Symmetry::IDENTITY);
        let text = position.image(symmetry).without_counters().to_string();
        (Self { game: position.rules().identity(), text }, symmetry)
    }

    /// The keys of all positions that this one represents, without duplicates, and the symmetries that map to
    /// them.
    ///
    /// # Errors
    ///
    /// If the text is not a position of the rules.
    pub fn images(&self, rules: &RuleSet) -> Result<Vec<(u64, Symmetry)>, Error> {
        let position = Position::from_text(&self.text, *rules)?;
        let image = |symmetry| (position.image(symmetry).key(), symmetry);
        let mut images: Vec<_> = Symmetry::all().map(image).collect();
        images.sort_by_key(|&(key, _)| key);
        images.dedup_by_key(|&mut (key, _)| key);
        Ok(images)
    }
}

/// The preset with an identity; `None` for rules without a name.
pub fn preset_of(game: Identity) -> Option<&'static Preset> {
    static GAMES: LazyLock<[Identity; PRESETS.len()]> =
        LazyLock::new(|| PRESETS.map(|preset| preset.rules.identity()));
    GAMES.iter().position(|identity| *identity == game).map(|index| &PRESETS[index])
}

/// Learned positions of any games, with one result each, in the order of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LearnedPositions(BTreeMap<CanonicalPosition, SearchResult>);

impl LearnedPositions {
    /// The maximum number of positions in a file.
    pub const MAX: usize = 50_000;

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no positions.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The result for a position.
    pub fn get(&self, position: &CanonicalPosition) -> Option<&SearchResult> {
        self.0.get(position)
    }

    /// All learned positions, sorted by game and position text.
    pub fn iter(&self) -> impl Iterator<Item = LearnedPosition> {
        self.0.iter().map(|(at, &result)| LearnedPosition { position: at.clone(), result })
    }

    /// The games of the positions, in ascending order.
    pub fn games(&self) -> Vec<Identity> {
        let mut games: Vec<Identity> = self.0.keys().map(|position| position.game).collect();
        games.dedup();
        games
    }

    /// Adds a learned position, unless there is an equal or better result. Returns whether it was added.
    ///
    /// A mate beats an estimate, then the greater depth wins, then an exact score beats a bound. This is a total
    /// order, so results may be merged in any order.
    pub fn insert(&mut self, learned: LearnedPosition) -> bool {
        let LearnedPosition { position, result } = learned;
        let rank = |result: &SearchResult| {
            let SearchResult { score, bound, depth, best } = *result;
            (score.is_mate(), depth, bound as u8, score, best.map(Move::bits))
        };
        let is_better = self.0.get(&position).is_none_or(|known| rank(&result) > rank(known));
        if is_better {
            self.0.insert(position, result);
        }
        is_better
    }

    /// Removes the least useful positions until at most `keep` are left.
    pub fn prune(&mut self, keep: usize) {
        if self.len() > keep {
            let mut positions: Vec<_> = mem::take(&mut self.0).into_iter().collect();
            positions.sort_by_key(|(_, result)| Reverse(result.usefulness()));
            self.0.extend(positions.into_iter().take(keep));
        }
    }
}

impl Extend<LearnedPosition> for LearnedPositions {
    fn extend<I: IntoIterator<Item = LearnedPosition>>(&mut self, positions: I) {
        for learned in positions {
            self.insert(learned);
        }
    }
}

impl FromIterator<LearnedPosition> for LearnedPositions {
    fn from_iter<I: IntoIterator<Item = LearnedPosition>>(positions: I) -> Self {
        let mut all = Self::default();
        all.extend(positions);
        all
    }
}

/// A score that differs by more than this from the expected score is a surprise, in hundredths of a man.
const SURPRISE: u16 = 50;
/// The minimum depth of results that are worth learning, except for surprising mates.
const MIN_REQUIRED_DEPTH: u16 = 3;

/// Follows a game and remembers the scores of its searches.
#[derive(Clone, Debug, Default)]
pub struct Learner {
    start: String,
    moves: Vec<Move>,
    /// The number of moves before each search, the side to move and its score.
    scores: Vec<(usize, Side, Score)>,
}

impl Learner {
    /// Sets the game. Returns whether it continues the previous one.
    ///
    /// * `start`: the position text of the start, or any other text that identifies it.
    pub fn follow(&mut self, start: &str, moves: &[Move]) -> bool {
        let is_same_start = self.start == start;
        let common = self.moves.iter().zip(moves).take_while(|(a, b)| a == b).count();
        self.scores.retain(|(count, ..)| is_same_start && *count <= common);
        let continues = is_same_start && common == self.moves.len();
        start.clone_into(&mut self.start);
        self.moves = moves.to_vec();
        continues
    }

    /// The score of the last search of the game, from a side's point of view.
    pub fn expected(&self, side: Side) -> Option<Score> {
        let &(_, mover, score) = self.scores.last()?;
        Some(if mover == side { score } else { -score })
    }

    /// Remembers the score of a search of the current position, for the side to move.
    pub fn remember(&mut self, side: Side, score: Score) {
        self.scores.push((self.moves.len(), side, score));
    }
}

/// Whether the result of a full search is worth learning.
///
/// * `draws`: the draw rules of the search.
/// * `expected`: the scores of earlier searches.
pub fn is_worth_learning<R: Rules>(
    position: &Position<R>,
    result: &SearchResult,
    draws: DrawRules,
    expected: impl IntoIterator<Item = Score>,
) -> bool {
    let score = result.score;
    let differs = |expected: Score| score.hundredths().abs_diff(expected.hundredths()) > SURPRISE;
    let is_surprise = expected.into_iter().any(differs);
    // The minimum depth at which a search finds the result again.
    let required_depth = score.turns().unwrap_or(u16::MAX).min(result.depth.into());
    let is_deep = required_depth >= MIN_REQUIRED_DEPTH;
    let slides = position.quiet_plies();
    if score.is_mate() {
        let is_certain = slides == 0 || result.bound_after(slides) == result.bound_on_mate();
        (is_deep || is_surprise) && is_certain
    } else {
        let is_certain = slides == 0 && draws == DrawRules::default();
        score.is_estimate() && is_deep && is_surprise && is_certain
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand::rngs::Xoshiro256PlusPlus;
    use rand::seq::IndexedRandom;

    use super::*;
    use crate::rules::Standard;
    use crate::score::Bound;

    #[test]
    fn symmetric_positions_of_every_game_have_one_canonical_position() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(6);
        for preset in &PRESETS {
            let mut position = Position::start(preset.rules);
            for _ in 0..60 {
                let Some(&mv) = position.moves().choose(&mut random) else { break };
                position = position.after(mv);
                let (canonical, symmetry) = CanonicalPosition::of(&position);
                for symmetry in Symmetry::all() {
                    assert_eq!(CanonicalPosition::of(&position.image(symmetry)).0, canonical);
                }
                let Some(&best) = position.moves().first() else { continue };
                let best = best.image(symmetry);
                let images = canonical.images(&preset.rules).unwrap();
                let own = images.iter().filter(|(key, _)| *key == position.key());
                let own: Vec<Move> = own.map(|&(_, symmetry)| best.image(symmetry)).collect();
                assert!(own.len() == 1 && position.is_legal(own[0]), "{canonical:?}");
            }
        }
    }

    #[test]
    fn counters_do_not_matter() {
        let read = |text: &str| {
            CanonicalPosition::of(&Position::from_text(text, RuleSet::default()).unwrap())
        };
        let text = "@**O****/*O**@***/O***@*@O b m s 4 0 4 0 0 0 0 0 0 0 0 9 14";
        let (canonical, symmetry) = read(text);
        assert_eq!(read(&text.replace("9 14", "0 3")), (canonical.clone(), symmetry));
        assert_eq!(read(&canonical.text), (canonical, Symmetry::IDENTITY));
    }

    /// The learned position after a placement.
    fn learned(mv: &str, depth: u8, score: Score) -> LearnedPosition {
        let mut position = Position::start(Standard);
        position = position.after(mv.parse().unwrap());
        LearnedPosition::new(
            &position,
            SearchResult { score, bound: Bound::Exact, depth, best: None },
        )
    }

    #[test]
    fn mates_beat_estimates_and_deeper_beats_shallower_in_any_order() {
        let from_worst = [
            learned("d6", 9, Score::estimate(20)),
            learned("f4", 9, Score::estimate(30)),
            learned("b4", 10, Score::estimate(-5)),
            learned("d2", 5, Score::mated_in(5)),
            learned("d6", 8, Score::mated_in(7)),
        ];
        for (at, worse) in from_worst.iter().enumerate() {
            for better in &from_worst[at + 1..] {
                for pair in [[worse, better], [better, worse]] {
                    let positions: LearnedPositions = pair.into_iter().cloned().collect();
                    assert_eq!(positions.len(), 1, "all are symmetric");
                    assert_eq!(positions.get(&better.position), Some(&better.result));
                }
            }
        }
    }

    #[test]
    fn the_least_useful_positions_go_first() {
        let from_best = [
            learned("d6", 14, Score::mate_in(13)),
            learned("d7", 14, Score::mated_in(5)),
            learned("f6", 12, Score::estimate(-300)),
            learned("g7", 12, Score::estimate(80)),
        ];
        for keep in 0..=from_best.len() {
            let mut positions: LearnedPositions = from_best.iter().cloned().collect();
            positions.prune(keep);
            assert_eq!(positions, from_best[..keep].iter().cloned().collect());
        }
    }

    fn moves(text: &str) -> Vec<Move> {
        text.split_whitespace().map(|mv| mv.parse().unwrap()).collect()
    }

    #[test]
    fn the_last_search_of_the_game_gives_the_expected_score() {
        let mut learner = Learner::default();
        learner.follow("start", &moves("d6"));
        assert_eq!(learner.expected(Side::Black), None);
        learner.remember(Side::Black, Score::estimate(30));
        assert!(learner.follow("start", &moves("d6 f4 b4")));
        assert_eq!(learner.expected(Side::Black), Some(Score::estimate(30)));
        learner.remember(Side::Black, Score::estimate(90));
        assert_eq!(learner.expected(Side::White), Some(Score::estimate(-90)));
        assert!(!learner.follow("start", &moves("d6 f4 d2")), "another game from here");
        assert_eq!(learner.expected(Side::Black), Some(Score::estimate(30)));
        assert!(!learner.follow("other", &moves("d6 f4 d2")));
        assert_eq!(learner.expected(Side::Black), None);
    }

    /// A position after some slides.
    fn position(slides: u16) -> Position<Standard> {
        let text = format!("@**O****/*O**@***/O***@*@O w m s 4 0 4 0 0 0 0 0 0 0 0 {slides} 10");
        Position::from_text(&text, Standard).unwrap()
    }

    /// A sooner mate may have been a draw.
    #[test]
    fn mates_after_slides_are_bounds() {
        for (score, bound) in
            [(Score::mate_in(7), Bound::Lower), (Score::mated_in(8), Bound::Upper)]
        {
            let result = SearchResult { score, bound: Bound::Exact, depth: 9, best: None };
            let learned = |slides| LearnedPosition::new(&position(slides), result).result.bound;
            assert_eq!([learned(0), learned(4)], [Bound::Exact, bound]);
            let is_worth = |slides, bound| {
                let result = SearchResult { bound, ..result };
                is_worth_learning(&position(slides), &result, DrawRules::default(), None)
            };
            assert!(is_worth(4, bound) && is_worth(0, -bound) && !is_worth(4, -bound));
        }
    }

    #[test]
    fn only_mates_and_surprises_are_worth_learning() {
        let is_worth = |score, depth, half, expected: Option<i32>| {
            let result = SearchResult { score, bound: Bound::Exact, depth, best: None };
            let expected = expected.map(Score::estimate);
            is_worth_learning(&position(half), &result, DrawRules::default(), expected)
        };
        let estimate = Score::estimate;
        assert!(is_worth(estimate(-80), 9, 0, Some(20)));
        assert!(!is_worth(estimate(-30), 9, 0, Some(20)), "as expected, nearly");
        assert!(!is_worth(estimate(-80), 9, 0, None), "nothing was expected");
        assert!(!is_worth(estimate(-80), 9, 4, Some(20)), "the slides before may matter");
        assert!(!is_worth(estimate(-80), 2, 0, Some(20)), "found again at once");
        assert!(is_worth(Score::mated_in(8), 9, 4, None));
        assert!(!is_worth(Score::mate_in(2), 20, 0, None), "found again at once");
        assert!(is_worth(Score::mated_in(2), 2, 4, Some(-80)), "nobody saw it coming");
        assert!(!is_worth(Score::TABLEBASE_WIN, 9, 0, Some(0)), "the tablebase knows it");
        let score = estimate(-80);
        let result = SearchResult { score, bound: Bound::Exact, depth: 9, best: None };
        let soon = DrawRules { n_move: 20, ..DrawRules::default() };
        let is_worth = is_worth_learning(&position(0), &result, soon, [estimate(20)]);
        assert!(!is_worth, "the draws to come may matter");
    }
}
