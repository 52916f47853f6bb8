//! Choosing a move by the databases alone.

use std::cmp::Reverse;

use super::tables::Tables;
use super::value::Value;
use super::wdl::Wdl;
use crate::game::{Game, Outcome};
use crate::position::{Move, Position};
use crate::rules::Rules;

/// A move and what it is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JudgedMove {
    /// The move.
    pub mv: Move,
    /// Its value for the side that plays it.
    pub value: Value,
    /// How many replies keep the draw, if the best moves draw and it is one of them; else 0.
    pub drawing_replies: u32,
}

/// How a game ends when the draw rules are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fate {
    /// For the side to move.
    pub wdl: Wdl,
    /// Whether no other play could bring in a draw rule, or keep it out.
    pub is_certain: bool,
}

impl JudgedMove {
    /// What is less for better moves: a soon win, a late loss, a draw that is harder to hold.
    fn order(self) -> (Reverse<Value>, u32) {
        (Reverse(self.value), self.drawing_replies)
    }
}

impl Tables {
    /// The value of each of some legal moves, the best move first; equally good ones stay in order.
    ///
    /// None if a value is not known.
    #[must_use]
    pub fn judge<R: Rules>(
        &self,
        position: &Position<R>,
        moves: &[Move],
    ) -> Option<Vec<JudgedMove>> {
        let value = |mv| self.value_of_move(position, mv);
        let judged =
            moves.iter().map(|&mv| Some(JudgedMove { mv, value: value(mv)?, drawing_replies: 0 }));
        let mut judged: Vec<JudgedMove> = judged.collect::<Option<_>>()?;
        if judged.iter().map(|judged| judged.value).max() == Some(Value::DRAW) {
            for drawing in judged.iter_mut().filter(|judged| judged.value == Value::DRAW) {
                drawing.drawing_replies = self.drawing_replies(position, drawing.mv)?;
            }
        }
        judged.sort_by_key(|judged| judged.order());
        Some(judged)
    }

    /// How many replies keep the draw; after the removal that leaves fewest, where one is owed.
    fn drawing_replies<R: Rules>(&self, position: &Position<R>, mv: Move) -> Option<u32> {
        let after = position.after(mv);
        let plays_on = after.to_move() == position.to_move();
        let mut fewest = u32::MAX;
        let mut drawing = 0;
        for &next in &after.moves() {
            if self.value_of_move(&after, next)? == Value::DRAW {
                drawing += 1;
                if plays_on {
                    fewest = fewest.min(self.drawing_replies(&after, next)?);
                }
            }
        }
        Some(if plays_on { fewest } else { drawing })
    }

    /// The best play of both sides from a game on, as long as it is decided; whatever the draw
    /// rules make of it, the line ends with the game, or when it is enough; and where it has led.
    ///
    /// None if a value on the way is not known.
    #[must_use]
    pub fn line<R: Rules>(
        &self,
        game: &Game<R>,
        is_enough: impl Fn() -> bool,
    ) -> Option<(Vec<Move>, Game<R>)> {
        let mut game = game.clone();
        let mut line = Vec::new();
        while game.outcome().is_none() && !is_enough() {
            let best = *self.judge(game.position(), &game.moves())?.first()?;
            if best.value == Value::DRAW {
                break;
            }
            game.play(best.mv).ok()?;
            line.push(best.mv);
        }
        Some((line, game))
    }

    /// Whether the side to move wins, draws or loses when the draw rules are kept.
    ///
    /// A win within the plies that the n-move rule leaves is certain. Otherwise the best play of both
    /// sides is followed to its end, where the loser does not look for a draw by the rules and the
    /// winner does not look for a shorter way to the next removal.
    ///
    /// None if a value on the way is not known.
    #[must_use]
    pub fn fate<R: Rules>(&self, game: &Game<R>) -> Option<Fate> {
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
        let (_, end) = self.line(game, || false)?;
        Some(Fate { wdl: end.outcome().map_or(Wdl::Draw, ended), is_certain: false })
    }
}

/// Whether no rule can draw the game before so many plies have been played.
fn is_in_time<R: Rules>(game: &Game<R>, plies: u8) -> bool {
    let rules = game.draw_rules();
    let keys = game.reversible_keys();
    let is_repeated = (1..keys.len()).any(|index| keys[..index].contains(&keys[index]));
    // The ply that earned a removal has been counted.
    let to_come = u16::from(plies) - u16::from(game.position().pending() > 0);
    let end = game.position().quiet_plies() + to_come;
    end < rules.n_move.min(rules.endgame_n_move) && !(rules.threefold_repetition && is_repeated)
}
