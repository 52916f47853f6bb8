//! The value of a position under perfect play: win, draw or loss, the distance to the end, and for a draw where play
//! comes to rest if both sides play on for the best numbers of men.
//!
//! See: Gábor Gévay and Gábor Danner, "Calculating Ultra-Strong and Extended Solutions for Nine Men's
//! Morris, Morabaraba, and Lasker Morris", 2014.

use std::cmp::Ordering;
use std::fmt;

use bytemuck::{Pod, TransparentWrapper, TransparentWrapperAlloc, Zeroable};

use super::sector::{Sector, Solvable, Statistics};
use crate::position::Outcome;

/// Win, draw or loss under perfect play, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, derive_more::Display)]
#[display(rename_all = "lowercase")]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "lowercase"))]
pub enum Wdl {
    /// The side to move loses.
    Loss,
    /// Neither side can force a win.
    Draw,
    /// The side to move wins.
    Win,
}

impl Wdl {
    /// Returns the value of a move, for the side that plays it, to a position with this value.
    #[must_use]
    pub const fn before_move(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }
}

/// A kind of value that a tablebase returns.
pub trait Probe: Worth + From<Value> {
    /// Whether the value has the distance to the end.
    const HAS_DISTANCE: bool;
}

impl Probe for Wdl {
    const HAS_DISTANCE: bool = false;
}

impl Probe for Value {
    const HAS_DISTANCE: bool = true;
}

/// The value of a position for a side, the greater the better.
pub trait Worth: Copy + Ord + Send + Sync {
    /// The side has lost.
    const LOST: Self;
    /// The side wins in this turn.
    const WON: Self;
}

impl Worth for Wdl {
    const LOST: Self = Self::Loss;
    const WON: Self = Self::Win;
}

impl Worth for Value {
    const LOST: Self = Self::LOST;
    const WON: Self = Self::ends_in(1);
}

/// A [preference](Value::preference), 0 for none.
impl Worth for u8 {
    const LOST: Self = 0;
    const WON: Self = Self::MAX;
}

/// A rank in the [order among draws](super::DrawOrder).
impl Worth for i8 {
    const LOST: Self = -Self::MAX;
    const WON: Self = Self::MAX;
}

/// The value of a position for the side to move, with the distance to the end of the game.
///
/// The distance counts the turns of both sides, like a mate [`Score`](crate::score::Score): a removal
/// belongs to the move that earns it. A side that cannot move has lost in 0, a removal that leaves two
/// men wins in 1. The winner takes the shortest way, the loser the longest, so wins are odd and losses
/// even; a draw has no distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, TransparentWrapper)]
#[repr(transparent)]
pub struct Value(u8);

impl Value {
    /// Neither side can force a win.
    pub const DRAW: Self = Self(u8::MAX);
    /// The side to move has lost.
    pub const LOST: Self = Self(0);
    /// The longest distance that can be represented.
    pub const MOST_TURNS: u8 = u8::MAX - 2;

    /// Returns a win if `turns`, at most [`MOST_TURNS`](Self::MOST_TURNS), is odd, else a loss.
    pub const fn ends_in(turns: u8) -> Self {
        Self(turns)
    }

    /// Returns the value that stands for a win, draw or loss without a distance: every win has distance 1,
    /// every loss 0.
    pub const fn without_distance(wdl: Wdl) -> Self {
        match wdl {
            Wdl::Win => Self::ends_in(1),
            Wdl::Draw => Self::DRAW,
            Wdl::Loss => Self::LOST,
        }
    }

    /// Returns the values with these distances in turns, 255 for a draw.
    pub(super) fn all_from_turns(turns: Vec<u8>) -> Vec<Self> {
        Self::wrap_vec(turns)
    }

    /// Returns the distance in turns, or `None` for a draw.
    pub const fn turns(self) -> Option<u8> {
        if self.0 == Self::DRAW.0 { None } else { Some(self.0) }
    }

    /// Returns the byte that stands for the value: the distance, or 255 for a draw.
    pub const fn byte(self) -> u8 {
        self.0
    }

    /// Whether the side to move wins.
    pub const fn is_win(self) -> bool {
        self.0 != Self::DRAW.0 && self.0 % 2 == 1
    }

    /// Whether the side to move loses.
    pub const fn is_loss(self) -> bool {
        self.0 != Self::DRAW.0 && self.0.is_multiple_of(2)
    }

