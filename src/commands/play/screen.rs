//! The screen: the board, and beside it who plays, men in hand, clocks and the last turns.

use std::fmt::Display;
use std::io::{self, Write};

use anstream::{AutoStream, ColorChoice};
use anstyle::Style;
use millstone::board::{Glyphs, Picture, Side};
use millstone::game::Game;
use millstone::position::{MoveKind, Turn};
use millstone::rules::Preset;

use super::board::{Board, LAST, STRONG, style_of};
use super::clock::ClockTime;
use super::saved_game::PlayedGame;
use crate::commands::terminal;

/// The standard output, without colours where it shows none.
pub struct Screen {
    pub glyphs: Glyphs,
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
    pub fn new(glyphs: Glyphs) -> Self {
        Self { glyphs, is_flipped: false, colours: AutoStream::choice(&io::stdout()) }
    }

    /// Prints a line, or several.
    pub fn print(&self, text: impl Display) -> io::Result<()> {
        writeln!(AutoStream::new(io::stdout(), self.colours), "{text}")
    }

    /// Shows the board, the panel beside or below it as the width allows, and how the game ended.
    pub fn draw(&self, played: &PlayedGame) -> io::Result<()> {
        let Self { glyphs, is_flipped, .. } = *self;
        let (game, last_turn) = (played.history.game(), played.history.last_turn());
        let board = Board { game, last_turn, is_flipped, glyphs }.lines();
        let panel = panel(played, glyphs);
        let width = terminal::width().unwrap_or(usize::MAX);
        let shown = if width >= Picture::<Style>::WIDTH + GAP.len() + PANEL_WIDTH {
            beside(board, &panel)
        } else {
            let panel = panel.into_iter().filter(|line| !line.is_empty());
            board.into_iter().chain([String::new()]).chain(panel).collect()
        };
        let shown: Vec<&str> = shown.iter().map(|line| line.trim_end()).collect();
        let end = played.history.end();
        let end = end.map(|end| format!("\n{}\n", end.sentence(game.draw_rules())));
        self.print(format_args!("\n{}\n{}", shown.join("\n"), end.unwrap_or_default()))
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

/// The lines of the panel; empty ones separate its parts.
fn panel(played: &PlayedGame, glyphs: Glyphs) -> Vec<String> {
    let name = Preset::of(played.history.rules()).map_or("Own rules", |preset| preset.name);
    let mut lines = vec![format!("{STRONG}{name}{STRONG:#}"), String::new()];
    for side in Side::ALL {
        lines.extend(side_lines(played, side, glyphs));
        lines.push(String::new());
    }
    let mut last_turns: Vec<_> = played.history.turns_backwards().take(2).collect();
    last_turns.reverse();
    for moves in last_turns {
        for turn in Turn::group(moves.iter().copied()) {
            lines.push(format!("{} played {LAST}{turn}{LAST:#}", moves[0].0));
        }
    }
    if played.history.end().is_none() {
        lines.push(request(played.history.game()));
    }
    lines
}

fn side_lines(played: &PlayedGame, side: Side, glyphs: Glyphs) -> Vec<String> {
    let game = played.history.game();
    let who = if played.humans.is_human(side) {
        "person".to_owned()
    } else {
        format!("Millstone, level {}", played.skill.level())
    };
    let style = style_of(side);
    let man = glyphs.man(side);
    let in_hand = game.position().in_hand(side);
    let hand: String = (0..in_hand).map(|_| man).collect();
    let hand = if in_hand == 0 { String::new() } else { format!(" {style}{hand}{style:#}") };
    let mut lines = vec![
        format!("{style}{man} {side}{style:#}, {who}"),
        format!("  {} on the board, {in_hand} in hand{hand}", game.position().men(side).len()),
    ];
    if let Some(clocks) = &played.clocks {
        lines.push(format!("  clock {}", ClockTime(clocks.left(side, game.to_move()))));
    }
    lines
}

/// Whose turn it is, and what kind of move is due.
pub fn request(game: &Game) -> String {
    let side = game.to_move();
    let moves = game.moves();
    let has = |test: fn(MoveKind) -> bool| moves.iter().any(|mv| test(mv.kind()));
    let places = has(|kind| matches!(kind, MoveKind::Place(_)));
    let slides = has(|kind| matches!(kind, MoveKind::Slide { .. }));
    let go = if flies(game) { "fly" } else { "slide" };
    let action = match (game.position().owed(side), places, slides) {
        (1, ..) => "remove a man".to_owned(),
        (men @ 2.., ..) => format!("remove {men} men"),
        (men @ ..=-1, ..) => format!("remove {} of its own", men.unsigned_abs()),
        (_, true, true) => format!("place or {go}"),
        (_, true, false) => "place".to_owned(),
        (_, false, true) => go.to_owned(),
        (_, false, false) => "remove a man".to_owned(),
    };
    format!("{side} to {action}")
}

/// Whether the men of the side to move may go to any empty point.
fn flies(game: &Game) -> bool {
    let (side, rules) = (game.to_move(), game.rules());
    let is_few = game.position().men(side).len() <= rules.flying_men.into();
    rules.may_fly && is_few && game.position().in_hand(side) == 0
}
