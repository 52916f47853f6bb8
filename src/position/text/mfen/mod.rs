//! MFEN 1.0, a position text that other programs read and write too.
//!
//! ```text
//! MFEN/1.0 mill24-state-v1 ......../......../........ w p p 9,9 - 0 0 -
//! ```
//!
//! The two words of the version are followed by the outer, middle and inner ring, each clockwise from its top left
//! corner (`W` and `B` men, `.` free, `w` and `b` marked by a removed man), the side to move (`-` when the game is
//! over), the phase and the action (`p` `m` `o` and `p` `m` `r` `o`), the hands of White and Black, the removals
//! owed, the slides since the last placement or removal, the turns begun by both sides, and the outcome.
//!
//! An owed removal is written `PLAYER:CAUSE:ZONE:OWNER:COUNT:TARGETS:AFTER`. Removals joined by `;` follow each
//! other, those joined by `|` are alternatives. TARGETS is `~` or `-` for all men that the rules allow, or six
//! hex digits with a bit for each point in the order of the rings, the lowest for a7. AFTER is the side to move
//! next, or `q` if other removals follow. A text whose removals differ from those of the rules is rejected.
//!
//! Where the rules remember mills, extensions follow the outcome: `lm=a1-a4,d6`, the last moves of
//! White and Black if they closed a mill (`-` if not), and `ul=00001d,000000`, the points that White
//! and Black have used in mills. `pc=9,9`, the numbers of placed men, is redundant and not kept. Nor is
//! the colour of marks, which are written as `b`. The outcome must follow from the position or from
//! earlier moves: games that ended by agreement, resignation or adjudication are rejected.

use std::fmt;

use super::{BoardForm, MoveCount, Parts, Token, wrong};
use crate::Error;
use crate::board::{BySide, Move, Side, Square, SquareSet};
use crate::position::{Draw, Loss, Outcome, Part, Phase, Position, PositionText};
use crate::rules::{Extras, RuleSet, Rules};
use obligations::{CUSTODIAN, INTERVENTION, LEAP, Obligations, STALEMATE};

mod obligations;

const FAMILY: &str = "MFEN/";
const VERSION: &str = "MFEN/1.0";
const STATE: &str = "mill24-state-v1";

/// The labels of the extensions for the last moves that closed mills and for used points.
const LAST_MILLS: &str = "lm=";
const USED: &str = "ul=";
/// The label of a redundant extension: how many men were placed.
const PLACED: &str = "pc=";

/// The board. The colour of a mark is not kept.
const BOARD: BoardForm =
    BoardForm { points: RINGS, men: ['W', 'B'], marks: &['w', 'b'], empty: '.' };

/// The points in the order of the rings.
#[rustfmt::skip]
const RINGS: [Square; Square::COUNT] = [
    Square::A7, Square::D7, Square::G7, Square::G4, Square::G1, Square::D1, Square::A1, Square::A4,
    Square::B6, Square::D6, Square::F6, Square::F4, Square::F2, Square::D2, Square::B2, Square::B4,
    Square::C5, Square::D5, Square::E5, Square::E4, Square::E3, Square::D3, Square::C3, Square::C4,
];

/// Whether a position text is MFEN of any version, rather than one of 17 or 11 fields.
pub fn is_mfen(text: &str) -> bool {
    text.trim_start().starts_with(FAMILY)
}

/// A set of points as six hex digits.
fn digits(set: SquareSet) -> String {
    let bits = RINGS.iter().enumerate().filter(|(_, square)| set.contains(**square));
    format!("{:06x}", bits.fold(0u32, |bits, (at, _)| bits | 1 << at))
}

/// The set of points that six hex digits encode.
fn set(digits: &str) -> Option<SquareSet> {
    let is_hex = digits.len() == 6 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let bits = u32::from_str_radix(digits, 16).ok().filter(|_| is_hex)?;
    let points = RINGS.into_iter().enumerate().filter(|(at, _)| bits >> at & 1 == 1);
    Some(points.map(|(_, square)| square).collect())
}

/// The names of the fields after the version.
const FIELDS: [&str; 9] = [
    "MFEN field 3 (board)",
    "MFEN field 4 (side)",
    "MFEN field 5 (phase)",
    "MFEN field 6 (action)",
    "MFEN field 7 (hands)",
    "MFEN field 8 (obligations)",
    "MFEN field 9 (no-progress)",
    "MFEN field 10 (primary-ply)",
    "MFEN field 11 (outcome)",
];
const EXTENSION: &str = "MFEN extension";
/// The most turns that are read or written.
const MOST_TURNS: u32 = 2_000_000_000;

