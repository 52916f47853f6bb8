//! Scores, motifs and lessons as English text, and as data for programs that speak other languages.

use std::fmt;

use crate::board::{BySide, Side, Square, SquareSet, lines};
use crate::game::Game;
use crate::position::{Move, MoveKind, Position};
use crate::quote::listed;
use crate::rules::RuleSet;
use crate::score::{Bound, Score, ScoreKind};
use crate::search::{Class, Variation};

/// A score from White's view.
///
/// As text, `+1.25` means that White is 1.25 men ahead, `-#3` that Black wins in three of Black's turns, and
/// `+won` that White wins in an unknown number of turns, with a question mark if the n-move rule may turn
/// the win into a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct WhiteScore(Score);

impl WhiteScore {
    /// Converts a score from the view of `side`.
    pub fn new(score: Score, side: Side) -> Self {
        Self(if side == Side::White { score } else { -score })
    }

    /// White's expected score, 0 to 1.
    pub fn share(self) -> f32 {
        self.0.expectation()
    }
}

impl fmt::Display for WhiteScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < Score::DRAW { '-' } else { '+' };
        let text = match self.0.kind() {
            ScoreKind::MateIn(turns) | ScoreKind::MatedIn(turns) => {
                format!("{sign}#{}", Score::turns_of_winner(turns))
            }
            ScoreKind::TablebaseWin | ScoreKind::TablebaseLoss => format!("{sign}won"),
            ScoreKind::CursedWin | ScoreKind::BlessedLoss => format!("{sign}won?"),
            ScoreKind::Estimate(hundredths) => {
                format!("{:+.2}", f32::from(hundredths) / f32::from(Score::MAN))
            }
        };
        f.pad(&text)
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for WhiteScore {
    /// Writes the winner's turns to the end as `mate`, negative if Black wins; otherwise hundredths of a man
    /// as `cp`, with the text as `word` if one side wins in an unknown number of turns.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;

        let mut fields = serializer.serialize_struct("WhiteScore", 2)?;
        let mate = |turns| i32::from(Score::turns_of_winner(turns));
        match self.0.kind() {
            ScoreKind::MateIn(turns) => fields.serialize_field("mate", &mate(turns))?,
            ScoreKind::MatedIn(turns) => fields.serialize_field("mate", &-mate(turns))?,
            ScoreKind::Estimate(hundredths) => fields.serialize_field("cp", &hundredths)?,
            _ => {
                fields.serialize_field("cp", &self.0.hundredths())?;
                fields.serialize_field("word", &self.to_string())?;
            }
        }
        fields.end()
    }
}

/// A line of play with its score from White's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct WhiteLine<'a> {
    /// The score.
    pub score: WhiteScore,
    /// Whether the search proved the score, or only that White's score is at least or at most this.
    pub bound: Bound,
    /// The depth of the search that found the line, in plies; 0 if none did.
    pub depth: u32,
    /// The moves.
    pub moves: &'a [Move],
}

impl<'a> WhiteLine<'a> {
    /// Converts a line whose first move is by `side`.
    pub fn new(line: &'a Variation, side: Side) -> Self {
        let bound = if side == Side::White { line.bound } else { -line.bound };
        let score = WhiteScore::new(line.score, side);
        Self { score, bound, depth: line.depth, moves: &line.pv }
    }

    /// Converts lines whose first moves are by `side`.
    pub fn all(lines: &'a [Variation], side: Side) -> Vec<Self> {
        lines.iter().map(|line| Self::new(line, side)).collect()
    }
}

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

/// An immediate effect of a move.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(tag = "does", rename_all = "snake_case"))]
pub enum Motif {
    /// The move closes mills.
    Closes {
        /// The line of the mill, or the points of all lines of a double mill.
        mills: Vec<SquareSet>,
    },
    /// The move stops the opponent from closing a mill next turn.
    Prevents {
        /// Where the mill would have been closed.
        points: SquareSet,
    },
    /// The move breaks an opponent's double mill, in which a man slides back and forth between two mills.
    BreaksDouble,
    /// The move makes a double mill.
    MakesDouble,
    /// The move threatens to close a mill next turn.
    Threatens {
        /// The points where a mill can be closed now but not before.
        points: SquareSet,
    },
}

