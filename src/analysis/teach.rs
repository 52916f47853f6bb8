//! What a turn teaches, in a few sentences.

use std::fmt;

use super::analyst::Analyst;
use super::white_score::WhiteScore;
use crate::board::{Side, Square, SquareSet, lines};
use crate::game::Game;
use crate::game::Outcome;
use crate::position::{Loss, Move};
use crate::score::{Score, ScoreKind};
use crate::search::{Class, KnownMove, KnownRoot, Observer, Variation};

/// What a turn did to the game, shown as a few sentences.
///
/// Where the tablebase knows every move, all that it says is true under perfect play; else it gives
/// what a search finds, and says so, unless the turn ends the game.
#[derive(Clone, Debug, PartialEq)]
pub struct Lesson(Content);

#[derive(Clone, Debug, PartialEq)]
enum Content {
    Known(KnownLesson),
    Searched(SearchedLesson),
}

#[derive(Clone, Debug, PartialEq)]
struct SearchedLesson {
    depth: u32,
    /// The side that played the turn, whose scores these are.
    side: Side,
    score: Score,
    /// Whether the game is over.
    is_over: bool,
    /// The first move that should have been another, and its score.
    better: Option<(Move, Score)>,
}

#[derive(Clone, Debug, PartialEq)]
struct KnownLesson {
    before: Class,
    after: Class,
    /// Whether the game ends in a draw by the rules about history.
    is_draw: bool,
    /// The turns of both sides that follow, if that is known.
    turns: Option<u16>,
    choice: Choice,
    next: Option<Event>,
}

/// The moves among which the first one was chosen that threw value away, or else the first of the turn.
#[derive(Clone, Debug, PartialEq)]
struct Choice {
    /// How many there were, and how many of them kept the value.
    all: usize,
    keeping: usize,
    /// The best of them, and the turns of both sides that would have followed.
    best: Move,
    best_turns: Option<u16>,
    /// The same of the one that was played.
    played_turns: Option<u16>,
}

/// What happens first in the line of best play.
#[derive(Clone, Debug, PartialEq)]
struct Event {
    kind: EventKind,
    /// The turn in which it happens, 1 for the next one.
    turn: u16,
}

#[derive(Clone, Debug, PartialEq)]
enum EventKind {
    /// A side closes a mill on a point, or captures otherwise, and removes a man.
    Removal { side: Side, to: Square, closes_mill: bool, man: Square },
    /// A side cannot move any more.
    Blocked(Side),
}

/// The least gain, in hundredths of a man, for which an estimate names a better move.
const LEAST_GAIN: i32 = 20;

impl Analyst {
    /// Says what a turn did to a game; `None` if not even its first move is legal.
    pub fn teach(
        &mut self,
        before: &Game,
        turn: &[Move],
        observer: &mut dyn Observer,
    ) -> Option<Lesson> {
        let mut game = before.clone();
        let side = game.to_move();
        let mut known: Option<Vec<(KnownRoot, KnownMove)>> = Some(Vec::new());
        let mut searched = None;
        for &mv in turn {
            if !game.moves().contains(&mv) {
                break;
            }
            let reviewed = self.review_move(&mut game, mv, observer);
            let root = reviewed.before.known_moves;
            let found = root.and_then(|root| root.get(mv).copied().map(|found| (root, found)));
            known = known.zip(found).map(|(mut known, found)| {
                known.push(found);
                known
            });
            let best = reviewed.before.lines.first();
            let is_better = |best: &&Variation| {
                best.pv.first() != Some(&mv) && is_clearly_better(best.score, reviewed.played.score)
            };
            let better = best.filter(is_better);
            let better = better.and_then(|best| Some((*best.pv.first()?, best.score)));
            let earlier = searched.take().and_then(|earlier: SearchedLesson| earlier.better);
            searched = Some(SearchedLesson {
                depth: reviewed.played_depth,
                side,
                score: reviewed.played.score,
                is_over: game.outcome().is_some(),
                better: earlier.or(better),
            });
        }
        let searched = searched?;
        let content = match known.as_deref().and_then(|known| self.known_lesson(known, &game)) {
            Some(lesson) => Content::Known(lesson),
            None => Content::Searched(searched),
        };
        Some(Lesson(content))
    }

    /// The lesson of the moves of a turn, each with the root that it was chosen from.
    fn known_lesson(&self, moves: &[(KnownRoot, KnownMove)], game: &Game) -> Option<KnownLesson> {
        let (first, (_, last)) = (moves.first()?, moves.last()?);
        let gave_away = |(root, found): &&(KnownRoot, KnownMove)| found.class < root.class();
        let (root, found) = moves.iter().find(gave_away).unwrap_or(first);
        let is_draw = matches!(game.outcome(), Some(Outcome::Draw(_)));
        Some(KnownLesson {
            before: first.0.class(),
            after: last.class,
            is_draw,
            turns: following(last),
            choice: Choice {
                all: root.moves().len(),
                keeping: root.count_keeping(),
                best: root.moves()[0].mv(),
                best_turns: following(&root.moves()[0]),
                played_turns: following(found),
            },
            next: if is_draw { None } else { self.next_event(game) },
        })
    }

