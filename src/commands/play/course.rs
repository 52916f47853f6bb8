//! The course of a game: what was played, taken back, and how it ended.

use std::iter;
use std::mem;

use millstone::any_game::{self, AnyGame};
use millstone::board::Side;
use millstone::game::IllegalMove;
use millstone::position::{Move, TextError, Turn};
use millstone::rules::{DrawRules, RuleSet};

use super::verdict::Verdict;

/// A game with its history.
pub struct Course {
    /// The position text that it started from, if it was not the start position.
    start: Option<String>,
    /// The game before the first move.
    fresh: Box<dyn AnyGame>,
    /// The game as it stands.
    game: Box<dyn AnyGame>,
    played: Vec<(Side, Move)>,
    /// Turns taken back, the last one first to come again.
    undone: Vec<Vec<Move>>,
    /// How people, and not the rules, ended the game.
    declared: Option<Verdict>,
}

impl Course {
    /// A new game.
    pub fn start(rules: &RuleSet, draws: DrawRules) -> Self {
        Self::of(None, any_game::start(rules, draws))
    }

    /// A game that goes on from a position text.
    pub fn from_text(text: &str, rules: &RuleSet, draws: DrawRules) -> Result<Self, TextError> {
        let game = any_game::from_text(text, rules, draws)?;
        Ok(Self::of(Some(game.text()), game))
    }

    fn of(start: Option<String>, game: Box<dyn AnyGame>) -> Self {
        let (played, undone) = (Vec::new(), Vec::new());
        Self { start, fresh: game.copy(), game, played, undone, declared: None }
    }

    /// The rules of the game.
    pub fn rules(&self) -> &RuleSet {
        self.game.rules()
    }

    /// The position text that the game started from, if it was not the start position.
    pub fn start_text(&self) -> Option<&str> {
        self.start.as_deref()
    }

    /// The game as it stands.
    pub fn game(&self) -> &dyn AnyGame {
        &*self.game
    }

    /// All moves with the sides that played them.
    pub fn played(&self) -> &[(Side, Move)] {
        &self.played
    }

    /// The moves of the last turn.
    pub fn last_turn(&self) -> &[(Side, Move)] {
        self.turns_backwards().next().unwrap_or_default()
    }

    /// The moves of each turn, the last turn first.
    pub fn turns_backwards(&self) -> impl Iterator<Item = &[(Side, Move)]> {
        let mut end = self.played.len();
        iter::from_fn(move || {
            let start = (0..end).rfind(|&index| self.begins_turn(index))?;
            Some(&self.played[start..mem::replace(&mut end, start)])
        })
    }

    /// How the game ended, if it has.
    pub fn verdict(&self) -> Option<Verdict> {
        self.declared.or_else(|| self.game.outcome().map(Verdict::ByRules))
    }

    /// Ends the game by something else than its rules.
    pub fn declare(&mut self, verdict: Verdict) {
        self.declared = Some(verdict);
    }

    /// Plays a move; what was taken back cannot come again after it.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        self.push(mv)?;
        self.undone.clear();
        Ok(())
    }

    fn push(&mut self, mv: Move) -> Result<(), IllegalMove> {
        let side = self.game.to_move();
        self.game.play(mv)?;
        self.played.push((side, mv));
        Ok(())
    }

    /// Takes back to where one of these sides last began a turn, or only what was declared; whether
    /// there was anything to take back.
    pub fn take_back(&mut self, is_person: impl Fn(Side) -> bool) -> bool {
        if self.declared.take().is_some() {
            return true;
        }
        let is_start = |&index: &usize| self.begins_turn(index) && is_person(self.played[index].0);
        let Some(start) = (0..self.played.len()).rfind(is_start) else { return false };
        let undone = self.played.split_off(start).into_iter().map(|(_, mv)| mv).collect();
        self.replay();
        self.undone.push(undone);
        true
    }

    /// Plays again what was taken back last, unless the game is over; whether there was anything.
    pub fn redo(&mut self) -> bool {
        if self.verdict().is_some() {
            return false;
        }
        let Some(moves) = self.undone.pop() else { return false };
        for mv in moves {
            self.push(mv).expect("the moves were legal before");
        }
        true
    }

    fn begins_turn(&self, index: usize) -> bool {
        let last = index.checked_sub(1).map(|before| self.played[before].0);
        !Turn::is_continued(last, self.played[index])
    }

    /// Sets the game up anew from its start and the moves that are left.
    fn replay(&mut self) {
        self.game = self.fresh.copy();
        for &(_, mv) in &self.played {
            self.game.play(mv).expect("the moves were legal before");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn course(moves: &[&str]) -> Course {
        let mut course = Course::start(&RuleSet::NINE_MENS_MORRIS, DrawRules::default());
        for mv in moves {
            course.play(mv.parse().unwrap()).unwrap();
        }
        course
    }

    const MILL: [&str; 6] = ["d6", "a1", "d5", "a4", "d7", "xa1"];

    #[test]
    fn a_turn_is_taken_back_whole_and_comes_again() {
        let mut course = course(&MILL);
        let text = course.game().text();
        assert_eq!(course.last_turn().len(), 2);
        assert_eq!(course.turns_backwards().count(), 5);
        assert!(course.take_back(|side| side == Side::White));
        assert_eq!(course.played().len(), 4);
        assert!(course.take_back(|side| side == Side::White));
        assert_eq!(course.played().len(), 2);
        assert!(course.redo() && course.redo() && !course.redo());
        assert_eq!(course.game().text(), text);
    }

    #[test]
    fn a_mill_without_its_removal_is_taken_back_too() {
        let mut course = course(&MILL[..5]);
        assert!(course.take_back(|_| true));
        assert_eq!(course.played().len(), 4);
    }

    #[test]
    fn only_turns_of_people_are_taken_back() {
        let mut course = course(&MILL[..1]);
        assert!(!course.take_back(|side| side == Side::Black));
        assert_eq!(course.played().len(), 1);
    }

    #[test]
    fn a_new_move_forgets_what_was_taken_back() {
        let mut course = course(&MILL[..4]);
        assert!(course.take_back(|_| true));
        course.play("g7".parse().unwrap()).unwrap();
        assert!(!course.redo());
    }

    #[test]
    fn nothing_comes_again_once_a_side_has_resigned() {
        let mut course = course(&MILL);
        assert!(course.take_back(|_| true));
        course.declare(Verdict::Resigned(Side::Black));
        assert!(!course.redo());
        assert!(course.take_back(|_| true) && course.redo());
    }

    #[test]
    fn what_was_declared_is_taken_back_alone() {
        let mut course = course(&MILL);
        course.declare(Verdict::Resigned(Side::Black));
        assert!(course.take_back(|_| true));
        assert_eq!((course.verdict(), course.played().len()), (None, 6));
    }
}
