//! A game that records its turns, so that they can be taken back.

use super::Game;
use crate::Error;
use crate::board::Side;
use crate::position::{Move, Turn};
use crate::rules::{DrawRules, RuleSet};

/// A game with its start, the turns played and the turns taken back.
///
/// ```
/// use millstone::game::{Game, History};
///
/// let mut history = History::from(Game::new());
/// history.play("d6".parse()?)?;
/// history.play("f4".parse()?)?;
/// assert!(history.undo(|_| true));
/// assert_eq!(history.count_moves(), 1);
/// assert!(history.redo());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct History {
    start: Game,
    game: Game,
    turns: Vec<(Side, Turn)>,
    /// The turns taken back by each call of [`undo`](Self::undo).
    undone: Vec<Vec<(Side, Turn)>>,
}

impl From<Game> for History {
    /// A history that begins with this game.
    fn from(start: Game) -> Self {
        Self { game: start.clone(), start, turns: Vec::new(), undone: Vec::new() }
    }
}

impl History {
    /// Replays moves from the position of a text or, if there is none, from the start position.
    ///
    /// The default draw rules apply, or none if the game goes on after a draw by history.
    ///
    /// # Errors
    ///
    /// If the start or a move is illegal.
    pub fn replay<I: Iterator<Item = Move> + Clone>(
        start: Option<&str>,
        rules: &RuleSet,
        moves: I,
    ) -> Result<Self, Error> {
        let replay = |draws, mut moves: I| {
            let mut history = Self::from(Game::begin(start, *rules, draws)?);
            moves.try_for_each(|mv| history.play(mv))?;
            Ok(history)
        };
        let replayed = replay(DrawRules::default(), moves.clone());
        replayed.or_else(|_: Error| replay(DrawRules::OFF, moves))
    }

    /// The rules of the game.
    pub fn rules(&self) -> &RuleSet {
        self.game.rules()
    }

    /// The game before the first move.
    pub const fn start(&self) -> &Game {
        &self.start
    }

    /// The position text of the start, unless it is the start position of the rules.
    pub fn start_text(&self) -> Option<String> {
        let text = self.start.text().to_string();
        let usual = Game::start(*self.rules(), self.start.draw_rules()).text().to_string();
        (text != usual).then_some(text)
    }

    /// The game as it stands.
    pub const fn game(&self) -> &Game {
        &self.game
    }

    /// The turns with the sides that played them; the last may lack a removal.
    pub fn turns(&self) -> &[(Side, Turn)] {
        &self.turns
    }

