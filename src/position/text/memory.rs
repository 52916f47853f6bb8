//! The state that only some games have, in fields 11 to 15 and in the tokens after the last field.

use std::fmt;

use super::tokens::TextError;
use crate::board::{BySide, Side, Square, SquareSet};
use crate::rules::{CaptureRule, Extras, MillMove, RuleSet, Stalemate, StalemateAction};

const MILL_MOVES: [[&str; 2]; 2] = [
    ["field 11 (White's mill from)", "field 12 (White's mill to)"],
    ["field 13 (Black's mill from)", "field 14 (Black's mill to)"],
];
const USED_MILLS: &str = "field 15 (used mills)";
pub(super) const EXTENSION: &str = "extension";

/// How a text numbers the points.
#[derive(Clone, Copy)]
struct Dialect {
    /// The number of the first point.
    first: u32,
    /// The number of no point.
    none: i32,
}

const LEGACY: Dialect = Dialect { first: 8, none: 0 };
const NODES: Dialect = Dialect { first: 0, none: -1 };

impl Dialect {
    /// The point numbering that the tokens after the last field declare.
    fn of(extensions: &[&str]) -> Self {
        let has_nodes = extensions.iter().any(|token| token.eq_ignore_ascii_case("ids:nodes"));
        if has_nodes { NODES } else { LEGACY }
    }

    fn square(self, token: &str) -> Option<Square> {
        let number: u32 = token.parse().ok().filter(|number: &u32| number.to_string() == token)?;
        Square::try_index(number.checked_sub(self.first)? as usize)
    }

    fn optional(self, field: &'static str, token: &str) -> Result<Option<Square>, TextError> {
        if token == self.none.to_string() {
            return Ok(None);
        }
        let Self { first, none } = self;
        let expected = || format!("a point number from {first} to {}, or {none}", first + 23);
        self.square(token).map(Some).ok_or_else(|| TextError::new(field, expected(), token))
    }

    /// Two sets of points, White's in the upper half.
    fn sets(self, token: &str) -> Result<BySide<SquareSet>, TextError> {
        let half = SquareSet::ALL.bits() << self.first;
        let points = u64::from(half) << 32 | u64::from(half);
        let bits = token.parse::<u64>().ok().filter(|bits| bits & !points == 0);
        let bits = bits.ok_or_else(|| {
            let expected = format!("two sets of points, a number with bits of {points:#x} only");
            TextError::new(USED_MILLS, expected, token)
        })?;
        let set = |bits: u64| SquareSet::from_bits(bits as u32 >> self.first);
        Ok(BySide([set(bits >> 32), set(bits)]))
    }

    /// Points with dots between them.
    fn set(self, list: &str) -> Option<SquareSet> {
        let squares = list.split('.').filter(|_| !list.is_empty());
        squares.map(|token| self.square(token)).collect()
    }
}

/// Reads fields 11 to 15, in `fields`, and the tokens after the last field.
pub(super) fn parse(
    fields: &[&str],
    extensions: &[&str],
    to_move: Side,
    rules: &RuleSet,
) -> Result<Extras, TextError> {
    let dialect = Dialect::of(extensions);
    let mut extras = Extras::NONE;
    for side in Side::ALL {
        let at = 2 * side as usize;
        let mill = parse_mill_move(side, &fields[at..at + 2], dialect)?;
        extras.last_mills[side] = mill.filter(|_| rules.restricts_repeated_mills);
    }
    let used = dialect.sets(fields[4])?;
    if rules.uses_mills_once {
        extras.used = used;
    }
    for (index, token) in extensions.iter().enumerate() {
        let label = |token: &str| token.split(':').next().map(str::to_ascii_lowercase);
        if extensions[..index].iter().any(|earlier| label(earlier) == label(token)) {
            return Err(TextError::new(EXTENSION, "each label once", token));
        }
        let expected = || TextError::new(EXTENSION, "label:value", token);
        let (label, value) = token.split_once(':').ok_or_else(expected)?;
        let read = Extension { token, value, dialect, to_move, rules };
        match label.to_ascii_lowercase().as_str() {
            "c" => extras.custodian = read.custodian()?,
            "i" => extras.intervention = read.intervention()?,
            "l" => extras.leapt = read.leapt()?,
            "p" => extras.preferred = Some(read.preferred()?),
            "s" => extras.stalemate = read.stalemate()?,
            _ => {}
        }
    }
    Ok(extras)
}

fn parse_mill_move(
    side: Side,
    tokens: &[&str],
    dialect: Dialect,
) -> Result<Option<MillMove>, TextError> {
    let [from_field, to_field] = MILL_MOVES[side as usize];
    let from = dialect.optional(from_field, tokens[0])?;
    let to = dialect.optional(to_field, tokens[1])?;
    match (from, to) {
        (Some(_), None) => Err(TextError::new(to_field, "a point, as the one before", tokens[1])),
        (Some(from), Some(to)) if from == to => {
            Err(TextError::new(to_field, "another point than the one before", tokens[1]))
        }
        (from, to) => Ok(to.map(|to| MillMove { from, to })),
    }
}

