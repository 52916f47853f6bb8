//! One simulation: down, a look at what is new, and up again.

use arrayvec::ArrayVec;

use super::look::Worth;
use super::tree::{Node, ROOT};
use super::{Search, expectation};
use crate::position::MAX_MOVES;
use crate::rules::Rules;
use crate::search::hooks::Features;

/// A step down the tree.
#[derive(Clone, Copy)]
struct Step {
    /// The node that it led to.
    to: usize,
    /// Whether the side that moved plays on.
    plays_on: bool,
}

impl<R: Rules, F: Features> Search<'_, R, F> {
    pub(super) fn simulate(&mut self) {
        let (root, keys) = (self.worker.position, self.worker.path.len());
        let steps = self.descend();
        let leaf = steps.last().map_or(ROOT, |step| step.to);
        let expectation = match (self.tree.node(leaf).proof, steps.last()) {
            (Some(proof), Some(step)) => before_move(expectation::of(proof), step.plays_on),
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
            let Some(mv) = self.tree.node(to).mv else { break };
            let plays_on = self.step(mv);
            steps.push(Step { to, plays_on });
            at = to;
            if self.tree.node(at).proof.is_some() {
                break;
            }
        }
        steps
    }

    /// Looks at every move of a node; what the best is worth to the side to move.
    fn expand(&mut self, at: usize) -> f32 {
        let all = self.worker.position.moves();
        let moves = if at == ROOT { self.moves.iter().copied().collect() } else { all };
        let mut children = ArrayVec::<Node, MAX_MOVES>::new();
        let mut best = None;
        for mv in moves {
            let worth = self.look(mv);
            best = Worth::best(best.into_iter().chain([worth]));
            let proof = worth.is_proven.then_some(worth.score);
            children.push(Node::new(Some(mv), expectation::of(worth.score), proof));
        }
        self.tree.expand(at, &children);
        let score = best.map_or_else(|| self.worker.estimate(), |worth| worth.score);
        expectation::of(score)
    }

    /// Averages what a simulation found into the nodes on its way.
    fn back_up(&mut self, steps: &[Step], mut expectation: f32) {
        for step in steps.iter().rev() {
            expectation = before_move(expectation, step.plays_on);
            self.tree.node_mut(step.to).add(expectation);
        }
        self.tree.node_mut(ROOT).add(expectation);
    }

    /// Carries proofs up as far as they decide.
    fn prove(&mut self, steps: &[Step]) {
        for step in steps.iter().rev() {
            if self.tree.node(step.to).is_expanded() {
                let Some(worth) = self.proven(step.to) else { return };
                self.tree.node_mut(step.to).proof = Some(worth.before_move(step.plays_on).score);
            }
        }
        self.solve_root();
    }

    /// Proves the root as far as its children are.
    pub(super) fn solve_root(&mut self) {
        self.tree.node_mut(ROOT).proof = self.proven(ROOT).map(|worth| worth.score);
    }

    /// Whether the value of the root is known.
    pub(super) fn is_solved(&self) -> bool {
        self.tree.node(ROOT).proof.is_some()
    }

    /// What a node is worth to the side to move there, if its children prove it.
    fn proven(&self, at: usize) -> Option<Worth> {
        let worths = self.tree.children(at).map(|child| {
            let proof = self.tree.node(child).proof;
            Worth { score: proof.unwrap_or_default(), is_proven: proof.is_some() }
        });
        Worth::best(worths).filter(|worth| worth.is_proven)
    }
}

/// An expectation as the side saw it that moved here, which may play on; and back.
fn before_move(expectation: f32, plays_on: bool) -> f32 {
    if plays_on { expectation } else { 1.0 - expectation }
}
