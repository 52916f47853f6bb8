//! Whole turns out of single moves: a placement or slide together with the removals that it earns.

use std::fmt;

use crate::any_game::AnyGame;
use crate::board::Side;
use crate::position::{Move, Turn};
use crate::search::{Limits, Report};

/// The turns that may be played.
pub(in crate::protocol) fn legal_turns(game: &dyn AnyGame) -> Vec<Turn> {
    let mut turns = Vec::new();
    collect_turns(game, &mut Vec::new(), &mut turns);
    turns
}

/// Adds all turns that begin with these moves, which led to the position of `game`.
fn collect_turns(game: &dyn AnyGame, moves: &mut Vec<(Side, Move)>, turns: &mut Vec<Turn>) {
    let side = game.to_move();
    for mv in game.moves() {
        let mut after = game.copy();
        if after.play(mv).is_err() {
            continue;
        }
        moves.push((side, mv));
        if after.is_within_turn(side) {
            collect_turns(&*after, moves, turns);
        } else {
            turns.extend(Turn::group(moves.iter().copied()));
        }
        moves.pop();
    }
}

/// Plays the turn that a word means.
///
/// # Errors
///
/// What was expected when it is no legal turn; the game is then of no use any more.
pub(in crate::protocol) fn play(game: &mut dyn AnyGame, word: &str) -> Result<(), String> {
    let before = game.copy();
    let legal = || TurnLine(&legal_turns(&*before)).to_string();
    let turn: Turn = word.parse().map_err(|error| format!("{error}; legal turns:{}", legal()))?;
    match before.outcome() {
        _ if is_played(game, &turn) => Ok(()),
        Some(outcome) => {
            Err(format!("turn '{turn}': expected no turn, as the game is over ({outcome})"))
        }
        None => Err(format!("turn '{turn}': expected one of the legal turns{}", legal())),
    }
}

/// Plays the moves of a turn; whether they are legal, one turn, and all of it.
fn is_played(game: &mut dyn AnyGame, turn: &Turn) -> bool {
    let side = game.to_move();
    let mut moves = turn.moves().iter();
    let is_first_legal = moves.next().is_some_and(|&mv| game.play(mv).is_ok());
    is_first_legal
        && moves.all(|&mv| game.is_within_turn(side) && game.play(mv).is_ok())
        && !game.is_within_turn(side)
}

/// The whole turns with which a line of moves begins.
pub(super) fn whole_turns(game: &dyn AnyGame, line: &[Move]) -> Vec<Turn> {
    let mut game = game.copy();
    let mut moves = Vec::new();
    let mut whole = 0;
    for &mv in line {
        let side = game.to_move();
        if game.play(mv).is_err() {
            break;
        }
        moves.push((side, mv));
        if !game.is_within_turn(side) {
            whole = moves.len();
        }
    }
    moves.truncate(whole);
    Turn::group(moves)
}

/// How deep a removal is looked at in any case, in placements and slides.
const LEAST_DEPTH: u32 = 2;

/// Chooses the removals that the best move of a search earns, where its line does not tell them.
///
/// `look` searches a game within limits; what it takes counts for the limits of the turn, whose
/// clock runs on, but a short look is taken even if nothing is left of them. Of the turns to choose from, all if there are none, the move to which the
/// removals belong is the one that is best with any removal.
pub(in crate::protocol) fn finish_turn(
    game: &dyn AnyGame,
    report: &mut Report,
    choices: &[Turn],
    limits: &Limits,
    mut look: impl FnMut(&dyn AnyGame, &Limits) -> Report,
) {
    let side = game.to_move();
    let mut game = game.copy();
    let mut at = 0;
    while let Some(&mv) = report.pv.get(at) {
        at += 1;
        if game.play(mv).is_err() || !game.is_within_turn(side) {
            return;
        }
        let removals = next_moves(choices, &report.pv[..at]);
        let next = report.pv.get(at);
        if next.is_some_and(|next| removals.is_empty() || removals.contains(next)) {
            continue;
        }
        let nodes = limits.nodes.map(|nodes| nodes.saturating_sub(report.nodes).max(1));
        let least_depth = LEAST_DEPTH;
        let limits = Limits { nodes, search_moves: removals, least_depth, ..limits.clone() };
        let further = look(&*game, &limits);
        report.pv.truncate(at);
        report.pv.extend(further.pv);
        report.nodes += further.nodes;
    }
}

