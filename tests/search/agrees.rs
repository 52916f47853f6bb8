//! Plain minimax and every sound form of the search find the same values and equally good moves.
//!
//! Draws by history are off: they make the value of a position depend on the moves before it.

use std::iter;

use crate::minimax::{Minimax, affordable_depth};
use crate::positions::with_slides;
use crate::random::{self, IndexedRandom, Random, seeded};
use crate::searches::{ALGORITHMS, engine, hear};
use crate::size::usual_or_full;
use millstone::board::Side;
use millstone::game::Game;
use millstone::position::{Move, Position};
use millstone::rules::{DrawRules, Standard};
use millstone::score::Score;
use millstone::search::{Engine, Features, Limits, Observer, Report, Silent, Switches};
use rayon::prelude::*;

/// The reference with the enhancements whose bits `SET` has.
struct Sound<const SET: u16>;

const TABLE_CUT: u16 = 1 << 0;
const TABLE_MOVE: u16 = 1 << 1;
const KILLERS: u16 = 1 << 2;
const HISTORY: u16 = 1 << 3;
const NULL_WINDOWS: u16 = 1 << 4;
const ENHANCED_CUT: u16 = 1 << 5;
const MATE_DISTANCE: u16 = 1 << 6;
const SYMMETRY: u16 = 1 << 7;
const ALL: u16 = (1 << 8) - 1;
const FORCED_MOVE: u16 = 1 << 8;

impl<const SET: u16> Features for Sound<SET> {
    const ON: Switches = Switches {
        table_cut: SET & TABLE_CUT != 0,
        table_move: SET & TABLE_MOVE != 0,
        killers: SET & KILLERS != 0,
        history: SET & HISTORY != 0,
        null_windows: SET & NULL_WINDOWS != 0,
        enhanced_cut: SET & ENHANCED_CUT != 0,
        mate_distance: SET & MATE_DISTANCE != 0,
        symmetry: SET & SYMMETRY != 0,
        forced_move: SET & FORCED_MOVE != 0,
        ..Switches::REFERENCE
    };
}

type Search = fn(&mut Engine, &Game<Standard>, &Limits, &mut dyn Observer) -> Report;

/// None of the sound enhancements, all, and all but each one.
const SOUND: [(&str, Search); 11] = [
    ("reference", Engine::search_with::<_, Sound<0>>),
    ("all", Engine::search_with::<_, Sound<ALL>>),
    ("no table cut", Engine::search_with::<_, Sound<{ ALL - TABLE_CUT }>>),
    ("no table move", Engine::search_with::<_, Sound<{ ALL - TABLE_MOVE }>>),
    ("no table", Engine::search_with::<_, Sound<{ ALL - TABLE_CUT - TABLE_MOVE }>>),
    ("no killers", Engine::search_with::<_, Sound<{ ALL - KILLERS }>>),
    ("no history", Engine::search_with::<_, Sound<{ ALL - HISTORY }>>),
    ("no null windows", Engine::search_with::<_, Sound<{ ALL - NULL_WINDOWS }>>),
    ("no enhanced cut", Engine::search_with::<_, Sound<{ ALL - ENHANCED_CUT }>>),
    ("no mate distance", Engine::search_with::<_, Sound<{ ALL - MATE_DISTANCE }>>),
    ("no symmetry", Engine::search_with::<_, Sound<{ ALL - SYMMETRY }>>),
];

/// The same with forced moves searched one deeper, which is another definition of the value.
const FORCED: [(&str, Search); 2] = [
    ("forced", Engine::search_with::<_, Sound<FORCED_MOVE>>),
    ("forced, all", Engine::search_with::<_, Sound<{ FORCED_MOVE | ALL }>>),
];

/// How many positions of each kind are compared.
const QUOTAS: [[usize; 5]; 2] = [[6, 6, 10, 6, 2], [50, 40, 68, 40, 2]];

#[test]
fn sound_searches_find_the_values_of_minimax() {
    let minimax = Minimax { extends_forced: false };
    let positions = positions();
    positions.par_iter().for_each(|position| {
        let depth = affordable_depth(position, 5, usual_or_full(300_000, u64::MAX));
        compare(position, minimax, depth, &SOUND);
    });
}

#[test]
fn forced_moves_are_searched_one_deeper() {
    let [minimax, plain] = [true, false].map(|extends_forced| Minimax { extends_forced });
    let differs = |position: &&Position<Standard>| {
        compare(position, minimax, 6, &FORCED) != plain.root(position, 6)
    };
    let positions = crowded_positions();
    let count = positions.par_iter().filter(differs).count();
    // Otherwise the comparison tells nothing.
    assert!(count >= 2, "{count} of {} positions differ", positions.len());
}

/// All that is sound, with draws and forced moves.
struct Drawn;

impl Features for Drawn {
    const ON: Switches = Switches { draws: true, forced_move: true, ..Switches::SOUND };
}

