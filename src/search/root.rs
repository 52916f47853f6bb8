//! The root of the tree: the moves to choose from, a pass over them within a window, and iterative deepening.
//!
//! Each iteration orders the moves for the next one, and finds the value of the root in one or more
//! passes. The algorithm chooses their windows.
//!
//! Under MultiPV, each iteration finds the best move, then the best of the others, and so on: every
//! MultiPV line has the exact score that it would have alone, unless the search ends within an iteration.
//!
//! See: David Slate and Lawrence Atkin, "CHESS 4.5: The Northwestern University Chess Program",
//! 1977.

use std::cmp::Reverse;
use std::mem;

use super::engine::Algorithm;
use super::known_root::Class;
use super::limits::{Limits, TimeManager};
use super::node::bound;
use super::parameters::{
    ASPIRATION, ASPIRATION_GROWTH, FIRST_STEP, Features, LEAST_SHARED_DEPTH, LEAST_TABLE_DEPTH,
    LEAST_TEAM_DEPTH, REPORTING_DELAY, WIDEST_ASPIRATION,
};
use super::report::{Report, Variation};
use super::threads::Member;
use super::worker::{Found, Worker};
use crate::game::{Game, Outcome};
use crate::position::Move;
use crate::rules::Rules;
use crate::score::{Bound, Score, ScoreKind, Window};

/// The legal moves that the limits allow.
pub(super) fn legal_moves<R: Rules>(game: &Game<R>, limits: &Limits) -> Vec<Move> {
    let wanted = &limits.search_moves;
    let is_wanted = |mv: &Move| wanted.is_empty() || wanted.contains(mv);
    game.moves().into_iter().filter(is_wanted).collect()
}

/// The moves of the root, starting with the best one so far.
///
/// Under MultiPV, moves whose lines this iteration has found come first and are excluded, so that the search
/// finds the best of the rest.
#[derive(Clone, Debug)]
pub(super) struct RootMoves {
    pub(super) order: Vec<Move>,
    /// How many of the first moves are excluded.
    pub(super) excluded: usize,
    /// How many moves have been reported to the observer in this iteration.
    pub(super) reported: usize,
    /// Whether the list contains all legal moves.
    is_complete: bool,
    /// The score of the last move that became the best, from the pass in which it did.
    pub(super) leader: Option<Score>,
}

impl RootMoves {
    /// Keeps the moves in their given order.
    pub(super) fn new(moves: Vec<Move>, is_complete: bool) -> Self {
        Self { order: moves, excluded: 0, reported: 0, is_complete, leader: None }
    }

    /// The best move so far.
    pub(super) fn best(&self) -> Option<Move> {
        self.order.first().copied()
    }

    /// The best of the remaining moves so far.
    pub(super) fn best_remaining(&self) -> Option<Move> {
        self.order.get(self.excluded).copied()
    }

    /// Brings the moves `first` to the start of the list, in their order.
    pub(super) fn put_first(&mut self, first: impl DoubleEndedIterator<Item = Move>) {
        for mv in first.rev() {
            if let Some(index) = self.order.iter().position(|&other| other == mv) {
                self.order[..=index].rotate_right(1);
            }
        }
    }
}

