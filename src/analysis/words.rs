//! Lessons as English text, and as data for programs that speak other languages.

use std::fmt;

use super::motifs::{Motif, joined, name_mills};
use super::scores::WhiteScore;
use crate::board::{Side, Square, SquareSet};
use crate::position::Move;
use crate::quote::listed;
use crate::search::Class;

/// A sentence about a turn. Counts of turns include both sides.
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
    /// The tablebase value of a turn some of whose alternatives are not in the tablebase.
    ByTablebase { is: Class },
    /// A search sees the end of the game.
    Finds { wins: bool, turns: u16, depth: u32 },
    /// A search estimates the position after the turn.
    Estimates { score: WhiteScore, depth: u32 },
    /// The immediate effects of a good turn.
    Does {
        /// At least one motif.
        motifs: Vec<Motif>,
    },
    /// The next event, according to the tablebase or a search.
    Event {
        by_search: bool,
        /// The number of turns until it happens, 1 for the next turn.
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
    /// How many moves keep the value, the played one included.
    Keeping {
        keeping: usize,
        all: usize,
        /// Whether more moves may keep it within the draw rules.
        #[cfg_attr(feature = "serde", serde(skip_serializing_if = "std::ops::Not::not"))]
        at_least: bool,
        removes: bool,
    },
    /// How many moves would have kept the value, which the played one does not.
    Kept {
        keeping: usize,
        all: usize,
        #[cfg_attr(feature = "serde", serde(skip_serializing_if = "std::ops::Not::not"))]
        at_least: bool,
        best: Move,
        reasons: Vec<Motif>,
    },
    /// Another move wins sooner.
    Sooner { best: Move, turns: u16 },
    /// Another move would have won; `turns` counts the turns after it.
    WouldWin { best: Move, turns: Option<u16>, reasons: Vec<Motif> },
    /// A search prefers another move.
    Prefers { best: Move, score: WhiteScore, reasons: Vec<Motif> },
    /// A search finds no clearly better move.
    NoneBetter,
}

/// A kind of event.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(tag = "what", rename_all = "snake_case"))]
pub enum EventKind {
    /// A side closes mills and removes a man.
    Mill { side: Side, mills: Vec<SquareSet>, man: Square },
    /// A side captures without closing a mill.
    Capture { side: Side, to: Square, man: Square },
    /// A side has no legal move.
    Blocked { side: Side },
}

impl fmt::Display for Phrase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WinsAtOnce => f.write_str("This wins at once."),
            Self::LosesAtOnce => f.write_str("This loses at once."),
            Self::EndsDrawn => f.write_str("The game is drawn."),
            Self::Spoils { was, is, turns } => {
                write!(f, "This turns {} into {}.", worth_in(*was, None), worth_in(*is, *turns))
            }
            Self::Keeps { is, turns } => write!(f, "Still {}.", worth_in(*is, *turns)),
            Self::ByTablebase { is } => {
                let (noun, condition) = worth(*is);
                write!(f, "A {noun} by the tablebase{condition}.")
            }
            Self::Finds { wins, turns, depth } => {
                let end = if *wins { "win" } else { "loss" };
                write!(f, "A search to depth {depth} finds a {end} in {}.", turns_of(*turns))
            }
            Self::Estimates { score, depth } => {
                write!(f, "Estimated at {score} for White (depth {depth}).")
            }
            Self::Does { motifs } => write!(f, "It {}.", listed(motifs, "and")),
            Self::Event { by_search, turns, kind } => kind.write(f, *by_search, *turns),
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
            Self::Keeping { keeping: 1, all, at_least, removes } => {
                let it_was = if *at_least { "Perhaps it was" } else { "It was" };
                write!(f, "{it_was} the only {} of {all} that keeps it.", noun(*removes))
            }
            Self::Keeping { keeping, all, at_least, removes } => {
                let count = some_of(*keeping, *at_least);
                write!(f, "{count} of {all} {}s keep that.", noun(*removes))
            }
            Self::Kept { keeping: 1, at_least, best, reasons: why, .. } => {
                let only = if *at_least { "Perhaps only" } else { "Only" };
                write!(f, "{only} {best} kept it{}.", reasons(why))
            }
            Self::Kept { keeping, all, at_least, best, reasons: why } => {
                let (noun, reasons) = (noun(best.is_removal()), reasons(why));
                let count = some_of(*keeping, *at_least);
                write!(f, "{count} of {all} {noun}s kept it, among them {best}{reasons}.")
            }
            Self::Sooner { best, turns: 0 } => write!(f, "{best} would have won at once."),
            Self::Sooner { best, turns } => {
                write!(f, "{best} would have won sooner ({}).", turns_of(*turns))
            }
            Self::WouldWin { best, turns, reasons: why } => {
                let when = match turns {
                    None => String::new(),
                    Some(0) => " at once".to_owned(),
                    Some(turns) => format!(" in {}", turns_of(*turns)),
                };
                write!(f, "{best} would have won{when}{}.", reasons(why))
            }
            Self::Prefers { best, score, reasons: why } => {
                write!(f, "The search prefers {best} ({score}){}.", reasons(why))
            }
            Self::NoneBetter => f.write_str("The search finds no clearly better move."),
        }
    }
}

