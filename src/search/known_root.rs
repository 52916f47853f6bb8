//! Roots whose moves the tablebase knows: probing them, their worth under the draw rules, and
//! variations that need no search.
//!
//! The tablebase decides which moves keep the value of the root; all others are excluded. A won
//! root needs no search: the shortest win is played. Among moves that all draw or all lose, a
//! search chooses by the chances that they offer against an opponent who makes mistakes.

use std::cell::RefCell;
use std::cmp::Reverse;
use std::fmt;

use super::limits::Limits;
use super::parameters::{CONTEMPT, FIRST_SEARCHED, HALF_OF_DRAW, MOST_OF_DRAW, MOST_SEARCHED};
use super::report::{Observer, Variation};
use super::worker::Root;
use crate::game::Game;
use crate::position::Move;
use crate::rules::Rules;
use crate::score::{Bound, Score, ScoreKind};
use crate::tablebase::{DrawRuleWdl, RankedMove, Tablebase, Value, Wdl};

#[cfg(feature = "serde")]
use serde::ser::{Serialize, SerializeStruct, Serializer};

/// What a move is worth to the side that plays it, under the draw rules of the game. Better classes are greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "lowercase"))]
pub enum Class {
    /// The move loses.
    Lost,
    /// The move loses, but in best play the draw rules come first, or may come first.
    Blessed,
    /// The move draws.
    Drawn,
    /// The move wins, but in best play the draw rules come first, or may come first.
    Cursed,
    /// The move wins.
    Won,
}

impl Class {
    /// The class in a word, ignoring the draw rules.
    const fn word(self) -> &'static str {
        match self {
            Self::Lost | Self::Blessed => "lost",
            Self::Drawn => "drawn",
            Self::Cursed | Self::Won => "won",
        }
    }

    /// The result, or `None` if it depends on the draw rules.
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

/// A root move and what is known about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownMove {
    /// What the tablebase knows about the move.
    pub ranked: RankedMove,
    /// What the move is worth.
    pub class: Class,
    /// What the game after the move is worth under the draw rules, if they have been checked.
    under_draw_rules: Option<DrawRuleWdl>,
    /// Whether the move ends the game at once in a draw.
    ends_game: bool,
    /// The estimated chances of the side that plays the move, by which a search chose among equal
    /// moves. `None` if the move was not searched, or not as one of the best.
    pub chances: Option<Score>,
}

impl KnownMove {
    /// A move that has not been checked against the draw rules.
    pub(super) fn new(ranked: RankedMove) -> Self {
        Self {
            ranked,
            class: ranked.wdl.into(),
            under_draw_rules: None,
            ends_game: false,
            chances: None,
        }
    }

    /// Whether the class is certain under the draw rules, whatever is played.
    pub(super) fn is_certain(&self) -> bool {
        self.under_draw_rules.is_some_and(|known| known.is_certain)
    }

    /// The turns of both sides to the end of the game by the tablebase, or `None` for a draw, if
    /// they are not known, or if the draw rules certainly change them.
    pub fn turns(&self) -> Option<u16> {
        let may_hold = |known: DrawRuleWdl| known.keeps_distance || !known.is_certain;
        let are_known = !self.ends_game && self.under_draw_rules.is_none_or(may_hold);
        self.ranked.turns().filter(|_| are_known)
    }

    /// The class under the draw rules: cursed or blessed if they may or may not draw the game.
    pub fn worth(&self) -> Class {
        match (self.class, self.is_certain()) {
            (Class::Drawn, _) | (Class::Cursed | Class::Blessed, true) => Class::Drawn,
            (Class::Cursed | Class::Won, false) => Class::Cursed,
            (Class::Blessed | Class::Lost, false) => Class::Blessed,
            (class, true) => class,
        }
    }

