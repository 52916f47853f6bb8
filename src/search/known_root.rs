//! A root whose moves the tablebase knows: what each is worth under the draw rules.
//!
//! The tablebase decides what must not be thrown away, the search how to win. Moves that give value away
//! are out. A won root needs no search: the shortest way is played. Among moves that draw, or that all
//! lose, a search chooses by the chances that they leave to an opponent who makes mistakes.

use std::cmp::Reverse;
use std::fmt;

#[cfg(feature = "serde")]
use serde::ser::{Serialize, SerializeStruct, Serializer};

use super::observer::Variation;
use super::parameters::{HALF_OF_DRAW, MOST_OF_DRAW};
use crate::position::Move;
use crate::score::{Score, ScoreKind};
use crate::tablebase::{DrawRuleWdl, RankedMove, Value, Wdl};

/// What a move is worth to the side that plays it, under the draw rules of the game; better ones are
/// greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "lowercase"))]
pub enum Class {
    /// It loses.
    Lost,
    /// It loses, but the draw rules come first, in the line of best play, or may.
    Blessed,
    /// It draws.
    Drawn,
    /// It wins, but the draw rules come first, in the line of best play, or may.
    Cursed,
    /// It wins.
    Won,
}

impl Class {
    /// The class in a word, without the draw rules.
    const fn word(self) -> &'static str {
        match self {
            Self::Lost | Self::Blessed => "lost",
            Self::Drawn => "drawn",
            Self::Cursed | Self::Won => "won",
        }
    }

    /// The result, or `None` if the draw rules may change it or not.
    pub(crate) const fn wdl(self) -> Option<Wdl> {
        match self {
            Self::Lost => Some(Wdl::Loss),
            Self::Drawn => Some(Wdl::Draw),
            Self::Won => Some(Wdl::Win),
            Self::Blessed | Self::Cursed => None,
        }
    }
}

impl From<Wdl> for Class {
    /// The class by the tablebase alone.
    fn from(wdl: Wdl) -> Self {
        match wdl {
            Wdl::Loss => Self::Lost,
            Wdl::Draw => Self::Drawn,
            Wdl::Win => Self::Won,
        }
    }
}

/// A root move and what is known of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownMove {
    /// What the tablebase knows of it.
    pub ranked: RankedMove,
    /// What it is worth.
    pub class: Class,
    /// What the game after it is worth under the draw rules, if they have been asked.
    pub(super) under_draw_rules: Option<DrawRuleWdl>,
    /// Whether the move ends the game at once by a draw.
    pub(super) ends_game: bool,
    /// What a search chose by among equals: the estimate of the chances, for the side that plays the
    /// move. None if it was not searched, or not as one of the best.
    pub chances: Option<Score>,
}

impl KnownMove {
    /// A move of which the draw rules have not been asked.
    pub(super) fn new(ranked: RankedMove) -> Self {
        Self {
            ranked,
            class: ranked.wdl.into(),
            under_draw_rules: None,
            ends_game: false,
            chances: None,
        }
    }

    /// Whether the class holds whatever is played, within the draw rules.
    pub(super) fn is_certain(&self) -> bool {
        self.under_draw_rules.is_some_and(|known| known.is_certain)
    }

    /// The turns of both sides to the end of the game by the tablebase, or `None` for a draw, if they are not known,
    /// or where it is certain that the draw rules change them.
    pub fn turns(&self) -> Option<u16> {
        let may_hold = |known: DrawRuleWdl| known.keeps_distance || !known.is_certain;
        let are_known = !self.ends_game && self.under_draw_rules.is_none_or(may_hold);
        self.ranked.turns().filter(|_| are_known)
    }

    /// The class within the draw rules: cursed or blessed if they may draw it or not.
    pub fn worth(&self) -> Class {
        match (self.class, self.is_certain()) {
            (Class::Drawn, _) | (Class::Cursed | Class::Blessed, true) => Class::Drawn,
            (Class::Cursed | Class::Won, false) => Class::Cursed,
            (Class::Blessed | Class::Lost, false) => Class::Blessed,
            (class, true) => class,
        }
    }

