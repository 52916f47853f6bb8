//! The principal variation: best play for both sides.

use std::mem;

use super::known_root::Class;
use super::parameters::{Features, LEAST_TABLE_DEPTH, PV_NODES, PV_NODES_SHARE};
use super::root::RootMoves;
use super::worker::{Worker, path_to};
use crate::game::{Game, Outcome};
use crate::position::Move;
use crate::rules::Rules;
use crate::score::{Score, Window};

impl<R: Rules, F: Features> Worker<'_, R, F> {
    /// The pv of a root move that has a score at a depth, up to a repetition.
    ///
    /// It follows the transposition table. The last plies, which the table does not hold, are
    /// searched once more. The pv of a mate goes to the end of the game, if that takes few nodes.
    pub(super) fn pv(&mut self, first: Option<Move>, score: Score, depth: u32) -> Vec<Move> {
        let pv = self.follow_table(first, |worker, game, pv| {
            let played = pv.iter().filter(|mv| !mv.is_removal()).count() as u32;
            let left = depth.saturating_sub(played);
            // Near the horizon the table holds nothing.
            let is_near = left < LEAST_TABLE_DEPTH && (left > 0 || game.position().pending() > 0);
            is_near.then(|| worker.best_from(game, Window::FULL, left))?.map(|(best, _)| best)
        });
        // An end by the tablebase is not what the score within the draw rules means.
        let is_cursed = self.root.known.is_some_and(|known| known.class() == Class::Cursed);
        match score.turns() {
            Some(turns) => self.play_out_mate(pv, score, turns),
            None if is_cursed => pv,
            None => self.play_out_by_tablebase(pv),
        }
    }

    /// The pv of a root move by the transposition table alone.
    pub(super) fn stored_pv(&mut self, first: Option<Move>) -> Vec<Move> {
        self.follow_table(first, |_, _, _| None)
    }

    /// Plays the moves of the table up to a repetition, and those of `beyond` at positions without an
    /// entry.
    fn follow_table(
        &mut self,
        first: Option<Move>,
        beyond: impl Fn(&mut Self, &Game<R>, &[Move]) -> Option<Move>,
    ) -> Vec<Move> {
        let mut seen = vec![self.root.game.position().key()];
        self.line(first, |worker, game, pv| {
            let key = game.position().key();
            if seen.contains(&key) {
                return None;
            }
            seen.push(key);
            match worker.probe(worker.table_key(game.position())) {
                Some(entry) => entry.best,
                None => beyond(worker, game, pv),
            }
        })
    }

    /// Plays a first move and those of `next`, as long as they are legal.
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

    /// Goes on with the pv of a mate to the end of the game, in two attempts:
    ///
    /// 1. The moves of the table lead there in the number of turns that the score says.
    /// 2. The moves after the first are searched, with a limit of nodes.
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
            // A move that keeps the score, by a search that the table makes short.
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

    /// The turns that are over after each move of a pv, and how the game ends by it, if it does.
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
        self.position = root;
        self.path = path;
        moves.best().zip(found.ok())
    }

    /// Goes on with a pv that reaches a position which the tablebase knows to be decided.
    fn play_out_by_tablebase(&self, mut pv: Vec<Move>) -> Vec<Move> {
        let mut game = self.root.game.clone();
        let is_playable = pv.iter().all(|&mv| game.play(mv).is_ok());
        let is_late = || self.root.limits.clock.is_past_soft();
        let tablebase = self.root.tablebase.filter(|_| is_playable);
        let rest = tablebase.and_then(|tablebase| tablebase.pv(&game, is_late));
        pv.extend(rest.into_iter().flat_map(|(rest, _)| rest));
        pv
    }
}
