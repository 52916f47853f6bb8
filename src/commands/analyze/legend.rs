//! What the marks of the text and the fields of JSON mean.

use std::fmt;

use millstone::analysis::Fault;

/// The end of the help.
pub struct Legend;

const FIELDS: &str = "\
Fields of JSON, one object a position:
  source, line: where it was read; of --fen, which one
  position, to_move: position text, White or Black
  outcome: how the game ended, or null
  known: the result by the databases, such as 1-0, or null
  depth, nodes: of the search
  lines: the best ones, each with its score and moves

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
        let marks = Fault::ALL
            .map(|fault| format!("{:.0} % with {}", 100.0 * fault.threshold(), fault.mark()));
        write!(f, "Turns that give away much are marked: from {}.\n\n{FIELDS}", marks.join(", "))
    }
}
