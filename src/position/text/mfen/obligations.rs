//! Owed removals in MFEN.

use std::fmt;
use std::str::FromStr;

use super::{digits, set};
use crate::board::{Side, SquareSet};
use crate::position::{Phase, Position};
use crate::rules::{MillAction, RuleSet, Rules};

/// Why a side owes a removal.
pub(super) type Cause = &'static str;

pub(super) const LEAP: Cause = "leap";
pub(super) const INTERVENTION: Cause = "intervention";
pub(super) const CUSTODIAN: Cause = "custodian";
const MILL: Cause = "mill";
const MILL_COUNT: Cause = "mill-count";
pub(super) const STALEMATE: Cause = "stalemate";
const BOARD_FULL: Cause = "board-full";
const CAUSES: [Cause; 7] = [LEAP, INTERVENTION, CUSTODIAN, MILL, MILL_COUNT, STALEMATE, BOARD_FULL];

/// Removals that a side owes, all for one reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Obligation {
    pub(super) player: Side,
    pub(super) cause: Cause,
    /// The number of men to remove; negative for the player's own.
    pub(super) count: i8,
    /// The men that may be removed, or `None` if the rules determine them.
    pub(super) targets: Option<SquareSet>,
    /// The side that moves next, or `None` if another obligation follows.
    pub(super) after: Option<Side>,
}

/// Obligations that follow each other.
type Branch = Vec<Obligation>;

/// What the sides owe: alternative branches, empty if they owe nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Obligations(pub(super) Vec<Branch>);

impl Obligations {
    /// What the sides owe in a position.
    pub(super) fn of<R: Rules>(position: &Position<R>) -> Self {
        let player = !position.to_move();
        let has_captures = position.extras().count_captures() > 0;
        let cause = if has_captures { MILL } else { cause_of(position) };
        let count = position.owed(player);
        let owed = Obligation { player, cause, count, targets: None, after: None };
        let later = Some(owed).filter(|owed| owed.count != 0);
        let finish = |obligation: Obligation| {
            let targets = obligation.targets.unwrap_or_else(|| position.removable());
            let most = obligation.count.unsigned_abs() + count.unsigned_abs();
            let after = Some(side_after(*position, targets, most));
            match later {
                None => vec![Obligation { after, ..obligation }],
                Some(later) => vec![obligation, Obligation { after, ..later }],
            }
        };
        Self(own(position).into_iter().map(finish).collect())
    }

    /// Whether these obligations, read from a text, match `others`, which the rules produce with the men `removable`.
    pub(super) fn agree(&self, others: &Self, removable: SquareSet) -> bool {
        let agrees = |read: &Obligation, made: &Obligation| {
            let targets = read.targets.map(|_| made.targets.unwrap_or(removable));
            *read == Obligation { targets, after: read.after.and(made.after), ..*made }
        };
        let is_same = |read: &Branch, made: &Branch| {
            read.len() == made.len() && read.iter().zip(made).all(|(read, made)| agrees(read, made))
        };
        self.0.len() == others.0.len()
            && self.0.iter().all(|read| others.0.iter().any(|made| is_same(read, made)))
    }
}

/// Why the side to move owes removals that are not captures.
fn cause_of<R: Rules>(position: &Position<R>) -> Cause {
    let (rules, extras) = (position.rules(), position.extras());
    let is_placed =
        position.phase == Phase::Moving && position.quiet_plies == 0 && position.are_hands_empty();
    let fills_board = rules.men == RuleSet::MEN_TO_FILL_BOARD && position.empty().len() < 2;
    let is_stuck = position.phase == Phase::Moving && !position.can_slide();
    if extras.stalemate.is_some() {
        STALEMATE
    } else if is_placed && rules.mill_action == MillAction::CountAtTheEnd {
        MILL_COUNT
    } else if is_placed && fills_board && !rules.board_full_action.ends() {
        BOARD_FULL
    } else if rules.stalemate_action.removes() && is_stuck && !extras.removes_own {
        STALEMATE
    } else {
        MILL
    }
}

