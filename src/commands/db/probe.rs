//! `millstone db probe` and `millstone db line`: the value of a position, and best play from it.

use millstone::game::{Game, Outcome};
use millstone::position::{MoveLine, Position};
use millstone::rules::DrawRules;
use millstone::tablebase::{DrawValue, RankedMove, Solvable, Tablebase, Value, Wdl};
use serde_json::{Value as Json, json};

use super::{Folder, file_name};
use crate::commands::arguments::read_position;
use crate::commands::{CommandResult, Format, ensure};

/// A position to look up.
#[derive(clap::Args)]
pub struct Lookup {
    #[command(flatten)]
    folder: Folder,
    /// Position: startpos, a position text or MFEN; the word moves, and moves or turns, may follow
    #[arg(value_name = "POSITION")]
    text: String,
    #[command(flatten)]
    format: Format,
}

impl Lookup {
    /// The position, which may not be that of a drawn game, and the tablebase.
    fn open(&self, solvable: Solvable) -> CommandResult<(Game, Tablebase)> {
        let rules = solvable.rules();
        let text = read_position(&self.text, rules)?.game().text().to_string();
        let game = Game::from_text(&text, *rules, DrawRules::OFF)?;
        let is_drawn = matches!(game.outcome(), Some(Outcome::Draw(_)));
        ensure(!is_drawn, "the game is over: drawn")?;
        Ok((game, self.folder.open(solvable)?))
    }
}

/// Why the value of a position is not known.
fn unknown(tablebase: &Tablebase, position: &Position) -> String {
    if let Some(error) = tablebase.take_damage().first() {
        return error.to_string();
    }
    if position.pending() > 0
        && let Some(&removal) = position.moves().first()
    {
        return unknown(tablebase, &position.after(removal));
    }
    let game = tablebase.game();
    let sector = game.sector_of(position).filter(|sector| game.sectors().contains(sector));
    let missing =
        |sector| format!("the sector {sector}, one that follows, or its distances are missing");
    let absent = || format!("no game comes to these men with {} to move", position.to_move());
    sector.map_or_else(absent, missing)
}

/// Prints the value and the moves.
pub fn run(lookup: &Lookup, solvable: Solvable) -> CommandResult {
    let (game, tablebase) = lookup.open(solvable)?;
    let position = game.position();
    let unknown = || unknown(&tablebase, position);
    let wdl: Wdl = tablebase.probe(position).ok_or_else(unknown)?;
    let moves = tablebase.rank_moves(position, &position.moves()).ok_or_else(unknown)?;
    let value = tablebase.probe_value(position).or((wdl == Wdl::Draw).then_some(Value::DRAW));
    let has_distances = value.is_some() && moves.iter().all(|ranked| ranked.value.is_some());
    let files = tablebase.sources(position, has_distances);
    let files: Vec<String> = files.into_iter().map(file_name).collect();
    let draw = tablebase.probe_draw(position);
    let mut json = json!({});
    tell(&mut json, wdl, value, draw);
    json["moves"] = moves.iter().map(move_json).collect();
    json["files"] = json!(files);
    let remark = if has_distances { "" } else { ", not all distances are known" };
    let mut lines = vec![worth(wdl, value, draw) + remark];
    lines.extend(moves.iter().map(|&RankedMove { mv, wdl, value, draw, drawing_replies }| {
        let replies = drawing_replies.map(|replies| format!(", {replies} drawing replies"));
        format!("{mv}: {}{}", worth(wdl, value, draw), replies.unwrap_or_default())
    }));
    if !files.is_empty() {
        lines.push(format!("from {}", files.join(", ")));
    }
    Ok(lookup.format.write(&json, lines.join("\n"))?)
}

/// What is known of a position, or of a move, in words.
fn worth(wdl: Wdl, value: Option<Value>, draw: Option<DrawValue>) -> String {
    let known = value.map_or_else(|| wdl.to_string(), |value| value.to_string());
    draw.map(|draw| format!("{known}, {draw}")).unwrap_or(known)
}

/// The same as JSON: the result, the distance in turns of both sides, where a draw comes to rest, and after how
/// many turns; null for what is not known.
fn tell(json: &mut Json, wdl: Wdl, value: Option<Value>, draw: Option<DrawValue>) {
    json["result"] = json!(wdl.to_string());
    json["turns"] = json!(value.and_then(Value::turns));
    json["rest"] = json!(draw.map(DrawValue::place));
    json["rest_turns"] = json!(draw.and_then(|draw| draw.turns));
}

fn move_json(&RankedMove { mv, wdl, value, draw, drawing_replies }: &RankedMove) -> Json {
    let mut json = json!({"move": mv});
    tell(&mut json, wdl, value, draw);
    json["drawing_replies"] = json!(drawing_replies);
    json
}

/// Prints the value, the line and the position at its end.
pub fn run_line(lookup: &Lookup, solvable: Solvable) -> CommandResult {
    let (game, tablebase) = lookup.open(solvable)?;
    let unknown = || match tablebase.probe::<Wdl, _>(game.position()) {
        Some(wdl) => format!("{wdl}, but no distances are known that tell the best play"),
        None => unknown(&tablebase, game.position()),
    };
    let drawn = || (tablebase.probe(game.position()) == Some(Wdl::Draw)).then_some(Value::DRAW);
    let value = tablebase.probe_value(game.position()).or_else(drawn).ok_or_else(unknown)?;
    let (pv, end) = tablebase.pv(&game, || false).ok_or_else(unknown)?;
    let (result, end) = (Wdl::from(value).to_string(), end.text().to_string());
    let json = json!({"result": result, "turns": value.turns(), "moves": pv, "end": end});
    let text = format_args!("{value}{}\n{end}", MoveLine(&pv));
    Ok(lookup.format.write(&json, text)?)
}
