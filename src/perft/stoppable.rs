//! Perft that can be broken off.

use super::Hooks;
use crate::position::Position;
use crate::rules::Rules;

/// Nodes nearer to the leaves than this are not worth asking at.
const LEAST_DEPTH: u32 = 4;

/// Other hooks that end the walk soon after `should_stop` says so; the count is worthless then.
#[derive(Clone)]
pub struct Stoppable<H, S> {
    hooks: H,
    should_stop: S,
}

impl<H, S> Stoppable<H, S> {
    /// Adds a way to stop to hooks.
    pub fn new(hooks: H, should_stop: S) -> Self {
        Self { hooks, should_stop }
    }
}

impl<R: Rules, H: Hooks<R>, S: Fn() -> bool> Hooks<R> for Stoppable<H, S> {
    fn visit(&mut self, position: &Position<R>, depth: u32) {
        self.hooks.visit(position, depth);
    }

    fn leaf(&mut self, position: &Position<R>, depth: u32) -> Option<u64> {
        self.hooks.leaf(position, depth)
    }

    fn find(&mut self, position: &Position<R>, depth: u32) -> Option<u64> {
        let is_stopped = depth >= LEAST_DEPTH && (self.should_stop)();
        if is_stopped { Some(0) } else { self.hooks.find(position, depth) }
    }

    fn insert(&mut self, position: &Position<R>, depth: u32, count: u64) {
        self.hooks.insert(position, depth, count);
    }
}
