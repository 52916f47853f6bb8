//! The position text of 17 fields, and its form of 2021 with 11 fields.

use std::collections::HashSet;
use std::fmt;

use super::{BoardForm, MoveCount, Parts, PositionText, Token, wrong};
use crate::Error;
use crate::board::{BySide, Move, Side, Square, SquareSet};
use crate::position::{Draw, Loss, Outcome, Part, Phase};
use crate::rules::{CaptureRule, Extras, RuleSet, Rules};

const FIELDS: [&str; 17] = [
    "field 1 (board)",
    "field 2 (side)",
    "field 3 (phase)",
    "field 4 (action)",
    "field 5 (White on board)",
    "field 6 (White in hand)",
    "field 7 (Black on board)",
    "field 8 (Black in hand)",
    "field 9 (White owes)",
    "field 10 (Black owes)",
    "field 11 (White's mill from)",
    "field 12 (White's mill to)",
    "field 13 (Black's mill from)",
    "field 14 (Black's mill to)",
    "field 15 (used mills)",
    "field 16 (half)",
    "field 17 (full)",
];
/// The fields of the 2021 form after the first eight.
const SHORT: [&str; 3] = ["field 9 (owed)", "field 10 (half)", "field 11 (full)"];
const EXTENSION: &str = "extension";
/// The option of the capture with two extensions.
const INTERVENTION: &str = "InterventionCapture";
/// The highest move number that is read or written.
const MOST_MOVES: u32 = 1_000_000_000;

pub(super) const BOARD: BoardForm =
    BoardForm { points: Square::ALL, men: ['O', '@'], marks: &['X'], empty: '*' };

/// The name of the field for a part of a position.
pub(super) const fn field(part: Part) -> &'static str {
    match part {
        Part::Board => FIELDS[0],
        Part::Phase => FIELDS[2],
        Part::Owed(side) => FIELDS[8 + side as usize],
        Part::Mills(side) => FIELDS[10 + 2 * side as usize],
        Part::Captures => EXTENSION,
        Part::Key => "all fields",
    }
}

/// Reads the fields; their number determines the form.
pub(super) fn parse(text: &str, rules: &RuleSet) -> Result<Parts, Error> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let (words, extensions) = words.split_at(words.len().min(FIELDS.len()));
    let is_short = words.len() == 8 + SHORT.len();
    if !is_short && words.len() < FIELDS.len() {
        let expected = "17 fields, or the 11 of the old form";
        return Err(wrong("number of fields", expected, words.len()));
    }
    let names = if is_short { [&FIELDS[..8], &SHORT].concat() } else { FIELDS.to_vec() };
    let token = |at: usize| Token { field: names[at], word: words[at] };
    let (men, marked) = BOARD.read(token(0), rules)?;
    let to_move = Side::of_letter(words[1]).ok_or_else(|| token(1).error("w or b"))?;
    let phase = token(2).letter("p m o r n")?;
    let action = token(3).letter("p s r ?")?;
    let is_over = phase == "o";
    let (phase, usual, expected) = match phase {
        "m" => (Phase::Moving, "s", "s or r in phase m"),
        _ => (Phase::Placing, "p", "p or r in phase p"),
    };
    token(3).ensure(is_over || action == "r" || action == usual, expected)?;
    let mut in_hand = BySide::both(0);
    let mut owed = BySide::both(0);
    for side in Side::ALL {
        let at = 4 + 2 * side as usize;
        let on_board = men[side].len() as u8;
        let is_right = words[at] == on_board.to_string();
        token(at).ensure(is_right, format_args!("{on_board}, as on the board"))?;
        in_hand[side] = token(at + 1).number(0..=rules.men.saturating_sub(on_board))?;
        if !is_short || side == to_move {
            let at = if is_short { 8 } else { 8 + side as usize };
            let most = Square::COUNT as i8;
            owed[side] = token(at).number(-most..=most)?;
        }
    }
    let half = token(words.len() - 2).number(0..=u16::MAX)?;
    let count = MoveCount::Number(token(words.len() - 1).number(1..=MOST_MOVES)?);
    let removes = action == "r";
    let mut extras = Extras::NONE;
    if !is_short {
        let has_nodes = extensions.iter().any(|word| word.eq_ignore_ascii_case("ids:nodes"));
        let numbering = if has_nodes { Numbering(0) } else { LEGACY };
        extras = parse_mills([10, 11, 12, 13, 14].map(token), numbering, rules)?;
        let mut labels = HashSet::new();
        for word in extensions {
            let token = Token { field: EXTENSION, word };
            let (label, value) = word.split_once(':').ok_or_else(|| token.error("label:value"))?;
            let label = label.to_ascii_lowercase();
            Extension { token, value, numbering, to_move, rules }.read(&label, &mut extras)?;
            token.ensure(labels.insert(label), "each label once")?;
        }
    }
    let draw = is_over.then_some(Draw::ThreefoldRepetition);
    Ok(Parts { men, marked, to_move, draw, phase, removes, in_hand, owed, extras, half, count })
}

