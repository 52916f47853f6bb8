//! Position texts with mistakes: each is refused, or is a position that can be played on.

use crate::random::{IndexedRandom, IteratorRandom, Random, RngExt, random_position, seeded};
use crate::random_rules::named_or_random_rules;
use crate::size::usual_or_full;
use millstone::position::PositionText;
use millstone::rules::RuleSet;
use rayon::prelude::*;

/// Spoilt texts in each game.
const TEXTS: u32 = 40;
/// Moves played from a text that was accepted.
const PLIES: u32 = 12;

/// Tokens that stand somewhere in a text, and some that never do.
const TOKENS: &str = "w b p m o r s ? 0 1 2 3 -1 -2 7 9 12 8 31 32 65535 65536 x s:1 s:2 p:8 p:0 ids:nodes \
    c:w-1-16|b-0- i:w-2-8.24|b-0- i:w-0-|b-1-16 l:w-1-20|b-0- 9439544818968559616";
const MARKS: [char; 5] = ['O', '@', '*', 'X', '/'];

/// A text with one to three tokens or points changed, added or taken out.
fn spoil(text: &str, rng: &mut Random) -> String {
    let mut tokens: Vec<String> = text.split(' ').map(str::to_owned).collect();
    for _ in 0..rng.random_range(1..=3) {
        let at = rng.random_range(0..tokens.len());
        let token = TOKENS.split(' ').choose(rng).unwrap().to_owned();
        match rng.random_range(0..10) {
            0 => drop(tokens.remove(at)),
            1 => tokens.insert(at, token),
            2 => tokens.push(token),
            3..=5 => {
                let mut board: Vec<char> = tokens[0].chars().collect();
                if let Some(point) = board.get_mut(rng.random_range(0..26)) {
                    *point = *MARKS.choose(rng).unwrap();
                }
                tokens[0] = board.into_iter().collect();
            }
            _ => tokens[at] = token,
        }
        if tokens.is_empty() {
            return String::new();
        }
    }
    if tokens.len() > 7 && rng.random_ratio(3, 4) {
        count_again(&mut tokens);
    }
    tokens.join(" ")
}

/// Makes the numbers of men fit the board, so that other mistakes come to light.
fn count_again(tokens: &mut [String]) {
    tokens[4] = tokens[0].matches('O').count().to_string();
    tokens[6] = tokens[0].matches('@').count().to_string();
}

/// Plays on from an accepted text; every position is sound and is read as it is written.
fn play_on(read: PositionText<RuleSet>, text: &str, rng: &mut Random) {
    let mut position = read.position;
    let rules = *position.rules();
    for _ in 0..PLIES {
        assert_eq!(position.validate(), Ok(()), "{position} from {text} by {rules:?}");
        let written = position.to_string();
        let again = PositionText::parse(&written, rules);
        let again = again.unwrap_or_else(|error| panic!("{error}: from {text} by {rules:?}"));
        assert_eq!(again.to_string(), written, "from {text} by {rules:?}");
        assert_eq!(again.position.key(), position.key(), "{written} from {text} by {rules:?}");
        let moves = position.moves();
        assert_eq!(moves.is_empty(), position.ending().is_some(), "{written} by {rules:?}");
        let Some(mv) = moves.choose(rng) else { break };
        position = position.after(*mv);
    }
}

/// How many spoilt texts of a random game are accepted.
fn spoil_game(seed: u64) -> u32 {
    let mut rng = seeded(seed);
    let rules = named_or_random_rules(&mut rng);
    let mut accepted = 0;
    for _ in 0..TEXTS {
        let plies = rng.random_range(0..70);
        let position = random_position(rules, plies, &mut rng);
        let text = spoil(&position.to_string(), &mut rng);
        if let Ok(read) = PositionText::parse(&text, rules) {
            accepted += 1;
            if read.outcome.is_none() {
                play_on(read, &text, &mut rng);
            }
        }
    }
    accepted
}

#[test]
fn spoilt_texts_are_refused_or_can_be_played_on() {
    let games = usual_or_full(600, 6_000);
    let accepted: u32 = (0..games).into_par_iter().map(spoil_game).sum();
    let texts = games as u32 * TEXTS;
    assert!((texts / 20..texts).contains(&accepted), "{accepted} of {texts}");
}
