//! The Generic Board Game Protocol of Nine-Morris-3D, where it differs from the UCI dialect: a move is
//! a whole turn, a placement or slide together with the removals that it earns.
//!
//! The position text:
//!
//! ```text
//! w:wb4,c4:bd2:3
//! |   |     |  the number of the move, from 1
//! |   |     Black's men; the two groups may come in either order
//! |   White's men
//! the side to move
//! ```

use std::fmt;
use std::str::FromStr;

use super::command::{Command, Dialect, Error};
use super::reply::{self, ScoreWords};
use super::task::Search;
use crate::board::{BySide, Side, Square, SquareSet};
use crate::evaluate::estimate;
use crate::game::{Game, History};
use crate::position::{Move, MoveLine, Turn};
use crate::rules::{MillAction, RuleSet};
use crate::score::Score;
use crate::search::{Bound, Limits, Progress, Report};

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
/// * `choices`: the turns to choose from; all if empty.
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
    let mut at = 0;
    while let Some(&mv) = report.pv().get(at) {
        at += 1;
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
        let least_depth = LEAST_DEPTH;
        let limits = Limits { nodes, search_moves: removals, least_depth, ..limits.clone() };
        let further = search(&game, &limits);
        let pv = &mut report.lines[0].pv;
        pv.truncate(at);
        pv.extend(further.pv());
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
    SCORE_WORDS.text(score) + if is_decided { "" } else { reply::bound_word(bound) }
}

/// The score bar of Nine-Morris-3D is full at 150.
const SCORE_WORDS: ScoreWords = ScoreWords { estimate: "eval", man: 10, win: "win" };

/// An `info` line, without `pv` if its first turn is incomplete.
pub(super) fn info(search: &Search, progress: &Progress) -> String {
    let choices = &search.go.search_moves;
    let Progress { depth, selective_depth, line, nodes, table_use, time, .. } = progress;
    let score = score_text(line.score, line.bound, search);
    let turns = whole_turns(&search.game, &line.pv);
    let is_choice = |first: &&Turn| choices.is_empty() || choices.contains(first);
    let pv = turns.first().filter(is_choice).map(|_| format!(" pv{}", MoveLine(&turns)));
    let pv = pv.unwrap_or_default();
    format!(
        "info depth {depth} seldepth {selective_depth} score {score} time {} nodes {nodes} nps {:.0} \
         hashfull {table_use}{pv}",
        time.as_millis(),
        reply::rate(progress)
    )
}

/// The word before the best turn.
const BEST_MOVE: &str = Command::Go.reply(Dialect::Gbgp);

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

/// A position at the beginning of a turn, as written in GBGP.
///
/// The men in hand follow from the move number, since each side places a man per turn while it has
/// any in hand. A side may have one man more than turns, as in an example of the protocol's description:
/// `w:wb4,c4:bd2:2`.
///
/// ```
/// use millstone::protocol::GbgpPosition;
/// use millstone::rules::RuleSet;
///
/// let position: GbgpPosition = "w:wb4,c4:bd2:3".parse()?;
/// let text = position.text(&RuleSet::NINE_MENS_MORRIS)?;
/// assert_eq!(text, "******O*/****@*O*/******** w p p 2 7 1 7 0 0 0 0 0 0 0 0 3");
/// # Ok::<(), millstone::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GbgpPosition {
    to_move: Side,
    men: BySide<SquareSet>,
    number: u32,
}

/// The prefix of error messages.
const PLACE: &str = "position pos";

fn refused(reason: impl fmt::Display) -> Error {
    Error::refused(format_args!("{PLACE}: {reason}"))
}

fn ensure(holds: bool, otherwise: impl fmt::Display) -> Result<(), Error> {
    if holds { Ok(()) } else { Err(refused(otherwise)) }
}

impl GbgpPosition {
    /// The position of a game, which should be at the beginning of a turn.
    pub fn of(game: &Game) -> Self {
        let men = BySide(Side::ALL.map(|side| game.position().men(side)));
        Self { to_move: game.to_move(), men, number: game.position().move_number() }
    }

