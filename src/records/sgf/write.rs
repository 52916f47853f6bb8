//! Writing a game in the Smart Game Format.

use super::{
    COMMENT, FEN, GAME, GLYPH, GLYPHS, REASONS, RESULT, RULES, TAG, TAGS, TERMINATION, VOID,
};
use crate::board::Side;
use crate::position::Position;
use crate::records::error::WriteError;
use crate::records::record::{
    AnnotatedMove, AnnotatedMoves, GameRecord, GameResult, MAX_DEPTH, Property, Size, Tag, play,
    with_plain_line_ends,
};
use crate::rules::RuleSet;

/// A line is broken before the node that begins after this many characters.
const WIDTH: usize = 70;

impl GameRecord {
    /// Writes the game as a tree of nodes.
    pub(in crate::records) fn write_tree(&self, usual: &RuleSet) -> Result<String, WriteError> {
        self.check_tags()?;
        let mut writer = Writer { text: "(".to_owned(), line: 0, size: Size::default() };
        writer.text.push_str(";FF[4]CA[UTF-8]");
        writer.add("GM", GAME);
        let (known, others): (Vec<_>, Vec<_>) = self
            .tags
            .iter()
            .map(|tag| (property_of(&tag.name), tag))
            .partition(|(it, _)| it.is_some());
        for (property, tag) in known {
            writer.add(property.unwrap_or_default(), &tag.value);
        }
        if self.needs_rules(usual) {
            writer.add(RULES, &self.rules.name());
        }
        let reason = self.reason().unwrap_or_default();
        match self.result {
            GameResult::WhiteWins => writer.add(RESULT, &format!("W+{reason}")),
            GameResult::BlackWins => writer.add(RESULT, &format!("B+{reason}")),
            GameResult::Draw => writer.add(RESULT, "0"),
            GameResult::Unknown if reason == VOID => writer.add(RESULT, VOID),
            GameResult::Unknown => {}
        }
        if let Some(start) = &self.start {
            writer.add(FEN, start);
        }
        let is_said = |tag: &Tag| tag.name == TERMINATION && self.reason().is_some();
        let tags = others
            .into_iter()
            .filter(|(_, tag)| !is_said(tag))
            .map(|(_, tag)| format!("{}:{}", escaped(&tag.name, true), escaped(&tag.value, true)));
        writer.add_all(TAG, tags);
        writer.add_notes(&self.main_line.comment, &[], &self.main_line.properties);
        writer.add_moves(&self.main_line, self.start_position()?, 0)?;
        writer.text.push_str(")\n");
        Ok(writer.text)
    }
}

impl GameRecord {
    /// Why a side has won or nobody has, if the result of SGF has a word for it.
    fn reason(&self) -> Option<&str> {
        let known: &[&str] = match self.result {
            GameResult::WhiteWins | GameResult::BlackWins => &REASONS,
            GameResult::Draw => &[],
            GameResult::Unknown => &[VOID],
        };
        self.tag(TERMINATION).filter(|reason| known.contains(reason))
    }
}

/// The property that says the same as a tag.
fn property_of(tag: &str) -> Option<&'static str> {
    TAGS.iter().find(|(_, name)| *name == tag).map(|(property, _)| *property)
}

struct Writer {
    text: String,
    /// The byte where the last line that was broken begins.
    line: usize,
    size: Size,
}

impl Writer {
    fn add(&mut self, name: &str, value: &str) {
        self.add_all(name, [escaped(value, false)]);
    }

    /// Adds a property with values that are escaped already, unless there are none.
    fn add_all(&mut self, name: &str, values: impl IntoIterator<Item = String>) {
        for (index, value) in values.into_iter().enumerate() {
            if index == 0 {
                self.text.push_str(name);
            }
            self.text.extend(["[", &value, "]"]);
        }
    }

    /// Begins a node.
    fn begin(&mut self) {
        if self.text.len() - self.line > WIDTH && !self.text.ends_with('(') {
            self.text.push('\n');
            self.line = self.text.len();
        }
        self.text.push(';');
    }

    /// Adds what a node says beside its move.
    fn add_notes(&mut self, comment: &str, glyphs: &[u8], properties: &[Property]) {
        match *glyphs {
            [glyph @ 1..=6] => {
                let (name, value) = GLYPHS[usize::from(glyph) - 1];
                self.add(name, value);
            }
            _ => self.add_all(GLYPH, glyphs.iter().map(u8::to_string)),
        }
        let comment = with_plain_line_ends(comment.trim());
        if !comment.is_empty() {
            self.add(COMMENT, &comment);
        }
        for property in properties {
            // The values have their escapes.
            self.add_all(property.name(), property.values().iter().cloned());
        }
    }

    /// Adds the moves of the game or, if `depth` is not 0, of a variation. What could have been played
    /// instead of a move follows the rest of the moves, as another branch.
    fn add_moves(
        &mut self,
        line: &AnnotatedMoves,
        mut position: Position<RuleSet>,
        depth: usize,
    ) -> Result<(), WriteError> {
        if depth > MAX_DEPTH {
            return Err(WriteError::TooDeep { limit: MAX_DEPTH });
        }
        let mut branches = Vec::new();
        let mut moves = line.moves.iter().peekable();
        while let Some(mut played) = moves.next() {
            if !played.variations.is_empty() {
                self.text.push('(');
                branches.push((position, &played.variations));
            }
            self.begin();
            let side = position.to_move();
            let mut turn = String::new();
            loop {
                self.size.add(1)?;
                turn += &played.mv.to_string();
                play(&mut position, played.mv)?;
                let goes_on = |next: &&AnnotatedMove| {
                    next.mv.is_removal() && position.to_move() == side && next.variations.is_empty()
                };
                match moves.next_if(|next| !has_notes(played) && goes_on(next)) {
                    Some(next) => played = next,
                    None => break,
                }
            }
            self.add(if side == Side::White { "W" } else { "B" }, &turn);
            self.add_notes(&played.comment, &played.glyphs, &played.properties);
        }
        for (position, variations) in branches.into_iter().rev() {
            self.text.push(')');
            for variation in variations {
                self.size.add(1)?;
                self.text.push('(');
                let AnnotatedMoves { comment, moves, properties } = variation;
                let has_node = moves.first().is_some_and(|first| first.variations.is_empty());
                if !has_node || !comment.is_empty() || !properties.is_empty() {
                    self.begin();
                    self.add_notes(comment, &[], properties);
                }
                self.add_moves(variation, position, depth + 1)?;
                self.text.push(')');
            }
        }
        Ok(())
    }
}

/// Whether something is said about a move itself.
fn has_notes(played: &AnnotatedMove) -> bool {
    !played.comment.is_empty() || !played.glyphs.is_empty() || !played.properties.is_empty()
}

/// The text of a value.
///
/// * `is_part`: whether a colon ends it.
fn escaped(value: &str, is_part: bool) -> String {
    let mut text = String::with_capacity(value.len());
    for c in value.chars() {
        if c == '\\' || c == ']' || is_part && c == ':' {
            text.push('\\');
        }
        text.push(c);
    }
    text
}
