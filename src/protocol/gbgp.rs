//! The Generic Board Game Protocol of Nine-Morris-3D, where it differs from the UCI dialect: a move is
//! a whole turn, a placement or slide together with the removals that it earns.

use std::time::Duration;

use super::reply::{self, BEST_MOVE, ScoreWords};
use super::task::Search;
use crate::board::Side;
use crate::evaluate::estimate;
use crate::game::{Game, History};
use crate::position::{Move, MoveLine, Turn};
use crate::score::Score;
use crate::search::{Bound, Limits, Report, Variation};

/// The complete turns at the beginning of a line of moves.
fn whole_turns(game: &Game, line: &[Move]) -> Vec<Turn> {
    let mut history = History::from(game.clone());
    let _ = line.iter().try_for_each(|&mv| history.play(mv));
    let mut turns = history.turns().to_vec();
    turns.pop_if(|(side, _)| history.game().is_within_turn(*side));
    turns.into_iter().map(|(_, turn)| turn).collect()
}

/// The minimum depth of the search for a removal, in plies.
const LEAST_DEPTH: u32 = 2;

/// Completes the best turn with removals missing from the principal variation.
///
/// * `choices`: the turns to choose from; all if empty. They restrict the removal only after the search.
/// * `limits`: the limits of the finished search. Removals are searched within the rest of them, but at
///   least [`LEAST_DEPTH`] plies deep.
pub(super) fn finish_turn(
    game: &Game,
    report: &mut Report,
    choices: &[Turn],
    limits: &Limits,
    mut search: impl FnMut(&Game, &Limits) -> Report,
) {
    let side = game.to_move();
    let mut game = game.clone();
    for at in 1.. {
        let Some(&mv) = report.pv().get(at - 1) else { return };
        if game.play(mv).is_err() || !game.is_within_turn(side) {
            return;
        }
        let begun = &report.pv()[..at];
        let rest = choices.iter().filter_map(|turn| turn.moves().strip_prefix(begun));
        let removals: Vec<Move> = rest.filter_map(|rest| rest.first().copied()).collect();
        let next = report.pv().get(at);
        if next.is_some_and(|next| removals.is_empty() || removals.contains(next)) {
            continue;
        }
        let nodes = limits.nodes.map(|nodes| nodes.saturating_sub(report.nodes).max(1));
        let (least_depth, is_choice) = (LEAST_DEPTH, !removals.is_empty());
        let limits = Limits { nodes, search_moves: removals, least_depth, ..limits.clone() };
        let further = search(&game, &limits);
        let line = &mut report.lines[0];
        line.pv.truncate(at);
        line.pv.extend(further.pv());
        if is_choice {
            // The score was that of another removal.
            (line.score, line.bound) = (further.score(), further.lines[0].bound);
        }
        report.nodes += further.nodes;
    }
}

/// A score for the side to move as text: `eval 12` in tenths of a man, `eval 12 lowerbound`, `win 3` in turns, `win -2`
/// for a loss, and `win 0` if the game is already lost. Nine-Morris-3D expects White's point of view; the protocol's
/// description may also mean the side to move.
fn score_text(score: Score, bound: Bound, Search { options, game, .. }: &Search) -> String {
    let is_turned = !options.scores_for_side_to_move && game.to_move() == Side::Black;
    let (score, bound) = if is_turned { (-score, -bound) } else { (score, bound) };
    // A bound on a win or loss that can only come sooner is not mentioned.
    let is_decided = score.is_mate() && (bound == Bound::Lower) == (score > Score::DRAW);
    let bound = if is_decided { Bound::Exact } else { bound };
    SCORE_WORDS.text(score) + &reply::bound_word(bound)
}

/// The score bar of Nine-Morris-3D is full at 150.
const SCORE_WORDS: ScoreWords = ScoreWords { estimate: "eval", man: 10, win: "win" };

/// An `info` line, without `pv` if its first turn is incomplete.
///
/// * `time`: the duration of the search.
pub(super) fn info(search: &Search, report: &Report, line: &Variation, time: Duration) -> String {
    let choices = &search.go.search_moves;
    let Report { selective_depth, nodes, table_use, .. } = report;
    let depth = line.depth.max(report.depth);
    let score = score_text(line.score, line.bound, search);
    let turns = whole_turns(&search.game, &line.pv);
    let is_choice = |first: &&Turn| choices.is_empty() || choices.contains(first);
    let pv = turns.first().filter(is_choice).map(|_| format!(" pv{}", MoveLine(&turns)));
    let pv = pv.unwrap_or_default();
    format!(
        "info depth {depth} seldepth {selective_depth} score {score} time {} nodes {nodes} nps {:.0} \
         hashfull {table_use}{pv}",
        time.as_millis(),
        reply::rate(*nodes, time)
    )
}