    /// A remark on what the draw rules do, or may do, to a decided game.
    fn condition(&self) -> &'static str {
        match (self.worth(), self.class) {
            (Class::Cursed | Class::Blessed, _) => ", but perhaps not within the draw rules",
            (Class::Drawn, Class::Cursed | Class::Blessed) => ", but not within the draw rules",
            _ => "",
        }
    }

    /// The sort key of moves by what is known: the group, then the shortest win and the longest loss.
    pub(super) fn rank(&self) -> ((Class, bool, u8), Value) {
        (self.group(), self.ranked.value.unwrap_or(Value::DRAW))
    }

    /// The class, and within it whether the move is certain or may turn out better. An immediate
    /// draw ranks first if the side would lose, and last among draws otherwise.
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

    /// The score for the side that plays the move, as known: near 0 for a draw.
    ///
    /// A win or loss of unknown distance, or one that comes too late for the draw rules, takes the
    /// mate score that a search found, if any.
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

    /// Applies the draw rules, unless that has been done; `ask` gives the value of the game after the move.
    fn ask_draw_rules<R: Rules>(
        &mut self,
        game: &Game<R>,
        ask: impl FnOnce(&Game<R>) -> Option<DrawRuleWdl>,
    ) {
        let mut after = game.clone();
        if self.under_draw_rules.is_some() || after.play(self.ranked.mv).is_err() {
            return;
        }
        self.under_draw_rules = ask(&after);
        let Some(DrawRuleWdl { wdl, .. }) = self.under_draw_rules else { return };
        self.class = match (self.ranked.wdl, wdl) {
            (Wdl::Win, Wdl::Draw) => Class::Cursed,
            (Wdl::Loss, Wdl::Draw) => Class::Blessed,
            (of_tablebase, _) => of_tablebase.into(),
        };
        self.ends_game = wdl == Wdl::Draw && after.outcome().is_some();
        if self.class == Class::Drawn && self.ends_game {
            self.chances = Some(Score::estimate(-CONTEMPT));
        }
    }
}

/// The score of a draw with these chances: near 0, but increasing with them.
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
        if let Some(ScoreKind::Estimate(hundredths)) = self.chances.map(Score::kind) {
            write!(f, ", chances {:+.2}", f32::from(hundredths) / f32::from(Score::MAN))?;
        }
        Ok(())
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

/// The moves of a root that the tablebase knows, best first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownRoot {
    moves: Vec<KnownMove>,
}

impl KnownRoot {
    /// Ranks the moves to choose from, at least one, given in any order.
    pub(super) fn ranked(mut moves: Vec<KnownMove>) -> Self {
        moves.sort_by_key(|known| Reverse(known.rank()));
        Self { moves }
    }

    /// The moves to choose from, best first: by class, then by the chances that a search found, the
    /// shortest win and the longest loss.
    pub fn moves(&self) -> &[KnownMove] {
        &self.moves
    }

    /// What the best move is worth, and so the position, if the moves include all legal ones.
    pub fn class(&self) -> Class {
        self.moves[0].class
    }

    /// Whether a move keeps the value of the position under the draw rules.
    pub fn keeps(&self, known: &KnownMove) -> bool {
        known.worth() >= self.moves[0].worth()
    }

    /// The number of moves that keep the value of the position; moves not checked against the draw
    /// rules count by their class alone.
    pub fn count_keeping(&self) -> usize {
        self.moves.iter().filter(|known| self.is_counted(known)).count()
    }

    fn is_counted(&self, known: &KnownMove) -> bool {
        self.keeps(known) || known.under_draw_rules.is_none() && known.class == self.class()
    }

    /// Whether more moves than these may keep the value, as far as is known under the draw rules.
    pub fn may_keep_more(&self) -> bool {
        let unsure = [(Class::Won, Class::Cursed), (Class::Drawn, Class::Blessed)];
        let best = self.moves[0].worth();
        let may_keep = |known: &&KnownMove| unsure.contains(&(best, known.worth()));
        self.moves.iter().filter(may_keep).any(|known| !self.is_counted(known))
    }

    /// What is known about a move.
    pub fn get(&self, mv: Move) -> Option<&KnownMove> {
        self.moves.iter().find(|known| known.ranked.mv == mv)
    }