/// A token after the last field.
struct Extension<'a> {
    token: &'a str,
    value: &'a str,
    dialect: Dialect,
    to_move: Side,
    rules: &'a RuleSet,
}

impl Extension<'_> {
    fn error(&self, expected: impl Into<String>) -> TextError {
        TextError::new(EXTENSION, expected, self.token)
    }

    fn custodian(&self) -> Result<SquareSet, TextError> {
        self.targets("CustodianCapture", self.rules.custodian, |men| Some(men.min(1)))
    }

    fn intervention(&self) -> Result<SquareSet, TextError> {
        self.targets("InterventionCapture", self.rules.intervention, up_to::<2>)
    }

    fn leapt(&self) -> Result<Option<Square>, TextError> {
        self.targets("LeapCapture", self.rules.leap, up_to::<1>).map(SquareSet::first)
    }

    /// Reads `w-N-points|b-N-points`, where only the side to move has any; `count` maps the number of
    /// points to the men that may be captured, or none if it is invalid.
    fn targets(
        &self,
        name: &str,
        rule: CaptureRule,
        count: fn(u32) -> Option<u32>,
    ) -> Result<SquareSet, TextError> {
        if !rule.is_on {
            return Err(self.error(format!("a game with {name}")));
        }
        let (white, black) = self.value.split_once('|').unwrap_or((self.value, ""));
        let own = |side: Side, text: &str| {
            let (number, list) =
                text.strip_prefix(side.letter())?.strip_prefix('-')?.split_once('-')?;
            let targets = self.dialect.set(list)?;
            (number == count(targets.len())?.to_string()).then_some(targets)
        };
        let sets = own(Side::White, white).zip(own(Side::Black, black));
        let sets = sets.map(|(white, black)| BySide([white, black]));
        let sets = sets.filter(|sets| sets[!self.to_move].is_empty());
        let expected = "w-N-points|b-N-points with points of the side to move only";
        sets.map(|sets| sets[self.to_move]).ok_or_else(|| self.error(expected))
    }

    fn preferred(&self) -> Result<Square, TextError> {
        if !self.rules.intervention.is_on {
            return Err(self.error("a game with InterventionCapture"));
        }
        self.dialect.square(self.value).ok_or_else(|| self.error("the number of a point"))
    }

    fn stalemate(&self) -> Result<Stalemate, TextError> {
        match (self.value, self.rules.stalemate_action) {
            ("1", StalemateAction::RemovesAndMoves) => Ok(Stalemate::RemovesAndMoves),
            ("2", StalemateAction::BothRemove) => Ok(Stalemate::BothRemove),
            _ => Err(self.error("s:1 in a game with StalemateAction 2, or s:2 with 5")),
        }
    }
}

/// The number of men, if it is at most `MOST`.
fn up_to<const MOST: u32>(men: u32) -> Option<u32> {
    (men <= MOST).then_some(men)
}

fn number(square: Option<Square>) -> u32 {
    square.map_or(0, |square| square as u32 + LEGACY.first)
}

/// Writes fields 11 to 15.
pub(super) fn write_fields(f: &mut fmt::Formatter<'_>, extras: &Extras) -> fmt::Result {
    for mill in extras.last_mills.0 {
        let from = mill.and_then(|mill| mill.from);
        write!(f, " {} {}", number(from), number(mill.map(|mill| mill.to)))?;
    }
    let [white, black] = extras.used.0.map(|set| u64::from(set.bits() << LEGACY.first));
    write!(f, " {}", white << 32 | black)
}

/// Writes the tokens after the last field, if any.
pub(super) fn write_extensions(
    f: &mut fmt::Formatter<'_>,
    extras: &Extras,
    to_move: Side,
) -> fmt::Result {
    let leapt = extras.leapt.map_or(SquareSet::EMPTY, SquareSet::of);
    write_targets(f, 'c', extras.custodian, 1, to_move)?;
    write_targets(f, 'i', extras.intervention, extras.intervention.len(), to_move)?;
    write_targets(f, 'l', leapt, 1, to_move)?;
    if extras.preferred.is_some() {
        write!(f, " p:{}", number(extras.preferred))?;
    }
    match extras.stalemate {
        Stalemate::None => Ok(()),
        stalemate => write!(f, " s:{}", stalemate as u8),
    }
}

fn write_targets(
    f: &mut fmt::Formatter<'_>,
    label: char,
    targets: SquareSet,
    count: u32,
    to_move: Side,
) -> fmt::Result {
    if targets.is_empty() {
        return Ok(());
    }
    let list: Vec<String> =
        targets.into_iter().map(|square| number(Some(square)).to_string()).collect();
    let list = format!("{count}-{}", list.join("."));
    match to_move {
        Side::White => write!(f, " {label}:w-{list}|b-0-"),
        Side::Black => write!(f, " {label}:w-0-|b-{list}"),
    }
}
