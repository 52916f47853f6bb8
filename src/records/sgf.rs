//! Games in the Smart Game Format, version 4, with `GM[5]` for Nine Men's Morris.
//!
//! See: Arno Hollosi, "SGF File Format", version 4, 1999.

use super::record::{
    AnnotatedMove, AnnotatedMoves, GameRecord, GameResult, Property, Size, Tag, play,
    with_plain_line_ends,
};
use crate::Error;
use crate::board::Side;
use crate::position::PositionText;
use crate::rules::RuleSet;

/// The number of Nine Men's Morris in `GM`.
pub(super) const GAME: &str = "5";

/// Properties of the root and the equivalent tags.
pub(super) const TAGS: [(&str, &str); 12] = [
    ("EV", "Event"),
    ("PC", "Site"),
    ("DT", "Date"),
    ("RO", "Round"),
    ("PW", "White"),
    ("PB", "Black"),
    ("WR", "WhiteElo"),
    ("BR", "BlackElo"),
    ("AN", "Annotator"),
    ("ON", "Opening"),
    ("SO", "Source"),
    ("CP", "Copyright"),
];

/// Properties of Millstone: the position text of the start, tags as `Name:value`, and numbers of glyphs.
pub(super) const FEN: &str = "FEN";
pub(super) const TAG: &str = "TAG";
pub(super) const GLYPH: &str = "GLYPH";

/// The property with the name of the rules.
pub(super) const RULES: &str = "SU";
pub(super) const RESULT: &str = "RE";

/// The reasons of a win, written after `W+` or `B+`, the word for no result, and the tag that holds either.
const REASONS: [&str; 6] = ["R", "Resign", "T", "Time", "F", "Forfeit"];
const VOID: &str = "Void";
pub(super) const TERMINATION: &str = "Termination";

pub(super) const COMMENT: &str = "C";

/// The properties for the glyphs `!`, `?`, `!!`, `??`, `!?` and `?!`, numbered from 1.
pub(super) const GLYPHS: [(&str, &str); 6] =
    [("TE", "1"), ("BM", "1"), ("TE", "2"), ("BM", "2"), ("IT", ""), ("DO", "")];

/// Properties for men on the board and the side to move.
pub(super) const SET_UP: [&str; 4] = ["AB", "AW", "AE", "PL"];

/// Whether a property belongs in the first node only.
pub(super) fn is_of_root(name: &str) -> bool {
    ["FF", "GM", "CA", FEN, RULES, RESULT, TAG].contains(&name)
        || TAGS.iter().any(|(property, _)| *property == name)
}

/// Whether other fields of the record represent a property, so that it is not kept as a [`Property`].
pub(super) fn is_understood(name: &str) -> bool {
    is_of_root(name)
        || ["W", "B", COMMENT, GLYPH].contains(&name)
        || SET_UP.contains(&name)
        || GLYPHS.iter().any(|(sign, _)| *sign == name)
}

/// Whether a text is a valid value with its escapes.
pub(super) fn is_value(text: &str) -> bool {
    find(&format!("{text}]"), ']') == Some(text.len())
}

/// The byte of the first wanted character that no backslash escapes.
pub(super) fn find(text: &str, wanted: char) -> Option<usize> {
    let mut is_escaped = false;
    text.find(|c| {
        let is_found = c == wanted && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
        is_found
    })
}

/// A line longer than this, in bytes, is broken before the next node.
const WIDTH: usize = 70;

