//! A game as a JSON object.

use std::error::Error;

use millstone::records::{Line, Record};
use serde::{Serialize, Serializer};

/// A game with all that its record holds.
#[derive(Serialize)]
struct Game<'a> {
    #[serde(serialize_with = "write_tags")]
    tags: &'a Record,
    variant: String,
    start: String,
    result: &'static str,
    turns: Vec<String>,
    #[serde(flatten)]
    line: Plies<'a>,
}

/// The moves of a line, and what is said about them by their numbers, from 1.
#[derive(Serialize)]
struct Plies<'a> {
    moves: Vec<String>,
    comments: Vec<Remark<&'a str>>,
    glyphs: Vec<Remark<u8>>,
    variations: Vec<Variation<'a>>,
}

/// What is said after a move; 0 for the beginning.
#[derive(Serialize)]
struct Remark<T> {
    after: usize,
    says: T,
}

/// What could have been played instead of a move.
#[derive(Serialize)]
struct Variation<'a> {
    instead_of: usize,
    #[serde(flatten)]
    line: Plies<'a>,
}

/// The object in a line.
pub(super) fn write(record: &Record) -> Result<String, Box<dyn Error>> {
    let game = Game {
        tags: record,
        variant: record.rules.name(),
        start: record.start_position()?.to_string(),
        result: record.result.word(),
        turns: record.turns()?.iter().map(ToString::to_string).collect(),
        line: Plies::of(&record.line),
    };
    Ok(serde_json::to_string(&game)? + "\n")
}

fn write_tags<S: Serializer>(record: &Record, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(record.tags.iter().map(|tag| (&tag.name, &tag.value)))
}

impl<'a> Plies<'a> {
    fn of(line: &'a Line) -> Self {
        let numbered = || (1..).zip(&line.plies);
        let begin = Remark { after: 0, says: line.comment.as_str() };
        let comments = numbered().map(|(after, ply)| Remark { after, says: ply.comment.as_str() });
        let comments = std::iter::once(begin).chain(comments);
        let glyphs = numbered()
            .flat_map(|(after, ply)| ply.glyphs.iter().map(move |&says| Remark { after, says }));
        let variations = numbered().flat_map(|(instead_of, ply)| {
            let lines = ply.variations.iter();
            lines.map(move |line| Variation { instead_of, line: Plies::of(line) })
        });
        Self {
            moves: line.plies.iter().map(|ply| ply.mv.to_string()).collect(),
            comments: comments.filter(|remark| !remark.says.is_empty()).collect(),
            glyphs: glyphs.collect(),
            variations: variations.collect(),
        }
    }
}