/// Reasons for the end of a game that neither its position nor its moves show.
const AGREED: [&str; 3] = ["agreement", "resignation", "adjudication"];

/// The name of the field for a part of a position.
const fn field(part: Part) -> &'static str {
    match part {
        Part::Board => FIELDS[0],
        Part::Phase => FIELDS[2],
        Part::Owed(_) | Part::Captures => FIELDS[5],
        Part::Mills(_) => EXTENSION,
        Part::Key => "all fields",
    }
}

/// Reads a position of the game `rules`.
///
/// The text of a drawn game does not name the side that could not move. This is taken to be the
/// side whose turn it was, unless only the other side gives the draw that the text states.
pub fn read<R: Rules>(text: &str, rules: R::Reference) -> Result<PositionText<R>, Error> {
    let words: Vec<&str> = text.split_whitespace().collect();
    for (at, word) in [VERSION, STATE].into_iter().enumerate() {
        let found = words.get(at).copied().unwrap_or_default();
        if found != word {
            return Err(wrong("MFEN version", format!("{VERSION} {STATE}"), found));
        }
    }
    let Some((fields, extensions)) = words[2..].split_first_chunk::<9>() else {
        return Err(wrong("MFEN fields", "at least 11 fields", words.len()));
    };
    let tokens: [Token<'_>; 9] =
        std::array::from_fn(|at| Token { field: FIELDS[at], word: fields[at] });
    let [.., owed, _, _, outcome] = tokens;
    let obligations = owed.word.parse().map_err(|expected: &str| owed.error(expected))?;
    let parts = parse(tokens, &obligations, extensions, &rules)?;
    let build = |parts: &Parts| {
        let text @ PositionText { position, outcome: end } = parts.build::<R>(rules, field)?;
        let made = end.map_or_else(|| Obligations::of(&position), |_| Obligations::default());
        let agree = obligations.agree(&made, position.removable());
        owed.ensure(agree, format_args!("{made} by the rules"))?;
        check_outcome(outcome, &position)?;
        Ok(text)
    };
    build(&parts).or_else(|error| {
        let other = Parts { to_move: !parts.to_move, ..parts };
        build(&other).ok().filter(|_| outcome.word.starts_with('d')).ok_or(error)
    })
}

fn parse(
    [board, side, phase, action, hands, duties, half, turns, outcome]: [Token<'_>; 9],
    obligations: &Obligations,
    extensions: &[&str],
    rules: &RuleSet,
) -> Result<Parts, Error> {
    let (men, marked) = BOARD.read(board, rules)?;
    let (is_over, is_moving) = (phase.letter("p m o")? == "o", phase.word == "m");
    match (phase.word, action.letter("p m r o")?) {
        ("o", "o") | ("m", "m" | "r") | ("p", "p" | "r") => {}
        ("o", _) | (_, "o") => return Err(action.error("o in phase o alone")),
        ("m", _) => return Err(action.error("m or r in phase m")),
        _ => return Err(action.error("p or r in phase p")),
    }
    let pair = hands.word.split_once(',');
    let (white, black) = pair.ok_or_else(|| hands.error("two numbers such as 9,9"))?;
    let hand = |side: Side, word| {
        let most = rules.men.saturating_sub(men[side].len() as u8);
        Token { word, ..hands }.number(0..=most)
    };
    let in_hand = BySide([hand(Side::White, white)?, hand(Side::Black, black)?]);
    let is_n_move = outcome.word == "d:no-progress";
    let half = half.number(u16::from(is_over && is_n_move)..=u16::MAX)?;
    let turns = turns.number(0..=MOST_TURNS)?;
    let to_move = parse_side(side, is_over, outcome, turns)?;
    let removes = action.word == "r";
    duties.ensure(removes || obligations.0.is_empty(), "- without action r")?;
    let (owed, mut extras) = debts(obligations, to_move, rules).ok_or_else(|| {
        duties.error("one removal of the side to move, then at most one of the other")
    })?;
    for (at, word) in extensions.iter().enumerate() {
        let token = Token { field: EXTENSION, word };
        let label = |word: &str| word.split('=').next().map(str::to_owned);
        let is_new = extensions[..at].iter().all(|earlier| label(earlier) != label(word));
        token.ensure(is_new, "each label once")?;
        extras = remember(extras, token, rules)?;
    }
    let phase = if is_moving { Phase::Moving } else { Phase::Placing };
    let count = MoveCount::Turns(turns);
    let draw = if is_n_move { Draw::NMove } else { Draw::ThreefoldRepetition };
    let draw = is_over.then_some(draw);
    Ok(Parts { men, marked, to_move, draw, phase, removes, in_hand, owed, extras, half, count })
}

fn check_outcome<R: Rules>(outcome: Token<'_>, position: &Position<R>) -> Result<(), Error> {
    let Some((winner, reason)) = outcome.word.split_once(':') else {
        return Ok(());
    };
    let reason = if reason == "no-legal-primary-action" { "no-legal-move" } else { reason };
    let found = format!("{winner}:{reason}");
    Err(outcome.error(match position.ending().map(word_of) {
        Some(made) if found == made => return Ok(()),
        None if ["d:no-progress", "d:repetition"].contains(&found.as_str()) => return Ok(()),
        _ if AGREED.contains(&reason) => {
            "an end that the position or the moves show; no other is kept".into()
        }
        Some(made) => format!("{made}, as on the board"),
        None => "d:no-progress or d:repetition, as the board ends no game".into(),
    }))
}

/// The side to move. In a finished game this is the loser or, in a draw, the side that the number of turns implies.
fn parse_side(
    side: Token<'_>,
    is_over: bool,
    outcome: Token<'_>,
    turns: u32,
) -> Result<Side, Error> {
    let is_outcome = |start: &&str| outcome.word.starts_with(*start);
    let start = ["-", "w:", "b:", "d:"].into_iter().find(is_outcome);
    match (side.word, start) {
        (_, None) => Err(outcome.error("-, or w:, b: or d: and a reason")),
        (_, Some("-")) if is_over => Err(outcome.error("an outcome in phase o")),
        ("-", Some("w:")) if is_over => Ok(Side::Black),
        ("-", Some("b:")) if is_over => Ok(Side::White),
        ("-", _) if is_over => Ok(Side::ALL[turns as usize % 2]),
        _ if is_over => Err(side.error("- in phase o")),
        _ if outcome.word != "-" => Err(outcome.error("- unless in phase o")),
        (letter, _) => Side::of_letter(letter).ok_or_else(|| side.error("w or b")),
    }
}

/// The removals that each side owes, negative for its own men, and the captures and stalemate behind them; whether
/// the rules agree is checked later on the position. `None` if the rules never produce such obligations.
fn debts(
    obligations: &Obligations,
    to_move: Side,
    rules: &RuleSet,
) -> Option<(BySide<i8>, Extras)> {
    let mut owed = BySide::both(0);
    let mut extras = Extras::NONE;
    for branch in &obligations.0 {
        let (own, later) = match branch.as_slice() {
            [own] if own.player == to_move => (own, None),
            [own, later] if own.player == to_move && later.player != to_move => (own, Some(later)),
            _ => return None,
        };
        let targets = own.targets.unwrap_or(SquareSet::EMPTY);
        match own.cause {
            CUSTODIAN => extras.custodian = targets,
            INTERVENTION => extras.intervention = targets,
            LEAP => extras.leapt = targets,
            cause => {
                if cause == STALEMATE {
                    extras.stalemate = Some(rules.stalemate_action).filter(|it| it.code() > 0);
                }
                owed[to_move] = own.count;
            }
        }
        if let Some(later) = later {
            owed[later.player] = later.count;
        }
    }
    if owed[to_move] == 0 {
        owed[to_move] = (extras.count_captures() + extras.leapt.len()) as i8;
    }
    Some((owed, extras))
}

/// Reads an extension into the extra state.
fn remember(extras: Extras, token: Token<'_>, rules: &RuleSet) -> Result<Extras, Error> {
    let (label, value) = token.word.split_at(token.word.find('=').map_or(0, |at| at + 1));
    let mill = |word: &str| match word {
        "-" => Some(None),
        _ => word.parse().ok().filter(|mv: &Move| !mv.is_removal()).map(Some),
    };
    let read = match label {
        LAST_MILLS if rules.restricts_repeated_mills => {
            pair(value, mill).map(|last_mills| Extras { last_mills, ..extras })
        }
        USED if rules.uses_mills_once => pair(value, set).map(|used| Extras { used, ..extras }),
        PLACED => pair(value, |count| count.parse::<u8>().ok()).map(|_| extras),
        _ => None,
    };
    let expected = match label {
        LAST_MILLS if rules.restricts_repeated_mills => "two moves such as lm=a1-a4,-",
        LAST_MILLS => "no lm= in a game without RestrictRepeatedMillsFormation",
        USED if rules.uses_mills_once => "two sets of six hex digits such as ul=00001d,000000",
        USED => "no ul= in a game without OneTimeUseMill",
        PLACED => "two numbers such as pc=9,9",
        _ => "lm=, pc= or ul=",
    };
    read.ok_or_else(|| token.error(expected))
}

/// Reads two values separated by a comma.
fn pair<T>(text: &str, read: impl Fn(&str) -> Option<T>) -> Option<BySide<T>> {
    let (white, black) = text.split_once(',')?;
    Some(BySide([read(white)?, read(black)?]))
}

/// A position that is displayed in MFEN 1.0.
#[derive(Clone, Copy, Debug)]
pub struct Mfen<R: Rules>(pub(crate) PositionText<R>);

impl<R: Rules> Position<R> {
    /// The position in MFEN 1.0.
    pub fn mfen(self) -> Mfen<R> {
        Mfen(self.into())
    }
}

/// The outcome field: the letter of the winner, or `d`, and the reason.
fn word_of(outcome: Outcome) -> String {
    let (winner, reason) = match outcome {
        Outcome::Win { winner, loss: Loss::TooFewMen } => (winner.letter(), "fewer-than-minimum"),
        Outcome::Win { winner, loss: Loss::Blocked } => (winner.letter(), "no-legal-move"),
        Outcome::Win { winner, loss: Loss::FullBoard } => (winner.letter(), "board-full"),
        Outcome::Draw(Draw::Stalemate) => ('d', "no-legal-move"),
        Outcome::Draw(Draw::FullBoard) => ('d', "board-full"),
        Outcome::Draw(Draw::NMove | Draw::EndgameNMove) => ('d', "no-progress"),
        Outcome::Draw(Draw::ThreefoldRepetition) => ('d', "repetition"),
    };
    format!("{winner}:{reason}")
}

impl<R: Rules> fmt::Display for Mfen<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PositionText { position, outcome } = &self.0;
        let is_over = outcome.is_some();
        write!(f, "{VERSION} {STATE} ")?;
        BOARD.write(f, position)?;
        let phase = match position.phase() {
            _ if is_over => 'o',
            Phase::Placing => 'p',
            Phase::Moving => 'm',
        };
        let action = if position.pending() > 0 && !is_over { 'r' } else { phase };
        let side = if is_over { '-' } else { position.to_move().letter() };
        let [white, black] = Side::ALL.map(|side| position.in_hand(side));
        let owed = if is_over { Obligations::default() } else { Obligations::of(position) };
        write!(f, " {side} {phase} {action} {white},{black} {owed}")?;
        let outcome = position.ending().filter(|_| is_over).or(*outcome);
        let outcome = outcome.map_or_else(|| "-".to_owned(), word_of);
        // In a draw only the parity of the turns tells who is to move, even if the side that placed
        // the last man slid first.
        let is_told = !outcome.starts_with("d:") || position.turns % 2 == position.to_move() as u32;
        let turns =
            if is_told { position.turns } else { position.turns.checked_sub(1).unwrap_or(1) };
        let turns = turns.min(MOST_TURNS - turns % 2);
        write!(f, " {} {turns} {outcome}", position.quiet_plies())?;
        let extras = position.extras();
        if extras.last_mills != BySide::both(None) {
            let word =
                |mill: Option<Move>| mill.map_or_else(|| "-".to_owned(), |mv| mv.to_string());
            let [white, black] = extras.last_mills.0.map(word);
            write!(f, " {LAST_MILLS}{white},{black}")?;
        }
        let [white, black] = extras.used.0;
        if !(white | black).is_empty() {
            write!(f, " {USED}{},{}", digits(white), digits(black))?;
        }
        Ok(())
    }
}
