//! The board as it is drawn.

use std::fmt::Write;

use anstyle::Style;
use millstone::any_game::AnyGame;
use millstone::board::{Side, Square, SquareSet, lines};
use millstone::position::{Move, MoveKind};

use super::theme::{DANGER, FAINT, LAST, Theme, style_of};

/// What the picture shows.
pub struct Picture<'a> {
    /// The game.
    pub game: &'a dyn AnyGame,
    /// The moves of the last turn, which are marked.
    pub last_turn: &'a [(Side, Move)],
    /// Whether the board is seen from the other side.
    pub is_flipped: bool,
    /// The characters to draw with.
    pub theme: Theme,
}

/// A character with its style.
type Cell = (char, Style);

/// Columns from a file to the next, and rows from a rank to the next.
const STEP: (usize, usize) = (4, 2);
const FILES: usize = 7;
const HEIGHT: usize = (FILES - 1) * STEP.1 + 1;
/// There is room for a mark on both sides.
const WIDTH: usize = (FILES - 1) * STEP.0 + 3;

/// How many columns a picture takes.
pub const PICTURE_WIDTH: usize = WIDTH + 2;

impl Picture<'_> {
    /// The lines of the picture, all of the same width.
    pub fn lines(&self) -> Vec<String> {
        let mut cells = [[(' ', Style::new()); WIDTH]; HEIGHT];
        for square in Square::ALL {
            self.draw_edges(&mut cells, square);
        }
        for square in Square::ALL {
            let (column, row) = self.place(square);
            cells[row][column] = self.point(square);
        }
        for &(_, mv) in self.last_turn {
            self.mark(&mut cells, mv);
        }
        let rows = cells.iter().enumerate().map(|(row, cells)| styled(&self.rank(row), cells));
        rows.chain([self.files()]).collect()
    }

    /// Column and row of a point.
    fn place(&self, square: Square) -> (usize, usize) {
        let (file, rank) = (square.file(), square.rank());
        let far = FILES - 1;
        let (file, rank) = if self.is_flipped { (far - file, rank) } else { (file, far - rank) };
        (1 + file * STEP.0, rank * STEP.1)
    }

    /// The points that an edge joins to a point.
    fn neighbours(&self, square: Square) -> SquareSet {
        lines::neighbours(square, self.game.rules().diagonals)
    }

    fn draw_edges(&self, cells: &mut [[Cell; WIDTH]; HEIGHT], square: Square) {
        let (column, row) = self.place(square);
        for neighbour in self.neighbours(square) {
            let (to_column, to_row) = self.place(neighbour);
            let columns = to_column as isize - column as isize;
            let rows = to_row as isize - row as isize;
            let glyph = self.theme.line(columns, rows);
            let steps = if columns == 0 || columns.abs() == rows.abs() * 2 {
                rows.abs()
            } else {
                columns.abs()
            };
            for step in 1..steps {
                let row = row as isize + rows * step / steps;
                let column = column as isize + columns * step / steps;
                cells[row as usize][column as usize] = (glyph, FAINT);
            }
        }
    }

    fn point(&self, square: Square) -> Cell {
        let man = Side::ALL.into_iter().find(|&side| self.game.men(side).contains(square));
        if let Some(side) = man {
            let is_in_danger = self.game.moves().contains(&Move::remove(square));
            let style = if is_in_danger { DANGER } else { style_of(side) };
            (self.theme.man(side), style)
        } else if self.game.marked().contains(square) {
            (self.theme.marked(), DANGER)
        } else {
            (self.theme.point(self.directions(square)), FAINT)
        }
    }

    /// Whether lines go up, right, down and left from a point.
    fn directions(&self, square: Square) -> [bool; 4] {
        let (column, row) = self.place(square);
        let is_there = |test: &dyn Fn(usize, usize) -> bool| {
            self.neighbours(square).into_iter().any(|neighbour| {
                let (to_column, to_row) = self.place(neighbour);
                test(to_column, to_row)
            })
        };
        [
            is_there(&|to_column, to_row| to_column == column && to_row < row),
            is_there(&|to_column, to_row| to_column > column && to_row == row),
            is_there(&|to_column, to_row| to_column == column && to_row > row),
            is_there(&|to_column, to_row| to_column < column && to_row == row),
        ]
    }

    /// Marks where a man went with brackets, and where it left and what was removed with others.
    fn mark(&self, cells: &mut [[Cell; WIDTH]; HEIGHT], mv: Move) {
        let mut enclose = |square: Square, [left, right]: [char; 2], style: Style| {
            let (column, row) = self.place(square);
            cells[row][column - 1] = (left, style);
            cells[row][column + 1] = (right, style);
        };
        match mv.kind() {
            MoveKind::Place(to) => enclose(to, ['[', ']'], LAST),
            MoveKind::Slide { from, to } => {
                enclose(from, ['(', ')'], LAST);
                enclose(to, ['[', ']'], LAST);
            }
            MoveKind::Remove(man) => {
                enclose(man, ['(', ')'], DANGER);
                let (column, row) = self.place(man);
                if !self.game.marked().contains(man) {
                    cells[row][column] = (self.theme.removed(), DANGER);
                }
            }
        }
    }

    /// The label left of a row.
    fn rank(&self, row: usize) -> String {
        let number = row / STEP.1 + 1;
        let rank = if self.is_flipped { number } else { FILES + 1 - number };
        if row.is_multiple_of(STEP.1) { format!("{rank} ") } else { "  ".to_owned() }
    }

    /// The labels below the board.
    fn files(&self) -> String {
        let mut cells = [(' ', Style::new()); WIDTH];
        for file in 0..FILES {
            let shown = if self.is_flipped { FILES - 1 - file } else { file };
            cells[1 + file * STEP.0] = (char::from(b'a' + shown as u8), FAINT);
        }
        styled("  ", &cells)
    }
}

/// A row with its label, the style set anew only where it changes.
fn styled(label: &str, cells: &[Cell]) -> String {
    let mut line = format!("{FAINT}{label}{FAINT:#}");
    for run in cells.chunk_by(|(_, first), (_, second)| first == second) {
        let style = run[0].1;
        let glyphs: String = run.iter().map(|(glyph, _)| glyph).collect();
        let _ = write!(line, "{style}{glyphs}{style:#}");
    }
    line
}

#[cfg(test)]
mod tests {
    use millstone::any_game;
    use millstone::rules::{DrawRules, Preset, RuleSet};

    use super::*;

    fn picture(rules: &RuleSet, moves: &[&str], is_flipped: bool, theme: Theme) -> String {
        let mut game = any_game::start(rules, DrawRules::default());
        let play = |text: &&str| {
            let (side, mv) = (game.to_move(), text.parse().unwrap());
            game.play(mv).unwrap();
            (side, mv)
        };
        let played: Vec<_> = moves.iter().map(play).collect();
        let last_turn = &played[played.len().saturating_sub(2)..];
        let lines = Picture { game: &*game, last_turn, is_flipped, theme }.lines();
        let lines = lines.iter().map(|line| anstream::adapter::strip_str(line).to_string());
        lines.map(|line| line.trim_end().to_owned()).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn the_board_shows_men_and_the_last_turn() {
        let moves = ["d6", "a1", "d5", "a4", "d7", "xa1"];
        let drawn = picture(&RuleSet::NINE_MENS_MORRIS, &moves, false, Theme::Ascii);
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
        let drawn = picture(&rules, &["a1"], true, Theme::Unicode);
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
