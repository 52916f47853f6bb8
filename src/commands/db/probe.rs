//! `millstone db probe` and `millstone db line`: the value of a position, and best play from it.

use std::io::{self, Write};
use std::path::Path;

use millstone::position::MoveLine;
use millstone::tablebase::{DrawValue, RankedMove, Solvable, Value, Wdl};
use serde::Serialize;

use super::arguments::{Lookup, file_name, unknown};
use crate::commands::{CommandResult, json};

/// Print the value of a position for the side to move, and of each move, the best first.
///
/// A distance is in turns of both sides to the end of the game; a removal belongs to the turn that earns
/// it. Where the best moves draw, each comes with the number of the opponent's replies that keep the
/// draw, and a draw with the numbers of men at which best play comes to rest, if db draws has found them. The last
/// line names the files that the values come from.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    lookup: Lookup,
}

/// Print the shortest win against the longest defence, move by move, and the position at its end.
#[derive(clap::Args)]
pub struct LineArguments {
    #[command(flatten)]
    lookup: Lookup,
}

/// A probed position as JSON.
#[derive(Serialize)]
struct ProbedJson {
    #[serde(flatten)]
    value: json::Value,
    #[serde(flatten)]
    draw: json::Rest,
    moves: Vec<ProbedMoveJson>,
    files: Vec<String>,
}

#[derive(Serialize)]
struct ProbedMoveJson {
    #[serde(rename = "move")]
    mv: String,
    #[serde(flatten)]
    value: json::Value,
    #[serde(flatten)]
    draw: json::Rest,
    /// How many replies keep the draw, where the best moves draw and that is known.
    drawing_replies: Option<u32>,
}

/// The line of best play as JSON.
#[derive(Serialize)]
struct LineJson {
    #[serde(flatten)]
    value: json::Value,
    moves: Vec<String>,
    /// The position at the end of the line.
    end: String,
}

/// Prints the value and the moves.
pub fn run(arguments: &Arguments, solvable: Solvable) -> CommandResult {
    let lookup @ Lookup { folder, format, .. } = &arguments.lookup;
    let game = lookup.game(solvable.rules())?;
    let tablebase = folder.open(solvable)?;
    let position = game.position();
    let unknown = || unknown(&tablebase, position);
    let wdl: Wdl = tablebase.probe(position).ok_or_else(unknown)?;
    let moves = tablebase.rank_moves(position, &position.moves()).ok_or_else(unknown)?;
    let value = tablebase.probe_value(position).or((wdl == Wdl::Draw).then_some(Value::DRAW));
    let files = if value.is_some() && moves.iter().all(|ranked| ranked.value.is_some()) {
        tablebase.sources::<Value, _>(position)
    } else {
        tablebase.sources::<Wdl, _>(position)
    };
    let files = names(&files);
    Probed { wdl, value, draw: tablebase.probe_draw(position), moves, files }.write(*format)?;
    Ok(())
}

/// The value of a position and its moves.
struct Probed {
    wdl: Wdl,
    value: Option<Value>,
    draw: Option<DrawValue>,
    /// The moves, the best first.
    moves: Vec<RankedMove>,
    /// The names of the files that the values come from.
    files: Vec<String>,
}

/// The names of files.
fn names(files: &[&Path]) -> Vec<String> {
    files.iter().map(|path| file_name(path)).collect()
}

impl Probed {
    fn write(self, format: json::Format) -> io::Result<()> {
        let mut out = io::stdout().lock();
        if format.json {
            return json::write(&mut out, &self.json());
        }
        let worth = |wdl: Wdl, value: Option<Value>, draw: Option<DrawValue>| {
            let worth = value.map_or_else(|| wdl.to_string(), |value| value.to_string());
            draw.map_or_else(|| worth.clone(), |draw| format!("{worth}, {draw}"))
        };
        let mut values = self.moves.iter().map(|ranked| ranked.value).chain([self.value]);
        let remark =
            if values.any(|value| value.is_none()) { ", not all distances are known" } else { "" };
        writeln!(out, "{}{remark}", worth(self.wdl, self.value, self.draw))?;
        for &RankedMove { mv, wdl, value, draw, drawing_replies } in &self.moves {
            write!(out, "{mv}: {}", worth(wdl, value, draw))?;
            match drawing_replies {
                None => writeln!(out)?,
                Some(replies) => writeln!(out, ", {replies} drawing replies")?,
            }
        }
        if !self.files.is_empty() {
            writeln!(out, "from {}", self.files.join(", "))?;
        }
        Ok(())
    }

    fn json(self) -> ProbedJson {
        let worth = |wdl: Wdl, value: Option<Value>| value.map_or_else(|| wdl.into(), Into::into);
        let of_move = |ranked: &RankedMove| ProbedMoveJson {
            mv: ranked.mv.to_string(),
            value: worth(ranked.wdl, ranked.value),
            draw: ranked.draw.into(),
            drawing_replies: ranked.drawing_replies,
        };
        let moves = self.moves.iter().map(of_move).collect();
        let (value, draw) = (worth(self.wdl, self.value), self.draw.into());
        ProbedJson { value, draw, moves, files: self.files }
    }
}

/// Prints the value, the line and the position at its end.
pub fn run_line(arguments: &LineArguments, solvable: Solvable) -> CommandResult {
    let lookup @ Lookup { folder, format, .. } = &arguments.lookup;
    let game = lookup.game(solvable.rules())?;
    let tablebase = folder.open(solvable)?;
    let unknown = || match tablebase.probe::<Wdl, _>(game.position()) {
        Some(wdl) => format!("{wdl}, but no distances are known that tell the best play"),
        None => unknown(&tablebase, game.position()),
    };
    let value = tablebase.probe_value(game.position()).ok_or_else(unknown)?;
    let (pv, end) = tablebase.pv(&game, || false).ok_or_else(unknown)?;
    let mut out = io::stdout().lock();
    if format.json {
        let moves = pv.iter().map(ToString::to_string).collect();
        let line = LineJson { value: value.into(), moves, end: end.text().to_string() };
        json::write(&mut out, &line)?;
    } else {
        writeln!(out, "{value}{}", MoveLine(&pv))?;
        writeln!(out, "{}", end.text())?;
    }
    Ok(())
}
