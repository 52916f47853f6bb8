//! `millstone db info`: the sectors of a folder.

use std::collections::BTreeMap;
use std::io::{self, Write};

use millstone::position::Position;
use millstone::tablebase::{MalomFile, Sector, SectorFile, Solvable, Statistics, Tablebase};
use serde_json::{Value, json};

use super::arguments::{Folder, file_name};
use crate::commands::json::{self, Format};
use crate::commands::{CommandResult, terminal};

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
        let sectors = tablebase.files().map(|file| Row::of_sector(file, &game).json());
        let malom = tablebase.malom_files().map(|file| malom_json(file, &tablebase));
        let mut lines = sectors.chain(malom).chain([total_json(&tablebase)]);
        return Ok(lines.try_for_each(|line| json::write(&mut out, &line))?);
    }
    if tablebase.files().next().is_some() {
        write_own(&tablebase, &mut out)?;
    }
    if tablebase.malom_files().next().is_some() {
        write_malom(&tablebase, &mut out)?;
    }
    Ok(())
}

/// The men that have been placed, in a sector of the placing phase.
fn ply(game: &Solvable, sector: Sector) -> Option<usize> {
    sector.is_placing().then(|| game.men().saturating_sub(sector.men_in_hand()))
}

/// The row of a sector, or of several together.
struct Row {
    name: String,
    statistics: Statistics,
    /// The longest win in turns, and a position that has it.
    longest: Option<(u8, String)>,
    bytes: usize,
}

impl Row {
    fn of(name: String, files: &[&SectorFile], game: &Solvable) -> Self {
        let longest = |file: &&SectorFile| Some((file.statistics().longest_win?, file.sector()));
        let longest = files.iter().filter_map(longest).max_by_key(|(longest, _)| longest.turns);
        let longest = longest.map(|(longest, sector)| {
            let (own, opponent) = sector.position(longest.index as usize);
            let position = sector.set_up(&Position::start(*game.rules()), own, opponent);
            (longest.turns, position.to_string())
        });
        let statistics = files.iter().map(|file| *file.statistics());
        Self {
            name,
            statistics: statistics.fold(Statistics::default(), Statistics::plus),
            longest,
            bytes: files.iter().map(|file| file.bytes()).sum(),
        }
    }

    fn of_sector(file: &SectorFile, game: &Solvable) -> Self {
        Self::of(file.sector().to_string(), &[file], game)
    }

    fn json(self) -> Value {
        let Statistics { wins, draws, losses, .. } = self.statistics;
        let (longest_win, position) = self.longest.unzip();
        json!({
            "sector": self.name,
            "positions": self.statistics.positions(),
            "won": wins,
            "drawn": draws,
            "lost": losses,
            "longest_win": longest_win,
            "position": position,
            "bytes": self.bytes,
        })
    }

    fn cells(self) -> [String; 8] {
        let Statistics { wins, draws, losses, .. } = self.statistics;
        let [positions, won, drawn, lost] =
            [self.statistics.positions(), wins, draws, losses].map(|count| count.to_string());
        let (turns, position) = self.longest.unzip();
        let win = turns.map_or("-".to_owned(), |turns| turns.to_string());
        let position = position.unwrap_or_default();
        [self.name, positions, won, drawn, lost, win, self.bytes.to_string(), position]
    }
}

