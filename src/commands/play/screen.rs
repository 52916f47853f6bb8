//! The screen: the board, and a panel with players, men in hand, clocks and the last turns.

use std::fmt::Display;
use std::io::Write;

use anstyle::{AnsiColor, Style};
use millstone::board::{Glyphs, Picture, Side};
use millstone::game::Game;
use millstone::position::{Move, MoveKind};
use millstone::rules::Preset;

use super::game::{PlayedGame, clock_time};
use crate::commands::{CommandResult, terminal};

/// The style of the board's lines and labels.
const FAINT: Style = Style::new().dimmed();
/// The style of headings.
const STRONG: Style = Style::new().bold();
/// The style of the marks of the last turn.
const LAST: Style = AnsiColor::Green.on_default().bold();
/// The style of men that may be removed and of removed men.
const DANGER: Style = AnsiColor::Red.on_default().bold();

/// The style of a side's men.
const fn style_of(side: Side) -> Style {
    [AnsiColor::Yellow, AnsiColor::Cyan][side as usize].on_default().bold()
}

/// The width of the panel in columns.
const PANEL_WIDTH: usize = 40;
/// The gap between board and panel.
const GAP: &str = "   ";

/// Shows the board, the panel (beside it if the terminal is wide enough, else below) and how the game ended.
///
/// * `is_flipped`: whether the board is turned around.
pub fn draw(played: &PlayedGame, glyphs: Glyphs, is_flipped: bool) -> CommandResult {
    let (game, last_turn) = (played.history.game(), played.history.last_turn());
    let mut shown = board(game, last_turn, glyphs, is_flipped);
    let panel = panel(played, glyphs);
    let width = terminal::width().unwrap_or(usize::MAX);
    if width >= Picture::<Style>::WIDTH + GAP.len() + PANEL_WIDTH {
        // The board is never shorter than the panel.
        shown.iter_mut().zip(&panel).for_each(|(row, line)| row.extend([GAP, line]));
    } else {
        shown.push(String::new());
        shown.extend(panel.into_iter().filter(|line| !line.is_empty()));
    }
    let shown: Vec<&str> = shown.iter().map(|line| line.trim_end()).collect();
    let end = played.end().map(|(_, sentence)| format!("\n{sentence}\n"));
    print(format_args!("\n{}\n{}", shown.join("\n"), end.unwrap_or_default()))
}

/// Prints lines, without colours if the terminal shows none.
pub fn print(text: impl Display) -> CommandResult {
    Ok(writeln!(anstream::stdout(), "{text}")?)
}

/// The lines of the panel; empty ones separate its parts.
fn panel(played: &PlayedGame, glyphs: Glyphs) -> Vec<String> {
    let game = played.history.game();
    let name = Preset::of(game.rules()).map_or("Own rules", |preset| preset.name);
    let mut lines = vec![format!("{STRONG}{name}{STRONG:#}"), String::new()];
    let engine = format!("Millstone, level {}", played.skill.level());
    for side in Side::ALL {
        let who = if played.humans.is_human(side) { "person" } else { &engine };
        let (style, man) = (style_of(side), glyphs.man(side));
        let (men, in_hand) = (game.position().men(side).len(), game.position().in_hand(side));
        let hand: String = (0..in_hand).map(|_| man).collect();
        let hand = if in_hand == 0 { hand } else { format!(" {style}{hand}{style:#}") };
        lines.push(format!("{style}{man} {side}{style:#}, {who}"));
        lines.push(format!("  {men} on the board, {in_hand} in hand{hand}"));
        let left = played.clocks.as_ref().map(|clocks| clocks.left(side, game.to_move()));
        lines.extend(left.map(|left| format!("  clock {}", clock_time(left))));
        lines.push(String::new());
    }
    let turns = played.history.turns();
    let last = turns[turns.len().saturating_sub(2)..].iter();
    lines.extend(last.map(|(side, turn)| format!("{side} played {LAST}{turn}{LAST:#}")));
    lines.extend(played.end().is_none().then(|| game.request()));
    lines
}

