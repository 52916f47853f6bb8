//! The solver: computes the value of every position of a sector by retrograde analysis, together with its paired sector
//! if play can alternate between the two.
//!
//! Moves that change the numbers of men, called exits, lead to sectors solved before. From their values
//! and from positions that are lost at once, values propagate level by level, where a level is a distance in turns: a
//! position with an inner move to a lost position is won, and a position whose moves all lead to won positions is lost,
//! which a counter of its moves detects. Positions that are never decided are drawn. A position without inner moves has
//! the value of its best exit.
//!
//! All positions with the same men of the opponent form a block of a few thousand values. A level walks through memory
//! block by block, since one side moves while the other stands. Only newly decided positions cross blocks: each is
//! found in the block of its opponent's men, and the moves that lead to it start in the block of its own men.
//!
//! ```text
//! known       the sectors solved before
//! exits       generates all moves of each position by the rules, for any game
//! block       the points, slots and moves of one block; maps sets of slots to points and to other blocks
//! mills       kernel for simple rules: the best mill that each position closes by a slide
//! store       a number for each position, in memory or in a file; recently solved values, in files
//! initial     the counter and the distance of each position before inner moves
//! frontier    the positions decided at the last level
//! propagate   decides positions level by level
//! draws       finds where draws come to rest, once wins, draws and losses are known
//! placing     kernel for simple rules: the best placement of each position; solves the placing phase in one pass
//! ```
//!
//! See: Ralph Gasser, "Solving Nine Men's Morris", 1996.

mod block;
pub(super) mod draws;
mod exits;
mod frontier;
mod initial;
mod known;
mod mills;
mod placing;
mod propagate;
mod store;

pub use known::Known;
pub use store::Recent;

use std::io;
use std::path::Path;

use rayon::prelude::*;
use thiserror::Error;

use super::file::FileError;
use super::sector::{Sector, Solvable, Solved};
use super::value::{Value, Wdl};
use crate::board::Diagonals;
use crate::rules::RuleSet;
use crate::system::memory::zeros;
use frontier::Frontier;
use initial::{Levels, SectorState};
use mills::BestRemovals;
use store::Store;

/// What to compute for a sector, and whether to save memory.
#[derive(Clone, Copy, Debug)]
pub struct SolveOptions<'a> {
    /// Whether to compute distances.
    pub has_distances: bool,
    /// A folder for temporary files, if memory is short. Dependencies are then loaded one sector at a time, or
    /// read value by value, which takes longer.
    pub scratch: Option<&'a Path>,
}

/// Solves a sector, together with its paired sector if play can alternate between them.
///
/// * `known`: the sectors solved before, of the same game.
///
/// # Errors
///
/// When the observer stops the work, the file of a sector that is needed cannot be used or lacks distances, a temporary
/// file cannot be written, or a distance is too long to store.
pub fn solve<'a>(
    game: &Solvable,
    sector: Sector,
    known: &mut Known<'a>,
    SolveOptions { has_distances, scratch }: SolveOptions<'_>,
    observer: &'a dyn SolveObserver,
) -> Result<Vec<Solved>, SolveError> {
    debug_assert_eq!(*game, known.game, "of one game");
    (known.requires_distances, known.observer) = (has_distances, observer);
    match game.rules().diagonals {
        Diagonals::Without => solve_on::<false>(sector, known, scratch),
        Diagonals::With => solve_on::<true>(sector, known, scratch),
    }
}

/// Whether [`conversions`] supports a sector.
pub fn has_conversions(game: &Solvable, sector: Sector) -> bool {
    placing::next_of_all(game, sector).is_some()
}