impl EventKind {
    /// Writes the event as possible next turn, as part of a line of best play, or as expected by a search.
    fn write(&self, f: &mut fmt::Formatter<'_>, by_search: bool, turns: u16) -> fmt::Result {
        let (Self::Mill { side, .. } | Self::Capture { side, .. } | Self::Blocked { side }) = self;
        let is_told = !by_search && turns > 1;
        let (s, be) = if is_told { ("s", "is") } else { ("", "be") };
        let (deed, taken) = match self {
            Self::Mill { mills, man, .. } => (format!("close{s} {}", name_mills(mills)), Some(man)),
            Self::Capture { to, man, .. } => (format!("move{s} to {to}"), Some(man)),
            Self::Blocked { .. } => (format!("{be} blocked"), None),
        };
        let capture = taken.map(|man| format!(" and take{s} {man}")).unwrap_or_default();
        let when = if turns == 1 { "next turn".to_owned() } else { format!("in {turns} turns") };
        if by_search {
            write!(f, "The search expects {side} to {deed} {when}{capture}.")
        } else if is_told {
            write!(f, "In one line of best play, {side} {deed} {when}{capture}.")
        } else {
            write!(f, "Next turn {side} can {deed}{capture}.")
        }
    }
}

/// The value of a position as a noun, and its condition.
const fn worth(class: Class) -> (&'static str, &'static str) {
    match class {
        Class::Won => ("win", ""),
        Class::Cursed => ("win", " that the draw rules may spoil"),
        Class::Drawn => ("draw", ""),
        Class::Blessed => ("loss", " that the draw rules may avert"),
        Class::Lost => ("loss", ""),
    }
}

/// The value of a position in words, with the turns to the end.
fn worth_in(class: Class, turns: Option<u16>) -> String {
    let (noun, condition) = worth(class);
    let turns = turns.filter(|_| class != Class::Drawn);
    let when = turns.map(|turns| format!(" in {}", turns_of(turns))).unwrap_or_default();
    format!("a {noun}{when}{condition}")
}

/// The reasons why a move is good, to follow its name.
fn reasons(motifs: &[Motif]) -> String {
    if motifs.is_empty() { String::new() } else { format!(": it {}", listed(motifs, "and")) }
}

fn some_of(count: usize, at_least: bool) -> String {
    format!("{}{count}", if at_least { "At least " } else { "" })
}

const fn noun(removes: bool) -> &'static str {
    if removes { "removal" } else { "move" }
}

fn turns_of(count: u16) -> String {
    format!("{count} turn{}", if count == 1 { "" } else { "s" })
}
