//! Best play by the tablebase: ranking moves, the principal variation, and the value under the draw
//! rules.

use std::cmp::Reverse;

use super::folder::Tablebase;
use super::value::{DrawValue, Value, Wdl};
use crate::board::Side;
use crate::game::{Game, Outcome};
use crate::position::{Move, Position};
use crate::rules::{DrawRules, Rules};

/// A move with its values in the tablebase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankedMove {
    /// The move.
    pub mv: Move,
    /// The value of the move for the side that plays it.
    pub wdl: Wdl,
    /// The value with its distance, if that is known.
    pub value: Option<Value>,
    /// Where a drawing move comes to rest, if that is known.
    pub draw: Option<DrawValue>,
    /// The number of replies that keep the draw; only for drawing moves, if no move wins and all replies are known.
    pub drawing_replies: Option<u32>,
}

impl RankedMove {
    /// Returns a legal move with only win, draw or loss, or `None` if that is unknown.
    pub(crate) fn probe<R: Rules>(
        tablebase: &Tablebase,
        position: &Position<R>,
        mv: Move,
    ) -> Option<Self> {
        let wdl = tablebase.probe_move(position, mv)?;
        let value = (wdl == Wdl::Draw).then_some(Value::DRAW);
        Some(Self { mv, wdl, value, draw: None, drawing_replies: None })
    }

    /// Reads the distance, or where a draw comes to rest, if still unknown and the tablebase has it.
    pub(crate) fn read_distance<R: Rules>(
        &mut self,
        tablebase: &Tablebase,
        position: &Position<R>,
    ) {
        if self.wdl == Wdl::Draw {
            self.draw = self.draw.or_else(|| tablebase.probe_draw_move(position, self.mv));
        } else {
            self.value = self.value.or_else(|| tablebase.probe_move(position, self.mv));
        }
    }

    /// Returns the turns of both sides to the end of the game, or `None` for a draw or an unknown distance.
    pub fn turns(&self) -> Option<u16> {
        self.value?.turns().map(u16::from)
    }
}

impl Tablebase {
    /// Returns legal moves with their values, the best first; equally good ones keep their order.
    ///
    /// `None` if the value of one is unknown; distances may be missing.
    pub fn rank_moves<R: Rules>(
        &self,
        position: &Position<R>,
        moves: &[Move],
    ) -> Option<Vec<RankedMove>> {
        let mut ranked = self.probe_moves(position, moves)?;
        let is_won = ranked.iter().any(|ranked| ranked.wdl == Wdl::Win);
        for drawing in ranked.iter_mut().filter(|ranked| ranked.wdl == Wdl::Draw && !is_won) {
            drawing.drawing_replies = self.drawing_replies(position, drawing.mv);
        }
        let (order, sector) = (self.draw_order(), self.game().sector_of(position));
        // An early win or a late loss comes first, and a draw that comes to rest in a better sector or is harder to
        // hold.
        ranked.sort_by_key(|ranked| {
            let draw = ranked.draw.zip(sector).map(|(draw, sector)| order.preference(sector, draw));
            let replies = ranked.drawing_replies.unwrap_or(u32::MAX);
            (Reverse((ranked.wdl, ranked.value)), Reverse(draw), replies)
        });
        Some(ranked)
    }

    /// Returns legal moves with their values in the same order, or `None` if one is unknown; distances may be missing.
    fn probe_moves<R: Rules>(
        &self,
        position: &Position<R>,
        moves: &[Move],
    ) -> Option<Vec<RankedMove>> {
        let probed = moves.iter().map(|&mv| {
            let mut probed = RankedMove::probe(self, position, mv)?;
            probed.read_distance(self, position);
            Some(probed)
        });
        probed.collect()
    }

    /// Counts the replies that keep the draw; if a removal is owed, after the removal that leaves fewest.
    pub(crate) fn drawing_replies<R: Rules>(
        &self,
        position: &Position<R>,
        mv: Move,
    ) -> Option<u32> {
        let after = position.after(mv);
        let plays_on = after.plays_on(position.to_move());
        let mut replies = if plays_on { u32::MAX } else { 0 };
        for &next in &after.moves() {
            match self.probe_move(&after, next)? {
                Wdl::Draw if plays_on => replies = replies.min(self.drawing_replies(&after, next)?),
                Wdl::Draw => replies += 1,
                Wdl::Win | Wdl::Loss => {}
            }
        }
        Some(replies)
    }