    /// The moves of all turns.
    pub fn moves(&self) -> impl Iterator<Item = Move> + Clone + '_ {
        self.turns.iter().flat_map(|(_, turn)| turn.moves()).copied()
    }

    /// The number of moves.
    pub fn count_moves(&self) -> usize {
        self.turns.iter().map(|(_, turn)| turn.moves().len()).sum()
    }

    /// The moves of the last turn.
    pub fn last_turn(&self) -> &[Move] {
        self.turns.last().map_or(&[], |(_, turn)| turn.moves())
    }

    /// The game before its last turn, and that turn; `None` if there is no turn or it is incomplete.
    #[must_use]
    pub fn before_last_turn(&self) -> Option<(Game, Turn)> {
        let ((side, last), before) = self.turns.split_last()?;
        (!self.game.is_within_turn(*side)).then(|| (self.after(before), last.clone()))
    }

    /// Plays a move. Turns that were taken back can no longer be redone.
    ///
    /// # Errors
    ///
    /// If the move is illegal or the game is over.
    pub fn play(&mut self, mv: Move) -> Result<(), Error> {
        let side = self.game.to_move();
        self.game.play(mv)?;
        match self.turns.last_mut() {
            Some((last, turn)) if *last == side && mv.is_removal() => *turn = turn.with(mv),
            _ => self.turns.push((side, mv.into())),
        }
        self.undone.clear();
        Ok(())
    }

    /// Takes back the last turn of a side for which `is_undone` holds, and all later turns. Returns
    /// whether there was such a turn.
    pub fn undo(&mut self, is_undone: impl Fn(Side) -> bool) -> bool {
        let Some(at) = self.turns.iter().rposition(|(side, _)| is_undone(*side)) else {
            return false;
        };
        self.undone.push(self.turns.split_off(at));
        self.game = self.after(&self.turns);
        true
    }

    /// Redoes what the last [`undo`](Self::undo) took back. Returns whether there was anything to redo.
    pub fn redo(&mut self) -> bool {
        let Some(turns) = self.undone.pop() else { return false };
        self.turns.extend(turns);
        self.game = self.after(&self.turns);
        true
    }

    /// The game after `turns`, the first ones of its turns.
    fn after(&self, turns: &[(Side, Turn)]) -> Game {
        let mut game = self.start.clone();
        for &mv in turns.iter().flat_map(|(_, turn)| turn.moves()) {
            game.play(mv).expect("the moves were legal before");
        }
        game
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::MillAction;

    fn history(moves: &[&str]) -> History {
        let mut history = History::from(Game::new());
        for mv in moves {
            history.play(mv.parse().unwrap()).unwrap();
        }
        history
    }

    const MILL: [&str; 6] = ["d6", "a1", "d5", "a4", "d7", "xa1"];

    #[test]
    fn a_whole_turn_is_taken_back_and_redone() {
        let mut history = history(&MILL);
        let text = history.game().text();
        assert_eq!(history.turns().last().unwrap().1.to_string(), "d7xa1");
        assert_eq!(history.turns().len(), 5);
        assert!(history.undo(|side| side == Side::White));
        assert_eq!(history.count_moves(), 4);
        assert!(history.undo(|side| side == Side::White));
        assert_eq!(history.count_moves(), 2);
        assert!(history.redo() && history.redo() && !history.redo());
        assert_eq!(history.game().text(), text);
    }

    #[test]
    fn a_turn_is_told_from_what_was_before_it_once_it_is_complete() {
        assert!(history(&[]).before_last_turn().is_none());
        assert!(history(&MILL[..5]).before_last_turn().is_none());
        let history = history(&MILL);
        let (mut before, turn) = history.before_last_turn().unwrap();
        turn.moves().iter().for_each(|&mv| before.play(mv).unwrap());
        assert_eq!((before.text(), turn.moves().len()), (history.game().text(), 2));
    }

    #[test]
    fn a_mill_without_its_removal_is_taken_back_too() {
        let mut history = history(&MILL[..5]);
        assert!(history.undo(|_| true));
        assert_eq!(history.count_moves(), 4);
    }

    #[test]
    fn a_removal_by_the_other_side_is_a_turn_of_its_own() {
        let mill_action = MillAction::OpponentRemovesOwn;
        let rules = RuleSet { mill_action, ..RuleSet::NINE_MENS_MORRIS };
        let moves = MILL.map(|mv| mv.parse().unwrap()).into_iter();
        assert_eq!(History::replay(None, &rules, moves).unwrap().turns().len(), MILL.len());
    }

    #[test]
    fn only_turns_of_the_given_sides_are_taken_back() {
        let mut history = history(&MILL[..1]);
        assert!(!history.undo(|side| side == Side::Black));
        assert_eq!(history.count_moves(), 1);
    }

    #[test]
    fn nothing_is_redone_after_a_new_move() {
        let mut history = history(&MILL[..4]);
        assert!(history.undo(|_| true));
        history.play("g7".parse().unwrap()).unwrap();
        assert!(!history.redo());
    }

    #[test]
    fn a_game_that_goes_on_after_a_draw_has_no_draw_rules() {
        let start = Some("@*******/***@**@*/**O*OO** w m s 3 0 3 0 0 0 0 0 0 0 0 0 30");
        let shuffle = ["g4-d3", "d5-e5", "d3-g4", "e5-d5"].map(|mv| mv.parse().unwrap());
        let rules = &RuleSet::NINE_MENS_MORRIS;
        let replay = |plies| History::replay(start, rules, shuffle.into_iter().cycle().take(plies));
        for (plies, draws) in [(9, DrawRules::default()), (12, DrawRules::OFF)] {
            let history = replay(plies).unwrap();
            assert_eq!((history.count_moves(), history.game().draw_rules()), (plies, draws));
        }
    }

    #[test]
    fn only_another_start_has_a_text() {
        let text = Game::new().text().to_string();
        let replay = |text: &str| {
            let moves = ["d6".parse().unwrap()].into_iter();
            History::replay(Some(text), &RuleSet::NINE_MENS_MORRIS, moves).unwrap()
        };
        assert_eq!(replay(&text).start_text(), None);
        let other = replay("O*******/********/******** b p p 1 8 0 9 0 0 0 0 0 0 0 0 1");
        assert_eq!(other.start_text(), Some(other.start().text().to_string()));
    }
}
