//! One thread of a search: its place in the tree, what it uses, and when it has to stop.

use std::marker::PhantomData;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use super::engine::Algorithm;
use super::known_root::{Class, KnownRoot};
use super::limits::Limits;
use super::movepick::Ordering;
use super::parameters::{FEWEST_NODES_PER_POLL, Features, NODES_PER_POLL, SLOW_POLL};
use super::report::{Observer, Report, Variation};
use super::threads::{Busy, Counts, Member};
use super::tt::TranspositionTable;
use crate::board::Side;
use crate::evaluate::{chances, evaluate};
use crate::game::Game;
use crate::position::{Phase, Position, spread};
use crate::rules::{DrawRules, Rules};
use crate::score::Score;
use crate::tablebase::Tablebase;

/// The search was stopped, or another thread has finished the pass: there is no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stopped;

/// The result of a search, unless it was stopped.
pub(super) type Found<T = Score> = Result<T, Stopped>;

/// The root of a search, and how it is searched.
#[derive(Clone, Copy)]
pub(super) struct Root<'a, R: Rules> {
    pub(super) game: &'a Game<R>,
    /// The tablebase that is probed in the tree.
    pub(super) tablebase: Option<&'a Tablebase>,
    /// The known values of the root moves.
    pub(super) known: Option<&'a KnownRoot>,
    /// Variations of known moves that are not searched, to report along with searched ones.
    pub(super) lines: &'a [Variation],
    pub(super) limits: &'a Limits,
    pub(super) algorithm: Algorithm,
}

impl<R: Rules> Root<'_, R> {
    /// The MultiPV lines: the lines found by a search, in its order, with each known line before the first worse one.
    pub(super) fn with_known_lines(&self, found: &[Variation]) -> Vec<Variation> {
        let mut lines = found.to_vec();
        for known in self.lines {
            let at = lines.iter().position(|line| line.score < known.score);
            lines.insert(at.unwrap_or(lines.len()), known.clone());
        }
        lines.truncate(self.limits.multi_pv.max(found.len()));
        lines
    }
}

/// One thread of a search, at a position of the tree.
pub(super) struct Worker<'a, R: Rules, F: Features> {
    pub(super) position: Position<R>,
    /// Keys of the positions since the last irreversible move before the root, down to this one.
    pub(super) path: Vec<u64>,
    /// Moves from the root to this position.
    pub(super) ply: usize,
    /// Completed turns from the root to this position.
    pub(super) turns: u16,
    /// Extensions from the root to this position.
    pub(super) extended: u32,
    /// The counts of this thread.
    pub(super) own: Counts,
    /// The place in the path of the earliest position on which, through a draw, the value just
    /// found depends; `usize::MAX` if on none.
    pub(super) rests_on: usize,
    pub(super) ordering: Ordering,
    pub(super) root: Root<'a, R>,
    pub(super) draw_rules: DrawRules,
    pub(super) table: &'a TranspositionTable,
    /// The side to move at the root, if the root is a known draw.
    pub(super) holder: Option<Side>,
    /// The side to move at the root, if the root is a known win in the placing phase: the search has to find the way.
    pub(super) winner: Option<Side>,
    /// The salt of the keys of table entries.
    pub(super) key_salt: u64,
    /// Whether lines of this pass may end by the n-move rule.
    pub(super) is_near_n_move_rule: bool,
    /// This thread's part in a search by several threads.
    pub(super) team: Option<Member<'a>>,
    pub(super) observer: &'a mut dyn Observer,
    /// The most nodes that this thread may visit.
    pub(super) most_nodes: u64,
    /// Whether the limits and the observer may end the search now.
    pub(super) may_end: bool,
    is_stopped: bool,
    /// The number of nodes after which the next node polls first.
    pub(super) next_poll: u64,
    /// Nodes from the last poll to the next.
    poll_interval: u64,
    /// The time of the last poll.
    last_poll: Duration,
    /// The number of nodes after which the tablebase checks again what is in memory.
    next_look: u64,
    features: PhantomData<F>,
}

impl<'a, R: Rules, F: Features> Worker<'a, R, F> {
    /// A thread at the root that searches alone.
    pub(super) fn new(
        root: Root<'a, R>,
        table: &'a TranspositionTable,
        observer: &'a mut dyn Observer,
    ) -> Self {
        let Root { game, known, limits, .. } = root;
        let class = known.map(KnownRoot::class);
        let to_move = game.to_move();
        let is_placing = game.position().phase() == Phase::Placing;
        let winner = (class == Some(Class::Won) && is_placing).then_some(to_move);
        // Scores found without the positions up to the root that draw when reached again may come from lines through
        // them. Multiplies because the keys of moves back and forth would cancel each other out.
        let past_salt = game.repeated_keys().fold(0, |salt: u64, key| spread(salt ^ key));
        let mate_salt = limits.mate.map_or(0, |_| MATE_SALT);
        Self {
            position: *game.position(),
            path: path_to(game),
            ply: 0,
            turns: 0,
            extended: 0,
            own: Counts::default(),
            rests_on: usize::MAX,
            ordering: Ordering::default(),
            root,
            draw_rules: game.draw_rules(),
            table,
            holder: (class == Some(Class::Drawn)).then_some(to_move),
            winner,
            key_salt: key_salt(class, winner, to_move) ^ past_salt ^ mate_salt,
            is_near_n_move_rule: false,
            team: None,
            observer,
            most_nodes: u64::MAX,
            may_end: true,
            is_stopped: false,
            next_poll: FEWEST_NODES_PER_POLL.min(limits.nodes.unwrap_or(u64::MAX)),
            poll_interval: FEWEST_NODES_PER_POLL,
            last_poll: limits.clock.elapsed(),
            next_look: NODES_PER_POLL,
            features: PhantomData,
        }
    }

