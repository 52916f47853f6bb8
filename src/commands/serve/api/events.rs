//! The events of a search while it goes on.

use std::mem;
use std::time::{Duration, Instant};

use millstone::board::Side;
use millstone::search::{KnownRoot, Observer, Progress, Variation};
use serde::Serialize;

use crate::commands::json::analysis::{JsonKnownMove, JsonVariation};
use crate::commands::serve::reply::EventSender;
use crate::commands::serve::searches::Stopped;

/// The shortest time between two events.
const INTERVAL: Duration = Duration::from_millis(100);

/// Sends what a search finds, and stops it when nobody reads that.
pub struct Reporter<'a> {
    events: &'a EventSender,
    stopped: Stopped,
    /// The side to move.
    side: Side,
    /// How many lines an iteration has.
    most: usize,
    /// The last iteration, until it is sent.
    lines: Vec<Variation>,
    depth: u32,
    nodes: u64,
    sent: Option<Instant>,
}

/// What the tablebase knows of the moves.
#[derive(Serialize)]
struct Known {
    moves: Vec<JsonKnownMove>,
    holding: usize,
}

/// What an iteration found.
#[derive(Serialize)]
struct Iteration {
    depth: u32,
    nodes: u64,
    lines: Vec<JsonVariation>,
}

impl<'a> Reporter<'a> {
    pub fn new(events: &'a EventSender, stopped: Stopped, side: Side, most: usize) -> Self {
        Self { events, stopped, side, most, lines: Vec::new(), depth: 0, nodes: 0, sent: None }
    }

    /// Sends the last iteration, unless one was sent just before.
    fn send(&mut self) {
        let is_due = self.sent.is_none_or(|sent| sent.elapsed() >= INTERVAL);
        if !self.lines.is_empty() && is_due {
            self.sent = Some(Instant::now());
            let lines = JsonVariation::all(&mem::take(&mut self.lines), self.side);
            let iteration = Iteration { depth: self.depth, nodes: self.nodes, lines };
            self.events.send_if_idle("progress", &iteration);
        }
    }
}

impl Observer for Reporter<'_> {
    fn known_root(&mut self, known: &KnownRoot) {
        let known = Known { moves: JsonKnownMove::all(known), holding: known.count_keeping() };
        self.events.send_if_idle("known", &known);
    }

    fn progress(&mut self, progress: &Progress<'_>) {
        if progress.rank == 1 {
            // An iteration may have fewer lines than there are legal moves.
            self.send();
            self.lines.clear();
        }
        (self.depth, self.nodes) = (progress.depth, progress.nodes);
        self.lines.push(Variation { score: progress.score, pv: progress.pv.to_vec() });
        if progress.rank >= self.most {
            self.send();
        }
    }

    fn should_stop(&mut self, _nodes: u64) -> bool {
        self.stopped.is_stopped()
    }
}

/// Stops a search when nobody waits for it.
pub struct Watcher(pub Stopped);

impl Observer for Watcher {
    fn progress(&mut self, _progress: &Progress<'_>) {}

    fn should_stop(&mut self, _nodes: u64) -> bool {
        self.0.is_stopped()
    }
}