/// Returns the value of the best conversion of each position, a placement that removes men, or a loss where there is
/// none. The sector must be [supported](has_conversions).
///
/// # Errors
///
/// When a file is missing or damaged, or the observer stops the work.
pub fn conversions(sector: Sector, known: &Known<'_>) -> Result<Vec<Wdl>, SolveError> {
    let read = |after, block| known.read(after, block, Wdl::before_move);
    let best = match known.game.rules().diagonals {
        Diagonals::Without => placing::best::<false, _>(known, sector, None, read, known.observer)?,
        Diagonals::With => placing::best::<true, _>(known, sector, None, read, known.observer)?,
    };
    Ok(best.gather(|wdl| wdl)?)
}

/// Like [`solve`], compiled for the board without diagonals or (`CROSSED`) with them.
fn solve_on<const CROSSED: bool>(
    sector: Sector,
    known: &mut Known<'_>,
    scratch: Option<&Path>,
) -> Result<Vec<Solved>, SolveError> {
    let game = known.game;
    if let Some(quiet) = placing::next_of_all(&game, sector) {
        known.close();
        return Ok(vec![placing::solve::<CROSSED>(sector, quiet, known)?]);
    }
    let group = game.group(sector);
    if !game.is_cyclic(sector) {
        return Ok(vec![solve_by_exits(sector, known, scratch.is_some())?]);
    }
    let states: Result<Vec<_>, SolveError> = if has_simple_exits(&game, sector) {
        known.close();
        let best = group
            .iter()
            .map(|&sector| Ok(Store::new(sector, best_exits::<CROSSED>(sector, known)?, scratch)?));
        // Frees all best removals before moves are counted.
        let best = best.collect::<Result<Vec<_>, SolveError>>()?;
        let states = best.into_iter();
        states.map(|best| SectorState::of_best_exits::<CROSSED>(known, best)).collect()
    } else {
        let states = group.iter();
        states.map(|&sector| SectorState::of_exits(sector, known, scratch)).collect()
    };
    if scratch.is_some() {
        known.close();
    }
    propagate::propagate::<CROSSED>(states?, known)
}

/// Returns for each position of a sector with simple exits the preference for the best one, or 0 if there is none. An
/// exit is a slide that closes a mill, or a placement.
fn best_exits<const CROSSED: bool>(
    sector: Sector,
    known: &Known<'_>,
) -> Result<Vec<u8>, SolveError> {
    let mut best: Vec<u8> = if let Some(quiet) = placing::next(&known.game, sector) {
        let read = |after, block| known.read(after, block, Value::before_move);
        let uncounted = Uncounted(known.observer);
        let best = placing::best::<CROSSED, Value>(known, sector, Some(quiet), read, &uncounted)?;
        best.gather(Value::preference)?
    } else {
        zeros(sector.len())
    };
    let worth = |value: Value| value.before_move().preference();
    let read = |after, block| known.read(after, block, worth);
    mills::enter_mills::<CROSSED, _>(known, sector, read, &mut best)?;
    Ok(best)
}

/// Whether the only exits of a sector are placements and slides that close a mill, and mills earn only removals from
/// the board.
fn has_simple_exits(game: &Solvable, sector: Sector) -> bool {
    let is_placed =
        |sector: Sector| sector.hands()[0] == 0 || placing::next(game, sector).is_some();
    mills::are_simple(game, sector)
        || sector.is_placing()
            && game.is_cyclic(sector)
            && !game.rules().may_remove_multiple
            && game.group(sector).into_iter().all(is_placed)
}

/// Solves a sector without inner moves.
fn solve_by_exits(
    sector: Sector,
    known: &mut Known<'_>,
    has_scratch: bool,
) -> Result<Solved, SolveError> {
    let mut values: Vec<u8> = zeros(sector.len());
    exits::in_parts(sector, known, has_scratch, |exits, is_last| {
        let observer = exits.known.observer;
        let blocks = values.par_chunks_mut(sector.block_len()).enumerate();
        blocks.try_for_each(|(number, values)| {
            check(observer)?;
            let opponent = sector.opponent_of_block(number);
            for (value, own) in values.iter_mut().zip(sector.men_of_block(number, 0)) {
                (*value, _) = exits.judge([own, opponent], *value)?;
            }
            if is_last {
                let values = values.iter_mut();
                values.for_each(|value| *value = Value::preferred((*value).max(1)).byte());
                observer.advance(2 * sector.block_len() as u64);
            }
            Ok::<(), SolveError>(())
        })
    })?;
    solved(sector, Value::all_from_turns(values), known)
}

