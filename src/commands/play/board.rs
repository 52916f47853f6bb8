//! The board of a game as it is drawn in the terminal: colours, men and the marks of the last turn.

use std::fmt::Write;

use anstyle::{AnsiColor, Style};
use millstone::board::{Glyphs, Picture, Side, Square};
use millstone::game::Game;
use millstone::position::{Move, MoveKind};

use crate::commands::terminal;

/// The style of the board's lines and labels.
pub const FAINT: Style = Style::new().dimmed();
/// The style of headings.
pub const STRONG: Style = Style::new().bold();
/// The style of the marks of the last turn.
pub const LAST: Style = AnsiColor::Green.on_default().bold();
/// The style of men that may be removed and of those that were.
pub const DANGER: Style = AnsiColor::Red.on_default().bold();

/// The style of a side's men.
pub const fn style_of(side: Side) -> Style {
    match side {
        Side::White => AnsiColor::Yellow.on_default().bold(),
        Side::Black => AnsiColor::Cyan.on_default().bold(),
    }
}

/// The glyphs that the terminal can show, unless ASCII is asked for.
pub fn glyphs_of_terminal(is_ascii: bool, is_rich: bool) -> Glyphs {
    if is_rich && !is_ascii && terminal::speaks_unicode() { Glyphs::Unicode } else { Glyphs::Ascii }
}

/// The board of a game.
pub struct Board<'a> {
    pub game: &'a Game,
    /// The moves of the last turn, which are marked.
    pub last_turn: &'a [(Side, Move)],
    /// Whether the board is seen from the other side.
    pub is_flipped: bool,
    pub glyphs: Glyphs,
}

impl Board<'_> {
    /// The lines of the picture, all of the same width.
    pub fn lines(&self) -> Vec<String> {
        let diagonals = self.game.rules().diagonals;
        let mut picture = Picture::new(diagonals, self.glyphs, FAINT, self.is_flipped);
        for square in Square::ALL {
            if let Some((glyph, style)) = self.occupant(square) {
                picture.set(square, glyph, style);
            }
        }
        for &(_, mv) in self.last_turn {
            self.mark(&mut picture, mv);
        }
        picture.rows().iter().map(|row| styled(row)).collect()
    }

    /// The man or the mark on a point.
    fn occupant(&self, square: Square) -> Option<(char, Style)> {
        let man =
            Side::ALL.into_iter().find(|&side| self.game.position().men(side).contains(square));
        if let Some(side) = man {
            let is_in_danger = self.game.moves().contains(&Move::remove(square));
            let style = if is_in_danger { DANGER } else { style_of(side) };
            Some((self.glyphs.man(side), style))
        } else {
            self.game
                .position()
                .extras()
                .marked
                .contains(square)
                .then_some((self.glyphs.marked(), DANGER))
        }
    }

    /// Marks where a man went with brackets, where it left and what was removed with parentheses.
    fn mark(&self, picture: &mut Picture<Style>, mv: Move) {
        match mv.kind() {
            MoveKind::Place(to) => picture.enclose(to, ['[', ']'], LAST),
            MoveKind::Slide { from, to } => {
                picture.enclose(from, ['(', ')'], LAST);
                picture.enclose(to, ['[', ']'], LAST);
            }
            MoveKind::Remove(man) => {
                picture.enclose(man, ['(', ')'], DANGER);
                if !self.game.position().extras().marked.contains(man) {
                    picture.set(man, self.glyphs.removed(), DANGER);
                }
            }
        }
    }
}

/// A row of characters, with the style set anew only where it changes.
fn styled(cells: &[(char, Style)]) -> String {
    let mut line = String::new();
    for run in cells.chunk_by(|(_, first), (_, second)| first == second) {
        let style = run[0].1;
        let glyphs: String = run.iter().map(|(glyph, _)| glyph).collect();
        let _ = write!(line, "{style}{glyphs}{style:#}");
    }
    line
}

#[cfg(test)]
mod tests {
    use millstone::rules::{DrawRules, Preset, RuleSet};

    use super::*;

    fn picture(rules: &RuleSet, moves: &[&str], is_flipped: bool, glyphs: Glyphs) -> String {
        let mut game = Game::start(*rules, DrawRules::default());
        let play = |text: &&str| {
            let (side, mv) = (game.to_move(), text.parse().unwrap());
            game.play(mv).unwrap();
            (side, mv)
        };
        let played: Vec<_> = moves.iter().map(play).collect();
        let last_turn = &played[played.len().saturating_sub(2)..];
        let lines = Board { game: &game, last_turn, is_flipped, glyphs }.lines();
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