    /// The equivalent [position text](crate::position::PositionText).
    ///
    /// # Errors
    ///
    /// If a number of men is impossible at this move number, or if under the rules the men in hand do not
    /// follow from the move number.
    pub fn text(&self, rules: &RuleSet) -> Result<String, Error> {
        let is_counted = rules.mill_action == MillAction::RemoveFromBoard;
        ensure(
            is_counted && !rules.may_move_in_placing,
            "the move number does not determine the men in hand in this game; use startpos",
        )?;
        self.check_counts(rules)?;
        let Self { to_move, men, number } = self;
        let side_at = |square| Side::ALL.into_iter().find(|&side| men[side].contains(square));
        let man = |&square: &Square| side_at(square).map_or('*', Side::man);
        let rings = Square::ALL.chunks(8).map(|ring| ring.iter().map(man).collect());
        let board = rings.collect::<Vec<String>>().join("/");
        let phase = if self.in_hand(*to_move, rules) > 0 { "p p" } else { "m s" };
        let [white, black] =
            Side::ALL.map(|side| format!("{} {}", men[side].len(), self.in_hand(side, rules)));
        let side = to_move.letter();
        Ok(format!("{board} {side} {phase} {white} {black} 0 0 0 0 0 0 0 0 {number}"))
    }

    /// The number of turns a side has played.
    fn turns(&self, side: Side) -> u32 {
        let has_moved = side == Side::White && self.to_move == Side::Black;
        (self.number - 1).saturating_add(has_moved.into())
    }

    fn in_hand(&self, side: Side, rules: &RuleSet) -> u32 {
        let placed = self.turns(side).max(self.men[side].len());
        u32::from(rules.men).saturating_sub(placed)
    }

    /// Checks that no side has more men than it can have placed, or fewer than the game needs.
    fn check_counts(&self, rules: &RuleSet) -> Result<(), Error> {
        let least = u32::from(rules.least_men);
        let count = |side| self.men[side].len();
        let is_short = |side| count(side) + self.in_hand(side, rules) < least;
        for side in Side::ALL {
            let most = self.turns(side).saturating_add(1).min(rules.men.into());
            let (count, number) = (count(side), self.number);
            let too_many = format!("{side} has {count} men, but at most {most} at move {number}");
            ensure(count <= most, too_many)?;
            let is_placing = self.in_hand(self.to_move, rules) > 0;
            let is_over = is_short(side) && (is_placing || is_short(!side));
            let too_few = format!("{side} has fewer than {least} men on the board and in hand");
            ensure(!is_over, too_few)?;
        }
        Ok(())
    }
}

impl fmt::Display for GbgpPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.to_move.letter())?;
        for side in Side::ALL {
            let points: Vec<&str> = self.men[side].into_iter().map(Square::name).collect();
            write!(f, ":{}{}", side.letter(), points.join(","))?;
        }
        write!(f, ":{}", self.number)
    }
}

impl FromStr for GbgpPosition {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let parts: Vec<&str> = text.split(':').collect();
        let [side, first, second, number] = parts[..] else {
            return Err(Error::argument(PLACE, "side:wPOINTS:bPOINTS:MOVE", text));
        };
        let expected = "the side, w or b";
        let to_move =
            Side::of_letter(side).ok_or_else(|| Error::argument(PLACE, expected, side))?;
        let is_black_first = first.starts_with(Side::Black.letter());
        let (white, black) = if is_black_first { (second, first) } else { (first, second) };
        let [white, black] = [points(Side::White, white)?, points(Side::Black, black)?];
        if let Some(square) = (white & black).first() {
            return Err(refused(format_args!("{square} has men of both sides")));
        }
        let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
        let read = number.parse().ok().filter(|&read| is_number && read > 0);
        let expected = "the number of the move, from 1";
        let number = read.ok_or_else(|| Error::argument(PLACE, expected, number))?;
        Ok(Self { to_move, men: BySide([white, black]), number })
    }
}

