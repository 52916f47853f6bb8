//! The reports of a search, their observer, and the principal variation: best play for both sides.

use std::mem;

use super::known_root::{Class, KnownRoot};
use super::parameters::{Features, LEAST_TABLE_DEPTH, PV_NODES, PV_NODES_SHARE};
use super::root::RootMoves;
use super::worker::{Worker, path_to};
use crate::game::{Game, Outcome};
use crate::position::Move;
use crate::rules::Rules;
use crate::score::{Bound, Score, Window};

/// Receives the reports of a search.
pub trait Observer {
    /// Receives what the tablebase knows about the root moves, before they are searched.
    fn known_root(&mut self, _known: &KnownRoot) {}

    /// Receives the state of the search with the MultiPV lines of a finished iteration, best first. A known root may
    /// add lines to those of the last iteration.
    fn progress(&mut self, _report: &Report) {}

    /// Receives a bound on the value of the MultiPV line of a rank, from 1, within an iteration, once the search has
    /// lasted for a second. The report has only that line.
    fn bound(&mut self, _report: &Report, _rank: usize) {}

    /// Receives the root move that is searched next and its number in search order, from 1, once
    /// the search has lasted for a second.
    fn current_move(&mut self, _depth: u32, _mv: Move, _number: usize) {}

    /// Whether to stop the search; called every thousand nodes or more often. `nodes` is about the number of nodes
    /// visited so far: 0 while the tablebase is read outside the tree, and simulations in Monte-Carlo tree search.
    fn should_stop(&mut self, nodes: u64) -> bool;
}

/// Ignores all reports and never stops a search.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {
    fn should_stop(&mut self, _nodes: u64) -> bool {
        false
    }
}

/// Ignores all reports; the function receives the nodes and returns whether to stop the search.
impl<F: FnMut(u64) -> bool> Observer for F {
    fn should_stop(&mut self, nodes: u64) -> bool {
        self(nodes)
    }
}

/// A MultiPV line: a root move, its score and the play that follows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variation {
    /// The depth of the iteration that found it; 0 if none did.
    pub depth: u32,
    /// The value for the side to move.
    pub score: Score,
    /// How the score relates to the value.
    pub bound: Bound,
    /// The principal variation, which begins with the move and may be incomplete.
    pub pv: Vec<Move>,
}

/// The result of a search, or its state after an iteration or within it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The depth of the last finished iteration, in placements and slides; 0 if none was finished.
    pub depth: u32,
    /// The length of the longest line searched, in plies; at least the depth and the length of each of the `lines`.
    pub selective_depth: u32,
    /// The MultiPV lines, best first; empty only if there is no move.
    ///
    /// The score of a move that became the best in an aborted iteration, or in passes that
    /// contradict each other, is a lower bound; that of a line that an aborted iteration has not found again may be an
    /// upper bound.
    pub lines: Vec<Variation>,
    /// Positions visited by all threads.
    pub nodes: u64,
    /// Positions found in the tablebase, including those after known root moves.
    pub tablebase_hits: u64,
    /// The use of the transposition table, in thousandths.
    pub table_use: u32,
    /// What the tablebase knows about the root moves, if it has them all and the search is over.
    pub known: Option<KnownRoot>,
}

impl Report {
    /// The report with a selective depth of at least `ply`, its depth, and the depths and lengths of its lines.
    pub(crate) fn reaching(self, ply: u32) -> Self {
        let reached = self.lines.iter().map(|line| line.depth.max(line.pv.len() as u32));
        let least = ply.max(self.depth).max(self.selective_depth);
        Self { selective_depth: reached.fold(least, u32::max), ..self }
    }

    /// The move to play.
    pub fn best(&self) -> Option<Move> {
        self.pv().first().copied()
    }

    /// The value of the best line for the side to move.
    pub fn score(&self) -> Score {
        self.lines.first().map(|line| line.score).unwrap_or_default()
    }

    /// The principal variation, which may be incomplete.
    pub fn pv(&self) -> &[Move] {
        self.lines.first().map_or(&[], |line| &line.pv)
    }

    /// The reply expected from the opponent, unless the same side plays on, as after a mill.
    pub fn ponder(&self, game: &Game) -> Option<Move> {
        let side = game.to_move();
        let after = game.position().after(self.best()?);
        self.pv().get(1).copied().filter(|_| !after.plays_on(side))
    }
}

