//! What is on the board: the games that `position` and the options set.

use super::command::Start;
use super::dialect::Dialect;
use super::error::Error;
use super::gbgp::GbgpPosition;
use super::options::Options;
use crate::any_game::{self, AnyGame};

/// A new game.
pub(super) fn start_game(options: &Options) -> Box<dyn AnyGame> {
    any_game::start(&options.rules, options.draw_rules)
}

/// The game of a `position` command.
///
/// # Errors
///
/// What is wrong with the text or the first bad move.
pub(super) fn read_game(
    dialect: Dialect,
    options: &Options,
    start: &Start,
    moves: &[String],
) -> Result<Box<dyn AnyGame>, Error> {
    let mut game = match start {
        Start::Initial => start_game(options),
        Start::Text(text) => game_from_text(dialect, options, text)?,
    };
    for (index, word) in moves.iter().enumerate() {
        let played = dialect.play(&mut *game, word);
        played.map_err(|reason| Error::Move { index: index + 1, reason })?;
    }
    Ok(game)
}

fn game_from_text(
    dialect: Dialect,
    options: &Options,
    text: &str,
) -> Result<Box<dyn AnyGame>, Error> {
    let text = match dialect {
        Dialect::Uci => text.to_owned(),
        Dialect::Gbgp => text.parse::<GbgpPosition>()?.text(&options.rules)?,
    };
    any_game::from_text(&text, &options.rules, options.draw_rules)
        .map_err(|error| Error::refused(format_args!("position: {error}")))
}