    /// Returns the value of a move, for the side that plays it, to a position with this value.
    ///
    /// Distances are clamped to the longest win and the longest loss.
    #[must_use]
    pub const fn before_move(self) -> Self {
        match self {
            Self::DRAW => Self::DRAW,
            Self(Self::MOST_TURNS) => Self(Self::MOST_TURNS - 1),
            Self(turns) => Self(turns + 1),
        }
    }

    /// Returns a number above 0, higher for values that the side to move prefers.
    pub(super) const fn preference(self) -> u8 {
        if self.is_win() {
            u8::MAX - self.0 / 2
        } else if self.is_loss() {
            self.0 / 2 + 1
        } else {
            DRAW_PREFERENCE
        }
    }

    /// Returns the value with a [`preference`](Self::preference).
    pub(super) const fn preferred(preference: u8) -> Self {
        if preference > DRAW_PREFERENCE {
            Self((u8::MAX - preference) * 2 + 1)
        } else if preference < DRAW_PREFERENCE {
            Self((preference - 1) * 2)
        } else {
            Self::DRAW
        }
    }
}

const DRAW_PREFERENCE: u8 = 128;

impl From<Value> for Wdl {
    fn from(value: Value) -> Self {
        match value {
            Value::DRAW => Self::Draw,
            value if value.is_win() => Self::Win,
            _ => Self::Loss,
        }
    }
}

impl From<Outcome> for Value {
    /// Returns the value of the end of a game; the side to move has lost if it is no draw.
    fn from(ending: Outcome) -> Self {
        match ending {
            Outcome::Win { .. } => Self::LOST,
            Outcome::Draw(_) => Self::DRAW,
        }
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Value {
    /// The side to move prefers the greater value.
    fn cmp(&self, other: &Self) -> Ordering {
        self.preference().cmp(&other.preference())
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let wdl = Wdl::from(*self);
        match self.turns() {
            Some(turns) => write!(f, "{wdl} in {turns}"),
            None => write!(f, "{wdl}"),
        }
    }
}

/// The value of a drawn position for the side to move: the sector in which best play by both sides comes
/// to rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DrawValue {
    /// The sector of the moving phase, seen from the side to move, or `None` where it favours neither side, as
    /// with equal men.
    pub rest: Option<Sector>,
    /// The turns of both sides until then, 0 in the sector itself, 255 for more than 254, or `None` if they are
    /// unknown.
    pub turns: Option<u8>,
}

impl DrawValue {
    /// Returns where the position comes to rest, such as `8-9` or `level`.
    pub fn place(self) -> String {
        self.rest.map_or_else(|| "level".to_owned(), |sector| sector.to_string())
    }

    /// Returns the value of a move, for the side that plays it, to a position with this value: a turn further from
    /// rest, even if that position is at rest already.
    #[must_use]
    pub fn before_move(self) -> Self {
        let turns = self.turns.map(|turns| turns.saturating_add(1));
        Self { rest: self.rest.map(Sector::reply), turns }
    }
}

impl fmt::Display for DrawValue {
    /// Writes where the position comes to rest, such as `comes to rest in 8-9 after 31 turns` or `comes to rest level`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.rest.is_some() { "comes to rest in " } else { "comes to rest " })?;
        f.write_str(&self.place())?;
        match self.turns {
            None | Some(0) => Ok(()),
            Some(1) => f.write_str(" after 1 turn"),
            Some(u8::MAX) => f.write_str(" after many turns"),
            Some(turns) => write!(f, " after {turns} turns"),
        }
    }
}

/// The order in which a side prefers the sectors of the moving phase when nobody can win. Each sector has a rank,
/// 0 where neither side is favoured, and the opposite of the rank of its reply.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DrawOrder {
    kind: DrawOrderKind,
    /// The sectors that favour the side to move, the least favourable first: their ranks are 1, 2, ...
    favourable: Vec<Sector>,
}

/// How sectors are ordered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum DrawOrderKind {
    /// By the average value of their positions.
    #[default]
    Average,
    /// For Nine Men's Morris, by the average with 9-8 just below 5-3: the order of the published solution by Gévay
    /// and Danner, who set 9-8 by hand.
    Published,
}

impl DrawOrderKind {
    /// All kinds in the order of their numbers.
    pub const ALL: [Self; 2] = [Self::Average, Self::Published];
}