/// Writes the table of own files, the placing phase by plies, and the sums.
fn write_own(tablebase: &Tablebase, out: &mut impl Write) -> io::Result<()> {
    let game = tablebase.game();
    let mut plies: BTreeMap<usize, Vec<&SectorFile>> = BTreeMap::new();
    let mut rows = Vec::new();
    for file in tablebase.files() {
        match ply(game, file.sector()) {
            Some(ply) => plies.entry(ply).or_default().push(file),
            None => rows.push(Row::of_sector(file, game)),
        }
    }
    let of_ply = |(ply, files): (usize, Vec<&SectorFile>)| {
        Row::of(format!("ply {ply} ({})", files.len()), &files, game)
    };
    rows.extend(plies.into_iter().map(of_ply));
    let win = "<position of the longest win";
    let titles = ["<sector", "positions", "won", "drawn", "lost", "win", "bytes", win];
    writeln!(out, "{}", terminal::table(&titles, rows.into_iter().map(Row::cells)))?;
    let (sectors, of) = (tablebase.files().count(), game.sectors().len());
    let total = total(tablebase);
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
    let is_compact = is_compact(tablebase);
    writeln!(
        out,
        "{}",
        if is_compact { "; compact: the other sectors follow from moves" } else { "" }
    )
}

/// Whether sectors are left out because their values follow from moves.
fn is_compact(tablebase: &Tablebase) -> bool {
    tablebase.files().any(SectorFile::is_quiet)
}

/// All sectors that are there.
fn total(tablebase: &Tablebase) -> Statistics {
    let statistics = tablebase.files().map(|file| *file.statistics());
    statistics.fold(Statistics::default(), Statistics::plus)
}

fn total_json(tablebase: &Tablebase) -> Value {
    let total = total(tablebase);
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

/// What a file of Malom gives that no own file does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Gives {
    /// Values and distances.
    All,
    Distances,
    /// An own file has everything.
    Nothing,
}

impl Gives {
    fn of(file: &MalomFile, tablebase: &Tablebase) -> Self {
        let is_source =
            |has_distances| tablebase.source(file.sector(), has_distances) == Some(file.path());
        match [false, true].map(is_source) {
            [true, _] => Self::All,
            [false, true] => Self::Distances,
            [false, false] => Self::Nothing,
        }
    }

    /// The word for programs, and the words for people.
    const fn words(self) -> [&'static str; 2] {
        match self {
            Self::All => ["all", "values and distances"],
            Self::Distances => ["distances", "distances"],
            Self::Nothing => ["nothing", "nothing more"],
        }
    }
}

fn malom_json(file: &MalomFile, tablebase: &Tablebase) -> Value {
    let [gives, _] = Gives::of(file, tablebase).words();
    json!({
        "sector": file.sector().to_string(),
        "file": file_name(file.path()),
        "gives": gives,
        "bytes": file.bytes(),
    })
}

/// Writes the table of files of Malom, the placing phase by plies and by what the files give.
fn write_malom(tablebase: &Tablebase, out: &mut impl Write) -> io::Result<()> {
    let mut plies: BTreeMap<(usize, Gives), Vec<&MalomFile>> = BTreeMap::new();
    let mut rows = Vec::new();
    for file in tablebase.malom_files() {
        let gives = Gives::of(file, tablebase);
        match ply(tablebase.game(), file.sector()) {
            Some(ply) => plies.entry((ply, gives)).or_default().push(file),
            None => rows.push(malom_cells(file.sector().to_string(), gives, &[file])),
        }
    }
    for ((ply, gives), files) in plies {
        rows.push(malom_cells(format!("ply {ply} ({})", files.len()), gives, &files));
    }
    let titles = ["<sector", "<file of Malom", "<gives", "bytes"];
    writeln!(out, "{}", terminal::table(&titles, rows))?;
    let (files, of) = (tablebase.malom_files().count(), tablebase.game().sectors().len());
    let bytes: u64 = tablebase.malom_files().map(MalomFile::bytes).sum();
    writeln!(out, "{files} of {of} files of Malom, {bytes} bytes")
}

fn malom_cells(name: String, gives: Gives, files: &[&MalomFile]) -> [String; 4] {
    let file = if let [file] = files { file_name(file.path()) } else { String::new() };
    let [_, gives] = gives.words();
    let bytes: u64 = files.iter().map(|file| file.bytes()).sum();
    [name, file, gives.to_owned(), bytes.to_string()]
}
