//! The referee: the rules of the standard game once more, written to be read and not to be fast.
//!
//! Integration tests play the engine and this "mailbox" side by side and demand the same moves,
//! texts and results. Two witnesses are worth more than one only if they did not agree beforehand,
//! so nothing here comes from the engine and nothing resembles it: no bits, no rotations, no keys,
//! no undo. The board is a map from point names to sides, a line is the text of its three names,
//! moves are found by trying everything, repetitions by comparing whole positions. That is slow,
//! on purpose: each rule is one short function that can be checked by eye against the rule book.

mod position;
mod text;

#[cfg(test)]
mod tests;

use position::{Position, point_named};
use std::fmt;

pub use position::Side;

/// The empty board with nine men in each hand.
const START: &str = "********/********/******** w p p 0 9 0 9 0 0 0 0 0 0 0 0 1";

/// A side with fewer men than this, on the board and in hand together, has lost.
const FEWEST_MEN: usize = 3;

/// A side with this many men or fewer, and none in hand, may fly.
const FLYING_MEN: usize = 3;

/// When a game that nobody wins is over.
#[derive(Clone, Copy, Debug)]
pub struct DrawRules {
    /// So many slides in a row, those of both sides counted together, are a draw.
    pub n_move: u32,
    /// The same while a side has exactly three men on the board, if it is fewer.
    pub endgame_n_move: u32,
    /// Is the third occurrence of a position a draw?
    pub threefold: bool,
}

impl DrawRules {
    /// No draws at all, as in perft counts and recorded playouts.
    pub const OFF: Self = Self { n_move: u32::MAX, endgame_n_move: u32::MAX, threefold: false };
}

impl Default for DrawRules {
    /// What the standard game does.
    fn default() -> Self {
        Self { n_move: 100, endgame_n_move: 100, threefold: true }
    }
}

/// How a game ended, with the reference's name of the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// This side has won.
    Win(Side, &'static str),
    /// Nobody has won.
    Draw(&'static str),
    /// The game was over when its text was read, and a text does not tell who has won.
    Untold,
}

impl fmt::Display for Outcome {
    /// `win0:reason` if White has won, `win1:reason` if Black has, `draw:reason`, or `over`.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Win(side, reason) => write!(out, "win{}:{reason}", *side as u8),
            Self::Draw(reason) => write!(out, "draw:{reason}"),
            Self::Untold => write!(out, "over"),
        }
    }
}

/// What the side to act is at, unless it has a removal to make first.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Placing,
    Moving,
    Over,
}

/// A game of Nine Men's Morris.
#[derive(Clone)]
pub struct Mailbox {
    draws: DrawRules,
    position: Position,
    phase: Phase,
    /// Men in hand: White's, Black's.
    in_hand: [usize; 2],
    /// Slides since the last placement or removal.
    half: u32,
    /// Placements and slides since the start of the game.
    plies: u32,
    /// The positions that the slides since the last placement or removal led to.
    reached: Vec<Position>,
    outcome: Option<Outcome>,
}

impl Mailbox {
    /// A new game.
    pub fn start(draws: DrawRules) -> Self {
        Self::from_text(START, draws)
    }

    /// A game that goes on from a position text, or has ended there.
    ///
    /// # Panics
    /// If the text is not the canonical text of a position of the standard game.
    pub fn from_text(text: &str, draws: DrawRules) -> Self {
        let mut game = Self::read(text, draws);
        let verdict = match game.phase {
            Phase::Over => Some(Outcome::Untold),
            Phase::Placing => game.n_move_draw(),
            Phase::Moving => {
                game.n_move_draw().or_else(|| game.loss_of_men()).or_else(|| game.blocked_loss())
            }
        };
        game.settle(verdict);
        game
    }

    /// The legal moves as texts, sorted; none if the game is over.
    pub fn legal_moves(&self) -> Vec<String> {
        let mut moves = match self.phase {
            Phase::Over => Vec::new(),
            _ if self.position.is_removing => self.position.removals(),
            Phase::Placing => self.position.placements(),
            Phase::Moving if self.may_fly() => self.position.flights(),
            Phase::Moving => self.position.slides(),
        };
        moves.sort();
        moves
    }

    /// Plays one action: `d6` places, `d6-d5` slides or flies, `xb4` removes.
    ///
    /// # Panics
    /// If the move is not legal.
    pub fn play(&mut self, move_text: &str) {
        let legal = self.legal_moves();
        let is_legal = legal.iter().any(|legal| legal == move_text);
        assert!(is_legal, "{move_text} is illegal in {}; legal: {legal:?}", self.text());
        if let Some(target) = move_text.strip_prefix('x') {
            self.remove(target);
        } else if let Some((from, to)) = move_text.split_once('-') {
            self.slide(from, to);
        } else {
            self.place(move_text);
        }
    }