/// Returns a solved sector. If distances are required, rejects those that may have been clamped to the longest that
/// can be stored.
fn solved(sector: Sector, values: Vec<Value>, known: &Known<'_>) -> Result<Solved, SolveError> {
    let is_too_long =
        |value: &Value| value.turns().is_some_and(|turns| turns >= Value::MOST_TURNS - 1);
    if known.requires_distances && values.par_iter().any(is_too_long) {
        return Err(SolveError::TooLong(sector));
    }
    Ok(Solved::from_values(sector, values))
}

/// Returns the sectors that are loaded to solve a sector without a kernel, one at a time if memory is short. Where
/// captures leave a choice of how many men to remove, the value of one move depends on several sectors at once, so
/// single values are read from files then.
fn loaded(game: &Solvable, sector: Sector, has_scratch: bool) -> Vec<Sector> {
    let is_read_singly = has_scratch && game.rules().has_captures();
    if is_read_singly { Vec::new() } else { game.needs(&game.group(sector)) }
}

const _: () = assert!(
    size_of::<RuleSet>() == 37,
    "a rule was added or removed: update the solver in the places that `rules/mod.rs` lists"
);

/// Whether the rules are simple enough for one of the fast kernels to solve a sector.
pub fn has_kernel(game: &Solvable, sector: Sector) -> bool {
    placing::next_of_all(game, sector).is_some() || has_simple_exits(game, sector)
}

