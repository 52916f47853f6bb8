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

use std::borrow::Cow;
use std::collections::HashMap;

use bytemuck::allocation::zeroed_vec;

use super::SolveError;
use super::mills::{self, BestRemovals, Removed};
use super::placing::{self, Blocks, Placements};
use crate::board::Diagonals;
use crate::rules::{RuleSet, StalemateAction};
use crate::tablebase::draw_value::DrawOrder;
use crate::tablebase::file::{DrawRanks, SectorFile};
use crate::tablebase::observer::SolveObserver;
use crate::tablebase::sector::Sector;
use crate::tablebase::solvable::Solvable;
use crate::tablebase::solved_draws::{DrawCode, SolvedDraws};
use crate::tablebase::value::Worth;
use initial::DrawState;

/// What the draws of a sector are solved by.
pub struct KnownDraws<'a> {
    /// The game, whose draws can be put in order.
    pub game: &'a Solvable,
    /// The order of its sectors.
    pub order: &'a DrawOrder,
    /// The sector files; those of sectors that were solved before have draws of the order.
    pub files: &'a HashMap<Sector, SectorFile>,
}

impl<'a> KnownDraws<'a> {
    /// The solved file of a sector.
    fn file(&self, sector: Sector) -> Result<&'a SectorFile, SolveError> {
        self.files.get(&sector).ok_or(SolveError::Unusable(sector))
    }

    /// The file of a sector whose draws were solved before.
    fn ordered(&self, sector: Sector) -> Result<&'a SectorFile, SolveError> {
        let is_ordered = |file: &&SectorFile| file.draw_order_kind() == Some(self.order.kind());
        self.files.get(&sector).filter(is_ordered).ok_or(SolveError::Unusable(sector))
    }
}

impl Blocks<PlacedDraw> for DrawRanks<'_> {
    fn block(&self, number: usize) -> Result<Vec<PlacedDraw>, SolveError> {
        let placed = |code: DrawCode| match code {
            DrawCode::LOST => PlacedDraw::LOST,
            DrawCode::WON => PlacedDraw::WON,
            code => PlacedDraw(code.draw().map_or(0, |(rank, _)| rank)),
        };
        Ok(self.of_block(number)?.into_iter().map(placed).collect())
    }
}

/// A rank, or beyond all ranks a win or a loss.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct PlacedDraw(i8);

impl PlacedDraw {
    /// The code that it stands for.
    fn code(self) -> DrawCode {
        match self {
            Self::LOST => DrawCode::LOST,
            Self::WON => DrawCode::WON,
            Self(rank) => DrawCode::drawn(rank, 0),
        }
    }
}

impl Worth for PlacedDraw {
    const LOST: Self = Self(-i8::MAX);
    const WON: Self = Self(i8::MAX);

    #[inline]
    fn before_move(self) -> Self {
        Self(-self.0)
    }
}

/// Whether the rules are simple enough to put the draws of a game in order: slides and placements earn
/// nothing but removals from mills, and a side that cannot move has lost.
#[must_use]
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

/// Solves the draws of a sector, together with that of the replies if play goes to and fro between them.
pub fn solve_draws(
    source: &KnownDraws<'_>,
    sector: Sector,
    observer: &dyn SolveObserver,
) -> Result<Vec<SolvedDraws>, SolveError> {
    match source.game.rules().diagonals {
        Diagonals::Without => solve_on::<false>(source, sector, observer),
        Diagonals::With => solve_on::<true>(source, sector, observer),
    }
}

fn solve_on<const CROSSED: bool>(
    source: &KnownDraws<'_>,
    sector: Sector,
    observer: &dyn SolveObserver,
) -> Result<Vec<SolvedDraws>, SolveError> {
    let group = source.game.group(sector);
    if let Some(next) = placing::Next::of_all(source.game, sector) {
        let after = |sector| Ok(source.ordered(sector)?.draw_ranks(source.order));
        let ranks = placing::values::<CROSSED, PlacedDraw, _>(
            source.game,
            sector,
            next,
            Placements::All,
            after,
            observer,
        )?;
        let codes = ranks.into_iter().map(PlacedDraw::code).collect();
        return Ok(vec![SolvedDraws::new(sector, codes)]);
    }
    let states = group.iter().map(|&sector| {
        let rank = source.order.rank(sector);
        let after = |removed| match source.game.after_slide(sector, removed) {
            Some(after) => {
                let solved = source.ordered(after)?.load_draws(source.order)?;
                Ok(Some(After { solved, rank }))
            }
            None => Ok(None),
        };
        let mut mills = zeroed_vec(sector.len());
        mills::enter_mills::<CROSSED, _>(source.game, sector, after, &mut mills, observer)?;
        DrawState::new::<CROSSED>(source, sector, mills, observer)
    });
    let states = states.collect::<Result<Vec<_>, SolveError>>()?;
    let codes = spread::spread::<CROSSED>(states, observer)?;
    Ok(group
        .into_iter()
        .zip(codes)
        .map(|(sector, codes)| SolvedDraws::new(sector, codes))
        .collect())
}

/// The most bytes of memory that solving the draws of a sector together with those of the replies needs.
#[must_use]
pub fn memory(game: &Solvable, sector: Sector) -> u64 {
    if sector.is_placing() {
        return placing::memory(game, sector) + 2 * sector.len() as u64;
    }
    let group = game.group(sector);
    let bytes = |sector: Sector, per_position: u64| per_position * sector.len() as u64;
    let all: u64 = group.iter().map(|&sector| bytes(sector, 3)).sum();
    let while_loading = group.iter().map(|&sector| {
        let after = mills::counts(game).filter_map(|count| game.after_slide(sector, count));
        let after = after.map(|sector| bytes(sector, 2)).max().unwrap_or(0);
        after + BestRemovals::<u16>::memory(game, sector)
    });
    all + while_loading.max().unwrap_or(0)
}

/// A sector after removals, as the side that removes sees it from a sector with a rank.
struct After {
    solved: SolvedDraws,
    rank: i8,
}

impl Removed for After {
    type Value = DrawCode;
    type Preference = u16;

    const WIN: u16 = DrawCode::LOST.preference_before(0);

    fn block(&self, number: usize) -> Result<Cow<'_, [DrawCode]>, SolveError> {
        Ok(Cow::Borrowed(self.solved.block(number)))
    }

    #[inline]
    fn preference(&self, value: DrawCode) -> u16 {
        value.preference_before(self.rank)
    }
}