impl<R: Rules, F: Features> Worker<'_, R, F> {
    /// Searches the moves of the root within a window, with all threads if there are several. The score
    /// obeys the contract of the node function. A move that turns out better becomes the first of the list.
    pub(super) fn team_pass(&mut self, moves: &mut RootMoves, window: Window, depth: u32) -> Found {
        let Some(member) = self.team.as_mut().filter(|_| depth >= LEAST_TEAM_DEPTH) else {
            return self.pass(moves, window, depth);
        };
        // The first thread to finish the pass supplies the result.
        member.start_pass(moves, window, depth);
        let own = self.pass(moves, window, depth);
        let other = self.team.as_mut().and_then(Member::end_pass);
        own.or_else(|stopped| {
            let (score, found) = other.ok_or(stopped)?;
            (moves.order, moves.leader) = (found.order, found.leader);
            Ok(score)
        })
    }

    /// Searches moves of the position within a window, with this thread alone.
    pub(super) fn pass(&mut self, moves: &mut RootMoves, window: Window, depth: u32) -> Found {
        let is_removal = self.position.pending() > 0;
        let depth_below = if is_removal { depth } else { depth.saturating_sub(1) };
        self.is_near_n_move_rule = !self.is_before_n_move_rule(&self.position, Score::DRAW, depth);
        let busy = self.busy().filter(|_| depth_below >= LEAST_SHARED_DEPTH);
        let key = self.position.key();
        let mut narrowed = window;
        let mut best = -Score::INFINITE;
        let mut rests_on = usize::MAX;
        let first = moves.excluded;
        for index in first..moves.order.len() {
            let is_idle = |&mv: &Move| busy.is_none_or(|busy| !busy.contains(key, mv));
            // Take the next move that no other thread is searching; if there is none, keep the order.
            if index > first
                && let Some(at) = moves.order[index..].iter().position(is_idle)
            {
                moves.order[index..=index + at].rotate_right(1);
            }
            let mv = moves.order[index];
            if index >= moves.reported && self.is_reporting() {
                moves.reported = index + 1;
                self.observer.current_move(depth, mv, index + 1);
            }
            let score = if index == first {
                self.child(mv, narrowed, depth_below)?
            } else {
                self.later_move(mv, narrowed, depth_below, 0)?
            };
            best = best.max(score);
            if score > narrowed.alpha {
                narrowed.alpha = score;
                moves.order[first..=index].rotate_right(1);
                if first == 0 {
                    moves.leader = Some(score);
                }
            }
            if score >= window.beta {
                rests_on = self.rests_on;
                break;
            }
            rests_on = rests_on.min(self.rests_on);
        }
        self.finish_node(rests_on);
        // The best of all legal moves gives the value of the position.
        let is_value = moves.is_complete && moves.excluded == 0;
        if F::ON.uses_table() && depth >= LEAST_TABLE_DEPTH && is_value {
            let key = self.table_key(&self.position);
            self.store(key, moves.best(), best, depth, bound(best, window));
        }
        Ok(best)
    }

    /// Whether the search has lasted long enough for each step to be reported.
    pub(super) fn is_reporting(&self) -> bool {
        self.root.limits.clock.elapsed() >= REPORTING_DELAY
    }

    /// Iterative deepening until a limit is reached.
    ///
    /// An aborted iteration still counts: it searches the best move of the previous one first, so
    /// another move takes its place only if it is better. The lines that it has not found again are bounded by
    /// those that it has.
    pub(super) fn deepen(&mut self, mut moves: RootMoves) -> Report {
        let limits = self.root.limits;
        self.own.tablebase_hits = self.root.known.map_or(0, |known| known.moves().len() as u64);
        let (mut variations, mut found) = (Vec::new(), Vec::new());
        let mut history = vec![Vec::new(); limits.multi_pv.clamp(1, moves.order.len())];
        let mut reached = 0;
        let mut time = TimeManager::new(self.position.pending() > 0);
        for depth in 1..=limits.depth {
            self.may_end = depth > limits.least_depth;
            if self.iterate(&mut moves, &history, depth, &mut found).is_err() {
                break;
            }
            let report = self.report(depth, self.root.with_known_lines(&found));
            let rated = self.rated(report.clone());
            self.observer.progress(&rated);
            reached = depth;
            variations = mem::take(&mut found);
            for (past_scores, variation) in history.iter_mut().zip(&variations) {
                past_scores.push(variation.score);
            }
            time.finish_iteration(moves.best(), variations[0].score, limits.clock.elapsed());
            if self.is_enough(&report.lines, moves.order.len(), depth, &time) {
                break;
            }
        }
        let lines = self.put_first(found, variations, &moves, reached + 1);
        self.report(reached, self.root.with_known_lines(&lines))
    }

    /// One iteration: finds the MultiPV lines, best first. `history` has the scores of earlier iterations by rank.
    fn iterate(
        &mut self,
        moves: &mut RootMoves,
        history: &[Vec<Score>],
        depth: u32,
        variations: &mut Vec<Variation>,
    ) -> Found<()> {
        moves.leader = None;
        for (rank, past_scores) in history.iter().enumerate() {
            (moves.excluded, moves.reported) = (rank, rank);
            let guess = first_guess(past_scores);
            let exact = |score| (score, Bound::Exact);
            let (score, bound) = match self.root.algorithm {
                Algorithm::AlphaBeta => self.search_root(moves, Window::FULL, depth).map(exact),
                Algorithm::PrincipalVariation => self.aspiration(moves, guess, depth).map(exact),
                _ => self.mtdf(moves, guess.unwrap_or_default(), depth),
            }?;
            let pv = self.pv(moves.best_remaining(), score, depth);
            variations.push(Variation { depth, score, bound, pv });
        }
        variations.sort_by_key(|variation| Reverse(variation.score));
        moves.put_first(variations.iter().filter_map(|line| line.pv.first().copied()));
        Ok(())
    }

    /// Puts the lines that an aborted iteration has found before those of the last one, which have at most their
    /// scores.
    ///
    /// If not even the first line was found, a move that became the best has the score that made it the best, a lower
    /// bound, and the pv from the transposition table; a move that was not searched has the static evaluation, unless
    /// it ends the game.
    ///
    /// * `depth`: the depth of the aborted iteration.
    fn put_first(
        &mut self,
        mut found: Vec<Variation>,
        lines: Vec<Variation>,
        moves: &RootMoves,
        depth: u32,
    ) -> Vec<Variation> {
        let first = |line: &Variation| line.pv.first().copied();
        found.sort_by_key(|line| Reverse(line.score));
        let most = found.last().map(|line| line.score);
        if found.is_empty() && lines.first().and_then(first) != moves.best() {
            let (estimate, draw) = (self.estimate(), self.score_of_draw());
            let value = |mv| ending(self.root.game, mv, draw).unwrap_or(estimate);
            let (depth, score, bound) = match moves.leader {
                Some(score) => (depth, score, Bound::Lower),
                None => (0, moves.best().map(value).unwrap_or_default(), Bound::Exact),
            };
            found.push(Variation { depth, score, bound, pv: self.stored_pv(moves.best(), None) });
        }
        let count = found.len().max(lines.len());
        for mut line in lines {
            if let Some(most) = most.filter(|&most| line.score > most) {
                line = Variation { depth, score: most, bound: Bound::Upper, ..line };
            }
            if found.iter().all(|other| first(other) != first(&line)) {
                found.push(line);
            }
        }
        found.truncate(count);
        found
    }

    /// Whether another iteration would be too late or could not change the result.
    fn is_enough(&self, lines: &[Variation], moves: usize, depth: u32, time: &TimeManager) -> bool {
        let limits = self.root.limits;
        // The requested mate has been found, or there is none.
        let Variation { score, bound, .. } = lines[0];
        let is_seen_mate =
            |line: &Variation| line.score.turns().is_some_and(|turns| u32::from(turns) <= depth);
        let is_mated = score < Score::DRAW && bound != Bound::Lower && is_seen_mate(&lines[0]);
        let is_no_mate =
            is_mated || self.root.known.is_some_and(|known| known.class() < Class::Cursed);
        let turns = score.turns().filter(|_| score > Score::DRAW).map(Score::turns_of_winner);
        let is_found = |wanted| turns.is_some_and(|turns| u32::from(turns) <= wanted);
        let is_answered = limits.mate.is_some_and(|wanted| is_no_mate || is_found(wanted));
        // On a clock, the move is forced, or all lines are mates that a deeper search cannot shorten.
        let is_forced = moves == 1 && self.root.lines.is_empty() && !limits.scores_all;
        let is_settled = limits.clock.is_timed() && (is_forced || lines.iter().all(is_seen_mate));
        // The time for this move is used up.
        let is_up = depth >= limits.least_depth && time.should_end(&limits.clock);
        is_answered || is_settled || is_up
    }

    /// Aspiration windows: a window around the guess, widened on the side where the search fails.
    ///
    /// See: Gérard Baudet, "The Design and Analysis of Algorithms for Asynchronous
    /// Multiprocessors", 1978.
    fn aspiration(&mut self, moves: &mut RootMoves, guess: Option<Score>, depth: u32) -> Found {
        let Some(ScoreKind::Estimate(guess)) = guess.map(Score::kind) else {
            return self.search_root(moves, Window::FULL, depth);
        };
        let [mut below, mut above] = [ASPIRATION; 2];
        loop {
            let alpha = edge(guess, -below).unwrap_or(Window::FULL.alpha);
            let beta = edge(guess, above).unwrap_or(Window::FULL.beta);
            let score = self.search_root(moves, Window { alpha, beta }, depth)?;
            if score <= alpha {
                below *= ASPIRATION_GROWTH;
            } else if score >= beta {
                above *= ASPIRATION_GROWTH;
            } else {
                return Ok(score);
            }
        }
    }

    /// MTD(f): null windows close in on the value from a first guess.
    ///
    /// Each pass tells whether the value is at least `beta`, and its score becomes a bound on the
    /// value. The transposition table makes passes over the same tree cheap. While only one bound is
    /// known, `beta` moves beyond it in growing steps; between two bounds, it halves their distance.
    ///
    /// Pruning and reductions depend on the window, so passes may contradict each other. The best
    /// move comes from the last pass that failed high; its score is then a lower bound.
    ///
    /// See: Aske Plaat, Jonathan Schaeffer, Wim Pijls and Arie de Bruin, "Best-First Fixed-Depth
    /// Minimax Algorithms", 1996.
    fn mtdf(&mut self, moves: &mut RootMoves, guess: Score, depth: u32) -> Found<(Score, Bound)> {
        let Window { alpha: mut lower, beta: mut upper } = Window::FULL;
        let mut beta = guess;
        let mut step = FIRST_STEP;
        while lower < upper {
            let value = self.search_root(moves, Window::null(beta), depth)?;
            if value < beta {
                upper = value;
            } else {
                lower = value;
            }
            beta = next_beta(lower, upper, step);
            step = step.saturating_mul(2);
        }
        Ok((lower, if lower == upper { Bound::Exact } else { Bound::Lower }))
    }

    /// Searches the root within a window, and reports a bound on the value.
    fn search_root(&mut self, moves: &mut RootMoves, window: Window, depth: u32) -> Found {
        let score = self.team_pass(moves, window, depth)?;
        let bound = bound(score, window);
        if bound != Bound::Exact && self.is_reporting() {
            let pv = self.stored_pv(moves.best_remaining(), None);
            let report = self.report(depth, vec![Variation { depth, score, bound, pv }]);
            let rated = self.rated(report);
            self.observer.bound(&rated, moves.excluded + 1);
        }
        Ok(score)
    }
}

