//! Lessons: what a turn did to the game, in a few sentences.

use super::analyst::Analyst;
use super::motifs::{Chances, Motif};
use super::review::{ReviewedMove, Severity};
use super::scores::WhiteScore;
use super::words::{EventKind, Phrase};
use crate::board::{Side, Square};
use crate::game::{Game, Outcome};
use crate::position::{Loss, Move};
use crate::score::{Score, ScoreKind};
use crate::search::{Class, KnownMove, KnownRoot, Observer, Variation};

/// What a turn did to the game, shown as a few sentences.
///
/// If the tablebase knows every move, all statements are true under perfect play. Otherwise they are
/// findings of a search, and say so unless the turn ends the game.
#[derive(Clone, Debug, PartialEq, derive_more::Display)]
#[display("{lesson}")]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Lesson {
    /// The sentences.
    lesson: String,
    phrases: Vec<Told>,
}

/// A sentence as text and as data.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
struct Told {
    text: String,
    #[cfg_attr(feature = "serde", serde(flatten))]
    phrase: Phrase,
}

/// A move of a turn, with the game before it and its review.
struct Step<'a> {
    game: Game,
    mv: Move,
    reviewed: &'a ReviewedMove,
}

/// The latest turn for which a lesson trusts an event found by search.
const LATEST_EXPECTED: u16 = 5;

impl Analyst {
    /// Explains what a turn did to a game; illegal moves and those after them are ignored. Returns `None` if
    /// the first move is illegal.
    pub fn teach(
        &mut self,
        before: &Game,
        turn: &[Move],
        observer: &mut dyn Observer,
    ) -> Option<Lesson> {
        let mut game = before.clone();
        let review = |&mv: &Move| {
            let is_legal = game.moves().contains(&mv);
            is_legal.then(|| self.review_move(&mut game, mv, observer))
        };
        let reviewed: Vec<ReviewedMove> = turn.iter().map_while(review).collect();
        self.lesson(before, &reviewed)
    }

    /// Makes a lesson from the reviews of a turn's first moves; `None` if there are none.
    pub(super) fn lesson(&self, before: &Game, reviewed: &[ReviewedMove]) -> Option<Lesson> {
        let mut after = before.clone();
        let mut steps = Vec::with_capacity(reviewed.len());
        for reviewed in reviewed {
            let mv = *reviewed.played.pv.first()?;
            steps.push(Step { game: after.clone(), mv, reviewed });
            after.play(mv).ok()?;
        }
        let is_over = after.outcome().is_some();
        let known = self.known_phrases(&steps, &after);
        let mut phrases = known.or_else(|| searched_phrases(&steps, &after))?;
        let is_good = |phrase: &Phrase| matches!(phrase, Phrase::Keeps { .. } | Phrase::NoneBetter);
        if !is_over && phrases.iter().any(is_good) {
            let motifs = Motif::of(before, steps.first()?.mv);
            let does = (!motifs.is_empty()).then_some(Phrase::Does { motifs });
            phrases.splice(1..1, does);
        }
        let tell = |phrase: Phrase| Told { text: phrase.to_string(), phrase };
        let phrases: Vec<Told> = phrases.into_iter().map(tell).collect();
        let texts: Vec<&str> = phrases.iter().map(|told| &*told.text).collect();
        Some(Lesson { lesson: texts.join(" "), phrases })
    }

