//! The principal variation: best play for both sides.

use std::mem;

use super::features::Features;
use super::parameters::{LEAST_TABLE_DEPTH, PV_NODES, PV_NODES_SHARE};
use super::root_moves::RootMoves;
use super::worker::{Found, Worker, path_to};
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
            worker.move_near_horizon(game, depth.saturating_sub(played))
        });
        if score.is_mate() { self.play_out_mate(pv, score) } else { self.play_out_by_tablebase(pv) }
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
        let mut seen = vec![self.game.position().key()];
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
        let (mut game, mut pv) = (self.game.clone(), Vec::new());
        let mut mv = first;
        while let Some(legal) = mv.filter(|&mv| game.play(mv).is_ok()) {
            pv.push(legal);
            mv = next(self, &game, &pv);
        }
        pv
    }

    /// The best move of a position too near to the horizon for the table.
    fn move_near_horizon(&mut self, game: &Game<R>, depth: u32) -> Option<Move> {
        let mut moves = RootMoves::unreported(game.moves().to_vec());
        let is_over = depth == 0 && game.position().pending() == 0;
        let is_near = depth < LEAST_TABLE_DEPTH && !is_over;
        let is_found = is_near && self.pass_from(game, &mut moves, Window::FULL, depth).is_ok();
        moves.best().filter(|_| is_found)
    }

    /// Goes on with the pv of a mate to the end of the game, in two attempts:
    ///
    /// 1. The moves of the table lead there in the number of turns that the score says.
    /// 2. The moves after the first are searched, with a limit of nodes.
    ///
    /// If both fail, the pv of the table ends after that number of turns.
    fn play_out_mate(&mut self, mut pv: Vec<Move>, score: Score) -> Vec<Move> {
        if self.ends_in(&pv, turns(score)) {
            return pv;
        }
        let most_nodes = self.most_nodes;
        let allowed = PV_NODES.min(self.own.nodes) + self.own.nodes / PV_NODES_SHARE;
        self.set_most_nodes(most_nodes.min(self.own.nodes + allowed));
        let (mut before, mut left) = (self.game.clone(), score);
        let found = self.line(pv.first().copied(), |worker, game, pv| {
            let side = before.position().to_move();
            left = left.to_node(ends_turn(&before, *pv.last()?).into());
            if !game.position().plays_on(side) {
                left = -left;
            }
            before = game.clone();
            (turns(left) > 0).then(|| worker.move_with_score(game, left))?
        });
        self.set_most_nodes(most_nodes);
        if self.ends_in(&found, turns(score)) {
            return found;
        }
        let ended = self.ended_turns(&pv).0;
        pv.truncate(ended.into_iter().take_while(|&ended| ended <= turns(score)).count());
        pv
    }

    /// Whether a pv ends in a win after exactly `turns` turns.
    fn ends_in(&self, pv: &[Move], turns: u16) -> bool {
        let (ended, outcome) = self.ended_turns(pv);
        ended.last() == Some(&turns) && matches!(outcome, Some(Outcome::Win { .. }))
    }

    /// The turns that are over after each move of a pv, and how the game ends by it, if it does.
    fn ended_turns(&self, pv: &[Move]) -> (Vec<u16>, Option<Outcome>) {
        let (mut game, mut ended) = (self.game.clone(), 0);
        let after = pv.iter().map_while(|&mv| {
            ended += u16::from(ends_turn(&game, mv));
            game.play(mv).ok().map(|()| ended)
        });
        (after.collect(), game.outcome())
    }

    /// A move that keeps a mate score, by a search that the table makes short.
    fn move_with_score(&mut self, game: &Game<R>, score: Score) -> Option<Move> {
        let mut moves = RootMoves::unreported(game.moves().to_vec());
        let entry = self.probe(self.table_key(game.position()));
        moves.put_first(entry.and_then(|entry| entry.best).into_iter());
        let depth = turns(score).into();
        let found = self.pass_from(game, &mut moves, Window::null(score), depth);
        moves.best().filter(|_| found.is_ok_and(|found| found >= score))
    }

    /// A pass over the moves of a game that has gone on from the root.
    fn pass_from(
        &mut self,
        game: &Game<R>,
        moves: &mut RootMoves,
        window: Window,
        depth: u32,
    ) -> Found {
        let root = mem::replace(&mut self.position, *game.position());
        let path = mem::replace(&mut self.path, path_to(game));
        let found = self.pass(moves, window, depth);
        self.position = root;
        self.path = path;
        found
    }

    /// Goes on with a pv that reaches a position which the tablebase knows to be decided.
    fn play_out_by_tablebase(&self, mut pv: Vec<Move>) -> Vec<Move> {
        let mut game = self.game.clone();
        let is_playable = pv.iter().all(|&mv| game.play(mv).is_ok());
        let is_late = || self.limits.clock.is_past_soft();
        let tablebase = self.tablebase.filter(|_| is_playable);
        let rest = tablebase.and_then(|tablebase| tablebase.pv(&game, is_late));
        pv.extend(rest.into_iter().flat_map(|(rest, _)| rest));
        pv
    }
}

/// The turns to the end of the game.
fn turns(mate: Score) -> u16 {
    mate.turns().unwrap_or_default()
}

/// Whether a move ends the turn.
fn ends_turn<R: Rules>(game: &Game<R>, mv: Move) -> bool {
    game.position().after(mv).ended_turn(game.to_move())
}
