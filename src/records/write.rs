//! Writing games.

use std::collections::HashSet;

use super::actions::{ACTIONS_WORD, action_of};
use super::error::WriteError;
use super::notation::{Notation, numbered_move};
use super::record::{
    AnnotatedMove, AnnotatedMoves, FEN, GameRecord, GameResult, MAX_DEPTH, PLY_COUNT, RESULT,
    SET_UP, Size, Tag, VARIANT, is_field, is_tag_name, play, with_plain_line_ends,
};
use crate::board::Side;
use crate::position::{
    FEN_WORD, MOVES_WORD, Move, MoveLine, POSITION_WORD, Position, START_WORD, Turn,
};
use crate::rules::RuleSet;

/// The tags before the result, as in Portable Game Notation.
const ROSTER: [&str; 6] = ["Event", "Site", "Date", "Round", "White", "Black"];

impl GameRecord {
    /// Writes the game in a notation.
    ///
    /// Except in `uci`, the text ends with an empty line, so that other games may follow.
    ///
    /// # Errors
    ///
    /// If the start, a move or a tag could not be read again.
    pub fn write(&self, notation: Notation) -> Result<String, WriteError> {
        self.write_by(notation, &RuleSet::NINE_MENS_MORRIS)
    }

    /// Writes the game for readers whose default rules, without a `Variant` tag, are Nine Men's Morris or
    /// `usual`.
    ///
    /// # Errors
    ///
    /// As for [`write`](Self::write).
    pub fn write_by(&self, notation: Notation, usual: &RuleSet) -> Result<String, WriteError> {
        let layout = match notation {
            Notation::Sanmill => Layout::Rounds,
            Notation::PlayOk | Notation::Wmd => Layout::Filled,
            Notation::Sgf => return self.write_tree(usual),
            Notation::Uci => return self.write_position(),
            Notation::Actions => return self.write_actions(),
        };
        let pieces = self.pieces(notation)?;
        let mut text = self.write_tags(notation, usual)?;
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&layout.set(&pieces));
        text.push_str("\n\n");
        Ok(if notation == Notation::Sanmill { text.replace('\n', "\r\n") } else { text })
    }

    /// What a notation cannot express of this game, in words such as `comments`.
    ///
    /// * `usual`: as for [`write_by`](Self::write_by).
    #[must_use]
    pub fn losses(&self, notation: Notation, usual: &RuleSet) -> Vec<&'static str> {
        let properties = ("properties", self.main_line.has_properties());
        if Notation::COMMENTED.contains(&notation) {
            let is_lost = properties.1 && notation != Notation::Sgf;
            return is_lost.then_some(properties.0).into_iter().collect();
        }
        let AnnotatedMoves { comment, moves, .. } = &self.main_line;
        let has_comments = !comment.is_empty() || moves.iter().any(|mv| !mv.comment.is_empty());
        let losses = [
            ("tags", !self.tags.is_empty()),
            ("rules", self.needs_rules(usual)),
            ("comments", has_comments),
            ("glyphs", moves.iter().any(|mv| !mv.glyphs.is_empty())),
            ("variations", moves.iter().any(|mv| !mv.variations.is_empty())),
            ("results", self.result != GameResult::Unknown),
            properties,
        ];
        losses.into_iter().filter(|(_, is_lost)| *is_lost).map(|(what, _)| what).collect()
    }

    /// Whether some reader would take the game for another if it did not name its rules.
    pub(super) fn needs_rules(&self, usual: &RuleSet) -> bool {
        !self.rules.is_standard() || !usual.is_standard()
    }

    /// The words of the game, including its result.
    fn pieces(&self, notation: Notation) -> Result<Vec<Piece>, WriteError> {
        let mut writer = Writer { notation, pieces: Vec::new(), size: Size::default() };
        let start = MoveContext { position: self.start_position()?, round: 0, last: None };
        writer.add_moves(&self.main_line, start, 0)?;
        let gap = if self.main_line.moves.is_empty() { Gap::Word } else { Gap::Round };
        writer.add(self.result.word(), gap);
        Ok(writer.pieces)
    }

    fn write_position(&self) -> Result<String, WriteError> {
        Size::default().add(self.main_line.moves.len())?;
        self.history()?;
        let start = match &self.start {
            Some(text) => format!("{FEN_WORD} {text}"),
            None => START_WORD.to_owned(),
        };
        let moves: Vec<_> = self.moves().collect();
        let moves = match moves.as_slice() {
            [] => String::new(),
            moves => format!(" {MOVES_WORD}{}", MoveLine(moves)),
        };
        Ok(format!("{POSITION_WORD} {start}{moves}\n"))
    }

    /// The actions from the start position, from which alone they make sense.
    fn write_actions(&self) -> Result<String, WriteError> {
        if self.start.is_some() {
            return Err(WriteError::Start);
        }
        Size::default().add(self.main_line.moves.len())?;
        self.history()?;
        let actions = self.moves().map(|mv| format!(" {}", action_of(mv)));
        Ok(format!("{ACTIONS_WORD}{}\n", actions.collect::<String>()))
    }

    /// Checks that the tags can be read again.
    pub(super) fn check_tags(&self) -> Result<(), WriteError> {
        let mut names = HashSet::new();
        for Tag { name, value } in &self.tags {
            if !is_tag_name(name) || is_field(name) || !names.insert(name) {
                return Err(WriteError::TagName(name.clone()));
            }
            if value.contains(['\n', '\r']) {
                return Err(WriteError::TagValue(name.clone()));
            }
        }
        Ok(())
    }

    /// The tags, one per line.
    fn write_tags(&self, notation: Notation, usual: &RuleSet) -> Result<String, WriteError> {
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
        if is_full || self.needs_rules(usual) {
            text.push_str(&line(VARIANT, &self.rules.name()));
        }
        text.push_str(&own(others));
        if is_full {
            text.push_str(&line(PLY_COUNT, &self.history()?.turns().len().to_string()));
        }
        if let Some(start) = &self.start {
            text.push_str(&line(SET_UP, "1"));
            text.push_str(&line(FEN, start));
        }
        Ok(text)
    }
}

