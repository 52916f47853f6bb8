//! Reproducible work whose instructions `.ci/instructions` counts: `counted perft DEPTH` or
//! `counted bench DEPTH`.

use millstone::bench;
use millstone::perft::Perft;
use millstone::position::Position;
use millstone::rules::{RuleSet, Standard};
use millstone::search::Silent;

fn main() {
    let mut args = std::env::args().skip(1);
    let work = args.next().expect("the work, perft or bench");
    let depth = args.next().and_then(|depth| depth.parse().ok()).expect("a depth");
    let count = match work.as_str() {
        "perft" => Perft::default().count(&Position::start(Standard), depth),
        "bench" => {
            let summary = bench::run(&RuleSet::NINE_MENS_MORRIS, depth, &mut Silent);
            summary.expect("memory for a small table").nodes
        }
        _ => panic!("{work} is neither perft nor bench"),
    };
    println!("{count}");
}
