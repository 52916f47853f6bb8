//! Sectors: all positions with the same numbers of men on the board and in hand, and their indices; the sectors of a
//! solvable game; solved sectors, with the values of all positions and their statistics.
//!
//! A position is a pair of sets: the men of the side to move and of the opponent. A symmetry maps the
//! opponent's men to the representative of their orbit, and the own men with them; the own men are then
//! ranked among the sets of their size on the free points.
//!
//! ```text
//! index = orbit of the opponent's men * sets of own men on the free points + rank of own men
//! ```
//!
//! If a representative has symmetries of its own, a position has several indices; only the lowest is
//! counted. All indices with the same orbit form a block. A quiet move leaves the opponent's men in place,
//! so the positions between which one side moves lie in one block, close together in memory.

use std::array;
use std::cmp::Reverse;
use std::collections::{BTreeSet, HashSet};
use std::fmt;

use bytemuck::TransparentWrapper;
use rayon::prelude::*;

use super::sets::{
    MOST_OF_A_SIDE, Orbit, Orbits, choose, compress, expand, positions_up_to_symmetry, rank,
    sets_from, unrank,
};
use super::value::Value;
use crate::Error;
use crate::board::{BySide, Side, Square, SquareSet};
use crate::position::Position;
use crate::rules::{BoardFullAction, MillAction, RuleSet, Rules, StalemateAction};

/// All positions with given numbers of men of the side to move and of the opponent, on the board and in
/// hand. A side has 3 to 12 men in all. Which sectors a game has depends on its rules
/// ([`Solvable`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Sector {
    /// The men on the board.
    men: [u8; 2],
    hands: [u8; 2],
    /// The side to move, if it matters and the hands do not determine it.
    turn: Option<Side>,
}

/// The men of the side to move and of the opponent.
pub(super) type Men = [SquareSet; 2];

/// The number of men counts that a side may have on the board, or in hand.
const NUMBERS_OF_MEN: usize = MOST_OF_A_SIDE + 1;

impl Sector {
    /// Returns the sector of the moving phase with these numbers of men, if any game may have it.
    pub fn new(own: usize, opponent: usize) -> Option<Self> {
        Self::with_hands([own, opponent], [0, 0])
    }

    /// Returns the sector with these numbers of men of the side to move and of the opponent, on the board and
    /// in hand, if any game may have it.
    pub fn with_hands(men: [usize; 2], hands: [usize; 2]) -> Option<Self> {
        let range = usize::from(RuleSet::FEWEST_MEN)..=MOST_OF_A_SIDE;
        let in_range = |side: usize| range.contains(&men[side].saturating_add(hands[side]));
        let [men, hands] = [men, hands].map(|numbers| numbers.map(|number| number as u8));
        (in_range(0) && in_range(1)).then_some(Self { men, hands, turn: None })
    }

    /// Returns this sector with a side named as the one to move, or with none.
    pub(super) const fn with_turn(self, turn: Option<Side>) -> Self {
        Self { turn, ..self }
    }

    /// The sides that may be named as the one to move, in the order of [`turn_number`](Self::turn_number).
    pub(super) const TURNS: [Option<Side>; 3] = [None, Some(Side::White), Some(Side::Black)];

    /// Returns the number of the side named as the one to move, 0 if none is.
    pub(super) fn turn_number(self) -> usize {
        self.turn.map_or(0, |side| side as usize + 1)
    }

    /// A number above every [`place`](Self::place).
    pub(super) const PLACES: usize = NUMBERS_OF_MEN.pow(4) * Self::TURNS.len();

    /// Returns a number that is different for every sector.
    pub(super) fn place(self) -> usize {
        let hands = self.hands[0] as usize * NUMBERS_OF_MEN + self.hands[1] as usize;
        let men = self.own() * NUMBERS_OF_MEN + self.opponent();
        (hands * NUMBERS_OF_MEN.pow(2) + men) * Self::TURNS.len() + self.turn_number()
    }

    /// The men of the side to move.
    pub const fn own(self) -> usize {
        self.men[0] as usize
    }

    /// The men of the opponent.
    pub const fn opponent(self) -> usize {
        self.men[1] as usize
    }

    /// The men of both sides on the board.
    pub const fn men(self) -> usize {
        self.own() + self.opponent()
    }