impl Motif {
    /// Returns the motifs of a legal move, the most forcing first.
    pub fn of(before: &Game, mv: Move) -> Vec<Self> {
        let mut after = before.clone();
        if after.play(mv).is_err() || after.outcome().is_some() {
            return Vec::new();
        }
        let (before, after) = (before.position(), after.position());
        let side = before.to_move();
        let [own_before, own_after] = [before, after].map(|position| Chances::of(position, side));
        let [other_before, other_after] =
            [before, after].map(|position| Chances::of(position, !side));
        let mills = mills_closed_by(before, mv);
        let prevented = other_before.closing & !other_after.closing;
        let threatened = own_after.closing & !own_before.closing;
        let is_closing = !mills.is_empty();
        let motifs = [
            (!mills.is_empty()).then_some(Self::Closes { mills }),
            (!prevented.is_empty()).then_some(Self::Prevents { points: prevented }),
            (other_before.is_double && !other_after.is_double).then_some(Self::BreaksDouble),
            (own_after.is_double && !own_before.is_double).then_some(Self::MakesDouble),
            (!is_closing && !threatened.is_empty())
                .then_some(Self::Threatens { points: threatened }),
        ];
        motifs.into_iter().flatten().collect()
    }
}

/// The point that a man leaves (empty for a placement) and the point it moves to.
fn step(mv: Move) -> Option<(SquareSet, Square)> {
    match mv.kind() {
        MoveKind::Place(to) => Some((SquareSet::EMPTY, to)),
        MoveKind::Slide { from, to } => Some((SquareSet::of(from), to)),
        MoveKind::Remove(_) => None,
    }
}

/// Returns the lines that a move closes: up to three, all through its target.
pub fn mills_closed_by(before: &Position<RuleSet>, mv: Move) -> Vec<SquareSet> {
    let Some((from, to)) = step(mv) else { return Vec::new() };
    let men = before.own_men() & !from;
    if before.count_closed(to, before.to_move(), men) == 0 {
        return Vec::new();
    }
    let partners = lines::partners(to, before.rules().diagonals).into_iter();
    let closed = partners.filter(|&others| !others.is_empty() && men.contains_all(others));
    closed.map(|others| others.with(to)).collect()
}

/// Writes `the mill a1-a4-a7`, or `the mills a1-a4-a7 and a7-d7-g7`.
fn name_mills(mills: &[SquareSet]) -> String {
    let names: Vec<String> = mills.iter().map(|line| joined(*line, "-")).collect();
    format!("the mill{} {}", if names.len() > 1 { "s" } else { "" }, names.join(" and "))
}

/// The points of a set from left to right, bottom to top within a file, with `between` as separator.
fn joined(points: SquareSet, between: &str) -> String {
    let mut points: Vec<Square> = points.into_iter().collect();
    points.sort_by_key(|point| (point.file(), point.rank()));
    points.into_iter().map(Square::name).collect::<Vec<_>>().join(between)
}

/// The mills that a side could close if it were to move.
#[derive(Clone, Copy)]
pub struct Chances {
    /// The points where it could close them.
    pub closing: SquareSet,
    /// Whether a man can close one of them by sliding out of another mill, to which it can return.
    is_double: bool,
}

impl Chances {
    pub fn of(position: &Position<RuleSet>, side: Side) -> Self {
        let men = BySide(Side::ALL.map(|side| position.men(side)));
        let hands = BySide(Side::ALL.map(|side| position.in_hand(side)));
        let moves = position.rearranged(men, hands, side).moves();
        let diagonals = position.rules().diagonals;
        let own = position.men(side);
        let mut chances = Self { closing: SquareSet::EMPTY, is_double: false };
        for (from, to) in moves.into_iter().filter_map(step) {
            if position.empty().contains(to) && position.count_closed(to, side, own & !from) > 0 {
                chances.closing = chances.closing.with(to);
                let leaves_mill = !(from & lines::in_mills(own, diagonals)).is_empty();
                chances.is_double |= leaves_mill && !position.may_fly(side);
            }
        }
        chances
    }
}

