//! Positions, their best moves and reviewed games as JSON; `millstone analyze --help` explains the
//! fields.

use millstone::analysis::{
    Assessment, ReviewedTurn, Severity, SideSummary, WhiteScore, game_result,
};
use millstone::board::Side;
use millstone::game::Game;
use millstone::position::Move;
use millstone::records::GameRecord;
use millstone::score::{Score, ScoreKind};
use millstone::search::{KnownMove, KnownRoot, Variation};
use serde::Serialize;

use super::Rest;

/// A score for White.
#[derive(Serialize)]
#[serde(untagged)]
pub enum JsonScore {
    /// An estimate in hundredths of a man.
    Estimate { cp: i16 },
    /// Won by one side in an unknown number of turns; the word is that of the text.
    Tablebase { cp: i16, word: String },
    /// Turns of the winner, negative if Black wins.
    Mate { mate: i32 },
}

impl From<WhiteScore> for JsonScore {
    fn from(score: WhiteScore) -> Self {
        let mate = |turns| Score::turns_of_winner(turns).into();
        match score.score().kind() {
            ScoreKind::Estimate(cp) => Self::Estimate { cp },
            ScoreKind::MateIn(turns) => Self::Mate { mate: mate(turns) },
            ScoreKind::MatedIn(turns) => Self::Mate { mate: -mate(turns) },
            _ => Self::Tablebase { cp: score.score().hundredths(), word: score.to_string() },
        }
    }
}

/// A position and its best moves.
#[derive(Serialize)]
pub struct JsonPosition {
    position: String,
    mfen: String,
    to_move: String,
    /// How the game ended, if it has.
    outcome: Option<String>,
    /// The result by the tablebase, as in game records.
    known: Option<&'static str>,
    depth: u32,
    nodes: u64,
    lines: Vec<JsonVariation>,
    moves: Option<Vec<JsonKnownMove>>,
    holding: Option<usize>,
}

impl JsonPosition {
    pub fn new(game: &Game, assessment: &Assessment) -> Self {
        let side = game.to_move();
        let known = assessment.known_moves.as_ref();
        Self {
            position: game.text().to_string(),
            mfen: game.mfen().to_string(),
            to_move: side.to_string(),
            outcome: game.outcome().map(|outcome| outcome.to_string()),
            known: assessment.known.map(|known| game_result(known, side).word()),
            depth: assessment.depth,
            nodes: assessment.nodes,
            lines: JsonVariation::all(&assessment.lines, side),
            moves: known.map(JsonKnownMove::all),
            holding: known.map(KnownRoot::count_keeping),
        }
    }
}

/// What the tablebase knows of a move.
#[derive(Serialize)]
pub struct JsonKnownMove {
    r#move: String,
    worth: &'static str,
    class: String,
    turns: Option<u16>,
    #[serde(flatten)]
    rest: Rest,
    chances: Option<i16>,
}

impl JsonKnownMove {
    /// The moves of a root, the best first.
    pub fn all(root: &KnownRoot) -> Vec<Self> {
        root.moves().iter().map(Self::from).collect()
    }
}

impl From<&KnownMove> for JsonKnownMove {
    fn from(known: &KnownMove) -> Self {
        Self {
            r#move: known.mv.to_string(),
            worth: known.class.word(),
            class: known.class.to_string(),
            turns: known.turns,
            rest: known.rest.into(),
            chances: known.chances.map(Score::hundredths),
        }
    }
}

/// A line of play with its score.
#[derive(Serialize)]
pub struct JsonVariation {
    score: JsonScore,
    moves: Vec<String>,
}

impl JsonVariation {
    /// Lines of play that a side begins.
    pub fn all(lines: &[Variation], side: Side) -> Vec<Self> {
        let variation = |Variation { score, pv, .. }: &Variation| Self {
            score: WhiteScore::new(*score, side).into(),
            moves: words(pv),
        };
        lines.iter().map(variation).collect()
    }
}