    /// The men in hand of the side to move and of the opponent.
    pub const fn hands(self) -> [usize; 2] {
        [self.hands[0] as usize, self.hands[1] as usize]
    }

    /// The men of both sides in hand.
    pub const fn men_in_hand(self) -> usize {
        self.hands[0] as usize + self.hands[1] as usize
    }

    /// The men of both sides on the board and in hand.
    pub const fn men_in_all(self) -> usize {
        self.men() + self.men_in_hand()
    }

    /// Whether the sector has at most these numbers of men in all, and in hand.
    pub(super) const fn is_within(self, in_all: usize, in_hand: usize) -> bool {
        self.men_in_all() <= in_all && self.men_in_hand() <= in_hand
    }

    /// Whether men are in hand.
    pub const fn is_placing(self) -> bool {
        self.men_in_hand() > 0
    }

    /// Returns the reply, or paired sector: the sector after a move that changes no numbers of men.
    #[must_use]
    pub fn reply(self) -> Self {
        let ([own, opponent], [own_hand, hand]) = (self.men, self.hands);
        let turn = self.turn.map(|side| !side);
        Self { men: [opponent, own], hands: [hand, own_hand], turn }
    }

    /// Returns the number of blocks.
    pub fn blocks(self) -> usize {
        Orbits::of(self.opponent()).len()
    }

    /// Returns the number of indices of a block.
    pub const fn block_len(self) -> usize {
        choose(Square::COUNT - self.opponent(), self.own()) as usize
    }

    /// Returns the number of positions, symmetric ones counted once.
    pub fn positions(self) -> u64 {
        positions_up_to_symmetry(self.own(), self.opponent())
    }

    /// Returns the number of indices: the positions, and some of the symmetric ones again.
    #[allow(clippy::len_without_is_empty, reason = "no sector is empty")]
    pub fn len(self) -> usize {
        self.blocks() * self.block_len()
    }

    /// Returns the index of a position, given its block and the rank of the own men.
    pub const fn index(self, block: usize, rank: usize) -> usize {
        block * self.block_len() + rank
    }

    /// Returns the index of a position with the right numbers of men.
    pub fn index_of(self, own: SquareSet, opponent: SquareSet) -> usize {
        let Orbit { number, to_representative, .. } = Orbits::of(self.opponent()).find(opponent);
        let own = compress(to_representative.set(own), !to_representative.set(opponent));
        self.index(number, rank(own))
    }

    /// Returns the side to move: the named one, else White if the hands are equal, and Black if they are not.
    /// Where it may be either, as in the moving phase, White stands for both.
    pub const fn to_move(self) -> Side {
        match self.turn {
            Some(side) => side,
            None if self.hands[0] == self.hands[1] => Side::White,
            None => Side::Black,
        }
    }

    /// Returns the position with these men of the side to move and of the opponent at the beginning of a turn.
    ///
    /// * `game`: any position of the game.
    ///
    /// # Panics
    ///
    /// When a point has men of both sides.
    pub fn set_up<R: Rules>(
        self,
        game: &Position<R>,
        own: SquareSet,
        opponent: SquareSet,
    ) -> Position<R> {
        let to_move = self.to_move();
        let mut men = BySide::both(opponent);
        men[to_move] = own;
        let mut in_hand = BySide::both(self.hands[1]);
        in_hand[to_move] = self.hands[0];
        game.rearranged(men, in_hand, to_move)
    }

    /// Returns the position with an index: the men of the side to move and of the opponent.
    pub fn position(self, index: usize) -> (SquareSet, SquareSet) {
        let (block, rank) = (index / self.block_len(), index % self.block_len());
        let opponent = self.opponent_of_block(block);
        (expand(unrank(rank as u32, self.own()), !opponent), opponent)
    }

    /// Returns the men of the opponent in all positions of a block.
    pub(super) fn opponent_of_block(self, block: usize) -> SquareSet {
        Orbits::of(self.opponent()).representative(block)
    }

    /// Returns the men of the side to move in the positions of a block, from a rank on.
    pub(super) fn men_of_block(self, block: usize, rank: usize) -> impl Iterator<Item = SquareSet> {
        let free = !self.opponent_of_block(block);
        sets_from(free.len() as usize, self.own(), rank).map(move |slots| expand(slots, free))
    }

