//! How a game ends when the draw rules are kept, of which the databases know nothing.

use super::tables::Tablebase;
use super::wdl::Wdl;
use crate::board::Side;
use crate::game::{Game, Outcome};
use crate::rules::Rules;

/// How a game ends when the draw rules are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fate {
    /// For the side to move.
    pub wdl: Wdl,
    /// Whether no other play could bring in a draw rule, or keep it out.
    pub is_certain: bool,
}

impl Tablebase {
    /// Whether the side to move wins, draws or loses when the draw rules are kept.
    ///
    /// A win within the plies that the n-move rule leaves is certain. Otherwise the best play of both
    /// sides is followed to its end, where the loser does not look for a draw by the rules and the
    /// winner does not look for a shorter way to the next removal. When that is enough before the
    /// end, the value stands.
    ///
    /// None if a value on the way is not known.
    #[must_use]
    pub fn fate<R: Rules>(&self, game: &Game<R>, is_enough: impl Fn() -> bool) -> Option<Fate> {
        let to_move = game.position().to_move();
        let ended = |outcome| match outcome {
            Outcome::Win { winner, .. } if winner == to_move => Wdl::Win,
            Outcome::Win { .. } => Wdl::Loss,
            Outcome::Draw(_) => Wdl::Draw,
        };
        if let Some(outcome) = game.outcome() {
            return Some(Fate { wdl: ended(outcome), is_certain: true });
        }
        let value = self.value_of(game.position())?;
        if value.plies().is_none_or(|plies| is_in_time(game, plies)) {
            return Some(Fate { wdl: value.into(), is_certain: true });
        }
        let (_, end) = self.line(game, is_enough)?;
        Some(Fate { wdl: end.outcome().map_or(value.into(), ended), is_certain: false })
    }
}

/// Whether no rule can draw the game before so many plies have been played.
fn is_in_time<R: Rules>(game: &Game<R>, plies: u8) -> bool {
    let rules = game.draw_rules();
    let position = game.position();
    let keys = game.reversible_keys();
    let is_repeated = (1..keys.len()).any(|index| keys[..index].contains(&keys[index]));
    // A removal that is owed belongs to a ply that has begun, and starts everything anew.
    let owes = position.pending() > 0;
    let to_come = u16::from(plies) - u16::from(owes);
    let quiet_plies = if owes { 0 } else { position.quiet_plies() };
    let end = quiet_plies.saturating_add(to_come);
    // A removal that leaves three men starts the count anew.
    let has_three = Side::ALL.into_iter().any(|side| position.men(side).len() == 3);
    let end_with_three = if has_three { end } else { to_come };
    end < rules.n_move
        && end_with_three < rules.endgame_n_move
        && !(rules.threefold_repetition && is_repeated && !owes)
}
