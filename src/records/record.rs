//! A game record: tags, moves with comments and variations, and the result.

use std::borrow::Cow;

use super::sgf;
use crate::Error;
use crate::board::Side;
use crate::game::{Game, History, Outcome, illegal};
use crate::position::{Move, Position, PositionText};
use crate::rules::{DrawRules, RuleSet};

/// The record of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameRecord {
    /// The tags in order, without the ones that other fields represent: `Result`, `Variant`, `PlyCount`,
    /// `SetUp` and `FEN`.
    pub tags: Vec<Tag>,
    /// The rules of the game.
    pub rules: RuleSet,
    /// The position text of the start, if it is not the start position.
    pub start: Option<String>,
    /// The moves of the game.
    pub main_line: AnnotatedMoves,
    /// The result stated in the record.
    pub result: GameResult,
}

/// A tag, such as `White` with the value `Erika`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tag {
    /// The name: one word without double quotes and brackets.
    pub name: String,
    /// The value: one line.
    pub value: String,
}

/// The moves of a game or of a variation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AnnotatedMoves {
    /// The comment before the first move, possibly of several lines, trimmed.
    pub comment: String,
    /// The moves with their annotations.
    pub moves: Vec<AnnotatedMove>,
    /// SGF properties of the game, or of the start of a variation, that no other field represents.
    pub properties: Vec<Property>,
}

/// A move with its annotations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnnotatedMove {
    /// The move.
    pub mv: Move,
    /// The comment after the move, possibly of several lines, trimmed.
    pub comment: String,
    /// Numeric annotation glyphs, such as 1 for `!` and 4 for `??`.
    pub glyphs: Vec<u8>,
    /// The alternatives to the move.
    pub variations: Vec<AnnotatedMoves>,
    /// SGF properties of the move that no other field represents, such as marks on the board.
    pub properties: Vec<Property>,
}

/// An SGF property that other notations lack, kept as read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    name: String,
    values: Vec<String>,
}

impl Property {
    /// Creates a property. Returns `None` if the name or a value is not valid in SGF, or if other fields of the
    /// record represent the property, as they do comments and moves.
    ///
    /// * `values`: the texts between brackets, with their escapes; at least one.
    pub fn new(name: String, values: Vec<String>) -> Option<Self> {
        let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_uppercase());
        let is_property = is_name && !values.is_empty() && !sgf::is_understood(&name);
        (is_property && values.iter().all(|value| sgf::is_value(value)))
            .then_some(Self { name, values })
    }

    /// The name, in capitals.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The values with their escapes.
    pub fn values(&self) -> &[String] {
        &self.values
    }

    /// Adds the property to a list, where values of the same name are joined. Returns `None` if there are too many.
    pub(crate) fn add_to(self, others: &mut Vec<Self>) -> Option<()> {
        if let Some(other) = others.iter_mut().find(|other| other.name == self.name) {
            other.values.extend(self.values);
            return Some(());
        }
        (others.len() < MAX_PROPERTIES).then(|| others.push(self))
    }
}

/// The result of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, derive_more::Display)]
#[display("{}", self.word())]
pub enum GameResult {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
    /// `*`
    #[default]
    Unknown,
}

/// The maximum nesting depth of variations.
const MAX_DEPTH: usize = 50;

/// The maximum number of properties with different names at a move.
const MAX_PROPERTIES: usize = 1000;

/// The maximum number of moves and variations of a game, including nested ones.
const MAX_SIZE: usize = 1_000_000;

/// The number of moves and variations that have been read or written.
#[derive(Default)]
pub(super) struct Size(usize);

impl Size {
    /// Adds to the number, or fails if it becomes too large.
    pub(super) fn add(&mut self, more: usize) -> Result<(), Error> {
        self.0 += more;
        if self.0 <= MAX_SIZE {
            return Ok(());
        }
        Err(Error(format!("the game has more than {MAX_SIZE} moves and variations")))
    }

    /// Counts a variation at a nesting depth.
    pub(super) fn add_variation(&mut self, depth: usize) -> Result<(), Error> {
        if depth > MAX_DEPTH {
            return Err(Error(format!("variations are nested deeper than {MAX_DEPTH}")));
        }
        self.add(1)
    }
}

pub(super) const RESULT: &str = "Result";
pub(super) const VARIANT: &str = "Variant";
pub(super) const PLY_COUNT: &str = "PlyCount";
pub(super) const SET_UP: &str = "SetUp";
pub(super) const FEN: &str = "FEN";

/// Whether another field of the record represents a tag.
pub(crate) fn is_field(name: &str) -> bool {
    [RESULT, VARIANT, PLY_COUNT, SET_UP, FEN].contains(&name)
}

/// Whether a word can be the name of a tag.
pub(crate) fn is_tag_name(name: &str) -> bool {
    let is_allowed = |c: char| !c.is_whitespace() && !c.is_control() && !"\"[]".contains(c);
    !name.is_empty() && name.chars().all(is_allowed)
}

/// Appends lines to a comment.
pub(crate) fn add_comment(comment: &mut String, more: &str) {
    if !comment.is_empty() && !more.is_empty() {
        comment.push('\n');
    }
    comment.push_str(more);
}

/// Replaces all line ends by `\n`.
pub(super) fn with_plain_line_ends(text: &str) -> Cow<'_, str> {
    if text.contains('\r') {
        text.replace("\r\n", "\n").replace('\r', "\n").into()
    } else {
        text.into()
    }
}

