//! Logs of matches.

use std::fs;

use millstone::matches::{Log, Tally, merge};
use millstone::rules::RuleSet;

use super::file_of;

pub fn run(bytes: &[u8]) {
    let path = file_of(bytes);
    let Ok(contents) = merge(std::slice::from_ref(&path)) else { return };
    let rules = RuleSet::from_name(&contents.header.rules).expect("the log has been checked");
    for game in &contents.games {
        let record = game.to_record(&contents.header, &rules).expect("the moves have been read");
        record.replay().expect("the moves have been played");
    }
    let tally = Tally::of(&contents.games);
    let _ = (tally.elo_range(), tally.pair_variance(), tally.likelihood_of_superiority());
    let (missing, numbers) = contents.missing_pairs(10);
    assert!(numbers.len() as u64 <= missing.min(10));
    let (log, games, _) = Log::open(&path, &contents.header).expect("a match may go on");
    drop(log);
    assert_eq!(games.len(), contents.games.len());
    let left = fs::read(&path).expect("the log is still there");
    assert!(bytes.starts_with(&left), "whole lines stay");
}
