use std::fs;
use std::path::Path;

use super::*;
use crate::rules::{Identity, RuleSet};
use crate::tablebase::build::Build;
use crate::tablebase::file;
use crate::tablebase::folders::path;
use crate::tablebase::statistics::Statistics;
use crate::tablebase::value::Value;
use crate::tablebase::watcher::Unwatched;
use tempfile::TempDir;

fn identity() -> Identity {
    RuleSet::NINE_MENS_MORRIS.identity()
}

fn sector(own: usize, opponent: usize) -> Sector {
    Sector::new(own, opponent).unwrap()
}

fn build(most_men: usize, has_distances: bool) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_owned();
    Build { folder: path, most_men, has_distances, most_memory: None }.run(&Unwatched).unwrap();
    folder
}

/// Verifies a sector of a folder, all of it or so many positions.
fn verify(folder: &Path, sector: Sector, sample: Option<u64>) -> Result<Verified, VerifyError> {
    let tablebase = Tablebase::open(folder, identity());
    let sample = sample.map(|positions| Sample { positions, seed: 1 });
    Verifier::new(&tablebase, &Unwatched).verify(sector, sample)
}

/// Writes the sector of three men each anew, after a change of its values.
fn rewrite(folder: &Path, has_distances: bool, change: impl FnOnce(&mut [Value])) {
    let path = path(folder, sector(3, 3));
    let solved = SectorFile::open(&path, sector(3, 3), identity()).unwrap().load().unwrap();
    let mut values = solved.values().to_vec();
    change(&mut values);
    let solved = Solved::from_values(sector(3, 3), values);
    file::write(&path, &solved, identity(), has_distances).unwrap();
}

#[test]
fn right_sectors_pass_and_wait_for_their_smaller_ones() {
    let folder = build(7, true);
    let all = sector(3, 3).len() as u64;
    for (own, opponent, sample, positions) in
        [(3, 3, None, all), (3, 3, Some(all + 1), all), (3, 4, Some(9_999), 9_999)]
    {
        let verified = verify(folder.path(), sector(own, opponent), sample).unwrap();
        assert_eq!(verified, Verified { positions, has_distances: true });
    }
    fs::remove_file(path(folder.path(), sector(3, 3))).unwrap();
    assert!(verify(folder.path(), sector(4, 3), Some(9_999)).is_ok(), "it has no need of 3-3");
    let error = verify(folder.path(), sector(3, 4), Some(9_999)).unwrap_err();
    assert_eq!(error.to_string(), "3-4: cannot be verified without sector 3-3");
}

#[test]
fn a_wrong_distance_is_found() {
    let folder = build(6, true);
    for (from, to) in [(3, 5), (4, 2)] {
        let [from, to] = [from, to].map(Value::ends_in);
        let mut changed = 0;
        rewrite(folder.path(), true, |values| {
            changed = values.iter().position(|&value| value == from).unwrap();
            values[changed] = to;
        });
        let error = verify(folder.path(), sector(3, 3), None).unwrap_err();
        assert!(matches!(error, VerifyError::Value { has_distances: true, .. }), "{error}");
        rewrite(folder.path(), true, |values| values[changed] = from);
    }
}

#[test]
fn a_wrong_value_is_found_without_distances() {
    let folder = build(6, false);
    let verified = verify(folder.path(), sector(3, 3), None).unwrap();
    assert!(!verified.has_distances);
    rewrite(folder.path(), false, |values| {
        let drawn = values.iter().position(|&value| value == Value::DRAW).unwrap();
        values[drawn] = Value::LOST;
    });
    let error = verify(folder.path(), sector(3, 3), None).unwrap_err();
    assert!(matches!(error, VerifyError::Value { has_distances: false, .. }), "{error}");
}

#[test]
fn damage_is_found_in_a_sample_too() {
    let folder = build(6, true);
    let path = path(folder.path(), sector(3, 3));
    let mut bytes = fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&path, bytes).unwrap();
    let error = verify(folder.path(), sector(3, 3), Some(1)).unwrap_err();
    assert!(
        matches!(&error, VerifyError::File { error, .. } if error.may_be_set_aside()),
        "{error}"
    );
}

#[test]
fn wrong_counts_are_found() {
    let folder = build(6, true);
    let path = path(folder.path(), sector(3, 3));
    let file = SectorFile::open(&path, sector(3, 3), identity()).unwrap();
    let counts = *file.statistics();
    assert!(check::compare(&file, counts).is_ok());
    let counts = Statistics { wins: counts.wins - 1, losses: counts.losses + 1, ..counts };
    let error = check::compare(&file, counts).unwrap_err();
    assert!(matches!(error, VerifyError::Counts { .. }), "{error}");
}
