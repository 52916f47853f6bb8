//! `millstone db info`: what is there.

use std::io::{self, Write};

use millstone::knowledge::endgame::{Longest, Sector, SectorFile, Statistics};

use millstone::board::BySide;
use millstone::position::Position;
use millstone::rules::Standard;

use super::Folder;
use crate::commands::CommandResult;

/// List the sectors that are there: positions won, drawn and lost for the side to move, symmetric
/// ones counted once, the longest win and a position that has it.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    folder: Folder,
}

/// Prints the table.
pub fn run(arguments: &Arguments) -> CommandResult {
    let tables = arguments.folder.open()?;
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "{:<6} {:>11} {:>11} {:>11} {:>11} {:>4} {:>10}  position of the longest win",
        "sector", "positions", "won", "drawn", "lost", "win", "bytes"
    )?;
    let (mut total, mut bytes, mut wdl_bytes) = (Statistics::default(), 0, 0);
    for file in tables.files() {
        write_row(&mut out, file)?;
        total = total.plus(*file.statistics());
        bytes += file.bytes();
        wdl_bytes += file.wdl_bytes();
    }
    let sectors = tables.files().count();
    let share = |part: u64| 100.0 * part as f64 / total.positions().max(1) as f64;
    let [won, drawn, lost] = [total.wins, total.draws, total.losses].map(share);
    writeln!(out, "{sectors} of {} sectors, {} positions", Sector::COUNT, total.positions())?;
    writeln!(out, "{won:.2} % won, {drawn:.2} % drawn, {lost:.2} % lost")?;
    writeln!(out, "{bytes} bytes, {wdl_bytes} without the distances")?;
    Ok(())
}

fn write_row(out: &mut impl Write, file: &SectorFile) -> io::Result<()> {
    let statistics = file.statistics();
    let Statistics { wins, draws, losses, longest_win, .. } = statistics;
    write!(out, "{:<6} {:>11} ", file.sector().to_string(), statistics.positions())?;
    write!(out, "{wins:>11} {draws:>11} {losses:>11} ")?;
    match longest_win {
        Some(Longest { plies, number }) => {
            let (own, opponent) = file.sector().position(file.sector().numbered(*number as usize));
            let position = Position::placed(Standard, BySide([own, opponent]));
            writeln!(out, "{plies:>4} {:>10}  {position}", file.bytes())
        }
        None => writeln!(out, "{:>4} {:>10}", "-", file.bytes()),
    }
}
