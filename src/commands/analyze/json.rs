//! What is printed for programs, and the help that explains it.

use std::fmt;
use std::io::{self, Write};

use millstone::analysis::{
    Assessment, ReviewedTurn, Severity, SideSummary, WhiteScore, game_result,
};
use millstone::any_game::AnyGame;
use millstone::board::Side;
use millstone::position::Move;
use millstone::records::GameRecord;
use millstone::score::{Score, ScoreKind};
use millstone::search::{KnownMove, KnownRoot, Variation};
use serde::Serialize;

use super::source::Origin;
use crate::commands::json;

/// The end of the help: the marks of bad turns and the fields of JSON.
pub struct Legend;

const FIELDS: &str = "\
Fields of JSON, one object a position:
  source, line: where it was read; of --fen, which one
  position, to_move: position text, White or Black
  outcome: how the game ended, or null
  known: the result by the tablebase, such as 1-0, or null
  depth, nodes: of the search
  lines: the best ones, each with its score and moves
  moves: all that are legal as the tablebase knows them, the best first, or
    null; of each
      move, class: won, drawn or lost, or not within the draw rules
      turns: of both sides to the end, or null
      chances: what a search chose by among equals, for the side to move in
        hundredths of a man, or null
  holding: how many of the moves keep what the position is worth, or null

Of a score, which is White's:
  cp: hundredths of a man
  word: +won, +won?, -won or -won? where cp stands for a win
  mate: turns to the end, below 0 if Black wins

Of a game, an object that begins it:
  game: its number, also in what follows
  source, line: where it was read; line is null for a record
  white, black, result, rules, start: as the record has them

Then one a turn:
  number, side, turn: as in 12. d6-f6xa1
  score, depth: after the turn, and of the search
  loss, mark: the share of the point given away, 0 to 1; ?!, ?, ?? or null
  better: what should have been played from the move instead_of on, or null
  known: two results, before and after the turn

Then one at the end, summary, with each side's:
  turns, inaccuracies, mistakes, blunders: counted
  average_loss: of a turn, 0 to 1";

impl fmt::Display for Legend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let marks = Severity::ALL.map(|severity| {
            format!("{} from {:.0} %", severity.mark(), 100.0 * severity.threshold())
        });
        write!(f, "Marks by what a turn gives away: {}.\n\n{FIELDS}", marks.join(", "))
    }
}

/// A score for White.
#[derive(Serialize)]
#[serde(untagged)]
enum JsonScore {
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
struct JsonPosition<'a> {
    #[serde(flatten)]
    origin: &'a Origin,
    position: String,
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

/// What the tablebase knows of a move.
#[derive(Serialize)]
struct JsonKnownMove {
    r#move: String,
    class: String,
    turns: Option<u16>,
    chances: Option<i16>,
}

impl From<&KnownMove> for JsonKnownMove {
    fn from(known: &KnownMove) -> Self {
        Self {
            r#move: known.mv.to_string(),
            class: known.class.to_string(),
            turns: known.turns,
            chances: known.chances.map(Score::hundredths),
        }
    }
}

#[derive(Serialize)]
struct JsonVariation {
    score: JsonScore,
    moves: Vec<String>,
}

/// Writes a position and its best moves.
pub fn write_position(
    origin: &Origin,
    game: &dyn AnyGame,
    assessment: &Assessment,
    out: &mut impl Write,
) -> io::Result<()> {
    let side = game.to_move();
    let variation = |Variation { score, pv }: &Variation| JsonVariation {
        score: WhiteScore::new(*score, side).into(),
        moves: words(pv),
    };
    let known = assessment.known_moves.as_ref();
    let position = JsonPosition {
        origin,
        position: game.text(),
        to_move: side.to_string(),
        outcome: game.outcome().map(|outcome| outcome.to_string()),
        known: assessment.known.map(|known| game_result(known, side).word()),
        depth: assessment.depth,
        nodes: assessment.nodes,
        lines: assessment.lines.iter().map(variation).collect(),
        moves: known.map(|known| known.moves().iter().map(JsonKnownMove::from).collect()),
        holding: known.map(KnownRoot::count_keeping),
    };
    json::write(out, &position)
}

fn words(moves: &[Move]) -> Vec<String> {
    moves.iter().map(ToString::to_string).collect()
}

/// The first line of a game.
#[derive(Serialize)]
struct JsonHeading<'a> {
    game: usize,
    #[serde(flatten)]
    origin: &'a Origin,
    white: Option<&'a str>,
    black: Option<&'a str>,
    result: &'static str,
    rules: String,
    start: Option<&'a str>,
}

/// The line of a turn.
#[derive(Serialize)]
struct JsonTurn {
    game: usize,
    number: u32,
    side: String,
    turn: String,
    score: JsonScore,
    /// The depth of the search.
    depth: u32,
    /// The share of a point that the turn loses.
    loss: f32,
    mark: Option<&'static str>,
    better: Option<Better>,
    /// The results that the tablebase knows before and after the turn.
    known: [Option<&'static str>; 2],
}

/// What should have been played instead of a move of a turn.
#[derive(Serialize)]
struct Better {
    /// The move of the turn, from 1.
    instead_of: usize,
    score: JsonScore,
    moves: Vec<String>,
}

/// The last line of a game.
#[derive(Serialize)]
struct JsonSummary {
    game: usize,
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

/// Writes a reviewed game: its heading, its turns and a summary, a line each.
pub fn write_review(
    number: usize,
    origin: &Origin,
    record: &GameRecord,
    turns: &[ReviewedTurn],
    out: &mut impl Write,
) -> io::Result<()> {
    let heading = JsonHeading {
        game: number,
        origin,
        white: record.tag("White"),
        black: record.tag("Black"),
        result: record.result.word(),
        rules: record.rules.identity().to_string(),
        start: record.start.as_deref(),
    };
    json::write(out, &heading)?;
    turns.iter().try_for_each(|turn| json::write(out, &JsonTurn::new(number, turn)))?;
    let summary = Side::ALL.map(|side| JsonSide::new(side, SideSummary::of(turns, side)));
    json::write(out, &JsonSummary { game: number, summary })
}

impl JsonTurn {
    fn new(game: usize, turn: &ReviewedTurn) -> Self {
        let (first, last) = (turn.moves.first(), turn.moves.last());
        let before = first.and_then(|first| first.before.known);
        let after = last.and_then(|last| last.known);
        let better = turn.worst_move().zip(turn.better());
        Self {
            game,
            number: turn.number,
            side: turn.side.to_string(),
            turn: turn.turn.to_string(),
            score: turn.score().into(),
            depth: first.map_or(0, |first| first.before.depth),
            loss: turn.loss(),
            mark: turn.severity().map(Severity::mark),
            better: better.map(|(worst, better)| Better::new(worst, better, turn.side)),
            known: [before, after]
                .map(|known| known.map(|known| game_result(known, turn.side).word())),
        }
    }
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
