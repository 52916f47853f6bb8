//! The tree of a Monte-Carlo search: numbers only, no positions.
//!
//! ```text
//! nodes:  [root][ children of root ][ children of a ][ children of b ] ...
//!           |    ^          a   b     ^                ^
//!           +----+          |   +-----|----------------+
//!                           +---------+
//! ```
//!
//! The children of a node stand side by side, so that the choice among them reads memory in order.
//! The tree is kept for the next search, as long as the game goes on within it.

use std::any::Any;
use std::ops::Range;

use crate::game::Game;
use crate::position::Move;
use crate::rules::Rules;
use crate::score::Score;

/// What is known of a move and of the position that it leads to.
///
/// Expectations and proofs are those of the side that plays the move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// The move; the root has none.
    pub(super) mv: Option<Move>,
    /// How many children there are; 0 until the node is expanded, and for ever if the game is over.
    count: u16,
    /// The place of the first child.
    first: u32,
    /// How often the move was looked at.
    pub(super) visits: u32,
    /// The mean of what the looks found: 0 for a loss, 1 for a win.
    pub(super) mean: f32,
    /// The value, if it is proven.
    pub(super) proof: Option<Score>,
}

impl Node {
    /// A move looked at once.
    pub(super) fn new(mv: Option<Move>, mean: f32, proof: Option<Score>) -> Self {
        Self { mv, count: 0, first: 0, visits: 1, mean, proof }
    }

    /// Whether the children are there.
    pub(super) fn is_expanded(&self) -> bool {
        self.count > 0
    }

    /// The places of the children.
    pub(super) fn children(&self) -> Range<usize> {
        self.first as usize..self.first as usize + usize::from(self.count)
    }

    /// Takes one more look into account.
    pub(super) fn add(&mut self, expectation: f32) {
        self.visits = self.visits.saturating_add(1);
        self.mean += (expectation - self.mean) / self.visits as f32;
    }
}

/// The nodes, the root first, at most a fixed number of them.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
    /// How many there may be.
    pub(super) most: usize,
}

/// The place of the root.
pub(super) const ROOT: usize = 0;

/// A tree that is cut back keeps at most one node in this many.
const SHARE_KEPT: usize = 8;

impl Tree {
    /// A tree of a root, with room for `most` nodes.
    pub(super) fn new(most: usize) -> Self {
        Self { nodes: vec![Node::new(None, 0.5, None)], most }
    }

    /// How many thousandths of the room are taken.
    pub(super) fn permille_used(&self) -> u32 {
        (self.nodes.len() * 1000 / self.most) as u32
    }

    /// Gives a node its children.
    pub(super) fn expand(&mut self, at: usize, children: &[Node]) {
        self.nodes[at].first = self.nodes.len() as u32;
        self.nodes[at].count = children.len() as u16;
        self.nodes.extend_from_slice(children);
    }

    /// The part below a node as a tree of its own.
    ///
    /// Where it is too large, nodes that were visited seldom lose their children but keep what was
    /// learned from them.
    pub(super) fn below(&self, root: usize) -> Self {
        let least = self.least_visits(self.most / SHARE_KEPT);
        let mut kept = Self { nodes: vec![self.nodes[root]], most: self.most };
        let mut next = 0;
        while next < kept.nodes.len() {
            let node = kept.nodes[next];
            let is_kept = next == ROOT || node.visits >= least;
            kept.expand(next, if is_kept { &self.nodes[node.children()] } else { &[] });
            next += 1;
        }
        kept
    }

    /// The visits that a node needs to keep its children, so that about `most` nodes are left.
    fn least_visits(&self, most: usize) -> u32 {
        let mut children = [0; 33];
        for node in &self.nodes {
            children[node.visits.ilog2() as usize + 1] += usize::from(node.count);
        }
        let mut left = 0;
        let powers = (0..33).rev().find(|&power| {
            left += children[power];
            left > most
        });
        1_u32.checked_shl(powers.unwrap_or(0) as u32).unwrap_or(u32::MAX)
    }
}

/// The game and the tree of the last search, if there was one.
#[derive(Default)]
pub(in crate::search) struct Kept(Option<Box<dyn Any + Send>>);

/// The turns after which a game is found again: one of each side.
const TURNS: u32 = 2;

impl Kept {
    /// Keeps the tree of a search.
    pub(super) fn put<R: Rules>(&mut self, game: &Game<R>, tree: Tree) {
        self.0 = Some(Box::new((game.clone(), tree)));
    }

    /// Takes out the part of the tree below a game, if it has these moves at its root.
    pub(super) fn take<R: Rules>(&mut self, game: &Game<R>, moves: &[Move]) -> Option<Tree> {
        let (past, tree) = *self.0.take()?.downcast::<(Game<R>, Tree)>().ok()?;
        let root = tree.find(ROOT, &past, game, TURNS)?;
        let mut children = tree.nodes[root].children();
        let is_known = |at: usize| tree.nodes[at].mv.is_some_and(|mv| moves.contains(&mv));
        let has_moves = children.len() == moves.len() && children.all(is_known);
        has_moves.then(|| tree.below(root))
    }
}

impl Tree {
    /// The node at which a game stands that has gone on from the one at a node.
    fn find<R: Rules>(
        &self,
        at: usize,
        here: &Game<R>,
        wanted: &Game<R>,
        turns: u32,
    ) -> Option<usize> {
        let has_same_past = here.reversible_keys() == wanted.reversible_keys();
        let is_same = has_same_past && here.draw_rules() == wanted.draw_rules();
        if is_same && here.position() == wanted.position() {
            return Some(at);
        }
        self.nodes[at].children().find_map(|child| {
            let node = &self.nodes[child];
            let mv = node.mv.filter(|mv| node.is_expanded() && (turns > 0 || mv.is_removal()))?;
            let mut after = here.clone();
            after.play(mv).ok()?;
            self.find(child, &after, wanted, turns - u32::from(!mv.is_removal()))
        })
    }
}