/// The lines of the board, all of the same width. Brackets mark the target of the last turn; parentheses mark its
/// origin and removed men.
fn board(game: &Game, last_turn: &[Move], glyphs: Glyphs, is_flipped: bool) -> Vec<String> {
    let (position, legal) = (game.position(), game.moves());
    let marked = position.extras().marked;
    let mut picture = Picture::new(game.rules().diagonals, glyphs, FAINT, is_flipped);
    for square in marked {
        picture.set(square, glyphs.marked(), DANGER);
    }
    for side in Side::ALL {
        for square in position.men(side) {
            let is_in_danger = legal.contains(&Move::remove(square));
            let style = if is_in_danger { DANGER } else { style_of(side) };
            picture.set(square, glyphs.man(side), style);
        }
    }
    for mv in last_turn {
        match mv.kind() {
            MoveKind::Place(to) => picture.enclose(to, ['[', ']'], LAST),
            MoveKind::Slide { from, to } => {
                picture.enclose(from, ['(', ')'], LAST);
                picture.enclose(to, ['[', ']'], LAST);
            }
            MoveKind::Remove(man) => {
                picture.enclose(man, ['(', ')'], DANGER);
                if !marked.contains(man) {
                    picture.set(man, glyphs.removed(), DANGER);
                }
            }
        }
    }
    // A run of characters has style codes only at its ends.
    let styled = |run: &[(char, Style)]| {
        let style = run[0].1;
        let glyphs: String = run.iter().map(|(glyph, _)| glyph).collect();
        format!("{style}{glyphs}{style:#}")
    };
    let rows = picture.rows().iter().map(|row| row.chunk_by(|(_, one), (_, next)| one == next));
    rows.map(|runs| runs.map(styled).collect()).collect()
}

#[cfg(test)]
mod tests {
    use millstone::game::History;
    use millstone::rules::{Preset, RuleSet};

    use super::*;

    fn picture(rules: &RuleSet, moves: &[&str], is_flipped: bool, glyphs: Glyphs) -> String {
        let moves = moves.iter().map(|mv| mv.parse().unwrap());
        let history = History::replay(None, rules, moves).unwrap();
        let lines = board(history.game(), history.last_turn(), glyphs, is_flipped);
        let lines = lines.iter().map(|line| anstream::adapter::strip_str(line).to_string());
        lines.map(|line| line.trim_end().to_owned()).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn the_board_shows_men_and_the_last_turn() {
        let moves = ["d6", "a1", "d5", "a4", "d7", "xa1"];
        let drawn = picture(&RuleSet::NINE_MENS_MORRIS, &moves, false, Glyphs::Ascii);
        let expected = "\
7  +----------[O]----------+
   |           |           |
6  |   +-------O-------+   |
   |   |       |       |   |
5  |   |   +---O---+   |   |
   |   |   |       |   |   |
4  @---+---+       +---+---+
   |   |   |       |   |   |
3  |   |   +---+---+   |   |
   |   |       |       |   |
2  |   +-------+-------+   |
   |           |           |
1 (x)----------+-----------+
   a   b   c   d   e   f   g";
        assert_eq!(drawn, expected, "\n{drawn}");
    }

    #[test]
    fn diagonals_are_drawn_and_the_board_can_be_turned_round() {
        let rules = Preset::named("morabaraba").unwrap().rules;
        let drawn = picture(&rules, &["a1"], true, Glyphs::Unicode);
        let expected = "\
1  ┌───────────┬──────────[○]
   │ ╲         │         ╱ │
2  │   ┌───────┼───────┐   │
   │   │ ╲     │     ╱ │   │
3  │   │   ┌───┴───┐   │   │
   │   │   │       │   │   │
4  ├───┼───┤       ├───┼───┤
   │   │   │       │   │   │
5  │   │   └───┬───┘   │   │
   │   │ ╱     │     ╲ │   │
6  │   └───────┼───────┘   │
   │ ╱         │         ╲ │
7  └───────────┴───────────┘
   g   f   e   d   c   b   a";
        assert_eq!(drawn, expected, "\n{drawn}");
    }
}