/// The obligations of the side to move, one for each alternative.
fn own<R: Rules>(position: &Position<R>) -> Vec<Obligation> {
    let (player, extras) = (position.to_move(), position.extras());
    let owes = |cause, count, targets| Obligation { player, cause, count, targets, after: None };
    let count = position.owed(player);
    if !extras.leapt.is_empty() {
        return vec![owes(LEAP, 1, Some(extras.leapt))];
    }
    let (custodian, intervention) = (extras.custodian, extras.intervention);
    let captures =
        [(CUSTODIAN, 1, custodian), (INTERVENTION, intervention.len() as i8, intervention)];
    let captures = captures.into_iter().filter(|(_, _, men)| !men.is_empty());
    let mut choices: Vec<_> =
        captures.map(|(cause, count, men)| owes(cause, count, Some(men))).collect();
    let taken = extras.count_captures() as i8;
    if taken == 0 && count != 0 {
        choices.push(owes(cause_of(position), count, None));
    } else if taken != count {
        choices.push(owes(MILL, count, (count < taken).then(|| position.removable())));
    }
    choices
}

/// The side to move after at most `most` removals, the first one of `targets`.
fn side_after<R: Rules>(mut position: Position<R>, targets: SquareSet, most: u8) -> Side {
    for removed in 0..most {
        let moves = position.moves();
        let is_such = |target| removed > 0 || targets.contains(target);
        let mut removals = moves.iter().filter(|mv| mv.is_removal() && is_such(mv.target()));
        match removals.next() {
            Some(removal) if position.pending() > 0 => position = position.after(*removal),
            _ => break,
        }
    }
    position.to_move()
}

impl fmt::Display for Obligation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { player, cause, count, targets, after } = *self;
        let owner = if count < 0 { player } else { !player };
        let (player, owner, count) = (player.letter(), owner.letter(), count.unsigned_abs());
        let targets = targets.map_or_else(|| "~".to_owned(), digits);
        let after = after.map_or('q', Side::letter);
        write!(f, "{player}:{cause}:b:{owner}:{count}:{targets}:{after}")
    }
}

impl fmt::Display for Obligations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let branch = |branch: &Branch| {
            branch.iter().map(Obligation::to_string).collect::<Vec<_>>().join(";")
        };
        match self.0.as_slice() {
            [] => f.write_str("-"),
            branches => f.write_str(&branches.iter().map(branch).collect::<Vec<_>>().join("|")),
        }
    }
}

impl FromStr for Obligation {
    type Err = &'static str;

    /// Reads an obligation; the error says what was expected.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let words: Vec<&str> = text.split(':').collect();
        let [player, cause, zone, owner, count, targets, after] = words.as_slice() else {
            return Err("-, or PLAYER:CAUSE:ZONE:OWNER:COUNT:TARGETS:AFTER");
        };
        if *zone != "b" {
            return Err("zone b, as mills take men from the hand at once");
        }
        let player = Side::of_letter(player).ok_or("player w or b")?;
        let cause = CAUSES.into_iter().find(|known| known == cause);
        let cause = cause.ok_or("a cause such as mill or mill-count")?;
        let sign = if Side::of_letter(owner).ok_or("owner w or b")? == player { -1 } else { 1 };
        let is_count = |read: &i8| (1..=24).contains(read) && read.to_string() == *count;
        let count = count.parse().ok().filter(is_count).ok_or("a count from 1 to 24")?;
        Ok(Self {
            player,
            cause,
            count: sign * count,
            targets: match *targets {
                "~" | "-" => None,
                digits => Some(set(digits).ok_or("~, - or six hex digits as targets")?),
            },
            after: match *after {
                "q" => None,
                letter => Some(Side::of_letter(letter).ok_or("w, b or q to move next")?),
            },
        })
    }
}

impl FromStr for Obligations {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "-" {
            return Ok(Self(Vec::new()));
        }
        let branch = |branch: &str| branch.split(';').map(str::parse).collect();
        text.split('|').map(branch).collect::<Result<_, _>>().map(Self)
    }
}
