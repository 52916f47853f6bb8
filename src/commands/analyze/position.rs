//! One position and what is found out about it.

use std::io::{self, Write};

use millstone::analysis::{Analyst, Assessment, WhiteScore};
use millstone::any_game::{self, AnyGame};
use millstone::board::Side;
use millstone::position::{Move, MoveLine, Turn};
use millstone::records::Record;
use millstone::rules::{DrawRules, RuleSet};
use millstone::search::{Silent, Variation};
use millstone::tablebase::Wdl;
use serde::Serialize;

use super::score::JsonScore;
use super::source::Place;
use crate::commands::json;

/// A position that is asked about.
pub struct Question {
    /// The position text that the moves begin at, if it is not the start position.
    start: Option<String>,
    moves: Vec<Move>,
    /// The game after the moves.
    game: Box<dyn AnyGame>,
}

/// An answer as programs read it.
#[derive(Serialize)]
struct Line {
    #[serde(flatten)]
    place: Place,
    position: String,
    to_move: String,
    /// How the game ended, if it has.
    outcome: Option<String>,
    /// The result that the databases foresee, as in game records.
    known: Option<&'static str>,
    depth: u32,
    nodes: u64,
    lines: Vec<LineVariation>,
}

#[derive(Serialize)]
struct LineVariation {
    score: JsonScore,
    moves: Vec<String>,
}

impl Question {
    /// Reads a position: `startpos` or position text, perhaps after `position` or `fen`, then `moves`
    /// and moves or whole turns.
    pub fn parse(line: &str, rules: &RuleSet) -> Result<Self, String> {
        let line = line.strip_prefix("position ").unwrap_or(line).trim_start();
        let line = line.strip_prefix("fen ").unwrap_or(line).trim_start();
        let (start, moves) = line.split_once(" moves").unwrap_or((line, ""));
        let start = (start.trim_end() != "startpos").then(|| start.trim_end().to_owned());
        let draws = DrawRules::default();
        let mut game = match &start {
            None => any_game::start(rules, draws),
            Some(text) => any_game::from_text(text, rules, draws).map_err(|e| e.to_string())?,
        };
        let turns: Result<Vec<Turn>, _> = moves.split_whitespace().map(str::parse).collect();
        let turns = turns.map_err(|error| error.to_string())?;
        let moves: Vec<Move> = turns.iter().flat_map(Turn::moves).copied().collect();
        for &mv in &moves {
            game.play(mv).map_err(|error| error.to_string())?;
        }
        Ok(Self { start, moves, game })
    }

    /// The way to the position as a game of its own.
    pub fn into_record(self) -> Record {
        let rules = *self.game.rules();
        Record::new(rules, self.start, &self.moves, self.game.outcome().into())
    }

    /// Finds the answer and prints it.
    pub fn answer(
        &self,
        place: Place,
        analyst: &mut Analyst,
        out: &mut impl Write,
        format: json::Format,
    ) -> io::Result<()> {
        analyst.clear();
        let assessment = analyst.assess(&*self.game, &mut Silent);
        if format.json {
            json::write(out, &self.line(place, &assessment))
        } else {
            self.write(&assessment, out)
        }
    }

    /// The score of a line for White.
    fn score(&self, variation: &Variation) -> WhiteScore {
        WhiteScore::new(variation.score, self.game.to_move())
    }

    fn line(&self, place: Place, assessment: &Assessment) -> Line {
        let variation = |variation: &Variation| LineVariation {
            score: self.score(variation).into(),
            moves: variation.pv.iter().map(ToString::to_string).collect(),
        };
        Line {
            place,
            position: self.game.text(),
            to_move: self.game.to_move().to_string(),
            outcome: self.game.outcome().map(|outcome| outcome.to_string()),
            known: assessment.known.map(|known| result(known, self.game.to_move())),
            depth: assessment.depth,
            nodes: assessment.nodes,
            lines: assessment.lines.iter().map(variation).collect(),
        }
    }

    fn write(&self, assessment: &Assessment, out: &mut impl Write) -> io::Result<()> {
        let Assessment { depth, nodes, known, lines } = assessment;
        writeln!(out, "{}", self.game.text())?;
        if let Some(outcome) = self.game.outcome() {
            return writeln!(out, "over: {outcome}\n");
        }
        write!(out, "{} to move, depth {depth}, {nodes} nodes", self.game.to_move())?;
        if let Some(known) = known {
            write!(out, ", {} by the databases", result(*known, self.game.to_move()))?;
        }
        writeln!(out)?;
        for (index, variation) in lines.iter().enumerate() {
            let (score, line) = (self.score(variation), MoveLine(&variation.pv));
            writeln!(out, "{:>3}  {score:>7} {line}", index + 1)?;
        }
        writeln!(out)
    }
}

/// What a side will get, in the words of game records.
pub fn result(known: Wdl, side: Side) -> &'static str {
    match (known, side) {
        (Wdl::Draw, _) => "1/2-1/2",
        (Wdl::Win, Side::White) | (Wdl::Loss, Side::Black) => "1-0",
        (Wdl::Win, Side::Black) | (Wdl::Loss, Side::White) => "0-1",
    }
}