/// What was found with slides to spare says nothing of lines that forced moves lead to the n-move rule.
#[test]
fn forced_moves_lead_to_the_n_move_rule_whatever_the_table_has() {
    let draws = DrawRules { threefold_repetition: false, ..DrawRules::default() };
    let search = |engine: &mut Engine, game: &Game<Standard>, depth| {
        engine.search_with::<_, Drawn>(game, &Limits::to_depth(depth), &mut Silent).score()
    };
    let count = |position: &Position<Standard>| {
        let mut seen = 0;
        for (depth, left) in (3..=7).flat_map(|depth| [1, 2, 4].map(|left| (depth, left))) {
            let slides = u32::from(draws.n_move) - depth - left;
            let [early, late] = [0, slides].map(|slides| {
                Game::from_text(&with_slides(position, slides), Standard, draws).unwrap()
            });
            let (mut used, mut fresh) = (Engine::new(1).unwrap(), Engine::new(1).unwrap());
            let before = search(&mut used, &early, depth);
            let expected = search(&mut fresh, &late, depth);
            let found = search(&mut used, &late, depth);
            assert_eq!(found, expected, "depth {depth}, {}", late.text());
            seen += usize::from(before != expected);
        }
        seen
    };
    let seen: usize = crowded_positions().par_iter().map(count).sum();
    // Otherwise the comparison tells nothing.
    assert!(seen >= 2, "the limit is in sight {seen} times");
}

/// Lets each search look at the position with each algorithm and compares every iteration; returns the moves
/// with their values at the last one.
fn compare(
    position: &Position<Standard>,
    minimax: Minimax,
    depth: u32,
    searches: &[(&str, Search)],
) -> Vec<(Move, Score)> {
    let mut expected: Vec<_> = (1..=depth).map(|depth| minimax.root(position, depth)).collect();
    let game = Game::from_position(*position, DrawRules::OFF);
    for ((name, search), algorithm) in searches.iter().flat_map(|s| ALGORITHMS.map(|a| (s, a))) {
        let mut found = Vec::new();
        let limits = Limits::to_depth(depth);
        let mut hear = hear(|told| found.push((told.pv().to_vec(), told.score())));
        let report = search(&mut engine(algorithm), &game, &limits, &mut hear);
        assert_eq!(found.last(), Some(&(report.pv().to_vec(), report.score())));
        assert_eq!(found.len(), expected.len());
        for (values, (pv, value)) in expected.iter().zip(found) {
            let best = values.iter().map(|(_, value)| *value).max();
            assert_eq!(Some(value), best, "{name}, {algorithm:?}: value in {position}");
            let is_good = values.contains(&(pv[0], value));
            assert!(is_good, "{name}, {algorithm:?}: move {} in {position}", pv[0]);
        }
    }
    expected.pop().expect("a depth of at least 1")
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Placing,
    Removing,
    Moving,
    OneFlies,
    BothFly,
}

impl Kind {
    fn of(position: &Position<Standard>) -> Self {
        let count_flying = Side::ALL.into_iter().filter(|&side| position.may_fly(side)).count();
        match count_flying {
            _ if position.pending() > 0 => Self::Removing,
            _ if position.in_hand(position.to_move()) > 0 => Self::Placing,
            0 => Self::Moving,
            1 => Self::OneFlies,
            _ => Self::BothFly,
        }
    }
}

/// The positions of a random game that somebody has a move in.
fn random_game(rng: &mut Random) -> Vec<Position<Standard>> {
    let positions = random::random_game(Standard, rng).take(200);
    positions.take_while(|position| position.count_moves() > 0).collect()
}

/// Positions of all kinds, at most one of each kind from a game.
fn positions() -> Vec<Position<Standard>> {
    let mut rng = seeded(9);
    let mut positions = Vec::new();
    let mut missing = usual_or_full(QUOTAS[0], QUOTAS[1]);
    while missing.iter().any(|&count| count > 0) {
        let game = random_game(&mut rng);
        for (kind, count) in missing.iter_mut().enumerate().filter(|(_, count)| **count > 0) {
            let of_kind: Vec<_> = game.iter().filter(|p| Kind::of(p) as usize == kind).collect();
            if let Some(&position) = of_kind.choose(&mut rng) {
                positions.push(*position);
                *count -= 1;
            }
        }
    }
    positions
}

/// Positions in which both sides have few moves, at most one from a game.
fn crowded_positions() -> Vec<Position<Standard>> {
    let mut rng = seeded(10);
    let is_crowded = |pair: &[Position<Standard>]| {
        let are_moving = pair.iter().all(|position| Kind::of(position) == Kind::Moving);
        are_moving && pair.iter().map(Position::count_moves).sum::<u32>() <= 6
    };
    let last =
        |game: Vec<Position<Standard>>| Some(game.windows(2).find(|pair| is_crowded(pair))?[1]);
    let games = iter::repeat_with(|| random_game(&mut rng));
    games.filter_map(last).take(usual_or_full(40, 100)).collect()
}