    /// What the draw rules may do or do to a decided game.
    fn condition(&self) -> &'static str {
        match (self.worth(), self.class) {
            (Class::Cursed | Class::Blessed, _) => ", but perhaps not within the draw rules",
            (Class::Drawn, Class::Cursed | Class::Blessed) => ", but not within the draw rules",
            _ => "",
        }
    }

    /// The order of moves by what is known: the group, then the soonest win and the latest loss.
    pub(super) fn rank(&self) -> ((Class, bool, u8), Value) {
        (self.group(), self.ranked.value.unwrap_or(Value::DRAW))
    }

    /// The class, and in that what is certain to be good or may be better than that. A draw that ends the game at once
    /// is the best that a lost side can get, and the worst of other draws.
    fn group(&self) -> (Class, bool, u8) {
        let is_certain = self.is_certain();
        let sureness = match self.class {
            Class::Won => u8::from(is_certain) + u8::from(is_certain && self.turns().is_some()),
            Class::Blessed => u8::from(is_certain),
            Class::Drawn => 0,
            Class::Cursed => u8::from(!is_certain),
            Class::Lost if !is_certain => 2,
            Class::Lost => u8::from(self.turns().is_none()),
        };
        (self.class, self.ends_game == (self.class == Class::Blessed), sureness)
    }

    /// The score for the side that plays the move: the truth, near 0 for a draw.
    ///
    /// A win or loss whose distance is not known, or that comes too late for the draw rules, has the mate that a
    /// search found, if it did.
    pub fn score(&self) -> Score {
        let found = self.chances.filter(|found| found.is_mate());
        let unknown = if self.is_certain() { Score::TABLEBASE_WIN } else { Score::CURSED_WIN };
        match (self.class, self.turns().filter(|_| self.is_certain())) {
            (Class::Drawn, _) => self.chances.map_or(Score::DRAW, of_draw),
            (Class::Cursed, _) => found.unwrap_or(Score::DRAW),
            (Class::Blessed, _) => found.unwrap_or(Score::estimate(-MOST_OF_DRAW)),
            (Class::Won, Some(turns)) => Score::mate_in(turns),
            (Class::Lost, Some(turns)) => Score::mated_in(turns),
            (Class::Won, _) => found.unwrap_or(unknown),
            (Class::Lost, _) => found.unwrap_or(-unknown),
        }
    }
}

/// The score of a draw with some chances: near 0, and not the same for all.
fn of_draw(chances: Score) -> Score {
    let chances = i32::from(chances.hundredths());
    Score::estimate(MOST_OF_DRAW * chances / (chances.abs() + HALF_OF_DRAW))
}

impl fmt::Display for KnownMove {
    /// Writes the move, its class, the distance, where a draw comes to rest and the chances, such as
    /// `d6-f6 drawn, comes to rest in 8-9, chances +0.34`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.ranked.mv, self.class.word())?;
        if let Some(turns) = self.turns() {
            write!(f, " in {turns} {}", if turns == 1 { "turn" } else { "turns" })?;
        }
        f.write_str(self.condition())?;
        if let (Class::Drawn, Some(rest)) = (self.class, self.ranked.draw) {
            write!(f, ", {rest}")?;
        }
        match self.chances.map(Score::kind) {
            Some(ScoreKind::Estimate(hundredths)) => {
                write!(f, ", chances {:+.2}", f32::from(hundredths) / f32::from(Score::MAN))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(feature = "serde")]
impl Serialize for KnownMove {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { ranked, class, chances, .. } = self;
        let RankedMove { mv, draw: rest, drawing_replies, .. } = ranked;
        let estimate = chances.filter(|chances| chances.is_estimate());
        let mut fields = serializer.serialize_struct("KnownMove", 8)?;
        fields.serialize_field("move", mv)?;
        fields.serialize_field("worth", &self.worth())?;
        let words = class.word().to_owned() + self.condition();
        fields.serialize_field("class", &words)?;
        fields.serialize_field("turns", &self.turns())?;
        fields.serialize_field("rest", &rest.map(crate::tablebase::DrawValue::place))?;
        fields.serialize_field("rest_turns", &rest.and_then(|rest| rest.turns))?;
        fields.serialize_field("drawing_replies", drawing_replies)?;
        fields.serialize_field("chances", &estimate.map(Score::hundredths))?;
        fields.end()
    }
}

/// The moves of a root that the tablebase knows, the best first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownRoot {
    moves: Vec<KnownMove>,
}

impl KnownRoot {
    /// The moves to choose from, at least one, in any order.
    pub(super) fn ranked(mut moves: Vec<KnownMove>) -> Self {
        moves.sort_by_key(|known| Reverse(known.rank()));
        Self { moves }
    }

    /// The moves to choose from, the best first: by class, then by the chances that a search found, the
    /// soonest win and the latest loss.
    pub fn moves(&self) -> &[KnownMove] {
        &self.moves
    }

    /// What the best of the moves is worth: the position, if all legal moves are to choose from.
    pub fn class(&self) -> Class {
        self.moves[0].class
    }

