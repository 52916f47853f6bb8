//! A reviewed game for programs.

use std::io::{self, Write};

use millstone::analysis::{Fault, ReviewedTurn, Tally, WhiteScore};
use millstone::board::Side;
use millstone::search::Variation;
use serde::Serialize;

use super::game::Review;
use super::position::result;
use super::score::JsonScore;
use super::source::Place;
use crate::commands::json;

/// The first line of a game.
#[derive(Serialize)]
struct Heading<'a> {
    game: usize,
    #[serde(flatten)]
    place: &'a Place,
    white: Option<&'a str>,
    black: Option<&'a str>,
    result: &'static str,
    rules: String,
    start: Option<&'a str>,
}

/// The line of a turn.
#[derive(Serialize)]
struct TurnLine {
    game: usize,
    number: u32,
    side: String,
    turn: String,
    score: JsonScore,
    /// The depth of the search.
    depth: u32,
    /// The share of the point that the turn gives away.
    loss: f32,
    mark: Option<&'static str>,
    better: Option<Better>,
    /// The result that is known before and after the turn.
    known: [Option<&'static str>; 2],
}

/// What should have been played instead of a move of a turn.
#[derive(Serialize)]
struct Better {
    /// The move of the turn, from 1.
    instead_of: usize,
    score: JsonScore,
    moves: Vec<String>,
}

/// The last line of a game.
#[derive(Serialize)]
struct Summary {
    game: usize,
    summary: [SideLine; 2],
}

#[derive(Serialize)]
struct SideLine {
    side: String,
    turns: usize,
    inaccuracies: usize,
    mistakes: usize,
    blunders: usize,
    average_loss: f32,
}

/// Writes the lines of a game.
pub fn write(review: &Review, out: &mut impl Write) -> io::Result<()> {
    let (game, record) = (review.number, &review.record);
    let heading = Heading {
        game,
        place: &review.place,
        white: record.tag("White"),
        black: record.tag("Black"),
        result: record.result.word(),
        rules: record.rules.identity().to_string(),
        start: record.start.as_deref(),
    };
    json::write(out, &heading)?;
    review.turns.iter().try_for_each(|turn| json::write(out, &TurnLine::new(game, turn)))?;
    let tallies = review.tallies();
    let summary = Side::ALL.map(|side| SideLine::new(side, tallies[side]));
    json::write(out, &Summary { game, summary })
}

impl TurnLine {
    fn new(game: usize, turn: &ReviewedTurn) -> Self {
        let (first, last) = (turn.moves.first(), turn.moves.last());
        let before = first.and_then(|first| first.before.known);
        let after = last.and_then(|last| last.known);
        let worst = turn.worst_move();
        let better =
            worst.zip(turn.better()).map(|(at, better)| Better::new(at, better, turn.side));
        Self {
            game,
            number: turn.number,
            side: turn.side.to_string(),
            turn: turn.turn.to_string(),
            score: turn.score().into(),
            depth: first.map_or(0, |first| first.before.depth),
            loss: turn.loss(),
            mark: turn.fault().map(Fault::mark),
            better,
            known: [before, after].map(|known| known.map(|known| result(known, turn.side))),
        }
    }
}

impl Better {
    fn new(index: usize, better: &Variation, side: Side) -> Self {
        Self {
            instead_of: index + 1,
            score: WhiteScore::new(better.score, side).into(),
            moves: better.pv.iter().map(ToString::to_string).collect(),
        }
    }
}

impl SideLine {
    fn new(side: Side, tally: Tally) -> Self {
        let Tally { turns, faults: [inaccuracies, mistakes, blunders], average_loss } = tally;
        Self { side: side.to_string(), turns, inaccuracies, mistakes, blunders, average_loss }
    }
}