/// The moves that come next in the turns that begin with these moves.
fn next_moves(turns: &[Turn], moves: &[Move]) -> Vec<Move> {
    let rest = turns.iter().filter_map(|turn| turn.moves().strip_prefix(moves));
    rest.filter_map(|rest| rest.first().copied()).collect()
}

/// Writes turns, each after a blank.
pub(in crate::protocol) struct TurnLine<'a>(pub(in crate::protocol) &'a [Turn]);

impl fmt::Display for TurnLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|turn| write!(f, " {turn}"))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::any_game;
    use crate::rules::{DrawRules, RuleSet};

    /// White may close a mill on d7.
    fn game() -> Box<dyn AnyGame> {
        let mut game = any_game::start(&RuleSet::NINE_MENS_MORRIS, DrawRules::default());
        for turn in ["a7", "b4", "g7", "c5"] {
            play(&mut *game, turn).unwrap();
        }
        game
    }

    fn report(line: &[&str]) -> Report {
        let line = line.iter().map(|mv| mv.parse().unwrap()).collect();
        Report { pv: line, nodes: 70, ..Report::default() }
    }

    /// Finishes the turn of a line, and gives it with the limits of the further search, if any.
    fn finish(line: &[&str], choices: &[&str], limits: &Limits) -> (Vec<Turn>, Option<Limits>) {
        let choices: Vec<Turn> = choices.iter().map(|turn| turn.parse().unwrap()).collect();
        let mut report = report(line);
        let mut asked = None;
        finish_turn(&*game(), &mut report, &choices, limits, |game, limits| {
            assert!(asked.replace(limits.clone()).is_none(), "one search is enough");
            assert!(game.moves().iter().all(|mv| mv.is_removal()));
            self::report(&["xb4", "b6"])
        });
        (whole_turns(&*game(), &report.pv), asked)
    }

    #[test]
    fn turns_are_listed_with_each_removal() {
        let turns = TurnLine(&legal_turns(&*game())).to_string();
        assert!(turns.contains(" d7xb4") && turns.contains(" d7xc5"), "{turns}");
        assert!(!turns.contains(" d7 ") && turns.contains(" d6 "), "{turns}");
    }

    #[test]
    fn lines_are_cut_to_whole_turns() {
        let turns = |line: &[&str]| TurnLine(&whole_turns(&*game(), &report(line).pv)).to_string();
        assert_eq!(turns(&["d7"]), "");
        assert_eq!(turns(&["d7", "xc5", "c5", "d6"]), " d7xc5 c5 d6");
        assert_eq!(turns(&["d6", "b6", "d7"]), " d6 b6");
    }

    #[test]
    fn a_removal_that_the_line_tells_is_not_searched() {
        let (turns, asked) = finish(&["d7", "xc5", "c5"], &[], &Limits::none());
        assert_eq!(TurnLine(&turns).to_string(), " d7xc5 c5");
        assert!(asked.is_none());
        assert!(finish(&["d6", "d7"], &[], &Limits::none()).1.is_none());
    }

    #[test]
    fn a_removal_is_searched_by_what_is_left_of_the_limits() {
        let limits = Limits { nodes: Some(100), ..Limits::to_depth(5) };
        let (turns, asked) = finish(&["d7"], &[], &limits);
        assert_eq!(TurnLine(&turns).to_string(), " d7xb4 b6");
        let asked = asked.unwrap();
        assert_eq!((asked.nodes, asked.depth, asked.search_moves), (Some(30), 5, vec![]));
        assert!(Arc::ptr_eq(&asked.clock, &limits.clock));
        let (turns, asked) = finish(&["d7", "xc5"], &["d6", "d7xb4"], &limits);
        assert_eq!(TurnLine(&turns).to_string(), " d7xb4 b6");
        assert_eq!(asked.unwrap().search_moves, ["xb4".parse().unwrap()]);
    }
}
