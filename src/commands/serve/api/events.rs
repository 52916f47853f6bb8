//! The events of a search while it goes on.

use std::time::{Duration, Instant};

use millstone::analysis::WhiteLine;
use millstone::board::Side;
use millstone::search::{KnownRoot, Observer, Progress, Variation};
use serde_json::json;

use crate::commands::serve::reply::EventSender;
use crate::commands::serve::searches::Watcher;

/// The shortest time between two events.
const INTERVAL: Duration = Duration::from_millis(100);

/// Sends what a search finds, and stops it when nobody reads that.
pub struct Reporter<'a> {
    events: &'a EventSender,
    watcher: Watcher,
    /// What knows the moves, if they are known.
    source: &'static str,
    /// The side to move.
    side: Side,
    /// How many lines an iteration has.
    most: usize,
    /// Whether the tablebase knows all moves: then the first line tells more than the others, and those
    /// may take long to look up.
    is_known: bool,
    /// The last iteration, and whether some of it was not sent.
    has_news: bool,
    lines: Vec<Variation>,
    depth: u32,
    nodes: u64,
    sent: Option<Instant>,
}

impl<'a> Reporter<'a> {
    /// * `source`: what the tablebase is called if it knows the moves.
    pub fn new(
        events: &'a EventSender,
        watcher: Watcher,
        source: &'static str,
        side: Side,
        most: usize,
    ) -> Self {
        Self {
            events,
            watcher,
            source,
            side,
            most,
            is_known: false,
            has_news: false,
            lines: Vec::new(),
            depth: 0,
            nodes: 0,
            sent: None,
        }
    }

    /// Sends the last iteration, unless one was sent just before.
    fn send(&mut self) {
        let is_due = self.sent.is_none_or(|sent| sent.elapsed() >= INTERVAL);
        if self.has_news && is_due {
            (self.has_news, self.sent) = (false, Some(Instant::now()));
            let lines = WhiteLine::all(&self.lines, self.side);
            let share = lines.first().map(|line| line.score.share());
            let (depth, nodes) = (self.depth, self.nodes);
            let found = json!({"depth": depth, "nodes": nodes, "share": share, "lines": lines});
            self.events.send_if_idle("progress", &found);
        }
    }
}

impl Observer for Reporter<'_> {
    fn known_root(&mut self, known: &KnownRoot) {
        let (moves, holding) = (known.moves(), known.count_keeping());
        let found = json!({"source": self.source, "moves": moves, "holding": holding});
        self.events.send_if_idle("known", &found);
        self.is_known = true;
        // Those that give value away are not searched.
        self.most = self.most.min(known.count_keeping());
    }

    fn progress(&mut self, progress: &Progress<'_>) {
        if progress.rank == 1 {
            // An iteration may have fewer lines than there are legal moves.
            self.send();
            self.lines.clear();
        }
        (self.depth, self.nodes, self.has_news) = (progress.depth, progress.nodes, true);
        self.lines.push(Variation::from(progress));
        if progress.rank == self.most || self.is_known && self.sent.is_none() {
            self.send();
        }
    }

    fn should_stop(&mut self, _nodes: u64) -> bool {
        self.watcher.is_stopped()
    }
}