impl GameRecord {
    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|tag| tag.name == name).map(|tag| tag.value.as_str())
    }

    /// Sets the value of a tag; a new tag is appended.
    pub fn set_tag(&mut self, name: &str, value: impl Into<String>) {
        let value = value.into();
        match self.tags.iter_mut().find(|tag| tag.name == name) {
            Some(tag) => tag.value = value,
            None => self.tags.push(Tag { name: name.to_owned(), value }),
        }
    }

    /// The moves of the game, without annotations and variations.
    pub fn moves(&self) -> impl ExactSizeIterator<Item = Move> + Clone + '_ {
        self.main_line.moves.iter().map(|played| played.mv)
    }

    /// The start position, and how its text says that the game has ended.
    pub(super) fn begin(&self) -> Result<PositionText, Error> {
        Ok(Game::begin(self.start.as_deref(), self.rules, DrawRules::OFF)?.text())
    }

    /// Sets and returns the start.
    pub(super) fn set_start(&mut self, text: &str) -> Result<PositionText, Error> {
        let start = PositionText::parse(text, self.rules)?;
        let is_usual = start == Position::start(self.rules).into();
        self.start = (!is_usual).then(|| start.to_string());
        Ok(start)
    }

    /// Replays the game, without draw rules if it continues after a draw by history.
    ///
    /// # Errors
    ///
    /// If the start or a move is illegal.
    pub fn history(&self) -> Result<History, Error> {
        History::replay(self.start.as_deref(), &self.rules, self.moves())
    }
}

impl From<&History> for GameRecord {
    /// A record of the moves, with the result by the rules.
    fn from(history: &History) -> Self {
        Self {
            tags: Vec::new(),
            rules: *history.rules(),
            start: history.start_text(),
            main_line: history.moves().collect(),
            result: history.game().outcome().into(),
        }
    }
}

/// Plays a move, regardless of draws by the moves before.
pub(super) fn play(now: &mut PositionText, mv: Move) -> Result<(), Error> {
    let PositionText { position, outcome } = now;
    if outcome.is_some() || !position.is_legal(mv) {
        return Err(illegal("move", mv, *outcome, &position.moves()));
    }
    *now = position.after(mv).into();
    Ok(())
}

impl AnnotatedMoves {
    /// The last comment: after the last move, or before the first if there are no moves.
    pub(super) fn end_comment(&mut self) -> &mut String {
        self.moves.last_mut().map_or(&mut self.comment, |last| &mut last.comment)
    }

    /// Whether the line or one of its variations has a property.
    pub(super) fn has_properties(&self) -> bool {
        let has_any = |it: &AnnotatedMove| {
            !it.properties.is_empty() || it.variations.iter().any(Self::has_properties)
        };
        !self.properties.is_empty() || self.moves.iter().any(has_any)
    }

    /// The properties of the last move, or of the start if there are no moves.
    pub(super) fn end_properties(&mut self) -> &mut Vec<Property> {
        self.moves.last_mut().map_or(&mut self.properties, |last| &mut last.properties)
    }
}

impl FromIterator<Move> for AnnotatedMoves {
    /// Moves without annotations.
    fn from_iter<I: IntoIterator<Item = Move>>(moves: I) -> Self {
        let moves = moves.into_iter().map(AnnotatedMove::from).collect();
        Self { moves, ..Self::default() }
    }
}

impl From<Move> for AnnotatedMove {
    /// The move without annotations.
    fn from(mv: Move) -> Self {
        let (comment, glyphs) = (String::new(), Vec::new());
        Self { mv, comment, glyphs, variations: Vec::new(), properties: Vec::new() }
    }
}

impl AnnotatedMove {
    /// Whether the move has a comment, a glyph or a variation.
    pub fn is_annotated(&self) -> bool {
        !self.comment.is_empty() || !self.glyphs.is_empty() || !self.variations.is_empty()
    }
}

/// Alternative spellings of a draw.
const DRAWS: [&str; 3] = ["1/2", "½-½", "½"];

impl GameResult {
    /// All results.
    pub const ALL: [Self; 4] = [Self::WhiteWins, Self::BlackWins, Self::Draw, Self::Unknown];

    /// The word for the result in records.
    pub const fn word(self) -> &'static str {
        ["1-0", "0-1", "1/2-1/2", "*"][self as usize]
    }

    /// Parses a result.
    pub fn from_word(word: &str) -> Option<Self> {
        let other = DRAWS.contains(&word).then_some(Self::Draw);
        other.or_else(|| Self::ALL.into_iter().find(|result| result.word() == word))
    }

    /// A win for a side.
    pub const fn won_by(winner: Side) -> Self {
        [Self::WhiteWins, Self::BlackWins][winner as usize]
    }
}

impl From<Option<Outcome>> for GameResult {
    /// Converts an outcome; `None` becomes [`GameResult::Unknown`].
    fn from(outcome: Option<Outcome>) -> Self {
        match outcome {
            Some(Outcome::Win { winner, .. }) => Self::won_by(winner),
            Some(Outcome::Draw(_)) => Self::Draw,
            None => Self::Unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_read_as_they_are_written() {
        for result in GameResult::ALL {
            assert_eq!(GameResult::from_word(result.word()), Some(result));
        }
        assert_eq!(DRAWS.map(GameResult::from_word), [Some(GameResult::Draw); 3]);
    }
}
