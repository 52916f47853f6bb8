//! The sentences of a lesson, in English; programs that speak other languages read what each says.

use std::fmt;

use super::motif::{Mills, Motif, joined};
use super::white_score::WhiteScore;
use crate::board::{Side, Square, SquareSet};
use crate::position::Move;
use crate::search::Class;

/// A sentence about a turn. Turns are counted for both sides.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(tag = "says", rename_all = "snake_case"))]
pub enum Phrase {
    /// The turn wins the game.
    WinsAtOnce,
    /// The turn loses the game.
    LosesAtOnce,
    /// The game ends in a draw.
    EndsDrawn,
    /// The turn gives value away.
    Spoils { was: Class, is: Class, turns: Option<u16> },
    /// The turn gives nothing away.
    Keeps { is: Class, turns: Option<u16> },
    /// What the tablebase says of a turn whose alternatives it does not all know.
    ByTablebase { is: Class },
    /// A search sees the end of the game.
    Finds { wins: bool, turns: u16, depth: u32 },
    /// A search estimates the position after the turn.
    Estimates { score: WhiteScore, depth: u32 },
    /// What a good turn does at once.
    Does {
        /// At least one motif.
        motifs: Vec<Motif>,
    },
    /// What happens next by the tablebase or a search.
    Event {
        by_search: bool,
        /// In a number of turns, 1 for the next one.
        turns: u16,
        #[cfg_attr(feature = "serde", serde(flatten))]
        kind: EventKind,
    },
    /// The opponent may close a mill at once.
    Allows { side: Side, points: SquareSet },
    /// There was no choice.
    OnlyChoice { removes: bool },
    /// All moves lose; another one lasts longer.
    AllLose { removes: bool, longest: Option<(Move, u16)> },
    /// All moves keep the value.
    AllKeep { removes: bool },
    /// Of several moves those that keep the value, where the one that was played is among them.
    Keeping { keeping: usize, all: usize, removes: bool },
    /// The same where it is not among them.
    Kept { keeping: usize, all: usize, best: Move, reasons: Vec<Motif> },
    /// Another move wins sooner.
    Sooner { best: Move, turns: u16 },
    /// Another move would have won, in a number of turns after it.
    WouldWin { best: Move, turns: Option<u16>, reasons: Vec<Motif> },
    /// A search prefers another move.
    Prefers { best: Move, score: WhiteScore, reasons: Vec<Motif> },
    /// A search finds no clearly better move.
    NoneBetter,
}

/// What happens.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(tag = "what", rename_all = "snake_case"))]
pub enum EventKind {
    /// A side closes mills and removes a man.
    Mill { side: Side, mills: Mills, man: Square },
    /// A side captures otherwise.
    Capture { side: Side, to: Square, man: Square },
    /// A side cannot move any more.
    Blocked { side: Side },
}

/// What is said of a win and of a loss beyond the reach of the draw rules.
const CURSED: &str = " that the draw rules may spoil";
const BLESSED: &str = " that the draw rules may avert";

