//! The game in the terminal: who plays, what was played and taken back, and how it ended.

use std::{fmt, iter, mem};

use clap::ValueEnum;
use millstone::board::Side;
use millstone::game::Game;
use millstone::game::{Draw, IllegalMove, Outcome};
use millstone::position::{Deadlock, Loss, Move, TextError, Turn};
use millstone::records::GameResult;
use millstone::rules::{DrawRules, RuleSet};

/// The sides that humans play; the engine plays the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum HumanSides {
    /// You play White and place first
    White,
    /// You play Black
    Black,
    /// Two people play each other
    Both,
    /// The engine plays itself, to watch
    None,
}

impl HumanSides {
    /// Whether a human plays a side.
    pub fn is_human(self, side: Side) -> bool {
        match self {
            Self::White => side == Side::White,
            Self::Black => side == Side::Black,
            Self::Both => true,
            Self::None => false,
        }
    }

    /// These players with the sides exchanged.
    pub fn swapped(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
            other => other,
        }
    }
}

impl fmt::Display for HumanSides {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::White => "you play White",
            Self::Black => "you play Black",
            Self::Both => "two people play",
            Self::None => "the engine plays itself",
        })
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameEnd {
    /// By its rules.
    ByRules(Outcome),
    /// A side resigned.
    Resigned(Side),
    /// The sides agreed to a draw.
    Agreed,
    /// A side lost on time.
    OutOfTime(Side),
    /// As a game record says, without a reason.
    Recorded(GameResult),
}

impl GameEnd {
    /// The result of the game record.
    pub fn result(self) -> GameResult {
        match self {
            Self::ByRules(outcome) => Some(outcome).into(),
            Self::Resigned(loser) | Self::OutOfTime(loser) => GameResult::won_by(!loser),
            Self::Agreed => GameResult::Draw,
            Self::Recorded(result) => result,
        }
    }

    /// The result with its reason, in a sentence.
    pub fn sentence(self, draws: DrawRules) -> String {
        match self {
            Self::ByRules(Outcome::Win { winner, loss }) => {
                let loser = !winner;
                let why = match loss {
                    Loss::TooFewMen => format!("{loser} has too few men left"),
                    Loss::Blocked => format!("{loser} cannot move"),
                    Loss::FullBoard => "the board is full".to_owned(),
                };
                format!("{winner} wins: {why}.")
            }
            Self::ByRules(Outcome::Draw(draw)) => format!("Draw: {}.", draw_reason(draw, draws)),
            Self::Resigned(loser) => format!("{} wins: {loser} resigns.", !loser),
            Self::Agreed => "Draw by agreement.".to_owned(),
            Self::OutOfTime(loser) => format!("{} wins on time.", !loser),
            Self::Recorded(result) => match result {
                GameResult::WhiteWins => "White has won.",
                GameResult::BlackWins => "Black has won.",
                GameResult::Draw => "The game is drawn.",
                GameResult::Unknown => "The game is not over.",
            }
            .to_owned(),
        }
    }
}

fn draw_reason(draw: Draw, draws: DrawRules) -> String {
    let slides = |number| format!("{number} slides without a man placed or removed");
    match draw {
        Draw::NMove => slides(draws.n_move),
        Draw::EndgameNMove => slides(draws.endgame_n_move),
        Draw::ThreefoldRepetition => "the same position for the third time".to_owned(),
        Draw::Deadlock(Deadlock::Stalemate) => "the side to move cannot move".to_owned(),
        Draw::Deadlock(Deadlock::FullBoard) => "the board is full".to_owned(),
    }
}

/// A game with the moves that were played and those that were taken back.
pub struct History {
    /// The position text that it started from, if it was not the start position.
    start: Option<String>,
    /// The game before the first move.
    fresh: Game,
    /// The game as it stands.
    game: Game,
    played: Vec<(Side, Move)>,
    /// Turns taken back, the next one to redo last.
    undone: Vec<Vec<Move>>,
    /// How the game ended other than by its rules.
    declared: Option<GameEnd>,
}

impl History {
    /// A new game.
    pub fn start(rules: &RuleSet, draws: DrawRules) -> Self {
        Self::of(None, Game::start(*rules, draws))
    }

    /// A game from a position text.
    pub fn from_text(text: &str, rules: &RuleSet, draws: DrawRules) -> Result<Self, TextError> {
        let game = Game::from_text(text, *rules, draws)?;
        Ok(Self::of(Some(game.text().to_string()), game))
    }

    fn of(start: Option<String>, game: Game) -> Self {
        let (played, undone) = (Vec::new(), Vec::new());
        Self { start, fresh: game.clone(), game, played, undone, declared: None }
    }

    /// The rules of the game.
    pub fn rules(&self) -> &RuleSet {
        self.game.rules()
    }