/// A line with a tag.
fn line(name: &str, value: &str) -> String {
    format!("[{name} \"{}\"]\n", value.replace('\\', "\\\\").replace('"', "\\\""))
}

/// The context of a move: the position before it, the round and the side that moved last.
#[derive(Clone, Copy)]
struct MoveContext {
    position: Position<RuleSet>,
    round: u32,
    last: Option<Side>,
}

impl MoveContext {
    /// Whether a move continues the turn of the previous one.
    fn continues_turn(&self, mv: Move) -> bool {
        Turn::is_continued(self.last, (self.position.to_move(), mv))
    }

    /// Starts a turn of the side to move. Returns whether it begins a round.
    fn start_turn(&mut self) -> bool {
        let side = self.position.to_move();
        let goes_on = side == Side::Black && self.last == Some(Side::White);
        self.round += u32::from(!goes_on);
        !goes_on
    }
}

struct Writer {
    notation: Notation,
    pieces: Vec<Piece>,
    size: Size,
}

impl Writer {
    fn add(&mut self, text: impl Into<String>, gap: Gap) {
        self.pieces.push(Piece { text: text.into(), gap });
    }

    /// Adds the moves of the game (`depth` 0) or of a variation.
    fn add_moves(
        &mut self,
        moves: &AnnotatedMoves,
        mut context: MoveContext,
        depth: usize,
    ) -> Result<(), WriteError> {
        self.add_comment(&moves.comment);
        let mut last: Option<&AnnotatedMove> = None;
        for played in &moves.moves {
            self.size.add(1)?;
            let before = context;
            let text = self.text(played.mv);
            if context.continues_turn(played.mv) {
                let is_glued = last.is_some_and(|last| !last.is_annotated());
                self.add(text, if is_glued { Gap::None } else { Gap::Word });
            } else {
                let begins_round = context.start_turn();
                if begins_round || last.is_none_or(is_followed_by_words) {
                    self.add_number(&context, begins_round && depth == 0);
                }
                self.add(text, if depth == 0 { Gap::Turn } else { Gap::Word });
            }
            context.last = Some(context.position.to_move());
            play(&mut context.position, played.mv)?;
            played.glyphs.iter().for_each(|glyph| self.add(format!("${glyph}"), Gap::Word));
            self.add_comment(&played.comment);
            for variation in &played.variations {
                self.add_variation(variation, before, depth + 1)?;
            }
            last = Some(played);
        }
        Ok(())
    }

