//! The best play for both sides, as people read it.

use std::mem;

use super::hooks::Features;
use super::parameters::{LEAST_TABLE_DEPTH, LINE_NODES, LINE_NODES_SHARE};
use super::root::RootMoves;
use super::worker::{Stopped, Worker, path_to};
use crate::game::{Game, Outcome};
use crate::position::Move;
use crate::rules::Rules;
use crate::score::{Score, Window};

impl<R: Rules, F: Features> Worker<'_, R, F> {
    /// The best play after a move that has a score at a depth, up to a repetition: as the table
    /// remembers it, and at the end, where the search does not use the table, by searching once
    /// more.
    ///
    /// A win or a loss is played to the end of the game, if that takes little work.
    pub(super) fn line(&mut self, first: Option<Move>, score: Score, depth: u32) -> Vec<Move> {
        let line = self.walk(first, |worker, game, line| {
            let played = line.iter().filter(|mv| !mv.is_removal()).count() as u32;
            worker.move_near_horizon(game, depth.saturating_sub(played))
        });
        if score.is_mate() {
            self.played_out(line, score)
        } else {
            self.played_out_by_databases(line)
        }
    }

    /// The best play after a move as far as the table remembers it.
    pub(super) fn remembered_line(&mut self, first: Option<Move>) -> Vec<Move> {
        self.walk(first, |_, _, _| None)
    }

    /// Plays the moves of the table, and where it has none those of `beyond`.
    fn walk(
        &mut self,
        first: Option<Move>,
        beyond: impl Fn(&mut Self, &Game<R>, &[Move]) -> Option<Move>,
    ) -> Vec<Move> {
        let mut line = Vec::new();
        let mut game = self.game.clone();
        let mut seen = vec![game.position().key()];
        let mut next = first;
        while let Some(mv) = next.filter(|&mv| game.play(mv).is_ok()) {
            line.push(mv);
            let key = game.position().key();
            if seen.contains(&key) {
                break;
            }
            seen.push(key);
            next = match self.find_record(game.position()) {
                Some(record) => record.best,
                None => beyond(self, &game, &line),
            };
        }
        line
    }

    /// The best move of a position so near to the horizon that the table does not know it.
    fn move_near_horizon(&mut self, game: &Game<R>, depth: u32) -> Option<Move> {
        let mut moves = RootMoves::below(game.moves().to_vec());
        let is_over = depth == 0 && game.position().pending() == 0;
        let is_near = depth < LEAST_TABLE_DEPTH && !is_over;
        let is_found = is_near && self.pass_from(game, &mut moves, Window::FULL, depth).is_ok();
        moves.best().filter(|_| is_found)
    }

    /// Plays a line of a win or loss to the end of the game, by other moves if those of the table
    /// do not lead there in time; never beyond.
    fn played_out(&mut self, mut line: Vec<Move>, score: Score) -> Vec<Move> {
        let by_table = line.iter().copied();
        if let Some(line) = self.play_to_end(score, by_table.clone(), |_, _, _| None) {
            return line;
        }
        let most_nodes = self.most_nodes;
        let allowed = LINE_NODES.min(self.nodes) + self.nodes / LINE_NODES_SHARE;
        self.set_most_nodes(most_nodes.min(self.nodes + allowed));
        let found = self.play_to_end(score, by_table.take(1), |worker, game, left| {
            worker.move_worth(game, left)
        });
        self.set_most_nodes(most_nodes);
        found.unwrap_or_else(|| {
            line.truncate(self.length_of(&line, turns(score)));
            line
        })
    }

    /// Plays moves, and then those of `beyond`, which learns what the side to move is still worth;
    /// none unless the game ends just when the score says.
    fn play_to_end(
        &mut self,
        score: Score,
        moves: impl Iterator<Item = Move>,
        beyond: impl Fn(&mut Self, &Game<R>, Score) -> Option<Move>,
    ) -> Option<Vec<Move>> {
        let mut game = self.game.clone();
        let mut line = Vec::new();
        let mut left = score;
        let mut moves = moves;
        while left != Score::mated_in(0) {
            let mv = moves.next().or_else(|| beyond(self, &game, left))?;
            let ends_turn = ends_turn(&game, mv);
            if ends_turn && turns(left) == 0 {
                return None;
            }
            let side = game.position().to_move();
            game.play(mv).ok()?;
            line.push(mv);
            left = left.to_node(ends_turn.into());
            if !game.position().plays_on(side) {
                left = -left;
            }
        }
        matches!(game.outcome(), Some(Outcome::Win { .. })).then_some(line)
    }

    /// A move that is worth so much, found by a search that the table helps.
    fn move_worth(&mut self, game: &Game<R>, score: Score) -> Option<Move> {
        let mut moves = RootMoves::below(game.moves().to_vec());
        let known = self.find_record(game.position());
        moves.put_first(known.and_then(|record| record.best).into_iter());
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
    ) -> Result<Score, Stopped> {
        let root = mem::replace(&mut self.position, *game.position());
        let path = mem::replace(&mut self.path, path_to(game));
        let found = self.pass(moves, window, depth);
        self.position = root;
        self.path = path;
        found
    }

    /// How many moves of a line fill so many turns.
    fn length_of(&self, line: &[Move], turns: u16) -> usize {
        let mut game = self.game.clone();
        let mut ended = 0;
        let fits = |mv: &&Move| {
            ended += u16::from(ends_turn(&game, **mv));
            ended <= turns && game.play(**mv).is_ok()
        };
        line.iter().take_while(fits).count()
    }

    /// Goes on with a line into positions that the databases know to be decided.
    fn played_out_by_databases(&self, mut line: Vec<Move>) -> Vec<Move> {
        let mut game = self.game.clone();
        let is_playable = line.iter().all(|&mv| game.play(mv).is_ok());
        let is_late = || self.limits.clock.is_past_soft();
        let rest = self
            .tablebase
            .filter(|_| is_playable)
            .and_then(|tablebase| tablebase.line(&game, is_late));
        line.extend(rest.into_iter().flat_map(|(rest, _)| rest));
        line
    }
}

/// The turns to the end of a decided game.
fn turns(score: Score) -> u16 {
    score.turns().unwrap_or_default()
}

/// Whether a turn ends with a move, as [`Worker::child`] counts them.
fn ends_turn<R: Rules>(game: &Game<R>, mv: Move) -> bool {
    game.position().after(mv).ended_turn(game.position().to_move())
}
