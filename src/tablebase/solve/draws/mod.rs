//! Where draws come to rest: the value of every drawn position of solved sectors.
//!
//! Each sector of the moving phase has a rank in the [order](DrawOrder) among them. Play that stays in a
//! sector and that of the replies for ever is worth its rank. So a drawn position is worth more if its side
//! can force the way to something better, less if it can be forced to something worse, and else the rank.
//! That is retrograde analysis once more, over drawn positions alone: from the best values down to the rank,
//! and by the other side's efforts from the worst up to it. Moves that lose do not count; moves that win
//! there are none.
//!
//! Of equal values one above the rank is reached as soon as possible, one below as late as possible, so that
//! a level is a value and a number of turns.
//!
//! ```text
//! initial   the drawn moves and the best exit of each drawn position
//! spread    value by value and turn by turn, until nothing more is decided
//! ```

mod initial;
mod spread;

use super::initial::SectorState;
use super::known::Known;
use super::mills::{self, BestRemovals};
use super::{SolveError, placing};
use crate::board::Diagonals;
use crate::rules::{RuleSet, StalemateAction};
use crate::system::memory::zeros;
use crate::tablebase::draw_value::{DrawCode, DrawOrder};
use crate::tablebase::sector::Sector;
use crate::tablebase::solvable::Solvable;
use crate::tablebase::solved::Solved;
use crate::tablebase::value::Worth;

/// What the draws of sectors are solved by.
pub struct KnownDraws<'a> {
    /// The order of the sectors.
    pub order: &'a DrawOrder,
    /// The sector files of a game whose draws can be put in order; those of sectors that were solved before have draws
    /// of the order.
    pub known: &'a Known<'a>,
}

impl KnownDraws<'_> {
    /// What the positions of a block of a sector whose draws were solved before are worth, by rank.
    fn read<V>(
        &self,
        sector: Sector,
        block: usize,
        worth: impl Fn(DrawCode) -> V,
    ) -> Result<Vec<V>, SolveError> {
        let file = self.known.file(sector)?;
        if file.draw_order_kind() != Some(self.order.kind()) {
            return Err(SolveError::Unusable(sector));
        }
        Ok(file.draws_of_block(block, self.order)?.into_iter().map(worth).collect())
    }

    /// Solves the draws of a sector, together with that of the replies if play goes to and fro between them.
    pub fn solve(&self, sector: Sector) -> Result<Vec<Solved<DrawCode>>, SolveError> {
        match self.known.game.rules().diagonals {
            Diagonals::Without => self.solve_on::<false>(sector),
            Diagonals::With => self.solve_on::<true>(sector),
        }
    }

    fn solve_on<const CROSSED: bool>(
        &self,
        sector: Sector,
    ) -> Result<Vec<Solved<DrawCode>>, SolveError> {
        let &Known { ref game, observer, .. } = self.known;
        if let Some(next) = placing::Next::of_all(game, sector) {
            let read = |after, block| self.read(after, block, rank_before);
            let ranks = placing::best::<CROSSED, i8>(self.known, sector, next, read, observer)?;
            return Ok(vec![Solved::from_values(sector, ranks.gather(code_of)?)]);
        }
        let group = game.group(sector);
        let ranks: Vec<i8> = group.iter().map(|&sector| self.order.rank(sector)).collect();
        let states = group.iter().zip(&ranks).map(|(&sector, &rank)| {
            let worth = |code: DrawCode| code.preference_before(rank);
            let read = |after, block| self.read(after, block, worth);
            let mut mills = zeros(sector.len());
            mills::enter_mills::<CROSSED, _>(self.known, sector, read, &mut mills)?;
            SectorState::of_draws::<CROSSED>(self, sector, mills)
        });
        let states = states.collect::<Result<Vec<_>, SolveError>>()?;
        spread::spread::<CROSSED>(states, &ranks, observer)
    }
}

/// The rank of a draw for the side that has moved to it, or beyond all ranks a win or a loss.
fn rank_before(code: DrawCode) -> i8 {
    match code {
        DrawCode::LOST => i8::WON,
        DrawCode::WON => i8::LOST,
        code => code.draw().map_or(0, |(rank, _)| -rank),
    }
}

/// The code of what [`rank_before`] gives.
fn code_of(rank: i8) -> DrawCode {
    match rank {
        i8::LOST => DrawCode::LOST,
        i8::WON => DrawCode::WON,
        rank => DrawCode::drawn(rank, 0),
    }
}

/// Whether the rules are simple enough to put the draws of a game in order: slides and placements earn
/// nothing but removals from mills, and a side that cannot move has lost.
pub fn can_be_ordered(game: &Solvable) -> bool {
    let rules = game.rules();
    let is_simple = |sector: Sector| {
        if sector.is_placing() {
            placing::Next::of_all(game, sector).is_some()
        } else {
            mills::are_simple(game, sector)
        }
    };
    rules.stalemate_action == StalemateAction::Loses
        && rules.men < RuleSet::MEN_TO_FILL_BOARD
        && game.sectors().into_iter().all(is_simple)
}

/// The most bytes of memory that solving the draws of a sector together with those of the replies needs.
pub fn memory(game: &Solvable, sector: Sector) -> u64 {
    if sector.is_placing() {
        return placing::memory(game, sector) + 2 * sector.len() as u64;
    }
    let group = game.group(sector);
    let all: u64 = group.iter().map(|sector| 3 * sector.len() as u64).sum();
    let removals = group.iter().map(|&sector| BestRemovals::<DrawCode>::memory(game, sector));
    all + removals.max().unwrap_or(0)
}
