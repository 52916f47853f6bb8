//! Game records as JSON; `millstone convert --help` explains the fields.

use millstone::game::ReplayError;
use millstone::records::{AnnotatedMoves, GameRecord};
use serde::{Serialize, Serializer};

/// A game with all that its record holds.
#[derive(Serialize)]
pub struct JsonGame<'a> {
    #[serde(serialize_with = "write_tags")]
    tags: &'a GameRecord,
    variant: String,
    start: String,
    result: &'static str,
    turns: Vec<String>,
    #[serde(flatten)]
    main_line: JsonMoves<'a>,
}

/// Moves, with their annotations by the numbers of the moves, from 1.
#[derive(Serialize)]
struct JsonMoves<'a> {
    moves: Vec<String>,
    comments: Vec<Annotation<&'a str>>,
    glyphs: Vec<Annotation<u8>>,
    variations: Vec<JsonVariation<'a>>,
}

/// An annotation after a move; 0 for the beginning.
#[derive(Serialize)]
struct Annotation<T> {
    after: usize,
    says: T,
}

/// What could have been played instead of a move.
#[derive(Serialize)]
struct JsonVariation<'a> {
    instead_of: usize,
    #[serde(flatten)]
    moves: JsonMoves<'a>,
}

impl<'a> JsonGame<'a> {
    /// The game of a record.
    ///
    /// # Errors
    ///
    /// When the start of the record is no position text, or a move is illegal.
    pub fn new(record: &'a GameRecord) -> Result<Self, ReplayError> {
        let history = record.history()?;
        Ok(Self {
            tags: record,
            variant: record.rules.name(),
            start: history.start().position().to_string(),
            result: record.result.word(),
            turns: history.turns().iter().map(|(_, turn)| turn.to_string()).collect(),
            main_line: JsonMoves::of(&record.main_line),
        })
    }
}

fn write_tags<S: Serializer>(record: &GameRecord, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(record.tags.iter().map(|tag| (&tag.name, &tag.value)))
}

impl<'a> JsonMoves<'a> {
    fn of(moves: &'a AnnotatedMoves) -> Self {
        let numbered = || (1..).zip(&moves.moves);
        let first = Annotation { after: 0, says: moves.comment.as_str() };
        let comments =
            numbered().map(|(after, mv)| Annotation { after, says: mv.comment.as_str() });
        let comments = std::iter::once(first).chain(comments);
        let glyphs = numbered()
            .flat_map(|(after, mv)| mv.glyphs.iter().map(move |&says| Annotation { after, says }));
        let variations = numbered().flat_map(|(instead_of, mv)| {
            let variations = mv.variations.iter();
            variations.map(move |moves| JsonVariation { instead_of, moves: Self::of(moves) })
        });
        Self {
            moves: moves.moves.iter().map(|played| played.mv.to_string()).collect(),
            comments: comments.filter(|comment| !comment.says.is_empty()).collect(),
            glyphs: glyphs.collect(),
            variations: variations.collect(),
        }
    }
}