/// The value of a move that ends the game.
///
/// * `draw`: the value of a draw.
pub(super) fn ending<R: Rules>(game: &Game<R>, mv: Move, draw: Score) -> Option<Score> {
    let (side, mut after) = (game.to_move(), game.clone());
    after.play(mv).ok()?;
    let turns = after.position().turns_over(side);
    Some(match after.outcome()? {
        Outcome::Win { winner, .. } if winner == side => Score::mate_in(turns),
        Outcome::Win { .. } => Score::mated_in(turns),
        Outcome::Draw(_) => draw,
    })
}

/// The first guess at the next value: the value two iterations ago, when the same side had the last
/// move, or else the last value.
///
/// See: Aske Plaat, "MTD(f): A Minimax Algorithm Faster than `NegaScout`", 1997, on odd and even
/// depths.
fn first_guess(past_scores: &[Score]) -> Option<Score> {
    past_scores.iter().rev().nth(1).or(past_scores.last()).copied()
}

/// The `beta` of the next pass of MTD(f): above `lower` and at most `upper`.
fn next_beta(lower: Score, upper: Score, step: i32) -> Score {
    let [low, high] = [lower, upper].map(|limit| i32::from(limit.hundredths()));
    let goal = match Window::FULL {
        Window { alpha, .. } if lower == alpha => high.saturating_sub(step),
        Window { beta, .. } if upper == beta => low.saturating_add(step),
        _ => (low + high + 1) / 2,
    };
    Score::estimate(goal).min(upper).max(lower.next())
}