    /// Plays the best moves of both sides until the game is over, its value is a draw, or `is_enough` returns
    /// true. Returns these moves, the principal variation, and the game after them. Draw rules end the game but do
    /// not change which moves are best.
    ///
    /// `None` if a value on the way is unknown.
    pub fn pv<R: Rules>(
        &self,
        game: &Game<R>,
        is_enough: impl Fn() -> bool,
    ) -> Option<(Vec<Move>, Game<R>)> {
        let mut game = game.clone();
        let mut pv = Vec::new();
        while game.outcome().is_none() && !is_enough() {
            let ranked = self.rank_moves(game.position(), &game.moves())?;
            let best = *ranked.first()?;
            if best.wdl == Wdl::Draw {
                break;
            }
            if ranked.iter().any(|ranked| ranked.wdl == best.wdl && ranked.value.is_none()) {
                return None;
            }
            game.play(best.mv).ok()?;
            pv.push(best.mv);
        }
        Some((pv, game))
    }

    /// Returns win, draw or loss for the side to move under the draw rules.
    ///
    /// A win within the turns that the n-move rule leaves is certain. Otherwise the principal variation
    /// decides, in which the loser does not seek a draw by the rules and the winner does not seek a
    /// shorter way to the next removal. If `is_enough` ends it early, the value of the tablebase
    /// stands.
    ///
    /// `None` if a value on the way is unknown.
    pub fn draw_rule_wdl<R: Rules>(
        &self,
        game: &Game<R>,
        is_enough: impl Fn() -> bool,
    ) -> Option<DrawRuleWdl> {
        let known = self.known(game)?;
        if known.is_certain {
            return Some(known);
        }
        let (_, end) = self.pv(game, is_enough)?;
        let ended = end.outcome().map(|outcome| Wdl::ended(outcome, game.to_move()));
        Some(DrawRuleWdl { wdl: ended.unwrap_or(known.wdl), ..known })
    }

    /// Returns the certain value under the draw rules, by a search of all play until the n-move rule draws or the game
    /// ends, if that is near, or if the loser can draw at once.
    ///
    /// `None` if the search would take too long, or a value is unknown.
    ///
    /// * `left`: the number of positions that it may visit; it subtracts those that it visits.
    pub fn search_draw_rules<R: Rules>(
        &self,
        game: &Game<R>,
        left: &mut u32,
        is_enough: &impl Fn() -> bool,
    ) -> Option<DrawRuleWdl> {
        let known = self.known(game);
        let wdl = known.map(|known| known.wdl).or_else(|| self.probe(game.position()))?;
        let winner = if wdl == Wdl::Win { game.to_move() } else { !game.to_move() };
        let wins = self.wins(game, winner, left, is_enough)?;
        let keeps_distance = known.is_some_and(|known| known.keeps_distance);
        let wdl = if wins { wdl } else { Wdl::Draw };
        Some(DrawRuleWdl { wdl, is_certain: true, keeps_distance })
    }

    /// Whether the winner by the tablebase also wins under the draw rules.
    fn wins<R: Rules>(
        &self,
        game: &Game<R>,
        winner: Side,
        left: &mut u32,
        is_enough: &impl Fn() -> bool,
    ) -> Option<bool> {
        let is_winner = game.to_move() == winner;
        if let Some(known) = self.known(game).filter(|known| known.is_certain) {
            return Some(known.wdl == if is_winner { Wdl::Win } else { Wdl::Loss });
        }
        let (position, rules) = (game.position(), game.draw_rules());
        let draws = |&mv: &Move| {
            let mut after = game.clone();
            after.play(mv).is_ok() && matches!(after.outcome(), Some(Outcome::Draw(_)))
        };
        if !is_winner && game.moves().iter().any(draws) {
            return Some(false);
        }
        let limit = if has_three(position) { rules.first_limit() } else { rules.n_move };
        let plies_left = limit.saturating_sub(position.quiet_plies());
        let turns = u16::from(self.probe_value(position)?.turns()?);
        if turns.min(plies_left) > MOST_PLIES_LEFT || is_enough() {
            return None;
        }
        *left = left.checked_sub(1)?;
        let mut moves = self.probe_moves(position, &game.moves())?;
        // The winner does not give the win away; the soonest win and the latest loss come first.
        moves.retain(|probed| !is_winner || probed.wdl == Wdl::Win);
        moves.sort_by_key(|probed| Reverse((probed.wdl, probed.value)));
        let mut is_settled = true;
        for probed in moves {
            let mut after = game.clone();
            after.play(probed.mv).ok()?;
            match self.wins(&after, winner, left, is_enough) {
                Some(wins) if wins == is_winner => return Some(wins),
                found => is_settled &= found.is_some(),
            }
        }
        is_settled.then_some(!is_winner)
    }