    /// Adds the number of a round, with three dots for Black's turn.
    fn add_number(&mut self, context: &MoveContext, is_main_round: bool) {
        let is_white = context.position.to_move() == Side::White;
        let dots = if is_white { "." } else { "..." };
        let is_column = is_main_round && self.notation == Notation::Sanmill;
        let width = if is_column { 2 } else { 0 };
        let gap = if is_main_round { Gap::Round } else { Gap::Word };
        self.add(format!("{:>width$}{dots}", context.round), gap);
    }

    fn add_variation(
        &mut self,
        moves: &AnnotatedMoves,
        context: MoveContext,
        depth: usize,
    ) -> Result<(), WriteError> {
        if depth > MAX_DEPTH {
            return Err(WriteError::TooDeep { limit: MAX_DEPTH });
        }
        self.size.add(1)?;
        self.add("(", Gap::Word);
        self.add_moves(moves, context, depth)?;
        self.add(")", Gap::None);
        Ok(())
    }

    /// Adds a comment in braces or, if it contains one, in lines after semicolons.
    fn add_comment(&mut self, comment: &str) {
        let comment = with_plain_line_ends(comment.trim());
        if comment.is_empty() {
            return;
        }
        if comment.contains('}') {
            let lines = comment.split('\n').map(|line| format!("; {line}\n"));
            self.add(lines.collect::<String>(), Gap::Word);
        } else {
            self.add(format!("{{{comment}}}"), Gap::Word);
        }
    }

    fn text(&self, mv: Move) -> String {
        match self.notation {
            Notation::PlayOk => numbered_move(mv),
            _ => mv.to_string(),
        }
    }
}

/// Whether the round number is repeated after a move because of its annotations.
fn is_followed_by_words(played: &AnnotatedMove) -> bool {
    !played.comment.is_empty() || !played.variations.is_empty()
}

/// A word of the move text and the gap before it.
struct Piece {
    text: String,
    gap: Gap,
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

/// The layout of words in lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Layout {
    /// A line for each round, in columns.
    Rounds,
    /// Filled lines.
    Filled,
}

/// The width of a filled line.
const WIDTH: usize = 80;

impl Layout {
    /// The text, without a final line end.
    fn set(self, pieces: &[Piece]) -> String {
        let mut text = String::new();
        let mut column = 0;
        for Piece { text: word, gap } in pieces {
            let length = word.split('\n').next().map_or(0, |line| line.chars().count());
            let separator = match (self, gap) {
                _ if column == 0 || *gap == Gap::None || text.ends_with('(') => "",
                (Self::Rounds, Gap::Round) => "\n",
                (Self::Rounds, Gap::Turn) => "    ",
                (Self::Filled, _) if column + 1 + length > WIDTH => "\n",
                _ => " ",
            };
            for part in [separator, word] {
                text.push_str(part);
                let last_line = part.rsplit_once('\n');
                column = last_line.map_or(column, |_| 0);
                column += last_line.map_or(part, |(_, last)| last).chars().count();
            }
        }
        text
    }
}
