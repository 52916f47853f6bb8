//! Logs of matches, as they are and with checksums that fit again, so that what stands behind a checksum is
//! read too.

use std::fs;

use millstone::matches::{Log, Tally, merge};

use super::file_of;

/// What stands before and after the checksum of a line.
const BEFORE: &[u8] = b",\"checksum\":\"";
const AFTER: &[u8] = b"\"}";

pub fn run(bytes: &[u8]) {
    read_everything(bytes);
    let fitting = with_checksums(bytes);
    if fitting != bytes {
        read_everything(&fitting);
    }
}

/// The log with the checksums of its lines computed anew.
fn with_checksums(log: &[u8]) -> Vec<u8> {
    log.split_inclusive(|&byte| byte == b'\n').flat_map(with_checksum).collect()
}

fn with_checksum(line: &[u8]) -> Vec<u8> {
    let end = line.trim_ascii_end().len();
    let mut fitting = line.to_owned();
    let open = line[..end].windows(BEFORE.len()).rposition(|part| part == BEFORE);
    if let Some(open) = open
        && line[open + BEFORE.len()..end].ends_with(AFTER)
    {
        let hashed = [&line[..open], b"}"].concat();
        let digits = format!("{:08x}", crc32fast::hash(&hashed));
        fitting.splice(open + BEFORE.len()..end - AFTER.len(), digits.into_bytes());
    }
    fitting
}

fn read_everything(bytes: &[u8]) {
    let path = file_of(bytes);
    let Ok(contents) = merge(std::slice::from_ref(&path), &mut |_| ()) else { return };
    for game in &contents.games {
        let record = game.to_record(&contents.header).expect("the moves have been read");
        record.history().expect("the moves have been played");
    }
    let tally = Tally::of(&contents.games);
    let _ = (tally.elo_range(), tally.pair_variance(), tally.likelihood_of_superiority());
    assert!(contents.missing_pairs().is_sorted());
    let (log, games, _) = Log::open(&path, &contents.header).expect("a match may go on");
    drop(log);
    assert_eq!(games.len(), contents.games.len());
    let left = fs::read(&path).expect("the log is still there");
    assert!(bytes.starts_with(&left), "whole lines stay");
}
