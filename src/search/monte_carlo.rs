//! Monte-Carlo tree search: UCT over leaves that are estimated, not played out.
//!
//! A simulation descends the tree, at each node to the child with the best upper confidence bound,
//! until it reaches a node without children. There it evaluates every move, and averages the value
//! of the best one into the nodes on its path. Proven values are backed up too: a node with a
//! winning move is won, and a node whose moves are all proven has the value of the best.
//!
//! Nothing is random. A depth stands for a number of simulations, which doubles with each depth.
//!
//! A move that ends the game, or that the tablebase decides, is proven; any other move is
//! estimated. Owed removals are played out first, because the estimate does not count them.
//!
//! The tree stores numbers only, no positions. The children of a node are contiguous, so that the choice among
//! them reads memory in order. The tree is kept for the next search, as long as the game continues within it.
//!
//! ```text
//! nodes:  [root][ children of root ][ children of a ][ children of b ] ...
//!           |    ^          a   b     ^                ^
//!           +----+          |   +-----|----------------+
//!                           +---------+
//! ```
//!
//! See: Levente Kocsis and Csaba Szepesvári, "Bandit Based Monte-Carlo Planning", 2006; Mark
//! Winands, Yngvi Björnsson and Jahn-Takeshi Saito, "Monte-Carlo Tree Search Solver", 2008.

use std::any::Any;
use std::cmp::Ordering;
use std::ops::Range;

use arrayvec::ArrayVec;

use super::parameters::{
    EXPLORATION, FIRST_SIMULATIONS, Full, MAX_PLY, MOST_RESOLVED, SIMULATIONS_PER_POLL, TREE_NODES,
};
use super::report::{Observer, Report, Variation};
use super::tt::TranspositionTable;
use super::worker::{Root, Worker};
use crate::game::Game;
use crate::position::{MAX_MOVES, Move};
use crate::rules::Rules;
use crate::score::Score;

/// A running search.
struct Search<'a, R: Rules> {
    worker: Worker<'a, R, Full>,
    tree: Tree,
    /// The moves to choose from.
    moves: Vec<Move>,
    simulations: u64,
}

/// Searches for the best of the moves, and keeps the tree for the next search.
pub(super) fn search<R: Rules>(
    root: Root<'_, R>,
    table: &TranspositionTable,
    kept: &mut Kept,
    moves: Vec<Move>,
    observer: &mut dyn Observer,
) -> Report {
    let tree = kept.take(root.game, &moves).unwrap_or_else(|| Tree::new(TREE_NODES));
    let worker = Worker::new(root, table, observer);
    let mut search = Search { worker, tree, moves, simulations: 0 };
    let report = search.run();
    kept.put(root.game, search.tree);
    report
}

