//! The state of one thread of a search, and the steps that every node takes.

use std::marker::PhantomData;

use super::hooks::{Features, History, Killers};
use super::limits::Limits;
use super::observer::Observer;
use super::parameters::NODES_PER_POLL;
use super::threads::{Shared, Tally};
use super::tt::TranspositionTable;
use crate::game::Game;
use crate::position::{Move, Position};
use crate::rules::{DrawRules, Rules};
use crate::score::{Score, Window};
use crate::tablebase::Tablebase;

/// The search was told to end, or another thread has the answer; what it was looking at has no
/// value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stopped;

/// One thread of a search, on its way through the tree.
pub(super) struct Worker<'a, R: Rules, F: Features> {
    pub(super) position: Position<R>,
    /// Keys of the positions since the last irreversible move before the root, down to this one.
    pub(super) path: Vec<u64>,
    /// Moves from the root to this position.
    pub(super) ply: usize,
    /// Turns from the root to this position: moves less removals.
    pub(super) turns: u16,
    pub(super) nodes: u64,
    pub(super) deepest_ply: usize,
    /// Positions that the databases knew.
    pub(super) tablebase_hits: u64,
    pub(super) killers: Killers,
    pub(super) history: History,
    pub(super) table: &'a TranspositionTable,
    pub(super) tablebase: Option<&'a Tablebase>,
    pub(super) game: &'a Game<R>,
    pub(super) draw_rules: DrawRules,
    pub(super) limits: &'a Limits,
    pub(super) shared: &'a Shared<'a>,
    /// The least depth below a move that other threads learn of; none is so deep for one alone.
    pub(super) least_shared: u32,
    /// The number of the question that this thread works on; 0 if it asks no other thread.
    pub(super) question: u64,
    observer: &'a mut dyn Observer,
    /// How many nodes this thread may visit in all.
    pub(super) most_nodes: u64,
    /// Whether the limits and the observer may end the search now.
    pub(super) may_end: bool,
    next_poll: u64,
    /// Nodes and database hits that the tally has.
    told: (u64, u64),
    features: PhantomData<F>,
}

impl<'a, R: Rules, F: Features> Worker<'a, R, F> {
    pub(super) fn new(
        game: &'a Game<R>,
        shared: &'a Shared<'a>,
        observer: &'a mut dyn Observer,
    ) -> Self {
        let position = *game.position();
        Self {
            position,
            path: path_to(game),
            ply: 0,
            turns: 0,
            nodes: 0,
            deepest_ply: 0,
            tablebase_hits: 0,
            killers: Killers::default(),
            history: History::default(),
            table: shared.table,
            tablebase: shared.tablebase,
            game,
            draw_rules: game.draw_rules(),
            limits: shared.limits,
            shared,
            least_shared: shared.least_depth,
            question: 0,
            observer,
            most_nodes: u64::MAX,
            may_end: true,
            next_poll: NODES_PER_POLL.min(shared.limits.nodes.unwrap_or(u64::MAX)),
            told: (0, 0),
            features: PhantomData,
        }
    }

    /// Who is told of the search.
    pub(super) fn observer(&mut self) -> &mut dyn Observer {
        self.observer
    }

    /// Counts a node, and looks now and then whether the search has to end.
    #[inline]
    pub(super) fn count_node(&mut self) -> Result<(), Stopped> {
        self.nodes += 1;
        if self.nodes >= self.next_poll { self.poll() } else { Ok(()) }
    }

    /// Changes how many nodes this thread may visit in all.
    pub(super) fn set_most_nodes(&mut self, most: u64) {
        self.most_nodes = most;
        self.next_poll = self.nodes.min(most);
    }

    #[cold]
    fn poll(&mut self) -> Result<(), Stopped> {
        let nodes = self.add_to_tally().nodes();
        let left = self.limits.nodes.unwrap_or(u64::MAX).saturating_sub(nodes);
        let own_left = self.most_nodes.saturating_sub(self.nodes);
        self.next_poll = self.nodes + NODES_PER_POLL.min(left).min(own_left);
        let is_up = || left == 0 || self.limits.clock.is_past_hard();
        if self.may_end && (is_up() || self.observer.should_stop(nodes)) {
            self.shared.stop();
        }
        if own_left == 0 || self.is_superfluous() { Err(Stopped) } else { Ok(()) }
    }

    /// Adds what this thread has counted to what all threads count.
    pub(super) fn add_to_tally(&mut self) -> &'a Tally {
        let (nodes, hits) = self.told;
        let tally = &self.shared.tally;
        tally.add(self.nodes - nodes, self.tablebase_hits - hits, self.deepest_ply);
        self.told = (self.nodes, self.tablebase_hits);
        tally
    }

    /// The value of a move for the side that plays it; `depth` is what is left below it.
    #[inline]
    pub(super) fn child(&mut self, mv: Move, window: Window, depth: u32) -> Result<Score, Stopped> {
        if depth < self.least_shared {
            self.own_child(mv, window, depth)
        } else {
            self.shared_child(mv, window, depth)
        }
    }

    /// The same while the other threads know of it.
    #[cold]
    #[inline(never)]
    fn shared_child(&mut self, mv: Move, window: Window, depth: u32) -> Result<Score, Stopped> {
        self.shared.busy.enter(self.position.key(), mv);
        let score = self.own_child(mv, window, depth);
        self.shared.busy.leave(self.position.key(), mv);
        score
    }

    #[inline]
    fn own_child(&mut self, mv: Move, window: Window, depth: u32) -> Result<Score, Stopped> {
        let side = self.position.to_move();
        let before = self.position;
        self.position = before.after(mv);
        self.path.push(self.position.key());
        self.ply += 1;
        let turns = u16::from(self.position.ended_turn(side));
        self.turns += turns;
        let score = if self.position.plays_on(side) {
            self.node(window, depth)
        } else {
            self.node(-window, depth).map(|score| -score)
        };
        self.turns -= turns;
        self.ply -= 1;
        self.path.pop();
        self.position = before;
        score
    }
}

/// Keys of the positions since the last irreversible move of a game, its last position included.
pub(super) fn path_to<R: Rules>(game: &Game<R>) -> Vec<u64> {
    let key = game.position().key();
    let mut path = game.reversible_keys().to_vec();
    if path.last() != Some(&key) {
        path.push(key);
    }
    path
}