    /// Returns the positions from an index on.
    pub(super) fn positions_from(self, index: usize) -> impl Iterator<Item = Men> {
        let (first, rank) = (index / self.block_len(), index % self.block_len());
        (first..self.blocks()).flat_map(move |block| {
            let opponent = self.opponent_of_block(block);
            let men = self.men_of_block(block, if block == first { rank } else { 0 });
            men.map(move |own| [own, opponent])
        })
    }
}

impl fmt::Display for Sector {
    /// Writes the men, such as `5-3`, and those in hand, such as `5+2-3+1`, with `w` or `b` for a named side.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ([own, opponent], [own_hand, hand]) = (self.men, self.hands);
        if self.is_placing() {
            write!(f, "{own}+{own_hand}-{opponent}+{hand}")?;
        } else {
            write!(f, "{own}-{opponent}")?;
        }
        self.turn.map_or(Ok(()), |side| write!(f, "{}", side.letter()))
    }
}

/// A game that can be solved: its positions consist of men, hands and the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Solvable {
    rules: RuleSet,
    turns: Turns,
}

/// What determines the side to move while men are in hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Turns {
    /// The hands: the sides place alternately, one man at a time.
    Hands,
    /// Nothing, since exchanging the sides does not change the value of a position.
    Alike,
    /// Only the sector.
    Named,
}

impl Turns {
    fn of(rules: &RuleSet) -> Self {
        let is_filled_alike = rules.men < RuleSet::MEN_TO_FILL_BOARD
            || rules.board_full_action == BoardFullAction::Draw
            || rules.mill_action == MillAction::CountAtTheEnd;
        if !rules.may_move_in_placing && !rules.mill_action.takes_from_hand() {
            Self::Hands
        } else if rules.alternates_after_placing() && !rules.defender_moves_first && is_filled_alike
        {
            Self::Alike
        } else {
            Self::Named
        }
    }
}

/// Computes a value from the start of a game, with the compiled rules if it is Nine Men's Morris.
macro_rules! from_start {
    ($game:expr, |$start:ident| $value:expr) => {
        if *$game == $crate::tablebase::Solvable::STANDARD {
            let $start = &$crate::position::Position::start($crate::rules::Standard);
            $value
        } else {
            let $start = &$crate::position::Position::start(*$game.rules());
            $value
        }
    };
}
pub(super) use from_start;

impl Solvable {
    /// Nine Men's Morris.
    pub const STANDARD: Self = Self { rules: RuleSet::NINE_MENS_MORRIS, turns: Turns::Hands };

    /// Returns the game with these rules.
    ///
    /// # Errors
    ///
    /// When a rule makes positions consist of more than men, hands and the side to move.
    pub fn of(rules: &RuleSet) -> Result<Self, Error> {
        rules.check_solvable()?;
        let rules = rules.canonical();
        Ok(Self { rules, turns: Turns::of(&rules) })
    }

    /// Returns the rules.
    pub const fn rules(&self) -> &RuleSet {
        &self.rules
    }

    /// Whether the game ends where a side cannot move, so that turns alternate.
    pub(super) const fn ends_if_blocked(&self) -> bool {
        matches!(self.rules.stalemate_action, StalemateAction::Loses | StalemateAction::Draw)
    }

    /// Returns the sectors outside a group that moves from it lead to.
    pub fn needs(&self, group: &[Sector]) -> Vec<Sector> {
        let all: BTreeSet<Sector> =
            group.iter().flat_map(|&sector| self.leads_to(sector)).collect();
        all.into_iter().filter(|sector| !group.contains(sector)).collect()
    }

    /// Returns all sectors, each after the sectors outside its group that it leads to.
    pub fn sectors(&self) -> Vec<Sector> {
        let start = [self.rules.men.into(); 2];
        let start = Sector::with_hands([0, 0], start).into_iter();
        let mut open: Vec<Sector> = start.map(|start| self.with_side(start, Side::White)).collect();
        let mut found: HashSet<Sector> = open.iter().copied().collect();
        while let Some(sector) = open.pop() {
            open.extend(self.leads_to(sector).into_iter().filter(|next| found.insert(*next)));
        }
        let mut sectors: Vec<Sector> = found.into_iter().collect();
        sectors.sort_by_key(|sector| {
            let [own_hand, _] = sector.hands();
            let only_slides = own_hand == 0 && sector.is_placing();
            (sector.men_in_hand(), sector.men_in_all(), only_slides, *sector)
        });
        sectors
    }

