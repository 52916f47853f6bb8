//! Writing games.

use std::collections::HashSet;

use super::notation::{ACTIONS_WORD, Notation, action_of, numbered_move};
use super::record::{
    AnnotatedMove, AnnotatedMoves, FEN, GameRecord, GameResult, PLY_COUNT, RESULT, SET_UP, Size,
    Tag, VARIANT, is_field, is_tag_name, play, with_plain_line_ends,
};
use crate::Error;
use crate::board::Side;
use crate::position::{FEN_WORD, MOVES_WORD, MoveLine, POSITION_WORD, PositionText, START_WORD};
use crate::quote::quote;
use crate::rules::RuleSet;

/// The tags before the result, as in Portable Game Notation.
const ROSTER: [&str; 6] = ["Event", "Site", "Date", "Round", "White", "Black"];

impl GameRecord {
    /// Writes the game in a notation.
    ///
    /// In `sanmill`, `playok` and `wmd`, the text ends with an empty line, so that other games may follow.
    ///
    /// # Errors
    ///
    /// If the start, a move or a tag could not be read again, or the notation cannot express the start.
    pub fn write(&self, notation: Notation) -> Result<String, Error> {
        self.write_by(notation, &RuleSet::NINE_MENS_MORRIS)
    }

    /// Writes the game for readers whose default rules, without a `Variant` tag, are Nine Men's Morris or
    /// `usual`.
    ///
    /// # Errors
    ///
    /// As for [`write`](Self::write).
    pub fn write_by(&self, notation: Notation, usual: &RuleSet) -> Result<String, Error> {
        match notation {
            Notation::Sanmill | Notation::PlayOk | Notation::Wmd => {}
            Notation::Sgf => return self.write_tree(usual),
            Notation::Uci => return self.write_line(false),
            Notation::Actions => return self.write_line(true),
        }
        let mut writer = Writer { notation, text: String::new(), column: 0, size: Size::default() };
        writer.add_moves(&self.main_line, (self.begin()?, 0, None), 0)?;
        let gap = if self.main_line.moves.is_empty() { Gap::Word } else { Gap::Round };
        writer.add(self.result.word(), gap);
        let tags = self.write_tags(notation, usual)?;
        let gap = if tags.is_empty() { "" } else { "\n" };
        let text = format!("{tags}{gap}{}\n\n", writer.text);
        Ok(if notation == Notation::Sanmill { text.replace('\n', "\r\n") } else { text })
    }

    /// The parts of this game that a notation cannot express, in words such as `comments`.
    ///
    /// * `usual`: as for [`write_by`](Self::write_by).
    pub fn losses(&self, notation: Notation, usual: &RuleSet) -> Vec<&'static str> {
        let is_bare = !notation.is_commented();
        let AnnotatedMoves { comment, moves, .. } = &self.main_line;
        let has_comments = !comment.is_empty() || moves.iter().any(|mv| !mv.comment.is_empty());
        let losses = [
            ("tags", is_bare && !self.tags.is_empty()),
            ("rules", is_bare && self.needs_rules(usual)),
            ("comments", is_bare && has_comments),
            ("glyphs", is_bare && moves.iter().any(|mv| !mv.glyphs.is_empty())),
            ("variations", is_bare && moves.iter().any(|mv| !mv.variations.is_empty())),
            ("results", is_bare && self.result != GameResult::Unknown),
            ("properties", notation != Notation::Sgf && self.main_line.has_properties()),
        ];
        losses.into_iter().filter(|(_, is_lost)| *is_lost).map(|(what, _)| what).collect()
    }

    /// Whether a reader could assume other rules if the record did not name them.
    pub(super) fn needs_rules(&self, usual: &RuleSet) -> bool {
        !self.rules.is_standard() || !usual.is_standard()
    }

    /// Writes a `position` command, or a line of actions, which must begin from the start position.
    fn write_line(&self, has_actions: bool) -> Result<String, Error> {
        if has_actions && self.start.is_some() {
            return Err(Error("the game does not begin from the start position".to_owned()));
        }
        Size::default().add(self.main_line.moves.len())?;
        self.history()?;
        if has_actions {
            return Ok(format!("{ACTIONS_WORD}{}\n", MoveLine(self.moves().map(action_of))));
        }
        let start = self.start.as_ref().map(|text| format!("{FEN_WORD} {text}"));
        let start = start.as_deref().unwrap_or(START_WORD);
        let has_moves = !self.main_line.moves.is_empty();
        let word = if has_moves { format!(" {MOVES_WORD}") } else { String::new() };
        Ok(format!("{POSITION_WORD} {start}{word}{}\n", MoveLine(self.moves())))
    }

    /// Moves the tags that every archive expects to the front, in their usual order.
    #[cfg(feature = "api")]
    pub(crate) fn sort_tags(&mut self) {
        let place = |tag: &Tag| ROSTER.iter().position(|name| *name == tag.name);
        self.tags.sort_by_key(|tag| place(tag).unwrap_or(ROSTER.len()));
    }

    /// Checks that the tags can be read again.
    pub(super) fn check_tags(&self) -> Result<(), Error> {
        let mut names = HashSet::new();
        for Tag { name, value } in &self.tags {
            if !is_tag_name(name) || is_field(name) || !names.insert(name) {
                return Err(Error(format!("a tag cannot have the name '{}'", quote(name))));
            }
            if value.contains(['\n', '\r']) {
                return Err(Error(format!("the value of tag {name} has several lines")));
            }
        }
        Ok(())
    }

    /// The tags, one per line.
    fn write_tags(&self, notation: Notation, usual: &RuleSet) -> Result<String, Error> {
        self.check_tags()?;
        let last = self.tags.iter().rposition(|tag| ROSTER.contains(&tag.name.as_str()));
        let (roster, others) = self.tags.split_at(last.map_or(0, |at| at + 1));
        let own = |tag: &Tag| line(&tag.name, &tag.value);
        let is_full = notation == Notation::Sanmill;
        let mut text: String = roster.iter().map(own).collect();
        if is_full || !self.tags.is_empty() {
            text += &line(RESULT, self.result.word());
        }
        if is_full || self.needs_rules(usual) {
            text += &line(VARIANT, &self.rules.name());
        }
        text.extend(others.iter().map(own));
        if is_full {
            text += &line(PLY_COUNT, &self.history()?.turns().len().to_string());
        }
        if let Some(start) = &self.start {
            text.extend([line(SET_UP, "1"), line(FEN, start)]);
        }
        Ok(text)
    }
}

