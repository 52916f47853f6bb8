//! What a search says in the Generic Board Game Protocol.

use std::fmt;

use super::turns::{TurnLine, whole_turns};
use crate::any_game::AnyGame;
use crate::game::Outcome;
use crate::position::Turn;
use crate::protocol::reply::write_score;
use crate::score::Score;
use crate::search::{Bound, CurrentMove, Progress, Report};

/// A score from the side to move: `eval 12`, in hundredths of a man, `win 3`, `win -2`.
///
/// A win is counted in turns of the winner, with a minus if that is the other side; `win 0` is said
/// where the side to move has lost already.
struct GbgpScore(Score);

impl fmt::Display for GbgpScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_score(f, self.0, "eval", "win")
    }
}

/// An `info` line; its turns are left out where the first has a removal still to be chosen.
pub(in crate::protocol) struct Info<'a> {
    /// The game in which the line is played.
    pub(in crate::protocol) game: &'a dyn AnyGame,
    /// The turns to choose from; all if there are none.
    pub(in crate::protocol) choices: &'a [Turn],
    pub(in crate::protocol) progress: &'a Progress<'a>,
}

impl fmt::Display for Info<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Progress { depth, selective_depth, nodes, table_use, time, .. } = self.progress;
        let rate = *nodes as f64 / time.as_secs_f64().max(1e-6);
        write!(f, "info depth {depth} seldepth {selective_depth}")?;
        write!(f, " score {}", GbgpScore(self.progress.score))?;
        f.write_str(match self.progress.bound {
            Bound::Lower => " lowerbound",
            Bound::Upper => " upperbound",
            Bound::Exact => "",
        })?;
        write!(f, " time {} nodes {nodes} nps {rate:.0} hashfull {table_use}", time.as_millis())?;
        let turns = whole_turns(self.game, self.progress.pv);
        match turns.first() {
            Some(first) if self.choices.is_empty() || self.choices.contains(first) => {
                write!(f, " pv{}", TurnLine(&turns))
            }
            _ => Ok(()),
        }
    }
}

/// An `info` line with the root move that is searched next, which is a whole turn unless it closes
/// a mill.
pub(in crate::protocol) struct Current<'a> {
    pub(in crate::protocol) game: &'a dyn AnyGame,
    pub(in crate::protocol) current: &'a CurrentMove,
}

impl fmt::Display for Current<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CurrentMove { depth, mv, number } = self.current;
        write!(f, "info depth {depth}")?;
        let turn = whole_turns(self.game, &[*mv]);
        turn.iter().try_for_each(|turn| write!(f, " currmove {turn}"))?;
        write!(f, " currmovenumber {number}")
    }
}

/// The end of a search: the turn, or `none` when the game is over.
pub(in crate::protocol) struct Answer<'a> {
    pub(in crate::protocol) game: &'a dyn AnyGame,
    pub(in crate::protocol) report: &'a Report,
}

impl fmt::Display for Answer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let turns = whole_turns(self.game, &self.report.pv);
        let Some(best) = turns.first() else {
            let is_lost = matches!(self.game.outcome(), Some(Outcome::Win { .. }));
            let score = if is_lost { Score::mated_in(0) } else { Score::DRAW };
            writeln!(f, "info depth 0 score {}", GbgpScore(score))?;
            return f.write_str("bestmove none");
        };
        write!(f, "bestmove {best}")?;
        turns.get(1).map_or(Ok(()), |answer| write!(f, " ponder {answer}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wins_are_counted_in_turns_of_the_winner() {
        for (score, words) in [
            (Score::estimate(-12), "eval -12"),
            (Score::mate_in(1), "win 1"),
            (Score::mate_in(3), "win 2"),
            (Score::mated_in(0), "win 0"),
            (Score::mated_in(2), "win -1"),
            (Score::mated_in(4), "win -2"),
        ] {
            assert_eq!(GbgpScore(score).to_string(), words);
        }
    }
}
