//! How often the search alone finds a turn that keeps what a critical position is worth, and what it costs.
//!
//! With `MILLSTONE_MOVETIME` (in milliseconds) each move has so much time instead, one position after
//! another, and the shares are printed.

use std::env;
use std::time::Duration;

use crate::critical_positions::Critical;
use millstone::bench;
use millstone::rules::{BoardFullAction, RuleSet};
use millstone::search::{Budget, Clock, Engine, Limits, Silent};
use rayon::prelude::*;

/// What each move may cost without a time.
const NODES: u64 = 10_000;

impl Critical {
    /// Whether the turn that the engine plays keeps the value, with so much for each move, and what
    /// it costs in nodes.
    fn is_kept_by(&self, engine: &mut Engine, limits: impl Fn() -> Limits) -> (bool, u64) {
        engine.clear();
        let mut nodes = 0;
        let mut game = self.game.clone();
        let side = game.to_move();
        let mut turn = String::new();
        while game.outcome().is_none() && game.to_move() == side {
            let report = engine.search(&game, &limits(), &mut Silent);
            nodes += report.nodes;
            let mv = report.best().expect("the game goes on");
            game.play(mv).expect("a legal move");
            turn += &mv.to_string();
        }
        (self.keeping.contains(&turn), nodes)
    }
}

fn engine() -> Engine {
    Engine::new(16).expect("the memory for a table")
}

/// How many wins and how many draws are kept, and of how many.
fn count(positions: &[Critical], kept: &[bool]) -> [(usize, usize); 2] {
    [true, false].map(|is_won| {
        let of_kind = positions.iter().zip(kept).filter(|(position, _)| position.is_won == is_won);
        let kept = of_kind.clone().filter(|(_, is_kept)| **is_kept).count();
        (kept, of_kind.count())
    })
}

/// Which values are kept with so much time for each move.
fn with_time(positions: &[Critical], milliseconds: u64) -> Vec<bool> {
    let mut engine = engine();
    let limits = || {
        let budget = Budget::for_move(Duration::from_millis(milliseconds), Duration::ZERO);
        Limits { clock: Clock::started(budget), ..Limits::none() }
    };
    positions.iter().map(|position| position.is_kept_by(&mut engine, limits).0).collect()
}

fn with_nodes(positions: &[Critical]) -> Vec<bool> {
    let limits = || Limits { nodes: Some(NODES), ..Limits::none() };
    let keep = |engine: &mut Engine, position: &Critical| position.is_kept_by(engine, limits).0;
    positions.par_iter().map_init(engine, keep).collect()
}

/// Asks for nearly as many wins and draws of a list as were kept when this was measured, so that the
/// loss of an enhancement shows. Returns what is kept if it is less.
fn compare(name: &str, positions: &[Critical], least: [usize; 2]) -> Option<String> {
    if let Ok(milliseconds) = env::var("MILLSTONE_MOVETIME") {
        let kept = with_time(positions, milliseconds.parse().expect("milliseconds"));
        let [wins, draws] = count(positions, &kept);
        let share = (wins.0 + draws.0) as f64 * 100.0 / (wins.1 + draws.1) as f64;
        println!("{name}, {milliseconds} ms: {share:.1} %");
        return None;
    }
    let counts = count(positions, &with_nodes(positions));
    let is_less = counts.iter().zip(least).any(|((kept, _), least)| *kept < least);
    is_less
        .then(|| format!("{name}: kept (wins, draws) {counts:?}, at least {least:?} are expected"))
}

#[test]
fn moves_keep_the_value() {
    let with_diagonals =
        RuleSet { board_full_action: BoardFullAction::Draw, ..RuleSet::TWELVE_MENS_MORRIS };
    let lists = [
        ("moving", RuleSet::default(), [523, 447]),
        ("opening_by_lot", RuleSet::default(), [259, 695]),
        ("placing_by_lot", RuleSet::default(), [548, 403]),
        ("moving_by_lot", RuleSet::default(), [609, 378]),
        ("placing_with_diagonals", with_diagonals, [157, 27]),
    ];
    let less = lists
        .into_iter()
        .filter_map(|(list, rules, least)| compare(list, &Critical::all_of(list, rules), least));
    let less: Vec<_> = less.collect();
    assert!(
        less.is_empty(),
        "{less:#?}: if a change of play is meant, measure with MILLSTONE_MOVETIME=100 (BUILD.md) and set the \
         new counts"
    );
}

/// Without one of most enhancements the same depth costs more: before ProbCut 7 % without late-move pruning, 14 %
/// without history, more than twice as much without reductions.
#[test]
fn a_depth_costs_as_many_nodes_as_it_did() {
    let count = |engine: &mut Engine, position: &Critical| {
        position.is_kept_by(engine, || Limits::to_depth(7)).1
    };
    let small_table = || Engine::new(4).expect("the memory for a table");
    let positions = Critical::all("moving");
    let nodes: u64 = positions.par_iter().map_init(small_table, count).sum();
    let least_and_most = 9_150_000..=9_500_000;
    assert!(
        least_and_most.contains(&nodes),
        "{nodes} nodes, {least_and_most:?} are expected; if a change of play is meant, measure with \
         MILLSTONE_MOVETIME=100 (BUILD.md) and set a window around the new count"
    );
}

/// The node count of `bench` is the signature of the engine's play: a commit that changes the play writes the
/// new count to the file and gives its reason.
#[test]
fn the_signature_is_as_it_was_written_down() {
    let summary = bench::run(&RuleSet::NINE_MENS_MORRIS, bench::DEPTH, &mut Silent).unwrap();
    assert_eq!(summary.nodes.to_string(), include_str!("../data/bench_signature.txt").trim_end());
}