/// The result of a search: the best turn, or `none` if the game is over.
pub(super) fn best_move(search: &Search, report: &Report) -> String {
    match &whole_turns(&search.game, report.pv())[..] {
        [] => {
            let score = score_text(estimate(&search.game), Bound::Exact, search);
            format!("info depth 0 score {score}\n{BEST_MOVE} none")
        }
        [best] => format!("{BEST_MOVE} {best}"),
        [best, reply, ..] => format!("{BEST_MOVE} {best} ponder {reply}"),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::command::Dialect;
    use super::super::options::Options;
    use super::super::position::{legal_moves, set_up};
    use super::*;

    /// White may close a mill on d7.
    fn game() -> Game {
        let text = "startpos moves a7 b4 g7 c5";
        set_up(text, Dialect::Gbgp, &Options::default()).unwrap().game().clone()
    }

    fn report(line: &[&str]) -> Report {
        let pv: Vec<_> = line.iter().map(|mv| mv.parse().unwrap()).collect();
        let line = Variation { pv, ..Variation::default() };
        Report { lines: vec![line], nodes: 70, ..Report::default() }
    }

    /// Finishes the turn of a line. Returns the turns, and the limits of the additional search, if any.
    fn finish(line: &[&str], choices: &[&str], limits: &Limits) -> (Vec<Turn>, Option<Limits>) {
        let choices: Vec<Turn> = choices.iter().map(|turn| turn.parse().unwrap()).collect();
        let mut report = report(line);
        let mut asked = None;
        finish_turn(&game(), &mut report, &choices, limits, |game, limits| {
            assert!(asked.replace(limits.clone()).is_none(), "one search is enough");
            assert!(game.moves().iter().all(|mv| mv.is_removal()));
            self::report(&["xb4", "b6"])
        });
        (whole_turns(&game(), report.pv()), asked)
    }

    #[test]
    fn turns_are_listed_with_each_removal() {
        let turns = MoveLine(&legal_moves(Dialect::Gbgp, &game())).to_string();
        assert!(turns.contains(" d7xb4") && turns.contains(" d7xc5"), "{turns}");
        assert!(!turns.contains(" d7 ") && turns.contains(" d6 "), "{turns}");
    }

    #[test]
    fn lines_are_cut_to_whole_turns() {
        let turns = |line: &[&str]| MoveLine(&whole_turns(&game(), report(line).pv())).to_string();
        assert_eq!(turns(&["d7"]), "");
        assert_eq!(turns(&["d7", "xc5", "c5", "d6"]), " d7xc5 c5 d6");
        assert_eq!(turns(&["d6", "b6", "d7"]), " d6 b6");
    }

    #[test]
    fn a_removal_in_the_line_is_not_searched() {
        let (turns, asked) = finish(&["d7", "xc5", "c5"], &[], &Limits::none());
        assert_eq!(MoveLine(&turns).to_string(), " d7xc5 c5");
        assert!(asked.is_none());
        assert!(finish(&["d6", "d7"], &[], &Limits::none()).1.is_none());
    }

    #[test]
    fn a_removal_is_searched_by_what_is_left_of_the_limits() {
        let limits = Limits { nodes: Some(100), ..Limits::to_depth(5) };
        let (turns, asked) = finish(&["d7"], &[], &limits);
        assert_eq!(MoveLine(&turns).to_string(), " d7xb4 b6");
        let asked = asked.unwrap();
        assert_eq!((asked.nodes, asked.depth, asked.search_moves), (Some(30), 5, vec![]));
        assert!(Arc::ptr_eq(&asked.clock, &limits.clock));
        let (turns, asked) = finish(&["d7", "xc5"], &["d6", "d7xb4"], &limits);
        assert_eq!(MoveLine(&turns).to_string(), " d7xb4 b6");
        assert_eq!(asked.unwrap().search_moves, ["xb4".parse().unwrap()]);
    }

    #[test]
    fn wins_are_counted_in_turns_of_the_winner() {
        for (score, words) in [
            (Score::estimate(-129), "eval -12"),
            (Score::mate_in(1), "win 1"),
            (Score::mate_in(3), "win 2"),
            (Score::mated_in(0), "win 0"),
            (Score::mated_in(2), "win -1"),
            (Score::mated_in(4), "win -2"),
        ] {
            assert_eq!(SCORE_WORDS.text(score), words);
        }
    }
}