/// The end of an aspiration window at a distance from the guess, unless the window is open there.
fn edge(guess: i16, distance: i32) -> Option<Score> {
    (distance.abs() <= WIDEST_ASPIRATION).then(|| Score::estimate(i32::from(guess) + distance))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{DrawRules, RuleSet};
    use crate::search::{Engine, Silent};

    #[test]
    fn a_move_that_ends_the_game_has_its_result_before_it_is_searched() {
        let limits = Limits { nodes: Some(0), ..Limits::none() };
        for (text, score) in [
            ("@**@****/O*@*@@@O/**OOO**@ w m s 5 0 7 0 0 0 0 0 0 0 0 99 60", Score::DRAW),
            ("********/@@@*****/OOO***** w m r 3 0 3 0 1 0 0 0 0 0 0 0 60", Score::mate_in(1)),
        ] {
            let game = Game::from_text(text, RuleSet::default(), DrawRules::default()).unwrap();
            let report = Engine::new(1).unwrap().search(&game, &limits, &mut Silent);
            assert_eq!((report.depth, report.score()), (0, score));
        }
    }

    #[test]
    fn the_guess_comes_from_two_iterations_before() {
        let values = [10, 90, 20].map(Score::estimate);
        assert_eq!(first_guess(&values), Some(values[1]));
        assert_eq!(first_guess(&values[..2]), Some(values[0]));
        assert_eq!(first_guess(&values[..1]), Some(values[0]));
        assert_eq!(first_guess(&[]), None);
    }

    #[test]
    fn each_pass_asks_for_something_new() {
        let (low, high) = (Window::FULL.alpha, Window::FULL.beta);
        let [ten, fifty] = [10, 50].map(Score::estimate);
        assert_eq!(next_beta(low, ten, 8), Score::estimate(2));
        assert_eq!(next_beta(ten, high, 8), Score::estimate(18));
        assert_eq!(next_beta(ten, fifty, 8), Score::estimate(30));
        assert_eq!(next_beta(ten, ten.next(), 8), ten.next());
        assert_eq!(next_beta(low, Score::mated_in(4), 8), Score::mated_in(4));
        assert_eq!(next_beta(Score::mate_in(4), high, 8), Score::mate_in(3));
    }

    #[test]
    fn an_aspiration_window_opens_when_it_is_wide() {
        assert_eq!(edge(-70, 30), Some(Score::estimate(-40)));
        assert_eq!(edge(-70, -WIDEST_ASPIRATION - 1), None);
    }
}
