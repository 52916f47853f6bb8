//! Monte-Carlo tree search: UCT over leaves that are estimated, not played out.
//!
//! A simulation goes down the tree, at each node to the child with the best upper confidence bound,
//! until it finds a node without children. It evaluates every move there, and averages the value of
//! the best one into the nodes on its way. Proven values go up too: a node with a winning move is
//! won, and one whose moves are all proven has the value of the best.
//!
//! Nothing is random. A depth stands for a number of simulations, twice as many for each depth more.
//!
//! See: Levente Kocsis and Csaba Szepesvári, "Bandit Based Monte-Carlo Planning", 2006; Mark
//! Winands, Yngvi Björnsson and Jahn-Takeshi Saito, "Monte-Carlo Tree Search Solver", 2008.

mod simulation;
mod tree;

pub(super) use tree::Kept;

use super::features::Full;
use super::observer::{Observer, Progress, Report, Variation};
use super::parameters::{FIRST_SIMULATIONS, MAX_PLY, SIMULATIONS_PER_POLL, TREE_NODES};
use super::worker::{Context, Root, Worker};
use crate::position::{MAX_MOVES, Move};
use crate::rules::Rules;
use crate::score::{Bound, Score};
use tree::{ROOT, Tree};

/// A search on its way through the tree.
struct Search<'a, R: Rules> {
    worker: Worker<'a, R, Full>,
    tree: Tree,
    /// The moves to choose from.
    moves: Vec<Move>,
    simulations: u64,
}

/// Looks for the best of the moves; the tree is kept for the next search.
pub(super) fn search<R: Rules>(
    context: Context<'_, R>,
    kept: &mut Kept,
    moves: Vec<Move>,
    observer: &mut dyn Observer,
) -> Report {
    let tree = kept.take(context.root.game, &moves).unwrap_or_else(|| Tree::new(TREE_NODES));
    let worker = Worker::new(context, observer);
    let mut search = Search { worker, tree, moves, simulations: 0 };
    let report = search.run();
    kept.put(context.root.game, search.tree);
    report
}

impl<R: Rules> Search<'_, R> {
    fn run(&mut self) -> Report {
        self.solve_root();
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
            // Each depth takes twice as many as the one before.
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
        let mut variations = self.worker.root.with_known_lines(&found);
        for (index, line) in variations.iter().enumerate() {
            let progress = Progress {
                nodes: self.simulations,
                table_use: self.tree.permille_used(),
                ..self.worker.progress(depth, index + 1, line.clone())
            };
            self.worker.observer.progress(&progress);
        }
        if variations.is_empty() {
            variations.push(Variation { pv: self.moves[..1].to_vec(), ..Variation::default() });
        }
        let (nodes, tablebase_hits) = (self.simulations, self.worker.own.tablebase_hits);
        Report { depth, lines: variations, nodes, tablebase_hits, known: None }
    }

    /// The score of a child, a win or loss only where it is proven, and the best play for both sides
    /// as far as the tree goes.
    fn variation(&self, child: usize) -> Variation {
        let node = &self.tree.nodes[child];
        let score = node.proof.unwrap_or(Score::from_expectation(node.mean));
        let best =
            |at: usize| self.tree.nodes[at].children().min_by(|&a, &b| self.compare(at, a, b));
        let nodes = std::iter::successors(Some(child), |&at| best(at));
        let pv = nodes.filter_map(|at| self.tree.nodes[at].mv).take(MAX_PLY - 1).collect();
        Variation { score, bound: Bound::Exact, pv }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::search::{Algorithm, Limits, Silent, TranspositionTable};

    const SIMULATIONS: u64 = 5000;

    fn search(game: &Game, tree: Tree, simulations: u64) -> (Report, Tree) {
        let table = TranspositionTable::new(1).unwrap();
        let limits = Limits { nodes: Some(simulations), ..Limits::none() };
        let mut observer = Silent;
        let root = Root { game, tablebase: None, known: None, lines: &[], limits: &limits };
        let context = Context { root, table: &table, algorithm: Algorithm::default() };
        let worker = Worker::new(context, &mut observer);
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
        assert!(tree.nodes.len() <= most && tree.permille_used() <= 1000);
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