impl DrawOrder {
    /// Returns the order of the sectors of a game that `statistics` knows.
    ///
    /// The average value of a sector is the share of its wins, the losses of its reply and half of the draws of
    /// both in the positions of both. A sector favours the side to move if that is above one half. The average
    /// does not depend on which other sectors are known.
    pub fn new(
        game: &Solvable,
        kind: DrawOrderKind,
        statistics: impl Fn(Sector) -> Option<Statistics>,
    ) -> Self {
        let average = |sector: Sector| {
            let (own, replies) = (statistics(sector)?, statistics(sector.reply())?);
            let won = 2 * (own.wins + replies.losses) + own.draws + replies.draws;
            Some(won as f64 / (2 * (own.positions() + replies.positions())) as f64)
        };
        let mut favourable = favourable(game, |sector| Some(average(sector)? - 0.5));
        if kind == DrawOrderKind::Published {
            let place = |men: [usize; 2]| {
                favourable.iter().position(|sector| [sector.own(), sector.opponent()] == men)
            };
            if let (Some(from), Some(to)) = (place([9, 8]), place([5, 3])) {
                let moved = favourable.remove(from);
                favourable.insert(if from < to { to - 1 } else { to }, moved);
            }
        }
        Self { kind, favourable }
    }

    /// Returns the order by values that another program gives to the sectors of a game, 0 where neither side is
    /// favoured.
    pub(super) fn by_values(game: &Solvable, value: impl Fn(Sector) -> Option<i32>) -> Self {
        let favourable = favourable(game, |sector| value(sector).map(f64::from));
        Self { kind: DrawOrderKind::Published, favourable }
    }

    /// Returns how the sectors are ordered.
    pub const fn kind(&self) -> DrawOrderKind {
        self.kind
    }

    /// Returns the sectors that favour the side to move, the least favourable first.
    pub fn favourable(&self) -> &[Sector] {
        &self.favourable
    }

    /// Returns the rank of a sector of the moving phase, higher if the side to move prefers it.
    pub fn rank(&self, sector: Sector) -> i8 {
        let place = |sector| self.favourable.iter().position(|&other| other == sector);
        let rank = |place: usize| (place + 1) as i8;
        place(sector).map_or_else(|| place(sector.reply()).map_or(0, |place| -rank(place)), rank)
    }

    /// Returns the rank of the sector in which a draw comes to rest.
    pub fn rank_of(&self, value: DrawValue) -> i8 {
        value.rest.map_or(0, |sector| self.rank(sector))
    }

    /// Returns a sort key, higher for draws that the side to move in a sector prefers: the better rank, reached soon
    /// if it is above that of the sector, else late. Unknown turns are the worst.
    pub fn preference(&self, sector: Sector, value: DrawValue) -> (i8, i16) {
        let (own, rank) = (self.rank(sector), self.rank_of(value));
        let turns = |unknown| value.turns.map_or(unknown, i16::from);
        (rank, if rank > own { -turns(i16::MAX) } else { turns(0) })
    }

    /// Returns the sector with a rank, or `None` for 0.
    pub fn sector(&self, rank: i8) -> Option<Sector> {
        let place = usize::from(rank.unsigned_abs()).checked_sub(1)?;
        let sector = *self.favourable.get(place)?;
        Some(if rank > 0 { sector } else { sector.reply() })
    }
}

/// Returns the sectors of a game that are worth more than 0, the least first.
fn favourable(game: &Solvable, worth: impl Fn(Sector) -> Option<f64>) -> Vec<Sector> {
    let worths = game.moving().into_iter().filter_map(|sector| Some((worth(sector)?, sector)));
    let mut worths: Vec<(f64, Sector)> = worths.filter(|(worth, _)| *worth > 0.0).collect();
    worths.sort_by(|(a, one), (b, other)| a.total_cmp(b).then(one.cmp(other)));
    worths.into_iter().map(|(_, sector)| sector).collect()
}

/// The value of a position in the [order among draws](DrawOrder), for the side to move; or the
/// [preference](Self::preference_before) for a move to it, greater for a better move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(transparent)]
pub struct DrawCode(u16);

const OFFSET: i16 = 1 << 7;

impl DrawCode {
    /// Returns the code of a draw that comes to rest in the sector with a rank after some turns.
    pub const fn drawn(rank: i8, turns: u8) -> Self {
        Self(((rank as i16 + OFFSET) as u16) << 8 | turns as u16)
    }

    /// Returns the rank of the sector in which a draw comes to rest and the turns until then, or `None` for a win or
    /// loss.
    pub const fn draw(self) -> Option<(i8, u8)> {
        match self {
            Self::LOST | Self::WON => None,
            Self(code) => Some((((code >> 8) as i16 - OFFSET) as i8, code as u8)),
        }
    }

    /// Returns the preference for a move to a position with this code, from a sector with a rank: the better rank,
    /// reached soon if it is above that of the sector, else late. A losing move has the least.
    pub const fn preference_before(self, rank: i8) -> Self {
        match self.draw() {
            Some((value, turns)) => Self::drawn(-value, turns.saturating_add(1)).turned(rank),
            None => Self(!self.0),
        }
    }