impl fmt::Display for Phrase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WinsAtOnce => f.write_str("This wins at once."),
            Self::LosesAtOnce => f.write_str("This loses at once."),
            Self::EndsDrawn => f.write_str("The game is drawn."),
            Self::Spoils { was, is, turns } => {
                write!(f, "This turns {} into {}.", Worth(*was, None), Worth(*is, *turns))
            }
            Self::Keeps { is, turns } => write!(f, "Still {}.", Worth(*is, *turns)),
            Self::ByTablebase { is: Class::CursedWin } => {
                write!(f, "A win by the tablebase{CURSED}.")
            }
            Self::ByTablebase { is: Class::BlessedLoss } => {
                write!(f, "A loss by the tablebase{BLESSED}.")
            }
            Self::ByTablebase { is: Class::Win } => f.write_str("A win by the tablebase."),
            Self::ByTablebase { is: Class::Loss } => f.write_str("A loss by the tablebase."),
            Self::ByTablebase { is: Class::Draw } => f.write_str("A draw by the tablebase."),
            Self::Finds { wins, turns, depth } => {
                let end = if *wins { "win" } else { "loss" };
                write!(f, "A search to depth {depth} finds a {end} in {}.", turns_of(*turns))
            }
            Self::Estimates { score, depth } => {
                write!(f, "Estimated at {score} for White (depth {depth}).")
            }
            Self::Does { motifs } => write!(f, "It {}.", listed(motifs)),
            Self::Event { by_search: true, turns, kind } => kind.write_expected(f, *turns),
            Self::Event { by_search: false, turns: 1, kind } => kind.write_next(f),
            Self::Event { by_search: false, turns, kind } => kind.write_later(f, *turns),
            Self::Allows { side, points } => {
                write!(f, "{side} can now close a mill on {}.", joined(*points, " or "))
            }
            Self::OnlyChoice { removes } => write!(f, "It was the only {}.", noun(*removes)),
            Self::AllLose { removes, longest: None } => {
                write!(f, "Every {} loses.", noun(*removes))
            }
            Self::AllLose { removes, longest: Some((best, turns)) } => {
                let (noun, turns) = (noun(*removes), turns_of(*turns));
                write!(f, "Every {noun} loses; {best} would have lasted longest ({turns}).")
            }
            Self::AllKeep { removes } => write!(f, "Every {} keeps that.", noun(*removes)),
            Self::Keeping { keeping: 1, all, removes } => {
                write!(f, "It was the only {} of {all} that keeps it.", noun(*removes))
            }
            Self::Keeping { keeping, all, removes } => {
                write!(f, "{keeping} of {all} {}s keep that.", noun(*removes))
            }
            Self::Kept { keeping: 1, best, reasons, .. } => {
                write!(f, "Only {best} kept it{}.", Reasons(reasons))
            }
            Self::Kept { keeping, all, best, reasons } => {
                let (noun, reasons) = (noun(best.is_removal()), Reasons(reasons));
                write!(f, "{keeping} of {all} {noun}s kept it, among them {best}{reasons}.")
            }
            Self::Sooner { best, turns: 0 } => write!(f, "{best} would have won at once."),
            Self::Sooner { best, turns } => {
                write!(f, "{best} would have won sooner ({}).", turns_of(*turns))
            }
            Self::WouldWin { best, turns, reasons } => {
                let when = match turns {
                    None => String::new(),
                    Some(0) => " at once".to_owned(),
                    Some(turns) => format!(" in {}", turns_of(*turns)),
                };
                write!(f, "{best} would have won{when}{}.", Reasons(reasons))
            }
            Self::Prefers { best, score, reasons } => {
                write!(f, "The search prefers {best} ({score}){}.", Reasons(reasons))
            }
            Self::NoneBetter => f.write_str("The search finds no clearly better move."),
        }
    }
}

impl EventKind {
    /// What may happen in the next turn.
    fn write_next(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mill { side, mills, man } => {
                write!(f, "Next turn {side} can close {mills} and take {man}.")
            }
            Self::Capture { side, to, man } => {
                write!(f, "Next turn {side} can move to {to} and take {man}.")
            }
            Self::Blocked { side } => write!(f, "Next turn {side} can be blocked."),
        }
    }

    /// What happens in a later turn of best play.
    fn write_later(&self, f: &mut fmt::Formatter<'_>, turn: u16) -> fmt::Result {
        f.write_str("In one line of best play, ")?;
        match self {
            Self::Mill { side, mills, man } => {
                write!(f, "{side} closes {mills} in {turn} turns and takes {man}.")
            }
            Self::Capture { side, to, man } => {
                write!(f, "{side} moves to {to} in {turn} turns and takes {man}.")
            }
            Self::Blocked { side } => write!(f, "{side} is blocked in {turn} turns."),
        }
    }

    /// What a search expects.
    fn write_expected(&self, f: &mut fmt::Formatter<'_>, turn: u16) -> fmt::Result {
        let when = if turn == 1 { "next turn".to_owned() } else { format!("in {turn} turns") };
        match self {
            Self::Mill { side, mills, man } => {
                write!(f, "The search expects {side} to close {mills} {when} and take {man}.")
            }
            Self::Capture { side, to, man } => {
                write!(f, "The search expects {side} to move to {to} {when} and take {man}.")
            }
            Self::Blocked { side } => {
                write!(f, "The search expects {side} to be blocked {when}.")
            }
        }
    }
}

/// What a position is worth, as a noun, with the turns to the end.
struct Worth(Class, Option<u16>);

impl fmt::Display for Worth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Class::Win | Class::CursedWin => "a win",
            Class::Draw => "a draw",
            Class::Loss | Class::BlessedLoss => "a loss",
        })?;
        if let (false, Some(turns)) = (self.0 == Class::Draw, self.1) {
            write!(f, " in {}", turns_of(turns))?;
        }
        match self.0 {
            Class::CursedWin => f.write_str(CURSED),
            Class::BlessedLoss => f.write_str(BLESSED),
            _ => Ok(()),
        }
    }
}

/// Why a move is good, after its name.
struct Reasons<'a>(&'a [Motif]);

impl fmt::Display for Reasons<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() { Ok(()) } else { write!(f, ": it {}", listed(self.0)) }
    }
}

fn listed(motifs: &[Motif]) -> String {
    let motifs: Vec<String> = motifs.iter().map(ToString::to_string).collect();
    match motifs.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => motifs.concat(),
    }
}

const fn noun(removes: bool) -> &'static str {
    if removes { "removal" } else { "move" }
}

fn turns_of(count: u16) -> String {
    format!("{count} turn{}", if count == 1 { "" } else { "s" })
}
