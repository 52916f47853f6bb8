//! Checking the values of a sector: each against those of the positions that its moves lead to.

use std::fmt::Display;

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;

use super::{Result, Verified, Verifier, VerifyError};
use crate::board::Side;
use crate::position::Position;
use crate::rules::Rules;
use crate::tablebase::draw_value::{DrawOrder, DrawValue};
use crate::tablebase::file::SectorFile;
use crate::tablebase::sector::{Men, Sector};
use crate::tablebase::sets::Orbits;
use crate::tablebase::solve::{self, SolveObserver, Uncounted};
use crate::tablebase::value::{Longest, Solved, Statistics, Value, Wdl};

/// Some positions of a sector, spread evenly at random.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// How many; all if the sector has no more.
    pub positions: u64,
    /// Another seed chooses other positions.
    pub seed: u64,
}

/// How many positions of a sample are checked at a time.
const RUN: u64 = 1 << 12;

impl Sample {
    /// As many positions as a sector has at most, or all of them.
    pub(super) fn within(sector: Sector, sample: Option<Self>) -> Self {
        let all = sector.len() as u64;
        let Self { positions, seed } = sample.unwrap_or(Self { positions: all, seed: 0 });
        Self { positions: positions.min(all), seed }
    }

    /// Checks each position, given by its index and the men of both sides: one at random from each of
    /// `positions` stretches of equal length.
    pub(super) fn visit(
        self,
        sector: Sector,
        observer: &dyn SolveObserver,
        check: impl Fn(usize, Men) -> Result<()> + Sync,
    ) -> Result<()> {
        let (len, positions) = (sector.len() as u64, self.positions);
        let seed: u64 = Xoshiro256PlusPlus::seed_from_u64(self.seed).random();
        (0..positions.div_ceil(RUN)).into_par_iter().try_for_each(|run| {
            let mut random = Xoshiro256PlusPlus::seed_from_u64(seed ^ run);
            let stretches = run * RUN..positions.min((run + 1) * RUN);
            let checked = stretches.end - stretches.start;
            for stretch in stretches {
                let [first, end] = [stretch, stretch + 1].map(|stretch| stretch * len / positions);
                let index = random.random_range(first..end) as usize;
                let (own, opponent) = sector.position(index);
                check(index, [own, opponent])?;
            }
            advance(observer, checked)
        })
    }
}

/// Reports progress, unless it is time to stop.
fn advance(observer: &dyn SolveObserver, positions: u64) -> Result<()> {
    observer.advance(positions);
    Ok(solve::check(observer)?)
}

/// A sector and what it takes to check it.
pub struct Check<'a, R: Rules> {
    /// It has the sector in memory.
    pub verifier: &'a Verifier<'a>,
    pub sector: Sector,
    /// A position of the game, from which others are made.
    pub start: Position<R>,
    /// Whether the distances are checked too, and not only the wins, draws and losses.
    pub has_distances: bool,
}

