//! What a move does at once: the mills that it closes, prevents and threatens.

use crate::board::{BySide, Side, Square, SquareSet};
use crate::game::Game;
use crate::position::{Move, Position};
use crate::rules::RuleSet;

/// An immediate effect of a move; as text it follows `it`, such as `closes the mill a1-a4-a7`.
#[derive(Clone, Debug, PartialEq, Eq, derive_more::Display)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(tag = "does", rename_all = "snake_case"))]
pub enum Motif {
    /// The move closes mills.
    #[display("closes {}", name_mills(mills))]
    Closes {
        /// The line of the mill, or the points of all lines of a double mill.
        mills: Vec<SquareSet>,
    },
    /// The move stops the opponent from closing a mill next turn.
    #[display("prevents a mill on {}", joined(*points, " or "))]
    Prevents {
        /// Where the mill would have been closed.
        points: SquareSet,
    },
    /// The move breaks an opponent's double mill, in which a man slides back and forth between two mills.
    #[display("breaks a double mill")]
    BreaksDouble,
    /// The move makes a double mill.
    #[display("makes a double mill")]
    MakesDouble,
    /// The move threatens to close a mill next turn.
    #[display("threatens {} on {}", mill_or_mills(*points), joined(*points, " and "))]
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
        let mills = before.mills_closed_by(mv);
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

/// Writes `the mill a1-a4-a7`, or `the mills a1-a4-a7 and a7-d7-g7`.
pub(super) fn name_mills(mills: &[SquareSet]) -> String {
    let names: Vec<String> = mills.iter().map(|line| joined(*line, "-")).collect();
    format!("the mill{} {}", if names.len() > 1 { "s" } else { "" }, names.join(" and "))
}

/// The points of a set from left to right, bottom to top within a file, with `between` as separator.
pub(super) fn joined(points: SquareSet, between: &str) -> String {
    let mut points: Vec<Square> = points.into_iter().collect();
    points.sort_by_key(|point| (point.file(), point.rank()));
    points.into_iter().map(Square::name).collect::<Vec<_>>().join(between)
}

/// The word for what may be closed at these points.
fn mill_or_mills(points: SquareSet) -> &'static str {
    if points.len() > 1 { "mills" } else { "a mill" }
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
        let turned = position.rearranged(men, hands, side);
        let own = position.men(side);
        let closes = |to, men| position.count_closed(to, side, men) > 0;
        let mut chances = Self { closing: SquareSet::EMPTY, is_double: false };
        for mv in turned.moves().into_iter().filter(|mv| !mv.is_removal() && !turned.is_leap(*mv)) {
            let (from, to) = (mv.origin(), mv.target());
            let others = from.map_or(own, |from| own.without(from));
            if position.empty().contains(to) && closes(to, others) {
                chances.closing = chances.closing.with(to);
                let leaves_mill = from.is_some_and(|from| closes(from, others));
                chances.is_double |= leaves_mill && !position.may_fly(side);
            }
        }
        chances
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::DrawRules;

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

    #[test]
    fn mills_are_those_that_count() {
        let leaps = "leap.is_on=true leap.on_cross_lines=true leap.in_moving=true";
        for (rules, text, mv, expected) in [
            (
                "russian",
                "W.W.B.BB/.W....B./.W...... w p p 5,5 - 0 8 - ul=020202,000000",
                "d7",
                "closes the mill a7-d7-g7",
            ),
            (
                "russian",
                "WWW..B../W..W..../.B..B.B. w m m 0,0 - 0 40 - ul=000007,000000",
                "f4-f6",
                "threatens a mill on d6",
            ),
            (leaps, "W.W.B.B./.B...WB./.W...W.. w m m 0,0 - 0 40 -", "d5-d7", ""),
        ] {
            let text = format!("MFEN/1.0 mill24-state-v1 {text}");
            let rules = RuleSet::from_name(rules).unwrap();
            let game = Game::from_text(&text, rules, DrawRules::default()).unwrap();
            let motifs = Motif::of(&game, mv.parse().unwrap());
            let told: Vec<String> = motifs.iter().map(ToString::to_string).collect();
            assert_eq!(told.join(", "), expected, "{mv}");
        }
    }
}