impl fmt::Display for Motif {
    /// Writes the effect, such as `closes the mill a1-a4-a7`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Closes { mills } => write!(f, "closes {}", name_mills(mills)),
            Self::Prevents { points } => {
                write!(f, "prevents a mill on {}", joined(*points, " or "))
            }
            Self::BreaksDouble => f.write_str("breaks a double mill"),
            Self::MakesDouble => f.write_str("makes a double mill"),
            Self::Threatens { points } if points.len() > 1 => {
                write!(f, "threatens mills on {}", joined(*points, " and "))
            }
            Self::Threatens { points } => write!(f, "threatens a mill on {}", joined(*points, "")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::DrawRules;

    #[cfg(feature = "serde")]
    #[test]
    fn scores_are_serialized_for_white() {
        use serde_json::json;

        let written = |score| serde_json::to_value(WhiteScore::new(score, Side::Black)).unwrap();
        assert_eq!(written(Score::estimate(-125)), json!({"cp": 125}));
        let cp = i32::from(Score::CURSED_WIN.bits());
        assert_eq!(written(Score::CURSED_WIN), json!({"cp": -cp, "word": "-won?"}));
        assert_eq!(written(Score::mated_in(2)), json!({"mate": 1}));
    }

    #[test]
    fn scores_are_written_for_white() {
        let written = |score, side| WhiteScore::new(score, side).to_string();
        for (score, white, black) in [
            (Score::estimate(125), "+1.25", "-1.25"),
            (Score::mate_in(5), "+#3", "-#3"),
            (Score::mated_in(2), "-#1", "+#1"),
            (Score::TABLEBASE_WIN, "+won", "-won"),
            (Score::CURSED_WIN, "+won?", "-won?"),
        ] {
            assert_eq!(written(score, Side::White), white);
            assert_eq!(written(score, Side::Black), black);
        }
        assert_eq!(format!("{:>6}", WhiteScore::new(Score::DRAW, Side::Black)), " +0.00");
    }

    #[test]
    fn motifs_are_those_of_the_move() {
        let double = "WWW..B../W.W...../.B..B.B.";
        for (board, rest, mv, expected) in [
            ("WW....../B..B..../.W..B...", "w m m 0,0 - 0 40", "d5-g7", "closes the mill a7-d7-g7"),
            ("WW....../B..B..../.W..B...", "w m m 0,0 - 0 40", "d5-c5", ""),
            (
                "W...W.../B..B..../.W..B...",
                "w m m 0,0 - 0 40",
                "d5-g7",
                "threatens mills on d7 and g4",
            ),
            ("WW...W../BB.B..../BW......", "w p p 5,5 - 0 8", "f6", "prevents a mill on f6"),
            (
                "WWW..B../W..W..../.B..B.B.",
                "w m m 0,0 - 0 40",
                "f4-f6",
                "makes a double mill, threatens a mill on d6",
            ),
            (double, "b m m 0,0 - 0 41", "d5-d6", "prevents a mill on d6, breaks a double mill"),
            (double, "w m m 0,0 - 0 41", "d7-d6", "closes the mill b6-d6-f6"),
        ] {
            let text = format!("MFEN/1.0 mill24-state-v1 {board} {rest} -");
            let game = Game::from_text(&text, RuleSet::default(), DrawRules::default()).unwrap();
            let motifs = Motif::of(&game, mv.parse().unwrap());
            let told: Vec<String> = motifs.iter().map(ToString::to_string).collect();
            assert_eq!(told.join(", "), expected, "{mv}");
        }
    }
}