impl<R: Rules> Check<'_, R> {
    /// Checks a sample of the positions, or all, which are also counted then as in the file.
    pub fn run(&self, file: &SectorFile, sample: Option<Sample>) -> Result<Verified> {
        let sample = Sample::within(self.sector, sample);
        if sample.positions < self.sector.len() as u64 {
            let some = sample.visit(self.sector, self.verifier.observer, |index, men| {
                self.position(men, self.solved().values()[index])
            });
            self.unless_damaged(some)?;
        } else {
            compare(file, self.unless_damaged(self.all())?)?;
        }
        let has_draws = file.has_draws();
        if has_draws {
            let observer = Uncounted(self.verifier.observer);
            sample.visit(self.sector, &observer, |index, men| {
                let is_drawn = Wdl::from(self.solved().values()[index]) == Wdl::Draw;
                if is_drawn { self.draw(men) } else { Ok(()) }
            })?;
        }
        let (positions, has_distances) = (sample.positions, self.has_distances);
        Ok(Verified { positions, has_distances, has_draws })
    }

    /// The result of a check, unless a file that it read was found damaged meanwhile.
    fn unless_damaged<T>(&self, result: Result<T>) -> Result<T> {
        for other in self.verifier.tablebase.game().leads_to(self.sector) {
            self.verifier.good_file(self.sector, other)?;
        }
        result
    }

    /// Checks all positions and counts them.
    fn all(&self) -> Result<Statistics> {
        let blocks = (0..self.sector.blocks()).into_par_iter();
        let counts = blocks.map(|block| self.block(block));
        counts.try_reduce(Statistics::default, |a, b| Ok(a.plus(b)))
    }

    fn block(&self, block: usize) -> Result<Statistics> {
        let sector = self.sector;
        let orbits = Orbits::of(sector.opponent());
        let opponent = orbits.representative(block);
        let mut counts = Statistics::default();
        for ((rank, own), &value) in
            sector.men_of_block(block, 0).enumerate().zip(self.solved().block(block))
        {
            self.position([own, opponent], value)?;
            // Of the symmetric positions in the block only the first is counted.
            if orbits.is_least(block, own) {
                count(&mut counts, value, sector.index(block, rank));
            }
        }
        advance(self.verifier.observer, sector.block_len() as u64)?;
        Ok(counts)
    }

    #[inline]
    fn position(&self, [own, opponent]: Men, stored: Value) -> Result<()> {
        let position = self.sector.set_up(&self.start, own, opponent);
        let derived = self.derive(&position)?;
        if self.is_right(stored, derived) {
            return Ok(());
        }
        let words = words([stored, derived], self.has_distances);
        Err(differs(self.sector, position, words, "its moves"))
    }

    /// The value that follows for the side whose turn the sector is.
    fn derive(&self, position: &Position<R>) -> Result<Value> {
        if position.to_move() != self.sector.to_move() {
            // It has passed.
            return Ok(self.stored(position)?.before_move());
        }
        match position.ending() {
            Some(ending) => Ok(ending.into()),
            None => self.best(position),
        }
    }

    /// The best value that a move leads to.
    fn best(&self, position: &Position<R>) -> Result<Value> {
        let side = position.to_move();
        let mut best = Value::LOST;
        for mv in position.moves() {
            best = best.max(self.after(side, &position.after(mv))?);
        }
        Ok(best)
    }

    /// The value of a position after a move for the side that has moved. A removal belongs to the turn that
    /// earns it, and passing is a turn.
    #[inline]
    fn after(&self, side: Side, position: &Position<R>) -> Result<Value> {
        let value = match position.ending() {
            Some(ending) => ending.into(),
            None if position.pending() > 0 => self.best(position)?,
            None => self.stored(position)?,
        };
        Ok(match position.to_move() == side {
            false => value.before_move(),
            true if position.is_passed_back(side) => value.before_move().before_move(),
            true => value,
        })
    }

    /// The stored value of a position.
    #[inline]
    fn stored(&self, position: &Position<R>) -> Result<Value> {
        let side = position.to_move();
        let (own, opponent) = (position.men(side), position.men(!side));
        let needed = self.needed(position);
        if let Some(solved) = self.loaded(needed) {
            return Ok(solved.values()[needed.index_of(own, opponent)]);
        }
        let value = self.verifier.tablebase.read(needed, [own, opponent], self.has_distances);
        value.ok_or_else(|| self.missing(position))
    }

    /// The sector of a position that the check needs.
    fn needed(&self, position: &Position<R>) -> Sector {
        self.verifier.tablebase.game().sector_of(position).unwrap_or(self.sector)
    }

    /// The error where the value of a position is not known.
    fn missing(&self, position: &Position<R>) -> VerifyError {
        VerifyError::Missing(self.sector, self.needed(position))
    }

    #[inline]
    fn is_right(&self, stored: Value, derived: Value) -> bool {
        if self.has_distances {
            // One turn more than can be represented would become a draw one move before.
            stored == derived && stored.turns().is_none_or(|turns| turns <= Value::MOST_TURNS)
        } else {
            Wdl::from(stored) == Wdl::from(derived)
        }
    }

    fn solved(&self) -> &Solved {
        self.loaded(self.sector).expect("the sector is loaded before it is checked")
    }

    fn loaded(&self, sector: Sector) -> Option<&Solved> {
        self.verifier.loaded.iter().find(|solved| solved.sector == sector)
    }
}

