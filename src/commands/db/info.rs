//! The commands that read a tablebase: `millstone db info` lists its sectors; `probe` and `line` print the value of a
//! position and best play from it.

use std::collections::BTreeMap;
use std::io::{self, Write};

use millstone::game::{Game, Outcome};
use millstone::position::{MoveLine, Position};
use millstone::rules::DrawRules;
use millstone::tablebase::{
    DrawValue, MalomFile, RankedMove, Sector, SectorFile, Solvable, Statistics, Tablebase, Value,
    Wdl,
};
use serde_json::{Value as Json, json};

use super::{Folder, file_name};
use crate::commands::arguments::read_position;
use crate::commands::{CommandResult, Format, ensure, terminal, write_json};

/// List the sectors of a folder.
///
/// Shows for each sector the number of positions won, drawn and lost for the side to move (symmetric ones
/// counted once), the longest win in turns of both sides, the size of the file in bytes, and a position with the
/// longest win. Sectors of the placing phase are summed up by ply; --json lists each. Files of Malom (.sec2)
/// follow, with the values or distances that they add to Millstone's own files.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    folder: Folder,
    #[command(flatten)]
    format: Format,
}

/// Prints the tables.
pub fn run(arguments: &Arguments, game: Solvable) -> CommandResult {
    let tablebase = arguments.folder.open(game)?;
    let is_json = arguments.format.json;
    let files = tablebase.files().map(|file| (file, file.sector(), ""));
    let own = rows(&game, files, is_json, |name, _, files| row(name, files, &game));
    let gives = |file| gives(file, &tablebase, is_json);
    let files = tablebase.malom_files().map(|file| (file, file.sector(), gives(file)));
    let malom = rows(&game, files, is_json, malom_row);
    let (sums, sums_in_words) = total(&tablebase, arguments.folder.is_compact(&tablebase));
    let mut out = io::stdout().lock();
    if is_json {
        let mut lines = own.iter().chain(&malom).chain([&sums]);
        return Ok(lines.try_for_each(write_json)?);
    }
    if !own.is_empty() {
        let win = "<position of the longest win";
        let titles = ["<sector", "positions", "won", "drawn", "lost", "win", "bytes", win];
        let keys =
            ["sector", "positions", "won", "drawn", "lost", "longest_win", "bytes", "position"];
        writeln!(out, "{}\n{sums_in_words}", table(titles, keys, &own))?;
    }
    if !malom.is_empty() {
        let titles = ["<sector", "<file of Malom", "<gives", "bytes"];
        let table = table(titles, ["sector", "file", "gives", "bytes"], &malom);
        let (files, of) = (tablebase.malom_files().count(), game.sectors().len());
        let bytes: u64 = tablebase.malom_files().map(MalomFile::bytes).sum();
        writeln!(out, "{table}\n{files} of {of} files of Malom, {bytes} bytes")?;
    }
    Ok(())
}

/// Makes a row for each file, but one row for all files of a ply of the placing phase that give the same.
///
/// * `files`: each with its sector and what it gives.
/// * `is_each_alone`: whether the placing phase has a row for each file too.
/// * `row`: makes a row from its name, what its files give, and the files.
fn rows<F>(
    game: &Solvable,
    files: impl Iterator<Item = (F, Sector, &'static str)>,
    is_each_alone: bool,
    row: impl Fn(&str, &str, &[F]) -> Json,
) -> Vec<Json> {
    let mut rows = Vec::new();
    let mut plies: BTreeMap<(usize, &str), Vec<F>> = BTreeMap::new();
    for (file, sector, gives) in files {
        if is_each_alone || !sector.is_placing() {
            rows.push(row(&sector.to_string(), gives, &[file]));
        } else {
            let ply = game.men().saturating_sub(sector.men_in_hand());
            plies.entry((ply, gives)).or_default().push(file);
        }
    }
    for ((ply, gives), files) in plies {
        rows.push(row(&format!("ply {ply} ({})", files.len()), gives, &files));
    }
    rows
}

/// The row of one sector or of several together.
fn row(name: &str, files: &[&SectorFile], game: &Solvable) -> Json {
    let longest = |file: &&SectorFile| Some((file.statistics().longest_win?, file.sector()));
    let longest = files.iter().filter_map(longest).max_by_key(|(longest, _)| longest.turns);
    let longest = longest.map(|(longest, sector)| {
        let (own, opponent) = sector.position(longest.index as usize);
        let position = sector.set_up(&Position::start(*game.rules()), own, opponent);
        (longest.turns, position.to_string())
    });
    let (longest_win, position) = longest.unzip();
    let sum = sum(files);
    json!({
        "sector": name,
        "positions": sum.positions(),
        "won": sum.wins,
        "drawn": sum.draws,
        "lost": sum.losses,
        "longest_win": longest_win,
        "position": position,
        "bytes": files.iter().map(|file| file.bytes()).sum::<usize>(),
    })
}

/// The sum of the statistics of files.
fn sum(files: &[&SectorFile]) -> Statistics {
    files.iter().map(|file| *file.statistics()).fold(Statistics::default(), Statistics::plus)
}

/// Writes rows as a table for people.
fn table<const N: usize>(titles: [&str; N], keys: [&str; N], rows: &[Json]) -> String {
    let cell = |row: &Json, key| match &row[key] {
        Json::String(text) => text.clone(),
        Json::Null if key == "position" => String::new(),
        Json::Null => "-".to_owned(),
        number => number.to_string(),
    };
    terminal::table(&titles, rows.iter().map(|row| keys.map(|key| cell(row, key))))
}

/// The totals of Millstone's own files, as JSON and as text.
///
/// * `is_compact`: whether sectors are omitted whose values follow from moves.
fn total(tablebase: &Tablebase, is_compact: bool) -> (Json, String) {
    let files: Vec<&SectorFile> = tablebase.files().collect();
    let (sectors, of) = (files.len(), tablebase.game().sectors().len());
    let total = sum(&files);
    let (positions, Statistics { wins, draws, losses, .. }) = (total.positions(), total);
    let bytes = |of: fn(&SectorFile) -> usize| files.iter().map(|file| of(file)).sum::<usize>();
    let (all, fewer) = (bytes(SectorFile::bytes), bytes(SectorFile::bytes_without_distances));
    let json = json!({
        "sectors": sectors,
        "of": of,
        "positions": positions,
        "won": wins,
        "drawn": draws,
        "lost": losses,
        "bytes": all,
        "bytes_without_distances": fewer,
        "compact": is_compact,
    });
    let share = |part: u64| 100.0 * part as f64 / positions.max(1) as f64;
    let [won, drawn, lost] = [wins, draws, losses].map(share);
    let mut text = format!(
        "{sectors} of {of} sectors, {positions} positions\n\
         {won:.2} % won, {drawn:.2} % drawn, {lost:.2} % lost\n\
         {all} bytes, {fewer} without the distances"
    );
    if files.iter().any(|file| file.has_draws()) {
        let of_draws = bytes(SectorFile::draw_bytes);
        text.extend([", ", &of_draws.to_string(), " for where draws come to rest"]);
    }
    if is_compact {
        text += "; compact: the other sectors follow from moves";
    }
    (json, text)
}

/// What a file of Malom adds to Millstone's own files, for JSON or for people.
fn gives(file: &MalomFile, tablebase: &Tablebase, is_json: bool) -> &'static str {
    let is_source =
        |has_distances| tablebase.source(file.sector(), has_distances) == Some(file.path());
    match ([false, true].map(is_source), is_json) {
        ([true, _], true) => "all",
        ([true, _], false) => "values and distances",
        ([false, true], _) => "distances",
        ([false, false], true) => "nothing",
        ([false, false], false) => "nothing more",
    }
}

