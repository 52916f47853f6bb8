//! Which child to look at next, and which to play.

use std::cmp::Ordering;

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
        self.tree.children(at).min_by(|&a, &b| self.compare(at, a, b))
    }

    /// The children in the order in which they would be played.
    pub(super) fn ranked_children(&self, at: usize) -> Vec<usize> {
        let mut children: Vec<usize> = self.tree.children(at).collect();
        children.sort_by(|&a, &b| self.compare(at, a, b));
        children
    }

    /// The order of two children, the better one first.
    fn compare(&self, at: usize, a: usize, b: usize) -> Ordering {
        let is_proven = self.tree.node(at).proof.is_some();
        let (a, b) = (self.tree.node(a), self.tree.node(b));
        let rank = |node: &Node| (!is_lost(node), node.visits);
        if is_proven {
            b.proof.cmp(&a.proof)
        } else {
            rank(b).cmp(&rank(a)).then(b.mean.total_cmp(&a.mean))
        }
    }
}

fn is_lost(node: &Node) -> bool {
    node.proof.is_some_and(|score| score <= -Score::TABLEBASE_WIN)
}
