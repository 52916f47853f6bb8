//! A fixed piece of work: searches whose node count is a signature of the engine's play.

mod positions;

use std::fmt;
use std::time::{Duration, Instant};

pub use positions::POSITIONS;

use crate::clusters::SizeError;
use crate::game::Game;
use crate::position::Position;
use crate::rules::{DrawRules, RuleSet, Rules, Standard};
use crate::search::{Engine, Limits, Observer};

/// The depth of each search if nothing else is asked for.
pub const DEPTH: u32 = 9;

/// The positions of a game that has no list of its own, some of which may be over.
const GAMES: usize = 30;

const TABLE_MEBIBYTES: usize = 16;

/// What the searches took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The depth of each search.
    pub depth: u32,
    /// Positions searched.
    pub positions: usize,
    /// Positions visited, the same on every machine.
    pub nodes: u64,
    /// The time of all searches together.
    pub time: Duration,
}

impl Summary {
    /// Nodes a second.
    #[must_use]
    pub fn rate(&self) -> f64 {
        self.nodes as f64 / self.time.as_secs_f64().max(1e-9)
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.time.as_secs_f64();
        writeln!(f, "positions {:>12}", self.positions)?;
        writeln!(f, "depth     {:>12}", self.depth)?;
        writeln!(f, "seconds   {seconds:>12.3}")?;
        writeln!(f, "nodes/s   {:>12.0}", self.rate())?;
        write!(f, "nodes     {:>12}", self.nodes)
    }
}

/// Searches the positions of a game to a depth with one thread, each from an empty table, unless
/// the observer breaks it off.
///
/// # Errors
///
/// When the memory for the table cannot be had.
///
/// # Panics
///
/// Never: the positions are tested.
pub fn run(rules: &RuleSet, depth: u32, observer: &mut dyn Observer) -> Result<Summary, SizeError> {
    if rules.is_standard() {
        let games = POSITIONS.map(|text| Game::from_text(text, Standard, DrawRules::default()));
        search(games.map(|game| game.expect("the positions are tested")), depth, observer)
    } else {
        search((0..GAMES).filter_map(|number| game_in_progress(*rules, number)), depth, observer)
    }
}

/// A game of the given rules after some moves, unless it has ended: every `step`th move of the
/// list in turn, so that the position depends on nothing but the rules.
fn game_in_progress<R: Rules>(rules: R, number: usize) -> Option<Game<R>> {
    let mut game = Game::from_position(Position::start(rules), DrawRules::default());
    let (plies, step) = (number * 2, 7 + 2 * number);
    for ply in 0..plies {
        let moves = game.moves();
        let mv = moves.get(ply * step % moves.len().max(1))?;
        game.play(*mv).ok()?;
    }
    game.outcome().is_none().then_some(game)
}

fn search<R: Rules>(
    games: impl IntoIterator<Item = Game<R>>,
    depth: u32,
    observer: &mut dyn Observer,
) -> Result<Summary, SizeError> {
    let mut engine = Engine::new(TABLE_MEBIBYTES)?;
    let (mut positions, mut nodes, start) = (0, 0, Instant::now());
    for game in games {
        engine.clear();
        positions += 1;
        nodes += engine.search(&game, &Limits::to_depth(depth), observer).nodes;
        if observer.should_stop(nodes) {
            break;
        }
    }
    Ok(Summary { depth, positions, nodes, time: start.elapsed() })
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
        let nodes = || run(&RuleSet::default(), 4, &mut Silent).unwrap().nodes;
        assert_eq!(nodes(), nodes());
    }
}
