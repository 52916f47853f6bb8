//! `millstone db probe` and `millstone db line`: the value of a position, and best play from it.

use std::cmp::Reverse;
use std::fmt::Display;
use std::io::{self, Write};
use std::path::Path;

use millstone::position::{Move, MoveLine, Position};
use millstone::tablebase::{DrawValue, RankedMove, Solvable, Tablebase, Value, Wdl};
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

/// The value of a position and its moves, as a `Value` or a `Wdl`.
struct Probed<V> {
    value: V,
    draw: Option<DrawValue>,
    /// The moves, the best first.
    moves: Vec<ProbedMove<V>>,
    /// The names of the files that the values come from.
    files: Vec<String>,
}

struct ProbedMove<V> {
    mv: Move,
    value: V,
    draw: Option<DrawValue>,
    /// How many replies keep the draw, where they are counted.
    drawing_replies: u32,
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
    drawing_replies: u32,
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
    let ranked = tablebase.rank_moves(position, &position.moves());
    if let Some((ranked, value)) = ranked.zip(tablebase.probe_value(position)) {
        let probed = |RankedMove { mv, value, draw, drawing_replies }| ProbedMove {
            mv,
            value,
            draw,
            drawing_replies,
        };
        let files = names(&tablebase.sources::<Value, _>(position));
        let (draw, moves) =
            (tablebase.probe_draw(position), ranked.into_iter().map(probed).collect());
        Probed { value, draw, moves, files }.write("", *format)?;
    } else {
        let probed = without_distances(&tablebase, position).ok_or_else(unknown)?;
        probed.write(", distances are not known", *format)?;
    }
    Ok(())
}

/// What a tablebase without distances gives.
fn without_distances(tablebase: &Tablebase, position: &Position) -> Option<Probed<Wdl>> {
    let value = tablebase.probe(position)?;
    let probed = |&mv: &Move| {
        let value = tablebase.probe_move(position, mv)?;
        let draw = tablebase.probe_draw_move(position, mv);
        Some(ProbedMove { mv, value, draw, drawing_replies: 0 })
    };
    let mut moves = position.moves().iter().map(probed).collect::<Option<Vec<_>>>()?;
    let rank = |draw: Option<DrawValue>| draw.map(|draw| tablebase.draw_order().rank_of(draw));
    moves.sort_by_key(|probed| Reverse((probed.value, rank(probed.draw))));
    let files = names(&tablebase.sources::<Wdl, _>(position));
    Some(Probed { value, draw: tablebase.probe_draw(position), moves, files })
}

/// The names of files.
fn names(files: &[&Path]) -> Vec<String> {
    files.iter().map(|path| file_name(path)).collect()
}

impl<V: Copy + Display + Into<json::Value>> Probed<V> {
    fn write(self, remark: &str, format: json::Format) -> io::Result<()> {
        let mut out = io::stdout().lock();
        if format.json {
            return json::write(&mut out, &self.json());
        }
        let rest =
            |draw: &Option<DrawValue>| draw.map_or_else(String::new, |draw| format!(", {draw}"));
        writeln!(out, "{}{}{remark}", self.value, rest(&self.draw))?;
        for ProbedMove { mv, value, draw, drawing_replies } in &self.moves {
            write!(out, "{mv}: {value}{}", rest(draw))?;
            match drawing_replies {
                0 => writeln!(out)?,
                replies => writeln!(out, ", {replies} drawing replies")?,
            }
        }
        if !self.files.is_empty() {
            writeln!(out, "from {}", self.files.join(", "))?;
        }
        Ok(())
    }

    fn json(self) -> ProbedJson {
        let of_move = |probed: &ProbedMove<V>| ProbedMoveJson {
            mv: probed.mv.to_string(),
            value: probed.value.into(),
            draw: probed.draw.into(),
            drawing_replies: probed.drawing_replies,
        };
        let moves = self.moves.iter().map(of_move).collect();
        let draw = self.draw.into();
        ProbedJson { value: self.value.into(), draw, moves, files: self.files }
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
