//! `millstone db info`: the sectors of a folder.

use std::io::{self, Write};

use millstone::position::Position;
use millstone::tablebase::{Longest, SectorFile, Solvable, Statistics, Tablebase};
use serde::Serialize;

use super::arguments::Folder;
use crate::commands::{CommandResult, json, terminal};

/// List the sectors of a folder.
///
/// For each sector the positions won, drawn and lost for the side to move, symmetric ones counted once,
/// the longest win in turns of both sides, the bytes of the file, and a position with the longest win. The
/// sectors of the placing phase are summed up by the men in hand, as plies, and one by one with --json.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    folder: Folder,
    #[command(flatten)]
    format: json::Format,
}

/// The row of a sector.
#[derive(Serialize)]
struct Row {
    sector: String,
    #[serde(flatten)]
    counts: Counts,
    /// The longest win in turns, if there is one and distances are known.
    longest_win: Option<u8>,
    /// A position that has it.
    position: Option<String>,
    bytes: usize,
}

#[derive(Serialize)]
struct Counts {
    positions: u64,
    won: u64,
    drawn: u64,
    lost: u64,
}

/// All sectors together.
#[derive(Serialize)]
struct Total {
    sectors: usize,
    of: usize,
    #[serde(flatten)]
    counts: Counts,
    bytes: usize,
    bytes_without_distances: usize,
}

/// Prints the table.
pub fn run(arguments: &Arguments, game: Solvable) -> CommandResult {
    let tablebase = arguments.folder.open(game)?;
    let mut out = io::stdout().lock();
    let total = Total::of(&tablebase);
    if arguments.format.json {
        tablebase
            .files()
            .map(|file| Row::of(file, &game))
            .try_for_each(|row| json::write(&mut out, &row))?;
        json::write(&mut out, &total)?;
    } else {
        let moving = tablebase.files().filter(|file| !file.sector().is_placing());
        let moving = moving.map(|file| Row::of(file, &game));
        let plies = (0..game.men()).filter_map(|ply| Row::of_ply(&tablebase, ply));
        let rows = moving.chain(plies);
        let win = "<position of the longest win";
        let titles = ["<sector", "positions", "won", "drawn", "lost", "win", "bytes", win];
        writeln!(out, "{}", terminal::table(&titles, rows.map(Row::cells)))?;
        total.write(&mut out)?;
    }
    Ok(())
}

impl Row {
    fn of(file: &SectorFile, game: &Solvable) -> Self {
        let sector = file.sector();
        let longest = file.statistics().longest_win;
        let position = longest.map(|Longest { index, .. }| {
            let (own, opponent) = sector.position(index as usize);
            sector.set_up(&Position::start(*game.rules()), own, opponent).to_string()
        });
        Self {
            sector: sector.to_string(),
            counts: (*file.statistics()).into(),
            longest_win: longest.map(|longest| longest.turns),
            position,
            bytes: file.bytes(),
        }
    }

    /// The row of all sectors in which so many men have been placed; none if there are none.
    fn of_ply(tablebase: &Tablebase, ply: usize) -> Option<Self> {
        let of_ply =
            |file: &&SectorFile| file.sector().men_in_hand() + ply == tablebase.game().men();
        let files: Vec<&SectorFile> = tablebase.files().filter(of_ply).collect();
        let counts =
            files.iter().fold(Statistics::default(), |total, file| total.plus(*file.statistics()));
        (!files.is_empty()).then(|| Self {
            sector: format!("ply {ply} ({})", files.len()),
            counts: counts.into(),
            longest_win: None,
            position: None,
            bytes: files.iter().map(|file| file.bytes()).sum(),
        })
    }

    fn cells(self) -> [String; 8] {
        let Self { sector, counts, longest_win, position, bytes } = self;
        let Counts { positions, won, drawn, lost } = counts;
        let [positions, won, drawn, lost] = [positions, won, drawn, lost].map(|n| n.to_string());
        let win = longest_win.map_or("-".to_owned(), |turns| turns.to_string());
        [sector, positions, won, drawn, lost, win, bytes.to_string(), position.unwrap_or_default()]
    }
}

impl Total {
    fn of(tablebase: &Tablebase) -> Self {
        let counts = tablebase
            .files()
            .fold(Statistics::default(), |total, file| total.plus(*file.statistics()));
        Self {
            sectors: tablebase.files().count(),
            of: tablebase.game().sectors().len(),
            counts: counts.into(),
            bytes: tablebase.files().map(SectorFile::bytes).sum(),
            bytes_without_distances: tablebase.files().map(SectorFile::wdl_bytes).sum(),
        }
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let Self { sectors, of, counts, bytes, bytes_without_distances } = self;
        let Counts { positions, won, drawn, lost } = *counts;
        let share = |part: u64| 100.0 * part as f64 / positions.max(1) as f64;
        let [won, drawn, lost] = [won, drawn, lost].map(share);
        writeln!(out, "{sectors} of {of} sectors, {positions} positions")?;
        writeln!(out, "{won:.2} % won, {drawn:.2} % drawn, {lost:.2} % lost")?;
        writeln!(out, "{bytes} bytes, {bytes_without_distances} without the distances")
    }
}

impl From<Statistics> for Counts {
    fn from(statistics: Statistics) -> Self {
        let Statistics { wins, draws, losses, .. } = statistics;
        Self { positions: statistics.positions(), won: wins, drawn: draws, lost: losses }
    }
}