    /// What happens first in the line of best play by the tablebase, if it decides the game.
    fn next_event(&self, game: &Game) -> Option<Event> {
        let line = self.best_line(game)?;
        let mut game = game.clone();
        let (mut turn, mut last) = (0, None);
        for mv in line {
            let side = game.to_move();
            if mv.is_removal() {
                let to: Square = last?;
                let closes_mill = closes_mill(&game, side, to);
                return Some(Event {
                    kind: EventKind::Removal { side, to, closes_mill, man: mv.target() },
                    turn,
                });
            }
            (turn, last) = (turn + 1, Some(mv.target()));
            game.play(mv).ok()?;
        }
        let blocked = game.to_move();
        let is_blocked = matches!(game.outcome(), Some(Outcome::Win { loss: Loss::Blocked, .. }));
        (turn > 0 && is_blocked).then_some(Event { kind: EventKind::Blocked(blocked), turn })
    }
}

/// The turns of both sides that follow a move, if that is known.
fn following(known: &KnownMove) -> Option<u16> {
    known.turns().map(|turns| turns.saturating_sub(1))
}

/// Whether a man of a side stands in a mill through its point.
fn closes_mill(game: &Game, side: Side, to: Square) -> bool {
    let men = game.position().men(side);
    let is_mill = |line: &SquareSet| line.contains(to) && men.contains_all(*line);
    lines::lines(game.rules().diagonals).iter().any(is_mill)
}

/// Whether a score is worth more than another by a result, or by [`LEAST_GAIN`].
fn is_clearly_better(best: Score, played: Score) -> bool {
    let both_decided = |wins: bool| {
        [best, played].iter().all(|score| match score.kind() {
            ScoreKind::MateIn(_) | ScoreKind::TablebaseWin => wins,
            ScoreKind::MatedIn(_) | ScoreKind::TablebaseLoss => !wins,
            _ => false,
        })
    };
    let gain = i32::from(best.hundredths()) - i32::from(played.hundredths());
    gain >= LEAST_GAIN && !both_decided(true) && !both_decided(false)
}

impl fmt::Display for Lesson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Content::Known(lesson) => lesson.fmt(f),
            Content::Searched(lesson) => lesson.fmt(f),
        }
    }
}

impl fmt::Display for SearchedLesson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { depth, side, score, is_over, better } = self;
        let kind = score.kind();
        let following = |turns: u16| counted(turns.saturating_sub(1), "turn");
        match (kind, is_over) {
            (ScoreKind::MateIn(_), true) => f.write_str("This wins at once")?,
            (ScoreKind::MatedIn(_), true) => f.write_str("This loses at once")?,
            (_, true) => f.write_str("The game is drawn")?,
            (ScoreKind::MateIn(turns), false) => {
                write!(f, "A search to depth {depth} finds a win in {}", following(turns))?;
            }
            (ScoreKind::MatedIn(turns), false) => {
                write!(f, "A search to depth {depth} finds a loss in {}", following(turns))?;
            }
            (ScoreKind::TablebaseWin, false) => f.write_str("A win by the tablebase")?,
            (ScoreKind::TablebaseLoss, false) => f.write_str("A loss by the tablebase")?,
            (ScoreKind::CursedWin, false) => write!(f, "A win by the tablebase{CURSED}")?,
            (ScoreKind::BlessedLoss, false) => write!(f, "A loss by the tablebase{BLESSED}")?,
            (ScoreKind::Estimate(_), false) => {
                let score = WhiteScore::new(*score, *side);
                write!(f, "Estimated at {score} for White (depth {depth})")?;
            }
        }
        match better {
            _ if matches!(kind, ScoreKind::MateIn(_) | ScoreKind::TablebaseWin) => f.write_str("."),
            Some((mv, score)) => match score.kind() {
                ScoreKind::MateIn(turns) => {
                    write!(f, "; {mv} would have won in {}.", counted(turns, "turn"))
                }
                ScoreKind::TablebaseWin => write!(f, "; {mv} would have won."),
                _ => write!(f, "; {mv} looks better ({}).", WhiteScore::new(*score, *side)),
            },
            None => f.write_str("; no other move is clearly better."),
        }
    }
}

/// What is said of a win and of a loss beyond the reach of the draw rules.
const CURSED: &str = " that the draw rules may spoil";
const BLESSED: &str = " that the draw rules may avert";

