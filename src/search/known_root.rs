//! A root whose moves the tablebase knows: what each is worth under the draw rules.
//!
//! The tablebase decides what must not be thrown away, the search how to win. Moves that give value away
//! are out. A won root needs no search: the shortest way is played. Among moves that draw, or that all
//! lose, a search chooses by the chances that an opponent who errs leaves.

use std::cell::RefCell;
use std::cmp::Reverse;
use std::fmt;

use super::observer::{Observer, Report, Variation};
use super::parameters::{CONTEMPT, HALF_OF_DRAW, MOST_OF_DRAW};
use super::tablebase::{is_up, read_patiently};
use super::worker::Root;
use crate::game::Game;
use crate::position::Move;
use crate::rules::Rules;
use crate::score::{Score, ScoreKind};
use crate::tablebase::{DrawRuleWdl, DrawValue, Tablebase, Value, Wdl};

/// What a move is worth to the side that plays it, under the draw rules of the game; better ones are
/// greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// It loses.
    Loss,
    /// It loses, but the n-move rule or a repetition comes first.
    BlessedLoss,
    /// It draws.
    Draw,
    /// It wins, but the n-move rule or a repetition comes first.
    CursedWin,
    /// It wins.
    Win,
}

impl Class {
    /// The class in one word, for programs.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Loss => "lost",
            Self::BlessedLoss => "blessed",
            Self::Draw => "drawn",
            Self::CursedWin => "cursed",
            Self::Win => "won",
        }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Loss => "lost",
            Self::BlessedLoss => "lost, but not within the draw rules",
            Self::Draw => "drawn",
            Self::CursedWin => "won, but not within the draw rules",
            Self::Win => "won",
        })
    }
}

/// A root move and what is known of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownMove {
    /// The move.
    pub mv: Move,
    /// What it is worth.
    pub class: Class,
    /// The turns of both sides to the end of the game by the tablebase; none for a draw, or where the
    /// tablebase has no distances.
    pub turns: Option<u16>,
    /// Where a draw comes to rest, if the tablebase has that.
    pub rest: Option<DrawValue>,
    /// Whether the draw rules cannot change the class, or have been asked only of the principal
    /// variation; none if they have not been asked.
    is_certain: Option<bool>,
    /// Whether the move ends the game at once by a draw.
    ends_game: bool,
    /// What a search chose by among equals: the estimate of the chances, for the side that plays the
    /// move. None if it was not searched, or not as one of the best.
    pub chances: Option<Score>,
}

impl KnownMove {
    /// A legal move as the tablebase alone knows it, without its distance; none if it does not.
    fn of<R: Rules>(tablebase: &Tablebase, game: &Game<R>, mv: Move) -> Option<Self> {
        let position = game.position();
        let class = match tablebase.probe_move::<Wdl, R>(position, mv)? {
            Wdl::Loss => Class::Loss,
            Wdl::Draw => Class::Draw,
            Wdl::Win => Class::Win,
        };
        Some(Self {
            mv,
            class,
            turns: None,
            rest: None,
            is_certain: None,
            ends_game: false,
            chances: None,
        })
    }

    /// Reads the distance to the end of a game that is not drawn, and where a draw comes to rest, if the
    /// tablebase has it.
    fn read_distance<R: Rules>(&mut self, tablebase: &Tablebase, game: &Game<R>) {
        if self.class == Class::Draw && self.rest.is_none() {
            self.rest = tablebase.probe_draw_move(game.position(), self.mv);
        }
        if self.class == Class::Draw || self.turns.is_some() {
            return;
        }
        let value = tablebase.probe_move::<Value, R>(game.position(), self.mv);
        self.turns = value.and_then(Value::turns).map(u16::from);
    }