/// Checking where draws come to rest: each against the draws that its moves lead to.
///
/// A draw above or below the rank of its sector follows from draws that are fewer turns from rest, so that
/// what passes is right by the same induction as distances are. While men are placed turns are not kept.
impl<R: Rules> Check<'_, R> {
    fn draw(&self, [own, opponent]: Men) -> Result<()> {
        let position = self.sector.set_up(&self.start, own, opponent);
        if position.ending().is_some() {
            return Ok(());
        }
        let stored = self.stored_draw(&position)?;
        let derived = self.best_draw(&position)?.map(|value| self.at_rest(value));
        let is_right = derived.is_some_and(|derived| {
            self.order().rank_of(derived) == self.order().rank_of(stored)
                && (self.sector.is_placing() || derived.turns == stored.turns)
        });
        if is_right {
            return Ok(());
        }
        let derived = derived.map_or("no draw".to_owned(), |derived| derived.to_string());
        Err(differs(self.sector, position, [stored.to_string(), derived], "its moves"))
    }

    fn order(&self) -> &DrawOrder {
        self.verifier.tablebase.draw_order()
    }

    /// The value with no turns, if it is that of the sector itself.
    fn at_rest(&self, value: DrawValue) -> DrawValue {
        let is_at_rest = self.order().rank_of(value) == self.order().rank(self.sector);
        let turns = value.turns.map(|turns| if is_at_rest { 0 } else { turns });
        DrawValue { turns, ..value }
    }

    /// The best draw that a move of the side to move leads to, or `None` if all lose.
    fn best_draw(&self, position: &Position<R>) -> Result<Option<DrawValue>> {
        let side = position.to_move();
        let mut draws = Vec::new();
        for mv in position.moves() {
            draws.extend(self.draw_after(side, &position.after(mv))?);
        }
        Ok(draws.into_iter().max_by_key(|&draw| self.order().preference(self.sector, draw)))
    }

    /// What a position after a move is worth to the side that has moved, if it draws; a removal belongs to the
    /// turn that earns it.
    fn draw_after(&self, side: Side, position: &Position<R>) -> Result<Option<DrawValue>> {
        if position.ending().is_some() {
            return Ok(None);
        }
        if position.to_move() == side && position.pending() > 0 {
            return self.best_draw(position);
        }
        match Wdl::from(self.stored(position)?) {
            Wdl::Draw => Ok(Some(self.stored_draw(position)?.before_move())),
            _ => Ok(None),
        }
    }

    fn stored_draw(&self, position: &Position<R>) -> Result<DrawValue> {
        self.verifier.tablebase.probe_draw(position).ok_or_else(|| self.missing(position))
    }
}

/// Counts one more position; not by the code that counted for the file, which is checked too.
fn count(counts: &mut Statistics, value: Value, index: usize) {
    let (count, longest) = match Wdl::from(value) {
        Wdl::Win => (&mut counts.wins, &mut counts.longest_win),
        Wdl::Loss => (&mut counts.losses, &mut counts.longest_loss),
        Wdl::Draw => return counts.draws += 1,
    };
    *count += 1;
    if let Some(turns) = value.turns()
        && longest.is_none_or(|longest| longest.turns < turns)
    {
        *longest = Some(Longest { turns, index: index as u64 });
    }
}

/// Compares what was counted with the statistics of the file.
pub fn compare(file: &SectorFile, counted: Statistics) -> Result<()> {
    let counted = if file.has_distances() { counted } else { counted.without_distances() };
    if counted == *file.statistics() {
        return Ok(());
    }
    let longest = |longest: Option<Longest>| match longest {
        Some(Longest { turns, index }) => format!("{turns} turns at index {index}"),
        None => "none".to_owned(),
    };
    let [stored, counted] = [*file.statistics(), counted].map(|statistics| {
        let Statistics { wins, draws, losses, longest_win, longest_loss } = statistics;
        let [win, loss] = [longest_win, longest_loss].map(longest);
        format!("{wins} won, {draws} drawn, {losses} lost, longest win {win}, longest loss {loss}")
    });
    let message = format!("{stored} by the file, but {counted} as counted");
    Err(VerifyError::Wrong(file.sector(), message))
}

/// What [`differs`] says of two values, whose distances may have no meaning.
pub fn words(values: [Value; 2], has_distances: bool) -> [String; 2] {
    let [stored, other] = values
        .map(|value| if has_distances { value.to_string() } else { Wdl::from(value).to_string() });
    [format!("is a {stored}"), format!("a {other}")]
}

/// The error where the file does not say of a position what `source` says.
pub fn differs(
    sector: Sector,
    position: impl Display,
    [stored, other]: [String; 2],
    source: impl Display,
) -> VerifyError {
    let message = format!("{position} {stored} by the file, but {other} by {source}");
    VerifyError::Wrong(sector, message)
}
