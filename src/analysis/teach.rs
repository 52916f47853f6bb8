//! What a turn teaches, as one sentence of facts.

use std::fmt;

use super::analyst::Analyst;
use super::white_score::WhiteScore;
use crate::board::{Side, Square, SquareSet, lines};
use crate::game::Game;
use crate::game::Outcome;
use crate::position::{Loss, Move};
use crate::score::{Score, ScoreKind};
use crate::search::{Class, KnownMove, KnownRoot, Observer, Variation};

/// What a turn did to the game, shown as one sentence.
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
    /// How many moves of the first move that gave value away, or of the first, kept the value, and of
    /// how many.
    held: (usize, usize),
    /// Whether those moves were removals.
    are_removals: bool,
    next: Option<Event>,
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
    /// A man closes a mill, or captures otherwise, on a point; another man is lost.
    Removal { to: Square, closes_mill: bool, man: Square },
    /// A side cannot move any more.
    Blocked(Side),
}

/// The least gain, in hundredths of a man, for which an estimate names a better move.
const LEAST_GAIN: i32 = 20;

impl Analyst {
    /// What a turn teaches that is legal in a game; none if no move of it is.
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
            turns: last.turns.map(|turns| turns.saturating_sub(1)),
            held: (root.count_keeping(), root.moves().len()),
            are_removals: found.mv.is_removal(),
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
                    kind: EventKind::Removal { to, closes_mill, man: mv.target() },
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
        match (kind, is_over) {
            (ScoreKind::MateIn(_), true) => f.write_str("That wins at once")?,
            (ScoreKind::MatedIn(_), true) => f.write_str("That loses at once")?,
            (_, true) => f.write_str("That ends the game in a draw")?,
            (ScoreKind::MateIn(turns), false) => {
                let turns = counted(usize::from(turns).saturating_sub(1), "turn", "turns");
                write!(f, "By a search to depth {depth} that wins in {turns}")?;
            }
            (ScoreKind::MatedIn(turns), false) => {
                let turns = counted(usize::from(turns).saturating_sub(1), "turn", "turns");
                write!(f, "By a search to depth {depth} that loses in {turns}")?;
            }
            (ScoreKind::TablebaseWin, false) => f.write_str("By the tablebase that wins")?,
            (ScoreKind::TablebaseLoss, false) => f.write_str("By the tablebase that loses")?,
            (ScoreKind::CursedWin, false) => {
                f.write_str("By the tablebase that wins, but perhaps not within the draw rules")?;
            }
            (ScoreKind::BlessedLoss, false) => {
                f.write_str("By the tablebase that loses, but perhaps not within the draw rules")?;
            }
            (ScoreKind::Estimate(_), false) => {
                let score = WhiteScore::new(*score, *side);
                write!(f, "By an estimate at depth {depth} that leads to {score} for White")?;
            }
        }
        match better {
            _ if matches!(kind, ScoreKind::MateIn(_) | ScoreKind::TablebaseWin) => f.write_str("."),
            Some((mv, score)) => match score.kind() {
                ScoreKind::MateIn(turns) => {
                    let turns = counted(turns.into(), "turn", "turns");
                    write!(f, "; {mv} would have won in {turns}.")
                }
                ScoreKind::TablebaseWin => write!(f, "; {mv} would have won."),
                _ => write!(f, "; {mv} seems better, {}.", WhiteScore::new(*score, *side)),
            },
            None => f.write_str("; nothing seems clearly better."),
        }
    }
}

impl fmt::Display for KnownLesson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.after {
            _ if self.is_draw => "That ends the game in a draw",
            Class::Win | Class::CursedWin => "That wins",
            Class::Draw => "That draws",
            Class::Loss | Class::BlessedLoss => "That loses",
        })?;
        match (self.after, self.turns) {
            _ if self.is_draw => {}
            (Class::Draw, _) | (_, None) => {}
            (_, Some(0)) => f.write_str(" at once")?,
            (_, Some(turns)) => write!(f, " in {}", counted(turns.into(), "turn", "turns"))?,
        }
        if matches!(self.after, Class::CursedWin | Class::BlessedLoss) && !self.is_draw {
            f.write_str(", but perhaps not within the draw rules")?;
        }
        if self.after < self.before {
            write!(f, ", and it was {}", self.before)?;
        }
        if let Some(event) = &self.next {
            write!(f, ": {event}")?;
        }
        let (held, all) = self.held;
        let noun = if self.are_removals { ("removal", "removals") } else { ("move", "moves") };
        match self.before {
            _ if all == 1 => write!(f, "; there was no other {}.", noun.0),
            Class::Loss => write!(f, "; every other {} loses too.", noun.0),
            _ => write!(f, "; {held} of {} held.", counted(all, noun.0, noun.1)),
        }
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            EventKind::Removal { to, closes_mill, man } => {
                let closes = if closes_mill { "closes a mill" } else { "captures" };
                write!(f, "{to} {closes}")?;
                self.write_turn(f)?;
                write!(f, ", and {man} is lost")
            }
            EventKind::Blocked(side) => {
                write!(f, "{side} is blocked")?;
                self.write_turn(f)
            }
        }
    }
}

impl Event {
    fn write_turn(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.turn {
            1 => f.write_str(" in the next turn"),
            turn => write!(f, " in {turn} turns"),
        }
    }
}

/// A number with its noun.
fn counted(count: usize, one: &str, several: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
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
            (won, None, "By the tablebase that wins."),
            (-won, None, "By the tablebase that loses; nothing seems clearly better."),
            (-won, Some(won), "By the tablebase that loses; d6 would have won."),
            (
                cursed,
                Some(Score::mate_in(1)),
                "By the tablebase that wins, but perhaps not within the draw rules; d6 would have won in 1 turn.",
            ),
            (
                Score::estimate(-50),
                Some(Score::DRAW),
                "By an estimate at depth 8 that leads to -0.50 for White; d6 seems better, +0.00.",
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
