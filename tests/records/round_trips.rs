//! Records are read as they were written, in every notation and by every rules.

use super::random_records::random_record;
use crate::fuzz::targets::records::sorted;
use crate::random::seeded;
use crate::random_rules::random_rules;
use millstone::records::{GameRecord, Notation};
use millstone::rules::{PRESETS, RuleSet};
use proptest::prelude::*;

/// The notations with comments, glyphs and variations.
fn commented() -> impl Iterator<Item = Notation> {
    Notation::ALL.into_iter().filter(|notation| notation.is_commented())
}
const GAMES: usize = 40;

/// Writes games into one text and reads them again.
fn check_round_trip(records: &[GameRecord], notation: Notation) {
    let write =
        |record: &GameRecord| record.write(notation).unwrap_or_else(|error| panic!("{error}"));
    let text: String = records.iter().map(write).collect();
    let read = GameRecord::read_all(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(read.len(), records.len());
    for (read, written) in read.iter().zip(records) {
        assert_eq!(sorted(read), sorted(written), "{notation}:\n{}", write(written));
    }
}

#[test]
fn games_of_every_preset_with_all_that_they_hold() {
    let mut rng = seeded(1);
    for preset in &PRESETS {
        let records: Vec<_> = (0..GAMES).map(|_| random_record(preset.rules, &mut rng)).collect();
        for notation in commented() {
            let is_whole =
                |it: &GameRecord| it.losses(notation, &RuleSet::NINE_MENS_MORRIS).is_empty();
            assert!(records.iter().all(is_whole));
            check_round_trip(&records, notation);
        }
    }
}

#[test]
fn games_of_rules_without_a_name() {
    let mut rng = seeded(2);
    for _ in 0..200 {
        let record = random_record(random_rules(&mut rng).canonical(), &mut rng);
        for notation in commented() {
            check_round_trip(std::slice::from_ref(&record), notation);
        }
    }
}

#[test]
fn lists_of_moves_hold_start_and_moves() {
    let mut rng = seeded(3);
    for preset in &PRESETS {
        let records: Vec<_> = (0..GAMES).map(|_| random_record(preset.rules, &mut rng)).collect();
        let text: String = records.iter().map(|it| it.write(Notation::Uci).unwrap()).collect();
        let read = GameRecord::read_all_by(&text, &preset.rules).unwrap();
        let bare = records.iter().map(|record| {
            let (start, main_line) = (record.start.clone(), record.moves().collect());
            GameRecord { rules: record.rules, start, main_line, ..GameRecord::default() }
        });
        assert_eq!(read, bare.collect::<Vec<_>>());
        assert!(records.iter().zip(&read).all(|(record, bare)| {
            record == bare || !record.losses(Notation::Uci, &RuleSet::NINE_MENS_MORRIS).is_empty()
        }));
    }
}

/// As Sanmill writes it, with its ends of lines.
const SANMILL: &str = "[Event \"Sanmill-Game\"]\r\n[Site \"Sanmill\"]\r\n[Date \"2026.8.7\"]\r\n\
    [Round \"1\"]\r\n[White \"Human\"]\r\n[Black \"AI\"]\r\n[Result \"*\"]\r\n\
    [Variant \"Nine Men's Morris\"]\r\n[PlyCount \"7\"]\r\n\r\n 1.    d6    f4\r\n 2.    d7    b4\r\n \
    3.    d5xf4    f4\r\n 4.    a1\r\n";

#[test]
fn what_sanmill_wrote_is_written_again() {
    let record = GameRecord::read_all(SANMILL).unwrap().remove(0);
    assert_eq!(record.history().unwrap().turns().len(), 7);
    let written = record.write(Notation::Sanmill).unwrap();
    assert_eq!(written, SANMILL.replace(" a1\r\n", " a1\r\n*\r\n\r\n"));
}

proptest! {
    #[test]
    fn any_text_in_comments_and_tags(comment: String, value in "[^\n\r]*") {
        let moves = ["d6".parse().unwrap(), "f4".parse().unwrap()];
        let main_line = moves.into_iter().collect();
        let mut record = GameRecord { main_line, ..GameRecord::default() };
        record.main_line.moves[0].comment = comment;
        record.set_tag("White", value);
        for notation in commented() {
            let text = record.write(notation).unwrap();
            let read = GameRecord::read_all(&text).unwrap().remove(0);
            prop_assert_eq!(&read.tags, &record.tags);
            prop_assert_eq!(read.moves().collect::<Vec<_>>(), moves);
            let again = read.write(notation).unwrap();
            prop_assert_eq!(GameRecord::read_all(&again).unwrap().remove(0), read);
        }
    }
}
