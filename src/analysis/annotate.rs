//! Writing a review into the record of the game.

use super::review::ReviewedTurn;
use super::white_score::WhiteScore;
use crate::position::Move;
use crate::records::{Line, Ply, Record};

/// Writes what was found out about the turns of a record into it: the score after each turn as a
/// comment, and for each fault its glyph and the better play as a variation.
///
/// What the record says already stays. `turns` are those of a review of the same record.
pub fn annotate(record: &mut Record, turns: &[ReviewedTurn]) {
    let mut plies = record.line.plies.as_mut_slice();
    for turn in turns {
        let (own, rest) = plies.split_at_mut(turn.moves.len().min(plies.len()));
        annotate_turn(own, turn);
        plies = rest;
    }
}

fn annotate_turn(plies: &mut [Ply], turn: &ReviewedTurn) {
    let (worst, better) = (turn.worst_move(), turn.better());
    if let (Some(fault), Some(worst), Some(better)) = (turn.fault(), worst, better) {
        let ply = &mut plies[worst];
        if !ply.glyphs.contains(&fault.glyph()) {
            ply.glyphs.push(fault.glyph());
        }
        ply.variations.push(line(&better.pv, WhiteScore::new(better.score, turn.side)));
    }
    if let Some(last) = plies.last_mut() {
        say(last, turn.score());
    }
}

/// A variation with its score at the end.
fn line(moves: &[Move], score: WhiteScore) -> Line {
    let mut plies: Vec<Ply> = moves.iter().copied().map(Ply::from).collect();
    if let Some(last) = plies.last_mut() {
        say(last, score);
    }
    Line { comment: String::new(), plies }
}

/// Adds a score to what is said after a move.
fn say(ply: &mut Ply, score: WhiteScore) {
    if !ply.comment.is_empty() {
        ply.comment.push('\n');
    }
    ply.comment.push_str(&score.to_string());
}
