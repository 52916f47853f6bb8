//! What a `go` means under the options in force.

use std::sync::Arc;
use std::time::Duration;

use super::go::Go;
use super::options::Options;
use crate::board::Side;
use crate::search::{Budget, Clock, Limits, MAX_DEPTH, Settings, Skill};

/// The depth of a search that neither `go` nor the options limit.
const UNTIMED_DEPTH: u32 = 12;

/// The limits of a search for a side.
pub(super) fn limits(go: &Go, options: &Options, side: Side) -> Limits {
    let budget = budget(go, options, side);
    let clock = if go.ponder { Clock::waiting(budget) } else { Clock::started(budget) };
    Limits {
        nodes: go.nodes,
        mate: go.mate,
        search_moves: go.search_moves.iter().map(|turn| turn.moves()[0]).collect(),
        clock: Arc::new(clock),
        ..Limits::to_depth(depth(go, options, side))
    }
}

/// The settings of the search with a number, the first of which is 0.
pub(super) fn settings(options: &Options, number: u64) -> Settings {
    let shuffle = options.shuffling.then(|| seed(options, number));
    Settings { algorithm: options.algorithm, shuffle, threads: options.threads }
}

/// How well to play, and where the mistakes come from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Handicap {
    pub(super) skill: Skill,
    pub(super) seed: u64,
}

/// The handicap of the search with a number, the first of which is 0.
pub(super) fn handicap(options: &Options, number: u64) -> Handicap {
    Handicap { skill: options.skill(), seed: seed(options, number) }
}

/// The start of the random choices of a search.
fn seed(options: &Options, number: u64) -> u64 {
    let seed = options.shuffle_seed.map(|seed| seed.wrapping_add(number));
    seed.unwrap_or_else(rand::random)
}

fn depth(go: &Go, options: &Options, side: Side) -> u32 {
    let is_endless = !go.has_limit(side) && options.move_time == 0;
    let deepest = if is_endless { UNTIMED_DEPTH } else { MAX_DEPTH };
    let plies_per_turn = if options.rules.is_standard() { 2 } else { 4 };
    let deepest_mate = go.mate.map_or(MAX_DEPTH, |turns| turns.saturating_mul(plies_per_turn));
    go.depth.unwrap_or(deepest).min(deepest_mate)
}

fn budget(go: &Go, options: &Options, side: Side) -> Budget {
    let overhead = Duration::from_millis(options.move_overhead.into());
    if go.infinite {
        Budget::UNLIMITED
    } else if let Some(time) = go.move_time {
        Budget::for_move(time, overhead)
    } else if let Some(time) = go.time[side] {
        Budget::for_game(time, go.increment[side], go.moves_to_go, overhead)
    } else if !go.has_limit(side) && options.move_time > 0 {
        Budget::for_move(Duration::from_millis(options.move_time.into()), overhead)
    } else {
        Budget::UNLIMITED
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Dialect;

    fn plan(arguments: &str, options: &Options) -> Limits {
        limits(&Go::parse(arguments, Dialect::Uci).unwrap(), options, Side::Black)
    }

    #[test]
    fn depth_comes_from_go_and_mate_whichever_is_less() {
        let options = Options::default();
        assert_eq!(plan("", &options).depth, MAX_DEPTH);
        assert_eq!(plan("depth 7", &options).depth, 7);
        assert_eq!(plan("depth 7 mate 2", &options).depth, 4);
    }

    #[test]
    fn a_search_without_any_limit_ends_all_the_same() {
        let options = Options { move_time: 0, ..Options::default() };
        assert_eq!(plan("", &options).depth, UNTIMED_DEPTH);
        assert_eq!(plan("searchmoves d6", &options).depth, UNTIMED_DEPTH);
        assert_eq!(plan("infinite", &options).depth, MAX_DEPTH);
        assert_eq!(plan("nodes 5", &options).depth, MAX_DEPTH);
    }

    #[test]
    fn budgets_are_those_of_the_side_to_move() {
        let options = Options { move_overhead: 0, ..Options::default() };
        let ms = Duration::from_millis;
        let parse = |arguments| Go::parse(arguments, Dialect::Uci).unwrap();
        let of = |arguments| budget(&parse(arguments), &options, Side::Black);
        assert_eq!(of(""), Budget::for_move(ms(1000), ms(0)));
        assert_eq!(of("movetime 50 btime 9"), Budget::for_move(ms(50), ms(0)));
        let game = Budget::for_game(ms(900), ms(5), Some(3), ms(0));
        assert_eq!(of("wtime 1 btime 900 winc 7 binc 5 movestogo 3"), game);
        assert_eq!(of("infinite btime 5"), Budget::UNLIMITED);
        assert_eq!(of("depth 3"), Budget::UNLIMITED);
        assert_eq!(of("wtime 900 binc 5"), of(""), "the clock of the other side is no limit");
    }

    #[test]
    fn seeds_differ_from_search_to_search_and_shuffling_can_be_off() {
        let mut options = Options::default();
        assert_ne!(settings(&options, 0), settings(&options, 1));
        assert_eq!(settings(&options, 1), settings(&options, 1));
        options.shuffling = false;
        assert_eq!(settings(&options, 0).shuffle, None);
    }
}
