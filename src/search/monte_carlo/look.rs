//! One look at a move: a proof where the game ends or the databases know, else a judgement.
//!
//! A removal that is owed is played out first, since the judgement does not count it.

use super::Search;
use crate::position::Move;
use crate::rules::Rules;
use crate::score::Score;
use crate::search::hooks::Features;
use crate::search::parameters::MOST_RESOLVED;

/// What a position is worth to the side to move, or a move to the side that plays it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Worth {
    pub(super) score: Score,
    pub(super) is_proven: bool,
}

impl Worth {
    /// What a choice among moves is worth.
    pub(super) fn best(moves: impl IntoIterator<Item = Self>) -> Option<Self> {
        moves.into_iter().reduce(|a, b| {
            let (better, worse) = if b.score > a.score { (b, a) } else { (a, b) };
            let is_won = better.score >= Score::TABLEBASE_WIN;
            Self { is_proven: better.is_proven && (worse.is_proven || is_won), ..better }
        })
    }

    /// The same as the side saw it that moved here, which may play on.
    pub(super) fn before_move(self, plays_on: bool) -> Self {
        let score = if plays_on { self.score } else { (-self.score).from_node(1) };
        Self { score, ..self }
    }
}

impl<R: Rules, F: Features> Search<'_, R, F> {
    /// What a move is worth to the side to move.
    pub(super) fn look(&mut self, mv: Move) -> Worth {
        let before = self.worker.position;
        let plays_on = self.step(mv);
        let worth = self.judge();
        let ends_turn = plays_on && self.worker.position.ended_turn(before.to_move());
        let worth = worth.before_move(plays_on);
        self.worker.ply -= 1;
        self.worker.path.pop();
        self.worker.position = before;
        Worth { score: worth.score.from_node(ends_turn.into()), ..worth }
    }

    /// Plays a move; whether the same side plays on.
    pub(super) fn step(&mut self, mv: Move) -> bool {
        let side = self.worker.position.to_move();
        self.worker.position = self.worker.position.after(mv);
        self.worker.path.push(self.worker.position.key());
        self.worker.ply += 1;
        self.worker.position.plays_on(side)
    }

    fn judge(&mut self) -> Worth {
        let known = self.worker.ended().or_else(|| self.worker.known_by_databases());
        if let Some(score) = known {
            return Worth { score, is_proven: true };
        }
        let is_resolved = (1..=MOST_RESOLVED).contains(&self.worker.position.pending());
        let removals = is_resolved.then(|| self.worker.position.moves());
        let best =
            removals.and_then(|moves| Worth::best(moves.into_iter().map(|mv| self.look(mv))));
        best.unwrap_or(Worth { score: self.worker.estimate(), is_proven: false })
    }
}
