//! One simulation: down the tree to a leaf, a value for each move there, and up again.
//!
//! A move whose position is over or in the tablebase is proven, any other is estimated. Removals owed
//! are played out first, because the estimate does not count them.

use std::cmp::Ordering;

use arrayvec::ArrayVec;

use super::Search;
use super::tree::{Node, ROOT};
use crate::position::{MAX_MOVES, Move};
use crate::rules::Rules;
use crate::score::Score;
use crate::search::parameters::{EXPLORATION, MOST_RESOLVED};

/// A step down the tree.
#[derive(Clone, Copy)]
struct Step {
    /// The node that it led to.
    to: usize,
    /// Whether the side that moved plays on.
    plays_on: bool,
    /// The turns that were over with it.
    turns: u16,
}

/// The value of a position for the side to move, or of a move for the side that plays it.
#[derive(Clone, Copy, Debug)]
struct Value {
    score: Score,
    is_proven: bool,
}

impl Value {
    /// The value of a position with moves of these values, proven if no other move can be better.
    fn best(moves: impl IntoIterator<Item = Self>) -> Option<Self> {
        moves.into_iter().reduce(|a, b| {
            let (better, worse) = if b.score > a.score { (b, a) } else { (a, b) };
            let is_won = better.score >= Score::TABLEBASE_WIN;
            Self { is_proven: better.is_proven && (worse.is_proven || is_won), ..better }
        })
    }

    /// The value of a position for the side that moved there, which may play on; `turns` were over with that.
    fn before_move(self, plays_on: bool, turns: u16) -> Self {
        let score = if plays_on { self.score } else { -self.score };
        Self { score: score.from_node(turns), ..self }
    }
}