impl<R: Rules, F: Features> Worker<'_, R, F> {
    /// The pv of a root move that has a score at a depth, up to a repetition. The pv of a mate goes to the end of the
    /// game, if finding it takes few nodes; a pv that reaches a position decided by the tablebase goes on with its
    /// moves.
    pub(super) fn pv(&mut self, first: Option<Move>, score: Score, depth: u32) -> Vec<Move> {
        let mut pv = self.stored_pv(first, Some(depth));
        if let Some(turns) = score.turns() {
            return self.play_out_mate(pv, score, turns);
        }
        // Under the draw rules, the score of a cursed win does not mean the end that the tablebase shows.
        let is_cursed = self.root.known.is_some_and(|known| known.class() == Class::Cursed);
        let mut game = self.root.game.clone();
        let is_played = !is_cursed && pv.iter().all(|&mv| game.play(mv).is_ok());
        let is_late = || self.root.limits.clock.is_past_soft();
        let tablebase = self.root.tablebase.filter(|_| is_played);
        let rest = tablebase.and_then(|tablebase| tablebase.pv(&game, is_late));
        pv.extend(rest.into_iter().flat_map(|(rest, _)| rest));
        pv
    }

    /// The pv of a root move by the transposition table, up to a repetition.
    ///
    /// * `depth`: of the search; if given, its last plies, which the table does not hold, are searched again.
    pub(super) fn stored_pv(&mut self, first: Option<Move>, depth: Option<u32>) -> Vec<Move> {
        let mut seen = vec![self.root.game.position().key()];
        self.line(first, |worker, game, pv| {
            let key = game.position().key();
            if seen.contains(&key) {
                return None;
            }
            seen.push(key);
            if let Some(entry) = worker.probe(worker.table_key(game.position())) {
                return entry.best;
            }
            let played = pv.iter().filter(|mv| !mv.is_removal()).count() as u32;
            let left = depth?.saturating_sub(played);
            // Near the horizon the table holds nothing.
            let is_near = left < LEAST_TABLE_DEPTH && (left > 0 || game.position().pending() > 0);
            is_near.then(|| worker.best_from(game, Window::FULL, left))?.map(|(best, _)| best)
        })
    }

    /// Plays a first move and the moves that `next` returns, as long as they are legal.
    fn line(
        &mut self,
        first: Option<Move>,
        mut next: impl FnMut(&mut Self, &Game<R>, &[Move]) -> Option<Move>,
    ) -> Vec<Move> {
        let (mut game, mut pv) = (self.root.game.clone(), Vec::new());
        let mut mv = first;
        while let Some(legal) = mv.filter(|&mv| game.play(mv).is_ok()) {
            pv.push(legal);
            mv = next(self, &game, &pv);
        }
        pv
    }

    /// Extends the pv of a mate to the end of the game, in two attempts:
    ///
    /// 1. The moves of the table may end the game in the number of turns that the score gives.
    /// 2. Otherwise the moves after the first are searched, with a node limit.
    ///
    /// If both fail, the pv of the table ends after that number of turns.
    fn play_out_mate(&mut self, mut pv: Vec<Move>, score: Score, turns: u16) -> Vec<Move> {
        if self.ends_in(&pv, turns) {
            return pv;
        }
        let most_nodes = self.most_nodes;
        let allowed = PV_NODES.min(self.own.nodes) + self.own.nodes / PV_NODES_SHARE;
        self.set_most_nodes(most_nodes.min(self.own.nodes + allowed));
        let (mut mover, mut left) = (self.root.game.to_move(), score);
        let found = self.line(pv.first().copied(), |worker, game, _| {
            left = left.to_node(game.position().turns_over(mover));
            left = if game.position().plays_on(mover) { left } else { -left };
            mover = game.to_move();
            // Find a move that keeps the score, in a search that the table makes short.
            let depth = left.turns().unwrap_or_default().into();
            let found = (depth > 0).then(|| worker.best_from(game, Window::null(left), depth))?;
            found.filter(|&(_, found)| found >= left).map(|(best, _)| best)
        });
        self.set_most_nodes(most_nodes);
        if self.ends_in(&found, turns) {
            return found;
        }
        let ended = self.ended_turns(&pv).0;
        pv.truncate(ended.into_iter().take_while(|&ended| ended <= turns).count());
        pv
    }

    /// Whether a pv ends in a win after exactly `turns` turns.
    fn ends_in(&self, pv: &[Move], turns: u16) -> bool {
        let (ended, outcome) = self.ended_turns(pv);
        ended.last() == Some(&turns) && matches!(outcome, Some(Outcome::Win { .. }))
    }

    /// The number of turns completed after each move of a pv, and how the pv ends the game, if it does.
    fn ended_turns(&self, pv: &[Move]) -> (Vec<u16>, Option<Outcome>) {
        let (mut game, mut ended) = (self.root.game.clone(), 0);
        let after = pv.iter().map_while(|&mv| {
            ended += game.position().after(mv).turns_over(game.to_move());
            game.play(mv).ok().map(|()| ended)
        });
        (after.collect(), game.outcome())
    }

    /// The best move of a game that has gone on from the root, and its score within a window. The move of the
    /// table is tried first.
    fn best_from(&mut self, game: &Game<R>, window: Window, depth: u32) -> Option<(Move, Score)> {
        let mut moves = RootMoves::new(game.moves().to_vec(), false);
        moves.reported = usize::MAX;
        let entry = self.probe(self.table_key(game.position()));
        moves.put_first(entry.and_then(|entry| entry.best).into_iter());
        let root = mem::replace(&mut self.position, *game.position());
        let path = mem::replace(&mut self.path, path_to(game));
        let found = self.pass(&mut moves, window, depth);
        (self.position, self.path) = (root, path);
        moves.best().zip(found.ok())
    }
}
