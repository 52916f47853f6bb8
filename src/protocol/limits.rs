//! From `go` and the options to the limits and settings of a search.

use std::sync::Arc;
use std::time::Duration;

use super::go::Go;
use super::options::Options;
use super::reporter::Reports;
use crate::board::Side;
use crate::search::{Budget, Clock, Limits, MAX_DEPTH, Settings};

/// The depth of a search without any limit.
const UNTIMED_DEPTH: u32 = 12;

impl Go {
    /// The limits of a search for the side to move.
    pub(super) fn limits(&self, options: &Options, side: Side, reports: &Reports) -> Limits {
        let budget = self.budget(options, side, reports.overhead);
        let clock = if self.ponder { Clock::waiting(budget) } else { Clock::started(budget) };
        Limits {
            multi_pv: reports.multi_pv,
            nodes: self.nodes,
            mate: self.mate,
            search_moves: self.search_moves.iter().map(|turn| turn.moves()[0]).collect(),
            clock: Arc::new(clock),
            ..Limits::to_depth(self.deepest(options, side))
        }
    }

    fn deepest(&self, options: &Options, side: Side) -> u32 {
        let is_endless = !self.has_limit(side) && options.move_time == 0;
        let deepest = if is_endless { UNTIMED_DEPTH } else { MAX_DEPTH };
        let plies_per_turn = if options.rules.is_standard() { 2 } else { 4 };
        let deepest_mate =
            self.mate.map_or(MAX_DEPTH, |turns| turns.saturating_mul(plies_per_turn));
        self.depth.unwrap_or(deepest).min(deepest_mate)
    }

    fn budget(&self, options: &Options, side: Side, overhead: Duration) -> Budget {
        if self.infinite {
            Budget::UNLIMITED
        } else if let Some(time) = self.move_time {
            Budget::for_move(time, overhead)
        } else if let Some(time) = self.time[side] {
            Budget::for_game(time, self.increment[side], self.moves_to_go, overhead)
        } else if !self.has_limit(side) && options.move_time > 0 {
            Budget::for_move(Duration::from_millis(options.move_time.into()), overhead)
        } else {
            Budget::UNLIMITED
        }
    }
}

/// The settings of a search.
///
/// * `number`: counts the searches of the session from 0.
pub(super) fn settings(options: &Options, number: u64) -> Settings {
    let shuffle = options.shuffling.then(|| seed(options, number));
    Settings { algorithm: options.algorithm, shuffle, threads: options.threads as usize }
}

/// The seed of a search.
pub(super) fn seed(options: &Options, number: u64) -> u64 {
    let seed = options.shuffle_seed.map(|seed| seed.wrapping_add(number));
    seed.unwrap_or_else(rand::random)
}

#[cfg(test)]
mod tests {
    use super::super::command::Dialect;
    use super::*;

    fn limits(arguments: &str, options: &Options) -> Limits {
        let reports = Reports::new(Dialect::Uci, options, &[]);
        Go::parse(arguments, Dialect::Uci).unwrap().limits(options, Side::Black, &reports)
    }

    #[test]
    fn a_limit_of_zero_is_none() {
        for text in ["depth 0", "nodes 0", "movetime 0", "mate 0", "depth 00 nodes 0 movestogo 0"] {
            assert_eq!(Go::parse(text, Dialect::Uci), Ok(Go::default()), "{text}");
        }
        let options = Options { move_time: 0, ..Options::default() };
        assert_eq!(limits("depth 0", &options).depth, UNTIMED_DEPTH);
        assert_eq!(limits("depth 0 nodes 7", &options).nodes, Some(7));
        let negative = Go::parse("movetime -1", Dialect::Uci).unwrap();
        assert_eq!(negative.move_time, Some(Duration::ZERO), "the time has run out");
    }

    #[test]
    fn depth_comes_from_go_and_mate_whichever_is_less() {
        let options = Options::default();
        assert_eq!(limits("", &options).depth, MAX_DEPTH);
        assert_eq!(limits("depth 7", &options).depth, 7);
        assert_eq!(limits("depth 7 mate 2", &options).depth, 4);
    }

    #[test]
    fn a_search_without_any_limit_ends_all_the_same() {
        let options = Options { move_time: 0, ..Options::default() };
        assert_eq!(limits("", &options).depth, UNTIMED_DEPTH);
        assert_eq!(limits("searchmoves d6", &options).depth, UNTIMED_DEPTH);
        assert_eq!(limits("infinite", &options).depth, MAX_DEPTH);
        assert_eq!(limits("nodes 5", &options).depth, MAX_DEPTH);
    }

    #[test]
    fn budgets_are_those_of_the_side_to_move() {
        let options = Options::default();
        let ms = Duration::from_millis;
        let parse = |arguments| Go::parse(arguments, Dialect::Uci).unwrap();
        let of = |arguments| parse(arguments).budget(&options, Side::Black, ms(0));
        assert_eq!(of(""), Budget::for_move(ms(1000), ms(0)));
        assert_eq!(of("movetime 50 btime 9"), Budget::for_move(ms(50), ms(0)));
        let game = Budget::for_game(ms(900), ms(5), Some(3), ms(0));
        assert_eq!(of("wtime 1 btime 900 winc 7 binc 5 movestogo 3"), game);
        assert_eq!(of("infinite btime 5"), Budget::UNLIMITED);
        assert_eq!(of("depth 3"), Budget::UNLIMITED);
        assert_eq!(of("wtime 900 binc 5"), of(""), "the clock of the other side is no limit");
    }

    #[test]
    fn an_increment_gives_time_to_a_move_with_little_on_the_clock() {
        let soft = |arguments| {
            let go = Go::parse(arguments, Dialect::Uci).unwrap();
            go.budget(&Options::default(), Side::Black, Duration::from_millis(10)).soft.unwrap()
        };
        let without = soft("wtime 1000 btime 1000");
        assert!(soft("wtime 1000 btime 1000 winc 500 binc 500") > 5 * without);
        assert_eq!(soft("wtime 1000 btime 1000 winc 500"), without);
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