/// How a text numbers the points, given by the number of the first one.
#[derive(Clone, Copy)]
struct Numbering(u32);

const LEGACY: Numbering = Numbering(8);

impl Numbering {
    fn square(self, word: &str) -> Option<Square> {
        let number: u32 = word.parse().ok().filter(|number: &u32| number.to_string() == word)?;
        Square::try_index(number.checked_sub(self.0)? as usize)
    }

    fn optional(self, token: Token<'_>) -> Result<Option<Square>, Error> {
        let Self(first) = self;
        let none = if first > 0 { "0" } else { "-1" };
        if token.word == none {
            return Ok(None);
        }
        let expected = || format!("a point number from {first} to {}, or {none}", first + 23);
        self.square(token.word).map(Some).ok_or_else(|| token.error(expected()))
    }
}

/// Reads fields 11 to 15. Games that do not remember mills discard their values.
fn parse_mills(
    [white_from, white_to, black_from, black_to, used]: [Token<'_>; 5],
    numbering: Numbering,
    rules: &RuleSet,
) -> Result<Extras, Error> {
    let last_mill = |from: Token<'_>, to: Token<'_>| {
        let (start, end) = (numbering.optional(from)?, numbering.optional(to)?);
        match (start, end) {
            (Some(_), None) => Err(to.error("a point, as in the field before")),
            (Some(_), _) if start == end => {
                Err(to.error("a different point from the field before"))
            }
            (None, end) => Ok(end.map(Move::place)),
            (Some(start), Some(end)) => Ok(Some(Move::slide(start, end))),
        }
    };
    let last_mills = [last_mill(white_from, white_to)?, last_mill(black_from, black_to)?];
    let half = u64::from(SquareSet::ALL.bits() << numbering.0);
    let points = half << 32 | half;
    let bits = used.word.parse::<u64>().ok().filter(|bits| bits & !points == 0);
    let bits = bits.ok_or_else(|| {
        used.error(format!("two sets of points, a number with bits of {points:#x} only"))
    })?;
    let sets = [bits >> 32, bits].map(|set| SquareSet::from_bits(set as u32 >> numbering.0));
    let last_mills = if rules.restricts_repeated_mills { last_mills } else { [None; 2] };
    let used = if rules.uses_mills_once { sets } else { [SquareSet::EMPTY; 2] };
    Ok(Extras { last_mills: BySide(last_mills), used: BySide(used), ..Extras::NONE })
}

/// A word after the last field.
struct Extension<'a> {
    token: Token<'a>,
    value: &'a str,
    numbering: Numbering,
    to_move: Side,
    rules: &'a RuleSet,
}