impl fmt::Display for KnownLesson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { before, after, is_draw, turns, choice, next } = self;
        let is_worse = after < before;
        match (after, turns) {
            _ if *is_draw && is_worse => {
                write!(f, "This turns {} into a draw", Worth(*before, None))
            }
            _ if *is_draw => f.write_str("The game is drawn"),
            (Class::Win, Some(0)) => f.write_str("This wins at once"),
            (Class::Loss, Some(0)) => f.write_str("This loses at once"),
            _ if is_worse => {
                write!(f, "This turns {} into {}", Worth(*before, None), Worth(*after, *turns))
            }
            _ => write!(f, "Still {}", Worth(*after, *turns)),
        }?;
        f.write_str(".")?;
        if let Some(event) = next {
            write!(f, " {event}.")?;
        }
        choice.write(f, *before, is_worse)
    }
}

/// What a position is worth, as a noun, with the turns of both sides to the end.
struct Worth(Class, Option<u16>);

impl fmt::Display for Worth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Class::Win | Class::CursedWin => "a win",
            Class::Draw => "a draw",
            Class::Loss | Class::BlessedLoss => "a loss",
        })?;
        if let (false, Some(turns)) = (self.0 == Class::Draw, self.1) {
            write!(f, " in {}", counted(turns, "turn"))?;
        }
        match self.0 {
            Class::CursedWin => f.write_str(CURSED),
            Class::BlessedLoss => f.write_str(BLESSED),
            _ => Ok(()),
        }
    }
}

impl Choice {
    /// Says what other moves there were.
    fn write(&self, f: &mut fmt::Formatter<'_>, worth: Class, is_worse: bool) -> fmt::Result {
        let Self { all, keeping, best, best_turns, played_turns } = *self;
        let noun = if best.is_removal() { "removal" } else { "move" };
        match (worth, best_turns) {
            _ if all == 1 => write!(f, " It was the only {noun}."),
            (Class::Loss, Some(turns)) if best_turns > played_turns => {
                let turns = counted(turns, "turn");
                write!(f, " Every {noun} loses; {best} would have lasted longest ({turns}).")
            }
            (Class::Loss, _) => write!(f, " Every {noun} loses."),
            _ if keeping == all => write!(f, " Every {noun} keeps that."),
            _ if keeping == 1 && is_worse => write!(f, " Only {best} kept it."),
            _ if keeping == 1 => write!(f, " It was the only {noun} of {all} that keeps it."),
            _ if is_worse => write!(f, " {keeping} of {all} {noun}s kept it."),
            _ => write!(f, " {keeping} of {all} {noun}s keep that."),
        }
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.turn {
            1 => f.write_str("Next turn")?,
            turn => write!(f, "In {turn} turns")?,
        }
        match self.kind {
            EventKind::Removal { side, to, closes_mill: true, man } => {
                write!(f, " {side} closes a mill on {to} and takes {man}")
            }
            EventKind::Removal { side, to, closes_mill: false, man } => {
                write!(f, " {side} moves to {to} and takes {man}")
            }
            EventKind::Blocked(side) => write!(f, " {side} is blocked"),
        }
    }
}

/// A number with its noun.
fn counted(count: u16, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_of_a_search_are_told_as_what_they_are() {
        let better: Move = "d6".parse().unwrap();
        let told = |score, best: Option<Score>| {
            let better = best.map(|best| (better, best));
            let (depth, side, is_over) = (8, Side::White, false);
            let lesson = SearchedLesson { depth, side, score, is_over, better };
            Lesson(Content::Searched(lesson)).to_string()
        };
        let (won, cursed) = (Score::TABLEBASE_WIN, Score::CURSED_WIN);
        for (score, best, expected) in [
            (won, None, "A win by the tablebase."),
            (-won, None, "A loss by the tablebase; no other move is clearly better."),
            (-won, Some(won), "A loss by the tablebase; d6 would have won."),
            (
                cursed,
                Some(Score::mate_in(1)),
                "A win by the tablebase that the draw rules may spoil; d6 would have won in 1 turn.",
            ),
            (
                Score::estimate(-50),
                Some(Score::DRAW),
                "Estimated at -0.50 for White (depth 8); d6 looks better (+0.00).",
            ),
        ] {
            assert_eq!(told(score, best), expected);
        }
    }

    #[test]
    fn a_longer_defence_is_not_clearly_better() {
        let (soon, late) = (Score::mated_in(1), Score::mated_in(60));
        assert!(!is_clearly_better(late, soon));
        assert!(is_clearly_better(Score::DRAW, late));
        assert!(is_clearly_better(Score::mate_in(9), Score::DRAW));
        assert!(!is_clearly_better(Score::estimate(LEAST_GAIN - 1), Score::DRAW));
        assert!(is_clearly_better(Score::estimate(LEAST_GAIN), Score::DRAW));
    }
}
