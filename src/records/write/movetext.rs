//! The words of a game: numbers, turns, comments and variations.

use super::layout::{Gap, Piece};
use crate::board::Side;
use crate::position::{Move, Position, Turn};
use crate::records::read::MAX_DEPTH;
use crate::records::replay::play;
use crate::records::tokens::with_plain_line_ends;
use crate::records::{Line, Notation, Ply, Record, WriteError, playok};
use crate::rules::RuleSet;

impl Record {
    /// The words of the game, its result at the end.
    pub(super) fn pieces(&self, notation: Notation) -> Result<Vec<Piece>, WriteError> {
        let mut writer = Writer { notation, pieces: Vec::new() };
        let start = Place { position: self.start_position()?, round: 0, last: None };
        writer.add_line(&self.line, start, 0)?;
        let gap = if self.line.plies.is_empty() { Gap::Word } else { Gap::Round };
        writer.add(self.result.word(), gap);
        Ok(writer.pieces)
    }
}

/// Where a move stands: the position before it, the round, and who moved last.
#[derive(Clone, Copy)]
struct Place {
    position: Position<RuleSet>,
    round: u32,
    last: Option<Side>,
}

impl Place {
    /// Whether a move goes on with the turn of the one before.
    fn continues_turn(&self, mv: Move) -> bool {
        Turn::is_continued(self.last, (self.position.to_move(), mv))
    }

    /// Starts a turn of the side to move; whether a round begins with it.
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
}

impl Writer {
    fn add(&mut self, text: impl Into<String>, gap: Gap) {
        self.pieces.push(Piece { text: text.into(), gap });
    }

    /// Adds the moves of a line that lies so deep in variations.
    fn add_line(&mut self, line: &Line, mut place: Place, depth: usize) -> Result<(), WriteError> {
        self.add_comment(&line.comment);
        let mut last: Option<&Ply> = None;
        for ply in &line.plies {
            let before = place;
            let text = self.text(ply.mv);
            if place.continues_turn(ply.mv) {
                let is_glued = last.is_some_and(|last| !last.is_annotated());
                self.add(text, if is_glued { Gap::None } else { Gap::Word });
            } else {
                let begins_round = place.start_turn();
                if begins_round || last.is_none_or(is_followed_by_words) {
                    self.add_number(&place, begins_round && depth == 0);
                }
                self.add(text, if depth == 0 { Gap::Turn } else { Gap::Word });
            }
            place.last = Some(place.position.to_move());
            play(&mut place.position, ply.mv)?;
            ply.glyphs.iter().for_each(|glyph| self.add(format!("${glyph}"), Gap::Word));
            self.add_comment(&ply.comment);
            for variation in &ply.variations {
                self.add_variation(variation, before, depth + 1)?;
            }
            last = Some(ply);
        }
        Ok(())
    }

    /// Adds the number of a round, with three dots before Black's turn.
    fn add_number(&mut self, place: &Place, is_main_round: bool) {
        let is_white = place.position.to_move() == Side::White;
        let dots = if is_white { "." } else { "..." };
        let is_column = is_main_round && self.notation == Notation::Sanmill;
        let width = if is_column { 2 } else { 0 };
        let gap = if is_main_round { Gap::Round } else { Gap::Word };
        self.add(format!("{:>width$}{dots}", place.round), gap);
    }

    fn add_variation(&mut self, line: &Line, place: Place, depth: usize) -> Result<(), WriteError> {
        if depth > MAX_DEPTH {
            return Err(WriteError::TooDeep { limit: MAX_DEPTH });
        }
        self.add("(", Gap::Word);
        self.add_line(line, place, depth)?;
        self.add(")", Gap::None);
        Ok(())
    }

    /// Adds a comment in braces or, if it has one of its own, in lines after semicolons.
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
            Notation::PlayOk => playok::write_move(mv),
            _ => mv.to_string(),
        }
    }
}

/// Whether so much is said about a move that the number of its round is repeated after it.
fn is_followed_by_words(ply: &Ply) -> bool {
    !ply.comment.is_empty() || !ply.variations.is_empty()
}
