//! `millstone db probe`: what a position is worth.

use std::cmp::Reverse;
use std::fmt::Display;
use std::io::{self, Write};

use millstone::position::{Move, Position};
use millstone::tablebase::{JudgedMove, Tablebase, Wdl};
use serde::Serialize;

use super::{Subject, unknown};
use crate::commands::{CommandResult, json};

/// Tell the value of a position for the side to move, its distance and every move with its own.
///
/// A distance is in plies to the end of the game; a removal belongs to the ply that earns it.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    subject: Subject,
}

/// What is known of a position, as far as distances are.
struct Answer<W> {
    worth: W,
    /// The moves, the best first.
    moves: Vec<Row<W>>,
}

struct Row<W> {
    mv: Move,
    worth: W,
    /// How many replies keep the draw, where it is counted.
    drawing_replies: u32,
}

/// An answer as programs read it.
#[derive(Serialize)]
struct Line {
    #[serde(flatten)]
    worth: json::Worth,
    moves: Vec<LineMove>,
}

#[derive(Serialize)]
struct LineMove {
    #[serde(rename = "move")]
    mv: String,
    #[serde(flatten)]
    worth: json::Worth,
    drawing_replies: u32,
}

/// Prints the value and the moves.
pub fn run(arguments: &Arguments) -> CommandResult {
    let Subject { folder, format, .. } = &arguments.subject;
    let game = arguments.subject.game()?;
    let tablebase = folder.open()?;
    let position = game.position();
    let unknown = || unknown(&tablebase, position);
    if let Some(judged) = tablebase.judge(position, &position.moves()) {
        let worth = tablebase.value_of(position).ok_or_else(unknown)?;
        let row =
            |JudgedMove { mv, value, drawing_replies }| Row { mv, worth: value, drawing_replies };
        Answer { worth, moves: judged.into_iter().map(row).collect() }.write("", *format)?;
    } else {
        let answer = without_distances(&tablebase, position).ok_or_else(unknown)?;
        answer.write(", distances are not known", *format)?;
    }
    Ok(())
}

/// What databases without distances tell.
fn without_distances(tablebase: &Tablebase, position: &Position) -> Option<Answer<Wdl>> {
    let worth = tablebase.worth_of(position)?;
    let row = |&mv: &Move| {
        Some(Row { mv, worth: tablebase.worth_of_move(position, mv)?, drawing_replies: 0 })
    };
    let mut moves = position.moves().iter().map(row).collect::<Option<Vec<Row<Wdl>>>>()?;
    moves.sort_by_key(|row| Reverse(row.worth));
    Some(Answer { worth, moves })
}

impl<W: Copy + Display + Into<json::Worth>> Answer<W> {
    fn write(&self, remark: &str, format: json::Format) -> io::Result<()> {
        let mut out = io::stdout().lock();
        if format.json {
            return json::write(&mut out, &self.line());
        }
        writeln!(out, "{}{remark}", self.worth)?;
        for Row { mv, worth, drawing_replies } in &self.moves {
            write!(out, "{mv}: {worth}")?;
            match drawing_replies {
                0 => writeln!(out)?,
                replies => writeln!(out, ", {replies} drawing replies")?,
            }
        }
        Ok(())
    }

    fn line(&self) -> Line {
        let of_row = |row: &Row<W>| LineMove {
            mv: row.mv.to_string(),
            worth: row.worth.into(),
            drawing_replies: row.drawing_replies,
        };
        Line { worth: self.worth.into(), moves: self.moves.iter().map(of_row).collect() }
    }
}
