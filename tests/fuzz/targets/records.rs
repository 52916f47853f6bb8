//! Game records in every notation.

use millstone::records::{GameRecord, Notation, decode};

use super::rules_and_rest;

pub fn run(bytes: &[u8]) {
    let Some((usual, rest)) = rules_and_rest(bytes) else { return };
    let Ok(text) = decode(rest.to_vec()) else { return };
    let records = match GameRecord::read_all_by(&text, &usual) {
        Ok(records) => records,
        Err(error) => {
            let text = text.replace("\r\n", "\n").replace('\r', "\n");
            let line = text.split('\n').nth(error.line - 1).expect("a line of the text");
            assert!((1..=line.chars().count() + 1).contains(&error.column), "{error}");
            assert!(!error.message.is_empty());
            return;
        }
    };
    for record in &records {
        let history = record.history().expect("what is read can be played");
        assert!(history.moves().eq(record.moves()));
        for notation in Notation::ALL {
            if notation == Notation::Actions && record.start.is_some() {
                continue;
            }
            let written = record.write_by(notation, &usual).expect("what is read can be written");
            let losses = record.losses(notation, &usual);
            let usual = if losses.contains(&"rules") { record.rules } else { usual };
            let read = GameRecord::read_all_by(&written, &usual);
            let read = read.unwrap_or_else(|error| panic!("{error}\n{written}"));
            assert_eq!(read.len(), 1, "{written}");
            if losses.is_empty() {
                assert_eq!(sorted(&read[0]), sorted(record), "{written}");
            }
        }
    }
}

/// A record whose tags are in order; SGF has those that are properties of its own first.
pub fn sorted(record: &GameRecord) -> GameRecord {
    let mut record = record.clone();
    record.tags.sort_by(|one, other| one.name.cmp(&other.name));
    record
}
