//! `millstone db probe` and `millstone db line`: the value of a position, and best play from it.

use std::{fmt, io};

use millstone::api::json::object;
use millstone::position::MoveLine;
use millstone::tablebase::{DrawValue, RankedMove, Solvable, Value, Wdl};
use serde_json::{Map, Value as Json, json};

use super::arguments::{Lookup, file_name, unknown};
use crate::commands::CommandResult;

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
    let has_distances = value.is_some() && moves.iter().all(|ranked| ranked.value.is_some());
    let files = if has_distances {
        tablebase.sources::<Value, _>(position)
    } else {
        tablebase.sources::<Wdl, _>(position)
    };
    let files: Vec<String> = files.into_iter().map(file_name).collect();
    let worth = Worth { wdl, value, draw: tablebase.probe_draw(position) };
    let mut json = worth.json();
    json.insert("moves".to_owned(), moves.iter().map(move_json).collect());
    json.insert("files".to_owned(), json!(files));
    let remark = if has_distances { "" } else { ", not all distances are known" };
    let mut lines = vec![format!("{worth}{remark}")];
    lines.extend(moves.iter().map(|ranked| {
        let replies = ranked.drawing_replies.map(|replies| format!(", {replies} drawing replies"));
        format!("{}: {}{}", ranked.mv, Worth::of(ranked), replies.unwrap_or_default())
    }));
    if !files.is_empty() {
        lines.push(format!("from {}", files.join(", ")));
    }
    Ok(format.write(&mut io::stdout().lock(), &json, lines.join("\n"))?)
}

/// What is known of a position, or of a move.
struct Worth {
    wdl: Wdl,
    value: Option<Value>,
    draw: Option<DrawValue>,
}

impl Worth {
    const fn of(&RankedMove { wdl, value, draw, .. }: &RankedMove) -> Self {
        Self { wdl, value, draw }
    }

    /// The result, the distance in turns of both sides, where a draw comes to rest, and after how many turns;
    /// null for what is not known.
    fn json(&self) -> Map<String, Json> {
        object([
            ("result", json!(self.wdl.to_string())),
            ("turns", json!(self.value.and_then(Value::turns))),
            ("rest", json!(self.draw.map(DrawValue::place))),
            ("rest_turns", json!(self.draw.and_then(|draw| draw.turns))),
        ])
    }
}

impl fmt::Display for Worth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.value {
            Some(value) => write!(f, "{value}")?,
            None => write!(f, "{}", self.wdl)?,
        }
        self.draw.map_or(Ok(()), |draw| write!(f, ", {draw}"))
    }
}

fn move_json(ranked: &RankedMove) -> Json {
    let mut json = object([("move", json!(ranked.mv))]);
    json.extend(Worth::of(ranked).json());
    json.insert("drawing_replies".to_owned(), json!(ranked.drawing_replies));
    json.into()
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
    let (result, end) = (Wdl::from(value).to_string(), end.text().to_string());
    let json = json!({"result": result, "turns": value.turns(), "moves": pv, "end": end});
    let text = format_args!("{value}{}\n{end}", MoveLine(&pv));
    Ok(format.write(&mut io::stdout().lock(), &json, text)?)
}