fn words(moves: &[Move]) -> Vec<String> {
    moves.iter().map(ToString::to_string).collect()
}

/// What begins a reviewed game.
#[derive(Serialize)]
pub struct JsonHeading<'a> {
    white: Option<&'a str>,
    black: Option<&'a str>,
    result: &'static str,
    rules: String,
    start: Option<&'a str>,
}

impl<'a> JsonHeading<'a> {
    pub fn new(record: &'a GameRecord) -> Self {
        Self {
            white: record.tag("White"),
            black: record.tag("Black"),
            result: record.result.word(),
            rules: record.rules.identity().to_string(),
            start: record.start.as_deref(),
        }
    }
}

/// A reviewed turn.
#[derive(Serialize)]
pub struct JsonTurn {
    number: u32,
    side: String,
    turn: String,
    score: JsonScore,
    /// The share of a point that White can expect after the turn.
    share: f32,
    /// The depth of the search.
    depth: u32,
    /// The share of a point that the turn loses.
    loss: f32,
    mark: Option<&'static str>,
    better: Option<Better>,
    /// The results that the tablebase knows before and after the turn.
    known: [Option<&'static str>; 2],
}

impl From<&ReviewedTurn> for JsonTurn {
    fn from(turn: &ReviewedTurn) -> Self {
        let (first, last) = (turn.moves.first(), turn.moves.last());
        let before = first.and_then(|first| first.before.known);
        let after = last.and_then(|last| last.known);
        let better = turn.worst_move().zip(turn.better());
        Self {
            number: turn.number,
            side: turn.side.to_string(),
            turn: turn.turn.to_string(),
            score: turn.score().into(),
            share: turn.score().share(),
            depth: first.map_or(0, |first| first.before.depth),
            loss: turn.loss(),
            mark: turn.severity().map(Severity::mark),
            better: better.map(|(worst, better)| Better::new(worst, better, turn.side)),
            known: [before, after]
                .map(|known| known.map(|known| game_result(known, turn.side).word())),
        }
    }
}

/// What should have been played instead of a move of a turn.
#[derive(Serialize)]
struct Better {
    /// The move of the turn, from 1.
    instead_of: usize,
    score: JsonScore,
    moves: Vec<String>,
}

impl Better {
    fn new(index: usize, better: &Variation, side: Side) -> Self {
        Self {
            instead_of: index + 1,
            score: WhiteScore::new(better.score, side).into(),
            moves: words(&better.pv),
        }
    }
}

/// What ends a reviewed game.
#[derive(Serialize)]
pub struct JsonSummary {
    summary: [JsonSide; 2],
}

#[derive(Serialize)]
struct JsonSide {
    side: String,
    turns: usize,
    inaccuracies: usize,
    mistakes: usize,
    blunders: usize,
    average_loss: f32,
}

impl JsonSummary {
    pub fn new(turns: &[ReviewedTurn]) -> Self {
        Self { summary: Side::ALL.map(|side| JsonSide::new(side, SideSummary::of(turns, side))) }
    }
}

impl JsonSide {
    fn new(side: Side, summary: SideSummary) -> Self {
        let SideSummary { turns, errors: [inaccuracies, mistakes, blunders], average_loss } =
            summary;
        Self { side: side.to_string(), turns, inaccuracies, mistakes, blunders, average_loss }
    }
}

#[cfg(test)]
mod tests {
    use millstone::board::Side;
    use serde_json::json;

    use super::*;

    #[test]
    fn tablebase_scores_have_a_word() {
        let written = |score| {
            let score = JsonScore::from(WhiteScore::new(score, Side::Black));
            serde_json::to_value(score).expect("JSON")
        };
        assert_eq!(written(Score::estimate(-125)), json!({"cp": 125}));
        let cp = i32::from(Score::CURSED_WIN.bits());
        assert_eq!(written(Score::CURSED_WIN), json!({"cp": -cp, "word": "-won?"}));
        assert_eq!(written(Score::mated_in(2)), json!({"mate": 1}));
    }
}
