//! What is printed for programs, and the help that explains it.

use std::fmt;
use std::io::{self, Write};

use millstone::analysis::{Assessment, ReviewedTurn, Severity};
use millstone::api::json::{self as shapes, Summary};
use millstone::game::Game;
use millstone::records::GameRecord;
use serde::Serialize;

use super::source::Origin;
use crate::commands::json;

/// The end of the help: the marks of bad turns and the fields of JSON.
pub struct Legend;

const FIELDS: &str = include_str!("fields.txt");

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
    origin: Origin<'a>,
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
    origin: Origin<'_>,
    game: &Game,
    assessment: &Assessment,
    out: &mut impl Write,
) -> io::Result<()> {
    json::write(out, &Sourced { origin, what: shapes::position(game, assessment) })
}

/// Writes a reviewed game: its heading, its turns and a summary, a line each.
pub fn write_review(
    game: usize,
    origin: Origin<'_>,
    record: &GameRecord,
    turns: &[ReviewedTurn],
    out: &mut impl Write,
) -> io::Result<()> {
    let heading = Sourced { origin, what: shapes::heading(record) };
    json::write(out, &OfGame { game, line: heading })?;
    for turn in turns {
        json::write(out, &OfGame { game, line: turn })?;
    }
    json::write(out, &OfGame { game, line: Summary::new(turns) })
}