    /// Converts between a code and a preference in a sector with a rank: counts turns the other way for better
    /// ranks.
    pub const fn turned(self, rank: i8) -> Self {
        match self.draw() {
            Some((value, turns)) if value > rank => Self::drawn(value, u8::MAX - turns),
            _ => self,
        }
    }
}

impl Worth for DrawCode {
    const LOST: Self = Self(0);
    const WON: Self = Self(u16::MAX);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn soon_wins_are_best_and_soon_losses_worst() {
        let order = [0, 2, 100, 255, 101, 3, 1].map(Value);
        assert!(order.is_sorted_by(|a, b| a < b));
        for turns in 0..=Value::MOST_TURNS {
            let value = Value::ends_in(turns);
            assert_eq!(Value::preferred(value.preference()), value);
        }
        assert_eq!(Value::preferred(Value::DRAW.preference()), Value::DRAW);
        assert_eq!(Value::LOST.before_move(), Value::ends_in(1));
        assert_eq!(Value::DRAW.before_move(), Value::DRAW);
        assert!(Value::ends_in(Value::MOST_TURNS).before_move().is_loss());
        assert!(Value::ends_in(Value::MOST_TURNS - 1).before_move().is_win());
    }

    fn sector(own: usize, opponent: usize) -> Sector {
        Sector::new(own, opponent).unwrap()
    }

    /// The counts of the smallest sectors.
    fn small(sector: Sector) -> Option<Statistics> {
        let [wins, draws, losses] = match (sector.own(), sector.opponent()) {
            (3, 3) => [140_621, 269, 28_736],
            (3, 4) => [102_281, 658_117, 0],
            (4, 3) => [75_397, 681_906, 3_095],
            (3, 5) => [6_301, 2_564_412, 9_677],
            (5, 3) => [580_660, 1_999_730, 0],
            _ => return None,
        };
        Some(Statistics { wins, draws, losses, ..Statistics::default() })
    }

    #[test]
    fn three_that_fly_are_worth_more_than_four_that_slide_but_less_than_five() {
        let order = DrawOrder::new(&Solvable::STANDARD, DrawOrderKind::Average, small);
        assert_eq!(order.favourable(), [sector(3, 4), sector(5, 3)]);
        for (men, rank) in [([3, 3], 0), ([3, 4], 1), ([4, 3], -1), ([5, 3], 2), ([3, 5], -2)] {
            let sector = sector(men[0], men[1]);
            assert_eq!(order.rank(sector), rank);
            assert_eq!(order.sector(rank), (rank != 0).then_some(sector));
        }
        assert_eq!((order.sector(3), order.rank(sector(9, 8))), (None, 0));
    }

    #[test]
    fn a_draw_says_where_it_comes_to_rest() {
        let value = DrawValue { rest: Some(sector(8, 9)), turns: Some(31) };
        assert_eq!(value.to_string(), "comes to rest in 8-9 after 31 turns");
        let before = DrawValue { rest: Some(sector(9, 8)), turns: Some(32) };
        assert_eq!(value.before_move(), before);
        let [soon, late] = [None, Some(255)].map(|turns| DrawValue { turns, ..value });
        assert_eq!(soon.to_string(), "comes to rest in 8-9");
        assert_eq!(late.to_string(), "comes to rest in 8-9 after many turns");
        let level = DrawValue { rest: None, turns: Some(0) };
        assert_eq!(level.to_string(), "comes to rest level");
    }

    #[test]
    fn better_sectors_come_soon_and_worse_ones_late() {
        // From a sector with rank 2, the worst first, as codes of the positions moved to.
        let order = [
            DrawCode::WON,
            DrawCode::drawn(3, 7),
            DrawCode::drawn(3, 9),
            DrawCode::drawn(-1, 0),
            DrawCode::drawn(-2, 0),
            DrawCode::drawn(-3, 9),
            DrawCode::drawn(-3, 7),
            DrawCode::drawn(-5, 250),
            DrawCode::LOST,
        ];
        let preferences = order.map(|code| code.preference_before(2));
        assert!(preferences.is_sorted_by(|a, b| a < b), "{preferences:?}");
        assert_eq!(preferences[0], DrawCode::LOST);
        for (code, preference) in order.into_iter().zip(preferences) {
            let before = code.draw().map(|(rank, turns)| (-rank, turns + 1));
            assert_eq!(preference.turned(2).draw(), before);
        }
    }
}