    /// Takes the draw rules into account, if that has not been done.
    fn ask_draw_rules<R: Rules>(
        &mut self,
        tablebase: &Tablebase,
        game: &Game<R>,
        is_up: impl Fn() -> bool,
    ) {
        let mut after = game.clone();
        if self.is_certain.is_some() || after.play(self.mv).is_err() {
            return;
        }
        let Some(DrawRuleWdl { wdl, is_certain }) = tablebase.draw_rule_wdl(&after, is_up) else {
            return;
        };
        self.is_certain = Some(is_certain);
        self.class = match (self.class, wdl) {
            (Class::Win, Wdl::Draw) => Class::CursedWin,
            (Class::Loss, Wdl::Draw) => Class::BlessedLoss,
            (class, _) => class,
        };
        self.ends_game = wdl == Wdl::Draw && after.outcome().is_some();
        if self.class == Class::Draw && self.ends_game {
            self.chances = Some(Score::estimate(-CONTEMPT));
        }
    }

    /// The order of moves by what is known: the class, then the soonest win and the latest loss. A draw
    /// that ends the game at once is the best that a lost side can get, and the worst of other draws.
    fn rank(&self) -> (Class, bool, Value) {
        let value = self.turns.map_or(Value::DRAW, |turns| Value::ends_in(turns as u8));
        (self.class, self.ends_game == (self.class == Class::BlessedLoss), value)
    }

