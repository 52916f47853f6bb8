//! Records of random games with all that a record can hold.

use crate::random::{IndexedRandom, Random, RngExt, random_position};
use millstone::position::Position;
use millstone::records::{AnnotatedMove, AnnotatedMoves, GameRecord, GameResult};
use millstone::rules::RuleSet;

/// The most moves of a game and of a variation.
const MOST_MOVES: usize = 90;
const MOST_MOVES_OF_VARIATION: usize = 6;
/// How deep variations lie in variations.
const DEEPEST: usize = 3;

const COMMENTS: [&str; 8] = [
    "well played",
    "xa1 1. d6 (not a variation) $4 1-0",
    "[not a tag \"at all\"]",
    "two\n  lines; the second indented",
    "a brace } that ends nothing",
    "one } of\n\nthree lines\n% here",
    "{ and \\ and \"",
    "M\u{fc}hle \u{2014} \u{5341}\u{4e8c}",
];

const TAGS: [(&str, &str); 7] = [
    ("Event", "Sanmill-Game"),
    ("Date", "2026.8.7"),
    ("WhiteElo", "1500"),
    ("White", "Erika \"die M\u{fc}hle\" M\u{fc}ller"),
    ("Black", "C:\\engines\\mill.exe"),
    ("GameType", "70,0"),
    ("Annotator", ""),
];

/// A game with tags, comments, glyphs and variations, half the time from a position of its own.
pub fn random_record(rules: RuleSet, rng: &mut Random) -> GameRecord {
    let start = rng.random::<bool>().then(|| {
        let plies = rng.random_range(1..60);
        random_position(rules, plies, rng).to_string()
    });
    let position = match &start {
        Some(text) => Position::from_text(text, rules).expect("positions are read as written"),
        None => Position::start(rules),
    };
    let result = *GameResult::ALL.choose(rng).unwrap();
    let main_line = random_line(position, rng.random_range(0..MOST_MOVES), 0, rng);
    let mut record = GameRecord { rules, start, main_line, result, tags: Vec::new() };
    for (name, value) in TAGS {
        if rng.random() {
            record.set_tag(name, value);
        }
    }
    record
}

/// A line of at most this many moves.
fn random_line(
    mut position: Position<RuleSet>,
    most: usize,
    depth: usize,
    rng: &mut Random,
) -> AnnotatedMoves {
    let mut line = AnnotatedMoves { comment: random_comment(rng), ..AnnotatedMoves::default() };
    for _ in 0..most {
        let before = position;
        let Some(&mv) = position.moves().choose(rng) else { break };
        position = position.after(mv);
        let mut ply = AnnotatedMove::from(mv);
        if rng.random_ratio(1, 6) {
            ply.comment = random_comment(rng);
            ply.glyphs = (0..rng.random_range(0..3)).map(|_| rng.random()).collect();
        }
        if depth < DEEPEST && rng.random_ratio(1, 8) {
            let moves = rng.random_range(1..=MOST_MOVES_OF_VARIATION);
            ply.variations.push(random_line(before, moves, depth + 1, rng));
        }
        line.moves.push(ply);
    }
    line
}

fn random_comment(rng: &mut Random) -> String {
    if rng.random() { String::new() } else { (*COMMENTS.choose(rng).unwrap()).to_owned() }
}