    /// Returns the sectors of the moving phase, in the order of [`sectors`](Self::sectors).
    pub fn moving(&self) -> Vec<Sector> {
        self.sectors().into_iter().filter(|sector| !sector.is_placing()).collect()
    }

    /// Returns the sectors of the placing phase, in the order of [`sectors`](Self::sectors).
    pub fn placing(&self) -> Vec<Sector> {
        self.sectors().into_iter().filter(|sector| sector.is_placing()).collect()
    }

    /// Returns the sectors that are solved together: a sector and, if play can go back and forth between them, its
    /// reply.
    pub fn group(&self, sector: Sector) -> Vec<Sector> {
        let reply = sector.reply();
        let mut group = vec![sector];
        group.extend((self.is_cyclic(sector) && reply != sector).then_some(reply));
        group
    }

    /// Whether play can return to a position of the sector: both sides may slide.
    pub fn is_cyclic(&self, sector: Sector) -> bool {
        let may_slide =
            |men: usize, hand: usize| men > 0 && (hand == 0 || self.rules.may_move_in_placing);
        let [own_hand, hand] = sector.hands();
        may_slide(sector.own(), own_hand) && may_slide(sector.opponent(), hand)
    }

    /// Whether exchanging the sides does not change the value of a position, even where the hands do not determine
    /// the side to move.
    pub(super) fn has_alike_sides(&self) -> bool {
        self.turns == Turns::Alike
    }

    /// Returns the men of both sides together.
    pub fn men(&self) -> usize {
        2 * usize::from(self.rules.men)
    }

    /// Whether a side with these numbers of men on the board and in hand flies.
    pub fn flies(&self, men: usize, hand: usize) -> bool {
        self.rules.flies(men as u32, hand as u32)
    }

    /// Whether a side with this number of men in all has lost.
    pub fn are_too_few(&self, men: usize) -> bool {
        men < usize::from(self.rules.least_men)
    }

    /// Returns the sector with the side to move named, if it has to be.
    pub(super) fn with_side(&self, sector: Sector, side: Side) -> Sector {
        match self.turns {
            Turns::Named if sector.is_placing() => sector.with_turn(Some(side)),
            _ => sector,
        }
    }

    /// Returns the sector of a position in which no removal is owed, or `None` if a side is to place out of turn,
    /// which only a position text can contain: that side would move twice in a row.
    pub fn sector_of<R: Rules>(&self, position: &Position<R>) -> Option<Sector> {
        let side = position.to_move();
        let numbers = [side, !side].map(|side| position.men(side).len() as usize);
        let hands = [side, !side].map(|side| usize::from(position.in_hand(side)));
        let sector = Sector::with_hands(numbers, hands)?;
        let is_in_turn = self.turns != Turns::Hands || !sector.is_placing();
        (is_in_turn || sector.to_move() == side).then(|| self.with_side(sector, side))
    }

    /// Returns the sector, with the other side to move, after a turn in `sector` that places `placed` men (0 for a
    /// slide) and removes `removed` men from the board, or `None` if the removals win.
    pub(super) fn after(&self, sector: Sector, placed: usize, removed: usize) -> Option<Sector> {
        let [own_hand, hand] = sector.hands();
        let left = sector.opponent().checked_sub(removed)?;
        let hands = [hand, own_hand.checked_sub(placed)?];
        let after = Sector::with_hands([left, sector.own() + placed], hands)?;
        (!self.are_too_few(left + hand)).then_some(after)
    }
}

/// A sector with the value of every position.
#[derive(Clone, Debug)]
pub struct Solved<V = Value> {
    /// The sector.
    pub sector: Sector,
    values: Vec<V>,
}

impl<V: Copy + Sync> Solved<V> {
    /// Returns a sector with the values of all positions in the order of their indices.
    ///
    /// # Panics
    ///
    /// When there are not as many values as indices.
    pub fn from_values(sector: Sector, values: Vec<V>) -> Self {
        assert_eq!(values.len(), sector.len());
        Self { sector, values }
    }

