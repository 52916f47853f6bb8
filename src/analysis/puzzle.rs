//! Puzzles: positions in which exactly one turn keeps the win or the draw.

use std::cmp::Reverse;
use std::error::Error;
use std::iter;
use std::ops::RangeInclusive;

use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use crate::board::Side;
use crate::board::lines::{Diagonals, count_mills};
use crate::game::Game;
use crate::position::{Position, Turn};
use crate::quote::quote;
use crate::rules::{DrawRules, RuleSet};
use crate::score::Score;
use crate::search::{Engine, Limits, Silent, Skill};
use crate::tablebase::{Sector, SectorFile, Tablebase, Value, Wdl};

/// A position in which only one turn keeps the win or the draw, according to the tablebase and, if it
/// has distances, within the draw rules. As text it is a line of a puzzle list, such as `POSITION; win; d2-d1xa4; 6`.
#[derive(Clone, Debug, PartialEq, Eq, derive_more::Display)]
#[display("{position}; {wdl}; {solution}; {level}")]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Puzzle {
    /// The text of the position.
    pub position: String,
    /// Its value for the side to move: a win or a draw.
    #[cfg_attr(feature = "serde", serde(rename = "worth"))]
    pub wdl: Wdl,
    /// The turn that keeps this value.
    pub solution: Turn,
    /// The lowest level that usually finds the solution: a multiple of [`STEP`](Self::STEP), or full
    /// strength.
    pub level: u32,
}

/// The fewest men on the board in sectors drawn by default, fewer for games with few men.
const FEWEST_MEN: usize = 7;
/// The number of tries at each level, and how many of them may fail.
const TRIES: u64 = 4;
const MOST_MISSES: usize = 1;
/// The strongest level tried.
const STRONGEST: u32 = 18;

impl Puzzle {
    /// The step between the levels tried.
    pub const STEP: u32 = 3;
    /// The size of the transposition table of an engine that grades puzzles, in MiB.
    pub const TABLE_SIZE: usize = 4;
    /// The most positions to draw for one puzzle before giving up.
    pub const MOST_DRAWN: usize = 20_000;

    /// Draws random positions; yields the puzzle of each position, or `None` if it is not one that is asked for.
    ///
    /// * `sector`: the sector to draw from; by default all with enough men.
    /// * `levels`: the range of levels, 0 to full strength.
    /// * `most_turns`: the most turns the side to move may need to win; needs a tablebase with distances.
    /// * `engine`: as for [`of`](Self::of).
    ///
    /// # Errors
    ///
    /// If the tablebase has no such sector.
    pub fn drawn<'a>(
        rules: &'a RuleSet,
        tablebase: &'a Tablebase,
        sector: Option<Sector>,
        levels: RangeInclusive<u32>,
        most_turns: Option<u16>,
        seed: u64,
        engine: &'a mut Engine,
    ) -> Result<impl Iterator<Item = Option<Self>> + use<'a>, String> {
        let sectors = sectors(tablebase, sector)?;
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        Ok(iter::repeat_with(move || {
            let sector = sectors.choose(&mut random)?.choose(&mut random)?.sector();
            let (own, opponent) = sector.position(random.random_range(0..sector.len()));
            let position = sector.set_up(&Position::start(*rules), own, opponent);
            if !are_mills_paid(&position) {
                return None;
            }
            let game = Game::from_text(&position.to_string(), *rules, DrawRules::default()).ok()?;
            let is_short = most_turns.is_none_or(|most| {
                tablebase.probe_value(&position).is_some_and(|value| Self::own_turns(value) <= most)
            });
            is_short.then(|| Self::of(&game, tablebase, engine, &levels)).flatten()
        }))
    }

    /// Returns the puzzle of a game's position, if it is one and its level is in `levels`.
    ///
    /// * `engine`: grades the puzzle; must not have a tablebase.
    pub fn of(
        game: &Game,
        tablebase: &Tablebase,
        engine: &mut Engine,
        levels: &RangeInclusive<u32>,
    ) -> Option<Self> {
        let (wdl, solution) = only_turn(game, tablebase)?;
        let level = grade(game, &solution, engine, *levels.end());
        let level = level.filter(|level| levels.contains(level))?;
        Some(Self { position: game.text().to_string(), wdl, solution, level })
    }

    /// The number of turns the side to move needs to win; 0 for a draw.
    pub fn own_turns(value: Value) -> u16 {
        value.turns().map_or(0, |turns| Score::turns_of_winner(turns.into()))
    }

    /// Parses a line of a puzzle list, such as `POSITION; win; d2-d1xa4; 6`.
    ///
    /// # Errors
    ///
    /// If the line is malformed or the solution illegal.
    pub fn from_text(line: &str, rules: &RuleSet) -> Result<Self, Box<dyn Error>> {
        let parts: Vec<&str> = line.split(';').map(str::trim).collect();
        let [position, worth, solution, level] = parts[..] else {
            return Err("expected position; win or draw; turn; level".into());
        };
        let wdl = [Wdl::Win, Wdl::Draw].into_iter().find(|wdl| wdl.to_string() == worth);
        let wdl = wdl.ok_or_else(|| format!("expected win or draw, found '{}'", quote(worth)))?;
        let solution: Turn = solution.parse()?;
        let most = Skill::FULL.level();
        let expected = || format!("expected a level from 0 to {most}, found '{}'", quote(level));
        let level = level.parse().ok().filter(|&level| level <= most).ok_or_else(expected)?;
        let mut game = Game::from_text(position, *rules, DrawRules::default())?;
        let (position, side) = (game.text().to_string(), game.to_move());
        solution.moves().iter().try_for_each(|&mv| game.play(mv))?;
        if game.is_within_turn(side) {
            return Err(format!("{solution} is not a whole turn").into());
        }
        Ok(Self { position, wdl, solution, level })
    }
}

