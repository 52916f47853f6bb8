//! Setting the words of a game in lines.

/// A word of a game, with the place it wants.
pub(super) struct Piece {
    pub(super) text: String,
    pub(super) gap: Gap,
}

/// What stands before a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gap {
    /// The number of a round of the game.
    Round,
    /// A turn of the game.
    Turn,
    /// Anything else.
    Word,
    /// Nothing: the word belongs to the one before.
    None,
}

/// How words are set in lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    /// A line for each round, in columns.
    Rounds,
    /// Lines filled as far as they may be.
    Filled,
}

/// The most characters of a filled line, by custom.
const WIDTH: usize = 80;

impl Layout {
    /// The text, without a line end after it.
    pub(super) fn set(self, pieces: &[Piece]) -> String {
        let mut text = String::new();
        let mut column = 0;
        for Piece { text: word, gap } in pieces {
            let length = word.split('\n').next().map_or(0, |line| line.chars().count());
            let separator = match (self, gap) {
                _ if column == 0 || *gap == Gap::None || text.ends_with('(') => "",
                (Self::Rounds, Gap::Round) => "\n",
                (Self::Rounds, Gap::Turn) => "    ",
                (Self::Filled, _) if column + 1 + length > WIDTH => "\n",
                _ => " ",
            };
            for part in [separator, word] {
                text.push_str(part);
                let last_line = part.rsplit_once('\n');
                column = last_line.map_or(column, |_| 0);
                column += last_line.map_or(part, |(_, last)| last).chars().count();
            }
        }
        text
    }
}
