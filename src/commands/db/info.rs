//! `millstone db info`: the sectors of a folder.

use std::collections::BTreeMap;
use std::io::{self, Write};

use millstone::position::Position;
use millstone::tablebase::{MalomFile, Sector, SectorFile, Solvable, Statistics, Tablebase};
use serde_json::{Value, json};

use super::arguments::{Folder, file_name};
use crate::commands::{CommandResult, Format, terminal, write_json};

/// List the sectors of a folder.
///
/// For each sector the positions won, drawn and lost for the side to move, symmetric ones counted once,
/// the longest win in turns of both sides, the bytes of the file, and a position with the longest win. The
/// sectors of the placing phase are summed up by the men in hand, as plies, and one by one with --json.
/// Files of Malom (.sec2) follow, with what they give where own files have no values, or values without distances.
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
    let mut out = io::stdout().lock();
    if arguments.format.json {
        let own = |file: &SectorFile| row(&file.sector().to_string(), &[file], &game);
        let sectors = tablebase.files().map(own);
        let malom = tablebase.malom_files().map(|file| malom_json(file, &tablebase));
        let mut lines = sectors.chain(malom).chain([total_json(&tablebase)]);
        return Ok(lines.try_for_each(|line| write_json(&mut out, &line))?);
    }
    if tablebase.files().next().is_some() {
        write_own(&tablebase, &mut out)?;
    }
    if tablebase.malom_files().next().is_some() {
        write_malom(&tablebase, &mut out)?;
    }
    Ok(())
}

/// The files of each row, with its name and what they have in common: one of the moving phase, or those of a ply of
/// the placing phase.
fn groups<F, K: Copy + Ord>(
    game: &Solvable,
    files: impl Iterator<Item = (F, Sector, K)>,
) -> Vec<(String, K, Vec<F>)> {
    let mut rows = Vec::new();
    let mut plies: BTreeMap<(usize, K), Vec<F>> = BTreeMap::new();
    for (file, sector, common) in files {
        if sector.is_placing() {
            let ply = game.men().saturating_sub(sector.men_in_hand());
            plies.entry((ply, common)).or_default().push(file);
        } else {
            rows.push((sector.to_string(), common, vec![file]));
        }
    }
    let of_ply = |((ply, common), files): ((usize, K), Vec<F>)| {
        (format!("ply {ply} ({})", files.len()), common, files)
    };
    rows.extend(plies.into_iter().map(of_ply));
    rows
}

/// A sector, or several together, with the longest win in turns and a position that has it.
fn row(name: &str, files: &[&SectorFile], game: &Solvable) -> Value {
    let longest = |file: &&SectorFile| Some((file.statistics().longest_win?, file.sector()));
    let longest = files.iter().filter_map(longest).max_by_key(|(longest, _)| longest.turns);
    let longest = longest.map(|(longest, sector)| {
        let (own, opponent) = sector.position(longest.index as usize);
        let position = sector.set_up(&Position::start(*game.rules()), own, opponent);
        (longest.turns, position.to_string())
    });
    let (longest_win, position) = longest.unzip();
    let sum = sum(files.iter().copied());
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

/// The results in some files.
fn sum<'a>(files: impl Iterator<Item = &'a SectorFile>) -> Statistics {
    files.map(|file| *file.statistics()).fold(Statistics::default(), Statistics::plus)
}

/// A cell of the table of own files.
fn cell(row: &Value, key: &str) -> String {
    match &row[key] {
        Value::String(text) => text.clone(),
        Value::Null if key == "position" => String::new(),
        Value::Null => "-".to_owned(),
        number => number.to_string(),
    }
}

