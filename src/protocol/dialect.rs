//! The two dialects of the protocol, and the words in which they differ.

use super::gbgp;
use crate::any_game::AnyGame;
use crate::position::{Move, MoveLine, Turn};

/// A way of talking with a front end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// That of the mill programs, like UCI: a move is one action.
    #[default]
    Uci,
    /// The Generic Board Game Protocol: a move is a whole turn.
    Gbgp,
}

impl Dialect {
    /// The command that chooses the dialect.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Uci => "uci",
            Self::Gbgp => "gbgp",
        }
    }

    /// The word that ends the answer to `uci` or `gbgp`.
    pub(super) const fn ready_word(self) -> &'static str {
        match self {
            Self::Uci => "uciok",
            Self::Gbgp => "gbgpok",
        }
    }

    /// The command that begins another game.
    pub(super) const fn new_game_word(self) -> &'static str {
        match self {
            Self::Uci => "ucinewgame",
            Self::Gbgp => "newgame",
        }
    }

    /// The command that asks for a position as text, and the word before one in `position`.
    pub(super) const fn text_word(self) -> &'static str {
        match self {
            Self::Uci => "fen",
            Self::Gbgp => "pos",
        }
    }

    /// The position of a game as text.
    pub(super) fn text(self, game: &dyn AnyGame) -> String {
        match self {
            Self::Uci => game.text(),
            Self::Gbgp => gbgp::GbgpPosition::of(game).to_string(),
        }
    }

    /// The moves that may be played, as the dialect counts moves.
    pub(super) fn moves(self, game: &dyn AnyGame) -> Vec<Turn> {
        match self {
            Self::Uci => game.moves().into_iter().map(Turn::from).collect(),
            Self::Gbgp => gbgp::legal_turns(game),
        }
    }

    /// Plays a move of a `position` command.
    ///
    /// # Errors
    ///
    /// What is wrong with the word; the game is then of no use any more.
    pub(super) fn play(self, game: &mut dyn AnyGame, word: &str) -> Result<(), String> {
        match self {
            Self::Uci => {
                let legal = || format!("; legal moves:{}", MoveLine(&game.moves()));
                let mv: Move = word.parse().map_err(|error| format!("{error}{}", legal()))?;
                game.play(mv).map_err(|error| error.to_string())
            }
            Self::Gbgp => gbgp::play(game, word),
        }
    }
}
