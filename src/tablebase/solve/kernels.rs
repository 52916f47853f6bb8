//! The kernels give what the rules themselves give, whatever the values of the sectors after the moves.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use super::*;
use crate::board::{SquareSet, Symmetry};
use crate::position::Position;
use crate::rules::{BoardFullAction, PRESETS, RuleSet};
use crate::tablebase::file::{self, Kept};
use crate::tablebase::folder::{open_sector, sector_path};
use crate::tablebase::observer::Unobserved;
use crate::tablebase::value::Wdl;

const TWELVE: RuleSet = RuleSet::TWELVE_MENS_MORRIS;

/// A value that looks random, the same for symmetric positions.
fn value(own: SquareSet, opponent: SquareSet) -> Value {
    let image =
        |map: Symmetry| u64::from(map.set(own).bits()) << 24 | u64::from(map.set(opponent).bits());
    let least = Symmetry::all().map(image).min().unwrap_or_default();
    match least.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56 {
        turns @ 0..200 => Value::ends_in(turns as u8),
        _ => Value::DRAW,
    }
}

/// Writes a sector with such values where the game goes on.
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

/// Runs a check of a sector, given the files of those that it leads to.
fn with_files(game: Solvable, sector: Sector, has_distances: bool, check: impl Fn(&mut Known<'_>)) {
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
        let needed = game.needs(&[sector]);
        let slow = solve_by_exits(sector, known, &[&needed]).unwrap();
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

/// Compares what is known of a sector before inner moves with what the rules say.
fn compare_exits(rules: RuleSet, men: [usize; 2], hands: [usize; 2]) {
    let game = Solvable::of(&rules).unwrap();
    let sector = Sector::with_hands(men, hands).unwrap();
    assert!(has_kernel(&game, sector), "{sector}");
    with_files(game, sector, true, |known| {
        let fast = match rules.diagonals {
            Diagonals::Without => by_kernel::<false>(sector, known),
            Diagonals::With => by_kernel::<true>(sector, known),
        };
        // The other way in two parts, and with a file.
        let needed = game.needs(&game.group(sector));
        let scratch = TempDir::new().unwrap();
        let parts: Vec<&[Sector]> = needed.chunks(needed.len().div_ceil(2).max(1)).collect();
        let slow = SectorState::of_exits(sector, known, &parts, Some(scratch.path())).unwrap();
        assert_eq!(fs::read_dir(scratch.path()).unwrap().count(), 0, "the file has no name");
        let [fast_levels, slow_levels] =
            [fast.levels, slow.levels].map(|levels| levels.into_numbers().unwrap());
        assert!(fast.counters == slow.counters && fast_levels == slow_levels, "{sector}");
    });
}

fn by_kernel<const CROSSED: bool>(sector: Sector, known: &Known<'_>) -> SectorState<u8> {
    let best = best_exits::<CROSSED>(sector, known).unwrap();
    let best = Store::new(sector, best, None).unwrap();
    SectorState::of_best_exits::<CROSSED>(&Exits::new(sector, known), best).unwrap()
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
    for (men, hands) in [([3, 2], [2, 1]), ([4, 2], [0, 2]), ([3, 1], [1, 4]), ([2, 3], [4, 0])] {
        compare_exits(lasker, men, hands);
    }
    let crossed = RuleSet { diagonals: Diagonals::With, ..lasker };
    compare_exits(crossed, [3, 2], [1, 1]);
}
