//! How things look: glyphs by what the terminal can show, and colours.

use anstyle::{AnsiColor, Style};
use millstone::board::Side;

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

/// The characters that a board is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// Those of every terminal.
    Ascii,
    /// Lines and discs.
    Unicode,
}

impl Theme {
    /// What the terminal is able to show, unless plain characters are asked for.
    pub fn of_terminal(is_plain: bool, is_rich: bool) -> Self {
        if is_rich && !is_plain && terminal::speaks_unicode() { Self::Unicode } else { Self::Ascii }
    }

    /// What turns round while the engine thinks, a blank at the end.
    pub const fn spinner(self) -> &'static str {
        match self {
            Self::Ascii => "-\\|/ ",
            Self::Unicode => "⠁⠂⠄⡀⢀⠠⠐⠈ ",
        }
    }

    /// A man of a side.
    pub const fn man(self, side: Side) -> char {
        match (self, side) {
            (Self::Ascii, side) => side.man(),
            (Self::Unicode, Side::White) => '○',
            (Self::Unicode, Side::Black) => '●',
        }
    }

    /// A point that nobody may use.
    pub const fn marked(self) -> char {
        match self {
            Self::Ascii => 'X',
            Self::Unicode => '╳',
        }
    }

    /// A point from which a man was removed.
    pub const fn removed(self) -> char {
        match self {
            Self::Ascii => 'x',
            Self::Unicode => '×',
        }
    }

    /// A line that goes so many columns to the right and rows down.
    pub const fn line(self, columns: isize, rows: isize) -> char {
        match (self, columns, rows) {
            (Self::Ascii, _, 0) => '-',
            (Self::Ascii, 0, _) => '|',
            (Self::Unicode, _, 0) => '─',
            (Self::Unicode, 0, _) => '│',
            (Self::Ascii, ..) => {
                if (columns > 0) == (rows > 0) {
                    '\\'
                } else {
                    '/'
                }
            }
            (Self::Unicode, ..) => {
                if (columns > 0) == (rows > 0) {
                    '╲'
                } else {
                    '╱'
                }
            }
        }
    }

    /// An empty point from which lines go up, right, down and left.
    pub const fn point(self, [up, right, down, left]: [bool; 4]) -> char {
        if matches!(self, Self::Ascii) {
            return '+';
        }
        match (up, right, down, left) {
            (false, true, true, false) => '┌',
            (false, false, true, true) => '┐',
            (true, true, false, false) => '└',
            (true, false, false, true) => '┘',
            (true, true, true, false) => '├',
            (true, false, true, true) => '┤',
            (false, true, true, true) => '┬',
            (true, true, false, true) => '┴',
            _ => '┼',
        }
    }
}
