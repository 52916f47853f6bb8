//! A whole game and what is found out about its turns.

use std::io::{self, Write};

use indicatif::ProgressBar;
use millstone::analysis::{Analyst, ReviewedTurn, Tally, annotate};
use millstone::board::{BySide, Side};
use millstone::records::{Record, ReplayError};
use millstone::search::Silent;

use super::graph::Graph;
use super::source::Place;
use super::{game_json, scoresheet};
use crate::commands::terminal;

/// A game that was looked at turn by turn.
pub struct Review {
    /// The place of the game among all that is analyzed, from 1.
    pub number: usize,
    pub place: Place,
    pub record: Record,
    pub turns: Vec<ReviewedTurn>,
}

impl Review {
    /// Looks at a game, with a bar where somebody waits at a terminal.
    pub fn of(
        record: Record,
        place: Place,
        number: usize,
        analyst: &mut Analyst,
    ) -> Result<Self, ReplayError> {
        let bar = ProgressBar::new(record.turns()?.len() as u64);
        bar.set_style(terminal::bar_style("{bar:30} {pos} of {len} turns  {eta} left"));
        let turns = analyst.review(&record, &mut Silent, |_| bar.inc(1))?;
        bar.finish_and_clear();
        Ok(Self { number, place, record, turns })
    }

    /// How well each side played.
    pub fn tallies(&self) -> BySide<Tally> {
        BySide(Side::ALL.map(|side| Tally::of(&self.turns, side)))
    }

    /// Prints the turns, the graph of the scores and the tallies.
    pub fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        let width = terminal::width().unwrap_or(terminal::USUAL_WIDTH);
        scoresheet::write(self, width, out)?;
        Graph::new(&self.turns, width).write(out)?;
        scoresheet::write_tallies(&self.tallies(), out)
    }

    /// Prints a line for the game, one for each turn and one for the tallies.
    pub fn write_json(&self, out: &mut impl Write) -> io::Result<()> {
        game_json::write(self, out)
    }

    /// The record with all that was found out.
    pub fn annotated(&self) -> Record {
        let mut record = self.record.clone();
        annotate(&mut record, &self.turns);
        record
    }
}
