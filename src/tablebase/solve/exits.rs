//! Exits by the general rules: the moves that leave the sectors solved together.
//!
//! An exit is a move that changes the numbers of men: a placement, a slide that earns a removal, or the removals of a
//! side that cannot move. The whole turn is played, and the value is read from the sector where it ends. All other
//! moves are inner moves: slides that earn nothing, and passes. This works for every game; the kernels in `mills` and
//! `placing` are faster where the rules are simple.

use super::SolveError;
use super::known::Known;
use crate::board::{Side, SquareSet, lines};
use crate::position::{Move, MoveKind, Position};
use crate::rules::{RuleSet, StalemateAction};
use crate::tablebase::probe::value_for;
use crate::tablebase::sector::Sector;
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

/// A summary of the moves of a position.
#[derive(Clone, Copy, Debug, Default)]
pub struct MoveSummary {
    /// The value of the best exit, or of the position if the game is over.
    pub best: Option<Value>,
    /// The number of inner moves.
    pub inner: u8,
}

impl MoveSummary {
    /// Merges the best exit found before, given as a preference, or 0 if there was none.
    pub fn or_better(self, before: u8) -> Self {
        let before = (before > 0).then(|| Value::preferred(before));
        Self { best: self.best.max(before), ..self }
    }
}

/// Loads the sectors that moves lead to one part at a time, and calls `work` with the exits to each part and whether it
/// is the last part.
pub fn in_parts(
    sector: Sector,
    known: &mut Known<'_>,
    parts: &[&[Sector]],
    mut work: impl FnMut(&Exits<'_>, bool) -> Result<(), SolveError>,
) -> Result<(), SolveError> {
    let only_loaded = parts.len() > 1;
    for (number, part) in (1..).zip(parts) {
        known.load(part)?;
        let exits = Exits { only_loaded, ..Exits::new(sector, known) };
        work(&exits, number == parts.len())?;
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

    pub fn flies(&self) -> bool {
        self.known.game.flies(self.sector.own(), self.sector.hands()[0])
    }

    /// Whether a side that cannot move loses, in every position of the sector.
    pub fn loses_if_blocked(&self) -> bool {
        let rules = self.known.game.rules();
        rules.stalemate_action == StalemateAction::Loses && rules.men < RuleSet::MEN_TO_FILL_BOARD
    }

    /// Whether the inner moves are exactly the slides that close no mill.
    pub fn is_plain(&self) -> bool {
        let rules = self.known.game.rules();
        !rules.has_captures() && !rules.may_pass() && self.sector.opponent() > 0
    }

    fn set_up(&self, own: SquareSet, opponent: SquareSet) -> Position<RuleSet> {
        self.sector.set_up(&self.start, own, opponent)
    }

    /// Summarises the moves of the position with these men of the side to move and of the opponent.
    pub fn judge(&self, own: SquareSet, opponent: SquareSet) -> Result<MoveSummary, SolveError> {
        let position = self.set_up(own, opponent);
        let side = self.sector.to_move();
        let mut leads = MoveSummary::default();
        match position.ending() {
            // The side to move has passed.
            _ if position.to_move() != side && self.is_cyclic => leads.inner = 1,
            _ if position.to_move() != side => self.enter_exit(&position, &mut leads)?,
            Some(ending) => leads.best = Some(ending.into()),
            None => {
                for mv in position.moves() {
                    let after = position.after(mv);
                    if self.is_inner(mv, &after, side) {
                        leads.inner += 1;
                    } else {
                        self.enter_exit(&after, &mut leads)?;
                    }
                }
            }
        }
        Ok(leads)
    }

    /// Enters the value of a position after an exit. A missing value is an error unless `only_loaded`.
    fn enter_exit(
        &self,
        after: &Position<RuleSet>,
        leads: &mut MoveSummary,
    ) -> Result<(), SolveError> {
        let stored = |after: &Position<RuleSet>| self.known.value(after, self.only_loaded);
        let value = value_for(self.sector.to_move(), after, &stored);
        leads.best = leads.best.max(value);
        let is_enough = value.is_some() || self.only_loaded;
        if is_enough { Ok(()) } else { Err(self.known.error(self.sector)) }
    }

    /// Whether a move stays in the sectors solved together.
    fn is_inner(&self, mv: Move, after: &Position<RuleSet>, side: Side) -> bool {
        let earns = after.plays_on(side) && after.pending() > 0;
        self.is_cyclic && matches!(mv.kind(), MoveKind::Slide { .. }) && !earns
    }

    /// Takes back every inner move that leads to `own`, with the opponent's men on `opponent`. Returns the men of the
    /// side to move before each.
    pub fn before(&self, own: SquareSet, opponent: SquareSet) -> Vec<SquareSet> {
        let side = self.sector.to_move();
        let empty = !(own | opponent);
        let mut before = Vec::new();
        for to in own {
            let near = lines::neighbours(to, self.known.game.rules().diagonals);
            let origins = if self.flies() { empty } else { near & empty };
            for from in origins {
                let men = own.without(to).with(from);
                let position = self.set_up(men, opponent);
                let mv = Move::slide(from, to);
                let may_slide = position.to_move() == side && position.is_legal(mv);
                if may_slide && self.is_inner(mv, &position.after(mv), side) {
                    before.push(men);
                }
            }
        }
        if self.set_up(own, opponent).to_move() != side {
            before.push(own);
        }
        before
    }
}
