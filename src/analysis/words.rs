//! Lessons as English text, and as data for programs that speak other languages.

use super::motifs::{Motif, joined, name_mills};
use super::scores::WhiteScore;
use crate::board::{Side, Square, SquareSet};
use crate::position::Move;
use crate::quote::listed;
use crate::search::Class;

/// A sentence about a turn. Counts of turns include both sides.
#[derive(Clone, Debug, PartialEq, derive_more::Display)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(tag = "says", rename_all = "snake_case"))]
pub enum Phrase {
    /// The turn wins the game.
    #[display("This wins at once.")]
    WinsAtOnce,
    /// The turn loses the game.
    #[display("This loses at once.")]
    LosesAtOnce,
    /// The game ends in a draw.
    #[display("The game is drawn.")]
    EndsDrawn,
    /// The turn gives value away.
    #[display("This turns {} into {}.", worth_in(*was, None), worth_in(*is, *turns))]
    Spoils { was: Class, is: Class, turns: Option<u16> },
    /// The turn gives nothing away.
    #[display("Still {}.", worth_in(*is, *turns))]
    Keeps { is: Class, turns: Option<u16> },
    /// The tablebase value of a turn some of whose alternatives are not in the tablebase.
    #[display("A {} by the tablebase{}.", worth(*is).0, worth(*is).1)]
    ByTablebase { is: Class },
    /// A search sees the end of the game.
    #[display("A search to depth {depth} finds a {} in {}.", end(*wins), turns_of(*turns))]
    Finds { wins: bool, turns: u16, depth: u32 },
    /// A search estimates the position after the turn.
    #[display("Estimated at {score} for White (depth {depth}).")]
    Estimates { score: WhiteScore, depth: u32 },
    /// The immediate effects of a good turn.
    #[display("It {}.", listed(motifs, "and"))]
    Does {
        /// At least one motif.
        motifs: Vec<Motif>,
    },
    /// The next event, according to the tablebase or a search.
    #[display("{}", kind.told(*by_search, *turns))]
    Event {
        by_search: bool,
        /// The number of turns until it happens, 1 for the next turn.
        turns: u16,
        #[cfg_attr(feature = "serde", serde(flatten))]
        kind: EventKind,
    },
    /// The opponent may close a mill at once.
    #[display("{side} can now close a mill on {}.", joined(*points, " or "))]
    Allows { side: Side, points: SquareSet },
    /// There was no choice.
    #[display("It was the only {}.", noun(*removes))]
    OnlyChoice { removes: bool },
    /// All moves lose; another one lasts longer.
    #[display("Every {} loses{}.", noun(*removes), lasting(*longest))]
    AllLose { removes: bool, longest: Option<(Move, u16)> },
    /// All moves keep the value.
    #[display("Every {} keeps that.", noun(*removes))]
    AllKeep { removes: bool },
    /// How many moves keep the value, the played one included.
    #[display("{}", keeping_now(*keeping, *all, *at_least, noun(*removes)))]
    Keeping {
        keeping: usize,
        all: usize,
        /// Whether more moves may keep it within the draw rules.
        #[cfg_attr(feature = "serde", serde(skip_serializing_if = "std::ops::Not::not"))]
        at_least: bool,
        removes: bool,
    },
    /// How many moves would have kept the value, which the played one does not.
    #[display("{}{}.", kept(*keeping, *all, *at_least, *best), why(reasons))]
    Kept {
        keeping: usize,
        all: usize,
        #[cfg_attr(feature = "serde", serde(skip_serializing_if = "std::ops::Not::not"))]
        at_least: bool,
        best: Move,
        reasons: Vec<Motif>,
    },
    /// Another move wins sooner.
    #[display("{best} would have won {}.", sooner(*turns))]
    Sooner { best: Move, turns: u16 },
    /// Another move would have won; `turns` counts the turns after it.
    #[display("{best} would have won{}{}.", when(*turns), why(reasons))]
    WouldWin { best: Move, turns: Option<u16>, reasons: Vec<Motif> },
    /// A search prefers another move.
    #[display("The search prefers {best} ({score}){}.", why(reasons))]
    Prefers { best: Move, score: WhiteScore, reasons: Vec<Motif> },
    /// A search finds no clearly better move.
    #[display("The search finds no clearly better move.")]
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

impl EventKind {
    /// The event as possible next turn, as part of a line of best play, or as expected by a search.
    fn told(&self, by_search: bool, turns: u16) -> String {
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
            format!("The search expects {side} to {deed} {when}{capture}.")
        } else if is_told {
            format!("In one line of best play, {side} {deed} {when}{capture}.")
        } else {
            format!("Next turn {side} can {deed}{capture}.")
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
fn why(motifs: &[Motif]) -> String {
    if motifs.is_empty() { String::new() } else { format!(": it {}", listed(motifs, "and")) }
}

/// How many of all moves keep the value, or perhaps more.
fn keeping_now(keeping: usize, all: usize, at_least: bool, noun: &str) -> String {
    match (keeping, at_least) {
        (1, false) => format!("It was the only {noun} of {all} that keeps it."),
        (1, true) => format!("Perhaps it was the only {noun} of {all} that keeps it."),
        (_, false) => format!("{keeping} of {all} {noun}s keep that."),
        (_, true) => format!("At least {keeping} of {all} {noun}s keep that."),
    }
}

/// How many of all moves would have kept the value, or perhaps more, among them `best`.
fn kept(keeping: usize, all: usize, at_least: bool, best: Move) -> String {
    let noun = noun(best.is_removal());
    match (keeping, at_least) {
        (1, false) => format!("Only {best} kept it"),
        (1, true) => format!("Perhaps only {best} kept it"),
        (_, false) => format!("{keeping} of {all} {noun}s kept it, among them {best}"),
        (_, true) => format!("At least {keeping} of {all} {noun}s kept it, among them {best}"),
    }
}

/// The move that would have lasted longest, and for how many turns.
fn lasting(longest: Option<(Move, u16)>) -> String {
    let told = |(best, turns)| format!("; {best} would have lasted longest ({})", turns_of(turns));
    longest.map(told).unwrap_or_default()
}

/// When a move would have won, given the turns after it.
fn when(turns: Option<u16>) -> String {
    match turns {
        None => String::new(),
        Some(0) => " at once".to_owned(),
        Some(turns) => format!(" in {}", turns_of(turns)),
    }
}

/// How much sooner a move would have won, given the turns after it.
fn sooner(turns: u16) -> String {
    if turns == 0 { "at once".to_owned() } else { format!("sooner ({})", turns_of(turns)) }
}

const fn end(wins: bool) -> &'static str {
    if wins { "win" } else { "loss" }
}

const fn noun(removes: bool) -> &'static str {
    if removes { "removal" } else { "move" }
}

fn turns_of(count: u16) -> String {
    format!("{count} turn{}", if count == 1 { "" } else { "s" })
}
