//! The referee: the rules once more, with all their options, written to be read and not to be fast.
//!
//! Integration tests play the engine and this "mailbox" side by side and demand the same moves,
//! texts and results. Two witnesses are worth more than one only if they did not agree beforehand,
//! so nothing here comes from the engine and nothing resembles it: no bits, no rotations, no keys,
//! no undo. The board is a map from point names to sides, a line is the text of its three names,
//! moves are found by trying everything, repetitions by comparing whole positions. That is slow,
//! on purpose: each rule is one short function that can be checked by eye against the rule book.

mod board;
mod captures;
mod draws;
mod mills;
mod moves;
mod placing_end;
mod position;
mod removals;
mod rules;
mod stalemate;
mod text;

use board::point_named;
use position::{Phase, Position};
use std::fmt;

pub use draws::DrawRules;
pub use position::Side;
pub use rules::Rules;

/// How a game ended, with the reference's name of the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// This side has won.
    Win(Side, &'static str),
    /// Nobody has won.
    Draw(&'static str),
}

impl fmt::Display for Outcome {
    /// `win0:reason` if White has won, `win1:reason` if Black has, or `draw:reason`.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Win(side, reason) => write!(out, "win{}:{reason}", *side as u8),
            Self::Draw(reason) => write!(out, "draw:{reason}"),
        }
    }
}

/// A game of the mill family.
#[derive(Clone)]
pub struct Mailbox {
    rules: Rules,
    draws: DrawRules,
    position: Position,
    /// Slides since the last placement or removal.
    half: u32,
    /// Placements and slides since the start of the game.
    plies: u32,
    /// The positions that the slides since the last placement or removal led to.
    reached: Vec<Position>,
    outcome: Option<Outcome>,
    /// Did the game end because a man was taken away? Its text tells.
    is_ended_by_removal: bool,
}

impl Mailbox {
    /// A game that goes on from a position text or from `startpos`.
    ///
    /// # Panics
    /// If the text is not the canonical text of a position in play, or has more than men.
    pub fn from_text(text: &str, rules: Rules, draws: DrawRules) -> Self {
        let men = rules.number("PiecesCount");
        let start = format!("********/********/******** w p p 0 {men} 0 {men} 0 0 0 0 0 0 0 0 1");
        let mut game = Self::read(if text == "startpos" { &start } else { text }, rules, draws);
        game.pass_if_blocked();
        game.adjudicate();
        game
    }

    /// The legal moves as texts, sorted; none if the game is over.
    pub fn legal_moves(&self) -> Vec<String> {
        let mut moves = if self.position.debt() == 0 { self.moves() } else { self.removals() };
        moves.sort();
        moves
    }

    /// Plays one action: `d6` places, `d6-d5` slides, flies or leaps, `xb4` removes.
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
            self.slide(point_named(from), point_named(to));
        } else {
            self.place(point_named(move_text));
        }
    }

    /// How the game ended; nothing while it goes on.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// Puts down a man from the hand.
    fn place(&mut self, to: &'static str) {
        self.position.in_hand[self.position.side as usize] -= 1;
        self.plies += 1;
        self.forget_slides();
        self.position.men.insert(to, self.position.side);
        self.earn(None, to);
    }

    /// Takes a man from its point to another: a neighbour, or in flight, or in a leap.
    fn slide(&mut self, from: &'static str, to: &'static str) {
        let leapt = self.leapt_man(from, to);
        self.plies += 1;
        self.half += 1;
        self.position.men.remove(from);
        self.position.men.insert(to, self.position.side);
        match leapt {
            Some(man) => self.owe_leapt_man(man),
            None => self.earn(Some(from), to),
        }
    }

    /// Gives the turn to a side. Unless it has removals to make, the game may end here.
    fn begin_turn(&mut self, side: Side) {
        self.position.turn_to(side);
        if self.position.nothing_is_owed() {
            self.pass_if_blocked();
            if self.half > 0 {
                self.reached.push(self.position.clone());
            }
            self.adjudicate();
        }
    }

    /// Asks, in this order, what may end the game or make a blocked side remove men.
    fn adjudicate(&mut self) {
        for test in [Self::end_on_full_board, Self::end_by_history, Self::face_stalemate] {
            if !self.is_over() {
                test(self);
            }
        }
    }

    /// Is the game over?
    fn is_over(&self) -> bool {
        self.position.phase == Phase::Over
    }

    /// Ends the game. Nobody has anything to remove any more.
    fn end(&mut self, outcome: Outcome) {
        self.outcome = Some(outcome);
        self.position.phase = Phase::Over;
        self.position.owed = [0, 0];
        self.position.claims = position::Claims::default();
        self.position.stalemate = 0;
    }

    /// Ends the game if this side has too few men left. Then nobody is to act, which is written
    /// `w`.
    fn end_if_too_few(&mut self, side: Side) {
        if self.has_too_few(side) {
            self.end(Outcome::Win(side.other(), "loseFewerThanThree"));
            self.position.side = Side::White;
            self.is_ended_by_removal = true;
        }
    }
}
