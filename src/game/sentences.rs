//! What a game says to people: whose turn it is, or how it ended.

use super::{Draw, Game, Outcome};
use crate::position::{Deadlock, Loss, MoveKind};
use crate::rules::{DrawRules, Rules};

impl<R: Rules> Game<R> {
    /// Whose turn it is, and what kind of move is due.
    pub fn request(&self) -> String {
        let side = self.to_move();
        let moves = self.moves();
        let has = |test: fn(MoveKind) -> bool| moves.iter().any(|mv| test(mv.kind()));
        let places = has(|kind| matches!(kind, MoveKind::Place(_)));
        let slides = has(|kind| matches!(kind, MoveKind::Slide { .. }));
        let go = if self.position().may_fly(side) { "fly" } else { "slide" };
        let action = match (self.position().owed(side), places, slides) {
            (1, ..) => "remove a man".to_owned(),
            (men @ 2.., ..) => format!("remove {men} men"),
            (men @ ..=-1, ..) => format!("remove {} of its own", men.unsigned_abs()),
            (_, true, true) => format!("place or {go}"),
            (_, true, false) => "place".to_owned(),
            (_, false, true) => go.to_owned(),
            (_, false, false) => "remove a man".to_owned(),
        };
        format!("{side} to {action}")
    }
}

impl Outcome {
    /// The result with its reason, in a sentence.
    ///
    /// * `draws`: the draw rules of the game.
    pub fn sentence(self, draws: DrawRules) -> String {
        match self {
            Self::Win { winner, loss } => {
                let loser = !winner;
                let why = match loss {
                    Loss::TooFewMen => format!("{loser} has too few men left"),
                    Loss::Blocked => format!("{loser} cannot move"),
                    Loss::FullBoard => "the board is full".to_owned(),
                };
                format!("{winner} wins: {why}.")
            }
            Self::Draw(draw) => format!("Draw: {}.", draw.reason(draws)),
        }
    }
}

impl Draw {
    fn reason(self, draws: DrawRules) -> String {
        let slides = |number| format!("{number} slides without a man placed or removed");
        match self {
            Self::NMove => slides(draws.n_move),
            Self::EndgameNMove => slides(draws.endgame_n_move),
            Self::ThreefoldRepetition => "the same position for the third time".to_owned(),
            Self::Deadlock(Deadlock::Stalemate) => "the side to move cannot move".to_owned(),
            Self::Deadlock(Deadlock::FullBoard) => "the board is full".to_owned(),
        }
    }
}
