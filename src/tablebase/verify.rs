//! Verifying sector files by the plain rules of the game.
//!
//! Each position is set up on the board and each of its moves is played. The stored value must be the
//! one that follows from the values stored for the positions after the moves. No code of the solver is
//! used.
//!
//! If every position passes, all distances are right, by induction. Assume that the distances below
//! `n` are stored for exactly the positions that have them. A position stored with distance `n` has
//! moves to positions with lower stored distances from which `n` follows, so `n` is its distance. A
//! position whose distance is `n` has such moves as well, to positions whose lower distances are
//! stored, so `n` follows for it and has to be stored. All other positions are draws, and stored as
//! such.
//!
//! Without distances less is proved: wrong wins and losses that lead to each other in a cycle would
//! confirm each other.
//!
//! [`Verifier::compare`] compares with another tablebase instead, such as the files of another program.

use std::fmt::Display;
use std::path::Path;

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;
use thiserror::Error;

use super::file::{FileError, Flaw, SectorFile};
use super::folder::Tablebase;
use super::sector::{Longest, Men, Sector, Solved, Statistics, from_start};
use super::sets::Orbits;
use super::solve::{self, SolveError, SolveObserver, Stopped, Uncounted};
use super::value::{DrawValue, Value, Wdl};
use crate::board::Side;
use crate::position::Position;
use crate::rules::Rules;

/// The error of verifying a sector, in one line that names the sector first.
#[derive(Debug, Error)]
pub enum VerifyError {
    /// A needed file, of this or another sector, is missing or unusable.
    #[error("{0}: cannot be verified without sector {1}")]
    Missing(Sector, Sector),
    /// A value is unknown to one of two folders, as a sector that it follows from has no file there.
    #[error("{0}: cannot be compared, as one of the folders lacks a sector that it follows from")]
    Lacking(Sector),
    /// A needed file is damaged.
    #[error("{0}: {1}")]
    File(Sector, FileError),
    /// The file differs from what follows, or from another file: a message.
    #[error("{0}: {1}")]
    Wrong(Sector, String),
    /// The observer stopped the check.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// The result of a check of a sector.
type Result<T> = std::result::Result<T, VerifyError>;

/// Verifies sectors one after the other.
pub struct Verifier<'a> {
    tablebase: &'a Tablebase,
    observer: &'a dyn SolveObserver,
    /// The sectors in memory: the last one verified, and those that it needed.
    loaded: Vec<Solved>,
}

/// What was verified in a sector without errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verified {
    /// The number of positions checked, including symmetric ones.
    pub positions: u64,
    /// Whether distances were checked too, not only wins, draws and losses.
    pub has_distances: bool,
    /// Whether the check included where draws come to rest.
    pub has_draws: bool,
}

impl<'a> Verifier<'a> {
    /// Creates a verifier of a tablebase.
    pub fn new(tablebase: &'a Tablebase, observer: &'a dyn SolveObserver) -> Self {
        Self { tablebase, observer, loaded: Vec::new() }
    }

    /// Verifies the checksums of a sector file and the values of a sample of its positions, or of all. If it is
    /// all, they are also counted, and the counts compared with the statistics of the file.
    ///
    /// # Errors
    ///
    /// When a value is wrong, a needed sector is missing or damaged, or the observer stops it.
    pub fn verify(&mut self, sector: Sector, sample: Option<Sample>) -> Result<Verified> {
        let file = self.file(sector, sector)?;
        let has_distances = self.load(sector, sample)?;
        let verified = from_start!(self.tablebase.game(), |start| {
            Check { verifier: self, sector, start: *start, has_distances }.run(file, sample)
        });
        if !has_distances {
            // The next sector may need them.
            self.loaded.clear();
        }
        verified
    }

