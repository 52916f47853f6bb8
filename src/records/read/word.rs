//! A word that should be a turn.

use crate::position::{MoveTextError, Turn};
use crate::records::branch::Branch;
use crate::records::playok;

/// What programs write for a move that is none.
const NULL_MOVES: [&str; 5] = ["--", "0000", "Z0", "none", "null"];

/// Adds the moves of a word to a line.
pub(super) fn play_turn(branch: &mut Branch, word: &str) -> Result<(), String> {
    let turn = parse_turn(word)?;
    turn.moves().iter().try_for_each(|mv| branch.play(*mv)).map_err(|error| error.to_string())
}

/// Reads a turn, whose points have names or numbers.
fn parse_turn(word: &str) -> Result<Turn, String> {
    let is_numbered = word.trim_start_matches(['x', 'X']).starts_with(|c: char| c.is_ascii_digit());
    if NULL_MOVES.contains(&word) {
        Err(format!("expected a move, found '{word}', which moves nothing"))
    } else if is_numbered {
        playok::parse_turn(word)
    } else {
        word.parse().map_err(|error: MoveTextError| error.to_string())
    }
}
