//! How often the search alone finds a turn that keeps what a critical position is worth.
//!
//! `MILLSTONE_MOVETIME` (in milliseconds) asks for all positions with so much time for each move, one
//! after another, and prints the shares.

use std::env;
use std::sync::Arc;
use std::time::Duration;

use crate::critical_positions::{Critical, MOVING, PLACING};
use millstone::search::{Budget, Clock, Engine, Limits};
use rayon::prelude::*;

/// What each move may cost without a time.
const NODES: u64 = 10_000;
/// A debug build has time for this part of the positions only.
const SHARE: usize = if cfg!(debug_assertions) { 20 } else { 1 };

/// The least share of positions whose value is kept with few nodes, in percent.
const LEAST_MOVING: f64 = 90.0;
const LEAST_PLACING: f64 = 85.0;

fn engine() -> Engine {
    Engine::new(16).expect("the memory for a table")
}

fn percent(kept: &[bool]) -> f64 {
    kept.iter().filter(|kept| **kept).count() as f64 * 100.0 / kept.len() as f64
}

/// Which values are kept with so much time for each move.
fn with_time(positions: &[Critical], milliseconds: u64) -> Vec<bool> {
    let mut engine = engine();
    let limits = || {
        let budget = Budget::for_move(Duration::from_millis(milliseconds), Duration::ZERO);
        Limits { clock: Arc::new(Clock::started(budget)), ..Limits::none() }
    };
    positions.iter().map(|position| position.is_kept_by(&mut engine, limits)).collect()
}

fn with_nodes(positions: &[Critical]) -> Vec<bool> {
    let limits = || Limits { nodes: Some(NODES), ..Limits::none() };
    let positions = positions.par_iter().step_by(SHARE);
    positions.map_init(engine, |engine, position| position.is_kept_by(engine, limits)).collect()
}

fn compare(name: &str, list: &'static str, least: f64) {
    let positions = Critical::all(list);
    if let Ok(milliseconds) = env::var("MILLSTONE_MOVETIME") {
        let kept = with_time(&positions, milliseconds.parse().expect("milliseconds"));
        let (tuned, apart) = kept.split_at(kept.len() / 2);
        let [all, tuned, apart] = [&kept[..], tuned, apart].map(percent);
        println!("{name}, {milliseconds} ms: {all:.1} %, first half {tuned:.1}, last {apart:.1}");
    } else {
        let share = percent(&with_nodes(&positions));
        assert!(share >= least, "{name}: {share:.1} % kept");
    }
}

#[test]
fn moves_of_the_moving_phase_keep_the_value() {
    compare("moving", MOVING, LEAST_MOVING);
}

#[test]
fn moves_of_the_placing_phase_keep_the_value() {
    compare("placing", PLACING, LEAST_PLACING);
}
