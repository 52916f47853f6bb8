//! Writing games.

mod layout;
mod movetext;

use std::collections::HashSet;

use super::heading::{FEN, PLY_COUNT, RESULT, SET_UP, VARIANT, is_tag_name, is_told_otherwise};
use super::{GameResult, Notation, Record, Tag, WriteError};
use crate::position::MoveLine;
use layout::Layout;

/// The tags that stand before the result, by custom.
const ROSTER: [&str; 6] = ["Event", "Site", "Date", "Round", "White", "Black"];

impl Record {
    /// Writes the game down.
    ///
    /// Games with tags or numbered moves end with an empty line, so that others may follow.
    ///
    /// # Errors
    ///
    /// When the start, a move or a tag cannot be written, since it could not be read again.
    pub fn write(&self, notation: Notation) -> Result<String, WriteError> {
        let layout = match notation {
            Notation::Sanmill => Layout::Rounds,
            Notation::PlayOk | Notation::Wmd => Layout::Filled,
            Notation::Uci => return self.write_position(),
        };
        let pieces = self.pieces(notation)?;
        let mut text = self.heading(notation)?;
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&layout.set(&pieces));
        text.push_str("\n\n");
        Ok(if notation == Notation::Sanmill { text.replace('\n', "\r\n") } else { text })
    }

    /// What a notation cannot hold of this game, in words such as `comments`.
    #[must_use]
    pub fn losses(&self, notation: Notation) -> Vec<&'static str> {
        if notation != Notation::Uci {
            return Vec::new();
        }
        let plies = &self.line.plies;
        let has_comments =
            !self.line.comment.is_empty() || plies.iter().any(|ply| !ply.comment.is_empty());
        let losses = [
            ("tags", !self.tags.is_empty()),
            ("rules", !self.rules.is_standard()),
            ("comments", has_comments),
            ("glyphs", plies.iter().any(|ply| !ply.glyphs.is_empty())),
            ("variations", plies.iter().any(|ply| !ply.variations.is_empty())),
            ("results", self.result != GameResult::Unknown),
        ];
        losses.into_iter().filter(|(_, is_lost)| *is_lost).map(|(what, _)| what).collect()
    }

    fn write_position(&self) -> Result<String, WriteError> {
        self.replay()?;
        let start = match &self.start {
            Some(text) => format!("fen {text}"),
            None => "startpos".to_owned(),
        };
        let moves: Vec<_> = self.moves().collect();
        let word = if moves.is_empty() { "" } else { " moves" };
        Ok(format!("position {start}{word}{}\n", MoveLine(&moves)))
    }

    /// Checks that the tags can be read again.
    fn check_tags(&self) -> Result<(), WriteError> {
        let mut names = HashSet::new();
        for Tag { name, value } in &self.tags {
            if !is_tag_name(name) || is_told_otherwise(name) || !names.insert(name) {
                return Err(WriteError::TagName(name.clone()));
            }
            if value.contains(['\n', '\r']) {
                return Err(WriteError::TagValue(name.clone()));
            }
        }
        Ok(())
    }

    /// The tags, one a line.
    fn heading(&self, notation: Notation) -> Result<String, WriteError> {
        self.check_tags()?;
        let is_roster = |name: &str| ROSTER.contains(&name);
        let first = self.tags.iter().rposition(|tag| is_roster(&tag.name)).map_or(0, |at| at + 1);
        let (roster, others) = self.tags.split_at(first);
        let own = |tags: &[Tag]| -> String {
            tags.iter().map(|tag| line(&tag.name, &tag.value)).collect()
        };
        let is_full = notation == Notation::Sanmill;
        let mut text = own(roster);
        if is_full || !self.tags.is_empty() {
            text.push_str(&line(RESULT, self.result.word()));
        }
        if is_full || !self.rules.is_standard() {
            text.push_str(&line(VARIANT, &self.rules.name()));
        }
        text.push_str(&own(others));
        if is_full {
            text.push_str(&line(PLY_COUNT, &self.turns()?.len().to_string()));
        }
        if let Some(start) = &self.start {
            text.push_str(&line(SET_UP, "1"));
            text.push_str(&line(FEN, start));
        }
        Ok(text)
    }
}

/// A tag in a line of its own.
fn line(name: &str, value: &str) -> String {
    format!("[{name} \"{}\"]\n", value.replace('\\', "\\\\").replace('"', "\\\""))
}
