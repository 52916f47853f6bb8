//! What the player sees.

use std::fmt::Display;
use std::io::{self, Write};

use anstream::{AutoStream, ColorChoice};

use super::archive::Match;
use super::board::{PICTURE_WIDTH, Picture};
use super::panel;
use super::theme::Theme;
use crate::commands::terminal;

/// Where everything is shown; colours are left out where they do not belong.
pub struct Screen {
    pub theme: Theme,
    /// Whether the board is seen from the other side.
    pub is_flipped: bool,
    /// Whether the terminal shows colours.
    colours: ColorChoice,
}

/// The columns that a panel needs.
const PANEL_WIDTH: usize = 40;
/// The columns between board and panel.
const GAP: &str = "   ";

impl Screen {
    /// The standard output.
    pub fn new(theme: Theme) -> Self {
        Self { theme, is_flipped: false, colours: AutoStream::choice(&io::stdout()) }
    }

    /// Shows a line, or several.
    pub fn say(&self, text: impl Display) -> io::Result<()> {
        writeln!(AutoStream::new(io::stdout(), self.colours), "{text}")
    }

    /// Shows the board with its panel, beside it or below by the room that there is, and how the
    /// game ended.
    pub fn draw(&self, played: &Match) -> io::Result<()> {
        let Self { theme, is_flipped, .. } = *self;
        let (game, last_turn) = (played.course.game(), played.course.last_turn());
        let board = Picture { game, last_turn, is_flipped, theme }.lines();
        let panel = panel::lines(played, theme);
        let width = terminal::width().unwrap_or(usize::MAX);
        let shown = if width >= PICTURE_WIDTH + GAP.len() + PANEL_WIDTH {
            beside(board, &panel)
        } else {
            let panel = panel.into_iter().filter(|line| !line.is_empty());
            board.into_iter().chain([String::new()]).chain(panel).collect()
        };
        let shown: Vec<&str> = shown.iter().map(|line| line.trim_end()).collect();
        let verdict = played.course.verdict();
        let verdict = verdict.map(|verdict| format!("\n{}\n", verdict.sentence(game.draw_rules())));
        self.say(format_args!("\n{}\n{}", shown.join("\n"), verdict.unwrap_or_default()))
    }
}

/// Board and panel side by side; the board is never the shorter one.
fn beside(board: Vec<String>, panel: &[String]) -> Vec<String> {
    let side = panel.iter().map(String::as_str).chain(std::iter::repeat(""));
    let line = |(board, panel): (String, &str)| match panel {
        "" => board,
        panel => format!("{board}{GAP}{panel}"),
    };
    board.into_iter().zip(side).map(line).collect()
}
