//! Whether a game of a log can have been played as it says: its moves lead to its result.

use super::game::{PLY_LIMIT, reason};
use super::log_entry::{LogEntry, LogHeader};
use super::opening::Opening;
use super::shard::MOST_GAMES;
use crate::board::Side;
use crate::position::Move;
use crate::quote::quote;
use crate::records::GameResult;
use crate::rules::RuleSet;

/// Replays a game of a match with these settings and rules.
///
/// # Errors
///
/// What contradicts what.
pub(super) fn check(entry: &LogEntry, header: &LogHeader, rules: &RuleSet) -> Result<(), String> {
    let LogEntry { game: number, white, .. } = *entry;
    if number >= MOST_GAMES || !header.shard.has_pair(entry.pair()) {
        return Err(format!("game {number} does not belong to shard {}", header.shard));
    }
    if white != LogEntry::white_in(number) {
        return Err(format!("game {number} was played with the colours exchanged"));
    }
    let moves: Result<Vec<Move>, _> = entry.moves.split_whitespace().map(str::parse).collect();
    let moves = moves.map_err(|error| error.to_string())?;
    let count = moves.len();
    let game = Opening { start: entry.start.clone(), moves }.game(rules)?;
    let forfeit = entry.forfeit.as_ref();
    let expected = match (forfeit, game.outcome()) {
        (Some(forfeit), _) => {
            let loser = if forfeit.engine == white { Side::White } else { Side::Black };
            Some((GameResult::won_by(!loser), forfeit.error.kind.to_string()))
        }
        (None, Some(outcome)) => Some((GameResult::from(Some(outcome)), reason(outcome))),
        (None, None) if count >= header.max_plies => Some((GameResult::Draw, PLY_LIMIT.to_owned())),
        (None, None) => None,
    };
    let is_known = forfeit.is_none_or(|forfeit| forfeit.engine < 2) && entry.opening_plies <= count;
    let agrees = expected.is_some_and(|(result, reason)| {
        (result, reason.as_str()) == (entry.result, entry.reason.as_str())
    });
    if agrees && is_known {
        Ok(())
    } else {
        let (result, reason) = (entry.result, quote(&entry.reason));
        Err(format!("the moves of game {number} do not lead to {result}, {reason}"))
    }
}