/// A line with a tag.
fn line(name: &str, value: &str) -> String {
    format!("[{name} \"{}\"]\n", value.replace('\\', "\\\\").replace('"', "\\\""))
}

/// The width at which lines are wrapped.
const WIDTH: usize = 80;

/// Writes words, either in columns with a line for each round, or wrapped.
struct Writer {
    notation: Notation,
    text: String,
    /// The width of the last line.
    column: usize,
    size: Size,
}

impl Writer {
    /// Adds a word after a gap.
    fn add(&mut self, word: &str, gap: Gap) {
        let has_rounds = self.notation == Notation::Sanmill;
        let length = word.split('\n').next().map_or(0, |line| line.chars().count());
        let separator = match gap {
            _ if self.column == 0 || gap == Gap::None || self.text.ends_with('(') => "",
            Gap::Round if has_rounds => "\n",
            Gap::Turn if has_rounds => "    ",
            _ if !has_rounds && self.column + 1 + length > WIDTH => "\n",
            _ => " ",
        };
        let added = [separator, word].concat();
        self.column = match added.rsplit_once('\n') {
            Some((_, last_line)) => last_line.chars().count(),
            None => self.column + added.chars().count(),
        };
        self.text += &added;
    }

    /// Adds the moves of the game (`depth` 0) or of a variation, given the position before them, the number of its
    /// round and the side that moved last.
    fn add_moves(
        &mut self,
        moves: &AnnotatedMoves,
        (mut now, mut round, mut last_side): (PositionText, u32, Option<Side>),
        depth: usize,
    ) -> Result<(), Error> {
        self.add_comment(&moves.comment);
        let mut last: Option<&AnnotatedMove> = None;
        for played in &moves.moves {
            self.size.add(1)?;
            let before = (now, round, last_side);
            let text = match self.notation {
                Notation::PlayOk => numbered_move(played.mv),
                _ => played.mv.to_string(),
            };
            if played.mv.is_removal() && last_side == Some(now.position.to_move()) {
                let is_glued = last.is_some_and(|last| !last.is_annotated());
                self.add(&text, if is_glued { Gap::None } else { Gap::Word });
            } else {
                let is_white = now.position.to_move() == Side::White;
                let begins_round = is_white || last_side != Some(Side::White);
                round += u32::from(begins_round);
                let has_words =
                    |mv: &AnnotatedMove| !mv.comment.is_empty() || !mv.variations.is_empty();
                if begins_round || last.is_none_or(has_words) {
                    let gap = if begins_round && depth == 0 { Gap::Round } else { Gap::Word };
                    let is_column = gap == Gap::Round && self.notation == Notation::Sanmill;
                    let width = if is_column { 2 } else { 0 };
                    // Black's turn has three dots.
                    let dots = if is_white { "." } else { "..." };
                    self.add(&format!("{round:>width$}{dots}"), gap);
                }
                self.add(&text, if depth == 0 { Gap::Turn } else { Gap::Word });
            }
            last_side = Some(now.position.to_move());
            play(&mut now, played.mv)?;
            played.glyphs.iter().for_each(|glyph| self.add(&format!("${glyph}"), Gap::Word));
            self.add_comment(&played.comment);
            for variation in &played.variations {
                self.size.add_variation(depth + 1)?;
                self.add("(", Gap::Word);
                self.add_moves(variation, before, depth + 1)?;
                self.add(")", Gap::None);
            }
            last = Some(played);
        }
        Ok(())
    }

    /// Adds a comment in braces or, if it contains a closing brace, in lines after semicolons.
    fn add_comment(&mut self, comment: &str) {
        let comment = with_plain_line_ends(comment.trim());
        if comment.is_empty() {
            return;
        }
        if comment.contains('}') {
            let lines = comment.split('\n').map(|line| format!("; {line}\n"));
            self.add(&lines.collect::<String>(), Gap::Word);
        } else {
            self.add(&format!("{{{comment}}}"), Gap::Word);
        }
    }
}

/// The gap before a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Gap {
    /// Before the number of a round.
    Round,
    /// Before a turn of the game.
    Turn,
    /// Before any other word.
    Word,
    /// No gap.
    None,
}