    /// Checks the files that verifying a sector needs, and loads them unless reading single values is faster. Returns
    /// whether all of them have distances.
    fn load(&mut self, sector: Sector, sample: Option<Sample>) -> Result<bool> {
        let next = self.tablebase.game().leads_to(sector);
        let needed: Vec<Sector> = [sector].into_iter().chain(next).collect();
        let good_file = |&needed: &Sector| {
            let file = self.file(sector, needed)?;
            file.check().map_err(|error| VerifyError::File(sector, error))?;
            Ok(file)
        };
        let files: Vec<&SectorFile> = needed.iter().map(good_file).collect::<Result<_>>()?;
        // Free what is not needed before more is loaded.
        self.loaded.retain(|solved| needed.contains(&solved.sector));
        let has_distances = files.iter().all(|file| file.has_distances());
        let is_small =
            |sample: Sample| sample.positions < sector.len() as u64 / SINGLY_BELOW_ONE_IN;
        // The distances of wins may need the sectors that these lead to.
        let is_good = |file: &SectorFile| file.has_distances() && file.check().is_ok();
        let is_readable = |sector| self.tablebase.file(sector).is_some_and(is_good);
        let mut read = needed.iter().flat_map(|&sector| self.tablebase.read_for(sector, true));
        let is_loaded = !sample.is_some_and(is_small) || has_distances && !read.all(is_readable);
        for file in files.into_iter().filter(|_| is_loaded) {
            if self.loaded.iter().all(|solved| solved.sector != file.sector()) {
                self.loaded.push(self.read_all(sector, file, has_distances)?);
            }
        }
        Ok(has_distances)
    }

    /// Reads all values of a file that verifying a sector needs.
    fn read_all(&self, sector: Sector, file: &SectorFile, has_distances: bool) -> Result<Solved> {
        let check = || solve::check(self.observer).map_err(SolveError::from);
        let solved = if has_distances {
            self.tablebase.load_unless(file, &self.loaded, check)
        } else {
            file.load_unless(check)
        };
        solved.map_err(|error| match error {
            SolveError::File(error) => VerifyError::File(sector, error),
            _ => Stopped.into(),
        })
    }

    /// Returns a file that verifying a sector needs.
    fn file(&self, sector: Sector, needed: Sector) -> Result<&'a SectorFile> {
        self.tablebase.file(needed).ok_or(VerifyError::Missing(sector, needed))
    }

    /// Compares the values of a sample of the positions of a sector, or of all, with those of another tablebase of
    /// the game, which may consist of Malom's files. Distances are compared if both have them, and where draws come to
    /// rest if both know that and prefer the same sectors.
    ///
    /// # Errors
    ///
    /// When a position has two values, a sector is missing, a file is damaged, or the observer stops it.
    pub fn compare(
        &self,
        other: &Tablebase,
        sector: Sector,
        sample: Option<Sample>,
    ) -> Result<Verified> {
        let (tablebase, file) = (self.tablebase, self.file(sector, sector)?);
        let missing = || VerifyError::Lacking(sector);
        let has_distances = file.has_distances() && other.source(sector, true).is_some();
        let undamaged = |other: &Tablebase| {
            let mut read = [tablebase, other].into_iter();
            undamaged(sector, read.find_map(|of| of.damage_of(sector, has_distances)))
        };
        undamaged(other)?;
        let sample = Sample::within(sector, sample);
        let is_whole = sample.positions == sector.len() as u64;
        // If a file is damaged, reading it position by position tells where that matters.
        let in_memory = (is_whole && !has_distances)
            .then(|| other.in_memory_for(sector, self.observer))
            .transpose()?
            .flatten();
        let other = in_memory.as_ref().unwrap_or(other);
        let source = other.source(sector, has_distances);
        let source = source.ok_or(VerifyError::Missing(sector, sector))?;
        let prefers_same = tablebase.draw_order().favourable() == other.draw_order().favourable();
        let [own, draws] = [tablebase, other].map(|of| of.draw_source(sector));
        let draws = draws.filter(|_| prefers_same && own.is_some());
        let start = Position::start(*other.game().rules());
        let differs = |[own, opponent]: Men, words, source: &Path| {
            differs(sector, sector.set_up(&start, own, opponent), words, source.display())
        };
        let compare = |solved: &Option<Solved>, index: usize, men: Men| {
            let stored = match solved {
                Some(solved) => Some(solved.values()[index]),
                None => tablebase.read(sector, men, has_distances),
            };
            let found = other.read(sector, men, has_distances);
            let (stored, found) = stored.zip(found).ok_or_else(missing)?;
            if stored != found && (has_distances || Wdl::from(stored) != Wdl::from(found)) {
                return Err(differs(men, words([stored, found], has_distances), source));
            }
            let Some(source) = draws.filter(|_| Wdl::from(stored) == Wdl::Draw) else {
                return Ok(());
            };
            let draws = [tablebase, other].map(|of| of.draw_value(sector, men[0], men[1]));
            let [Some(stored), Some(found)] = draws else { return Err(missing()) };
            let turns = stored.turns.zip(found.turns);
            if stored.rest == found.rest && turns.is_none_or(|(stored, found)| stored == found) {
                return Ok(());
            }
            Err(differs(men, [stored, found].map(|value| value.to_string()), source))
        };
        // A quiet file has bounds.
        let has_values = is_whole && !file.is_quiet();
        let solved = has_values.then(|| self.read_all(sector, file, has_distances)).transpose();
        let compared = solved.and_then(|solved| {
            sample.visit(sector, self.observer, |index, men| compare(&solved, index, men))
        });
        if matches!(compared, Ok(()) | Err(VerifyError::Lacking(_))) {
            undamaged(other)?;
        }
        compared?;
        Ok(Verified { positions: sample.positions, has_distances, has_draws: draws.is_some() })
    }
}