    /// Returns the values of all positions in the order of their indices.
    pub fn values(&self) -> &[V] {
        &self.values
    }

    /// Consumes the sector and returns its values.
    pub fn into_values(self) -> Vec<V> {
        self.values
    }

    /// Returns the values of a block, by rank.
    pub fn block(&self, block: usize) -> &[V] {
        let len = self.sector.block_len();
        &self.values[block * len..][..len]
    }

    /// Counts the positions by the number that `number` returns for their value, symmetric ones once.
    pub(super) fn count(&self, number: impl Fn(V) -> Option<u8> + Sync) -> Counts {
        let orbits = Orbits::of(self.sector.opponent());
        let count = |block: usize| {
            let mut counts = [0; 1 << u8::BITS];
            let is_rigid = orbits.stabilizer(block).count() == 1;
            let mut men = self.sector.men_of_block(block, 0);
            for &value in self.block(block) {
                let is_first =
                    is_rigid || men.next().is_some_and(|own| orbits.is_least(block, own));
                if let Some(number) = number(value) {
                    counts[usize::from(number)] += u64::from(is_first);
                }
            }
            counts
        };
        let sum = |one: Counts, other: Counts| array::from_fn(|number| one[number] + other[number]);
        (0..self.sector.blocks()).into_par_iter().map(count).reduce(|| [0; 1 << u8::BITS], sum)
    }
}

/// The number of positions for each number of a byte.
type Counts = [u64; 1 << u8::BITS];

/// The numbers of won, drawn and lost positions of a sector, and its longest win and loss. Symmetric
/// positions are counted once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// The positions won, for the side to move.
    pub wins: u64,
    /// The positions drawn.
    pub draws: u64,
    /// The positions lost.
    pub losses: u64,
    /// The longest win.
    pub longest_win: Option<Longest>,
    /// The longest loss.
    pub longest_loss: Option<Longest>,
}

/// The longest distance in a sector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Longest {
    /// The distance in turns.
    pub turns: u8,
    /// The index of the first position that has it.
    pub index: u64,
}

impl Statistics {
    /// Counts a solved sector.
    pub fn of(solved: &Solved) -> Self {
        let by_value = solved.count(|value| Some(value.byte()));
        // Distances of wins are odd.
        let (decided, draws) = by_value.split_at(Value::DRAW.byte().into());
        let losses = decided.iter().step_by(2).sum();
        let wins = decided.iter().skip(1).step_by(2).sum();
        let longest = |is_kind: fn(Value) -> bool| {
            let mut values = (0..=Value::MOST_TURNS).rev().map(Value::ends_in);
            let has = |value: &Value| is_kind(*value) && by_value[usize::from(value.byte())] > 0;
            let value = values.find(has)?;
            let blocks = Value::peel_slice(&solved.values).par_chunks(solved.sector.block_len());
            let block = blocks.position_first(|block| block.contains(&value.byte()))?;
            let rank = solved.block(block).iter().position(|&other| other == value)?;
            let index = solved.sector.index(block, rank) as u64;
            Some(Longest { turns: value.turns()?, index })
        };
        let (longest_win, longest_loss) = (longest(Value::is_win), longest(Value::is_loss));
        Self { wins, draws: draws[0], losses, longest_win, longest_loss }
    }

    /// Returns the number of positions.
    pub const fn positions(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Returns the longest distance in turns, if distances are known and any position is decided.
    pub fn longest(&self) -> Option<u8> {
        self.longest_win.max(self.longest_loss).map(|longest| longest.turns)
    }

    /// Returns the sum of two statistics; of equal distances it keeps the one with the lower index.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
            longest_win: longer(self.longest_win, other.longest_win),
            longest_loss: longer(self.longest_loss, other.longest_loss),
        }
    }

    /// Returns the statistics without distances.
    #[must_use]
    pub const fn without_distances(self) -> Self {
        Self { longest_win: None, longest_loss: None, ..self }
    }
}

