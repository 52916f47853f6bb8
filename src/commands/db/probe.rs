//! `millstone db probe`: what a position is worth.

use std::io::{self, Write};

use millstone::game::Game;
use millstone::rules::{DrawRules, Standard};

use super::{Folder, unknown};
use crate::commands::CommandResult;

/// Tell the value of a position for the side to move, its distance and every move with its own.
///
/// A distance is in plies to the end of the game; a removal belongs to the ply that earns it.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    folder: Folder,
    /// Position with all men placed, as position text
    #[arg(value_name = "FEN")]
    text: String,
}

/// Prints the value and the moves.
pub fn run(arguments: &Arguments) -> CommandResult {
    let game = Game::from_text(&arguments.text, Standard, DrawRules::default())?;
    let tables = arguments.folder.open()?;
    let position = game.position();
    let value = tables.value_of(position).ok_or_else(|| unknown(&tables, position))?;
    let judged =
        tables.judge(position, &position.moves()).ok_or_else(|| unknown(&tables, position))?;
    let mut out = io::stdout().lock();
    writeln!(out, "{value}")?;
    for judged in judged {
        write!(out, "{}: {}", judged.mv, judged.value)?;
        match judged.drawing_replies {
            0 => writeln!(out)?,
            replies => writeln!(out, ", {replies} drawing replies")?,
        }
    }
    Ok(())
}