impl Extension<'_> {
    fn read(&self, label: &str, extras: &mut Extras) -> Result<(), Error> {
        let rules = self.rules;
        let if_on = |name: &str, rule: CaptureRule| {
            self.token.ensure(rule.is_on, format_args!("a game with {name}")).map(|()| self)
        };
        match label {
            "c" => extras.custodian = if_on("CustodianCapture", rules.custodian)?.targets(24, 1)?,
            "i" => extras.intervention = if_on(INTERVENTION, rules.intervention)?.targets(2, 2)?,
            "l" => extras.leapt = if_on("LeapCapture", rules.leap)?.targets(1, 1)?,
            "p" => {
                let man = if_on(INTERVENTION, rules.intervention)?.numbering.square(self.value);
                let expected = || self.token.error("the number of a point");
                extras.preferred = SquareSet::of(man.ok_or_else(expected)?);
            }
            "s" => {
                let action = rules.stalemate_action;
                let is_code = action.code() > 0 && self.value == action.code().to_string();
                let expected = "s:1 in a game with StalemateAction 2, or s:2 with 5";
                self.token.ensure(is_code, expected)?;
                extras.stalemate = Some(action);
            }
            _ => {}
        }
        Ok(())
    }

    /// Reads `w-N-points|b-N-points`, where only the side to move may have points.
    ///
    /// * `most`: the most points allowed.
    /// * `captured`: the most men captured among them, N.
    fn targets(&self, most: u32, captured: u32) -> Result<SquareSet, Error> {
        let (white, black) = self.value.split_once('|').unwrap_or((self.value, ""));
        let points = |side: Side, text: &str| {
            let (number, list) =
                text.strip_prefix(side.letter())?.strip_prefix('-')?.split_once('-')?;
            let points = list.split('.').filter(|_| !list.is_empty());
            let targets: Option<_> = points.map(|word| self.numbering.square(word)).collect();
            let targets = targets.filter(|targets: &SquareSet| targets.len() <= most)?;
            (number == targets.len().min(captured).to_string()).then_some(targets)
        };
        let sets = points(Side::White, white).zip(points(Side::Black, black));
        let sets = sets.map(|(white, black)| BySide([white, black]));
        let sets = sets.filter(|sets| sets[!self.to_move].is_empty());
        let expected = "w-N-points|b-N-points with points of the side to move only";
        sets.map(|sets| sets[self.to_move]).ok_or_else(|| self.token.error(expected))
    }
}

impl<R: Rules> fmt::Display for PositionText<R> {
    /// Writes a position as 17 fields and the extensions that it needs.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (position, is_over) = (&self.position, self.outcome.is_some());
        BOARD.write(f, position)?;
        // After a final removal no side is to move.
        let (side, phase, action) = match (position.ending(), position.phase()) {
            (Some(Outcome::Win { loss: Loss::TooFewMen, .. }), _) if is_over => {
                (Side::White, 'o', 'r')
            }
            _ if is_over => (position.to_move(), 'o', '?'),
            (_, Phase::Placing) => (position.to_move(), 'p', 'p'),
            (_, Phase::Moving) => (position.to_move(), 'm', 's'),
        };
        let action = if position.pending() > 0 && !is_over { 'r' } else { action };
        write!(f, " {} {phase} {action}", side.letter())?;
        for side in Side::ALL {
            write!(f, " {} {}", position.men(side).len(), position.in_hand(side))?;
        }
        for side in Side::ALL {
            write!(f, " {}", if is_over { 0 } else { position.owed(side) })?;
        }
        let extras = position.extras();
        for mill in extras.last_mills.0 {
            let (from, to) = (mill.and_then(Move::origin), mill.map(Move::target));
            write!(f, " {} {}", number(from), number(to))?;
        }
        let [white, black] = extras.used.0.map(|set| u64::from(set.bits() << LEGACY.0));
        let move_number = position.move_number_before(side).min(MOST_MOVES);
        write!(f, " {} {} {move_number}", white << 32 | black, position.quiet_plies())?;
        let extras = if is_over { extras.without_debts() } else { *extras };
        let captures = [
            ('c', extras.custodian, 1),
            ('i', extras.intervention, extras.intervention.len()),
            ('l', extras.leapt, 1),
        ];
        for (label, targets, count) in captures.into_iter().filter(|(_, set, _)| !set.is_empty()) {
            let list: Vec<String> =
                targets.into_iter().map(|square| number(Some(square)).to_string()).collect();
            let mut sides = ["w-0-".to_owned(), "b-0-".to_owned()];
            let to_move = position.to_move();
            sides[to_move as usize] = format!("{}-{count}-{}", to_move.letter(), list.join("."));
            write!(f, " {label}:{}", sides.join("|"))?;
        }
        if let Some(preferred) = extras.preferred.first() {
            write!(f, " p:{}", number(Some(preferred)))?;
        }
        extras.stalemate.map_or(Ok(()), |action| write!(f, " s:{}", action.code()))
    }
}

/// The number of a point in written texts, 0 for none.
fn number(square: Option<Square>) -> u32 {
    square.map_or(0, |square| square as u32 + LEGACY.0)
}