impl<R: Rules> Search<'_, R> {
    /// Visits one leaf, and carries what it finds up to the root.
    pub(super) fn simulate(&mut self) {
        let (root, keys) = (self.worker.position, self.worker.path.len());
        let steps = self.descend();
        let leaf = steps.last().map_or(ROOT, |step| step.to);
        let expectation = match (self.tree.nodes[leaf].proof, steps.last()) {
            (Some(proof), Some(step)) => before_move(proof.expectation(), step.plays_on),
            _ => self.expand(leaf),
        };
        self.worker.position = root;
        self.worker.path.truncate(keys);
        self.worker.ply = 0;
        self.back_up(&steps, expectation);
        self.prove(&steps);
    }

    /// Goes to a node that has no children or is proven.
    fn descend(&mut self) -> Vec<Step> {
        let mut steps: Vec<Step> = Vec::new();
        let mut at = ROOT;
        while let Some(to) = self.promising_child(at) {
            let Some(mv) = self.tree.nodes[to].mv else { break };
            let (plays_on, turns) = self.step(mv);
            steps.push(Step { to, plays_on, turns });
            at = to;
            if self.tree.nodes[at].proof.is_some() {
                break;
            }
        }
        steps
    }

    /// Evaluates every move of a leaf and adds them to the tree; returns the expectation of the best
    /// one.
    fn expand(&mut self, at: usize) -> f32 {
        let all = self.worker.position.moves();
        let moves = if at == ROOT { self.moves.iter().copied().collect() } else { all };
        let mut children = ArrayVec::<Node, MAX_MOVES>::new();
        let mut best = None;
        for mv in moves {
            let value = self.evaluate_move(mv);
            best = Value::best(best.into_iter().chain([value]));
            let proof = value.is_proven.then_some(value.score);
            children.push(Node::new(Some(mv), value.score.expectation(), proof));
        }
        self.tree.expand(at, &children);
        let score = best.map_or_else(|| self.worker.estimate(), |value| value.score);
        score.expectation()
    }

    /// Averages the expectation of the leaf into the nodes on the way.
    fn back_up(&mut self, steps: &[Step], mut expectation: f32) {
        for step in steps.iter().rev() {
            expectation = before_move(expectation, step.plays_on);
            self.tree.nodes[step.to].add(expectation);
        }
        self.tree.nodes[ROOT].add(expectation);
    }

    /// Proves the nodes on the way up whose children prove them.
    fn prove(&mut self, steps: &[Step]) {
        for step in steps.iter().rev() {
            if self.tree.nodes[step.to].is_expanded() {
                let Some(value) = self.proven(step.to) else { return };
                let value = value.before_move(step.plays_on, step.turns);
                self.tree.nodes[step.to].proof = Some(value.score);
            }
        }
        self.solve_root();
    }

    /// Proves the root if its children do.
    pub(super) fn solve_root(&mut self) {
        self.tree.nodes[ROOT].proof = self.proven(ROOT).map(|value| value.score);
    }

    /// The value of a node for the side to move there, if its children prove it.
    fn proven(&self, at: usize) -> Option<Value> {
        let values = self.tree.nodes[at].children().map(|child| {
            let proof = self.tree.nodes[child].proof;
            Value { score: proof.unwrap_or_default(), is_proven: proof.is_some() }
        });
        Value::best(values).filter(|value| value.is_proven)
    }

    /// The child with the highest upper confidence bound (UCB1), lost ones left out.
    fn promising_child(&self, at: usize) -> Option<usize> {
        let scale = EXPLORATION * libm::logf(self.tree.nodes[at].visits as f32).sqrt();
        let (mut best, mut highest) = (None, f32::NEG_INFINITY);
        for child in self.tree.nodes[at].children() {
            let node = &self.tree.nodes[child];
            let bound = node.mean + scale / (node.visits as f32).sqrt();
            if bound > highest && !is_lost(node) {
                (best, highest) = (Some(child), bound);
            }
        }
        best
    }

    /// The order in which two children would be played: the proven best if there is one, else the one most visited
    /// comes first.
    pub(super) fn compare(&self, at: usize, a: usize, b: usize) -> Ordering {
        let is_proven = self.tree.nodes[at].proof.is_some();
        let (a, b) = (&self.tree.nodes[a], &self.tree.nodes[b]);
        let rank = |node: &Node| (!is_lost(node), node.visits);
        if is_proven {
            b.proof.cmp(&a.proof)
        } else {
            rank(b).cmp(&rank(a)).then(b.mean.total_cmp(&a.mean))
        }
    }

    /// The value of a move for the side to move.
    fn evaluate_move(&mut self, mv: Move) -> Value {
        let before = self.worker.position;
        let (plays_on, turns) = self.step(mv);
        let value = self.evaluate_position().before_move(plays_on, turns);
        self.worker.ply -= 1;
        self.worker.path.pop();
        self.worker.position = before;
        value
    }

    /// Plays a move; tells whether the same side plays on, and the turns that are over.
    fn step(&mut self, mv: Move) -> (bool, u16) {
        let side = self.worker.position.to_move();
        let _ = self.worker.position.do_move(mv);
        self.worker.path.push(self.worker.position.key());
        self.worker.ply += 1;
        (self.worker.position.plays_on(side), self.worker.position.turns_over(side))
    }

    /// The value of the position for the side to move.
    fn evaluate_position(&mut self) -> Value {
        if let Some(score) = self.worker.game_over() {
            return Value { score, is_proven: true };
        }
        if let Some(score) = self.worker.probe_tablebase() {
            return Value { score, is_proven: !score.is_estimate() };
        }
        let is_played_out = (1..=MOST_RESOLVED).contains(&self.worker.position.pending());
        let removals = is_played_out.then(|| self.worker.position.moves());
        let best = removals
            .and_then(|moves| Value::best(moves.into_iter().map(|mv| self.evaluate_move(mv))));
        best.unwrap_or(Value { score: self.worker.estimate(), is_proven: false })
    }
}

/// The expectation of a position for the side that moved there, which may play on.
fn before_move(expectation: f32, plays_on: bool) -> f32 {
    if plays_on { expectation } else { 1.0 - expectation }
}

fn is_lost(node: &Node) -> bool {
    node.proof.is_some_and(|score| score <= -Score::TABLEBASE_WIN)
}
