//! A fixed piece of work: searches whose node count is a signature of the engine's play.

mod positions;

use std::fmt;
use std::time::{Duration, Instant};

pub use positions::POSITIONS;

use crate::clusters::SizeError;
use crate::game::Game;
use crate::rules::{DrawRules, Standard};
use crate::search::{Engine, Limits, Observer};

/// The depth of each search if nothing else is asked for.
pub const DEPTH: u32 = 9;

const TABLE_MEBIBYTES: usize = 16;

/// What the searches took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The depth of each search.
    pub depth: u32,
    /// Positions visited, the same on every machine.
    pub nodes: u64,
    /// The time of all searches together.
    pub time: Duration,
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.time.as_secs_f64();
        let rate = self.nodes as f64 / seconds.max(1e-9);
        writeln!(f, "positions {:>12}", POSITIONS.len())?;
        writeln!(f, "depth     {:>12}", self.depth)?;
        writeln!(f, "seconds   {seconds:>12.3}")?;
        writeln!(f, "nodes/s   {rate:>12.0}")?;
        write!(f, "nodes     {:>12}", self.nodes)
    }
}

/// Searches every position to a depth with one thread, each from an empty table, unless the
/// observer breaks it off.
///
/// # Errors
///
/// When the memory for the table cannot be had.
///
/// # Panics
///
/// Never: the positions are tested.
pub fn run(depth: u32, observer: &mut dyn Observer) -> Result<Summary, SizeError> {
    let mut engine = Engine::new(TABLE_MEBIBYTES)?;
    let (mut nodes, start) = (0, Instant::now());
    for text in POSITIONS {
        let game = Game::from_text(text, Standard, DrawRules::default());
        let game = game.expect("the positions are tested");
        engine.clear();
        nodes += engine.search(&game, &Limits::to_depth(depth), observer).nodes;
        if observer.should_stop(nodes) {
            break;
        }
    }
    Ok(Summary { depth, nodes, time: start.elapsed() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Phase;
    use crate::search::Silent;

    #[test]
    fn positions_are_many_and_of_all_kinds() {
        let games = POSITIONS.map(|text| Game::from_text(text, Standard, DrawRules::default()));
        let games = games.map(|game| game.expect("a position text"));
        assert!(games.len() >= 40);
        assert!(games.iter().all(|game| game.outcome().is_none()));
        let count = |is_kind: fn(&Game<Standard>) -> bool| {
            games.iter().filter(|game| is_kind(game)).count()
        };
        assert!(count(|game| game.position().phase() == Phase::Placing) >= 10);
        assert!(count(|game| game.position().phase() == Phase::Moving) >= 10);
        assert!(count(|game| game.position().pending() > 0) >= 3);
        assert!(count(|game| game.position().may_fly(game.position().to_move())) >= 3);
    }

    #[test]
    fn the_signature_is_the_same_each_time() {
        let nodes = || run(4, &mut Silent).unwrap().nodes;
        assert_eq!(nodes(), nodes());
    }
}