    /// The tablebase's statements about a turn, if it knows all moves.
    fn known_phrases(&self, steps: &[Step<'_>], after: &Game) -> Option<Vec<Phrase>> {
        let known = steps.iter().map(|step| {
            let root = step.reviewed.before.known.as_ref()?;
            Some((root, root.get(step.mv)?))
        });
        let known: Vec<(&KnownRoot, &KnownMove)> = known.collect::<Option<_>>()?;
        let ((first, _), (_, last)) = (known.first()?, known.last()?);
        let (was, is, turns) = (first.moves()[0].worth(), last.worth(), following(last));
        let is_drawn = matches!(after.outcome(), Some(Outcome::Draw(_)));
        let result = match (is, turns) {
            _ if is_drawn && is < was && was > Class::Drawn => {
                Phrase::Spoils { was, is: Class::Drawn, turns: None }
            }
            _ if is_drawn => Phrase::EndsDrawn,
            (Class::Won, Some(0)) => Phrase::WinsAtOnce,
            (Class::Lost, Some(0)) => Phrase::LosesAtOnce,
            _ if is < was => Phrase::Spoils { was, is, turns },
            _ => Phrase::Keeps { is, turns },
        };
        // The first move that gave value away, or else the first of the turn.
        let at = known.iter().position(|(root, found)| !root.keeps(found)).unwrap_or(0);
        let is_open = after.outcome().is_none() && is != Class::Drawn;
        let tablebase = self.tablebase(after).filter(|_| is_open);
        let line = tablebase.and_then(|tablebase| tablebase.pv(after, || false));
        let mut phrases = vec![result];
        phrases.extend(line.and_then(|(line, _)| first_event(after, &line, false)));
        phrases.extend(choice(&steps[at], known[at]));
        Some(phrases)
    }
}

/// Compares a move with its alternatives.
fn choice(step: &Step<'_>, (root, found): (&KnownRoot, &KnownMove)) -> Vec<Phrase> {
    let (all, keeping) = (root.moves().len(), root.count_keeping());
    let best = &root.moves()[0];
    let (removes, played) = (step.mv.is_removal(), following(found));
    let (is_worse, at_least) = (!root.keeps(found), root.may_keep_more());
    let said = match best.worth() {
        _ if all == 1 => Phrase::OnlyChoice { removes },
        Class::Lost => {
            let lasting = |known: &KnownMove| Some((known.ranked.mv, following(known)?));
            let all: Option<Vec<(Move, u16)>> = root.moves().iter().map(lasting).collect();
            let longest = all.into_iter().flatten().max_by_key(|(_, turns)| *turns);
            let longest = longest.filter(|(_, turns)| Some(*turns) > played);
            Phrase::AllLose { removes, longest }
        }
        _ if is_worse => {
            let reasons = Motif::of(&step.game, best.ranked.mv);
            Phrase::Kept { keeping, all, at_least, best: best.ranked.mv, reasons }
        }
        _ if keeping == all => Phrase::AllKeep { removes },
        _ => Phrase::Keeping { keeping, all, at_least, removes },
    };
    let soonest = following(best).filter(|_| found.worth() == Class::Won && !is_worse);
    let sooner = soonest.zip(played).filter(|(soonest, played)| soonest < played);
    let sooner = sooner.map(|(turns, _)| Phrase::Sooner { best: best.ranked.mv, turns });
    [said].into_iter().chain(sooner).collect()
}

/// The number of turns that follow a move, if known.
fn following(known: &KnownMove) -> Option<u16> {
    known.turns().map(|turns| turns.saturating_sub(1))
}

/// A search's statements about a turn.
fn searched_phrases(steps: &[Step<'_>], after: &Game) -> Option<Vec<Phrase>> {
    let (first, last) = (steps.first()?, steps.last()?);
    let side = first.game.to_move();
    let Variation { score, depth, .. } = last.reviewed.played;
    let mut phrases = vec![found(score, depth, side, after)];
    if score >= Score::TABLEBASE_WIN {
        return Some(phrases);
    }
    let better = steps.iter().find_map(|step| better(step, side));
    if better.is_some() && after.outcome().is_none() {
        phrases.extend(what_follows(last, after, side));
    }
    phrases.push(better.unwrap_or(Phrase::NoneBetter));
    Some(phrases)
}

/// Puts the score of a turn, which may have ended the game, into words.
fn found(score: Score, depth: u32, side: Side, after: &Game) -> Phrase {
    let turns = score.turns().unwrap_or_default().saturating_sub(1);
    let is_over = after.outcome().is_some();
    match score.kind() {
        ScoreKind::MateIn(_) if is_over => Phrase::WinsAtOnce,
        ScoreKind::MatedIn(_) if is_over => Phrase::LosesAtOnce,
        _ if is_over => Phrase::EndsDrawn,
        ScoreKind::MateIn(_) => Phrase::Finds { wins: true, turns, depth },
        ScoreKind::MatedIn(_) => Phrase::Finds { wins: false, turns, depth },
        ScoreKind::TablebaseWin => Phrase::ByTablebase { is: Class::Won },
        ScoreKind::TablebaseLoss => Phrase::ByTablebase { is: Class::Lost },
        ScoreKind::CursedWin => Phrase::ByTablebase { is: Class::Cursed },
        ScoreKind::BlessedLoss => Phrase::ByTablebase { is: Class::Blessed },
        ScoreKind::Estimate(_) => Phrase::Estimates { score: WhiteScore::new(score, side), depth },
    }
}

/// The move that a search clearly prefers to the played one, and why.
fn better(step: &Step<'_>, side: Side) -> Option<Phrase> {
    let best = step.reviewed.before.lines.first()?;
    let mv = *best.pv.first()?;
    if mv == step.mv || !is_clearly_better(best.score, step.reviewed.played.score) {
        return None;
    }
    let reasons = Motif::of(&step.game, mv);
    Some(match best.score.kind() {
        ScoreKind::MateIn(turns) => {
            Phrase::WouldWin { best: mv, turns: Some(turns.saturating_sub(1)), reasons }
        }
        ScoreKind::TablebaseWin => Phrase::WouldWin { best: mv, turns: None, reasons },
        _ => Phrase::Prefers { best: mv, score: WhiteScore::new(best.score, side), reasons },
    })
}

/// What a search expects after a turn, or else the mills that the opponent can close.
fn what_follows(last: &Step<'_>, after: &Game, side: Side) -> Option<Phrase> {
    let line = last.reviewed.played.pv.get(1..).unwrap_or_default();
    let event = first_event(after, line, true);
    let is_early =
        |event: &Phrase| matches!(event, Phrase::Event { turns: ..=LATEST_EXPECTED, .. });
    event.filter(is_early).or_else(|| {
        let points = Chances::of(after.position(), after.to_move()).closing;
        let is_allowed = after.to_move() != side && !points.is_empty();
        is_allowed.then(|| Phrase::Allows { side: !side, points })
    })
}

/// The first event of a line: a removal, or the end of the game by a blocked side. Turns count from 1, the next
/// one.
fn first_event(game: &Game, line: &[Move], by_search: bool) -> Option<Phrase> {
    let mut game = game.clone();
    let (mut turns, mut last) = (0, None);
    for &mv in line {
        let side = game.to_move();
        if mv.is_removal() {
            let ((to, mills), man): ((Square, Vec<_>), Square) = (last?, mv.target());
            let is_capture = mills.is_empty();
            let mill = EventKind::Mill { side, mills, man };
            let kind = if is_capture { EventKind::Capture { side, to, man } } else { mill };
            return Some(Phrase::Event { by_search, turns, kind });
        }
        (turns, last) = (turns + 1, Some((mv.target(), game.position().mills_closed_by(mv))));
        game.play(mv).ok()?;
    }
    let side = game.to_move();
    let is_blocked = matches!(game.outcome(), Some(Outcome::Win { loss: Loss::Blocked, .. }));
    let kind = EventKind::Blocked { side };
    (turns > 0 && is_blocked).then_some(Phrase::Event { by_search, turns, kind })
}

/// Whether a score is better by a whole result, or by enough to make the played move an inaccuracy.
fn is_clearly_better(best: Score, played: Score) -> bool {
    let by_result = |ahead, behind| ahead >= Score::TABLEBASE_WIN && behind < Score::TABLEBASE_WIN;
    by_result(best, played)
        || by_result(-played, -best)
        || best.expectation() - played.expectation() >= Severity::Inaccuracy.threshold()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_of_a_search_are_told_as_what_they_are() {
        let game = Game::new();
        let told = |score| found(score, 8, Side::White, &game).to_string();
        for (score, expected) in [
            (Score::TABLEBASE_WIN, "A win by the tablebase."),
            (-Score::TABLEBASE_WIN, "A loss by the tablebase."),
            (Score::CURSED_WIN, "A win by the tablebase that the draw rules may spoil."),
            (Score::mate_in(3), "A search to depth 8 finds a win in 2 turns."),
            (Score::estimate(-50), "Estimated at -0.50 for White (depth 8)."),
        ] {
            assert_eq!(told(score), expected);
        }
    }

    #[test]
    fn a_longer_defence_is_not_clearly_better() {
        let (soon, late) = (Score::mated_in(1), Score::mated_in(60));
        assert!(!is_clearly_better(late, soon));
        assert!(is_clearly_better(Score::DRAW, late));
        assert!(is_clearly_better(Score::mate_in(9), Score::DRAW));
        assert!(is_clearly_better(Score::mate_in(9), Score::estimate(900)));
        assert!(!is_clearly_better(Score::estimate(30), Score::DRAW));
        assert!(is_clearly_better(Score::estimate(50), Score::DRAW));
    }
}