/// A random sample of the positions of a sector, evenly spread.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// The number of positions; all if the sector has no more.
    pub positions: u64,
    /// The seed of the random choice.
    pub seed: u64,
}

/// A sample of less than one position in so many is read value by value: the moves of one take some hundred
/// microseconds, loading a sector up to one for each of its positions.
const SINGLY_BELOW_ONE_IN: u64 = 5_000;

/// The number of positions of a sample that are checked at a time.
const RUN: u64 = 1 << 12;

impl Sample {
    /// Limits a sample to the positions of a sector; `None` takes all of them.
    fn within(sector: Sector, sample: Option<Self>) -> Self {
        let all = sector.len() as u64;
        let Self { positions, seed } = sample.unwrap_or(Self { positions: all, seed: 0 });
        Self { positions: positions.min(all), seed }
    }

    /// Checks each position, given by its index and the men of both sides: one at random from each of
    /// `positions` stretches of equal length.
    fn visit(
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
                check(index, sector.position(index).into())?;
            }
            advance(observer, checked)
        })
    }
}

/// Fails if there is damage in a file that verifying a sector reads: then a value is missing or comes from another
/// file.
fn undamaged(sector: Sector, damage: Option<FileError>) -> Result<()> {
    damage.map_or(Ok(()), |error| Err(VerifyError::File(sector, error)))
}

/// Reports progress, unless it is time to stop.
fn advance(observer: &dyn SolveObserver, positions: u64) -> Result<()> {
    observer.advance(positions);
    Ok(solve::check(observer)?)
}

/// A check of a sector.
struct Check<'a, R: Rules> {
    /// The verifier, which has the sector in memory.
    verifier: &'a Verifier<'a>,
    sector: Sector,
    /// A position of the game, from which others are set up.
    start: Position<R>,
    /// Whether distances are checked too, not only wins, draws and losses.
    has_distances: bool,
}