/// Writes the table of own files, the placing phase by plies, and the sums.
fn write_own(tablebase: &Tablebase, out: &mut impl Write) -> io::Result<()> {
    let game = tablebase.game();
    let files = tablebase.files().map(|file| (file, file.sector(), ()));
    let keys = ["sector", "positions", "won", "drawn", "lost", "longest_win", "bytes", "position"];
    let rows = groups(game, files).into_iter().map(|(name, (), files)| {
        let row = row(&name, &files, game);
        keys.map(|key| cell(&row, key))
    });
    let win = "<position of the longest win";
    let titles = ["<sector", "positions", "won", "drawn", "lost", "win", "bytes", win];
    writeln!(out, "{}", terminal::table(&titles, rows))?;
    let (sectors, of) = (tablebase.files().count(), game.sectors().len());
    let total = sum(tablebase.files());
    let (positions, Statistics { wins, draws, losses, .. }) = (total.positions(), total);
    let share = |part: u64| 100.0 * part as f64 / positions.max(1) as f64;
    let [won, drawn, lost] = [wins, draws, losses].map(share);
    writeln!(out, "{sectors} of {of} sectors, {positions} positions")?;
    writeln!(out, "{won:.2} % won, {drawn:.2} % drawn, {lost:.2} % lost")?;
    let bytes: usize = tablebase.files().map(SectorFile::bytes).sum();
    let fewer_bytes: usize = tablebase.files().map(SectorFile::wdl_bytes).sum();
    write!(out, "{bytes} bytes, {fewer_bytes} without the distances")?;
    if tablebase.files().any(SectorFile::has_draws) {
        let of_draws: usize = tablebase.files().map(SectorFile::draw_bytes).sum();
        write!(out, ", {of_draws} for where draws come to rest")?;
    }
    if is_compact(tablebase) {
        write!(out, "; compact: the other sectors follow from moves")?;
    }
    writeln!(out)
}

/// Whether sectors are left out because their values follow from moves.
fn is_compact(tablebase: &Tablebase) -> bool {
    tablebase.files().any(SectorFile::is_quiet)
}

fn total_json(tablebase: &Tablebase) -> Value {
    let total = sum(tablebase.files());
    json!({
        "sectors": tablebase.files().count(),
        "of": tablebase.game().sectors().len(),
        "positions": total.positions(),
        "won": total.wins,
        "drawn": total.draws,
        "lost": total.losses,
        "bytes": tablebase.files().map(SectorFile::bytes).sum::<usize>(),
        "bytes_without_distances": tablebase.files().map(SectorFile::wdl_bytes).sum::<usize>(),
        "compact": is_compact(tablebase),
    })
}

/// What a file of Malom gives that no own file does: the word for programs, and the words for people.
fn gives(file: &MalomFile, tablebase: &Tablebase) -> [&'static str; 2] {
    let is_source =
        |has_distances| tablebase.source(file.sector(), has_distances) == Some(file.path());
    match [false, true].map(is_source) {
        [true, _] => ["all", "values and distances"],
        [false, true] => ["distances", "distances"],
        [false, false] => ["nothing", "nothing more"],
    }
}

fn malom_json(file: &MalomFile, tablebase: &Tablebase) -> Value {
    let [gives, _] = gives(file, tablebase);
    json!({
        "sector": file.sector().to_string(),
        "file": file_name(file.path()),
        "gives": gives,
        "bytes": file.bytes(),
    })
}

/// Writes the table of files of Malom, the placing phase by plies and by what the files give.
fn write_malom(tablebase: &Tablebase, out: &mut impl Write) -> io::Result<()> {
    let files = tablebase.malom_files().map(|file| (file, file.sector(), gives(file, tablebase)));
    let rows = groups(tablebase.game(), files).into_iter().map(|(name, [_, gives], files)| {
        let file = if let [file] = files[..] { file_name(file.path()) } else { String::new() };
        let bytes: u64 = files.iter().map(|file| file.bytes()).sum();
        [name, file, gives.to_owned(), bytes.to_string()]
    });
    let titles = ["<sector", "<file of Malom", "<gives", "bytes"];
    writeln!(out, "{}", terminal::table(&titles, rows))?;
    let (files, of) = (tablebase.malom_files().count(), tablebase.game().sectors().len());
    let bytes: u64 = tablebase.malom_files().map(MalomFile::bytes).sum();
    writeln!(out, "{files} of {of} files of Malom, {bytes} bytes")
}
