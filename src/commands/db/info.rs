//! `millstone db info`: the sectors of a folder.

use std::io::{self, Write};

use millstone::position::Position;
use millstone::tablebase::{Longest, MalomFile, SectorFile, Solvable, Statistics, Tablebase};
use serde::Serialize;

use super::arguments::{Folder, file_name};
use crate::commands::{CommandResult, json, terminal};

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

/// Prints the tables.
pub fn run(arguments: &Arguments, game: Solvable) -> CommandResult {
    let tablebase = arguments.folder.open(game)?;
    let mut out = io::stdout().lock();
    let total = Total::of(&tablebase);
    let malom: Vec<MalomRow> =
        tablebase.malom_files().map(|file| MalomRow::of(file, &tablebase)).collect();
    if arguments.format.json {
        tablebase
            .files()
            .map(|file| Row::of(file, &game))
            .try_for_each(|row| json::write(&mut out, &row))?;
        malom.iter().try_for_each(|row| json::write(&mut out, row))?;
        json::write(&mut out, &total)?;
        return Ok(());
    }
    if total.sectors > 0 {
        write_own(&tablebase, &mut out)?;
        total.write(&mut out)?;
    }
    if !malom.is_empty() {
        let bytes: u64 = malom.iter().map(|row| row.bytes).sum();
        let files = malom.len();
        let titles = ["<sector", "<file of Malom", "<gives", "bytes"];
        let rows = sum_up(malom).into_iter().map(MalomRow::cells);
        writeln!(out, "{}", terminal::table(&titles, rows))?;
        writeln!(out, "{files} of {} files of Malom, {bytes} bytes", total.of)?;
    }
    Ok(())
}

fn write_own(tablebase: &Tablebase, out: &mut impl Write) -> io::Result<()> {
    let game = tablebase.game();
    let moving = tablebase.files().filter(|file| !file.sector().is_placing());
    let moving = moving.map(|file| Row::of(file, game));
    let plies = (0..game.men()).filter_map(|ply| Row::of_ply(tablebase, ply));
    let rows = moving.chain(plies);
    let win = "<position of the longest win";
    let titles = ["<sector", "positions", "won", "drawn", "lost", "win", "bytes", win];
    writeln!(out, "{}", terminal::table(&titles, rows.map(Row::cells)))
}

/// The row of a file of Malom, or of all files of a ply that give the same.
#[derive(Serialize)]
struct MalomRow {
    sector: String,
    file: String,
    gives: Gives,
    bytes: u64,
    /// The men that have been placed, if there are others.
    #[serde(skip)]
    ply: Option<usize>,
}

/// What a file of Malom gives that no own file does.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Gives {
    /// Values and distances.
    All,
    /// Distances.
    Distances,
    /// An own file has everything.
    Nothing,
}

impl MalomRow {
    fn of(file: &MalomFile, tablebase: &Tablebase) -> Self {
        let sector = file.sector();
        let is_source =
            |has_distances| tablebase.source(sector, has_distances) == Some(file.path());
        Self {
            sector: sector.to_string(),
            file: file_name(file.path()),
            gives: match [false, true].map(is_source) {
                [true, _] => Gives::All,
                [false, true] => Gives::Distances,
                [false, false] => Gives::Nothing,
            },
            bytes: file.bytes(),
            ply: sector
                .is_placing()
                .then(|| tablebase.game().men().saturating_sub(sector.men_in_hand())),
        }
    }

    fn cells(self) -> [String; 4] {
        let gives = match self.gives {
            Gives::All => "values and distances",
            Gives::Distances => "distances",
            Gives::Nothing => "nothing more",
        };
        [self.sector, self.file, gives.to_owned(), self.bytes.to_string()]
    }
}

/// The rows of the moving phase, and one for all of a ply that give the same.
fn sum_up(rows: Vec<MalomRow>) -> Vec<MalomRow> {
    let (placing, mut summed): (Vec<_>, Vec<_>) =
        rows.into_iter().partition(|row| row.ply.is_some());
    let mut plies: Vec<(usize, MalomRow)> = Vec::new();
    for row in placing {
        let is_alike =
            |(_, other): &&mut (usize, MalomRow)| (other.ply, other.gives) == (row.ply, row.gives);
        match plies.iter_mut().find(is_alike) {
            Some((count, other)) => {
                *count += 1;
                other.bytes += row.bytes;
            }
            None => plies.push((1, row)),
        }
    }
    plies.sort_by_key(|(_, row)| row.ply);
    summed.extend(plies.into_iter().map(|(count, row)| MalomRow {
        sector: format!("ply {} ({count})", row.ply.unwrap_or_default()),
        file: if count == 1 { row.file } else { String::new() },
        ..row
    }));
    summed
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

    /// The row of all sectors in which so many men have been placed, with the longest win of all of them; none if
    /// there are none.
    fn of_ply(tablebase: &Tablebase, ply: usize) -> Option<Self> {
        let of_ply =
            |file: &&SectorFile| file.sector().men_in_hand() + ply == tablebase.game().men();
        let files: Vec<&SectorFile> = tablebase.files().filter(of_ply).collect();
        let counts =
            files.iter().fold(Statistics::default(), |total, file| total.plus(*file.statistics()));
        let rows = files.iter().map(|file| Self::of(file, tablebase.game()));
        let longest = rows.max_by_key(|row| row.longest_win)?;
        Some(Self {
            sector: format!("ply {ply} ({})", files.len()),
            counts: counts.into(),
            bytes: files.iter().map(|file| file.bytes()).sum(),
            ..longest
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