    /// The moves that keep the value as surely as the best one. Immediate draws are among them only
    /// if all of them are.
    pub(super) fn candidates(&self) -> &[KnownMove] {
        self.moves.chunk_by(|a, b| a.group() == b.group()).next().unwrap_or_default()
    }

    /// Gives a line that a search found the score of its first move. What the tablebase tells alone is exact.
    pub(super) fn rate(&self, line: &mut Variation) {
        let Some(&known) = line.pv.first().and_then(|&mv| self.get(mv)) else { return };
        let score_with = |chances| KnownMove { chances, ..known }.score();
        line.score = score_with(Some(line.score));
        if known.class != Class::Drawn && line.score == score_with(None) {
            line.bound = Bound::Exact;
        }
    }

    /// Records the score that a search found for each MultiPV line, best first, as the chances of
    /// its move, and gives the line the score of the move.
    pub(super) fn record_search_scores(&mut self, lines: &mut [Variation]) {
        for line in lines.iter().rev() {
            let begins = |known: &KnownMove| Some(&known.ranked.mv) == line.pv.first();
            if let Some(at) = self.moves.iter().position(begins) {
                self.moves[at].chances = Some(line.score);
                self.moves[..=at].rotate_right(1);
            }
        }
        for line in lines {
            self.rate(line);
        }
    }
}

impl fmt::Display for KnownRoot {
    /// Writes the value of the position and how many moves keep it, such as `drawn, 4 of 20 moves hold`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (worth, condition) = (self.class().word(), self.moves[0].condition());
        let (keeping, all) = (self.count_keeping(), self.moves.len());
        write!(f, "{worth}{condition}, {keeping} of {all} moves hold")
    }
}

/// Probes the moves to choose from, at least one, in the tablebase of the root. Returns the moves from which a search
/// has to choose, in their given order, none if the tablebase knows them all; and the other known moves, best first.
///
/// Reads values first, then distances, which are slower: with one MultiPV line only for moves that
/// keep the value, unless all are wanted. Checks the same moves against the draw rules. Waits for
/// pages on disk until half of the time is up; without distances, moves are ranked by value alone.
pub(super) fn probe_root<R: Rules>(
    root: Root<'_, R>,
    moves: Vec<Move>,
    observer: &mut dyn Observer,
) -> (Vec<Move>, Vec<KnownMove>) {
    let Some(tablebase) = root.tablebase else {
        return (moves, Vec::new());
    };
    let position = root.game.position();
    let observer = RefCell::new(observer);
    let read = |read: &mut dyn FnMut()| read_patiently(tablebase, root.limits, &observer, read);
    let is_up = || is_up(root.limits, &mut **observer.borrow_mut());
    let mut probed = vec![None; moves.len()];
    read(&mut || {
        for (known, &mv) in probed.iter_mut().zip(&moves).filter(|(known, _)| known.is_none()) {
            *known = RankedMove::probe(tablebase, position, mv).map(KnownMove::new);
        }
    });
    let mut known: Vec<KnownMove> = probed.into_iter().flatten().collect();
    let knows_all = known.len() == moves.len();
    let are_all_asked = root.limits.asks_for_all();
    let best = known.iter().map(|known| known.class).max();
    // An unknown move may be better than anything but a win.
    let is_best = |known: &&mut KnownMove| {
        Some(known.class) == best && (knows_all || known.class == Class::Won)
    };
    let is_asked = |known: &&mut KnownMove| are_all_asked || is_best(known);
    read(&mut || {
        for known in known.iter_mut().filter(is_asked).take_while(|_| !is_up()) {
            known.ranked.read_distance(tablebase, position);
        }
    });
    let mut asked: Vec<&mut KnownMove> = known.iter_mut().filter(is_asked).collect();
    asked.sort_by_key(|known| Reverse(known.rank()));
    let is_won = |known: &KnownMove| known.worth() == Class::Won;
    let ask = |asked: &mut [&mut KnownMove], ask: &dyn Fn(&Game<R>) -> Option<DrawRuleWdl>| {
        read(&mut || {
            for index in 0..asked.len() {
                // A certain win is enough where only a move is wanted.
                if is_up() || !are_all_asked && asked.iter().any(|known| is_won(known)) {
                    break;
                }
                asked[index].ask_draw_rules(root.game, ask);
            }
        });
    };
    let is_half_up = || root.limits.clock.is_half_past() || is_up();
    let search =
        |game: &Game<R>, mut most| tablebase.search_draw_rules(game, &mut most, &is_half_up);
    // A little for each move first: a single one may take all the time.
    ask(&mut asked, &|game| search(game, FIRST_SEARCHED));
    let open = asked.iter().filter(|known| known.under_draw_rules.is_none()).count();
    let share = MOST_SEARCHED / open.max(1) as u32;
    ask(&mut asked, &|game| search(game, share));
    ask(&mut asked, &|game| tablebase.draw_rule_wdl(game, is_up));
    for known in &mut asked {
        known.ask_draw_rules(root.game, |game| {
            let wdl = tablebase.certain_wdl(game)?;
            Some(DrawRuleWdl { wdl, is_certain: true, keeps_distance: true })
        });
    }
    if knows_all && are_all_asked && best == Some(Class::Drawn) {
        read(&mut || {
            let drawing = known.iter_mut().filter(|known| known.class == Class::Drawn);
            for KnownMove { ranked, .. } in drawing.take_while(|_| !is_up()) {
                let count = || tablebase.drawing_replies(position, ranked.mv);
                ranked.drawing_replies = ranked.drawing_replies.or_else(count);
            }
        });
    }
    // Where a win comes before the n-move rule, no unknown move can be better.
    let has_win = known.iter().any(is_won);
    let best = known.iter().map(|known| known.class).max();
    let is_searched = |mv: &Move| match known.iter().find(|known| known.ranked.mv == *mv) {
        _ if knows_all => false,
        Some(known) if has_win => !are_all_asked && is_won(known),
        Some(known) => known.class > Class::Lost && Some(known.class) == best,
        None => are_all_asked || !has_win,
    };
    let to_search: Vec<Move> = moves.into_iter().filter(is_searched).collect();
    known.retain(|known| !to_search.contains(&known.ranked.mv));
    known.sort_by_key(|known| Reverse(known.rank()));
    (to_search, known)
}