impl<R: Rules> Search<'_, R> {
    fn run(&mut self) -> Report {
        self.prove(&[]);
        let mut depth = 1;
        while self.tree.nodes[ROOT].proof.is_none() {
            if self.tree.nodes.len() + MAX_MOVES > self.tree.most {
                self.tree = self.tree.below(ROOT);
            }
            self.simulate();
            self.simulations += 1;
            if depth > self.worker.root.limits.least_depth && self.is_up() {
                break;
            }
            // Each depth takes twice as many simulations as the one before.
            if self.simulations >= FIRST_SIMULATIONS.saturating_mul(2_u64.saturating_pow(depth - 1))
            {
                if depth == self.worker.root.limits.depth {
                    break;
                }
                self.report(depth);
                depth += 1;
            }
        }
        self.report(depth)
    }

    fn is_up(&mut self) -> bool {
        let Root { limits, lines, .. } = self.worker.root;
        let clock = &limits.clock;
        let is_forced = self.moves.len() == 1 && lines.is_empty() && !limits.scores_all;
        let is_settled = clock.is_timed() && is_forced;
        if is_settled || limits.nodes.is_some_and(|most| self.simulations >= most) {
            return true;
        }
        if !self.simulations.is_multiple_of(SIMULATIONS_PER_POLL) {
            return false;
        }
        if let Some(tablebase) = self.worker.root.tablebase {
            tablebase.look_again();
        }
        clock.is_past_soft() || self.worker.observer.should_stop(self.simulations)
    }

    /// Reports the best moves found so far.
    fn report(&mut self, depth: u32) -> Report {
        let mut ranked: Vec<usize> = self.tree.nodes[ROOT].children().collect();
        ranked.sort_by(|&a, &b| self.compare(ROOT, a, b));
        ranked.truncate(self.worker.root.limits.multi_pv.max(1));
        let found: Vec<Variation> = ranked.into_iter().map(|child| self.variation(child)).collect();
        let lines = self.worker.root.with_known_lines(&found);
        let table_use = (self.tree.nodes.len() * 1000 / self.tree.most) as u32;
        let nodes = self.simulations;
        let mut report = Report { nodes, table_use, ..self.worker.report(depth, lines) };
        if report.lines.is_empty() {
            let pv = self.moves[..1].to_vec();
            report.lines.push(Variation { pv, ..Variation::default() });
        } else {
            let rated = self.worker.rated(report.clone());
            self.worker.observer.progress(&rated);
        }
        report.reaching(0)
    }

    /// The score of a child, a win or loss only if proven, and best play for both sides as far as the tree goes.
    fn variation(&self, child: usize) -> Variation {
        let node = &self.tree.nodes[child];
        let score = node.proof.unwrap_or(Score::from_expectation(node.mean));
        let best =
            |at: usize| self.tree.nodes[at].children().min_by(|&a, &b| self.compare(at, a, b));
        let nodes = std::iter::successors(Some(child), |&at| best(at));
        let pv = nodes.filter_map(|at| self.tree.nodes[at].mv).take(MAX_PLY - 1).collect();
        Variation { score, pv, ..Variation::default() }
    }

    /// Visits one leaf, and backs up its value to the root.
    fn simulate(&mut self) {
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

    /// Descends to a node that has no children or is proven.
    fn descend(&mut self) -> Vec<Step> {
        let mut steps: Vec<Step> = Vec::new();
        let mut at = ROOT;
        while self.tree.nodes[at].proof.is_none()
            && let Some(to) = self.promising_child(at)
            && let Some(mv) = self.tree.nodes[to].mv
        {
            let (plays_on, turns) = self.step(mv);
            steps.push(Step { to, plays_on, turns });
            at = to;
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
            best = best.max(Some(value.score));
            let proof = value.is_proven.then_some(value.score);
            children.push(Node::new(Some(mv), value.score.expectation(), proof));
        }
        self.tree.expand(at, &children);
        best.unwrap_or_else(|| self.worker.estimate()).expectation()
    }

    /// Averages the expectation of the leaf into the nodes on the path.
    fn back_up(&mut self, steps: &[Step], mut expectation: f32) {
        for step in steps.iter().rev() {
            expectation = before_move(expectation, step.plays_on);
            self.tree.nodes[step.to].add(expectation);
        }
        self.tree.nodes[ROOT].add(expectation);
    }

    /// Proves the nodes on the path, from the leaf up to the root, as far as their children prove them.
    fn prove(&mut self, steps: &[Step]) {
        for step in steps.iter().rev() {
            if self.tree.nodes[step.to].count > 0 {
                let Some(score) = self.proven(step.to) else { return };
                let score = if step.plays_on { score } else { -score };
                self.tree.nodes[step.to].proof = Some(score.from_node(step.turns));
            }
        }
        self.tree.nodes[ROOT].proof = self.proven(ROOT);
    }

    /// The value of a node for the side to move there, if its children prove it: one wins, or all are proven.
    fn proven(&self, at: usize) -> Option<Score> {
        let children = &self.tree.nodes[self.tree.nodes[at].children()];
        let best = children.iter().filter_map(|child| child.proof).max()?;
        let is_won = best >= Score::TABLEBASE_WIN;
        (is_won || children.iter().all(|child| child.proof.is_some())).then_some(best)
    }

    /// The child with the highest upper confidence bound (UCB1), except lost ones.
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

    /// The order of preference of two children: by proven value if their parent is proven, else by
    /// visits, lost ones last.
    fn compare(&self, at: usize, a: usize, b: usize) -> Ordering {
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

    /// Plays a move; returns whether the same side plays on, and the number of turns completed.
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

/// A step down the tree.
#[derive(Clone, Copy)]
struct Step {
    /// The node that the step led to.
    to: usize,
    /// Whether the side that moved plays on.
    plays_on: bool,
    /// The number of turns completed by the step.
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

    /// The value of a position for the side that moved to it, which may play on; its move completed `turns`.
    fn before_move(self, plays_on: bool, turns: u16) -> Self {
        let score = if plays_on { self.score } else { -self.score };
        Self { score: score.from_node(turns), ..self }
    }
}

/// The expectation of a position for the side that moved to it, which may play on.
fn before_move(expectation: f32, plays_on: bool) -> f32 {
    if plays_on { expectation } else { 1.0 - expectation }
}

fn is_lost(node: &Node) -> bool {
    node.proof.is_some_and(|score| score <= -Score::TABLEBASE_WIN)
}

/// A move and what is known about it and the position that it leads to.
///
/// Expectations and proofs are for the side that plays the move.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// The move; the root has none.
    mv: Option<Move>,
    /// The number of children; 0 until the node is expanded, and always if the game is over.
    count: u16,
    /// The index of the first child.
    first: u32,
    /// The number of visits.
    visits: u32,
    /// The mean expectation of all visits: 0 for a loss, 1 for a win.
    mean: f32,
    /// The value, if it is proven.
    proof: Option<Score>,
}

impl Node {
    /// A move visited once.
    fn new(mv: Option<Move>, mean: f32, proof: Option<Score>) -> Self {
        Self { mv, count: 0, first: 0, visits: 1, mean, proof }
    }

    /// The indices of the children.
    fn children(&self) -> Range<usize> {
        self.first as usize..self.first as usize + usize::from(self.count)
    }

    /// Adds a visit.
    fn add(&mut self, expectation: f32) {
        self.visits = self.visits.saturating_add(1);
        self.mean += (expectation - self.mean) / self.visits as f32;
    }
}

/// The nodes, starting with the root, up to a fixed number.
#[derive(Clone, Debug)]
struct Tree {
    nodes: Vec<Node>,
    /// The most nodes allowed.
    most: usize,
}

/// The index of the root.
const ROOT: usize = 0;

/// A tree that is cut back keeps at most one node in this many.
const SHARE_KEPT: usize = 8;

impl Tree {
    /// A tree with a root only, and room for `most` nodes.
    fn new(most: usize) -> Self {
        Self { nodes: vec![Node::new(None, 0.5, None)], most }
    }

    /// Gives a node its children.
    fn expand(&mut self, at: usize, children: &[Node]) {
        self.nodes[at].first = self.nodes.len() as u32;
        self.nodes[at].count = children.len() as u16;
        self.nodes.extend_from_slice(children);
    }

    /// The subtree below a node as a tree of its own.
    ///
    /// If it is too large, rarely visited nodes lose their children but keep what was learned from them.
    fn below(&self, root: usize) -> Self {
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

    /// The number of visits that a node needs to keep its children, so that about `most` nodes are left.
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

    /// The node of the game `wanted`, which continues the game `here` at the node `at` by up to `turns` turns.
    fn find<R: Rules>(
        &self,
        at: usize,
        here: &Game<R>,
        wanted: &Game<R>,
        turns: u32,
    ) -> Option<usize> {
        if here == wanted {
            return Some(at);
        }
        self.nodes[at].children().find_map(|child| {
            let node = &self.nodes[child];
            let mv = node.mv.filter(|mv| node.count > 0 && (turns > 0 || mv.is_removal()))?;
            let mut after = here.clone();
            after.play(mv).ok()?;
            self.find(child, &after, wanted, turns - u32::from(!mv.is_removal()))
        })
    }
}

/// The game and the tree of the last search, if there was one.
#[derive(Default)]
pub(in crate::search) struct Kept(Option<Box<dyn Any + Send>>);

/// The most turns after which a game is found again: one of each side.
const TURNS: u32 = 2;

impl Kept {
    /// Keeps the tree of a search.
    fn put<R: Rules>(&mut self, game: &Game<R>, tree: Tree) {
        self.0 = Some(Box::new((game.clone(), tree)));
    }

    /// Takes out the subtree of a game, if its root has exactly these moves.
    fn take<R: Rules>(&mut self, game: &Game<R>, moves: &[Move]) -> Option<Tree> {
        let (past, tree) = *self.0.take()?.downcast::<(Game<R>, Tree)>().ok()?;
        let root = tree.find(ROOT, &past, game, TURNS)?;
        let mut children = tree.nodes[root].children();
        let is_known = |at: usize| tree.nodes[at].mv.is_some_and(|mv| moves.contains(&mv));
        let has_moves = children.len() == moves.len() && children.all(is_known);
        has_moves.then(|| tree.below(root))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::search::{Algorithm, Limits, Silent};

    const SIMULATIONS: u64 = 5000;

    fn search(game: &Game, tree: Tree, simulations: u64) -> (Report, Tree) {
        let table = TranspositionTable::new(1).unwrap();
        let limits = Limits { nodes: Some(simulations), ..Limits::none() };
        let mut observer = Silent;
        let algorithm = Algorithm::default();
        let root =
            Root { game, tablebase: None, known: None, lines: &[], limits: &limits, algorithm };
        let worker = Worker::new(root, &table, &mut observer);
        let mut search = Search { worker, tree, moves: game.moves().to_vec(), simulations: 0 };
        let report = search.run();
        (report, search.tree)
    }

    #[test]
    fn a_tree_cut_back_keeps_what_it_learned() {
        let game = Game::new();
        let most = 2000;
        let (report, tree) = search(&game, Tree::new(most), SIMULATIONS);
        assert_eq!(report.nodes, SIMULATIONS);
        assert!(tree.nodes.len() <= most && report.table_use <= 1000);
        assert_eq!(u64::from(tree.nodes[ROOT].visits), 1 + SIMULATIONS);
        let visits = tree.nodes[ROOT].children().map(|child| u64::from(tree.nodes[child].visits));
        assert_eq!(visits.sum::<u64>(), 24 + SIMULATIONS - 1);
    }

    #[test]
    fn the_tree_of_a_game_that_goes_on_is_used_again() {
        let mut game = Game::new();
        let (report, tree) = search(&game, Tree::new(TREE_NODES), SIMULATIONS);
        let mut kept = Kept::default();
        kept.put(&game, tree.clone());
        let all = kept.take(&game, &game.moves()).unwrap();
        assert_eq!(all.nodes[ROOT].visits, tree.nodes[ROOT].visits);

        let line = &report.pv()[..2];
        for &mv in line {
            game.play(mv).unwrap();
        }
        kept.put(&Game::new(), tree.clone());
        let rest = kept.take(&game, &game.moves()).unwrap();
        assert!(rest.nodes[ROOT].visits > 10 && (2..tree.nodes.len()).contains(&rest.nodes.len()));
        assert_eq!(rest.nodes[ROOT].children().len(), 22);
        assert!(kept.take(&game, &game.moves()).is_none(), "taken out");

        kept.put(&Game::new(), tree.clone());
        assert!(kept.take(&game, &game.moves()[1..]).is_none(), "another choice of moves");
        kept.put(&game, tree);
        assert!(kept.take(&Game::new(), &game.moves()).is_none(), "another game");
    }
}