    /// The score for the side that plays the move: the truth, near 0 for a draw.
    ///
    /// A win or loss whose distance is not known, or that comes too late for the draw rules, has the
    /// score that a search found, if that is sure of the end.
    #[must_use]
    pub fn score(&self) -> Score {
        let is_sure =
            |found: &Score| *found >= Score::TABLEBASE_WIN || -*found >= Score::TABLEBASE_WIN;
        let found = self.chances.filter(is_sure);
        match (self.class, self.turns) {
            (Class::Draw, _) => self.chances.map_or(Score::DRAW, of_draw),
            (Class::CursedWin | Class::BlessedLoss, _) => found.unwrap_or(Score::DRAW),
            (Class::Win, Some(turns)) if self.is_certain == Some(true) => Score::mate_in(turns),
            (Class::Loss, Some(turns)) if self.is_certain == Some(true) => Score::mated_in(turns),
            (Class::Win, _) => found.unwrap_or(Score::CURSED_WIN),
            (Class::Loss, _) => found.unwrap_or(-Score::CURSED_WIN),
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
        write!(f, "{} {}", self.mv, self.class)?;
        if let Some(turns) = self.turns {
            write!(f, " in {turns} turns")?;
        }
        if let (Class::Draw, Some(rest)) = (self.class, self.rest) {
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

/// The moves of a root that the tablebase knows, the best first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownRoot {
    moves: Vec<KnownMove>,
}

impl KnownRoot {
    /// What the tablebase of the root knows of the moves to choose from, of which there is one.
    ///
    /// The value decides first, then the distance, which takes more to read: for one MultiPV line only of
    /// the moves that keep the value. The draw rules are asked of the same moves. Values that have to come
    /// from the disk are waited for until half of the time is up; without distances the value alone has
    /// to do.
    ///
    /// # Errors
    ///
    /// The moves that may be the best, if the value of one of them is not known.
    pub(super) fn of<R: Rules>(
        root: Root<'_, R>,
        moves: Vec<Move>,
        observer: &mut dyn Observer,
    ) -> Result<Self, Vec<Move>> {
        let Some(tablebase) = root.tablebase else { return Err(moves) };
        let observer = RefCell::new(observer);
        let read = |read: &mut dyn FnMut()| read_patiently(tablebase, root.limits, &observer, read);
        let is_up = || is_up(root.limits, &mut **observer.borrow_mut());
        let mut known = vec![None; moves.len()];
        read(&mut || {
            for (known, &mv) in known.iter_mut().zip(&moves).filter(|(known, _)| known.is_none()) {
                *known = KnownMove::of(tablebase, root.game, mv);
            }
        });
        let best = known.iter().flatten().map(|known| known.class).max();
        let Some(mut known) = known.iter().copied().collect::<Option<Vec<KnownMove>>>() else {
            let may_be_best = |known: &Option<KnownMove>| {
                known.is_none_or(|known| known.class > Class::Loss && Some(known.class) == best)
            };
            let moves = moves.into_iter().zip(&known).filter(|(_, known)| may_be_best(known));
            return Err(moves.map(|(mv, _)| mv).collect());
        };
        let is_asked = |known: &KnownMove| Some(known.class) == best || root.limits.multi_pv > 1;
        known.sort_by_key(|known| !is_asked(known));
        let asked = known.iter().filter(|known| is_asked(known)).count();
        read(&mut || {
            for known in &mut known[..asked] {
                if !is_up() {
                    known.read_distance(tablebase, root.game);
                }
            }
        });
        known.sort_by_key(|known| Reverse(known.rank()));
        read(&mut || {
            for known in &mut known[..asked] {
                if !is_up() {
                    known.ask_draw_rules(tablebase, root.game, is_up);
                }
            }
        });
        known.sort_by_key(|known| Reverse(known.rank()));
        Ok(Self { moves: known })
    }

    /// The moves to choose from, the best first: by class, then by the chances that a search found, the
    /// soonest win and the latest loss.
    #[must_use]
    pub fn moves(&self) -> &[KnownMove] {
        &self.moves
    }

    /// What the best of the moves is worth: the position, if all legal moves are to choose from.
    #[must_use]
    pub fn class(&self) -> Class {
        self.moves[0].class
    }

    /// How many of the moves keep what the position is worth.
    #[must_use]
    pub fn count_keeping(&self) -> usize {
        self.moves.iter().take_while(|known| known.class == self.class()).count()
    }

    /// What is known of a move.
    #[must_use]
    pub fn get(&self, mv: Move) -> Option<&KnownMove> {
        self.moves.iter().find(|known| known.mv == mv)
    }

    /// Whether the first move is the shortest way to win.
    pub(super) fn has_shortest_win(&self) -> bool {
        self.class() == Class::Win && self.moves[0].turns.is_some()
    }

    /// The moves that keep the value; those that end the game at once by a draw only if all do.
    pub(super) fn candidates(&self) -> &[KnownMove] {
        let first = self.moves[0];
        let is_equal =
            |known: &&KnownMove| (known.class, known.ends_game) == (first.class, first.ends_game);
        &self.moves[..self.moves.iter().take_while(is_equal).count()]
    }

    /// The score of a move for the side that plays it, given what a search found.
    pub(super) fn score(&self, mv: Option<&Move>, found: Score) -> Score {
        let known = mv.and_then(|&mv| self.get(mv));
        known.map_or(found, |&known| KnownMove { chances: Some(found), ..known }.score())
    }

    /// Takes the scores of a search for the chances of its moves, and gives it the truth instead.
    pub(super) fn take_chances(&mut self, report: &mut Report) {
        let best = (report.pv.first().copied(), report.score);
        let others = report.others.iter().map(|line| (line.pv.first().copied(), line.score));
        let found: Vec<(Option<Move>, Score)> = [best].into_iter().chain(others).collect();
        for &(mv, score) in found.iter().rev() {
            if let Some(at) = self.moves.iter().position(|known| Some(known.mv) == mv) {
                self.moves[at].chances = Some(score);
                self.moves[..=at].rotate_right(1);
            }
        }
        report.score = self.score(report.pv.first(), report.score);
        for Variation { score, pv, .. } in &mut report.others {
            *score = self.score(pv.first(), *score);
        }
    }
}

impl fmt::Display for KnownRoot {
    /// Writes what the position is worth and how many moves keep that, such as `drawn, 4 of 20 moves
    /// hold`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {} of {} moves hold", self.class(), self.count_keeping(), self.moves.len())
    }
}