/// The sectors to draw puzzles from, by phase: the wanted one, or else all with enough men whose successors the
/// tablebase has.
fn sectors(tablebase: &Tablebase, wanted: Option<Sector>) -> Result<Vec<Vec<&SectorFile>>, String> {
    // Puzzles of a small game may begin with two men still in hand.
    let fewest = FEWEST_MEN.min(tablebase.game().men() - 2);
    let is_wanted = |file: &&SectorFile| {
        let sector = file.sector();
        let is_there = |after| tablebase.source(after, false).is_some();
        let has_next = || tablebase.game().leads_to(sector).into_iter().all(is_there);
        wanted.map_or_else(|| sector.men() >= fewest && has_next(), |wanted| sector == wanted)
    };
    let files = tablebase.files().filter(is_wanted);
    let (placing, moving): (Vec<_>, Vec<_>) = files.partition(|file| file.sector().is_placing());
    let mut phases = vec![placing, moving];
    phases.retain(|sectors| !sectors.is_empty());
    let missing = wanted.map_or("with enough men".to_owned(), |wanted| format!("'{wanted}'"));
    let has_none = || format!("the tablebase has no sector {missing}");
    Some(phases).filter(|phases| !phases.is_empty()).ok_or_else(has_none)
}

/// Whether each side has lost enough men to account for the other's mills: a turn closes at most as many mills as
/// there are lines through a point.
fn are_mills_paid(position: &Position<RuleSet>) -> bool {
    let rules = position.rules();
    let most_in_turn = if rules.diagonals == Diagonals::With { 3 } else { 2 };
    Side::ALL.into_iter().all(|side| {
        let lost = rules.men.saturating_sub(position.count_men(!side));
        count_mills(position.men(side), rules.diagonals) <= most_in_turn * u32::from(lost)
    })
}

/// The only turn that keeps the win or the draw, if there are other turns and all values are known.
fn only_turn(game: &Game, tablebase: &Tablebase) -> Option<(Wdl, Turn)> {
    let side = game.to_move();
    if game.outcome().is_some() || game.position().owed(side) != 0 {
        return None;
    }
    let worth = |(turn, after): (Turn, Game)| {
        let wdl = tablebase.certain_wdl(&after)?;
        Some((if after.to_move() == side { wdl } else { wdl.before_move() }, turn))
    };
    let mut turns: Vec<(Wdl, Turn)> = game.turns().into_iter().map(worth).collect::<Option<_>>()?;
    turns.sort_by_key(|(wdl, _)| Reverse(*wdl));
    let [best, second, ..] = &turns[..] else { return None };
    (best.0 > second.0).then(|| best.clone())
}

/// The lowest level, at most `most`, that usually finds the solution.
fn grade(game: &Game, solution: &Turn, engine: &mut Engine, most: u32) -> Option<u32> {
    let mut levels = (0..=STRONGEST.min(most)).step_by(Puzzle::STEP as usize);
    let lowest = levels.find(|&level| {
        let skill = Skill::of_level(level);
        let mut misses = (0..TRIES).filter(|&seed| !is_found(game, solution, engine, skill, seed));
        misses.nth(MOST_MISSES).is_none()
    });
    lowest.or((most >= Skill::FULL.level()).then_some(Skill::FULL.level()))
}

/// Whether the engine finds the solution at a level.
fn is_found(game: &Game, solution: &Turn, engine: &mut Engine, skill: Skill, seed: u64) -> bool {
    engine.clear();
    engine.settings.shuffle = Some(seed);
    let mut game = game.clone();
    solution.moves().iter().all(|&mv| {
        let found = engine.search_with_skill(&game, &Limits::none(), skill, seed, &mut Silent);
        found.best() == Some(mv) && game.play(mv).is_ok()
    })
}