/// The row of one file of Malom or of several together.
fn malom_row(name: &str, gives: &str, files: &[&MalomFile]) -> Json {
    let file = if let [file] = files { file_name(file.path()) } else { String::new() };
    let bytes: u64 = files.iter().map(|file| file.bytes()).sum();
    json!({"sector": name, "file": file, "gives": gives, "bytes": bytes})
}

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
    /// Opens the tablebase and reads the position; refuses a drawn game.
    fn open(&self, solvable: Solvable) -> CommandResult<(Game, Tablebase)> {
        let rules = solvable.rules();
        let text = read_position(&self.text, rules)?.text().to_string();
        let game = Game::from_text(&text, *rules, DrawRules::OFF)?;
        let is_drawn = matches!(game.outcome(), Some(Outcome::Draw(_)));
        ensure(!is_drawn, "the game is over: drawn")?;
        Ok((game, self.folder.open(solvable)?))
    }
}

/// Explains why the value of a position is unknown.
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
    let absent = || format!("no game reaches these men with {} to move", position.to_move());
    sector.map_or_else(absent, missing)
}

/// Prints the value and the moves.
pub fn run_probe(lookup: &Lookup, solvable: Solvable) -> CommandResult {
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
    let mut json = told(json!({}), wdl, value, draw);
    let remark = if has_distances { "" } else { ", not all distances are known" };
    let mut lines = vec![worth(wdl, value, draw) + remark];
    let tell = |&RankedMove { mv, wdl, value, draw, drawing_replies }: &RankedMove| {
        let replies = drawing_replies.map(|replies| format!(", {replies} drawing replies"));
        lines.push(format!("{mv}: {}{}", worth(wdl, value, draw), replies.unwrap_or_default()));
        let mut json = told(json!({"move": mv}), wdl, value, draw);
        json["drawing_replies"] = json!(drawing_replies);
        json
    };
    json["moves"] = moves.iter().map(tell).collect();
    json["files"] = json!(files);
    if !files.is_empty() {
        lines.push(format!("from {}", files.join(", ")));
    }
    Ok(lookup.format.write(&json, lines.join("\n"))?)
}

/// The value of a position or a move as text.
fn worth(wdl: Wdl, value: Option<Value>, draw: Option<DrawValue>) -> String {
    let known = value.map_or_else(|| wdl.to_string(), |value| value.to_string());
    draw.map(|draw| format!("{known}, {draw}")).unwrap_or(known)
}

/// JSON with a value: the result, the distance in turns of both sides, the sector in which a draw comes to rest and
/// the turns until then; null if unknown.
fn told(mut json: Json, wdl: Wdl, value: Option<Value>, draw: Option<DrawValue>) -> Json {
    json["result"] = json!(wdl.to_string());
    json["turns"] = json!(value.and_then(Value::turns));
    json["rest"] = json!(draw.map(DrawValue::place));
    json["rest_turns"] = json!(draw.and_then(|draw| draw.turns));
    json
}

/// Prints the value, the line and the final position.
pub fn run_line(lookup: &Lookup, solvable: Solvable) -> CommandResult {
    let (game, tablebase) = lookup.open(solvable)?;
    let unknown = || match tablebase.probe::<Wdl, _>(game.position()) {
        Some(wdl) => format!("{wdl}, but the distances that best play needs are missing"),
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