    /// How the game ended; nothing while it goes on.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// Takes a man from the hand.
    fn place(&mut self, to: &str) {
        self.in_hand[self.position.side as usize] -= 1;
        self.plies += 1;
        self.forget_slides();
        self.put_down(to);
    }

    /// Takes a man from its point, to a neighbour or in flight.
    fn slide(&mut self, from: &str, to: &str) {
        self.position.men.remove(from);
        self.plies += 1;
        self.half += 1;
        self.put_down(to);
    }

    /// Puts down the man taken. A mill, or two at once, earns one removal.
    fn put_down(&mut self, to: &str) {
        let (point, side) = (point_named(to), self.position.side);
        self.position.men.insert(point, side);
        if self.position.is_in_mill(point) {
            self.position.is_removing = true;
        } else {
            self.pass_turn();
        }
    }

    /// Takes a man of the opponent out of the game, and wins if too few are left.
    fn remove(&mut self, target: &str) {
        self.position.men.remove(target);
        self.forget_slides();
        let verdict = self.loss_of_men();
        if verdict.is_none() {
            self.pass_turn();
        } else {
            self.settle(verdict);
            self.position.side = Side::White; // nobody is to act, which is written `w`
        }
    }

    /// After a placement or a removal no earlier position can come again.
    fn forget_slides(&mut self) {
        self.half = 0;
        self.reached.clear();
    }

    /// Gives the turn to the opponent, unless the game ends here.
    fn pass_turn(&mut self) {
        self.position.is_removing = false;
        self.position.side = self.position.side.other();
        self.phase = match self.in_hand[self.position.side as usize] {
            0 => Phase::Moving,
            _ => Phase::Placing,
        };
        if self.half > 0 {
            self.reached.push(self.position.clone());
        }
        let verdict =
            self.repetition_draw().or_else(|| self.n_move_draw()).or_else(|| self.blocked_loss());
        self.settle(verdict);
    }

    /// Ends the game if there is a verdict.
    fn settle(&mut self, verdict: Option<Outcome>) {
        if verdict.is_some() {
            self.phase = Phase::Over;
            self.outcome = verdict;
        }
    }

    /// Was this position reached three times? That from which the first slide set out is not
    /// counted.
    fn repetition_draw(&self) -> Option<Outcome> {
        let is_here = |reached: &&Position| **reached == self.position;
        let is_third = self.reached.iter().filter(is_here).count() >= 3;
        let is_draw = is_third && self.draws.threefold;
        is_draw.then_some(Outcome::Draw("drawThreefoldRepetition"))
    }

    /// Were there too many slides in a row? Not if a removal, still owed, ends the row.
    fn n_move_draw(&self) -> Option<Outcome> {
        if self.position.is_removing {
            None
        } else if self.half >= self.draws.n_move {
            Some(Outcome::Draw("drawFiftyMove"))
        } else if self.is_endgame() && self.half >= self.draws.endgame_n_move {
            Some(Outcome::Draw("drawEndgameFiftyMove"))
        } else {
            None
        }
    }

    /// Is a side down to exactly three men, with the placing phase over?
    fn is_endgame(&self) -> bool {
        let has_three = |side| self.position.points_of(side).len() == 3;
        self.phase == Phase::Moving && Side::BOTH.into_iter().any(has_three)
    }

    /// Has a side too few men left, on the board and in hand?
    fn loss_of_men(&self) -> Option<Outcome> {
        let men = |side| self.position.points_of(side).len() + self.in_hand[side as usize];
        let mut sides = Side::BOTH.into_iter();
        let loser = sides.find(|side| men(*side) < FEWEST_MEN)?;
        Some(Outcome::Win(loser.other(), "loseFewerThanThree"))
    }

    /// Must the side to act move, and can not?
    fn blocked_loss(&self) -> Option<Outcome> {
        let must_move = self.phase == Phase::Moving && !self.position.is_removing;
        let is_blocked = must_move && self.legal_moves().is_empty();
        let winner = self.position.side.other();
        is_blocked.then_some(Outcome::Win(winner, "loseNoLegalMoves"))
    }

    /// May the men of the side to act go anywhere?
    fn may_fly(&self) -> bool {
        self.position.points_of(self.position.side).len() <= FLYING_MEN
    }
}