/// The reason why a sector was not solved.
#[derive(Debug, Error)]
pub enum SolveError {
    /// The observer stopped the work.
    #[error("stopped")]
    Stopped(#[from] Stopped),
    /// A file that is needed is missing or damaged, or lacks distances.
    #[error(transparent)]
    File(#[from] FileError),
    /// A temporary file could not be created, written or read.
    #[error(transparent)]
    Scratch(#[from] io::Error),
    /// The file of this sector, or of one that it depends on, was changed meanwhile.
    #[error("sector {0} cannot be used")]
    Unusable(Sector),
    /// A distance in this sector is too long to store.
    #[error("sector {0} has distances that are too long")]
    TooLong(Sector),
}

/// The peak memory in bytes for solving a sector together with its paired sector. Includes loaded sectors, excludes
/// lookup tables of constant size.
///
/// * `has_scratch`: whether temporary files may be used.
pub fn memory(game: &Solvable, sector: Sector, has_scratch: bool) -> u64 {
    if placing::next_of_all(game, sector).is_some() {
        return placing::memory(game, sector);
    }
    let group = game.group(sector);
    let positions = |sector: &Sector| sector.len() as u64;
    let has_simple_exits = has_simple_exits(game, sector);
    let loaded = if has_simple_exits { Vec::new() } else { loaded(game, sector, has_scratch) };
    let loaded = loaded.iter().map(positions);
    let loaded = if has_scratch { loaded.max().unwrap_or(0) } else { loaded.sum() };
    let values: u64 = group.iter().map(positions).sum();
    if !game.is_cyclic(sector) {
        return loaded + values;
    }
    let levels = group.iter().map(|sector| (sector.blocks() * size_of::<Levels>()) as u64);
    let counters = values + levels.sum::<u64>();
    let frontiers: u64 = group.iter().map(|sector| 2 * Frontier::memory(*sector)).sum();
    // In addition to the best exit of each position.
    let exits = group.iter().map(|sector| {
        let removals = BestRemovals::<u8>::memory(game, *sector);
        let places = sector.hands()[0] > 0;
        let placing = || placing::memory(game, *sector) - positions(sector);
        if places { removals.max(placing()) } else { removals }
    });
    let exits = if has_simple_exits { exits.max().unwrap_or(0) } else { 0 };
    if has_scratch {
        let best = group.iter().map(positions).max().unwrap_or(0) + exits;
        values.max(best).max(counters + loaded).max(counters + frontiers)
    } else {
        loaded + values + (counters + frontiers).max(exits)
    }
}

/// The size in bytes of the temporary files for solving a sector, if they are used.
pub fn scratch(game: &Solvable, sector: Sector) -> u64 {
    let group = game.group(sector);
    if game.is_cyclic(sector) { group.iter().map(|sector| sector.len() as u64).sum() } else { 0 }
}

/// Follows the work of the solver and the verifier.
pub trait SolveObserver: Sync {
    /// Called when `positions` more positions are done.
    ///
    /// The solver counts each position twice: when it is initialised, and when it is decided or found
    /// to be drawn. The verifier counts each position once.
    fn advance(&self, _positions: u64) {}

    /// Returns whether to stop. Called every few milliseconds.
    fn should_stop(&self) -> bool {
        false
    }
}

/// An observer that ignores progress and never stops the work.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unobserved;

impl SolveObserver for Unobserved {}

/// Wraps an observer to hide the progress of a part of the work from it.
pub(super) struct Uncounted<'a>(pub &'a dyn SolveObserver);

impl SolveObserver for Uncounted<'_> {
    fn should_stop(&self) -> bool {
        self.0.should_stop()
    }
}

/// The observer stopped the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("stopped")]
pub struct Stopped;

/// Returns an error if the observer wants to stop.
pub(super) fn check(observer: &dyn SolveObserver) -> Result<(), Stopped> {
    if observer.should_stop() { Err(Stopped) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    use super::*;
    use crate::tablebase::file::{self, Kept, SectorFile};
    use crate::tablebase::folder::sector_path;
    use crate::tablebase::sector::Statistics;

    /// Solves a sector in which every removal wins.
    fn solve_alone(
        sector: Sector,
        observer: &dyn SolveObserver,
    ) -> Result<Vec<Solved>, SolveError> {
        let open = |smaller| unreachable!("{smaller} is won");
        let game = Solvable::STANDARD;
        let options = SolveOptions { has_distances: true, scratch: None };
        solve(&game, sector, &mut Known::new(game, &open), options, observer)
    }

    #[test]
    fn three_men_against_three_have_the_known_counts() {
        let sector = Sector::new(3, 3).unwrap();
        let solved = solve_alone(sector, &Unobserved).unwrap();
        let Statistics { wins, draws, losses, .. } = Statistics::of(&solved[0]);
        // Counted by another program.
        assert_eq!([wins, draws, losses], [140_621, 269, 28_736]);
    }

    /// A capturing placement may remove one man or two, and so lead to either of two sectors.
    #[test]
    fn little_memory_knows_all_that_a_move_leads_to() {
        let rules = "men=5 custodian.is_on=true intervention.is_on=true";
        let game = Solvable::of(&RuleSet::from_name(rules).unwrap()).unwrap();
        let identity = game.rules().identity();
        let folder = tempfile::tempdir().unwrap();
        let open = |sector: Sector| {
            let path = sector_path(folder.path(), sector);
            // Quiet placements lose.
            let values = [Value::ends_in(1), Value::DRAW, Value::LOST];
            let made_up = |index: usize| values[if sector.own() == 3 { 0 } else { index % 7 % 3 }];
            let values = (0..sector.len()).map(made_up).collect();
            let solved = Solved::from_values(sector, values);
            file::write(&path, &solved, identity, Kept::Wdl).unwrap();
            SectorFile::open(&path, sector, identity)
        };
        let sector = Sector::with_hands([2, 3], [2, 2]).unwrap();
        assert!(game.sectors().contains(&sector) && !game.is_cyclic(sector));
        let [usual, with_files] = [None, Some(folder.path())].map(|scratch| {
            let options = SolveOptions { has_distances: false, scratch };
            solve(&game, sector, &mut Known::new(game, &open), options, &Unobserved).unwrap()
        });
        assert!(usual[0].values() == with_files[0].values());
    }

    /// Counts progress and stops the work once it exceeds a limit.
    struct Limit {
        positions: AtomicU64,
        last: u64,
    }

    impl SolveObserver for Limit {
        fn advance(&self, positions: u64) {
            self.positions.fetch_add(positions, Relaxed);
        }

        fn should_stop(&self) -> bool {
            self.positions.load(Relaxed) > self.last
        }
    }

    #[test]
    fn progress_is_complete_and_can_be_stopped() {
        let sector = Sector::new(3, 3).unwrap();
        let positions = sector.len() as u64;
        let solve_until = |last| {
            let limit = Limit { positions: AtomicU64::new(0), last };
            let solved = solve_alone(sector, &limit);
            (solved.map(|pair| pair.len()).ok(), limit.positions.into_inner())
        };
        assert_eq!(solve_until(2 * positions), (Some(1), 2 * positions));
        for last in [0, positions, positions * 3 / 2] {
            let (result, done) = solve_until(last);
            assert_eq!(result, None);
            assert!((last..2 * positions).contains(&done));
        }
    }
}

/// The kernels agree with move generation by the rules, whatever the values of the following sectors.
#[cfg(test)]
mod kernels {
    use std::fs;
    use std::path::Path;

    use tempfile::TempDir;

    use super::*;
    use crate::board::{SquareSet, Symmetry};
    use crate::position::Position;
    use crate::rules::{BoardFullAction, PRESETS, RuleSet};
    use crate::tablebase::file::{self, Kept};
    use crate::tablebase::folder::{open_sector, sector_path};
    use crate::tablebase::value::Wdl;

    const TWELVE: RuleSet = RuleSet::TWELVE_MENS_MORRIS;

    /// A pseudo-random value, the same for symmetric positions.
    fn value(own: SquareSet, opponent: SquareSet) -> Value {
        let image = |map: Symmetry| {
            u64::from(map.set(own).bits()) << 24 | u64::from(map.set(opponent).bits())
        };
        let least = Symmetry::all().map(image).min().unwrap_or_default();
        match least.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56 {
            turns @ 0..200 => Value::ends_in(turns as u8),
            _ => Value::DRAW,
        }
    }

    /// Writes a sector with pseudo-random values, except where the game is over.
    fn write(folder: &Path, game: &Solvable, sector: Sector, has_distances: bool) {
        let start = Position::start(*game.rules());
        let values = (0..sector.len()).into_par_iter().map(|index| {
            let (own, opponent) = sector.position(index);
            let ending = sector.set_up(&start, own, opponent).ending();
            ending.map_or_else(|| value(own, opponent), Value::from)
        });
        let solved = Solved::from_values(sector, values.collect());
        let identity = game.rules().identity();
        let path = sector_path(folder, sector);
        let kept = if has_distances { Kept::Distances } else { Kept::Wdl };
        file::write(&path, &solved, identity, kept).unwrap();
    }

    /// Runs a check of a sector with files of the sectors that it leads to.
    fn with_files(
        game: Solvable,
        sector: Sector,
        has_distances: bool,
        check: impl Fn(&mut Known<'_>),
    ) {
        let folder = TempDir::new().unwrap();
        for after in game.needs(&game.group(sector)) {
            write(folder.path(), &game, after, has_distances);
        }
        let open = |sector| open_sector(folder.path(), &game, sector);
        check(&mut Known::new(game, &open));
    }

    /// Compares the kernel of the placing phase with the rules.
    fn compare_placing(rules: RuleSet, men: [usize; 2], hands: [usize; 2]) {
        let game = Solvable::of(&rules).unwrap();
        let sector = Sector::with_hands(men, hands).unwrap();
        with_files(game, sector, false, |known| {
            assert!(placing::next(&game, sector).is_some(), "{sector}");
            let options = SolveOptions { has_distances: false, scratch: None };
            let fast = solve(&game, sector, known, options, &Unobserved).unwrap();
            let slow = solve_by_exits(sector, known, false).unwrap();
            let pairs = fast[0].values().iter().zip(slow.values());
            let differs = |(fast, slow): (&Value, &Value)| Wdl::from(*fast) != Wdl::from(*slow);
            assert_eq!(pairs.map(differs).position(|differs| differs), None, "{sector}");
        });
    }

    #[test]
    fn placements_that_close_several_mills() {
        let rules = RuleSet { may_remove_multiple: true, ..TWELVE };
        compare_placing(rules, [4, 3], [3, 3]);
        compare_placing(RuleSet { diagonals: Diagonals::Without, ..rules }, [4, 2], [3, 2]);
        compare_placing(rules, [6, 1], [3, 3]);
    }

    #[test]
    fn placements_that_fill_the_board() {
        let rules = RuleSet { board_full_action: BoardFullAction::Draw, ..TWELVE };
        compare_placing(rules, [11, 12], [1, 0]);
    }

    /// Compares the initial state of a sector by the kernel with the one by the rules.
    fn compare_exits(rules: RuleSet, men: [usize; 2], hands: [usize; 2]) {
        let game = Solvable::of(&rules).unwrap();
        let sector = Sector::with_hands(men, hands).unwrap();
        assert!(has_kernel(&game, sector), "{sector}");
        with_files(game, sector, true, |known| {
            let fast = match rules.diagonals {
                Diagonals::Without => by_kernel::<false>(sector, known),
                Diagonals::With => by_kernel::<true>(sector, known),
            };
            // By the rules, with dependencies in parts and a temporary file.
            let scratch = TempDir::new().unwrap();
            let slow = SectorState::of_exits(sector, known, Some(scratch.path())).unwrap();
            assert_eq!(fs::read_dir(scratch.path()).unwrap().count(), 0, "the file has no name");
            let [fast_levels, slow_levels] =
                [fast.levels, slow.levels].map(|levels| levels.into_numbers().unwrap());
            assert!(fast.counters == slow.counters && fast_levels == slow_levels, "{sector}");
        });
    }

    fn by_kernel<const CROSSED: bool>(sector: Sector, known: &Known<'_>) -> SectorState<u8> {
        let best = best_exits::<CROSSED>(sector, known).unwrap();
        let best = Store::new(sector, best, None).unwrap();
        SectorState::of_best_exits::<CROSSED>(known, best).unwrap()
    }

    #[test]
    fn slides_that_close_mills() {
        let rules = RuleSet { may_remove_from_mills: true, may_remove_multiple: true, ..TWELVE };
        compare_exits(rules, [4, 4], [0, 0]);
        compare_exits(RuleSet { may_remove_from_mills: false, ..rules }, [5, 4], [0, 0]);
        compare_exits(RuleSet::NINE_MENS_MORRIS, [3, 4], [0, 0]);
    }

    #[test]
    fn slides_and_placements_of_a_side() {
        let lasker = PRESETS.iter().find(|preset| preset.name.starts_with("Lasker")).unwrap().rules;
        for (men, hands) in [([3, 2], [2, 1]), ([4, 2], [0, 2]), ([3, 1], [1, 4]), ([2, 3], [4, 0])]
        {
            compare_exits(lasker, men, hands);
        }
        let crossed = RuleSet { diagonals: Diagonals::With, ..lasker };
        compare_exits(crossed, [3, 2], [1, 1]);
    }
}
