//! What was said of the moves of a game, as `millstone convert --json` prints it and the page sends it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::request::check;
use super::{Refusal, ensure};
use crate::position::Move;
use crate::records::{AnnotatedMoves, GameRecord, Property, add_comment, is_field, is_tag_name};

/// Tags, comments, glyphs, variations and properties of a game whose moves are told elsewhere.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Notes {
    #[serde(default)]
    tags: BTreeMap<String, String>,
    #[serde(flatten)]
    notes: MoveNotes,
}

/// Annotations of moves by their numbers, from 1.
#[derive(Default, Deserialize, Serialize)]
pub struct MoveNotes {
    #[serde(default)]
    comments: Vec<Note<String>>,
    #[serde(default)]
    glyphs: Vec<Note<u8>>,
    #[serde(default)]
    variations: Vec<Variation>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    properties: Vec<PropertyNote>,
}

/// An annotation after a move; 0 for the beginning.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Note<T> {
    after: usize,
    says: T,
}

/// A property of SGF after a move; 0 for the beginning.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct PropertyNote {
    after: usize,
    name: String,
    values: Vec<String>,
}

/// What could have been played instead of a move.
#[derive(Deserialize, Serialize)]
struct Variation {
    instead_of: usize,
    moves: Vec<String>,
    #[serde(flatten)]
    notes: MoveNotes,
}

impl Notes {
    /// Writes them into the record of the game.
    pub fn tell(&self, record: &mut GameRecord) -> Result<(), Refusal> {
        for (name, value) in &self.tags {
            let is_tag = is_tag_name(name) && !value.contains(['\n', '\r']);
            ensure(is_tag, "tags: expected a word and one line for each")?;
            if !is_field(name) {
                record.set_tag(name, value.as_str());
            }
        }
        self.notes.tell(&mut record.main_line)
    }
}

impl MoveNotes {
    /// What a record says of moves.
    pub fn of(line: &AnnotatedMoves) -> Self {
        let mut notes = Self::default();
        notes.add(0, &line.comment, &line.properties);
        for (number, mv) in (1..).zip(&line.moves) {
            notes.add(number, &mv.comment, &mv.properties);
            notes.glyphs.extend(mv.glyphs.iter().map(|&says| Note { after: number, says }));
            notes.variations.extend(mv.variations.iter().map(|instead| Variation {
                instead_of: number,
                moves: instead.moves.iter().map(|played| played.mv.to_string()).collect(),
                notes: Self::of(instead),
            }));
        }
        notes
    }

    fn add(&mut self, after: usize, comment: &str, properties: &[Property]) {
        let comment = Some(comment.to_owned()).filter(|comment| !comment.is_empty());
        self.comments.extend(comment.map(|says| Note { after, says }));
        self.properties.extend(properties.iter().map(|property| PropertyNote {
            after,
            name: property.name().to_owned(),
            values: property.values().to_vec(),
        }));
    }

    fn tell(&self, line: &mut AnnotatedMoves) -> Result<(), Refusal> {
        let count = line.moves.len();
        for Note { after, says } in &self.comments {
            check("after", *after, 0..=count)?;
            let target = after.checked_sub(1).map(|at| &mut line.moves[at].comment);
            add_comment(target.unwrap_or(&mut line.comment), says.trim());
        }
        for Note { after, says } in &self.glyphs {
            check("after", *after, 1..=count)?;
            line.moves[after - 1].glyphs.push(*says);
        }
        for PropertyNote { after, name, values } in &self.properties {
            check("after", *after, 0..=count)?;
            let property = Property::new(name.clone(), values.clone());
            let property = property.ok_or_else(|| {
                Refusal::bad(
                    "properties: expected names such as TR, with values as SGF writes them",
                )
            })?;
            let target = after.checked_sub(1).map(|at| &mut line.moves[at].properties);
            let added = property.add_to(target.unwrap_or(&mut line.properties));
            added.ok_or_else(|| Refusal::bad("properties: there are too many"))?;
        }
        for Variation { instead_of, moves, notes } in &self.variations {
            check("instead_of", *instead_of, 1..=count)?;
            let moves = moves.iter().map(|text| text.parse::<Move>().map_err(Refusal::bad));
            let mut variation = moves.collect::<Result<AnnotatedMoves, _>>()?;
            notes.tell(&mut variation)?;
            line.moves[instead_of - 1].variations.push(variation);
        }
        Ok(())
    }
}