impl<R: Rules> Check<'_, R> {
    /// Checks a sample of the positions, or all and their counts.
    fn run(&self, file: &SectorFile, sample: Option<Sample>) -> Result<Verified> {
        let sample = Sample::within(self.sector, sample);
        if sample.positions < self.sector.len() as u64 {
            let some = sample.visit(self.sector, self.verifier.observer, |_, men| {
                self.position(men, self.read(self.sector, men)?)
            });
            self.unless_damaged(some)?;
        } else {
            let blocks = (0..self.sector.blocks()).into_par_iter().map(|block| self.block(block));
            let counts = blocks.try_reduce(Statistics::default, |a, b| Ok(a.plus(b)));
            compare(file, self.unless_damaged(counts)?)?;
        }
        let has_draws = file.has_draws();
        if has_draws {
            let observer = Uncounted(self.verifier.observer);
            let draws = sample.visit(self.sector, &observer, |_, men| {
                let is_drawn = Wdl::from(self.read(self.sector, men)?) == Wdl::Draw;
                if is_drawn { self.draw(men) } else { Ok(()) }
            });
            self.unless_damaged(draws)?;
        }
        let has_distances = self.has_distances;
        Ok(Verified { positions: sample.positions, has_distances, has_draws })
    }

    /// Returns the result of a check, unless a file that it read was found damaged meanwhile; a stop stays one.
    fn unless_damaged<T>(&self, result: Result<T>) -> Result<T> {
        if matches!(result, Err(VerifyError::Stopped(_))) {
            return result;
        }
        let (tablebase, sector) = (self.verifier.tablebase, self.sector);
        let mut read = tablebase.game().leads_to(sector).into_iter().chain([sector]);
        let damage = read.find_map(|sector| tablebase.damage_of(sector, self.has_distances));
        undamaged(sector, damage).and(result)
    }

    /// Checks the positions of a block and counts them.
    fn block(&self, block: usize) -> Result<Statistics> {
        let sector = self.sector;
        let orbits = Orbits::of(sector.opponent());
        let opponent = orbits.representative(block);
        let solved = self.loaded(sector).expect("the sector is loaded before it is checked");
        let mut counts = Statistics::default();
        let men = sector.men_of_block(block, 0).enumerate();
        for ((rank, own), &value) in men.zip(solved.block(block)) {
            self.position([own, opponent], value)?;
            // Of the symmetric positions in the block only the first is counted.
            if orbits.is_least(block, own) {
                counts = counts.plus(count(value, sector.index(block, rank)));
            }
        }
        advance(self.verifier.observer, sector.block_len() as u64)?;
        Ok(counts)
    }

    fn position(&self, [own, opponent]: Men, stored: Value) -> Result<()> {
        let position = self.sector.set_up(&self.start, own, opponent);
        let derived = match position.ending() {
            // The side to move in the sector has passed.
            _ if position.to_move() != self.sector.to_move() => {
                self.stored(&position)?.before_move()
            }
            Some(ending) => ending.into(),
            None => self.best(&position)?,
        };
        let is_right = if self.has_distances {
            // One turn more than can be represented would become a draw one move before.
            stored == derived && stored.turns().is_none_or(|turns| turns <= Value::MOST_TURNS)
        } else {
            Wdl::from(stored) == Wdl::from(derived)
        };
        if is_right {
            return Ok(());
        }
        let words = words([stored, derived], self.has_distances);
        Err(differs(self.sector, position, words, "its moves"))
    }

    /// Returns the best value that a move leads to.
    fn best(&self, position: &Position<R>) -> Result<Value> {
        let (moves, side) = (position.moves(), position.to_move());
        let mut values = moves.iter().map(|&mv| self.after(side, &position.after(mv)));
        values.try_fold(Value::LOST, |best, value| Ok(best.max(value?)))
    }

    /// Returns the value of a position after a move, for the side that has moved. A removal belongs to the turn
    /// that earns it, and a pass is a turn.
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

    /// Returns the stored value of a position.
    fn stored(&self, position: &Position<R>) -> Result<Value> {
        self.read(self.needed(position), [position.own_men(), position.opponent_men()])
    }

    /// Returns the stored value of a position of a sector that the check needs.
    fn read(&self, needed: Sector, [own, opponent]: Men) -> Result<Value> {
        if let Some(solved) = self.loaded(needed) {
            return Ok(solved.values()[needed.index_of(own, opponent)]);
        }
        let file = self.verifier.file(self.sector, needed)?;
        let value = file.read_value(needed.index_of(own, opponent));
        let value = value.map_err(|error| VerifyError::File(self.sector, error))?;
        if !(self.has_distances && file.leaves_out_wins() && value.is_win()) {
            return Ok(value);
        }
        let position = needed.set_up(&self.start, own, opponent);
        let best = self.verifier.tablebase.shortest_win(&position);
        let unknown = || FileError::new(file.path(), Flaw::NoDistances);
        let best = best.ok_or_else(|| VerifyError::File(self.sector, unknown()))?;
        // A win that no move confirms stays as it is read, as in a whole sector.
        Ok(if best.is_win() { best } else { value })
    }

    /// Returns the sector of a position that the check needs.
    fn needed(&self, position: &Position<R>) -> Sector {
        self.verifier.tablebase.game().sector_of(position).unwrap_or(self.sector)
    }

    fn loaded(&self, sector: Sector) -> Option<&Solved> {
        self.verifier.loaded.iter().find(|solved| solved.sector == sector)
    }
}

