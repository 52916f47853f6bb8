//! What is printed for programs, and the help that explains it.

use std::fmt;
use std::io::{self, Write};

use millstone::analysis::{Assessment, ReviewedTurn, Severity};
use millstone::game::Game;
use millstone::records::GameRecord;
use serde::Serialize;

use super::source::Origin;
use crate::commands::json;
use crate::commands::json::analysis::{JsonHeading, JsonPosition, JsonSummary};

/// The end of the help: the marks of bad turns and the fields of JSON.
pub struct Legend;

const FIELDS: &str = "\
Fields of JSON, one object a position:
  source, line: where it was read; for --fen, its number
  position, to_move: position text, White or Black
  mfen: the position in MFEN 1.0
  outcome: how the game ended, or null
  known: the result by the tablebase, such as 1-0, or null
  depth, nodes: of the search
  lines: the best lines, each with its score and moves
  moves: all legal moves by the tablebase, the best first, or null; of each
      move, class: won, drawn or lost, or perhaps not within the draw rules
      worth: the same in a word: won, cursed, drawn, blessed or lost
      turns: of both sides to the end, or null
      chances: what a search chose by among equals, for the side to move in
        hundredths of a man, or null
  holding: how many of the moves keep the result, or null

Of a score, which is White's:
  cp: hundredths of a man
  word: +won, +won?, -won or -won? where cp stands for a win
  mate: turns to the end, below 0 if Black wins

First, an object for each game:
  game: its number, repeated in the objects that follow
  source, line: where it was read; line is null for a record
  white, black, result, rules, start: as the record has them

Then one object a turn:
  number, side, turn: as in 12. d6-f6xa1
  score: after the turn; depth: of the search
  share: of the point that White can expect after it, 0 to 1
  loss, mark: the share of a point that the turn loses, 0 to 1; ?!, ?, ?? or null
  better: what should have been played from the move instead_of on, or null
  known: two results, before and after the turn

Last, summary, for each side:
  turns, inaccuracies, mistakes, blunders: counted
  average_loss: of a turn, 0 to 1";

impl fmt::Display for Legend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let marks = Severity::ALL.map(|severity| {
            format!("{} from {:.0} %", severity.mark(), 100.0 * severity.threshold())
        });
        write!(
            f,
            "Marks by the share of a point that a turn loses: {}.\n\n{FIELDS}",
            marks.join(", ")
        )
    }
}

/// What was read somewhere.
#[derive(Serialize)]
struct Sourced<'a, T> {
    #[serde(flatten)]
    origin: &'a Origin,
    #[serde(flatten)]
    what: T,
}

/// A line about a game.
#[derive(Serialize)]
struct OfGame<T> {
    game: usize,
    #[serde(flatten)]
    line: T,
}

/// Writes a position and its best moves.
pub fn write_position(
    origin: &Origin,
    game: &Game,
    assessment: &Assessment,
    out: &mut impl Write,
) -> io::Result<()> {
    json::write(out, &Sourced { origin, what: JsonPosition::new(game, assessment) })
}

/// Writes a reviewed game: its heading, its turns and a summary, a line each.
pub fn write_review(
    game: usize,
    origin: &Origin,
    record: &GameRecord,
    turns: &[ReviewedTurn],
    out: &mut impl Write,
) -> io::Result<()> {
    let heading = Sourced { origin, what: JsonHeading::new(record) };
    json::write(out, &OfGame { game, line: heading })?;
    for turn in turns {
        json::write(out, &OfGame { game, line: turn })?;
    }
    json::write(out, &OfGame { game, line: JsonSummary::new(turns) })
}
