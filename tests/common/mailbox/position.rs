//! Everything that decides how a game goes on, but its history.

use super::board::POINTS;
use std::collections::{BTreeMap, BTreeSet};

/// One of the two players.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Side {
    #[default]
    White,
    Black,
}

impl Side {
    /// White, then Black, as in the position text.
    pub const BOTH: [Self; 2] = [Self::White, Self::Black];

    /// The opponent.
    pub fn other(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
}

/// What the side to act is at, unless it has a removal to make first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Phase {
    #[default]
    Placing,
    Moving,
    Over,
}

/// The last move of a side, if it closed a mill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MillMove {
    /// Where the man came from; nothing if that was the hand.
    pub from: Option<&'static str>,
    pub to: &'static str,
}

/// The men that the side to act may remove for a capture without a mill.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Claims {
    /// One of these.
    pub custodian: Vec<&'static str>,
    /// All of these.
    pub intervention: Vec<&'static str>,
    /// This and no other.
    pub leapt: Option<&'static str>,
}

impl Claims {
    /// How many men the captures between lines take.
    pub fn count(&self) -> usize {
        usize::from(!self.custodian.is_empty()) + self.intervention.len()
    }
}

/// All that must be equal for a position to be a repetition. Pairs are White's and Black's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// The points with a man.
    pub men: BTreeMap<&'static str, Side>,
    /// The points where nobody may go, because a man was removed there.
    pub marks: BTreeSet<&'static str>,
    /// The men not yet placed.
    pub in_hand: [usize; 2],
    /// The side to act.
    pub side: Side,
    /// What it is at since its turn began.
    pub phase: Phase,
    /// The removals to be made; those of own men are counted below zero.
    pub owed: [i32; 2],
    /// The points that were in mills, if a line can be used once only.
    pub used: [BTreeSet<&'static str>; 2],
    /// The last moves, if they closed mills and going back is restricted.
    pub mill_moves: [Option<MillMove>; 2],
    /// The captures that the side to act can choose from.
    pub claims: Claims,
    /// The point that chooses the line of the next intervention.
    pub preferred: Option<&'static str>,
    /// Is a removal for want of moves going on: 1 by the blocked side, 2 by both?
    pub stalemate: usize,
}

impl Position {
    /// The points where the side has a man, in the order of the position text.
    pub fn points_of(&self, side: Side) -> Vec<&'static str> {
        let mut points = POINTS.to_vec();
        points.retain(|point| self.has(side, point));
        points
    }

    /// The points with neither man nor mark.
    pub fn empty_points(&self) -> Vec<&'static str> {
        let mut points = POINTS.to_vec();
        points.retain(|point| self.is_empty(point));
        points
    }

    /// Is there neither a man nor a mark?
    pub fn is_empty(&self, point: &str) -> bool {
        !self.men.contains_key(point) && !self.marks.contains(point)
    }

    /// Is this side's man here?
    pub fn has(&self, side: Side, point: &str) -> bool {
        self.men.get(point) == Some(&side)
    }

    /// Is this a man of the side to act?
    pub fn is_own(&self, point: &str) -> bool {
        self.has(self.side, point)
    }

    /// Is this a man of the opponent?
    pub fn is_foreign(&self, point: &str) -> bool {
        self.has(self.side.other(), point)
    }

    /// How many men of the side are on the board?
    pub fn on_board(&self, side: Side) -> usize {
        self.points_of(side).len()
    }

    /// Has nobody a man left to place?
    pub fn hands_are_empty(&self) -> bool {
        self.in_hand == [0, 0]
    }

    /// Has nobody a removal to make?
    pub fn nothing_is_owed(&self) -> bool {
        self.owed == [0, 0]
    }

    /// The removals that the side to act owes.
    pub fn debt(&self) -> i32 {
        self.owed[self.side as usize]
    }

    /// Puts a side to act. It has a man to place, or else it moves.
    pub fn turn_to(&mut self, side: Side) {
        self.side = side;
        self.phase = match self.in_hand[side as usize] {
            0 => Phase::Moving,
            _ => Phase::Placing,
        };
    }
}