/// Parses the points of a side: its letter, then names separated by commas.
fn points(side: Side, text: &str) -> Result<SquareSet, Error> {
    let Some(names) = text.strip_prefix(side.letter()) else {
        let expected = format!("{} and the points of {side}", side.letter());
        return Err(Error::argument(PLACE, expected, text));
    };
    let mut men = SquareSet::EMPTY;
    for name in names.split(',').filter(|_| !names.is_empty()) {
        let square: Square = name.parse().map_err(refused)?;
        ensure(!men.contains(square), format_args!("{square} occurs twice"))?;
        men = men.with(square);
    }
    Ok(men)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::arguments::{legal_moves, set_up};
    use super::super::options::Options;
    use super::*;
    use crate::search::Variation;

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

    const NINE: &RuleSet = &RuleSet::NINE_MENS_MORRIS;

    fn text(position: &str, rules: &RuleSet) -> Result<String, String> {
        let position = position.parse::<GbgpPosition>().and_then(|read| read.text(rules));
        position.map_err(|error| error.to_string())
    }

    #[test]
    fn texts_are_read_as_they_are_written() {
        for text in ["w:w:b:1", "b:wb4:b:1", "w:wc4,b4:bd2:3", "b:wd6,a1:bg7:20"] {
            assert_eq!(text.parse::<GbgpPosition>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn the_men_of_black_may_come_first() {
        let read = |text: &str| text.parse::<GbgpPosition>().unwrap();
        assert_eq!(read("b:bg7,d7:wd6,a1:20"), read("b:wd6,a1:bg7,d7:20"));
        assert_eq!(read("w:b:w:1"), read("w:w:b:1"));
    }

    #[test]
    fn men_in_hand_follow_from_the_number_of_the_move() {
        for (position, rules, counts) in [
            ("w:w:b:1", NINE, " w p p 0 9 0 9 "),
            ("b:wb4:b:1", NINE, " b p p 1 8 0 9 "),
            ("w:wb4,c4:bd2:3", NINE, " w p p 2 7 1 7 "),
            ("w:wb4,c4:bd2:2", NINE, " w p p 2 7 1 8 "),
            ("b:wa1,a4,a7,b2:bc3,c4,c5,d5:9", NINE, " b p p 4 0 4 1 "),
            ("w:wa1,a4,a7,b2:bc3,c4,c5,d5:10", NINE, " w m s 4 0 4 0 "),
            ("w:wa1,a4,a7:bc3,c4,c5:10", &RuleSet::TWELVE_MENS_MORRIS, " w p p 3 3 3 3 "),
            ("w:wa1,a4:bc3,c4,c5:12345", NINE, " w m s 2 0 3 0 "),
        ] {
            let text = text(position, rules).unwrap();
            assert!(text.contains(counts), "{position}: {text}");
        }
    }

    #[test]
    fn mistakes_are_named() {
        for (position, message) in [
            ("", "expected side:wPOINTS:bPOINTS:MOVE, found nothing"),
            ("w:wa1:1", "expected side:wPOINTS:bPOINTS:MOVE, found 'w:wa1:1'"),
            ("W:w:b:1", "expected the side, w or b, found 'W'"),
            ("w:a1:b:2", "expected w and the points of White, found 'a1'"),
            ("w:wa1:c4:2", "expected b and the points of Black, found 'c4'"),
            ("w:ba1:bc4:2", "expected w and the points of White, found 'bc4'"),
            ("w:wa1:wc4:2", "expected b and the points of Black, found 'wc4'"),
            ("w:wa1,:b:2", "expected a point such as d6 (a1 to g7), found ''"),
            ("w:wa2:b:2", "expected a point such as d6 (a1 to g7), found 'a2'"),
            ("w:wa1,A1:b:3", "a1 occurs twice"),
            ("w:wa1:ba1:2", "a1 has men of both sides"),
            ("w:w:b:0", "expected the number of the move, from 1, found '0'"),
            ("w:w:b:+1", "expected the number of the move, from 1, found '+1'"),
            ("w:wa1,a4,a7:b:2", "White has 3 men, but at most 2 at move 2"),
            ("b:wa1:bd6,d7:1", "Black has 2 men, but at most 1 at move 1"),
            ("w:w:ba1,a4,a7,b2,b4,b6,c3,c4,c5,d7:20", "Black has 10 men, but at most 9"),
            ("w:wa1:b:9", "White has fewer than 3 men on the board and in hand"),
            ("w:wa1:bd6:10", "White has fewer than 3 men on the board and in hand"),
        ] {
            let error = text(position, NINE).unwrap_err();
            assert!(error.starts_with(&format!("position pos: {message}")), "{error}");
        }
        let lasker = &crate::rules::Preset::named("lasker").unwrap().rules;
        assert!(text("w:w:b:1", lasker).unwrap_err().contains("use startpos"));
    }
}