/// Checking where draws come to rest: each against the draws that its moves lead to.
///
/// A draw above or below the rank of its sector follows from draws that are fewer turns from rest, so a draw
/// that passes is right by the same induction as a distance. In the placing phase turns are not stored.
impl<R: Rules> Check<'_, R> {
    fn draw(&self, [own, opponent]: Men) -> Result<()> {
        let position = self.sector.set_up(&self.start, own, opponent);
        if position.ending().is_some() {
            return Ok(());
        }
        let stored = self.stored_draw(&position)?;
        let order = self.verifier.tablebase.draw_order();
        let derived = self.best_draw(&position)?.map(|value| {
            // A draw that comes to rest in the sector itself is at rest.
            let is_at_rest = order.rank_of(value) == order.rank(self.sector);
            DrawValue {
                turns: value.turns.map(|turns| if is_at_rest { 0 } else { turns }),
                ..value
            }
        });
        let is_right = derived.is_some_and(|derived| {
            order.rank_of(derived) == order.rank_of(stored)
                && (self.sector.is_placing() || derived.turns == stored.turns)
        });
        if is_right {
            return Ok(());
        }
        let derived = derived.map_or("no draw".to_owned(), |derived| derived.to_string());
        Err(differs(self.sector, position, [stored.to_string(), derived], "its moves"))
    }

    /// Returns the best draw that a move of the side to move leads to, or `None` if no move draws.
    fn best_draw(&self, position: &Position<R>) -> Result<Option<DrawValue>> {
        let (order, side) = (self.verifier.tablebase.draw_order(), position.to_move());
        let mut draws = Vec::new();
        for mv in position.moves() {
            draws.extend(self.draw_after(side, &position.after(mv))?);
        }
        Ok(draws.into_iter().max_by_key(|&draw| order.preference(self.sector, draw)))
    }

    /// Returns the value of a drawn position after a move, for the side that has moved; a removal belongs to the turn
    /// that earns it.
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
        let missing = || VerifyError::Missing(self.sector, self.needed(position));
        self.verifier.tablebase.probe_draw(position).ok_or_else(missing)
    }
}

/// Counts a position, independently of the code that counted for the file, which is checked too.
fn count(value: Value, index: usize) -> Statistics {
    let longest = value.turns().map(|turns| Longest { turns, index: index as u64 });
    let none = Statistics::default();
    match Wdl::from(value) {
        Wdl::Win => Statistics { wins: 1, longest_win: longest, ..none },
        Wdl::Draw => Statistics { draws: 1, ..none },
        Wdl::Loss => Statistics { losses: 1, longest_loss: longest, ..none },
    }
}

/// Compares counts with the statistics of the file.
fn compare(file: &SectorFile, counted: Statistics) -> Result<()> {
    let counted = if file.has_distances() { counted } else { counted.without_distances() };
    if counted == *file.statistics() {
        return Ok(());
    }
    let words = |Longest { turns, index }| format!("{turns} turns at index {index}");
    let longest = |longest: Option<Longest>| longest.map_or("none".to_owned(), words);
    let [stored, counted] = [*file.statistics(), counted].map(|statistics| {
        let Statistics { wins, draws, losses, longest_win, longest_loss } = statistics;
        let [win, loss] = [longest_win, longest_loss].map(longest);
        format!("{wins} won, {draws} drawn, {losses} lost, longest win {win}, longest loss {loss}")
    });
    let message = format!("{stored} by the file, but {counted} as counted");
    Err(VerifyError::Wrong(file.sector(), message))
}

