//! The ways of writing a game down, and the words for its end.

use std::fmt;
use std::str::FromStr;

use super::GameResult;
use crate::board::Side;
use crate::game::Outcome;
use crate::quote::quote;

/// A way of writing games down; all are recognised by themselves when they are read.
///
/// All but [`Uci`](Self::Uci) hold whatever a record holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// The text of Sanmill: tags, then a numbered line for each round, with CRLF line ends.
    Sanmill,
    /// The files of the site `PlayOK`: tags, then moves with numbered points.
    PlayOk,
    /// The move text of the world federation, after such tags as there are.
    Wmd,
    /// A `position` command of the protocol for each game, which holds the moves alone.
    Uci,
}

impl Notation {
    /// All notations.
    pub const ALL: [Self; 4] = [Self::Sanmill, Self::PlayOk, Self::Wmd, Self::Uci];

    /// Those that hold comments, glyphs and variations too.
    pub const COMMENTED: [Self; 3] = [Self::Sanmill, Self::PlayOk, Self::Wmd];

    /// The name, in small letters.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sanmill => "sanmill",
            Self::PlayOk => "playok",
            Self::Wmd => "wmd",
            Self::Uci => "uci",
        }
    }
}

impl fmt::Display for Notation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A text that names no notation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownNotation(String);

impl fmt::Display for UnknownNotation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Notation::ALL.map(Notation::name).join(", ");
        write!(f, "expected one of {names}, found '{}'", self.0)
    }
}

impl std::error::Error for UnknownNotation {}

impl FromStr for Notation {
    type Err = UnknownNotation;

    /// Reads a name; letters may be of either case.
    fn from_str(text: &str) -> Result<Self, UnknownNotation> {
        let notation = Self::ALL.into_iter().find(|it| it.name().eq_ignore_ascii_case(text));
        notation.ok_or_else(|| UnknownNotation(quote(text)))
    }
}

/// What people write for a draw besides its word.
const DRAWS: [&str; 3] = ["1/2", "½-½", "½"];

impl GameResult {
    /// All results.
    pub const ALL: [Self; 4] = [Self::WhiteWins, Self::BlackWins, Self::Draw, Self::Unknown];

    /// The word for it in records.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::WhiteWins => "1-0",
            Self::BlackWins => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Unknown => "*",
        }
    }

    /// The result that a word stands for; a draw has several.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        let other = DRAWS.contains(&word).then_some(Self::Draw);
        other.or_else(|| Self::ALL.into_iter().find(|result| result.word() == word))
    }

    /// The result of a game that a side has won.
    #[must_use]
    pub const fn won_by(winner: Side) -> Self {
        match winner {
            Side::White => Self::WhiteWins,
            Side::Black => Self::BlackWins,
        }
    }
}

impl From<Option<Outcome>> for GameResult {
    /// The result of a game that ended like this, or has not.
    fn from(outcome: Option<Outcome>) -> Self {
        match outcome {
            Some(Outcome::Win { winner, .. }) => Self::won_by(winner),
            Some(Outcome::Draw(_)) => Self::Draw,
            None => Self::Unknown,
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_words_are_read_as_they_are_written() {
        for notation in Notation::ALL {
            assert_eq!(notation.to_string().to_uppercase().parse(), Ok(notation));
        }
        let error = "pgn".parse::<Notation>().unwrap_err().to_string();
        assert_eq!(error, "expected one of sanmill, playok, wmd, uci, found 'pgn'");
        for result in GameResult::ALL {
            assert_eq!(GameResult::from_word(result.word()), Some(result));
        }
        assert_eq!(DRAWS.map(GameResult::from_word), [Some(GameResult::Draw); 3]);
    }
}