    /// Returns the value of a game without its draw rules, and whether they cannot change it, or `None` if the distance
    /// is unknown.
    fn known<R: Rules>(&self, game: &Game<R>) -> Option<DrawRuleWdl> {
        let (wdl, holds) = if let Some(outcome) = game.outcome() {
            (Wdl::ended(outcome, game.to_move()), true)
        } else {
            let value = self.probe_value(game.position())?;
            (value.into(), value.turns().is_none_or(|turns| is_in_time(game, turns)))
        };
        Some(DrawRuleWdl { wdl, is_certain: holds, keeps_distance: holds })
    }

    /// Returns win, draw or loss for the side to move if no draw rule can change it. A win or loss of unknown
    /// length is assumed to come in time while half of the n-move rule is left and no position has occurred twice,
    /// unless the rule is stricter than usual.
    ///
    /// `None` if a rule can change the value, or the tablebase does not know the position.
    pub fn certain_wdl<R: Rules>(&self, game: &Game<R>) -> Option<Wdl> {
        if let Some(DrawRuleWdl { wdl, is_certain, .. }) = self.known(game) {
            return is_certain.then_some(wdl);
        }
        let [limit, usual] = [game.draw_rules(), DrawRules::default()].map(DrawRules::first_limit);
        let is_early = limit >= usual
            && game.position().quiet_plies() <= limit / 2
            && game.repeated_keys().next().is_none();
        self.probe(game.position()).filter(|&wdl| wdl == Wdl::Draw || is_early)
    }
}

/// The value of a game under its draw rules, which the tablebase ignores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawRuleWdl {
    /// The value for the side to move.
    pub wdl: Wdl,
    /// Whether the value holds for all play, not only for the principal variation.
    pub is_certain: bool,
    /// Whether the distance of the tablebase holds too, since no draw rule can intervene.
    pub keeps_distance: bool,
}

/// The most plies until the n-move rule draws, or best play ends the game, for which a search decides whether a win
/// comes in time.
const MOST_PLIES_LEFT: u16 = 10;

impl Wdl {
    /// Returns the result of a finished game for a side.
    pub fn ended(outcome: Outcome, side: Side) -> Self {
        match outcome {
            Outcome::Win { winner, .. } if winner == side => Self::Win,
            Outcome::Win { .. } => Self::Loss,
            Outcome::Draw(_) => Self::Draw,
        }
    }
}

/// Whether the smaller limit of the n-move rule may apply.
fn has_three<R: Rules>(position: &Position<R>) -> bool {
    Side::ALL.into_iter().any(|side| position.men(side).len() == 3)
}

/// Whether no rule can draw the game within `turns` turns.
fn is_in_time<R: Rules>(game: &Game<R>, turns: u8) -> bool {
    let rules = game.draw_rules();
    let position = game.position();
    // A removal that is owed belongs to the current turn and restarts the count. A side that has to remove
    // its own man may lose by that, in 0 turns.
    let owes = position.pending() > 0;
    let belongs_to_turn = owes && !position.owes_for_stalemate();
    let to_come = u16::from(turns).saturating_sub(belongs_to_turn.into());
    let quiet_plies = if owes { 0 } else { position.quiet_plies() };
    let end = quiet_plies.saturating_add(to_come);
    // A removal that leaves three men restarts the count.
    let end_with_three = if has_three(position) { end } else { to_come };
    end < rules.n_move
        && end_with_three < rules.endgame_n_move
        && (owes || to_come <= 1 || game.repeated_keys().next().is_none())
}