/// Returns the words of [`differs`] for two values, with or without their distances.
fn words(values: [Value; 2], has_distances: bool) -> [String; 2] {
    let [stored, other] = values
        .map(|value| if has_distances { value.to_string() } else { Wdl::from(value).to_string() });
    [format!("is a {stored}"), format!("a {other}")]
}

/// Returns the error for a position on which the file and `source` differ.
fn differs(
    sector: Sector,
    position: impl Display,
    [stored, other]: [String; 2],
    source: impl Display,
) -> VerifyError {
    let message = format!("{position} {stored} by the file, but {other} by {source}");
    VerifyError::Wrong(sector, message)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use tempfile::TempDir;

    use super::*;
    use crate::rules::Identity;
    use crate::tablebase::build::{Build, Scope};
    use crate::tablebase::file::{self, Kept};
    use crate::tablebase::folder::sector_path;
    use crate::tablebase::jobs::Distances;
    use crate::tablebase::sector::Solvable;
    use crate::tablebase::sector::Statistics;
    use crate::tablebase::solve::Unobserved;
    use crate::tablebase::value::Value;

    const GAME: Solvable = Solvable::STANDARD;

    fn identity() -> Identity {
        GAME.rules().identity()
    }

    fn sector(own: usize, opponent: usize) -> Sector {
        Sector::new(own, opponent).unwrap()
    }

    fn build(most_men: usize, distances: Distances) -> TempDir {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().to_owned();
        let build = Build {
            game: GAME,
            folder: path,
            scope: Scope::UpTo { men: most_men, in_hand: 0 },
            distances,
            most_memory: None,
        };
        build.run(&Unobserved).unwrap();
        folder
    }

    /// Verifies a sector of a folder, all of it or `sample` positions.
    fn verify(folder: &Path, sector: Sector, sample: Option<u64>) -> Result<Verified> {
        let report = &mut |error| panic!("{error}");
        let tablebase = Tablebase::open(folder, GAME, report).unwrap();
        let sample = sample.map(|positions| Sample { positions, seed: 1 });
        Verifier::new(&tablebase, &Unobserved).verify(sector, sample)
    }

    /// Rewrites the sector of three men each with changed values.
    fn rewrite(folder: &Path, has_distances: bool, change: impl FnOnce(&mut [Value])) {
        let path = sector_path(folder, sector(3, 3));
        let solved = SectorFile::open(&path, sector(3, 3), identity()).unwrap().load().unwrap();
        let mut values = solved.values().to_vec();
        change(&mut values);
        let solved = Solved::from_values(sector(3, 3), values);
        let kept = if has_distances { Kept::Distances } else { Kept::Wdl };
        file::write(&path, &solved, identity(), kept).unwrap();
    }

    #[test]
    fn right_sectors_pass_and_wait_for_their_smaller_ones() {
        let folder = build(7, Distances::Moving);
        let all = sector(3, 3).len() as u64;
        for (own, opponent, sample, positions) in [
            (3, 3, None, all),
            (3, 3, Some(all + 1), all),
            (3, 4, Some(9_999), 9_999),
            (3, 4, Some(99), 99),
        ] {
            let verified = verify(folder.path(), sector(own, opponent), sample).unwrap();
            assert_eq!(verified, Verified { positions, has_distances: true, has_draws: false });
        }
        fs::remove_file(sector_path(folder.path(), sector(3, 3))).unwrap();
        assert!(verify(folder.path(), sector(4, 3), Some(9_999)).is_ok(), "it has no need of 3-3");
        let error = verify(folder.path(), sector(3, 4), Some(9_999)).unwrap_err();
        assert_eq!(error.to_string(), "3-4: cannot be verified without sector 3-3");
    }

    #[test]
    fn a_wrong_distance_is_found() {
        let folder = build(6, Distances::Moving);
        for (from, to) in [(3, 5), (4, 2)] {
            let [from, to] = [from, to].map(Value::ends_in);
            let mut changed = 0;
            rewrite(folder.path(), true, |values| {
                changed = values.iter().position(|&value| value == from).unwrap();
                values[changed] = to;
            });
            let error = verify(folder.path(), sector(3, 3), None).unwrap_err();
            assert!(
                matches!(&error, VerifyError::Wrong(_, words) if of_file(words).contains(" in ")),
                "{error}"
            );
            rewrite(folder.path(), true, |values| values[changed] = from);
        }
        rewrite(folder.path(), true, |values| {
            values
                .iter_mut()
                .filter(|value| value.is_loss())
                .for_each(|value| *value = Value::DRAW);
        });
        let error = verify(folder.path(), sector(3, 3), Some(41)).unwrap_err();
        assert!(matches!(error, VerifyError::Wrong(..)), "a small sample finds it too: {error}");
    }

    /// The part of a message about the file.
    fn of_file(words: &str) -> &str {
        words.split(" by the file").next().unwrap_or_default()
    }

    #[test]
    fn a_wrong_value_is_found_without_distances() {
        let folder = build(6, Distances::None);
        let verified = verify(folder.path(), sector(3, 3), None).unwrap();
        assert!(!verified.has_distances);
        rewrite(folder.path(), false, |values| {
            let drawn = values.iter().position(|&value| value == Value::DRAW).unwrap();
            values[drawn] = Value::LOST;
        });
        let error = verify(folder.path(), sector(3, 3), None).unwrap_err();
        assert!(
            matches!(&error, VerifyError::Wrong(_, words) if !of_file(words).contains(" in ")),
            "{error}"
        );
    }

    /// Damages a page in the middle of a file.
    fn damage(folder: &Path, sector: Sector) {
        let path = sector_path(folder, sector);
        let mut bytes = fs::read(&path).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        fs::write(&path, bytes).unwrap();
    }

    /// A file that was found damaged before is not told as missing.
    #[test]
    fn every_comparison_tells_the_damage_of_its_files() {
        let [good, bad] = [0, 1].map(|_| build(7, Distances::Moving));
        let damaged = [sector(3, 4), sector(3, 3)];
        for sector in damaged {
            damage(bad.path(), sector);
        }
        let open = |folder: &Path| Tablebase::open(folder, GAME, &mut |_| {}).unwrap();
        let [good, bad] = [&good, &bad].map(|folder| open(folder.path()));
        let verifier = Verifier::new(&good, &Unobserved);
        for sector in [damaged, damaged].concat() {
            let error = verifier.compare(&bad, sector, None).unwrap_err();
            assert!(matches!(error, VerifyError::File(..)), "{error}");
        }
    }

    #[test]
    fn damage_is_found_in_a_sample_too() {
        let folder = build(7, Distances::Moving);
        damage(folder.path(), sector(3, 3));
        let error = verify(folder.path(), sector(3, 3), Some(1)).unwrap_err();
        assert!(
            matches!(&error, VerifyError::File(_, error) if error.may_be_set_aside()),
            "{error}"
        );
        let tablebase = Tablebase::open(folder.path(), GAME, &mut |_| {}).unwrap();
        let mut verifier = Verifier::new(&tablebase, &Unobserved);
        let mut verify = |own, opponent| {
            let sample = Some(Sample { positions: 9, seed: 1 });
            verifier.verify(sector(own, opponent), sample).is_ok()
        };
        assert_eq!([verify(3, 3), verify(4, 3), verify(3, 4)], [false, true, false]);
    }

    #[test]
    fn wrong_counts_are_found() {
        let folder = build(6, Distances::Moving);
        let path = sector_path(folder.path(), sector(3, 3));
        let file = SectorFile::open(&path, sector(3, 3), identity()).unwrap();
        let counts = *file.statistics();
        assert!(compare(&file, counts).is_ok());
        let counts = Statistics { wins: counts.wins - 1, losses: counts.losses + 1, ..counts };
        let error = compare(&file, counts).unwrap_err();
        assert!(error.to_string().contains("counted"), "{error}");
    }
}