    /// The static evaluation: of the winning chances, if the root is a known draw.
    #[inline]
    pub(super) fn estimate(&self) -> Score {
        let estimate = evaluate(&self.position);
        self.holder.map_or(estimate, |holder| chances(&self.position, estimate, holder))
    }

    /// Marks of the moves that other threads search, if there are other threads.
    #[inline]
    pub(super) fn busy(&self) -> Option<&'a Busy> {
        self.team.as_ref().map(|member| &member.team.busy)
    }

    /// Records an extension.
    #[cold]
    pub(super) fn extend(&mut self) {
        self.extended += 1;
        // Probes of all threads read neighbouring memory, so the maximum is written only when it rises.
        if self.table.most_extended.load(Relaxed) < self.extended {
            self.table.most_extended.fetch_max(self.extended, Relaxed);
        }
    }

    /// Whether the search must not wait for the disk: it is timed, or has to stop.
    pub(super) fn is_in_a_hurry(&mut self) -> bool {
        self.root.limits.clock.is_timed()
            || self.team.as_ref().is_some_and(Member::is_superfluous)
            || self.observer.should_stop(self.own.nodes)
    }

    /// Sets the most nodes that this thread may visit.
    pub(super) fn set_most_nodes(&mut self, most: u64) {
        self.most_nodes = most;
        self.next_poll = self.own.nodes;
    }

    /// Polls the limits and the observer.
    #[cold]
    pub(super) fn poll(&mut self) -> Found<()> {
        if self.own.nodes >= self.next_look {
            self.next_look = self.own.nodes + NODES_PER_POLL;
            if let Some(tablebase) = self.root.tablebase {
                tablebase.look_again();
            }
        }
        let nodes = self.counts().nodes;
        let left = self.root.limits.nodes.unwrap_or(u64::MAX).saturating_sub(nodes);
        let share = left.div_ceil(self.team.as_ref().map_or(1, |member| member.team.size));
        let own_left = self.most_nodes.saturating_sub(self.own.nodes);
        // The interval is short while nodes take long: the first nodes that touch a page of the transposition table
        // wait until the system has cleared it, up to several milliseconds for a huge page.
        let now = self.root.limits.clock.elapsed();
        let is_slow = now.saturating_sub(self.last_poll) >= SLOW_POLL;
        self.last_poll = now;
        let longer = (2 * self.poll_interval).min(NODES_PER_POLL);
        self.poll_interval = if is_slow { FEWEST_NODES_PER_POLL } else { longer };
        self.next_poll = self.own.nodes + self.poll_interval.min(share).min(own_left);
        let is_up = || left == 0 || self.root.limits.clock.is_past_hard();
        if self.may_end && (is_up() || self.observer.should_stop(nodes)) {
            self.is_stopped = true;
            if let Some(member) = &self.team {
                member.team.stop();
            }
        }
        let is_superfluous = self.team.as_ref().is_some_and(Member::is_superfluous);
        if own_left == 0 || self.is_stopped || is_superfluous { Err(Stopped) } else { Ok(()) }
    }

    /// The counts of all threads, up to date for this one.
    pub(super) fn counts(&mut self) -> Counts {
        match &mut self.team {
            Some(member) => member.count(self.own),
            None => self.own,
        }
    }

    /// The state of the search with these MultiPV lines.
    pub(super) fn report(&mut self, depth: u32, lines: Vec<Variation>) -> Report {
        let Counts { nodes, tablebase_hits, deepest_ply } = self.counts();
        let table_use = self.table.permille_used();
        let report = Report { depth, lines, nodes, tablebase_hits, table_use, ..Report::default() };
        report.reaching(deepest_ply as u32)
    }

    /// The report as the observer is told it: with scores that agree with what is known of the root.
    pub(super) fn rated(&self, mut report: Report) -> Report {
        if let Some(known) = self.root.known {
            report.lines.iter_mut().for_each(|line| known.rate(line));
        }
        report
    }
}

/// Keys of the positions since the last irreversible move of a game, including its last position. Positions
/// that have occurred only once, so that a return to them is no draw yet, are replaced by a dummy key.
pub(super) fn path_to<R: Rules>(game: &Game<R>) -> Vec<u64> {
    const UNTOLD: u64 = 0;
    let (key, keys) = (game.position().key(), game.reversible_keys());
    let told: Vec<u64> = game.repeated_keys().chain([key]).collect();
    let path = keys.iter().map(|key| if told.contains(key) { *key } else { UNTOLD });
    let mut path: Vec<u64> = path.collect();
    if keys.last() != Some(&key) {
        path.push(key);
    }
    path
}

/// The key salt of a search for a mate: other searches may have missed it.
pub(super) const MATE_SALT: u64 = 0x5BD8_E41F_06A9_37C4;

/// The key salt for what is known about the root: scores found under different knowledge must not
/// share entries. There are salts for draws held by either side, for wins of either side in the
/// placing phase, and for lost roots, which are searched without the tablebase.
fn key_salt(known: Option<Class>, winner: Option<Side>, to_move: Side) -> u64 {
    match (known, winner, to_move) {
        (_, Some(Side::White), _) => 0xA94D_37C2_6E0B_58F1,
        (_, Some(Side::Black), _) => 0x1E63_F80A_B5C7_94D2,
        (Some(Class::Drawn), _, Side::White) => 0x7C1B_5A2E_93D4_F086,
        (Some(Class::Drawn), _, Side::Black) => 0xE8A3_0C6D_51BF_2794,
        (Some(Class::Lost | Class::Blessed), ..) => 0x35F2_9DB7_C04E_618A,
        _ => 0,
    }
}
