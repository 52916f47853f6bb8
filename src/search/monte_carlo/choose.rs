//! Which child to look at next, and which to play.

use super::Search;
use super::tree::Node;
use crate::rules::Rules;
use crate::score::Score;
use crate::search::hooks::Features;
use crate::search::parameters::EXPLORATION;

impl<R: Rules, F: Features> Search<'_, R, F> {
    /// The child with the highest upper confidence bound (UCB1), lost ones left out.
    pub(super) fn promising_child(&self, at: usize) -> Option<usize> {
        let scale = EXPLORATION * (self.tree.node(at).visits as f32).ln().sqrt();
        let (mut best, mut highest) = (None, f32::NEG_INFINITY);
        for child in self.tree.children(at) {
            let node = self.tree.node(child);
            let bound = node.mean + scale / (node.visits as f32).sqrt();
            if bound > highest && !is_lost(node) {
                (best, highest) = (Some(child), bound);
            }
        }
        best
    }

    /// The child to play: the proven best if there is one, else the one most visited.
    pub(super) fn best_child(&self, at: usize) -> Option<usize> {
        let is_proven = self.tree.node(at).proof.is_some();
        let is_better = |a: &Node, b: &Node| {
            if is_proven {
                a.proof > b.proof
            } else {
                let rank = |node: &Node| (!is_lost(node), node.visits);
                rank(a) > rank(b) || rank(a) == rank(b) && a.mean > b.mean
            }
        };
        self.tree.children(at).reduce(|best, child| {
            if is_better(self.tree.node(child), self.tree.node(best)) { child } else { best }
        })
    }
}

fn is_lost(node: &Node) -> bool {
    node.proof.is_some_and(|score| score <= -Score::KNOWN_WIN)
}