impl GameRecord {
    /// Writes the game as a tree of nodes.
    pub(super) fn write_tree(&self, usual: &RuleSet) -> Result<String, Error> {
        self.check_tags()?;
        let text = "(;FF[4]CA[UTF-8]".to_owned();
        let mut writer = Writer { text, line: 0, size: Size::default() };
        writer.add("GM", GAME);
        for tag in &self.tags {
            if let Some(property) = property_of(&tag.name) {
                writer.add(property, &tag.value);
            }
        }
        if self.needs_rules(usual) {
            writer.add(RULES, &self.rules.name());
        }
        let (result, reasons): (_, &[&str]) = match self.result {
            GameResult::WhiteWins => ("W+", &REASONS),
            GameResult::BlackWins => ("B+", &REASONS),
            GameResult::Draw => ("0", &[]),
            GameResult::Unknown => ("", &[VOID]),
        };
        let said = self.tag(TERMINATION).filter(|reason| reasons.contains(reason));
        let result = result.to_owned() + said.unwrap_or_default();
        if !result.is_empty() {
            writer.add(RESULT, &result);
        }
        if let Some(start) = &self.start {
            writer.add(FEN, start);
        }
        let is_said = |tag: &Tag| tag.name == TERMINATION && said.is_some();
        let is_other = |tag: &&Tag| property_of(&tag.name).is_none() && !is_said(tag);
        let part = |text: &String| escaped(text).replace(':', "\\:");
        let others = self.tags.iter().filter(is_other);
        writer.add_all(TAG, others.map(|tag| [&tag.name, &tag.value].map(part).join(":")));
        writer.add_notes(&self.main_line.comment, &[], &self.main_line.properties);
        writer.add_moves(&self.main_line, self.begin()?, 0)?;
        writer.text.push_str(")\n");
        Ok(writer.text)
    }
}

/// The property that is equivalent to a tag.
fn property_of(tag: &str) -> Option<&'static str> {
    TAGS.iter().find(|(_, name)| *name == tag).map(|(property, _)| *property)
}

struct Writer {
    text: String,
    /// The byte where the current line begins.
    line: usize,
    size: Size,
}

impl Writer {
    fn add(&mut self, name: &str, value: &str) {
        self.add_all(name, [escaped(value)]);
    }

    /// Adds a property with escaped values, unless there are none.
    fn add_all(&mut self, name: &str, values: impl IntoIterator<Item = String>) {
        let values: String = values.into_iter().map(|value| ["[", &value, "]"].concat()).collect();
        if !values.is_empty() {
            self.text.extend([name, &values]);
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

    /// Adds the annotations of a node.
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
            // The values are already escaped.
            self.add_all(property.name(), property.values().iter().cloned());
        }
    }

    /// Adds the moves of the game or, if `depth` is not 0, of a variation. Alternatives to a move follow
    /// the rest of the moves, as further branches.
    fn add_moves(
        &mut self,
        line: &AnnotatedMoves,
        mut now: PositionText,
        depth: usize,
    ) -> Result<(), Error> {
        let mut branches = Vec::new();
        let mut moves = line.moves.iter().peekable();
        while let Some(mut played) = moves.next() {
            if !played.variations.is_empty() {
                self.text.push('(');
                branches.push((now, &played.variations));
            }
            self.begin();
            let side = now.position.to_move();
            let mut turn = String::new();
            loop {
                self.size.add(1)?;
                turn += &played.mv.to_string();
                play(&mut now, played.mv)?;
                let AnnotatedMove { comment, glyphs, properties, .. } = played;
                let is_bare = comment.is_empty() && glyphs.is_empty() && properties.is_empty();
                let goes_on = is_bare && now.position.to_move() == side;
                let is_rest =
                    |next: &&AnnotatedMove| next.mv.is_removal() && next.variations.is_empty();
                let next = moves.next_if(|next| goes_on && is_rest(next));
                let Some(next) = next else { break };
                played = next;
            }
            self.add(if side == Side::White { "W" } else { "B" }, &turn);
            self.add_notes(&played.comment, &played.glyphs, &played.properties);
        }
        for (before, variations) in branches.into_iter().rev() {
            self.text.push(')');
            for variation in variations {
                self.size.add_variation(depth + 1)?;
                self.text.push('(');
                let AnnotatedMoves { comment, moves, properties } = variation;
                let has_node = moves.first().is_some_and(|first| first.variations.is_empty());
                if !has_node || !comment.is_empty() || !properties.is_empty() {
                    self.begin();
                    self.add_notes(comment, &[], properties);
                }
                self.add_moves(variation, before, depth + 1)?;
                self.text.push(')');
            }
        }
        Ok(())
    }
}

/// Escapes a text for use as a value.
fn escaped(value: &str) -> String {
    value.replace('\\', "\\\\").replace(']', "\\]")
}
