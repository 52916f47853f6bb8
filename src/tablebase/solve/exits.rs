//! Exits by the general rules: the moves that leave the sectors solved together.
//!
//! An exit is a move that changes the numbers of men: a placement, a slide that earns a removal, or the removals of a
//! side that cannot move. The whole turn is played, and the value is read from the sector where it ends. All other
//! moves are inner moves: slides that earn nothing, and passes. This works for every game; the kernels in `mills` and
//! `placing` are faster where the rules are simple.

use super::known::Known;
use super::{SolveError, loaded};
use crate::board::{Side, SquareSet, lines};
use crate::position::{Move, MoveKind, Position};
use crate::rules::RuleSet;
use crate::tablebase::probe::value_for;
use crate::tablebase::sector::{Men, Sector};
use crate::tablebase::value::Value;

/// The exits of a sector.
pub struct Exits<'a> {
    pub sector: Sector,
    pub known: &'a Known<'a>,
    /// The template from which positions are set up.
    start: Position<RuleSet>,
    /// Whether the sector has inner moves.
    is_cyclic: bool,
    /// Whether to ignore moves to sectors that are not loaded.
    only_loaded: bool,
}

/// Loads the sectors that moves lead to, one at a time if memory is short, and calls `work` with the exits to what is
/// loaded and whether that is the last part.
pub fn in_parts(
    sector: Sector,
    known: &mut Known<'_>,
    has_scratch: bool,
    mut work: impl FnMut(&Exits<'_>, bool) -> Result<(), SolveError>,
) -> Result<(), SolveError> {
    let loaded = loaded(&known.game, sector, has_scratch);
    let mut parts = loaded.chunks(if has_scratch { 1 } else { loaded.len().max(1) });
    let count = parts.len().max(1);
    for number in 1..=count {
        known.load(parts.next().unwrap_or_default())?;
        let exits = Exits { only_loaded: count > 1, ..Exits::new(sector, known) };
        work(&exits, number == count)?;
    }
    Ok(())
}

impl<'a> Exits<'a> {
    /// The exits of a sector. `known` provides the sectors that they lead to.
    pub fn new(sector: Sector, known: &'a Known<'a>) -> Self {
        let (start, is_cyclic) =
            (Position::start(*known.game.rules()), known.game.is_cyclic(sector));
        Self { sector, known, start, is_cyclic, only_loaded: false }
    }

    /// Whether the inner moves are exactly the slides that close no mill.
    pub fn is_plain(&self) -> bool {
        let rules = self.known.game.rules();
        !rules.has_captures() && !rules.may_pass() && self.sector.opponent() > 0
    }

    /// Returns the [preference](Value::preference) for the best exit of the position with these men of the side to move
    /// and of the opponent, or for its value if the game is over, 0 if there is none; and the number of inner moves.
    /// `best` is the preference for the best exit found before, or 0.
    pub fn judge(&self, [own, opponent]: Men, mut best: u8) -> Result<(u8, u8), SolveError> {
        let position = self.sector.set_up(&self.start, own, opponent);
        let side = self.sector.to_move();
        let mut inner = 0;
        match position.ending() {
            // The side to move has passed.
            _ if position.to_move() != side && self.is_cyclic => inner = 1,
            _ if position.to_move() != side => best = best.max(self.exit(&position)?),
            Some(ending) => best = Value::from(ending).preference(),
            None => {
                for mv in position.moves() {
                    let after = position.after(mv);
                    if self.is_inner(mv, &after, side) {
                        inner += 1;
                    } else {
                        best = best.max(self.exit(&after)?);
                    }
                }
            }
        }
        Ok((best, inner))
    }

    /// Returns the preference for an exit to a position. A missing value is an error unless `only_loaded`.
    fn exit(&self, after: &Position<RuleSet>) -> Result<u8, SolveError> {
        let stored = |after: &Position<RuleSet>| self.known.value(after, self.only_loaded);
        match value_for(self.sector.to_move(), after, &stored) {
            Some(value) => Ok(value.preference()),
            None if self.only_loaded => Ok(0),
            None => Err(self.known.error(self.sector)),
        }
    }

    /// Whether a move stays in the sectors solved together.
    fn is_inner(&self, mv: Move, after: &Position<RuleSet>, side: Side) -> bool {
        let earns = after.plays_on(side) && after.pending() > 0;
        self.is_cyclic && matches!(mv.kind(), MoveKind::Slide { .. }) && !earns
    }

    /// Takes back every inner move that leads to `own`, with the opponent's men on `opponent`. Returns the men of the
    /// side to move before each.
    pub fn before(&self, own: SquareSet, opponent: SquareSet) -> Vec<SquareSet> {
        let (side, game) = (self.sector.to_move(), &self.known.game);
        let flies = game.flies(self.sector.own(), self.sector.hands()[0]);
        let empty = !(own | opponent);
        let mut before = Vec::new();
        for to in own {
            let near = lines::neighbours(to, game.rules().diagonals);
            for from in if flies { empty } else { near & empty } {
                let men = own.without(to).with(from);
                let position = self.sector.set_up(&self.start, men, opponent);
                let mv = Move::slide(from, to);
                let may_slide = position.to_move() == side && position.is_legal(mv);
                if may_slide && self.is_inner(mv, &position.after(mv), side) {
                    before.push(men);
                }
            }
        }
        if self.sector.set_up(&self.start, own, opponent).to_move() != side {
            before.push(own);
        }
        before
    }
}