    /// The position text that the game started from, if it was not the start position.
    pub fn start_text(&self) -> Option<&str> {
        self.start.as_deref()
    }

    /// The game before the first move.
    pub fn fresh(&self) -> Game {
        self.fresh.clone()
    }

    /// The game as it stands.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// All moves with the sides that played them.
    pub fn played(&self) -> &[(Side, Move)] {
        &self.played
    }

    /// The moves of the last turn.
    pub fn last_turn(&self) -> &[(Side, Move)] {
        self.turns_backwards().next().unwrap_or_default()
    }

    /// The game before its last turn, and the moves of that; none if the turn goes on or there is none.
    pub fn before_last_turn(&self) -> Option<(Game, Vec<Move>)> {
        let turn = self.last_turn();
        let &(side, _) = turn.last()?;
        if self.game.is_within_turn(side) {
            return None;
        }
        let mut before = self.fresh();
        for &(_, mv) in &self.played[..self.played.len() - turn.len()] {
            before.play(mv).ok()?;
        }
        Some((before, turn.iter().map(|&(_, mv)| mv).collect()))
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
    pub fn end(&self) -> Option<GameEnd> {
        self.declared.or_else(|| self.game.outcome().map(GameEnd::ByRules))
    }

    /// Ends the game other than by its rules.
    pub fn declare(&mut self, verdict: GameEnd) {
        self.declared = Some(verdict);
    }

    /// Plays a move; what was taken back before cannot be redone.
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

    /// Takes back to the beginning of the last turn of one of these sides, or only a declared end.
    /// Returns whether there was anything to take back.
    pub fn undo(&mut self, is_undone: impl Fn(Side) -> bool) -> bool {
        if self.declared.take().is_some() {
            return true;
        }
        let is_start = |&index: &usize| self.begins_turn(index) && is_undone(self.played[index].0);
        let Some(start) = (0..self.played.len()).rfind(is_start) else { return false };
        let undone = self.played.split_off(start).into_iter().map(|(_, mv)| mv).collect();
        self.replay();
        self.undone.push(undone);
        true
    }

    /// Plays the turn that was taken back last, unless the game is over. Returns whether there was one.
    pub fn redo(&mut self) -> bool {
        if self.end().is_some() {
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

    /// Sets the game up again from its start and the moves that are left.
    fn replay(&mut self) {
        self.game = self.fresh.clone();
        for &(_, mv) in &self.played {
            self.game.play(mv).expect("the moves were legal before");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn history(moves: &[&str]) -> History {
        let mut history = History::start(&RuleSet::NINE_MENS_MORRIS, DrawRules::default());
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
        assert_eq!(history.last_turn().len(), 2);
        assert_eq!(history.turns_backwards().count(), 5);
        assert!(history.undo(|side| side == Side::White));
        assert_eq!(history.played().len(), 4);
        assert!(history.undo(|side| side == Side::White));
        assert_eq!(history.played().len(), 2);
        assert!(history.redo() && history.redo() && !history.redo());
        assert_eq!(history.game().text(), text);
    }

    #[test]
    fn a_turn_is_told_from_what_was_before_it_once_it_is_complete() {
        assert!(history(&[]).before_last_turn().is_none());
        assert!(history(&MILL[..5]).before_last_turn().is_none());
        let history = history(&MILL);
        let (mut before, turn) = history.before_last_turn().unwrap();
        for &mv in &turn {
            before.play(mv).unwrap();
        }
        assert_eq!((before.text(), turn.len()), (history.game().text(), 2));
    }

    #[test]
    fn a_mill_without_its_removal_is_taken_back_too() {
        let mut history = history(&MILL[..5]);
        assert!(history.undo(|_| true));
        assert_eq!(history.played().len(), 4);
    }

    #[test]
    fn only_turns_of_the_given_sides_are_taken_back() {
        let mut history = history(&MILL[..1]);
        assert!(!history.undo(|side| side == Side::Black));
        assert_eq!(history.played().len(), 1);
    }

    #[test]
    fn nothing_is_redone_after_a_new_move() {
        let mut history = history(&MILL[..4]);
        assert!(history.undo(|_| true));
        history.play("g7".parse().unwrap()).unwrap();
        assert!(!history.redo());
    }

    #[test]
    fn nothing_is_redone_once_a_side_has_resigned() {
        let mut history = history(&MILL);
        assert!(history.undo(|_| true));
        history.declare(GameEnd::Resigned(Side::Black));
        assert!(!history.redo());
        assert!(history.undo(|_| true) && history.redo());
    }

    #[test]
    fn a_declared_end_is_taken_back_alone() {
        let mut history = history(&MILL);
        history.declare(GameEnd::Resigned(Side::Black));
        assert!(history.undo(|_| true));
        assert_eq!((history.end(), history.played().len()), (None, 6));
    }
}