    /// Whether a move keeps what the position is worth within the draw rules.
    pub fn keeps(&self, known: &KnownMove) -> bool {
        known.worth() >= self.moves[0].worth()
    }

    /// How many of the moves do, or do without the draw rules where these were not asked.
    pub fn count_keeping(&self) -> usize {
        self.moves.iter().filter(|known| self.is_counted(known)).count()
    }

    fn is_counted(&self, known: &KnownMove) -> bool {
        self.keeps(known) || known.under_draw_rules.is_none() && known.class == self.class()
    }

    /// Whether more of them may keep it, for all that is known within the draw rules.
    pub fn may_keep_more(&self) -> bool {
        let unsure = [(Class::Won, Class::Cursed), (Class::Drawn, Class::Blessed)];
        let best = self.moves[0].worth();
        let may_keep = |known: &&KnownMove| unsure.contains(&(best, known.worth()));
        self.moves.iter().filter(may_keep).any(|known| !self.is_counted(known))
    }

    /// What is known of a move.
    pub fn get(&self, mv: Move) -> Option<&KnownMove> {
        self.moves.iter().find(|known| known.ranked.mv == mv)
    }

    /// The moves that keep the value as surely as any; those that end the game at once by a draw only if all do.
    pub(crate) fn candidates(&self) -> &[KnownMove] {
        let best = self.moves[0].group();
        &self.moves[..self.moves.iter().take_while(|known| known.group() == best).count()]
    }

    /// The score of a move for the side that plays it, given what a search found.
    pub(super) fn score(&self, mv: Option<&Move>, found: Score) -> Score {
        let known = mv.and_then(|&mv| self.get(mv));
        known.map_or(found, |&known| KnownMove { chances: Some(found), ..known }.score())
    }

    /// Records what a search found of each MultiPV line, the best first, as the chances of its move, and
    /// replaces the score by that of the move.
    pub(super) fn record_search_scores(&mut self, lines: &mut [Variation]) {
        for line in lines.iter().rev() {
            let begins = |known: &KnownMove| Some(&known.ranked.mv) == line.pv.first();
            if let Some(at) = self.moves.iter().position(begins) {
                self.moves[at].chances = Some(line.score);
                self.moves[..=at].rotate_right(1);
            }
        }
        for line in lines {
            line.score = self.score(line.pv.first(), line.score);
        }
    }
}

impl fmt::Display for KnownRoot {
    /// Writes what the position is worth and how many moves keep that, such as `drawn, 4 of 20 moves
    /// hold`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (worth, condition) = (self.class().word(), self.moves[0].condition());
        let (keeping, all) = (self.count_keeping(), self.moves.len());
        write!(f, "{worth}{condition}, {keeping} of {all} moves hold")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_distance_stands_beside_the_worth() {
        let written = |class, wdl, value| {
            let mv = "d6-f6".parse().unwrap();
            let ranked = RankedMove { mv, wdl, value, draw: None, drawing_replies: None };
            let known =
                DrawRuleWdl { wdl, is_certain: class != Class::Cursed, keeps_distance: true };
            KnownMove { class, under_draw_rules: Some(known), ..KnownMove::new(ranked) }.to_string()
        };
        assert_eq!(written(Class::Drawn, Wdl::Draw, Some(Value::DRAW)), "d6-f6 drawn");
        let in_turns = |turns| Some(Value::ends_in(turns));
        assert_eq!(written(Class::Won, Wdl::Win, in_turns(1)), "d6-f6 won in 1 turn");
        let cursed = "d6-f6 won in 25 turns, but perhaps not within the draw rules";
        assert_eq!(written(Class::Cursed, Wdl::Win, in_turns(25)), cursed);
    }
    #[test]
    fn a_loss_that_may_be_none_comes_before_those_that_are_certain() {
        let lost = |mv: &str, value, is_certain: bool| {
            let (mv, wdl) = (mv.parse().unwrap(), Wdl::Loss);
            let ranked = RankedMove { mv, wdl, value, draw: None, drawing_replies: None };
            let asked = DrawRuleWdl { wdl, is_certain, keeps_distance: true };
            KnownMove { under_draw_rules: is_certain.then_some(asked), ..KnownMove::new(ranked) }
        };
        for value in [None, Some(Value::ends_in(8))] {
            let root = KnownRoot::ranked(vec![lost("d6", value, true), lost("f4", value, false)]);
            let worths: Vec<Class> = root.moves().iter().map(KnownMove::worth).collect();
            assert_eq!(worths, [Class::Blessed, Class::Lost]);
        }
    }
}
