//! `millstone db probe`: what a position is worth.

use std::cmp::Reverse;
use std::io::{self, Write};

use millstone::knowledge::endgame::{JudgedMove, Tables, Wdl};
use millstone::position::{Move, Position};

use super::{Subject, unknown};
use crate::commands::CommandResult;

/// Tell the value of a position for the side to move, its distance and every move with its own.
///
/// A distance is in plies to the end of the game; a removal belongs to the ply that earns it.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    subject: Subject,
}

/// Prints the value and the moves.
pub fn run(arguments: &Arguments) -> CommandResult {
    let game = arguments.subject.game()?;
    let tables = arguments.subject.folder.open()?;
    let position = game.position();
    let mut out = io::stdout().lock();
    if let Some(judged) = tables.judge(position, &position.moves()) {
        let value = tables.value_of(position).ok_or_else(|| unknown(&tables, position))?;
        writeln!(out, "{value}")?;
        judged.into_iter().try_for_each(|judged| write_move(&mut out, judged))?;
    } else {
        write_without_distances(&mut out, &tables, position)?;
    }
    Ok(())
}

fn write_move(out: &mut impl Write, judged: JudgedMove) -> io::Result<()> {
    write!(out, "{}: {}", judged.mv, judged.value)?;
    match judged.drawing_replies {
        0 => writeln!(out),
        replies => writeln!(out, ", {replies} drawing replies"),
    }
}

/// Prints what databases without distances tell, the best moves first.
fn write_without_distances(
    out: &mut impl Write,
    tables: &Tables,
    position: &Position,
) -> CommandResult {
    let wdl: Wdl = tables.worth_of(position).ok_or_else(|| unknown(tables, position))?;
    let worth = |mv: Move| Some((mv, tables.worth_of_move::<Wdl, _>(position, mv)?));
    let moves = position.moves();
    let moves: Option<Vec<(Move, Wdl)>> = moves.iter().map(|&mv| worth(mv)).collect();
    let mut moves = moves.ok_or_else(|| unknown(tables, position))?;
    moves.sort_by_key(|&(_, wdl)| Reverse(wdl));
    writeln!(out, "{wdl}, distances are not known")?;
    for (mv, wdl) in moves {
        writeln!(out, "{mv}: {wdl}")?;
    }
    Ok(())
}
