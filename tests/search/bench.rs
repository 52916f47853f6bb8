//! The node count of `bench` is the signature of the engine's play.

use millstone::bench;
use millstone::rules::RuleSet;
use millstone::search::Silent;

/// A commit that changes the play writes the new count to the file and gives its reason.
const SIGNATURE: &str = include_str!("../data/bench_signature.txt");

#[test]
fn the_signature_is_as_it_was_written_down() {
    let summary = bench::run(&RuleSet::NINE_MENS_MORRIS, bench::DEPTH, &mut Silent).unwrap();
    assert_eq!(summary.nodes.to_string(), SIGNATURE.trim_end());
}