/// Returns the longer distance, of equal ones that with the lower index.
fn longer(a: Option<Longest>, b: Option<Longest>) -> Option<Longest> {
    let both = a.into_iter().chain(b);
    both.max_by_key(|longest| (longest.turns, Reverse(longest.index)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Symmetry;
    use crate::rules::PRESETS;

    /// Converts indices to positions and back.
    fn check(sector: Sector, step: usize) {
        (0..sector.len()).into_par_iter().step_by(step).for_each(|index| {
            let (own, opponent) = sector.position(index);
            assert_eq!(
                (own.len() as usize, opponent.len() as usize),
                (sector.own(), sector.opponent())
            );
            assert!((own & opponent).is_empty());
            assert_eq!(sector.index_of(own, opponent), index, "{sector}");
        });
    }

    #[test]
    fn indices_and_positions_go_both_ways() {
        let all = Solvable::of(&RuleSet::TWELVE_MENS_MORRIS).unwrap().moving();
        let (small, large): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|sector| sector.men() <= 8);
        assert_eq!((small.len(), large.len()), (6, 94));
        for (sectors, step) in [(small, 1), (large, 10_009)] {
            for sector in sectors {
                check(sector, step);
            }
        }
    }

    /// The least image of a position.
    fn canonical((own, opponent): (SquareSet, SquareSet)) -> (u32, u32) {
        let images = Symmetry::all().map(|map| (map.set(own).bits(), map.set(opponent).bits()));
        images.min().unwrap()
    }

    #[test]
    fn images_have_an_index_of_the_same_position() {
        for sector in Solvable::STANDARD.moving() {
            let last = sector.len() - 1;
            for index in (0..=last).step_by(last / 200) {
                let (own, opponent) = sector.position(index);
                let images = Symmetry::all().map(|map| (map.set(own), map.set(opponent)));
                for image in images.map(|(own, opponent)| sector.index_of(own, opponent)) {
                    let found = canonical(sector.position(image));
                    assert_eq!(found, canonical((own, opponent)), "{sector} {index}");
                }
            }
        }
    }

    /// The positions of the small sectors up to symmetry, as another program counted them.
    #[test]
    fn positions_are_counted_once() {
        for (own, opponent, positions) in [
            (3, 3, 169_626),
            (3, 4, 760_398),
            (4, 3, 760_398),
            (4, 4, 3_225_597),
            (5, 3, 2_580_390),
        ] {
            let sector = Sector::new(own, opponent).unwrap();
            let counted = |block: usize| {
                let ranks = 0..sector.block_len();
                let orbits = Orbits::of(sector.opponent());
                let own = |rank| sector.position(sector.index(block, rank)).0;
                ranks.filter(|&rank| orbits.is_least(block, own(rank))).count()
            };
            let count: usize = (0..sector.blocks()).into_par_iter().map(counted).sum();
            assert_eq!((count as u64, sector.positions()), (positions, positions), "{sector}");
        }
    }

    /// All of both phases, as published for the files of Gévay and Danner.
    #[test]
    fn all_positions_of_a_game_are_as_many_as_published() {
        let positions =
            |sectors: Vec<Sector>| -> u64 { sectors.into_iter().map(Sector::positions).sum() };
        assert_eq!(positions(Solvable::STANDARD.moving()), 8_904_593_601);
        assert_eq!(positions(Solvable::STANDARD.placing()), 17_856_741_338);
    }

    fn count(rules: &RuleSet) -> [usize; 2] {
        let game = Solvable::of(rules).unwrap();
        [game.moving().len(), game.placing().len()]
    }

    /// Counted by other programs.
    #[test]
    fn catalogues_have_the_known_sizes() {
        assert_eq!(count(&RuleSet::NINE_MENS_MORRIS), [49, 449]);
        assert_eq!(count(&RuleSet::TWELVE_MENS_MORRIS), [100, 1116]);
    }

    #[test]
    fn sectors_come_after_those_that_they_lead_to() {
        let games = PRESETS.iter().filter_map(|preset| Solvable::of(&preset.rules).ok());
        for game in games {
            let sectors = game.sectors();
            let place = |sector: Sector| sectors.iter().position(|&other| other == sector);
            for &sector in sectors.iter().step_by(7) {
                let group = game.group(sector);
                for after in game.leads_to(sector) {
                    if group.contains(&after) {
                        continue;
                    }
                    assert!(place(after) < place(sector), "{sector} {after}");
                }
            }
        }
    }
}