/// The MultiPV lines of known moves from the tablebase alone: the score, the move and, if one side
/// wins, best play after it.
///
/// Lines end early if time is up or a value is missing.
pub(super) fn known_lines<R: Rules>(
    root: Root<'_, R>,
    known: &[KnownMove],
    observer: &mut dyn Observer,
) -> Vec<Variation> {
    let Some(tablebase) = root.tablebase else { return Vec::new() };
    let observer = RefCell::new(observer);
    let line = |known: &KnownMove| {
        let is_enough =
            || known.class == Class::Drawn || is_up(root.limits, &mut **observer.borrow_mut());
        let (mut after, mut rest) = (root.game.clone(), None);
        if after.play(known.ranked.mv).is_ok() && after.outcome().is_none() {
            let read = || rest = tablebase.pv(&after, is_enough);
            read_patiently(tablebase, root.limits, &observer, read);
        }
        let rest = rest.into_iter().flat_map(|(rest, _)| rest);
        let pv = [known.ranked.mv].into_iter().chain(rest).collect();
        Variation { score: known.score(), pv, ..Variation::default() }
    };
    known.iter().take(root.limits.multi_pv.max(1)).map(line).collect()
}

/// Repeats a read until everything has come from disk, half of the time is up, or the observer stops the
/// search.
fn read_patiently(
    tablebase: &Tablebase,
    limits: &Limits,
    observer: &RefCell<&mut dyn Observer>,
    mut read: impl FnMut(),
) {
    let may_wait = || !limits.clock.is_half_past() && !observer.borrow_mut().should_stop(0);
    let mut pauses = 0;
    read();
    while tablebase.read_again(&mut pauses, may_wait) {
        read();
    }
}

/// Whether work that visits no nodes has to stop.
fn is_up(limits: &Limits, observer: &mut dyn Observer) -> bool {
    limits.clock.is_past_soft() || observer.should_stop(0)
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
